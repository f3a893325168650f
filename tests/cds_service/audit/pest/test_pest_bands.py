"""What a dose rule allows: printed amounts, body sizes, caps, fractions, times a day."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pest_builders import D, flat, per_kg, regimen, times

from cds_service.audit.pest.bands import Size, Usual, limit_value, regimen_bands, times_a_day
from ontology.model.dosing import Amount, AmountBasis, FractionOf, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen


def sizes(basis: AmountBasis, weight: str | None) -> Size | None:
    """70 kg, ideal weight 60 kg, 1.8 m2."""
    if basis is AmountBasis.PER_KG:
        return Size(D(60), D(60)) if weight == "ideal" else Size(D(70), D(70))
    return Size(D("1.8"), D("1.8")) if basis is AmountBasis.PER_M2 else None


def unweighed(basis: AmountBasis, weight: str | None) -> Size | None:
    return Size(D(30), D(250), frozenset({"weight"}))


@pytest.mark.parametrize(
    ("made", "single", "daily"),
    [
        (regimen(flat("20"), often=times("1")), ("20", "20"), ("20", "20")),
        (regimen(flat("250-500"), often=times("4")), ("250", "500"), ("1000", "2000")),
        (regimen(flat("1", "g"), often=times("2")), ("1000", "1000"), ("2000", "2000")),
        (regimen(flat("500", "mcg"), often=times("1")), ("0.5", "0.5"), ("0.5", "0.5")),
        (regimen(flat("650"), often=Frequency(every_hours_low=D(4), every_hours_high=D(6))), ("650", "650"), ("2600", "3900")),
        (regimen(flat("900", per=PerWhat.DAY), often=times("3")), ("300", "300"), ("900", "900")),
        (regimen(per_kg("10"), often=times("2")), ("700", "700"), ("1400", "1400")),
        (regimen(per_kg("10", weight="ideal"), often=times("2")), ("600", "600"), ("1200", "1200")),
        (regimen(per_kg("10", cap=D(500)), often=times("2")), ("500", "500"), ("1000", "1000")),
        (regimen(flat("75", basis=AmountBasis.PER_M2), often=times("1")), ("135", "135"), ("135", "135")),
        (regimen(Amount(None, None, "mg", choices=(D(5), D(20), D(10))), often=times("1")), ("5", "20"), ("5", "20")),
        (regimen(Amount(None, D(40), "mg"), often=times("1")), ("0", "40"), ("0", "40")),
    ],
)
def test_amounts_that_a_regimen_allows(made: Regimen, single: tuple[str, str], daily: tuple[str, str]) -> None:
    (found,) = regimen_bands(made, sizes, None)
    assert (found.single_low, found.single_high) == tuple(D(x) for x in single)
    assert (found.daily_low, found.daily_high) == tuple(D(x) for x in daily)


def test_a_weekly_dose_keeps_its_week() -> None:
    (found,) = regimen_bands(regimen(flat("70"), often=times("1", "7")), sizes, None)
    assert (found.single_high, found.daily_high, found.period_days) == (70, 10, 7)


def test_only_amounts_by_size_or_fraction_are_rounded_when_ordered() -> None:
    assert [b.scaled for b in regimen_bands(regimen(flat("70"), per_kg("1")), sizes, None)] == [False, True]


def test_without_a_weight_a_band_spans_what_is_plausible_and_says_so() -> None:
    (found,) = regimen_bands(regimen(per_kg("10"), often=times("1")), unweighed, None)
    assert (found.single_low, found.single_high, found.needs) == (300, 2500, {"weight"})


@pytest.mark.parametrize(
    "made",
    [
        regimen(flat("5"), kind=PhaseKind.TITRATION, increment=True),
        regimen(flat("5", basis=AmountBasis.AUC)),
        regimen(Amount(D(5), None, "mg")),
        regimen(flat("5", per=PerWhat.COURSE)),
    ],
)
def test_what_cannot_be_worked_out_allows_nothing(made: Regimen) -> None:
    assert regimen_bands(made, sizes, None) == []


HALF = Regimen((Phase(PhaseKind.ADJUSTED, (Amount(D(50), D(50), "%", AmountBasis.FRACTION, fraction_of=FractionOf.USUAL),)),))


def test_a_fraction_is_one_of_both_ends_of_the_usual_dose() -> None:
    (found,) = regimen_bands(HALF, sizes, Usual("mass", (D(100), D(200)), (D(200), D(400))))
    assert (found.single_low, found.single_high, found.daily_low, found.daily_high, found.scaled) == (50, 100, 100, 200, True)


@pytest.mark.parametrize(("kind", "daily"), [(PhaseKind.STARTING, (50, 50)), (PhaseKind.ADJUSTED, (50, 200))])
def test_a_first_dose_that_is_a_fraction_is_one_of_the_usual_first_dose(kind: PhaseKind, daily: tuple[int, int]) -> None:
    half = regimen(*HALF.phases[0].amounts, kind=kind)
    first = Usual("mass", None, (D(100), D(100)))
    (found,) = regimen_bands(half, sizes, Usual("mass", None, (D(100), D(400)), first=first))
    assert (found.daily_low, found.daily_high) == daily


def test_where_no_first_dose_is_told_a_first_fraction_is_of_the_usual_dose() -> None:
    (found,) = regimen_bands(regimen(*HALF.phases[0].amounts, kind=PhaseKind.STARTING), sizes, Usual("mass", None, (D(100), D(400))))
    assert (found.daily_low, found.daily_high) == (50, 200)


def test_a_fraction_of_a_dose_by_weight_needs_the_weight() -> None:
    (found,) = regimen_bands(HALF, sizes, Usual("mass", (D(100), D(200)), None, frozenset({"weight"})))
    assert (found.needs, found.daily_high) == ({"weight"}, None)


def test_a_fraction_of_an_unknown_usual_dose_allows_nothing() -> None:
    assert regimen_bands(HALF, sizes, None) == []


@pytest.mark.parametrize(
    ("often", "expected"),
    [
        (None, (None, None, 1)),
        (Frequency(times_low=D(2), times_high=D(3)), (2, 3, 1)),
        (Frequency(times_high=D(4)), (4, 4, 1)),
        (Frequency(every_hours_low=D(8), every_hours_high=D(8)), (3, 3, 1)),
        (Frequency(every_hours_low=D(48), every_hours_high=D(48)), (D("0.5"), D("0.5"), 2)),
        (Frequency(times_high=D(3), every_hours_low=D(4), every_hours_high=D(6)), (4, 3, 1)),
    ],
)
def test_times_a_day(often: Frequency | None, expected: tuple[Decimal | None, Decimal | None, Decimal]) -> None:
    assert times_a_day(often) == expected


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (flat("4", "g"), ("mass", D(4000), False, frozenset())),
        (per_kg("75"), ("mass", D(5250), True, frozenset())),
        (per_kg("75", cap=D(4000)), ("mass", D(4000), True, frozenset())),
        (flat("14", "d"), ("time", D(14), False, frozenset())),
        (flat("5", basis=AmountBasis.AUC), None),
    ],
)
def test_the_ceiling_of_a_limit(amount: Amount, expected: object) -> None:
    assert limit_value(Limit(Measure.DAY, LimitScope.INGREDIENT, amount), sizes) == expected


@pytest.mark.parametrize(("of", "daily"), [(FractionOf.MAINTENANCE, (50, 100)), (FractionOf.USUAL, (50, 200))])
def test_a_fraction_of_the_maintenance_dose_is_no_fraction_of_the_loading_dose(of: FractionOf, daily: tuple[int, int]) -> None:
    half = regimen(Amount(D(50), D(50), "%", AmountBasis.FRACTION, fraction_of=of), kind=PhaseKind.ADJUSTED)
    later = Usual("mass", None, (D(100), D(200)))
    (found,) = regimen_bands(half, sizes, Usual("mass", None, (D(100), D(400)), later=later))
    assert (found.daily_low, found.daily_high) == daily


def test_a_fraction_of_a_maximum_allows_nothing() -> None:
    half = regimen(Amount(D(50), D(50), "%", AmountBasis.FRACTION, fraction_of=FractionOf.RULE), kind=PhaseKind.ADJUSTED)
    assert regimen_bands(half, sizes, Usual("mass", None, (D(100), D(400)))) == []
