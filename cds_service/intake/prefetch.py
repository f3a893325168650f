"""Prefetched data: what was retrieved of each kind, and in which state it arrived.

A key the service advertises says by its presence what was asked. `null` and an empty list mean that nothing was found; an
OperationOutcome, an error page, a list that goes on or a value of another type mean that the list is incomplete; a missing key means that
nothing was retrieved. Keys of the client's own count by the resource types inside, and never as "none": what the client searched for is
not known. What stands there in addition, as an included resource or as a copy of an order being signed, is used and proves no list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from cds_service.intake.bundles import Opened, open_value
from cds_service.intake.fhir.reading import reference_to
from cds_service.intake.fhir.values import Resource
from cds_service.intake.prescription import KINDS, IntakeIssue, Retrieval

KIND_OF_TYPE: dict[str, str] = {
    "Patient": "patient",
    "MedicationRequest": "medications",
    "MedicationOrder": "medications",
    "MedicationPrescription": "medications",
    "MedicationStatement": "medications",
    "MedicationUsage": "medications",
    "MedicationAdministration": "medications",
    "MedicationDispense": "medications",
    "Condition": "conditions",
    "AllergyIntolerance": "allergies",
    "Observation": "observations",
    "DocumentReference": "notes",
}

STEMS: dict[str, tuple[str, ...]] = {
    "patient": ("patient",),
    "medications": ("med", "drug", "prescri"),
    "conditions": ("condition", "problem", "diagnos"),
    "allergies": ("allerg",),
    "observations": ("observation", "lab", "vital"),
    "notes": ("note", "document"),
}
"""What the client's own key names begin with or contain; only used to say which kind of data a failed key belongs to."""

WORST_FIRST = (Retrieval.INCOMPLETE, Retrieval.FOUND, Retrieval.ASSERTED_NONE, Retrieval.NONE_FOUND, Retrieval.NOT_RETRIEVED)


class Received(Struct, frozen=True):
    """One resource with the place it was received at and the full URL of its entry."""

    resource: Resource
    where: str
    full_url: str | None = None


@dataclass(slots=True)
class Retrieved:
    """All prefetched resources by kind, the others (to resolve references in), the state of each kind, and what could not be used."""

    by_kind: dict[str, list[Received]] = field(default_factory=lambda: {k: [] for k in KINDS})
    others: list[Received] = field(default_factory=list)
    states: dict[str, Retrieval] = field(default_factory=lambda: dict.fromkeys(KINDS, Retrieval.NOT_RETRIEVED))
    issues: list[IntakeIssue] = field(default_factory=list)

    def note(self, kind: str, state: Retrieval) -> None:
        """Takes the state into account: of two for one kind the one that claims less completeness holds."""
        self.states[kind] = min(self.states[kind], state, key=WORST_FIRST.index)

    def fail(self, kind: str, where: str, what: str, order: str | None = None) -> None:
        """Records something unusable and makes its kind incomplete."""
        self.issues.append(IntakeIssue(where, what, kind, order))
        self.note(kind, Retrieval.INCOMPLETE)


def retrieve(members: Iterable[tuple[str, str, Any]], drafts: Collection[str]) -> Retrieved:
    """The prefetched data of (where, key, value) members; `drafts` are the references of the orders being signed."""
    found = Retrieved()
    for where, key, value in members:
        _take(found, where, key, open_value(value, where), drafts)
    return found


def _take(found: Retrieved, where: str, key: str, opened: Opened, drafts: Collection[str]) -> None:
    kinds: set[str] = set()
    for entry in opened.entries:
        kind = KIND_OF_TYPE.get(str(entry.resource.get("resourceType")))
        received = Received(entry.resource, entry.where, entry.full_url)
        if kind is None:
            found.others.append(received)
            continue
        copy = reference_to(entry.resource) in drafts
        if not copy:
            found.by_kind[kind].append(received)
        if not entry.included and (not copy or key == kind):
            kinds.add(kind)
    for kind in kinds:
        found.note(kind, Retrieval.FOUND)
    if key in KINDS:
        _note_advertised(found, where, key, opened, kinds)
        return
    for kind in kinds or {k for k, stems in STEMS.items() if any(s in key.lower() for s in stems)}:
        for what in opened.faults:
            found.fail(kind, where, what)


def _note_advertised(found: Retrieved, where: str, key: str, opened: Opened, kinds: set[str]) -> None:
    """A key the service asked for: empty means none, resources of another kind mean that the answer is not to the question."""
    for what in opened.faults:
        found.fail(key, where, what)
    matches = [e for e in opened.entries if not e.included]
    if not matches and not opened.faults:
        found.note(key, Retrieval.NONE_FOUND)
    elif matches and key not in kinds:
        types = ", ".join(sorted({str(e.resource.get("resourceType"))[:40] for e in matches}))
        found.fail(key, where, f"holds {types} and nothing of the kind {key}")
