"""Acknowledgements: an override of a card, with its reason, quiets the same problem on the same facts for a while.

It holds for one patient, encounter and role. It never hides what is critical nor a risk that may never be suppressed, and comes back as soon as
anything that the finding rests on has changed: the patient's values, the orders, the label's statements.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec

from cds_service.answer.policy import Policy
from cds_service.answer.problems import Problem
from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import Finding
from cds_service.intake.envelope import Envelope
from cds_service.intake.fhir.concepts import code_words, words_of
from cds_service.intake.fhir.reading import ResourceIndex, bare_id, relative
from cds_service.intake.fhir.values import items
from cds_service.intake.prescription import AllergyFact, ConditionFact, Measurement, Order, Prescription, Source
from cds_service.state.protocol import Acknowledgement, Offer
from ontology.terms.identity import DrugIdentity

PRESCRIBING = frozenset({"order-sign", "order-select", "order-dispatch", "order-review", "medication-prescribe", "medication-refill", "encounter-discharge"})
"""Hooks of the person who writes orders; any other hook is a side of its own, so that nothing crosses from one to the other."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Who is at the screen, as far as acknowledgements go: patient, encounter (empty where none is said), side and role."""

    patient: str
    encounter: str
    side: str
    role: str

    @property
    def whose(self) -> str:
        """What acknowledgements are found by."""
        return "|".join((self.patient, self.encounter, self.side, self.role))


@dataclass(frozen=True, slots=True)
class Quieted:
    """A problem that is not shown again, and the acknowledgement that quiets it."""

    problem: Problem
    by: Acknowledgement


def signer_of(envelope: Envelope, index: ResourceIndex) -> Signer | None:
    """The signer of a request, None where patient or user is not said. A role that nothing tells is that user alone."""
    if envelope.patient is None or envelope.user is None:
        return None
    side = "prescribing" if envelope.hook in PRESCRIBING else envelope.hook
    user = relative(envelope.user)
    role = envelope.role or _role_of(index.by_reference.get(user)) or user
    return Signer(envelope.patient, bare_id(envelope.encounter) if envelope.encounter else "", side, role)


def split(
    problems: Iterable[Problem], given: Sequence[Acknowledgement], prescription: Prescription, policy: Policy
) -> tuple[tuple[Problem, ...], tuple[Quieted, ...]]:
    """The problems that are shown, and those that an acknowledgement quiets."""
    by_problem = {a.problem: a for a in given}
    told = Told(prescription)
    shown: list[Problem] = []
    quieted: list[Quieted] = []
    for problem in problems:
        held = by_problem.get(hashed(problem.key)) if by_problem and may_be_quieted(problem, policy) else None
        if held is not None and held.facts == facts_of(problem, told):
            quieted.append(Quieted(problem, held))
        else:
            shown.append(problem)
    return tuple(shown), tuple(quieted)


def may_be_quieted(problem: Problem, policy: Policy) -> bool:
    """False for what is critical, by the table or as shown, and for risks that may never be suppressed."""
    critical = problem.indicator is Indicator.CRITICAL or any(policy.severity_of(f) is Indicator.CRITICAL for f in problem.findings)
    return not critical and not any(f.risk.value in policy.never_suppress for f in problem.findings)


def offers_of(cards: Iterable[tuple[str, Problem]], signer: Signer | None, service: str, prescription: Prescription, policy: Policy) -> tuple[Offer, ...]:
    """What overriding each of the cards (their uuid and problem) would acknowledge; nothing where the policy keeps none or nobody can be told."""
    if signer is None:
        return ()
    days = policy.acknowledged_days if signer.encounter else policy.acknowledged_days_without_encounter
    listed = [(uuid, p) for uuid, p in cards if days > 0 and may_be_quieted(p, policy)]
    told = Told(prescription)
    return tuple(Offer(uuid, service, signer.whose, hashed(p.key), facts_of(p, told), days) for uuid, p in listed)


class Told:
    """What a prescription tells of the patient and the orders, in words by reference: equal words, nothing has changed. Each is worked out when asked."""

    def __init__(self, prescription: Prescription) -> None:
        self._prescription = prescription
        self._words: dict[tuple[str, str], str] = {}

    def of_patient(self, reference: str) -> str:
        """All that came from this reference."""
        return self._worded("datum", reference, self._data)

    def of_order(self, reference: str) -> str:
        """The content of this order."""
        return self._worded("order", reference, self._orders)

    def _worded(self, kind: str, reference: str, values: Mapping[str, Any]) -> str:
        found = self._words.get((kind, reference))
        if found is None:
            found = self._words[kind, reference] = _written(_kept(values.get(reference)))
        return found

    @cached_property
    def _data(self) -> dict[str, tuple[Any, ...]]:
        patient = self._prescription.patient
        found: dict[str, tuple[Any, ...]] = {patient.reference: ((patient.birth_date, patient.sex),)}
        for source, value in _sourced(self._prescription):
            found[source.reference] = (*found.get(source.reference, ()), value)
        return found

    @cached_property
    def _orders(self) -> dict[str, tuple[Order, ...]]:
        return {o.reference: (o,) for o in self._prescription.orders}


def facts_of(problem: Problem, told: Told) -> str:
    """Hash of all that a problem rests on: its findings, the patient's data with their values, and the content of its orders."""
    said: list[str] = []
    for shown in problem.shown:
        f = shown.finding
        data = [(s.reference, s.date, s.kind, told.of_patient(s.reference)) for s in sorted(f.data, key=_reference)]
        said.append(_written((shown.indicator.value, _finding(f), data)))
    implicated = sorted({r for f in problem.findings for r in (f.orders or f.drug.orders)})
    return hashed(_written((sorted(said), [(r, told.of_order(r)) for r in implicated])))


def _written(value: object) -> str:
    """The value in words: equal for equal values. What is no JSON is written as Python shows it."""
    return _WRITER.encode(value).decode()


_WRITER = msgspec.json.Encoder(order="deterministic", enc_hook=repr)


def hashed(words: str) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(words.encode()).hexdigest()


def _reference(source: Source) -> str:
    return source.reference


def _finding(f: Finding) -> tuple[Any, ...]:
    """What a finding says, without how it is quoted and drawn."""
    return (f.check, f.risk.value, f.drug.name, f.other, f.action.value, f.strength.value, f.certainty.value, f.cap, sorted(f.rules), f.effect, f.parameter,
            f.ordered, f.allowed, f.patient, f.qualifiers)  # fmt: skip


def _content(order: Order) -> tuple[Any, ...]:
    """An order's content, the same when it is sent again as another resource version or status."""
    drug = order.drug
    identity = (drug.subject, drug.name, drug.strength, drug.form) if isinstance(drug, DrugIdentity) else (drug.text, drug.reason)
    return (identity, order.text, order.route, order.form, order.intent.value, order.instructions, order.prior, order.group)


def _sourced(prescription: Prescription) -> Iterator[tuple[Source, Any]]:
    """Every datum of the patient and every order, each with where it came from."""
    patient = prescription.patient
    facts: tuple[ConditionFact | AllergyFact | Measurement, ...] = (*patient.conditions, *patient.allergies, *patient.measurements)
    for fact in facts:
        yield fact.source, fact
    for note, source in patient.notes:
        yield source, note
    for order in prescription.orders:
        yield order.source, order


def _kept(values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """The values without what the terms of one release or another sending of the same entry make of them."""
    return None if values is None else tuple(_entry(v) for v in values)


def _entry(value: Any) -> Any:
    if isinstance(value, Order):
        return _content(value)
    if isinstance(value, ConditionFact):
        return replace(value, concepts=())
    return replace(value, substances=()) if isinstance(value, AllergyFact) else value


def _role_of(resource: Any) -> str | None:
    """The codes or words of a PractitionerRole."""
    if not isinstance(resource, dict) or resource.get("resourceType") != "PractitionerRole":
        return None
    said = sorted({w for c in items(resource.get("code")) for w in (*code_words(c), words_of(c)) if w})
    return ",".join(said) or None
