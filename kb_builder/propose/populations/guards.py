"""The guard of advice for a population: the conditions of its clause, without what the population already says.

Bands that one sentence lists ("moderate (30 to 50 mL/min) and severe (below 30 mL/min)") are alternatives. What belongs to another population of
the same list is left to that population's claim. Words that no axis holds stay, unless they are those of the advice itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from kb_builder.propose.conditions.axes import OWN_AXES
from kb_builder.propose.conditions.leaves import find_leaves
from kb_builder.propose.conditions.pregnancy_weeks import weeks_of_pregnancy
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.bands import apart, by_degree, nearest_age
from kb_builder.propose.populations.lists import beside_no_state, in_following, in_its_member, is_compared, is_of_organ, is_weak, says_more
from kb_builder.propose.populations.scraps import is_of_birth, is_scrap, restricts
from kb_builder.propose.populations.times import around_birth, sexes, use_named, uses_of_children, without_contraception, young_children
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.facts import Axis, Whose
from ontology.model.guards import SCALES, AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque, both, leaves

_AGED = frozenset({"geriatric", "pediatric"})
"""Populations beside whom labels list the weak."""

_MOTHERS = frozenset({"pregnancy", "lactation", "reproductive"})
ORGANS = frozenset({"renal", "hepatic"})
"""Populations that are states of an organ."""

_CLEARED = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR})
_ADULT = Decimal(18)
_YEARS = "a"
_PRODUCT = re.compile(
    r"(?:rectal |topical |oral |ophthalmic )?(?:gel|cream|ointment|lotion|tablets?|capsules?|solution|suspension)(?:-treated)?", re.IGNORECASE
)
_DEGREE = re.compile(r"mild|moderate|severe", re.IGNORECASE)
_YOUNG_MOTHERS = re.compile(r"\b(?:pregnant|nursing|lactating)\s+(?:\w+\s+)?(?:adolescents?|girls?|teen)", re.IGNORECASE)
_CHILDBEARING = re.compile(r"^labou?r$|pregnan|contracepti|lactat|breast-?\s?feed|birth defect|fertil|congenital|miscarriage|fetal|conceiv", re.IGNORECASE)
_PEOPLE_BEFORE = re.compile(
    r"(?:,|;|\b(?:and/or|or|and|as well as))\s+(?:(?:and|or|in|for|to|with|those|the|patients|individuals|who|have|are|adults?)\s+)*$", re.IGNORECASE
)
_NEXT_PEOPLE = re.compile(
    r"(?:\s+(?:patients?|of age|and older))*\s*(?:,(?:\s*[^,.;]{0,40},)?|,?\s+(?:and/or|or|and))\s+(?:(?:and|or|in|for|those|the)\s+)*(?:patients|individuals|persons|those|who|with|(?:young |older |premature )?(?:neonates|newborns|infants|children|adolescents)|elderly|geriatric|p(?:a)?ediatric|(?:pregnant|nursing|lactating) (?:women|mothers))\b",
    re.IGNORECASE,
)
_NO_METABOLISER = re.compile(r"\b(?:mitochondrial (?:DNA variants?|diseases?|disorders?)|urea cycle disorders?)\b", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:with|taking|receiving|combin\w+|concomitant\w*|concurrent\w*)\b", re.IGNORECASE)
_BORNE = re.compile(r"\b(?:patients?|individuals|persons|those|women|men|children|infants)\s+(?:with|who (?:have|had|are))\s+(?P<state>.+)$", re.IGNORECASE)
_DISEASED = re.compile(
    r"\b(?:women|patients|mothers|females)\s+(?:(?:with|who have|(?:being )?treated for)|[^,.;]{0,60}\bfor (?:the )?treatment of)\s+(?:an?\s+|the\s+)?$",
    re.IGNORECASE,
)
_DONE = re.compile(r"(?:received|taken|been|had|used|undergone)\b", re.IGNORECASE)
_SPARED = re.compile(r"\b(?:unless|except(?: for| in| when)?)\s.+$", re.IGNORECASE)
"""The exception at the end of a clause that is no condition itself ("when pregnancy is recognized unless ...")."""

_BRACKET = re.compile(r"^\s*\([^()]*\)")
_THAN = re.compile(r"\b(?:than|compared|versus|relative|unlike)\b", re.IGNORECASE)
_IMPAIRED = re.compile(r"impair|insuffic|failure|dysfunction|disease|reduc|decreas|compromis|diminish|poor|abnormal|declin|deteriorat", re.IGNORECASE)
_DEGREES = re.compile(r"\bmild,\s*moderate,?\s*(?:or|and|and/or)\s*severe\b", re.IGNORECASE)
_ANY_DEGREE = re.compile(r"\b(?:any|all|every|varying|various) degrees?\b", re.IGNORECASE)
"""Degrees one by one: what is said of them is not said of end-stage disease, of which labels often say another thing."""

_NEAR = 60  # how far behind or before a condition the words stand that join it to others


def guard_for(
    axis: str,
    text: str,
    clause: tuple[int, int],
    found: Sequence[Restriction],
    things: Sequence[Thing],
    lexicon: Lexicon | None = None,
    *,
    listed: bool = False,
) -> list[Restriction]:
    """The restrictions of a claim about the population, all of which must hold. `found` are those of its clause, `things` what it names.

    `listed`: the clause is a list of states, in which only the population's own member restricts.
    """
    own: list[Restriction] = []
    other: list[Restriction] = []
    every = [r for r in found if says_more(r, found, text, things) and not _is_measure(r, axis, text)]
    every = in_following(text, clause, [r for r in every if not is_compared(r, every, text, OWN_AXES[axis])], OWN_AXES[axis])
    if not any(_axes(r.guard) & OWN_AXES[axis] for r in every) and axis in ORGANS | {"genotype"}:
        every += [r for r in find_leaves(text, *clause, things) if _axes(r.guard) and _axes(r.guard) <= OWN_AXES[axis]]
    for one in every:
        kept = _projected(one.guard, axis, text[one.start : one.end])
        if kept is None and _names_partner(one, things):
            kept = Opaque(" ".join(text[one.start : one.end].split()))
        if (
            kept is None
            and isinstance(one.guard, Opaque)
            and axis in _MOTHERS
            and not (_CHILDBEARING.search(one.guard.text) or _DONE.match(one.guard.text))
            and _DISEASED.search(text, max(0, one.start - 2 * _NEAR), one.start)
        ):
            kept = one.guard
        if kept is None and isinstance(one.guard, Opaque) and (spared := _SPARED.search(one.guard.text)) is not None:
            kept = Opaque(spared[0])
        if kept is None and isinstance(one.guard, Opaque) and (tail := _BORNE.search(one.guard.text)) is not None:
            kept = None if _implied(Opaque(tail["state"]), axis, tail["state"]) else Opaque(tail["state"])
        if kept is None or (isinstance(kept, Opaque) and _names_product(one, things)):
            continue
        restriction = Restriction(kept, one.start, one.end, one.entities)
        if is_own(restriction, axis):
            own.append(restriction)
        elif not _of_another(restriction, axis, text) and not (axis in _AGED and is_weak(restriction, text)):
            other.append(restriction)
    if axis in ORGANS and not own and _DEGREES.search(text, *clause) is not None and _ANY_DEGREE.search(text, *clause) is None:
        own = [r for r in every if isinstance(r.guard, Category) and r.guard.axis in OWN_AXES[axis]]
    if axis in ORGANS and any(isinstance(leaf, Interval) for r in own for leaf in leaves(r.guard)):
        other = [r for r in other if not (isinstance(r.guard, Opaque) and _DEGREE.fullmatch(r.guard.text))]
    if listed:
        other = in_its_member(axis, text, clause, own, other)
    elif axis in ORGANS:
        other = beside_no_state(axis, text, clause, own, other)
    if axis == "pediatric" and any(isinstance(r.guard, Opaque) and is_of_birth(r.guard.text) for r in other):
        own = [replace(r, guard=_from_birth(r.guard)) for r in own]
    if axis == "pediatric" and own:
        own += young_children(text, clause, own)
    if axis == "genotype":
        other = [r for r in other if not _names_gene(r, own)]
    if axis == "genotype" and not own and (m := _NO_METABOLISER.search(text, *clause)) is not None:
        own.append(Restriction(Category(Axis.GENOTYPE, (" ".join(m[0].split()),)), m.start(), m.end()))
    use = use_named(text, clause) if axis in _MOTHERS or axis in ORGANS else None
    if use is not None:
        other = [use, *(r for r in other if r.end <= use.start or use.end <= r.start)]
    if axis == "reproductive":
        return [*sexes(text, clause), *without_contraception(text, clause), *other]
    if axis == "pregnancy" and (birth := weeks_of_pregnancy(text, *clause) or around_birth(text, clause)) is not None:
        return [birth, *(r for r in other if r.end <= birth.start or birth.end <= r.start)]
    return [*_bands(nearest_age(text, own)), *other, *(uses_of_children(text, clause, [*own, *other], things, lexicon) if axis == "pediatric" else ())]


def _names_product(one: Restriction, things: Sequence[Thing]) -> bool:
    """True for words within the product's own name, or the one word that goes on with it ("ZOCOR tablets-treated", "ZOCOR Cream")."""
    one_word = isinstance(one.guard, Opaque) and _PRODUCT.fullmatch(one.guard.text) is not None
    return any(t.own and ((t.start <= one.start and one.end <= t.end) or (one_word and 0 <= one.start - t.end <= 1)) for t in things)


def _names_gene(one: Restriction, own: Sequence[Restriction]) -> bool:
    """True for words about the gene whose type the advice names itself ("Reduced UGT1A1 activity" over "homozygous for UGT1A1*28")."""
    genes = {leaf.detail for r in own for leaf in leaves(r.guard) if isinstance(leaf, Category) and leaf.detail}
    return isinstance(one.guard, Opaque) and any(gene in one.guard.text for gene in genes)


def is_of_children(one: Restriction) -> bool:
    """True for a restriction to an age below that of adults."""
    ages = [leaf for leaf in leaves(one.guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE]
    return bool(ages) and all(a.high is not None and (a.high <= _ADULT or a.unit != _YEARS) for a in ages)


def _is_measure(one: Restriction, axis: str, text: str) -> bool:
    """True for those with a normal organ whom the population is only compared with ("higher than in patients with normal renal function")."""
    return is_normal(one, axis) and _THAN.search(text, max(0, one.start - _NEAR), one.start) is not None


def is_normal(one: Restriction, axis: str) -> bool:
    """True for a restriction to those whose organ is normal, who are not the population."""
    return axis in ORGANS and any(isinstance(leaf, Category) and leaf.axis in OWN_AXES[axis] and leaf.values == ("none",) for leaf in leaves(one.guard))


def is_full(one: Restriction) -> bool:
    """True for a band of renal function without an upper end: it holds those of full function, whose dose is the usual one and no adjustment."""
    return isinstance(one.guard, Interval) and one.guard.axis in _CLEARED and one.guard.high is None


def is_own(one: Restriction, axis: str) -> bool:
    """True for a restriction on the population's own axes alone."""
    axes = _axes(one.guard)
    return bool(axes) and axes <= OWN_AXES[axis]


def _projected(guard: Guard, axis: str, words: str) -> Guard | None:
    """The part of a guard that tells more than the population; None where nothing is left."""
    if isinstance(guard, AnyOf):
        own = [p for p in guard.parts if _axes(p) & OWN_AXES[axis] or (not _axes(p) and is_of_organ(p, axis))]
        kept = [_projected(p, axis, words) for p in own or guard.parts if not _is_of_other_age(p, axis)]
        parts = tuple(k for k in kept if k is not None)
        return None if len(parts) < len(kept) or not parts else parts[0] if len(parts) == 1 else AnyOf(parts)
    if isinstance(guard, AllOf):
        premature = axis == "pediatric" and any(isinstance(p, Opaque) and is_of_birth(p.text) for p in guard.parts)
        kept_parts = [(part, _projected(_from_birth(part) if premature else part, axis, words)) for part in apart(guard, OWN_AXES[axis])]
        vague = any(isinstance(kept, Opaque) for _, kept in kept_parts)
        every: Guard | None = None
        for part, kept_part in kept_parts:
            every = both(every, part if vague and _is_whole(part) and _axes(part) <= OWN_AXES[axis] else kept_part)
        return every
    if isinstance(guard, Not):
        spared = _projected(guard.part, axis, words)
        return None if spared is None else Not(spared)
    return None if _implied(guard, axis, words) else guard


def _from_birth(guard: Guard) -> Guard:
    """An age by a word ("infants") from birth on, as the premature are meant."""
    return replace(guard, low=None) if isinstance(guard, Interval) and guard.term is not None else guard


def _implied(leaf: Guard, axis: str, words: str) -> bool:
    """True for a leaf that only says who the population is, or that is of the advice and no condition."""
    if isinstance(leaf, Category):
        if leaf.axis in (Axis.RENAL, Axis.HEPATIC):
            return _is_whole(leaf) and (leaf.axis in OWN_AXES[axis] or _IMPAIRED.search(words) is None)
        if leaf.axis in (Axis.PREGNANCY, Axis.LACTATION):
            return (axis in _MOTHERS and leaf.values == ("yes",)) or (axis in _AGED and _YOUNG_MOTHERS.search(words) is None)
        return leaf.axis is Axis.SEX and axis in _MOTHERS
    if isinstance(leaf, Interval) and leaf.axis is Axis.AGE:
        whole = leaf.term is not None and (axis == "geriatric" or (axis == "pediatric" and leaf.low is None and leaf.high == _ADULT))
        return axis in _MOTHERS or whole or _is_of_other_age(leaf, axis)
    if isinstance(leaf, HasCondition):
        return axis in _MOTHERS and _CHILDBEARING.search(leaf.words) is not None
    if isinstance(leaf, Exposure):
        return leaf.whose is Whose.SUBJECT and axis in _MOTHERS
    if isinstance(leaf, Opaque):
        return not restricts(leaf.text) and (axis in _MOTHERS or is_scrap(leaf.text) or (axis == "geriatric" and is_of_birth(leaf.text)))
    return False


def _names_partner(one: Restriction, things: Sequence[Thing]) -> bool:
    """True for words about another medicine that are taken: left out, the advice would hold without it."""
    taken = any(isinstance(leaf, Opaque) and _TAKEN.search(leaf.text) for leaf in leaves(one.guard))
    return taken and any(t.kind is Kind.PARTNER and not t.own and one.start <= t.start < one.end for t in things)


def _is_of_other_age(guard: Guard, axis: str) -> bool:
    """True where an age puts the patients outside the population: adults beside children, children beside the elderly."""
    ages = [leaf for leaf in leaves(guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE]
    if axis == "pediatric":
        return any(a.low is not None and a.low >= _ADULT and a.unit == _YEARS for a in ages)
    return axis == "geriatric" and any(a.high is not None and (a.low is None or a.high <= _ADULT or a.unit != _YEARS) for a in ages)


def _is_whole(leaf: Guard) -> bool:
    """True for a category that holds every degree of impairment."""
    return isinstance(leaf, Category) and leaf.axis in (Axis.RENAL, Axis.HEPATIC) and set(leaf.values) >= set(SCALES[leaf.axis]) - {"none", "esrd"}


def _axes(guard: Guard) -> frozenset[Axis]:
    return frozenset(leaf.axis for leaf in leaves(guard) if isinstance(leaf, Interval | Category))


def _of_another(one: Restriction, axis: str, text: str) -> bool:
    """True for a restriction to another population that the sentence lists beside this one ("the elderly, patients with renal impairment")."""
    axes = _axes(one.guard)
    if not axes or Axis.SEX in axes or not any(axes <= others for name, others in OWN_AXES.items() if name != axis):
        return False
    before, behind = text[max(0, one.start - _NEAR) : one.start], _BRACKET.sub("", text[one.end : one.end + 2 * _NEAR])
    return _NEXT_PEOPLE.match(behind) is not None or _PEOPLE_BEFORE.search(before) is not None


def _bands(own: list[Restriction]) -> list[Restriction]:
    """The population's own bands as one restriction: alternatives where several stand side by side."""
    if not own:
        return []
    every = tuple(dict.fromkeys(p for r in own for p in by_degree(r.guard)))
    parts = tuple(p for p in every if not any(isinstance(o, AllOf) and p in o.parts for o in every))
    entities = tuple(e for r in own for e in r.entities)
    return [Restriction(parts[0] if len(parts) == 1 else AnyOf(parts), min(r.start for r in own), max(r.end for r in own), entities)]
