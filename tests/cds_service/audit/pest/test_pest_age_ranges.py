"""Where the age ranges of a label meet."""

from __future__ import annotations

import pytest
from pest_builders import age, condition, crcl, flat, regimen, rule

from cds_service.audit.pest.age_ranges import beginnings, until_the_next
from ontology.model.guards import AllOf, AnyOf, Guard, Not
from ontology.store.records import Rule

DOSE = regimen(flat("10"))
YOUNG = rule("young", DOSE, age("2", "12"))


def narrowed(made: Rule, *others: Rule) -> Guard | None:
    begun = beginnings((made, *others), lambda r: r.guard)
    return until_the_next(made.guard, made, begun)


def test_a_range_ends_where_the_next_begins() -> None:
    assert narrowed(YOUNG, rule("old", DOSE, age("12"))) == age("2", "12", high_open=True)


@pytest.mark.parametrize("next_", [age("13"), crcl(low="12"), None])
def test_a_range_lasts_through_its_last_year_where_nothing_begins_at_its_end(next_: Guard | None) -> None:
    assert narrowed(YOUNG, rule("old", DOSE, next_)) == age("2", "12")


def test_months_meet_years() -> None:
    assert narrowed(rule("infant", DOSE, age("6", "24", "mo")), rule("old", DOSE, age("2"))) == age("6", "24", "mo", high_open=True)


def test_ranges_of_another_use_do_not_meet() -> None:
    made = rule("young", DOSE, age("2", "12"), of=condition("asthma"))
    other = rule("old", DOSE, age("12"), of=condition("otitis"))
    assert narrowed(made, other) == age("2", "12")
    assert narrowed(made, rule("any", DOSE, age("12"))) == age("2", "12", high_open=True)
    assert narrowed(YOUNG, other) == age("2", "12", high_open=True)


def test_ranges_inside_a_guard_end_too() -> None:
    inside = AllOf((AnyOf((age("2", "12"), crcl(high="50"))), Not(age("6", "12"))))
    made = rule("young", DOSE, inside)
    ended = AllOf((AnyOf((age("2", "12", high_open=True), crcl(high="50"))), Not(age("6", "12", high_open=True))))
    assert narrowed(made, rule("old", DOSE, age("12"))) == ended


def test_the_age_of_a_single_year_stays_that_year() -> None:
    assert narrowed(rule("twelve", DOSE, age("12", "12")), rule("old", DOSE, age("12"))) == age("12", "12")
