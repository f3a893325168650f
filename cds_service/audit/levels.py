"""What a label's number for an increase makes of the patient's own drug level.

A partner that raises a drug by 40 % is watched in one patient and harmful in the next: the measured level, times the label's increase, lies below
the level of toxicity or above it. Only the label's own number counts, and only a level that is current.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from cds_service.audit.clinical import table
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.profile import PatientProfile
from cds_service.audit.roster import Medication
from ontology.model.entities import EntityType
from ontology.model.facts import Known
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit, plain

_INCREASE = re.compile(
    r"(?P<before>\d{1,3})(?:\s*(?:to|-|–)\s*(?P<high>\d{1,3}))?\s*%\s*(?:increase|higher)|increase[sd]?[^.;%]{0,60}?\bby\s+(?:about |approximately |up to )?(?P<after>\d{1,3})\s*%",
    re.IGNORECASE,
)
_CELL = 30
"""Characters of a table's cell, which speaks of the label's own drug without naming it."""


@dataclass(frozen=True, slots=True)
class ReachedLevel:
    """A level that an increase brings above the one of toxicity: the fact it rests on, and the words for the card."""

    fact: Known
    words: str


@dataclass(frozen=True, slots=True)
class _Watched:
    level: str
    upper: Decimal
    unit: Unit
    shown_unit: str


def level_reached(profile: PatientProfile, owner: Medication, quote: str, terms: Terms) -> ReachedLevel | None:
    """The level that the quoted increase of the owner's drug leads to, where it lies above the level of toxicity and the measured one does not."""
    percent = _increase(quote)
    if percent is None:
        return None
    for name, watched in _watched_of(owner, terms):
        if len(quote) > _CELL and name not in quote.casefold():
            continue
        # A laboratory reports the level under the drug's bare name as often as under the name of the test.
        found = (profile.measurements.lab(said, watched.unit) for said in (watched.level, name))
        fact = next((f for f in found if isinstance(f, Known)), None)
        if fact is None or not isinstance(fact.value, Quantity):
            continue
        now = fact.value.value
        reached = now * (100 + percent) / 100
        if now <= watched.upper < reached:
            shown = f"{name} level {plain(now)} {watched.shown_unit}: an increase of {percent} % leads to about {plain(reached.quantize(Decimal('0.1')))}"
            return ReachedLevel(fact, f"{shown}, above {plain(watched.upper)}")
    return None


def _increase(quote: str) -> Decimal | None:
    found = _INCREASE.search(quote)
    if found is None:
        return None
    return Decimal(found["high"] or found["before"] or found["after"])


def _watched_of(owner: Medication, terms: Terms) -> Iterator[tuple[str, _Watched]]:
    known = _watched(terms)
    return ((i.name.casefold(), known[i.id]) for i in owner.drug.ingredients if i.id in known)


@kept_with
def _watched(terms: Terms) -> Mapping[EntityId, _Watched]:
    found: dict[EntityId, _Watched] = {}
    for row in table("drug_levels")["drug"]:
        made = _Watched(row["level"], Decimal(row["upper"]), Unit.of(row["unit"]), row["unit"].replace("ug/", "mcg/"))
        found.update(dict.fromkeys(entities_named(terms, (row["name"],), (EntityType.INGREDIENT,)), made))
    return found
