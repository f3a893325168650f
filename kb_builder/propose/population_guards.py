"""The guard of advice for a population: the conditions of its sentence, without what the population already says.

Bands that one sentence lists ("moderate (30 to 50 mL/min) and severe (below 30 mL/min)") are alternatives; a band printed in figures stands
for the word it explains. What belongs to another population of the same list is left to that population's claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import SCALES, AllOf, AnyOf, Category, Guard, Interval, Opaque, both, leaves

_OWN: dict[str, frozenset[Axis]] = {
    "renal": frozenset({Axis.RENAL, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.DIALYSIS}),
    "hepatic": frozenset({Axis.HEPATIC, Axis.CHILD_PUGH}),
    "pregnancy": frozenset({Axis.PREGNANCY}),
    "lactation": frozenset({Axis.LACTATION}),
    "pediatric": frozenset({Axis.AGE, Axis.GESTATIONAL_AGE, Axis.POSTNATAL_AGE}),
    "geriatric": frozenset({Axis.AGE}),
    "genotype": frozenset({Axis.GENOTYPE, Axis.ANCESTRY}),
    "reproductive": frozenset({Axis.SEX}),
}
"""The axes on which a population's own bands stand."""

_SCALED = frozenset({Axis.RENAL, Axis.HEPATIC, Axis.CHILD_PUGH})
_FIGURES = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR})
_IMPLIED_WORDS = re.compile(
    r"(?:\b(?:in|for|to|of|the|an?|and|or|with|who|are|all|any|these|such|younger|older|their|other|male|female|p(?:a)?ediatric|geriatric|elderly|children|infants?|neonates?|newborns?|adolescents?|adults?|pregnant|nursing|breast-?feeding|lactating|mothers?|women|woman|females?|males?|men|patients?|individuals|subjects|age|group|population|reproductive|childbearing|potential|partners?|renal(?:ly)?|hepatic(?:ally)?|kidney|liver|impair\w+|reduced|decreased|diminished|compromised|abnormal|function|insufficiency|failure|dysfunction|diseases?|degrees?|having|have|known|chronic|pre-?existing|existing|underlying|history|mild|moderate|severe|presence)\b|[,()\s/])+",
    re.IGNORECASE,
)
_GRAVE = re.compile(r"\b(?:acute (?:liver|renal|kidney|hepatic) failure|decompensat\w+|end[- ]stage|anuri\w+)\b", re.IGNORECASE)
_GENOTYPE = re.compile(
    r"(?:\bCYP\s?\w{2,4}\s+)?(?:(?:poor|intermediate|ultra-?\s?rapid|slow)(?:,?\s+(?:or|and)\s+(?:poor|intermediate))?\s+(?:metaboli[sz]ers?|acetylators?)\b)(?:\s+of\s+CYP\s?\w{2,4})?"
    r"|\bHLA-[A-Z]+\d*\*?\d*(?::\d+)?(?:\s+(?:positive|allele))?|(?:\bG6PD|\bglucose[- ]6[- ]phosphate dehydrogenase(?:\s*\(G6PD\))?)(?:\s+deficien\w+)?"
    r"|\b(?:(?:complete|partial|absent|low|homozygous|heterozygous)\s+)?(?:DPD|dihydropyrimidine dehydrogenase(?:\s*\(DPD\))?)\s+(?:deficiency|activity)|\b(?:homozygous or compound heterozygous\s+)?(?:DPYD|NUDT15|TPMT|UGT1A1|POLG|VKORC1|CYP2C9)(?:\s*\*\s?\d+\w*)?(?:(?:\s+and/or|\s+and|\s+or|,)\s+(?:NUDT15|TPMT|VKORC1))?\s+(?:variants?|deficien\w+|alleles?|genotypes?|mutations?)"
    r"|\b(?:urea cycle disorders?|mitochondrial (?:DNA variants?|diseases?|disorders?))",
    re.IGNORECASE,
)
_LISTED = re.compile(r",|;|\bor\b|\band(?:/or)?\b|\bas well as\b", re.IGNORECASE)
_PRINTED = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eighteen)\b", re.IGNORECASE)
_FEMALE = re.compile(r"\b(?:females?|wom[ae]n)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:males?|men)\b", re.IGNORECASE)
_PARTNERS = re.compile(
    r"\b(?:females?|wom[ae]n)\s+(?:sexual\s+)?partners?\b|\b(?:contact|intercourse)\s+with\s+(?:\w+\s+)?(?:females?|wom[ae]n)\b|\bpartners?\s+who\s+are\s+(?:females?|wom[ae]n)",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    r"\b(?:near |at )term\b(?:\s*\([^()]*\))?(?:[^.;]{0,40}\b(?:labou?r|delivery)\b)*|(?:\b(?:one|two|\d+)\s+(?:months?|weeks?|days?)\s+)?(?:\b(?:prior to|before|during|immediately before)\s+)(?:the\s+|expected\s+|anticipated\s+)*(?:labou?r|delivery|parturition)\b(?:\s+(?:and|or)\s+delivery|\s+date)?",
    re.IGNORECASE,
)
_NEXT_PEOPLE = re.compile(
    r"(?:\s+(?:patients?|of age|and older))*\s*(?:,(?:\s*[^,.;]{0,40},)?|,?\s+(?:and/or|or|and))\s+(?:(?:and|or|in|for|those|the)\s+)*(?:patients|individuals|persons|those|who|with)\b",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"^\s*\([^()]*\)")
_NEAR = 60  # how far behind a word its figures may stand


def guard_for(axis: str, text: str, clause: tuple[int, int], found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions of a claim about the population, all of which must hold. `found` are those of its clause."""
    own: list[Restriction] = []
    other: list[Restriction] = []
    for one in found:
        kept = _projected(one.guard, axis, text[one.start : one.end])
        if kept is None:
            continue
        restriction = Restriction(kept, one.start, one.end, one.entities)
        (own if _axes(kept) and _axes(kept) <= _OWN[axis] else other).append(restriction)
    other = [r for r in other if not _of_another(r, axis, text)]
    if axis == "genotype":
        return _genotypes(text, clause, [*own, *other])
    bands = _bands(own, text)
    if axis == "reproductive":
        return [*_sexes(text, clause), *(r for r in other if Axis.SEX not in _axes(r.guard))]
    if axis == "pregnancy" and (birth := _BIRTH.search(text, *clause)) is not None:
        return [_birth(birth), *(r for r in other if not birth.start() <= r.start < birth.end())]
    return [*bands, *other]


def _projected(guard: Guard, axis: str, words: str) -> Guard | None:
    """The part of a guard that tells more than the population; None where nothing is left."""
    if isinstance(guard, AnyOf):
        own = [p for p in guard.parts if _axes(p) & _OWN[axis]]
        if not own:
            return None if any(_implied(p, axis, words) for p in guard.parts) else guard
        kept = [_projected(p, axis, words) for p in own]
        parts = tuple(k for k in kept if k is not None)
        return None if len(parts) < len(kept) or not parts else parts[0] if len(parts) == 1 else AnyOf(parts)
    if isinstance(guard, AllOf):
        kept_all: Guard | None = None
        for part in guard.parts:
            kept_all = both(kept_all, _projected(part, axis, words))
        return kept_all
    if _implied(guard, axis, words):
        return None
    if isinstance(guard, Category) and guard.axis in _OWN[axis] and guard.axis in (Axis.RENAL, Axis.HEPATIC) and _is_whole(guard):
        said = " ".join(words.split())
        return AllOf((Category(guard.axis, ("severe",), detail=said) if _GRAVE.search(said) else guard, Opaque(said)))
    return guard


def _is_whole(leaf: Category) -> bool:
    """True for a category that holds every degree of impairment."""
    return leaf.axis in (Axis.RENAL, Axis.HEPATIC) and set(leaf.values) >= set(SCALES[leaf.axis]) - {"none", "esrd"}


def _implied(leaf: Guard, axis: str, words: str) -> bool:
    """True for a leaf that only says who the population is."""
    if isinstance(leaf, Category):
        if leaf.axis in (Axis.RENAL, Axis.HEPATIC):
            return leaf.axis in _OWN[axis] and _is_whole(leaf) and _IMPLIED_WORDS.fullmatch(words) is not None
        if leaf.axis in (Axis.PREGNANCY, Axis.LACTATION):
            return leaf.axis in _OWN[axis] and leaf.values == ("yes",)
        return leaf.axis is Axis.SEX and axis in ("pregnancy", "lactation")
    if isinstance(leaf, Interval) and leaf.axis is Axis.AGE:
        printed = _PRINTED.search(words) is not None
        return axis in ("geriatric", "pediatric") and (leaf.term is not None or not printed)
    return isinstance(leaf, Opaque) and _IMPLIED_WORDS.fullmatch(leaf.text) is not None


def _axes(guard: Guard) -> frozenset[Axis]:
    return frozenset(leaf.axis for leaf in leaves(guard) if isinstance(leaf, Interval | Category))


def _of_another(one: Restriction, axis: str, text: str) -> bool:
    """True for a restriction to another population that the sentence lists beside this one ("the elderly, patients with renal impairment")."""
    axes = _axes(one.guard)
    if not axes or not any(axes <= others for name, others in _OWN.items() if name != axis):
        return False
    if Axis.SEX in axes:
        return False
    before, behind = text[max(0, one.start - _NEAR) : one.start], _BRACKET.sub("", text[one.end : one.end + 2 * _NEAR])
    if Axis.AGE in axes and axis not in ("geriatric", "pediatric"):
        return _NEXT_PEOPLE.match(behind) is not None
    return _LISTED.search(re.split(r"[.;]", before)[-1]) is not None or _LISTED.match(behind.lstrip()) is not None


def _bands(own: list[Restriction], text: str) -> list[Restriction]:
    """The population's own bands as one restriction: alternatives where several stand side by side."""
    groups: list[list[Restriction]] = []
    for one in sorted(own, key=lambda r: r.start):
        last = groups[-1][-1] if groups else None
        explains = last is not None and not (_axes(one.guard) & _axes(last.guard)) and re.fullmatch(r"[^.;]{0,60}", text[last.end : one.start]) is not None
        if explains and last is not None and (one.start <= last.end or _opens_bracket(text, last.end, one.start)):
            groups[-1].append(one)
        elif last is not None and one.guard == last.guard:
            continue
        else:
            groups.append([one])
    out = [(_one_band([r.guard for r in group]), group) for group in groups]
    if not out:
        return []
    parts = tuple(dict.fromkeys(p for guard, _ in out for p in (guard.parts if isinstance(guard, AnyOf) else (guard,))))
    first, last_group = out[0][1][0], out[-1][1]
    entities = tuple(e for _, group in out for r in group for e in r.entities)
    whole = parts[0] if len(parts) == 1 else AnyOf(parts)
    return [Restriction(whole, first.start, max(r.end for r in last_group), entities)]


def _opens_bracket(text: str, start: int, end: int) -> bool:
    return "(" in text[start:end] or "[" in text[start:end]


def _one_band(guards: list[Guard]) -> Guard:
    """One band of a word and what explains it: figures of clearance replace the word, a Child-Pugh class stands beside it."""
    figures = [g for g in guards if isinstance(g, Interval) and g.axis in _FIGURES]
    if figures:
        guards = [g for g in guards if not (isinstance(g, Category) and g.axis is Axis.RENAL)]
    words = next((g for g in guards if isinstance(g, Category) and g.axis is Axis.HEPATIC), None)
    grades = next((g for g in guards if isinstance(g, Category) and g.axis is Axis.CHILD_PUGH), None)
    if words is not None and grades is not None and len(words.values) == len(grades.values):
        pairs = tuple(AllOf((Category(Axis.HEPATIC, (w,)), Category(Axis.CHILD_PUGH, (g,)))) for w, g in zip(words.values, grades.values, strict=True))
        return pairs[0] if len(pairs) == 1 else AnyOf(pairs)
    if len(guards) == 1 and isinstance(guards[0], Category) and guards[0].axis in _SCALED and not _is_whole(guards[0]):
        each = tuple(Category(guards[0].axis, values) for values in _degrees(guards[0].values))
        return each[0] if len(each) == 1 else AnyOf(each)
    whole: Guard | None = None
    for guard in guards:
        whole = both(whole, guard)
    return whole or guards[0]


def _sexes(text: str, clause: tuple[int, int]) -> list[Restriction]:
    """The sex that a clause on reproduction speaks to; none where it speaks to both or to neither."""
    partners = [m.span() for m in _PARTNERS.finditer(text, *clause)]
    female = next((m for m in _FEMALE.finditer(text, *clause) if not any(s <= m.start() < e for s, e in partners)), None)
    male = _MALE.search(text, *clause)
    if (female is None) == (male is None):
        return []
    m = female or male
    return [Restriction(Category(Axis.SEX, ("female" if female else "male",)), m.start(), m.end())] if m is not None else []


def _birth(m: re.Match[str]) -> Restriction:
    """The time around birth: the last trimester, and of it only what the words say."""
    words = " ".join(m[0].split())
    return Restriction(AllOf((Category(Axis.PREGNANCY, ("third-trimester",), detail=words), Opaque(words))), m.start(), m.end())


def _genotypes(text: str, clause: tuple[int, int], found: list[Restriction]) -> list[Restriction]:
    """The restrictions with a leaf on the genotype: where the reader of conditions has none, that of the words; nothing without any."""
    if any(_axes(r.guard) & _OWN["genotype"] for r in found):
        return found
    m = _GENOTYPE.search(text, *clause)
    if m is None:
        return []
    words = " ".join(m[0].split())
    rest = [r for r in found if r.end <= m.start() or m.end() <= r.start]
    return [Restriction(Category(Axis.GENOTYPE, (words,)), m.start(), m.end()), *rest]


def _degrees(values: tuple[str, ...]) -> list[tuple[str, ...]]:
    """One band a degree; what a label says of "severe" holds for end-stage disease too and stays one band with it."""
    if "severe" in values and "esrd" in values:
        return [*((v,) for v in values if v not in ("severe", "esrd")), ("severe", "esrd")]
    return [(v,) for v in values]
