"""What one part of a heading is: its kind, and what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.runs import Place
from kb_builder.propose.reading.things import Target
from ontology.model.facts import Axis
from ontology.model.guards import Category, Exposure, Guard, HasCondition, Interval, Opaque, leaves

ORGANS = frozenset({Axis.RENAL, Axis.HEPATIC, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.CHILD_PUGH, Axis.DIALYSIS})
_SPECIAL = frozenset({Axis.GENOTYPE, Axis.PREGNANCY, Axis.LACTATION})
_OLD = 60  # years
_BESIDE_WORDS = re.compile(r"\b(?:inhibitors?|inducers?|concomitant\w*|combination|monotherapy|single[- ]agent)\b", re.IGNORECASE)

_AMOUNT = re.compile(r"\d\s*(?:mg|mcg|g|mL|units?|mEq|mmol|tablets?|capsules?)\b", re.IGNORECASE)
ORGAN_SAID = re.compile(
    r"\b(?:renal\w*|kidneys?|creatinine|clearance|crcl|egfr|gfr|dialysis|h(?:a)?emodialysis|hepatic\w*|liver|impair\w*|child)\b", re.IGNORECASE
)
_LOOKED_AHEAD = 400  # characters


class ScopeKind(StrEnum):
    """What a heading speaks of."""

    INDICATION = "indication"
    PEOPLE = "people"
    ORGAN = "organ"
    PARTNER = "partner"
    ROUTE = "route"
    MATTER = "matter"


@dataclass(frozen=True, slots=True)
class Entry:
    """One scope on the stack: what one part of one heading says; `at` is where the part stands."""

    kind: ScopeKind
    place: Place
    indication: Target | None = None
    condition: Restriction | None = None
    routes: tuple[str, ...] = ()
    topic: str | None = None
    at: int = 0


def kind_of(restriction: Restriction) -> ScopeKind:
    """What a condition speaks of; a state of the patient stands beside organ function."""
    found = leaves(restriction.guard)
    axes = {leaf.axis for leaf in found if isinstance(leaf, Interval | Category)}
    if axes & ORGANS or _is_special(found):
        return ScopeKind.ORGAN
    if axes:
        return ScopeKind.PEOPLE
    if any(isinstance(leaf, Exposure) or (isinstance(leaf, Opaque) and _BESIDE_WORDS.search(leaf.text)) for leaf in found):
        return ScopeKind.PARTNER
    return ScopeKind.ORGAN if all(isinstance(leaf, HasCondition) for leaf in found) else ScopeKind.PEOPLE


def _is_special(found: Sequence[Guard]) -> bool:
    """True for the elderly, genotypes and pregnancy: their headings stand beside those on organ function."""
    return bool(found) and all(
        (isinstance(leaf, Category) and leaf.axis in _SPECIAL)
        or (isinstance(leaf, Interval) and leaf.axis is Axis.AGE and leaf.low is not None and leaf.low >= _OLD)
        for leaf in found
    )


def is_in_words(entries: Sequence[Entry]) -> bool:
    """True for a heading on people whom no axis holds ("Hospitalized patients with acute states")."""
    told = [leaf for e in entries if e.kind is ScopeKind.PEOPLE and e.condition is not None for leaf in leaves(e.condition.guard)]
    return bool(told) and all(isinstance(leaf, Opaque) for leaf in told)


def stands_before_doses(blank: str, entry: Entry, told: Sequence[Place], place: Place) -> bool:
    """True for a run-in heading on organ function with general words under it, before the section's first amount, when people's usual doses begin.

    `told` are the sentences of the part so far and `place` the heading on people: its text speaks of no organ ("In patients with renal impairment:
    reduce the dose. Adults: 150 mg four times a day").
    """
    if entry.kind is not ScopeKind.ORGAN or not any(start >= entry.place[1] for start, _ in told):
        return False
    return not any(_AMOUNT.search(blank, *at) for at in told) and ORGAN_SAID.search(blank, place[0], place[1] + _LOOKED_AHEAD) is None


def tidy(words: str) -> str:
    """The words of a heading as one line, without marks at their ends."""
    return " ".join(words.replace("\x01", " ").split()).strip(" ,.;:")
