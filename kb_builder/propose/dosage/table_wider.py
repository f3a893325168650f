"""Which conditions of a caption or heading the rows of a table say more closely, and conditions that no patient meets together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.table_words import table_words
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Opaque, leaves

Leaf = Interval | Category | Exposure | HasCondition | Opaque

LEVELS: dict[str, tuple[str, ...]] = {
    "mild": ("mild",),
    "moderate": ("moderate",),
    "severe": ("severe",),
    "mild or moderate": ("mild", "moderate"),
    "mild to moderate": ("mild", "moderate"),
    "moderate or severe": ("moderate", "severe"),
    "moderate to severe": ("moderate", "severe"),
}
_DAYS = {"a": Decimal("365.25"), "mo": Decimal("30.44"), "wk": Decimal(7), "d": Decimal(1)}
_APART = Decimal("1.02")  # a year is no whole count of months or weeks
RENAL = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.RENAL, Axis.DIALYSIS})
HEPATIC = frozenset({Axis.HEPATIC, Axis.CHILD_PUGH})


_ORGAN_STATE = re.compile(r"\b(?:renal|kidney|hepatic|liver|esrd|dialysis)\b", re.IGNORECASE)
_STRENGTHS = re.compile(r"(?:(?:strong|moderate|weak|dual|combined|known|or|and|to)(?:\s+|$))+", re.IGNORECASE)
_ENZYMES = re.compile(r"^[\w ,/-]*\b(?:inhibitors?|inducers?)$|^[\w ,/-]*\b(?:inhibitors?|inducers?) of (?:cyp\w+|p-gp|,|and|or|\s)+$", re.IGNORECASE)
_RUNG = re.compile(r"\b(?:first|second|third|fourth|fifth|[1-5] ?(?:st|nd|rd|th))[- ]*(?:dos(?:e|age) )?(?:level )?reduction", re.IGNORECASE)
_GENE = re.compile(r"(?P<gene>CYP\w+|VKORC1|UGT1A1|TPMT|NUDT15|DPYD)(?: (?:metaboli[sz]er )?(?:status|phenotypes?|genotypes?|types?))?", re.IGNORECASE)
_ORGAN_ALONE = re.compile(
    r"(?:(?:in|for|with|adult|pediatric|patients|dosage|adjustments?)\s+)*(?P<organ>renal|kidney|hepatic|liver) (?:impairment|insufficiency|disease|function)",
    re.IGNORECASE,
)


def without_wider(inner: Sequence[Restriction], outer: Sequence[Restriction]) -> list[Restriction]:
    """The outer conditions but those on kidney, liver, genes or enzymes where the inner ones say which: a band of clearance says what "renal
    impairment" means, and a band of age which of "adults and children" are meant.
    """
    told = axes_of(inner) & (RENAL | HEPATIC)
    held = [leaf for r in inner for leaf in leaves(r.guard)]
    roles = any(_is_role(leaf) for leaf in held)
    metabolism = roles or any(isinstance(leaf, Exposure) or _is_genotype(leaf) for leaf in held)
    genes = [leaf for leaf in held if isinstance(leaf, Category) and leaf.axis is Axis.GENOTYPE]
    rungs = any(_is_rung(leaf) for leaf in held)
    outer = [r for r in outer if not (metabolism and _lists_enzymes(r)) and not (rungs and all(_is_rung(leaf) for leaf in leaves(r.guard)))]
    kept = [
        r
        for r in (_without_enzymes(outer) if roles else outer)
        if not (told and _is_organ(r, told)) and not (genes and _is_of_genes(r, genes)) and not any(_implies(i, r) for i in inner)
    ]
    kept = [r for r in kept if not (isinstance(r.guard, AnyOf) and any(_is_organ(replace(r, guard=p), told) for p in r.guard.parts if isinstance(p, Category)))]
    return [left for r in _without_halves(kept, inner) if (left := _left_of(r, inner)) is not None]


def _without_enzymes(found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions without what they say of inhibitors and inducers of enzymes."""
    return [r if left == r.guard else replace(r, guard=left) for r in found if (left := _but_enzymes(r.guard)) is not None]


def _but_enzymes(guard: Guard) -> Guard | None:
    if not isinstance(guard, AllOf | AnyOf):
        return None if any(_is_role(leaf) or _is_enzyme_word(leaf) for leaf in leaves(guard)) else guard
    parts = tuple(left for p in guard.parts if (left := _but_enzymes(p)) is not None)
    if parts == guard.parts:
        return guard
    return None if not parts else parts[0] if len(parts) == 1 else replace(guard, parts=parts)


def _without_halves(outer: Sequence[Restriction], inner: Sequence[Restriction]) -> list[Restriction]:
    """The outer conditions without bands that no patient meets together ("adult and pediatric patients") where the inner ones give a band on that axis."""
    told = {r.guard.axis for r in inner if isinstance(r.guard, Interval)}
    return [r for r in outer if not (isinstance(r.guard, Interval) and r.guard.axis in told and any(contradicts([r, o]) for o in outer))]


def _left_of(outer: Restriction, inner: Sequence[Restriction]) -> Restriction | None:
    """An outer list of alternatives without those that the bands within rule out; None where a band within is one of the alternatives."""
    bands = [r for r in inner if isinstance(r.guard, Interval)]
    if not isinstance(outer.guard, AnyOf) or not bands:
        return outer
    parts = [p for p in outer.guard.parts if not any(contradicts([b, *(replace(outer, guard=leaf) for leaf in leaves(p))]) for b in bands)]
    if any(_implies(b, replace(outer, guard=p)) for b in bands for p in parts):
        return None
    if not parts or len(parts) == len(outer.guard.parts):
        return outer
    return replace(outer, guard=parts[0] if len(parts) == 1 else replace(outer.guard, parts=tuple(parts)))


def _implies(inner: Restriction, outer: Restriction) -> bool:
    """True where whoever meets the inner condition meets the outer one: a band within a band, or a list of people that says the same people again."""
    narrow, wide = inner.guard, outer.guard
    if isinstance(narrow, Interval) and isinstance(wide, Interval):
        return _within(narrow, wide)
    if not (isinstance(narrow, AnyOf) and isinstance(wide, AnyOf)):
        return False
    known = [leaf for leaf in leaves(wide) if not isinstance(leaf, Opaque)]
    return bool(known) and set(known) <= set(leaves(narrow))


def _within(narrow: Interval, wide: Interval) -> bool:
    if (narrow.axis, narrow.unit, narrow.detail) != (wide.axis, wide.unit, wide.detail):
        return False
    above = (
        wide.low is None
        or (wide.low == 0 and not wide.low_open and narrow.low is None)
        or (narrow.low is not None and (narrow.low > wide.low or (narrow.low == wide.low and (narrow.low_open or not wide.low_open))))
    )
    below = wide.high is None or (
        narrow.high is not None and (narrow.high < wide.high or (narrow.high == wide.high and (narrow.high_open or not wide.high_open)))
    )
    return above and below


def _is_genotype(leaf: Leaf) -> bool:
    return isinstance(leaf, Category) and leaf.axis is Axis.GENOTYPE


def _is_of_genes(restriction: Restriction, genes: Sequence[Category]) -> bool:
    """True for a condition on the genotypes told alone; a gene's name that a list left over is one."""
    known = {v.lower() for g in genes for v in g.values} | {(g.detail or "").lower() for g in genes}
    for leaf in leaves(restriction.guard):
        if isinstance(leaf, Opaque) and (named := _GENE.fullmatch(leaf.text.strip())) is not None and named["gene"].lower() in known:
            continue
        if not isinstance(leaf, Category) or leaf.axis is not Axis.GENOTYPE or not {v.lower() for v in leaf.values} <= known:
            return False
        if leaf.detail is not None and leaf.detail.lower() not in known:
            return False
    return True


def _is_rung(leaf: Leaf) -> bool:
    """True for the words of one rung of a ladder of reductions."""
    return isinstance(leaf, Opaque) and _RUNG.search(leaf.text) is not None


def _is_role(leaf: Leaf) -> bool:
    return isinstance(leaf, Exposure) and leaf.target.type == EntityType.ENZYME_ROLE


def _is_enzyme_word(leaf: Leaf) -> bool:
    return isinstance(leaf, Opaque) and (_STRENGTHS.fullmatch(leaf.text) is not None or _ENZYMES.search(leaf.text) is not None)


def _lists_enzymes(restriction: Restriction) -> bool:
    """True for a list of enzymes, their inhibitors and inducers, and genotypes: the rows below it say which."""
    held = leaves(restriction.guard)
    return (
        len(held) > 1
        and all(_is_genotype(leaf) or isinstance(leaf, Exposure) or _is_enzyme_word(leaf) for leaf in held)
        and any(_is_genotype(leaf) or _is_role(leaf) for leaf in held)
    )


def _is_organ(restriction: Restriction, told: set[Axis]) -> bool:
    """True for a condition on organs alone, one of which is told, and for a bare degree that a list of them left over."""
    if isinstance(restriction.guard, Opaque):
        if told & RENAL and table_words().known_measure.search(restriction.guard.text):
            return True
        organ = _ORGAN_ALONE.fullmatch(restriction.guard.text)
        return restriction.guard.text.lower() in LEVELS or (
            organ is not None and bool(told & (RENAL if organ["organ"].lower() in ("renal", "kidney") else HEPATIC))
        )
    axes = axes_of([restriction])
    same = (axes & RENAL and told & RENAL) or (axes & HEPATIC and told & HEPATIC)
    every = all(isinstance(leaf, Category) or (isinstance(leaf, HasCondition) and _ORGAN_STATE.search(leaf.words)) for leaf in leaves(restriction.guard))
    return bool(same) and every and axes <= RENAL | HEPATIC


def contradicts(found: Sequence[Restriction]) -> bool:
    """True where two bands on one axis share no value: the words of several rows stand in one."""
    bands = [r.guard for r in found if isinstance(r.guard, Interval)]
    return any(_above(a, b) for a in bands for b in bands if a is not b and a.axis is b.axis)


def is_widened(outer: Restriction, nearer: Sequence[Restriction]) -> bool:
    """True where a nearer list of people has those of the outer condition as one of its alternatives ("adults, and children of 40 kg and more")."""
    band = outer.guard
    if not isinstance(band, Interval) or band.axis is not Axis.AGE:
        return False
    lists = [r.guard.parts for r in nearer if isinstance(r.guard, AnyOf) and all(Axis.AGE in axes_of([replace(r, guard=p)]) for p in r.guard.parts)]
    return any(isinstance(p, Interval) and replace(p, term=None) == replace(band, term=None) for parts in lists for p in parts)


def people_together(found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions with two bands of age that no patient meets together ("adults and pediatric patients 2 years and older") as the one band that
    both make up, or as alternatives; none of them where they make up everybody.
    """
    ages = [(r, ends) for r in found if (ends := _ends(r.guard)) is not None]
    if len(ages) != 2 or not contradicts([replace(r, guard=leaf) for r, ends in ages for leaf in ends if leaf is not None]):
        return list(found)
    (one, a), (other, b) = ages
    (young, (low, end)), (old, (begin, high)) = ((one, a), (other, b)) if _begins(a) <= _begins(b) else ((other, b), (one, a))
    start, stop = min(one.start, other.start), max(one.end, other.end)
    rest = [r for r in found if r is not one and r is not other]
    if end is None or begin is None or (end.unit, end.high, not end.high_open) != (begin.unit, begin.low, begin.low_open):
        return [*rest, Restriction(AnyOf((young.guard, old.guard)), start, stop)]
    bounds = [b for b in (low, high) if b is not None and b not in (end, begin)]
    if low is end and end.low is not None and (high is None or high.unit == end.unit):
        bounds = []
        bounds.append(replace(end, high=None if high is None else high.high, high_open=high is not None and high.high_open, term=None))
    elif high is begin and begin.high is not None:
        bounds.append(replace(begin, low=None, low_open=False, term=None))
    return [*rest, *(Restriction(b, start, stop) for b in bounds)]


def _ends(guard: Guard) -> tuple[Interval | None, Interval | None] | None:
    """The bands of age that give the lower and the upper end of people's ages; None for any other condition."""
    parts = guard.parts if isinstance(guard, AllOf) else (guard,)
    bands = [p for p in parts if isinstance(p, Interval) and p.axis is Axis.AGE]
    if len(bands) != len(parts):
        return None
    return next((b for b in bands if b.low is not None), None), next((b for b in bands if b.high is not None), None)


def _begins(ends: tuple[Interval | None, Interval | None]) -> Decimal:
    low = ends[0]
    return Decimal(0) if low is None or low.low is None else low.low * _DAYS.get(low.unit, Decimal(1))


def _above(one: Interval, other: Interval) -> bool:
    """True where one band begins where or after the other ends; bands of age in different units need to lie well apart."""
    if one.low is None or other.high is None:
        return False
    if one.unit == other.unit:
        return one.low > other.high or (one.low == other.high and (one.low_open or other.high_open))
    scales = _DAYS.get(one.unit), _DAYS.get(other.unit)
    return one.axis is Axis.AGE and scales[0] is not None and scales[1] is not None and one.low * scales[0] > other.high * scales[1] * _APART


def consistent(found: Sequence[Restriction]) -> list[Restriction] | None:
    """The conditions, lists of alternatives without those that a band beside them rules out; None where no patient can meet them all."""
    bands = [r for r in found if isinstance(r.guard, Interval)]
    lists = [leaf for r in found if isinstance(r.guard, AllOf) for leaf in _together(r.guard) if isinstance(leaf, Interval)]
    if contradicts([*bands, *(Restriction(leaf, 0, 1) for leaf in lists)]):
        return None
    out: list[Restriction] = []
    for r in found:
        if not isinstance(r.guard, AnyOf):
            if not _is_told_closer(r, bands, lists):
                out.append(r)
            continue
        parts = [p for p in r.guard.parts if not contradicts([*bands, *(replace(r, guard=leaf) for leaf in _together(p))])]
        if not parts:
            return None
        out.append(r if len(parts) == len(r.guard.parts) else replace(r, guard=parts[0] if len(parts) == 1 else replace(r.guard, parts=tuple(parts))))
    return out


def _is_told_closer(band: Restriction, bands: Sequence[Restriction], lists: Sequence[Interval]) -> bool:
    """True for a band that another one lies within; of two that are alike, the second is told."""
    if not isinstance(band.guard, Interval):
        return False
    for other in bands:
        if other is band:
            return any(_within(leaf, band.guard) for leaf in lists) or any(_is_narrower(o, band) for o in bands if o is not band)
        if isinstance(other.guard, Interval) and _within(other.guard, band.guard):
            return True
    return False


def _is_narrower(one: Restriction, other: Restriction) -> bool:
    inner, outer = one.guard, other.guard
    return isinstance(inner, Interval) and isinstance(outer, Interval) and _within(inner, outer) and not _within(outer, inner)


def _together(guard: Guard) -> Sequence[Leaf]:
    """The leaves that must hold together in an alternative; none of a list within it."""
    if isinstance(guard, AllOf):
        return [leaf for p in guard.parts for leaf in _together(p)]
    return [] if isinstance(guard, AnyOf) else leaves(guard)


def axes_of(found: Sequence[Restriction]) -> set[Axis]:
    """The axes that some conditions are on."""
    return {leaf.axis for r in found for leaf in leaves(r.guard) if isinstance(leaf, Interval | Category)}


def one_scale(found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions without a serum creatinine or a degree of renal impairment where the row gives the clearance too: all say one thing."""
    axes = {r.guard.axis for r in found if isinstance(r.guard, Interval)}
    if not axes & {Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR}:
        return list(found)
    return [r for r in found if not (isinstance(r.guard, Interval | Category) and r.guard.axis in (Axis.SCR, Axis.RENAL))]
