"""The drugs that a dose is given beside, or without, where no reader of conditions has them: "10 mg once daily with everolimus"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.entries import ORGAN_SAID, ORGANS
from kb_builder.propose.dosage.runs import Place
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, Interval, Not, leaves

_AMOUNT = r"(?:[\d.,]+(?:\s*(?:to|-|or)\s*[\d.,]+)?\s*(?:million\s+)?[A-Za-z%][\w/%]*\s+(?:(?:daily|of|aqueous|oral)\s+)*)?"
_ARTICLES = r"(?:(?:the|an?|concomitant|either|both|oral|intravenous|low-dose|regular|continued)\s+)*"
_BESIDE = re.compile(
    rf"(?<!without )\b(?:with|plus|taking|receiving)\s+{_ARTICLES}(?:(?:use|administration|co-?administration)\s+of\s+)?{_ARTICLES}{_AMOUNT}$", re.IGNORECASE
)
_TITLE = re.compile(r"(?:\s*\([^()]{0,90}\))?\s*[:–—-]?\s+(?=(?:Reduce|Decrease|Lower|Limit|Increase|Initiate|Start|Administer|Consider|Do not|Maximum)\b)")
"""Between the group of a title that has run into its text and the order below it: "Strong CYP3A4 Inhibitors (e.g., A, B) Reduce the dose"."""
_WITHOUT = re.compile(rf"(?<!or )(?<!and )(?<!/)\bwithout\s+{_ARTICLES}$", re.IGNORECASE)
_NEXT = re.compile(
    rf"(?:\s*[®™])?(?:\s*\([^()]{{0,24}}\))?\s*(?P<joint>,\s*(?:and/or|and|or)\b|,|/|\bplus\b|\band/or\b|\band\b|\bor\b)\s*{_ARTICLES}{_AMOUNT}", re.IGNORECASE
)
_OPENS = re.compile(r"(?:[(;:.\x01]|\bbut|\band|^)\s*$", re.IGNORECASE)
_FOR_ITS_SAKE = re.compile(
    r"\b(?:to|in|for)\s+patients\s+(?:who\s+are\s+)?(?:concomitantly|concurrently|also)\s+(?:taking|receiving|treated\s+with)\s+(?P<what>[^.;]{3,80}?),?\s+(?:because|since|as)\b",
    re.IGNORECASE,
)
"""A dose for those who take another drug, with that drug as its whole reason."""
_LISTED = 3  # so many partners joined by "and" before a verb are each enough
_REACH = 90
_NO_COMPANY = frozenset({EntityType.FOOD, EntityType.LIFESTYLE, EntityType.ALLERGEN})


def company(blank: str, start: int, things: Sequence[Thing], read: Sequence[Place]) -> Iterator[Restriction]:
    """The drugs named beside a dose that none of the places read touches, a list of them as one restriction."""
    drugs = [t for t in things if t.kind is Kind.PARTNER and not t.own and t.type not in _NO_COMPANY]
    taken = list(read)
    for i, thing in enumerate(drugs):
        if any(s < thing.end and thing.start < e for s, e in taken):
            continue
        floor = max(start, thing.start - _REACH)
        without = _WITHOUT.search(blank, floor, thing.start)
        beside = _BESIDE.search(blank, floor, thing.start) if without is None else without
        if beside is None and not (_is_title(blank, thing) and _TITLE.match(blank, thing.end)):
            continue
        if beside is None:
            members, either = [thing], False
        else:
            members, either = _list(blank, drugs[i:], opening=_OPENS.search(blank[floor : beside.start()]) is not None)
        taken.append((thing.start, members[-1].end))
        guard = _guard(members, either=either)
        entities = tuple(t.entity for m in members for t in m.targets if t.entity is not None)
        yield Restriction(Not(guard) if without is not None else guard, without.start() if without is not None else thing.start, members[-1].end, entities)


def is_for_a_partner_alone(blank: str, start: int, end: int, condition: Restriction, held: Sequence[Restriction]) -> bool:
    """True for the organ function of a heading whose sentence gives its dose to those on another drug, with the reason, and names no organ."""
    told = _FOR_ITS_SAKE.search(blank, start, end)
    if told is None or not all(isinstance(leaf, Category | Interval) and leaf.axis in ORGANS for leaf in leaves(condition.guard)):
        return False
    beside = [r for r in held if any(isinstance(leaf, Exposure) for leaf in leaves(r.guard))]
    return any(told.start() <= r.start < told.end() for r in beside) and ORGAN_SAID.search(blank, start, told.end("what")) is None


def _is_title(blank: str, thing: Thing) -> bool:
    """True for a group of drugs by what they do to an enzyme, in capitals throughout."""
    words = blank[thing.start : thing.end].split()
    return thing.type == EntityType.ENZYME_ROLE and len(words) > 1 and all(not w[0].islower() for w in words)


def _list(blank: str, drugs: Sequence[Thing], *, opening: bool) -> tuple[list[Thing], bool]:
    """The drugs of a list that begins with the first one, and whether one of them is enough: by "or", or in a list that opens its sentence."""
    members, joints = [drugs[0]], set[str]()
    for thing in drugs[1:]:
        joint = _NEXT.fullmatch(blank, members[-1].end, thing.start)
        if joint is None:
            break
        members.append(thing)
        joints |= set(re.findall(r"[a-z/]+|,", joint["joint"].lower()))
    return members, bool({"or", "and/or"} & joints) or joints == {","} or (opening and len(members) >= _LISTED)


def _guard(members: Sequence[Thing], *, either: bool) -> Guard:
    parts: list[Guard] = []
    for thing in members:
        leaves = tuple(Exposure(t.id) for t in thing.targets)
        parts.append(leaves[0] if len(leaves) == 1 else AllOf(leaves) if thing.joint else AnyOf(leaves))
    if len(parts) == 1:
        return parts[0]
    flat = tuple(dict.fromkeys(q for p in parts for q in (p.parts if isinstance(p, AnyOf if either else AllOf) else (p,))))
    return flat[0] if len(flat) == 1 else AnyOf(flat) if either else AllOf(flat)
