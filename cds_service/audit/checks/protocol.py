"""What a check is: it judges one draft order against one kind of hazard and yields findings, gaps and what it could not evaluate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import structs

from cds_service.audit.knowledge import Knowledge
from cds_service.audit.outcomes import Category, Counterpart, DrugRef, Result, TraceStep
from cds_service.audit.profile import PatientProfile
from cds_service.audit.roster import Medication, Roster
from cds_service.audit.site import SiteNumbers, shipped_numbers
from cds_service.intake.prescription import Prescription
from ontology.model.predicates import Stratum


@dataclass(frozen=True, slots=True)
class Case:
    """Everything a check may look at. `telling` asks for the steps that led to a result: a replay shows them, a signature does not wait for them."""

    prescription: Prescription
    knowledge: Knowledge
    roster: Roster
    profile: PatientProfile
    site: SiteNumbers = field(default_factory=shipped_numbers)
    telling: bool = True


class Check(Protocol):
    """One kind of hazard."""

    @property
    def name(self) -> str:
        """Its name in policy, trace and results."""
        ...

    @property
    def category(self) -> Category:
        """The category of its findings."""
        ...

    @property
    def stratum(self) -> Stratum:
        """The store that answers it first."""
        ...

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of patient data that it rests on."""
        ...

    def judge(self, case: Case, medication: Medication) -> Iterator[Result | TraceStep]:
        """The results for one draft order, with the steps that led to them where a check tells them."""
        ...


def drug_ref(*medications: Medication) -> DrugRef:
    """The drug of one or several orders of the same composition."""
    first = medications[0].named
    return structs.replace(first, orders=tuple(dict.fromkeys(m.reference for m in medications))) if len(medications) > 1 else first


def counterpart(medication: Medication, label: str | None, shown: str | None = None) -> Counterpart:
    """A medication as the other side of a finding."""
    ref = drug_ref(medication)
    return Counterpart("drug", ref.name, label, shown or ref.shown)
