"""What each instruction of an order gives of an ingredient, a dose and a day, and what is missing to know it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cds_service.audit.doses import daily_dose
from cds_service.audit.ordered import OrderedDose, ordered_doses
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Source
from cds_service.intake.sigs.read import read_sig
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity
from ontology.terms.identity import DrugIdentity, IngredientRef

DRUG = EntityId("Ingredient", "test", "drug")


def order(sig: str, text: str = "drug 500 mg tablet") -> Order:
    drug = DrugIdentity(DRUG, "drug", (IngredientRef(DRUG, "drug"),), "name", text)
    source = Source("MedicationRequest/1", None, "medications")
    return Order("MedicationRequest/1", OrderRole.DRAFT, OrderIntent.NEW, drug, text, "oral", None, read_sig(sig), "draft", source)


def given_of(sig: str, text: str = "drug 500 mg tablet") -> list[OrderedDose]:
    return list(ordered_doses(order(sig, text), DRUG))


def plain(q: Quantity | None) -> str | None:
    return f"{format(q.value.normalize(), 'f')} {q.unit.code}" if q is not None else None


@pytest.mark.parametrize(
    ("sig", "single", "daily"),
    [
        ("2 tabs po tid", "1000 mg", "3000 mg"),
        ("500 mg q8h", "500 mg", "1500 mg"),
        ("1 tab weekly", "500 mg", "71.42857142857142857142857143 mg"),
        ("1 tab mon, wed, fri", "500 mg", "214.2857142857142857142857143 mg"),
        ("2 tabs q4h prn, max 6 tabs/day", "1000 mg", "3000 mg"),
        ("2 tabs q4h prn, max 3 g/day", "1000 mg", "3 g"),
        ("1 tab q4h prn, max 3 doses per day", "500 mg", "1500 mg"),
        ("1 tab prn, max 3 tabs per day", "500 mg", "1500 mg"),
        ("0.4 mg SL every 5 minutes as needed, max 3 doses", "0.4 mg", "1.2 mg"),
        ("1200 mg/day divided q6h", "300 mg", "1200 mg"),
        ("900 mg daily in 3 divided doses", "300 mg", "900 mg"),
        ("2 tabs once", "1000 mg", "1000 mg"),
        ("2 tabs (800 mg) bid", "800 mg", "1600 mg"),
        ("1 tab up to 4 times daily", "500 mg", "2000 mg"),
    ],
)
def test_amounts_of_a_dose_and_of_a_day(sig: str, single: str, daily: str) -> None:
    (dose,) = given_of(sig)
    assert (plain(dose.single_high), plain(dose.daily_high)) == (single, daily)
    assert dose.missing == frozenset()


def test_several_doses_in_all_are_no_doses_of_one_day() -> None:
    (first, _) = given_of("300 mg IV at weeks 0 and 2, then 300 mg every 4 weeks")
    assert (plain(first.single_high), first.daily_high, first.instruction.count) == ("300 mg", None, 2)


def test_a_range_keeps_both_ends() -> None:
    (dose,) = given_of("1-2 tabs q4-6h prn")
    assert [plain(q) for q in (dose.single_low, dose.single_high, dose.daily_low, dose.daily_high)] == ["500 mg", "1000 mg", "2000 mg", "6000 mg"]


def test_the_ceiling_of_the_order_is_kept_apart() -> None:
    (dose,) = given_of("2 tabs q4h prn, max 6 tabs/day")
    assert plain(dose.ceiling) == "3000 mg"


def test_a_dose_per_kg_stays_per_kg() -> None:
    (dose,) = given_of("15 mg/kg q8h")
    assert (plain(dose.single_high), plain(dose.daily_high), dose.per) == ("15 mg", "45 mg", "kg")


def test_an_infusion_runs_all_day() -> None:
    (dose,) = given_of("18 units/kg/hr")
    assert (dose.single_high, plain(dose.daily_high), dose.per, dose.missing) == (None, "432 [USP'U]", "kg", frozenset())
    (volume,) = given_of("100 mL/hr", "drug 20 mg/mL")
    assert plain(volume.daily_high) == "48000 mg"


def test_a_patch_by_its_rate() -> None:
    (dose,) = given_of("apply 2 patches every 72 hours", "fentanyl 25 mcg/hr patch")
    assert (plain(dose.daily_high), plain(dose.single_high)) == ("1200 ug", "3600 ug")
    (said,) = given_of("Apply 1 patch (25 mcg/hr) every 72 hours", "fentanyl patch")
    assert plain(said.daily_high) == "600 ug"


@pytest.mark.parametrize(
    ("sig", "text", "missing"),
    [
        ("1 tab daily", "drug tablet", {"drug-identity"}),
        ("5 mL daily", "drug 500 mg tablet", {"drug-identity"}),
        ("4 tabs", "drug 500 mg tablet", {"frequency"}),
        ("take 1 tablet as directed", "drug 500 mg tablet", {"frequency"}),
        ("twice daily", "drug 500 mg tablet", {"dose"}),
        ("apply 1 application twice daily", "drug 1% cream", {"dose"}),
        ("as directed", "drug 500 mg tablet", {"dose", "frequency"}),
        ("pharmacy to dose", "drug", set()),
        ("sliding scale", "drug", set()),
        ("titrate per protocol", "drug", set()),
        ("2 tabs STAT", "drug 500 mg tablet", set()),
        ("600 mg per day", "drug 500 mg tablet", {"frequency"}),
    ],
)
def test_what_an_order_lacks(sig: str, text: str, missing: set[str]) -> None:
    assert given_of(sig, text)[0].missing == missing


def test_phases_and_parts_of_a_day() -> None:
    assert [plain(d.daily_high) for d in given_of("60 mg daily x 3 days, then 40 mg daily x 3 days")] == ["60 mg", "40 mg"]
    assert plain(daily_dose(order("60 mg daily x 3 days, then 40 mg daily x 3 days"))) == "60 mg"
    assert plain(daily_dose(order("2 tablets in the morning and 1 tablet at bedtime"))) == "1500 mg"


def test_routes_as_needed_are_alternatives() -> None:
    by_mouth, rectal = order("1 tab po q6h prn"), order("2 tabs rectally q6h prn")
    both = structs.replace(by_mouth, instructions=(*by_mouth.instructions, *rectal.instructions))
    assert plain(daily_dose(both)) == "4000 mg"


@given(st.integers(1, 5000), st.integers(1, 12), st.sampled_from([("mg", 1), ("g", 1000), ("mcg", Decimal("0.001"))]))
def test_units_leave_amounts_equal(number: int, times: int, unit: tuple[str, Decimal]) -> None:
    (dose,) = given_of(f"{number} {unit[0]} {times} times daily")
    assert dose.daily_high is not None
    assert dose.daily_high.value * dose.daily_high.unit.factor == number * times * unit[1]


@given(st.text(max_size=100))
def test_no_order_raises(sig: str) -> None:
    given_of(sig)
    daily_dose(order(sig))
