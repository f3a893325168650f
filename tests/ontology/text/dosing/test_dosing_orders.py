"""Free text of orders, in English and Chinese, is read by the same grammar as labels."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ontology.model.dosing import AmountBasis, Measure, PerWhat
from ontology.text.doses import DosePhrase, read_doses
from ontology.text.offsets import fold


def one(text: str) -> DosePhrase:
    (phrase,) = read_doses(fold(text).text)
    return phrase


def test_an_order_as_needed_with_its_ceiling() -> None:
    dose, ceiling = read_doses("1-2 tabs po q4-6h prn, max 8/day")
    assert dose.frequency is not None
    assert (dose.amounts[0].low, dose.amounts[0].high, dose.amounts[0].unit) == (1, 2, "{tbl}")
    assert (dose.frequency.every_hours_low, dose.frequency.every_hours_high, dose.frequency.as_needed, dose.route) == (4, 6, True, "oral")
    assert (ceiling.bound, ceiling.amounts[0].high, ceiling.amounts[0].unit) == (Measure.DAY, 8, "{tbl}")


@pytest.mark.parametrize(
    ("order", "unit", "times", "days"),
    [
        ("1 tab PO BID x 10 days", "{tbl}", 2, 10),
        ("500mg tid 7d", "mg", 3, 7),
        ("2 puffs twice daily", "{puff}", 2, None),
        ("10 units subcut qhs", "[USP'U]", 1, None),
    ],
)
def test_short_orders(order: str, unit: str, times: int, days: int | None) -> None:
    phrase = one(order)
    assert phrase.frequency is not None
    assert (phrase.amounts[0].unit, phrase.frequency.times_low, phrase.days_high) == (unit, times, days)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "times"),
    [
        ("口服。成人一次10mg，一日2次。", 10, 10, "mg", 2),
        ("每日三次，每次2片", 2, 2, "{tbl}", 3),
        ("每日一次，一次一片", 1, 1, "{tbl}", 1),
        ("一次1～2片，每天两次", 1, 2, "{tbl}", 2),
        ("肌内注射：一次80万单位，一日3次", 800000, 800000, "[USP'U]", 3),
        ("睡前服1片", 1, 1, "{tbl}", 1),
        ("一次0.25g（1片），一日4次", Decimal("0.25"), Decimal("0.25"), "g", 4),
    ],
)
def test_chinese_doses(text: str, low: Decimal, high: Decimal, unit: str, times: int) -> None:
    phrase = one(text)
    assert phrase.frequency is not None
    assert (phrase.amounts[0].low, phrase.amounts[0].high, phrase.amounts[0].unit, phrase.frequency.times_low) == (low, high, unit, times)


def test_chinese_doses_by_weight_and_day() -> None:
    phrase = one("每日10～20mg/kg，分2～3次服用，疗程7日")
    amount = phrase.amounts[0]
    assert (amount.basis, amount.per, phrase.days_high) == (AmountBasis.PER_KG, PerWhat.DAY, 7)
    assert phrase.frequency is not None
    assert (phrase.frequency.times_low, phrase.frequency.times_high) == (2, 3)


@pytest.mark.parametrize("text", ["一日10mg/kg", "10mg/kg/日", "一日剂量为10mg"])
def test_chinese_amounts_a_day(text: str) -> None:
    assert one(text).amounts[0].per is PerWhat.DAY


@pytest.mark.parametrize(("text", "route"), [("睡前口服1片", "oral"), ("静脉滴注，每次0.5g，一日2次", "intravenous"), ("一次0.5g，一日2次", None)])
def test_chinese_routes(text: str, route: str | None) -> None:
    assert one(text).route == route


def test_chinese_intervals() -> None:
    hours, days, weeks = one("每8小时一次，一次0.5g").frequency, one("隔日一次，一次5mg").frequency, one("每周一次，每次70mg").frequency
    assert hours is not None
    assert days is not None
    assert weeks is not None
    assert (hours.every_hours_low, days.period_days, weeks.period_days) == (8, 2, 7)


def test_chinese_ceilings() -> None:
    assert one("一日最大剂量不超过40mg").bound is Measure.DAY
    assert one("单次最大剂量为2g").bound is Measure.SINGLE
    longest = one("连续用药不得超过5日")
    assert (longest.bound, longest.days_high) == (Measure.DURATION, 5)


def test_chinese_fractions() -> None:
    assert one("肾功能不全者剂量减半").amounts[0].low == Decimal("0.5")
    assert one("用量为正常剂量的1/2").amounts[0].low == Decimal("0.5")
    assert one("首剂加倍").amounts[0].low == 2


@pytest.mark.parametrize("text", ["每片含主药500mg", "用0.9%氯化钠注射液100ml稀释", "血药浓度为20μg/ml", "6岁以上儿童"])
def test_chinese_numbers_that_are_no_doses(text: str) -> None:
    assert read_doses(fold(text).text) == []


def test_two_groups_of_patients_keep_their_own_doses() -> None:
    first, second = read_doses(fold("成人，一日3次，一次2片，儿童，一日2次，一次1片。").text)
    assert first.frequency is not None
    assert second.frequency is not None
    assert (first.amounts[0].low, first.frequency.times_low) == (2, 3)
    assert (second.amounts[0].low, second.frequency.times_low) == (1, 2)
