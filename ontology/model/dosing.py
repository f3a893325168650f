"""Payloads of dosing: regimens (selected by the patient) and limits (accumulated over orders).

Amounts are printed amounts: ranges keep both ends, alternatives are a set, per-kg and per-m2 amounts keep their cap. THEN (phases),
OR (alternatives) and WITH (partners) are different links. The shape follows `docs/decisions/` and what real dosing text needs: weekly
schedules, fractions of another dose, dose levels, loading before maintenance, caps, event anchors.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ontology.model.errors import InvalidQuantity
from ontology.model.guards import Guard
from ontology.model.identifiers import EntityId


class AmountBasis(StrEnum):
    """What an amount is counted in or multiplied with."""

    FLAT = "flat"
    PER_KG = "per-kg"
    PER_M2 = "per-m2"
    AUC = "auc"
    FRACTION = "fraction"
    FORMULA = "formula"


class PerWhat(StrEnum):
    """The stretch that an amount belongs to."""

    DOSE = "dose"
    DAY = "day"
    WEEK = "week"
    COURSE = "course"


class PhaseKind(StrEnum):
    """The phase of a regimen."""

    LOADING = "loading"
    STARTING = "starting"
    TITRATION = "titration"
    MAINTENANCE = "maintenance"
    TAPER = "taper"
    LEVEL = "dose-level"
    ADJUSTED = "adjusted"
    USUAL = "usual"


class FractionOf(StrEnum):
    """What a fraction is taken of."""

    USUAL = "usual"
    CURRENT = "current"
    MAINTENANCE = "maintenance"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount as printed. `choices` holds a set of alternatives ("1,000 or 1,250 mg/m2"); `cap` an absolute ceiling of a per-kg amount."""

    low: Decimal | None
    high: Decimal | None
    unit: str
    basis: AmountBasis = AmountBasis.FLAT
    per: PerWhat = PerWhat.DOSE
    choices: tuple[Decimal, ...] = ()
    cap: Decimal | None = None
    fraction_of: FractionOf | None = None
    weight: str | None = None  # actual, ideal, adjusted, lean: as the label says
    formula: str | None = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None and not self.choices and self.formula is None:
            raise InvalidQuantity("amount without a number")


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often. `times_low..times_high` within `period_days`, or `every_hours`; `as_needed`; `event` anchors ("after dialysis")."""

    times_low: Decimal | None = None
    times_high: Decimal | None = None
    period_days: Decimal = Decimal(1)
    every_hours_low: Decimal | None = None
    every_hours_high: Decimal | None = None
    as_needed: bool = False
    event: str | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase: amounts joined by OR, how often, how long, how fast. With `increment` the amounts are steps added to the dose before
    (negative steps are a taper), not doses.
    """

    kind: PhaseKind
    amounts: tuple[Amount, ...]
    frequency: Frequency | None = None
    duration_days_low: Decimal | None = None
    duration_days_high: Decimal | None = None
    until: str | None = None
    rate: Amount | None = None
    concentration: Amount | None = None
    level: int | None = None
    increment: bool = False


@dataclass(frozen=True, slots=True)
class Regimen:
    """Ordered phases (THEN) with partners (WITH). Regimens are selected: the most specific that fits the patient judges the order.

    A regimen that the label gives only beside a partner also holds that exposure in its claim's guard.
    """

    phases: tuple[Phase, ...]
    partners: tuple[EntityId, ...] = ()
    indication: EntityId | None = None


class Measure(StrEnum):
    """What a limit bounds."""

    SINGLE = "single"
    DAY = "day"
    WEEK = "week"
    COURSE = "course"
    LIFETIME = "lifetime"
    DURATION = "duration"
    MINIMUM_INTERVAL = "minimum-interval"
    RATE = "rate"


class LimitScope(StrEnum):
    """Over what orders a limit accumulates."""

    PRODUCT = "product"
    INGREDIENT = "ingredient"
    CLASS = "class"
    ALL_ROUTES = "all-routes"


@dataclass(frozen=True, slots=True)
class Limit:
    """A ceiling. Limits are never selected: every one whose guard holds applies, unless a claim names the one it overrides."""

    measure: Measure
    scope: LimitScope
    amount: Amount
    overrides: str | None = None
    exception: Guard | None = None
