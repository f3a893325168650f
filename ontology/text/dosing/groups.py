"""Quantities that make one dose: ranges, alternatives, and the same dose said twice in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from ontology.model.dosing import Amount, AmountBasis, PerWhat
from ontology.text.dosing.fractions import Fraction
from ontology.text.dosing.pieces import overlaps
from ontology.text.dosing.quantities import Quantified, Role, converted, is_counted, is_mass

_RANGE = re.compile(r"\s*(?:-|to|through|up\s+to|~)\s*$", re.IGNORECASE)
_RANGE_AND = re.compile(r"\s*and\s*$", re.IGNORECASE)
_OR = re.compile(r"\s*(?:,?\s*or|/)\s*(?:a\s+|an\s+)?$", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*$")
_OPEN = re.compile(
    r"(?:\s+(?:tablets?|capsules?|orally|intravenously|daily|once\s+daily|IV))?\s*[(\[]\s*(?:contents?\s+of\s+|approximately\s+|about\s+|i\.e\.,?\s*|equivalent\s+to\s+|total(?:\s+of)?\s+|=\s*|or\s+|a\s+total\s+(?:daily\s+)?dose\s+of\s+|total\s+(?:daily\s+)?dose(?:\s+of|:|\s+is)?\s+)?$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"(?:\s*(?:of\s+)?[\w-]+){0,3}\s*(?:and|/|,|\+|plus)\s*(?:[\w-]+\s+){0,2}\d[\d.,]*\s*-?(?:mg|mcg|g)\b[^()]{0,60}[)\]]", re.IGNORECASE)
_AS = re.compile(r"\b(?:as|using|with)\s+(?:(?:one|two|three|four|five|six|\d{1,2}),?\s+)?$", re.IGNORECASE)
_MEANS = re.compile(r"equivalent|total|=|i\.e\.|approximately|about", re.IGNORECASE)
_SALT = re.compile(r"\s*(?:of\s+)?(?:[\w-]+\s+){0,2}(?:base|salt|free|equivalents?|elemental|anhydrous|each|total)\b", re.IGNORECASE)
_MORE = re.compile(r"[^();|]{0,24}?[;,]\s*(?:or\s+)?\d[\d.,]*\s*-?(?:mg|mcg|g|mL|units)\b[^();|]{0,40}\)", re.IGNORECASE)
_BASE = re.compile(r"\s*(?:of\s+)?(?:[\w-]+\s+){0,2}(?:base|salt|free base|equivalents?|elemental|anhydrous|each|total)\s*[)\]]", re.IGNORECASE)
_CONTAINS = re.compile(r"\b(?:contain|provid|deliver|suppl)", re.IGNORECASE)
_IN_EACH = re.compile(r"\b(?:injections|tablets|capsules|syringes|vials|sites)\s+of\s+$", re.IGNORECASE)
_OF = re.compile(r"\s+of\s+(?:[\w-]+\s+){0,4}")
_EACH = re.compile(r"\s*(?:each|per|/)\b", re.IGNORECASE)


@dataclass(slots=True)
class Group:
    """Alternatives of one dose while its sentence is read, at `[start, end)`. `behind` is where the next words are looked for."""

    start: int
    end: int
    parts: list[Quantified]
    fraction: Fraction | None = None

    @property
    def role(self) -> Role:
        """What the quantities are."""
        return self.parts[0].role if self.parts else Role.DOSE

    @property
    def unit(self) -> str:
        """The unit of the first quantity."""
        return self.parts[0].unit if self.parts else "1"

    @property
    def basis(self) -> AmountBasis:
        """The basis of the first quantity."""
        return self.parts[0].basis if self.parts else AmountBasis.FRACTION

    @property
    def per(self) -> PerWhat | None:
        """The stretch that the first quantity names."""
        return self.parts[0].per if self.parts else None

    def amounts(self, per: PerWhat) -> tuple[Amount, ...]:
        """The amounts; `per` where the quantities name no stretch themselves."""
        if self.fraction is not None:
            f = self.fraction
            return (Amount(f.low, f.high, "1", AmountBasis.FRACTION, per, fraction_of=f.of),)
        return tuple(amount_of(q, per) for q in self.parts)


def amount_of(q: Quantified, per: PerWhat = PerWhat.DOSE, unit: str | None = None) -> Amount:
    """A quantity as an amount."""
    if q.formula is not None:
        return Amount(None, None, q.unit, AmountBasis.FORMULA, q.per or per, formula=q.formula)
    return Amount(q.low, q.high, unit or q.unit, q.basis, q.per or per, choices=q.choices, weight=q.weight)


def rate_of(q: Quantified) -> Amount:
    """A rate as an amount in unit over time ("mg/min"), a concentration in unit over volume."""
    over = "min" if "minute" in q.over else "h" if "hour" in q.over else "mL"
    return Amount(q.low, q.high, f"{q.unit}/{over}", q.basis, q.per or PerWhat.DOSE, choices=q.choices, weight=q.weight)


def group_quantities(text: str, quantities: list[Quantified], fractions: list[Fraction]) -> list[Group]:
    """The groups of a sentence, in order."""
    groups: list[Group] = []
    taken = [(f.start, f.end) for f in fractions]
    for at, q in enumerate(quantities):
        if overlaps(taken, q.start, q.end):
            continue
        last = groups[-1] if groups else None
        if last is not None and last.fraction is None and _join(text, last, q, quantities[at + 1] if at + 1 < len(quantities) else None):
            continue
        groups.append(Group(q.start, q.end, [q]))
    groups += [Group(f.start, f.end, [], f) for f in fractions]
    groups.sort(key=lambda g: g.start)
    return _equivalents(text, groups)


def _join(text: str, group: Group, q: Quantified, following: Quantified | None) -> bool:
    """True when `q` went into the group as the end of its range or as an alternative."""
    last = group.parts[-1]
    gap = text[last.end : q.start]
    if len(gap) > 20 or last.role is not q.role or last.formula or q.formula or last.basis is AmountBasis.AUC:
        return False
    between = text[max(0, last.start - 9) : last.start].lower().rstrip().endswith("between")
    if _RANGE.match(gap) or (between and _RANGE_AND.match(gap)):
        merged = _range(last, q)
        if merged is not None and last.low == last.high:
            group.parts[-1], group.end = merged, q.end
            return True
        return False
    if _OR.match(gap) or (_COMMA.match(gap) and following is not None and _OR.match(text[q.end : following.start]) and len(text[q.end : following.start]) < 12):
        if last.basis is not q.basis and AmountBasis.FLAT not in (last.basis, q.basis):
            return False
        if is_counted(last.unit) is not is_counted(q.unit):
            return False
        merged = _alternatives(last, q)
        group.parts[-1:] = [merged] if merged is not None else [last, q]
        group.end = q.end
        return True
    return False


def _range(low: Quantified, high: Quantified) -> Quantified | None:
    same = low.basis is high.basis
    if not same and not (low.basis is AmountBasis.FLAT and low.per is None):
        return None
    if low.per is not None and low.per is not high.per:
        return None
    bottom = converted(low.low, low.unit, high.unit)
    if bottom is None or bottom > high.high or low.choices or high.choices:
        return None
    return replace(high, start=low.start, low=bottom)


def _alternatives(first: Quantified, second: Quantified) -> Quantified | None:
    """Two single amounts of one unit as choices; None where they stay apart."""
    if first.unit != second.unit or (first.per is not None and first.per is not second.per):
        return None
    if first.basis is not second.basis and first.basis is not AmountBasis.FLAT:
        return None
    if first.basis is AmountBasis.FLAT and second.basis is not AmountBasis.FLAT and first.per is not None:
        return None
    if second.low != second.high or (first.low != first.high and not first.choices):
        return None
    if first.basis is not second.basis:
        return None
    values = (*(first.choices or (first.low,)), second.low)
    if len(set(values)) != len(values):
        return None
    return replace(second, start=first.start, low=min(values), high=max(values), choices=values)


def _equivalents(text: str, groups: list[Group]) -> list[Group]:
    """The groups without the second saying of a dose; a bracket that says it on another basis stays as a group of its own."""
    out: list[Group] = []
    bracketed = 0
    for group in groups:
        last = out[-1] if out else None
        if group.start < bracketed:
            continue
        if last is None or not last.parts or not group.parts:
            out.append(group)
            continue
        a, b = last.parts[-1], group.parts[0]
        if _is_as(text, last, group):
            continue
        if _is_strength_of(text, last, group):
            last.parts[-1:] = [replace(b, start=a.start)] if a.high == 1 else [a]
            last.end = group.end
        elif (
            a.unit == "{dose}"
            or _OPEN.match(text[last.end : group.start]) is None
            or group.start - last.end > 45
            or b.role is not Role.DOSE
            or a.role is not Role.DOSE
        ):
            out.append(group)
        elif is_mass(b.unit) and not is_mass(a.unit) and a.basis is AmountBasis.FLAT and (parts := _PARTS.match(text, group.end)) is not None:
            last.end = bracketed = parts.end()
        elif is_mass(b.unit) and not is_mass(a.unit) and a.basis is AmountBasis.FLAT:
            if _EACH.match(text[group.end : group.end + 8]) is None:
                last.parts[-1:] = [replace(b, start=a.start, per=b.per or a.per)]
            last.end = bracketed = _bracket_end(text, group.end)
        elif (is_mass(a.unit) and not is_mass(b.unit) and b.basis is AmountBasis.FLAT) or _is_same(text, a, b):
            last.end = bracketed = _bracket_end(text, group.end)
        else:
            out.append(group)
    return out


def _bracket_end(text: str, at: int) -> int:
    """Where a bracket ends that goes on with yet another saying of the dose ("two tablets (648 mg; 403 mg of base)") or says of what it speaks ("300 mg base)")."""
    more = _MORE.match(text, at) or _BASE.match(text, at)
    return more.end() if more is not None else at


def _is_strength_of(text: str, last: Group, group: Group) -> bool:
    """True for the strength of the product that is counted before it ("2 inhalations of the inhaler 1.25 mcg")."""
    flat = group.role is Role.DOSE and group.basis is AmountBasis.FLAT and group.per is None
    if _CONTAINS.search(text, last.end, group.start):
        return False
    return flat and is_counted(last.unit) and is_mass(group.unit) and last.basis is AmountBasis.FLAT and _OF.fullmatch(text, last.end, group.start) is not None


def _is_same(text: str, a: Quantified, b: Quantified) -> bool:
    """True when a bracket gives the same dose in another unit, or says of which salt, base or total it speaks."""
    if a.basis is not b.basis or a.per is not b.per:
        return False
    if (converted(a.low, a.unit, b.unit), converted(a.high, a.unit, b.unit)) == (b.low, b.high):
        return True
    return (
        _MEANS.search(text, a.end, b.start) is not None
        or _SALT.match(text, b.end) is not None
        or (a.unit != b.unit and converted(a.low, a.unit, b.unit) is None)
    )


def _is_as(text: str, last: Group, group: Group) -> bool:
    """True for a count or volume that says how the mass before it is given ("24 mg as three 8 mg tablets")."""
    if _IN_EACH.search(text, max(last.end, group.start - 24), group.start) and _EACH.match(text, group.end):
        return True
    a, b = last.parts[-1], group.parts[0]
    again = not is_mass(group.unit) or (a.low, a.high, a.unit) == (b.low, b.high, b.unit)
    near = is_mass(last.unit) and again and group.start - last.end < 120
    return near and _AS.search(text, max(last.end, group.start - 16), group.start) is not None


def is_restated(first: Quantified, second: Quantified, times: Decimal | None) -> bool:
    """True when the second quantity is the first times the number of doses a day."""
    if times is None or second.per is not PerWhat.DAY or first.per is PerWhat.DAY or first.basis is not second.basis:
        return False
    low, high = converted(first.low, first.unit, second.unit), converted(first.high, first.unit, second.unit)
    return low is not None and high is not None and low * times == second.low and high * times == second.high
