"""Whether the patient is or was exposed to a drug, class or enzyme role, seen from one order and, for a pair, its partner."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from cds_service.audit.doses import daily_dose, single_dose
from cds_service.audit.roster import Medication, Roster
from cds_service.intake.prescription import OrderIntent, OrderRole, Retrieval
from ontology.model.errors import InvalidQuantity
from ontology.model.facts import DoseBounds, ExposureState, Known, Unknown, UnknownReason, Whose
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Unit

_LAST_DOSE = re.compile(r"(?:last (?:dose|taken|given)|stopped|discontinued|completed|finished|ended|末次)\D{0,20}(\d{4}-\d{2}-\d{2})")


@dataclass(frozen=True, slots=True)
class Exposures:
    """Exposure as a guard asks for it. `subject` is the order judged; `partner` the other order of the pair, None outside a pair.

    `last_uses` are the days of the last dose that notes tell, by the reference of the stopped order.
    """

    roster: Roster
    subject: Medication
    partner: Medication | None
    medications: Retrieval
    today: date
    last_uses: Mapping[str, date] = field(default_factory=dict)

    def ask(
        self,
        target: EntityId,
        minus: tuple[EntityId, ...],
        whose: Whose,
        state: ExposureState,
        within_days: Decimal | None,
        dose: DoseBounds | None,
        route: str | None,
    ) -> Known | Unknown:
        """The exposure as a fact whose value is a truth value."""
        unknown: Unknown | None = None
        for medication in self._asked(target, whose, state):
            if target not in medication.closure or medication.ingredients & frozenset(minus) or any(m in medication.closure for m in minus):
                continue
            answer = self._one(medication, target, state, within_days, dose, route)
            if isinstance(answer, Known) and answer.value is True:
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
        if unknown is not None:
            return unknown
        if whose is not Whose.SUBJECT and self.partner is None and self.medications in (Retrieval.NOT_RETRIEVED, Retrieval.INCOMPLETE):
            why = UnknownReason.NOT_RETRIEVED if self.medications is Retrieval.NOT_RETRIEVED else UnknownReason.INCOMPLETE
            return Unknown(why, frozenset({"medications"}))
        return Known(False)

    def _asked(self, target: EntityId, whose: Whose, state: ExposureState) -> tuple[Medication, ...]:
        """The medications a question is about: the partner of a pair when the target is what it is, else all others."""
        if whose is Whose.SUBJECT:
            return (self.subject,)
        if self.partner is not None and target in self.partner.closure:
            return (self.partner,) if whose is Whose.PARTNER else (self.subject, self.partner)
        pool = self.roster.taken if state in (ExposureState.CURRENT, ExposureState.STARTED_WITHIN) else (*self.roster.taken, *self.roster.recent)
        return tuple(m for m in pool if whose is Whose.EITHER or m.reference != self.subject.reference)

    def _one(
        self,
        medication: Medication,
        target: EntityId,
        state: ExposureState,
        within_days: Decimal | None,
        dose: DoseBounds | None,
        route: str | None,
    ) -> Known | Unknown:
        order = medication.order
        said = order.source.date
        if route is not None and medication.route is not None and route != medication.route:
            return Known(False)
        if route is None and not medication.systemic and medication.reference != self.subject.reference and dose is None:
            # A class or role is exposure of the body; a product that stays on the surface is none.
            return Known(False, said, order.reference)
        window = self._in_window(medication, state, within_days)
        if isinstance(window, Unknown) or window is False:
            return window if isinstance(window, Unknown) else Known(False, said, order.reference)
        if dose is not None:
            return self._dosed(medication, target, dose)
        return Known(True, said, order.reference)

    def _in_window(self, medication: Medication, state: ExposureState, within_days: Decimal | None) -> bool | Unknown:
        order = medication.order
        taken = order.role in (OrderRole.DRAFT, OrderRole.CURRENT)
        said = order.source.date
        if state is ExposureState.CURRENT:
            return taken
        if state is ExposureState.EVER:
            return True
        limit = within_days or Decimal(0)
        if state is ExposureState.STARTED_WITHIN:
            if order.role is OrderRole.DRAFT:
                return order.intent is not OrderIntent.RENEWAL
            if not taken:
                return False
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"medications"})) if said is None else (self.today - said).days <= limit
        if taken:
            # Taken today is taken within any wash-out.
            return True
        ended = order.ended or _stop_date(medication) or self.last_uses.get(order.reference)
        if ended is not None:
            return (self.today - ended).days <= limit
        if said is None:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"medications"}))
        # The day of the order is no later than the last dose; an older order may have ended at any time since.
        return True if (self.today - said).days <= limit else Unknown(UnknownReason.NOT_RECORDED, frozenset({"medications"}))

    def _dosed(self, medication: Medication, target: EntityId, bounds: DoseBounds) -> Known | Unknown:
        order = medication.order
        ingredient = target if target in medication.ingredients else None
        amount = daily_dose(order, ingredient) if bounds.per == "day" else single_dose(order, ingredient)
        if amount is None:
            needs = {"dose"} if single_dose(order, ingredient) is None else {"frequency"}
            return Unknown(UnknownReason.NOT_RECORDED, frozenset(needs))
        try:
            number = amount.to(Unit.of(bounds.unit)).value
        except InvalidQuantity:
            return Unknown(UnknownReason.NOT_RECORDED, frozenset({"dose"}))
        above = bounds.low is None or number > bounds.low or (number == bounds.low and not bounds.low_open)
        below = bounds.high is None or number < bounds.high or (number == bounds.high and not bounds.high_open)
        return Known(above and below, order.source.date, order.reference)


def _stop_date(medication: Medication) -> date | None:
    """The day of the last dose, where the order's own words give it as a date."""
    found = _LAST_DOSE.search(medication.words)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None
