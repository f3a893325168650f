"""The ward or service that a request comes from, as its Encounter names it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cds_service.intake.fhir.reading import Reading, address_of, bare_id, relative
from cds_service.intake.fhir.values import Resource, items, mapping, objects, text

NOT_THERE = frozenset({"planned", "reserved", "completed"})
"""States of an Encounter's location in which the patient is not there."""

_LEVELS = 4
"""Places above a location that are looked at: bed, room, ward, building."""


def units_of(encounters: Iterable[Resource], wanted: str | None, reading: Reading) -> tuple[str, ...]:
    """Names, codes and ids of the ward and service of the Encounter with the wanted id, else of the only one sent; empty where none is.

    An Encounter of another patient is not used.
    """
    listed = [e for e in encounters if reading.same_patient(e, "subject", "patient")]
    chosen = [e for e in listed if wanted is not None and text(e.get("id")) == bare_id(wanted)]
    if not chosen and len(listed) == 1 and (wanted is None or text(listed[0].get("id")) is None):
        chosen = listed
    return tuple(dict.fromkeys(name for e in chosen[:1] for name in _names(e, reading)))


def _names(encounter: Resource, reading: Reading) -> Iterator[str]:
    for stay in objects(encounter.get("location")):
        if text(stay.get("status")) not in NOT_THERE:
            yield from _place(stay.get("location"), encounter, reading)
    for member in ("serviceType", "class"):
        for concept in items(encounter.get(member)):
            yield from _words(mapping(concept).get("concept") or concept)
    yield from filter(None, [text(mapping(encounter.get("serviceProvider")).get("display"))])


def _place(reference: object, within: Resource, reading: Reading) -> Iterator[str]:
    """What a location and those it is part of are called."""
    for _ in range(_LEVELS):
        address = address_of(reference)
        if address is not None and not address.startswith("#"):
            yield from (relative(address), bare_id(address))
        yield from filter(None, [text(mapping(reference).get("display")), text(mapping(mapping(reference).get("identifier")).get("value"))])
        place = reading.index.resolve(reference, within)
        if place is None:
            return
        yield from filter(None, [text(place.get("name")), *(text(a) for a in items(place.get("alias")))])
        yield from filter(None, (text(i.get("value")) for i in objects(place.get("identifier"))))
        reference, within = place.get("partOf"), place


def _words(concept: object) -> Iterator[str]:
    """The text, displays and codes of a CodeableConcept or Coding."""
    found = mapping(concept)
    yield from filter(None, [text(found.get("text")), text(found.get("display")), text(found.get("code"))])
    for coding in objects(found.get("coding")):
        yield from filter(None, [text(coding.get("display")), text(coding.get("code"))])
