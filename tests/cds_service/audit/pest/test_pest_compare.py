"""An order beside the bands of a rule."""

from __future__ import annotations

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from pest_builders import D, band, given, ordering

from cds_service.audit.pest.amounts import OrderedAmounts
from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.compare import Comparison, Fit, compare, exceeds, settle

TENTH = D("0.10")


@pytest.mark.parametrize(
    ("ordered", "bands", "fit"),
    [
        (ordering("20", "20"), [band("20")], Fit.FITS),
        (ordering("21", "21"), [band("20")], Fit.OVER),
        (ordering("20.05", "20.05"), [band("20")], Fit.FITS),
        (ordering("19", "19"), [band("20")], Fit.UNDER),
        (ordering("21", "21"), [band("20", scaled=True)], Fit.FITS),
        (ordering("22", "22"), [band("20", scaled=True)], Fit.FITS),
        (ordering("22.1", "22.1"), [band("20", scaled=True)], Fit.OVER),
        (ordering("30", "30"), [band("20"), band("40")], Fit.FITS),
        (ordering("30", "30"), [band("20"), band("30")], Fit.FITS),
        (ordering("50", "50"), [band("20"), band("40")], Fit.OVER),
        (ordering("10", "10"), [band("20"), band("40")], Fit.UNDER),
        (ordering("20", "20"), [], Fit.NONE),
        (ordering("20", "20", dimension="volume"), [band("20")], Fit.NONE),
        (ordering(None, None), [band("20")], Fit.NONE),
        (ordering("20", None), [band("40", single="20")], Fit.FITS),
        (ordering("30", None), [band("40", single="20")], Fit.OVER),
        (ordering("80", None, once=True), [band("40")], Fit.OVER),
        (ordering("10", None, once=True), [band("40")], Fit.FITS),
    ],
)
def test_how_an_order_lies_to_what_a_rule_allows(ordered: OrderedAmounts, bands: list[Band], fit: Fit) -> None:
    assert compare(ordered, bands, TENTH).fit is fit


WEEKLY = band("10", single="70", period="7")


@pytest.mark.parametrize(
    ("ordered", "fit"),
    [
        (ordering("70", "70", a_day="1"), Fit.TOO_OFTEN),
        (ordering("70", "10", a_day="0.142857"), Fit.FITS),
        (ordering("70", "70", a_day="1", days=D(1)), Fit.OVER),
        (ordering("70", "70", a_day="1", once=True), Fit.FITS),
    ],
)
def test_a_weekly_dose_given_daily_is_too_often(ordered: OrderedAmounts, fit: Fit) -> None:
    assert compare(ordered, [WEEKLY], TENTH).fit is fit


def test_too_often_says_by_how_much() -> None:
    assert compare(ordering("70", "140", a_day="2"), [WEEKLY], TENTH).ratio == 14


@pytest.mark.parametrize(("daily", "fit"), [("2600", Fit.OVER), ("1000", Fit.OPEN), ("300", Fit.FITS), ("100", Fit.FITS)])
def test_a_band_over_all_plausible_sizes_decides_only_outside_of_it(daily: str, fit: Fit) -> None:
    found = compare(ordering(None, daily), [band("300-2400", needs=("weight",))], D(0))
    assert found.fit is fit
    assert found.needs == ({"weight"} if fit is Fit.OPEN else set())


@pytest.mark.parametrize(
    ("kinds", "fit", "ratio"),
    [
        ([(Fit.OVER, "3"), (Fit.FITS, "1")], Fit.FITS, "1"),
        ([(Fit.OVER, "3"), (Fit.OPEN, "1")], Fit.OPEN, "1"),
        ([(Fit.OVER, "3"), (Fit.UNDER, "0.5")], Fit.FITS, "1"),
        ([(Fit.OVER, "3"), (Fit.OVER, "2")], Fit.OVER, "2"),
        ([(Fit.UNDER, "0.2"), (Fit.UNDER, "0.5")], Fit.UNDER, "0.5"),
        ([(Fit.OVER, "7"), (Fit.TOO_OFTEN, "7")], Fit.TOO_OFTEN, "7"),
        ([(Fit.OVER, "1.3"), (Fit.TOO_OFTEN, "7")], Fit.OVER, "1.3"),
    ],
)
def test_of_several_rules_the_kindest_speaks(kinds: list[tuple[Fit, str]], fit: Fit, ratio: str) -> None:
    found = settle([Comparison(kind, D(by)) for kind, by in kinds])
    assert (found.fit, found.ratio) == (fit, D(ratio))


AMOUNTS = st.integers(1, 500).map(str)


@examples(AMOUNTS, AMOUNTS, AMOUNTS)
def test_more_is_never_better(less: str, more: str, most: str) -> None:
    less, more = sorted((less, more), key=int)
    if compare(ordering(None, less), [band(f"0-{most}")], TENTH).fit is Fit.OVER:
        assert compare(ordering(None, more), [band(f"0-{most}")], TENTH).fit is Fit.OVER


@pytest.mark.parametrize(
    ("amounts", "measure", "by"),
    [
        (given("100", "500"), "day", "1.25"),
        (given("100", "400"), "day", None),
        (given("500", None), "single", "1.25"),
        (given("500", "100", once=True), "day", "1.25"),
        (given("500", None), "day", None),
        (given(None, "500"), "single", None),
    ],
)
def test_by_how_much_a_ceiling_of_400_is_broken(amounts: object, measure: str, by: str | None) -> None:
    assert exceeds(amounts, D(400), measure, D("1.005")) == (None if by is None else D(by))  # type: ignore[arg-type]
