"""What an order gives, over all of its instructions."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cds_service.audit.ordered import ordered_doses
from cds_service.audit.pest.amounts import OrderedAmounts, ordered_amounts
from cds_service.intake.prescription import Order, OrderIntent, OrderRole, Source
from cds_service.intake.sigs.read import read_sig
from ontology.model.identifiers import EntityId
from ontology.terms.identity import DrugIdentity, IngredientRef

DRUG = EntityId("Ingredient", "test", "drug")


def amounts(sig: str, text: str = "drug 500 mg tablet", weight: str | None = "70") -> OrderedAmounts:
    drug = DrugIdentity(DRUG, "drug", (IngredientRef(DRUG, "drug"),), "name", text)
    source = Source("MedicationRequest/1", None, "medications")
    order = Order("MedicationRequest/1", OrderRole.DRAFT, OrderIntent.NEW, drug, text, "oral", None, read_sig(sig), "draft", source)
    return ordered_amounts(ordered_doses(order, DRUG), lambda per: None if weight is None else Decimal(weight))


@pytest.mark.parametrize(
    ("sig", "single", "daily"),
    [
        ("500 mg bid", "500", "1000"),
        ("2 tabs tid", "1000", "3000"),
        ("0.5 g qid", "500", "2000"),
        ("500 mg every 4 hours as needed, max 2 g per day", "500", "2000"),
        ("1 tab every 4 hours as needed, max 3 doses per day", "500", "1500"),
        ("10 mg/kg bid", "700", "1400"),
        ("500 mg once", "500", "500"),
    ],
)
def test_a_single_dose_and_a_days(sig: str, single: str, daily: str) -> None:
    mass = amounts(sig).given["mass"]
    assert (mass.single_high, mass.daily_high) == (Decimal(single), Decimal(daily))


def test_tablets_are_counted_beside_milligrams() -> None:
    given = amounts("2 tabs tid").given
    assert (given["tablet"].single_high, given["tablet"].daily_high, given["mass"].daily_high) == (2, 6, 3000)


def test_instructions_side_by_side_add_up() -> None:
    mass = amounts("500 mg in the morning and 1000 mg at bedtime").given["mass"]
    assert (mass.single_high, mass.daily_high) == (1000, 1500)


def test_phases_one_after_the_other_count_by_their_highest() -> None:
    found = amounts("1000 mg tid x 3 days, then 500 mg bid x 4 days")
    mass = found.given["mass"]
    assert (mass.single_high, mass.daily_high, mass.daily_low, found.changing, found.days) == (1000, 3000, 1000, True, 7)


def test_a_dose_by_weight_without_a_weight_has_no_amount() -> None:
    found = amounts("10 mg/kg bid", weight=None)
    assert (found.given, found.missing) == ({}, {"weight"})


@pytest.mark.parametrize(
    ("sig", "text", "missing"),
    [
        ("500 mg", "drug 500 mg tablet", {"frequency"}),
        ("bid", "drug", {"dose"}),
        ("2 tabs bid", "drug tablet", {"drug-identity"}),
        ("500 mg bid", "drug 500 mg tablet", set()),
        ("500 mg once", "drug 500 mg tablet", set()),
    ],
)
def test_what_an_order_does_not_say(sig: str, text: str, missing: set[str]) -> None:
    assert amounts(sig, text).missing == missing


def test_as_needed_is_said_only_where_all_of_it_is() -> None:
    assert amounts("500 mg bid as needed").as_needed
    assert not amounts("500 mg bid").as_needed
