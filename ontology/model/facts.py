"""What a guard may ask about a patient and an order, and how ignorance is said.

The service implements `Facts`; guards never see FHIR. A fact is `Known` with its date and the reference it came from, or `Unknown` with
the reason. No default stands in for a missing fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit


class Axis(StrEnum):
    """An axis that a label's condition is written on."""

    AGE = "age"
    GESTATIONAL_AGE = "gestational-age"
    POSTNATAL_AGE = "postnatal-age"
    WEIGHT = "weight"
    WEIGHT_IDEAL = "weight-ideal"
    WEIGHT_ADJUSTED = "weight-adjusted"
    WEIGHT_LEAN = "weight-lean"
    BSA = "bsa"
    BMI = "bmi"
    SEX = "sex"
    ANCESTRY = "ancestry"
    CRCL = "crcl"
    CRCL_INDEXED = "crcl-indexed"
    EGFR = "egfr"
    SCR = "scr"
    RENAL = "renal"
    DIALYSIS = "dialysis"
    HEPATIC = "hepatic"
    CHILD_PUGH = "child-pugh"
    PREGNANCY = "pregnancy"
    LACTATION = "lactation"
    INDICATION = "indication"
    ROUTE = "route"
    FORMULATION = "formulation"
    GENOTYPE = "genotype"
    LAB = "lab"
    PRIOR_DOSE = "prior-dose"
    DOSE_LEVEL = "dose-level"
    DAILY_DOSE = "daily-dose"


class UnknownReason(StrEnum):
    """Why a fact is unknown."""

    NOT_RETRIEVED = "not-retrieved"
    INCOMPLETE = "incomplete"
    NOT_RECORDED = "not-recorded"
    IMPLAUSIBLE = "implausible"
    UNSTABLE = "unstable"
    TOO_BROAD = "too-broad"  # the record's code is an ancestor of what the label names
    JUDGEMENT = "judgement"  # only a person can decide the words
    UNSUPPORTED = "unsupported"  # this release of the service does not compute it yet
    STALE = "stale"


class Known(Struct, frozen=True):
    """A fact: `value` in the unit asked for (Quantity), a word of an ordinal scale, or a truth value.

    `observed` is the date of the datum, `reference` its FHIR reference (`Observation/123`), both None where they do not apply.
    `approximated` marks a value that decides only because every plausible conversion gives the same answer. `also` are other words of the
    axis that hold with `value` (a genotype and its phenotype, an ancestry and the wider group).
    """

    value: Quantity | str | bool
    observed: date | None = None
    reference: str | None = None
    approximated: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """Where a number lies for certain although it is not known: between the bounds, None being open. `shown` says it as a person reads it."""

    low: Quantity | None
    high: Quantity | None
    low_open: bool = False
    high_open: bool = False
    shown: str = ""
    observed: date | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact that is missing: why, and which data would supply it (`renal-function`, `lab:potassium`).

    What is known all the same may decide a condition: `within` is where the number lies, `among` the words of the scale that are possible.
    """

    reason: UnknownReason
    needs: frozenset[str] = frozenset()
    within: Range | None = None
    among: frozenset[str] = frozenset()
    reference: str | None = None


class ExposureState(StrEnum):
    """When the exposure took or takes place."""

    CURRENT = "current"
    STARTED_WITHIN = "started-within"
    STOPPED_WITHIN = "stopped-within"
    EVER = "ever"


class Whose(StrEnum):
    """Whose order or dose is meant: the label's own drug, the partner, or either."""

    SUBJECT = "subject"
    PARTNER = "partner"
    EITHER = "either"


class ConditionState(StrEnum):
    """How a label's words place a condition in time."""

    ACTIVE = "active"
    RECENT = "recent"
    HISTORY = "history"
    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class DoseBounds:
    """Bounds on a dose, as printed; `per` is `day`, `dose` or `week`."""

    low: Decimal | None
    high: Decimal | None
    unit: str
    low_open: bool = False
    high_open: bool = False
    per: str = "day"


class Facts(Protocol):
    """Everything a guard may ask. Implemented by the service's patient profile; a test may use a dictionary."""

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        """The patient's place on an axis.

        `detail` names the analyte (LOINC code or the label's name) for LAB, the gene for GENOTYPE. With a `unit`, the answer's value
        is a Quantity in that unit; without, a word of the axis' scale or a truth value. Age in years is exact: on the 60th
        birthday it is 60.
        """
        ...

    def exposure(
        self,
        target: EntityId,
        minus: tuple[EntityId, ...],
        whose: Whose,
        state: ExposureState,
        within_days: Decimal | None,
        dose: DoseBounds | None,
        route: str | None,
    ) -> Known | Unknown:
        """Whether the patient is or was exposed to an ingredient, a class or an enzyme role (value: bool)."""
        ...

    def condition(self, concept: EntityId, state: ConditionState, words: str, within_days: Decimal | None = None) -> Known | Unknown:
        """Whether the patient has or had a condition (value: bool): the record's code equals or descends from the concept.

        With `within_days` whether it fell in that time before today, or lasts.
        """
        ...


NEED_OF_AXIS: dict[Axis, tuple[str, ...]] = {
    Axis.AGE: ("age",),
    Axis.GESTATIONAL_AGE: ("age",),
    Axis.POSTNATAL_AGE: ("age",),
    Axis.WEIGHT: ("weight",),
    Axis.WEIGHT_IDEAL: ("height", "sex"),
    Axis.WEIGHT_ADJUSTED: ("weight", "height", "sex"),
    Axis.WEIGHT_LEAN: ("weight", "height", "sex"),
    Axis.BSA: ("weight", "height"),
    Axis.BMI: ("weight", "height"),
    Axis.SEX: ("sex",),
    Axis.ANCESTRY: ("genotype",),
    Axis.CRCL: ("renal-function",),
    Axis.CRCL_INDEXED: ("renal-function",),
    Axis.EGFR: ("renal-function",),
    Axis.SCR: ("renal-function",),
    Axis.RENAL: ("renal-function",),
    Axis.DIALYSIS: ("renal-function",),
    Axis.HEPATIC: ("hepatic-function",),
    Axis.CHILD_PUGH: ("hepatic-function",),
    Axis.PREGNANCY: ("pregnancy-status",),
    Axis.LACTATION: ("lactation-status",),
    Axis.INDICATION: ("indication",),
    Axis.ROUTE: ("route",),
    Axis.FORMULATION: ("drug-identity",),
    Axis.GENOTYPE: ("genotype",),
    Axis.LAB: ("lab",),
    Axis.PRIOR_DOSE: ("medications",),
    Axis.DOSE_LEVEL: ("medications",),
    Axis.DAILY_DOSE: ("dose", "frequency"),
}
"""The one table from axis to the data that would decide it; LAB gives `lab:<name>`."""


def needs_of(axis: Axis, detail: str | None = None) -> frozenset[str]:
    """The needs an unknown on this axis names."""
    if axis is Axis.LAB:
        return frozenset({f"lab:{detail}" if detail else "lab"})
    return frozenset(NEED_OF_AXIS[axis])
