"""Earlier use of a drug: what the medication list holds of the ordered drug beside the order itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from cds_service.audit.doses import daily_dose
from cds_service.audit.profile.chart import Chart
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderIntent, Retrieval
from ontology.model.facts import Known, Unknown, UnknownReason

_NEED = frozenset({"medications"})


def earlier_orders(chart: Chart, medication: Medication) -> Iterator[Medication]:
    """The current and stopped orders of the same ingredients, and those the order replaces, newest first."""
    roster = chart.roster
    found = [m for m in (*roster.current, *roster.recent) if m.ingredients & medication.ingredients and m.reference != medication.reference]
    yield from sorted(found, key=lambda m: m.order.source.date or date.min, reverse=True)


def is_on_record(chart: Chart, medication: Medication) -> Known | Unknown:
    """`yes` where the drug was taken before, `no` where a medication list read whole does not hold it; a renewal says so itself."""
    earlier = next(earlier_orders(chart, medication), None)
    if earlier is not None:
        return Known("yes", earlier.order.source.date, earlier.reference)
    if medication.order.intent is OrderIntent.RENEWAL or medication.order.prior is not None:
        return Known("yes", None, medication.reference)
    state = chart.retrieval("medications")
    if state in (Retrieval.NOT_RETRIEVED, Retrieval.INCOMPLETE):
        return Unknown(UnknownReason.NOT_RETRIEVED if state is Retrieval.NOT_RETRIEVED else UnknownReason.INCOMPLETE, _NEED)
    return Known("no")


def earlier_dose(chart: Chart, medication: Medication) -> Known | Unknown:
    """The daily dose of the newest earlier order whose dose is told; unknown where there is none or the list did not come whole."""
    for earlier in earlier_orders(chart, medication):
        amount = daily_dose(earlier.order)
        if amount is not None:
            return Known(amount, earlier.order.source.date, earlier.reference)
    use = is_on_record(chart, medication)
    return Unknown(UnknownReason.NOT_RECORDED, _NEED) if isinstance(use, Known) else use
