"""A dose instruction as a line that a pharmacist can read, for the cases in the YAML files beside this one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from cds_service.intake.prescription import DoseInstruction
from ontology.model.quantities import Quantity


def sentence(i: DoseInstruction) -> str:
    """Every member that an instruction sets, in a fixed order, apart from its own words and what was not read."""
    return "; ".join(_said(i))


def _said(i: DoseInstruction) -> Iterator[str]:
    if i.sequence is not None:
        yield f"phase {i.sequence}"
    per = f"/{i.dose_per}" if i.dose_per else ""
    if i.day_high is not None:
        yield f"{_spread(i.day_low, i.day_high)}{per} a day"
    if i.dose_high is not None and i.day_high is None:
        yield f"{_spread(i.dose_low, i.dose_high)}{per}" + (f" (= {_amount(i.counted)})" if i.counted else "")
    if i.rate is not None:
        yield f"{_amount(i.rate)}{'/' + i.rate_per if i.rate_per else ''} an hour"
    if i.times_high is not None:
        times = _number(i.times_high) if i.times_low == i.times_high else f"{_number(i.times_low)} to {_number(i.times_high)}"
        yield f"{times} a day" if i.period_days == 1 else f"{times} in {_number(i.period_days)} days"
    if i.every_hours_high is not None and i.every_hours_high >= 1:
        yield (
            "every "
            + (_number(i.every_hours_low) if i.every_hours_low == i.every_hours_high else f"{_number(i.every_hours_low)} to {_number(i.every_hours_high)}")
            + " h"
        )
    if i.weekdays:
        yield " ".join(i.weekdays)
    if i.count is not None:
        yield "once" if i.count == 1 else f"{_number(i.count)} doses in all"
    if i.as_needed:
        yield "as needed" + (f" for {i.as_needed_for}" if i.as_needed_for else "")
    if i.max_single is not None:
        yield f"at most {_amount(i.max_single)} at a time"
    if i.max_per_day is not None:
        yield f"at most {_amount(i.max_per_day)} a day"
    if i.max_doses_per_day is not None:
        yield f"at most {_number(i.max_doses_per_day)} doses a day"
    if i.duration_days is not None:
        yield f"for {_number(i.duration_days)} days"
    if i.over_hours is not None:
        yield f"each over {_number(i.over_hours)} h"
    if i.route is not None:
        yield i.route
    if i.schedule is not None:
        yield i.schedule


def _spread(low: Quantity | None, high: Quantity) -> str:
    if low is None:
        return f"up to {_amount(high)}"
    return _amount(high) if low == high else f"{_number(low.value)} to {_amount(high)}"


def _amount(quantity: Quantity) -> str:
    return f"{_number(quantity.value)} {quantity.unit.code.strip('{}[]')}"


def _number(value: Decimal | None) -> str:
    assert value is not None
    return format(round(value, 3).normalize(), "f")
