"""Groups of people that one heading joins: its doses hold for each of them ("Patients with Renal Impairment and Elderly Patients")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from kb_builder.propose.conditions.lists import any_of
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.naming import PATIENTS_WITH
from kb_builder.propose.dosage.runs import Place
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque, leaves

_JOINT = re.compile(
    r"\s*(?:,\s*(?:and\b|or\b)?|/|\band/or\b|\band\b|\bor\b)\s*(?=(?:(?:the|in|for)\s+)*"
    r"(?:elderly|geriatric|pa?ediatrics?|adults?|adolescents?|children|infants?|neonates?|newborns?|patients|those|individuals|persons|subjects|women|men|males|females)\b)",
    re.IGNORECASE,
)
"""Where a heading begins a further group."""
_OPENS = re.compile(r"\W*(?:in|for)\s+(?=patients\b|adults\b|those\b|the elderly\b|elderly\b)", re.IGNORECASE)
_LAST = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
_AGES = re.compile(r"\b(?:adults?|adolescents?|pa?ediatrics?|children|infants?)(?:\s+patients)?\s*$", re.IGNORECASE)
_THOSE = re.compile(r"^(?:those|patients|individuals|persons|subjects)\s+(?:with|who|in whom|whose|for whom)\s+", re.IGNORECASE)


def joined_groups(blank: str, place: Place, found: Sequence[Restriction], is_aside: Callable[[Restriction], bool]) -> tuple[list[Restriction], bool]:
    """The restrictions of a heading with its groups as one, and whether the groups together are everyone.

    `is_aside` tells what belongs to no group (a use of the label, a route). Groups of which one has conditions of its own besides are left as they are:
    what stands behind the last one may hold for all.
    """
    joints = [m for m in _JOINT.finditer(blank, *place) if m.start() > place[0] and not _is_within_ages(blank, place[0], m.start(), found)]
    cuts = [place[0], *(m.end() for m in joints), place[1]]
    asides = [r for r in found if is_aside(r)]
    if len(cuts) == _TWO or any(r.start < c < r.end for r in found for c in cuts[1:-1]):
        return [*found], False
    parts = [[r for r in found if r not in asides and s <= r.start < e] for s, e in pairwise(cuts)]
    first = parts[0]
    shared = first[:-1] if len(first) > 1 and _is_age(first[-1]) and not any(_is_age(r) for r in first[:-1]) else []
    groups = [_group(blank, part, span) for part, span in zip([first[len(shared) :], *parts[1:]], pairwise(cuts), strict=True)]
    told = [g for g in groups if g is not None]
    if len(told) < len(groups):
        return [*found], False
    union = any_of(told, start=told[0].start, end=told[-1].end)
    return [*asides, *shared, *union], not union


def listed_groups(blank: str, place: Place, found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions of a sentence with the groups that it opens with as any of them ("In patients with X, the elderly, and those in whom ...").

    Only a list of three or more is one for sure: two groups may be one people told twice.
    """
    opening = _OPENS.match(blank, *place)
    if opening is None:
        return [*found]
    place = (opening.end(), place[1])
    inside = [r for r in found if place[0] <= r.start and r.end <= place[1]]
    joints = [m for m in _JOINT.finditer(blank, *place) if not any(r.start < m.start() < r.end for r in inside)]
    if len(joints) < _TWO or _LAST.search(joints[-1][0]) is None:
        return [*found]
    stop = re.compile(r",(?!\d{3})|;").search(blank, joints[-1].end(), place[1])
    place = (place[0], stop.start() if stop is not None else place[1])
    inside = [r for r in inside if r.end <= place[1]]
    cuts = [place[0], *(m.end() for m in joints), place[1]]
    parts = [[r for r in inside if s <= r.start < e] for s, e in pairwise(cuts)]
    if any(len(part) > 1 for part in parts):
        return [*found]
    groups = [_group(blank, part, span) or _in_words(blank, span) for part, span in zip(parts, pairwise(cuts), strict=True)]
    return [*any_of(groups, start=groups[0].start, end=groups[-1].end), *(r for r in found if r not in inside)]


def _is_within_ages(blank: str, start: int, at: int, found: Sequence[Restriction]) -> bool:
    """True for a joint behind an age in words that is no group by itself: what stands before it holds for both ("Renal Impairment Adults and Children")."""
    return _AGES.search(blank, start, at) is not None and not any(r.start < at <= r.end for r in found)


_TWO = 2  # the ends of a heading without a joint


def _is_age(restriction: Restriction) -> bool:
    return isinstance(restriction.guard, Interval) and restriction.guard.axis is Axis.AGE


def _group(blank: str, part: Sequence[Restriction], span: Place) -> Restriction | None:
    """What one group is; its words where no axis holds them; None where it has no condition or several."""
    if part and all(isinstance(leaf, Opaque) for r in part for leaf in leaves(r.guard)):
        words = " ".join(blank[slice(*span)].split()).strip(" ,.;:/")
        words = re.sub(r"\s*(?:,|\band|\bor)\s*$", "", words, flags=re.IGNORECASE)
        return Restriction(Opaque(_THOSE.sub("", PATIENTS_WITH.sub("", words))), *span)
    return part[0] if len(part) == 1 else None


def _in_words(blank: str, span: Place) -> Restriction:
    """A group that no reader understands."""
    words = re.sub(r"(?:\s*(?:,|\band\b|\bor\b))+\s*$", "", " ".join(blank[slice(*span)].split()).strip(" ,.;:"), flags=re.IGNORECASE)
    return Restriction(Opaque(words), *span)
