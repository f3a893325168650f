"""Numbers with the unit of a dose, and what they are: a dose, a rate, a concentration, the strength of a product, or none of these."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from ontology.model.dosing import AmountBasis, PerWhat
from ontology.text.dosing.numbers import COUNT, DIGITS, WORD, number_of
from ontology.text.dosing.pieces import overlaps
from ontology.text.dosing.words import FORM_WORDS, FORMS_MANY, FORMS_ONE, SCALES, UNITS, alternatives, squeezed


class Role(StrEnum):
    """What a quantity is."""

    DOSE = "dose"
    RATE = "rate"
    CONCENTRATION = "concentration"
    STRENGTH = "strength"


@dataclass(frozen=True, slots=True)
class Quantified:
    """A printed quantity at `[start, end)`: `low` and `high` differ in a range, `choices` holds alternatives. `over` is what the unit is divided by, in codes."""

    start: int
    end: int
    low: Decimal
    high: Decimal
    unit: str
    basis: AmountBasis = AmountBasis.FLAT
    per: PerWhat | None = None
    choices: tuple[Decimal, ...] = ()
    role: Role = Role.DOSE
    weight: str | None = None
    over: tuple[str, ...] = ()
    formula: str | None = None
    product: bool = False  # a strength before one dose form without a count ("a 20 mg tablet"): a dose only where it is timed


_KG = r"(?:kilograms?|kilo|kg)(?:\s*\(?(?:of\s+)?(?:(?P<weight{n}>actual|ideal|lean|adjusted|total|current|dry|baseline)\s+)?(?:body[\s-]*)?(?:weight|mass)\)?|\s*(?:of\s+)?(?:BW|IBW|LBM|ABW)\b)?"
_M2 = r"(?:m2|m\^2|sq\.?\s?m|square\s+met(?:er|re)s?)(?:\s*(?:of\s+)?(?:body[\s-]surface[\s-]area|BSA)\b)?"
_OVER = (
    rf"(?P<kg{{n}}>{_KG})|(?P<m2{{n}}>{_M2})|(?P<volume{{n}}>(?:{DIGITS}\s*)?(?:mL|milliliters?|millilitres?|cc|dL|deciliters?|L|lit(?:er|re)s?)\b(?!\s*/))"
    r"|(?P<minute{n}>min(?:utes?)?\b)|(?P<hour{n}>(?:hours?|hrs?|h)\b)|(?P<day{n}>(?:days?|d)\b|(?:24|twenty-four)[\s-]*(?:hours?|hrs?|h)\b(?:[\s-]+period)?)|(?P<week{n}>(?:weeks?|wk)\b)"
    r"|(?P<dose{n}>(?:doses?|injections?|infusions?|administrations?)\b)|(?P<course{n}>(?:courses?|cycles?|months?|years?|lifetime)\b)"
    r"|(?P<item{n}>(?:tablets?|capsules?|vials?|ampules?|bottles?|bags?|sprays?|puffs?|actuations?|inhalations?|patch(?:es)?|packets?|drops?|teaspoon(?:ful)?s?|lb|pound|g|mg|mmol|mole?|kcal)\b)"
)
_BY = r"(?:\s*/\s*|\s+(?:per|a|each|(?:with)?in(?:\s+(?:a|any|one|each))?(?=[\s-]+(?:24|twenty-four)))\s+|\s*-?per\s+|\s+(?:for\s+)?(?:each|every)\s+(?=kg|kilogram))"
_DENOMINATOR = re.compile(_BY + "(?:" + _OVER.replace("{n}", "") + ")", re.IGNORECASE)
_DAY_LATER = re.compile(r"\s+of\s+(?:[A-Za-z][\w-]*\s+){1,4}?(?:per|a)\s+day\b", re.IGNORECASE)
_DAY_BEHIND_ASIDE = re.compile(r"\s*\((?:or|i\.e\.,?|about|approximately|equivalent\s+to)\s[^()]{2,60}\)\s*(?:per|a|/)\s*day\b", re.IGNORECASE)
"""The day behind a bracket that gives the amount once more by another measure ("40 mg/kg (or 1.2 g/m2) per day")."""
_UNIT = alternatives(UNITS)
_SEPARATOR = r"(?:\s*-\s*|\s+to\s+|\s*-to-\s*|\s*~\s*)"
_HEAD = rf"(?<![\w.,$#/])(?=[\d.bhotfsen])(?:(?P<between>between\s+)?(?P<low>{COUNT})(?P<sep>{_SEPARATOR}|\s+and\s+(?!one-half|one half|a half)(?={COUNT}\s*\S)))?(?P<list>(?:{DIGITS}\s*,\s*){{0,5}}(?:{DIGITS}|{WORD}),?\s+or\s+)?(?P<high>{COUNT})"
_QUANTITY = re.compile(
    rf"{_HEAD}(?:\s*-?\s*|\s+(?P<scale>{alternatives(SCALES)})\s+)(?:(?:additional|full|whole|metered|oral)\s+)?(?P<unit>{_UNIT})(?:\s+PE\b)?(?![\w%]|-(?:fold|100\b)|\s*%|\s*x\s*\d)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"(?<![\w.,$])(?P<a>{DIGITS})\s*(?:mg\s*)?/\s*(?P<b>{DIGITS})(?:\s*(?:mg\s*)?/\s*{DIGITS})?\s*-?\s*(?P<unit>mg|mcg)\b(?!\s*/)", re.IGNORECASE
)
_AUC = re.compile(
    rf"\bAUC\s*(?:of|=)?\s*(?P<low>{DIGITS})(?:\s*(?:-|to)\s*(?P<high>{DIGITS}))?(?:\s*mg/mL\s*[.·•*]?\s*min(?:ute)?s?\b)?(?!\s*(?:%|fold|-fold|[µμ]g|mcg|ng|mg|h\b))",
    re.IGNORECASE,
)
_FORM = re.compile(
    rf"\s*[-,]?\s*(?:{alternatives(FORM_WORDS)}[\s,-]+){{0,4}}(?:(?P<many>{alternatives(FORMS_MANY)})|(?P<one>{alternatives(FORMS_ONE)}))\b", re.IGNORECASE
)
_COUNT_BEFORE = re.compile(
    rf"(?:(?<![\w.-])(?:(?P<low>{WORD})\s+(?P<join>to|or)\s+)?(?P<word>{WORD})(?:\s*\(\s*\d{{1,2}}\s*\))?[\s-]+|(?:\bx\s*|[(]|\b(?:take|give|administer|as|is|use|swallow|of|to|or|with)\s+)(?P<digit>\d{{1,2}})\s+|(?P<times>\b\d{{1,2}})\s*x\s*)(?:of\s+(?:the\s+)?)?$",
    re.IGNORECASE,
)
_OF_A_DAY = re.compile(r"\s+(?:daily|a\s+day|per\s+day|each\s+day)\b", re.IGNORECASE)
_MANY = 4
"""So many pieces "daily" are a day's amount: nobody takes them at once."""
_DAYS_BEFORE = re.compile(r"\b(?:days?|weeks?|months?|cycles?|grades?)\s+(?:\d{1,2}\s*(?:-|to|through|and|,)\s*)+$", re.IGNORECASE)
_MASSES = frozenset({"mg", "ug", "ng", "g", "[USP'U]", "meq", "mmol", "GBq", "MBq", "mCi"})
_MASS_OR_VOLUME = _MASSES | {"mL"}
_COUNTED_FORMS = frozenset(set(UNITS.values()) - _MASS_OR_VOLUME)
_FACTORS = {("g", "mg"): Decimal(1000), ("mg", "ug"): Decimal(1000), ("g", "ug"): Decimal(1000000), ("ug", "ng"): Decimal(1000), ("GBq", "MBq"): Decimal(1000)}


def converted(value: Decimal, unit: str, wanted: str) -> Decimal | None:
    """The value in another unit of mass; None where the two units do not convert."""
    if unit == wanted:
        return value
    if (unit, wanted) in _FACTORS:
        return value * _FACTORS[unit, wanted]
    return value / _FACTORS[wanted, unit] if (wanted, unit) in _FACTORS else None


def is_mass(unit: str) -> bool:
    """True for units of mass, activity, equivalents and substance."""
    return unit in _MASSES


def is_counted(unit: str) -> bool:
    """True for units that count dose forms."""
    return unit in _COUNTED_FORMS


def find_quantities(text: str, start: int, end: int) -> list[Quantified]:
    """The quantities in `[start, end)` in order, none overlapping another."""
    found: list[Quantified] = []
    slashed = text.find("/", start, end) >= 0
    pairs = [m for m in (_PAIR.finditer(text, start, end) if slashed else ()) if not ("/" in m[0] and re.fullmatch(r"1/[2348]", f"{m['a']}/{m['b']}"))]
    for m in pairs:
        role = Role.STRENGTH if _strength_behind(text, m.end(), end) == "many" else Role.DOSE
        found.append(
            Quantified(m.start(), m.end(), Decimal(0), Decimal(0), UNITS[squeezed(m["unit"])], AmountBasis.FORMULA, role=role, formula=" ".join(m[0].split()))
        )
    for m in _AUC.finditer(text, start, end):
        low, high = number_of(m["low"]), number_of(m["high"] or m["low"])
        if low is not None and high is not None and 0 < low <= high:
            found.append(Quantified(m.start(), m.end(), low, high, "mg/mL.min", AmountBasis.AUC))
    taken = sorted((q.start, q.end) for q in found)
    for m in _QUANTITY.finditer(text, start, end):
        if overlaps(taken, m.start(), m.end()):
            continue
        read = _read(text, m, end)
        if read is not None:
            found.append(read)
    return sorted(found, key=lambda q: q.start)


def _read(text: str, m: re.Match[str], end: int) -> Quantified | None:
    printed = m["unit"]
    if printed == "G" or (printed == "u" and m.string[m.start("unit") - 1].isspace()):
        return None
    unit = UNITS.get(squeezed(printed.replace("-", " ")))
    high, low = number_of(m["high"]), number_of(m["low"]) if m["low"] else None
    if unit is None or high is None or (m["low"] and low is None):
        return None
    begin = m.start()
    if m["sep"] is not None and m["sep"].strip().lower() == "and" and not m["between"]:
        low, begin = None, m.start("list") if m["list"] else m.start("high")
    if low is not None and (low > high or _DAYS_BEFORE.search(text, max(0, m.start() - 16), m.start())):
        low, begin = None, m.start("high")
    scale = SCALES[m["scale"].lower()] if m["scale"] else Decimal(1)
    choices = tuple(n for n in map(number_of, re.findall(rf"{DIGITS}|{WORD}", m["list"] or "", re.IGNORECASE)) if n is not None)
    choices = (*(c * scale for c in choices), high * scale) if choices and low is None else ()
    if choices and list(choices) != sorted(set(choices)):
        choices, begin = (), m.start("high")
    whole = Quantified(begin, m.end(), (low if low is not None else high) * scale, high * scale, unit, choices=choices)
    if choices:
        whole = replace(whole, low=choices[0], high=choices[-1])
    return _with_form(text, _with_denominators(text, whole, end), end)


def _with_denominators(text: str, whole: Quantified, end: int) -> Quantified:
    """The quantity with what its unit is divided by."""
    at, basis, per, weight, over, role = whole.end, whole.basis, whole.per, whole.weight, list(whole.over), whole.role
    while (m := _DENOMINATOR.match(text, at, end)) is not None:
        kind = m.lastgroup if m.lastgroup != "weight" else "kg"
        if kind is None or (kind in over and kind != "volume"):
            break
        over.append(kind)
        at = m.end()
        if kind == "kg":
            basis, weight = AmountBasis.PER_KG, m["weight"].lower() if m["weight"] else None
        elif kind == "m2":
            basis = AmountBasis.PER_M2
        elif kind in ("volume", "item"):
            role = Role.CONCENTRATION if kind == "volume" else Role.STRENGTH
        elif kind in ("minute", "hour"):
            role = Role.RATE
        else:
            per = {"day": PerWhat.DAY, "week": PerWhat.WEEK, "dose": PerWhat.DOSE, "course": PerWhat.COURSE}[kind]
    later = _DAY_LATER.match(text, at, end) if per is None and role is Role.DOSE else None
    if later is not None:
        at, per = later.end(), PerWhat.DAY
    elif per is None and role is Role.DOSE and _DAY_BEHIND_ASIDE.match(text, at, end) is not None:
        per = PerWhat.DAY
    return replace(whole, end=at, basis=basis, per=per, weight=weight, over=tuple(over), role=role)


def _strength_behind(text: str, at: int, end: int) -> str | None:
    m = _FORM.match(text, at, end)
    return None if m is None else "many" if m["many"] else "one"


def _with_form(text: str, whole: Quantified, end: int) -> Quantified:
    """The quantity as the strength of a product where a dose form follows ("10 mg tablets"); counted forms are their mass ("two 10 mg tablets")."""
    bottled = whole.role is Role.CONCENTRATION and whole.over == ("volume",) and whole.end - whole.start < 18
    if (whole.role is not Role.DOSE and not bottled) or not is_mass(whole.unit) or whole.basis is not AmountBasis.FLAT or whole.per is not None:
        return whole
    form = _FORM.match(text, whole.end, end)
    if form is None:
        return whole
    count = _COUNT_BEFORE.search(text, max(0, whole.start - 40), whole.start)
    number = number_of(count["word"] or count["digit"] or count["times"]) if count is not None else None
    if bottled:
        return replace(whole, start=count.start("word"), role=Role.DOSE) if count is not None and count["word"] and number == 1 and form["one"] else whole
    if count is None or number is None:
        return replace(whole, role=Role.STRENGTH) if form["many"] else replace(whole, product=True)
    unit = UNITS.get(squeezed(form["many"] or form["one"]))
    if number == 1:
        return replace(whole, start=count.start("word") if count["word"] else whole.start)
    if unit is None:
        return replace(whole, role=Role.STRENGTH)
    low = number_of(count["low"]) if count["low"] else number
    begin = next(count.start(g) for g in ("low", "word", "digit", "times") if count[g])
    if whole.low == whole.high and low is not None:
        low, number = min(low, number) * whole.high, number * whole.high
        choices = (low, number) if low < number and count["join"].lower() == "or" else ()
        daily = _OF_A_DAY.match(text, form.end(), end) if number >= _MANY * whole.high else None
        if daily is not None:
            return Quantified(begin, daily.end(), low, number, whole.unit, per=PerWhat.DAY, over=("day",), choices=choices)
        return Quantified(begin, form.end(), low, number, whole.unit, choices=choices)
    if low is None or low >= number:
        return Quantified(begin, form.end(), number, number, unit)
    return Quantified(begin, form.end(), low, number, unit, choices=(low, number) if count["join"].lower() == "or" else ())
