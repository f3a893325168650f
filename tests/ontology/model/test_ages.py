"""Ages in completed years and months."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ontology.model.ages import upper_end
from ontology.model.facts import Axis, Known, Range, Unknown, UnknownReason
from ontology.model.guards import Interval, Truth, evaluate
from ontology.model.quantities import Quantity, Unit


class Aged:
    """A patient of one age, or of an age within a range."""

    def __init__(self, low: str, high: str | None = None, unit: str = "a") -> None:
        ends = [Quantity(Decimal(n), Unit.of(unit)) for n in (low, high or low)]
        within = Range(ends[0], ends[1], False, False, "about", None, "Patient/1")
        self.fact: Known | Unknown = Known(ends[0]) if high is None else Unknown(UnknownReason.TOO_BROAD, frozenset({"age"}), within)

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        return self.fact

    def exposure(self, *asked: object) -> Known | Unknown:
        raise NotImplementedError

    def condition(self, *asked: object) -> Known | Unknown:
        raise NotImplementedError


def up_to(high: str, unit: str = "a", *, low: str | None = None, high_open: bool = False, axis: Axis = Axis.AGE) -> Interval:
    return Interval(axis, Decimal(low) if low else None, Decimal(high), unit, high_open=high_open)


@pytest.mark.parametrize(
    ("band", "age", "truth"),
    [
        (up_to("12", low="1"), "12.99", Truth.TRUE),  # "1 to 12 years": until the thirteenth birthday
        (up_to("12", low="1"), "13", Truth.FALSE),
        (up_to("12", high_open=True), "12", Truth.FALSE),  # "less than 12 years" ends at the twelfth
        (up_to("12.5"), "12.7", Truth.FALSE),
        (up_to("40", axis=Axis.BMI), "40.2", Truth.FALSE),
    ],
)
def test_an_upper_bound_of_age_takes_in_its_last_year(band: Interval, age: str, truth: Truth) -> None:
    assert evaluate(band, Aged(age)).truth is truth


def test_months_are_completed_and_weeks_are_not() -> None:
    assert evaluate(up_to("23", "mo"), Aged("23.5", unit="mo")).truth is Truth.TRUE
    assert evaluate(up_to("8", "wk"), Aged("8.5", unit="wk")).truth is Truth.FALSE


@pytest.mark.parametrize(
    ("low", "high", "truth"), [("11.2", "12.9", Truth.TRUE), ("12.5", "13.4", Truth.UNKNOWN), ("13", "13.9", Truth.FALSE), ("12", "13", Truth.UNKNOWN)]
)
def test_an_age_known_as_a_range_decides_by_the_whole_last_year(low: str, high: str, truth: Truth) -> None:
    assert evaluate(up_to("12", low="1"), Aged(low, high)).truth is truth


def test_lower_ends_and_what_is_printed_stay() -> None:
    band = Interval(Axis.AGE, Decimal(60), None, "a", low_open=True)
    assert [evaluate(band, Aged(n)).truth for n in ("60", "60.1")] == [Truth.FALSE, Truth.TRUE]
    assert (up_to("12").high, up_to("12").high_open) == (Decimal(12), False)
    assert upper_end(Axis.AGE, None, "a", high_open=False) == (None, False)
