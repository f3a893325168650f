"""Ceilings: which are broken, by how much, and over what."""

from __future__ import annotations

from typing import Any

import pytest
from pest_builders import D, Patient, crcl, flat, given, holding, ordering, per_kg, rule

from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.limits import Excess, exceeded
from cds_service.audit.pest.sizes import BodySizes
from ontology.model.dosing import Amount, Limit, LimitScope, Measure, PerWhat
from ontology.model.facts import Axis
from ontology.model.guards import Truth

MAN = Patient({Axis.WEIGHT: ("70", "kg"), Axis.AGE: ("40", "a"), Axis.CRCL: ("80", "mL/min")})


def limit(measure: Measure, amount: Amount, **more: Any) -> Limit:
    return Limit(measure, LimitScope.INGREDIENT, amount, **more)


def broken(ordered: OrderedAmounts, *limits: Limit, totals: dict[str, Given] | None = None, who: Patient = MAN) -> list[Excess]:
    made = [holding(rule(str(i), x)) for i, x in enumerate(limits)]
    return exceeded(made, ordered, totals or ordered.given, BodySizes(who), who, D("0.10"))


@pytest.mark.parametrize(
    ("ordered", "bound", "by"),
    [
        (ordering("1000", "5000"), limit(Measure.DAY, flat("4000")), "1.25"),
        (ordering("1000", "4000"), limit(Measure.DAY, flat("4000")), None),
        (ordering("1000", "4100"), limit(Measure.DAY, flat("4000")), "1.025"),
        (ordering("1000", "5000"), limit(Measure.SINGLE, flat("800")), "1.25"),
        (ordering("1000", "5000"), limit(Measure.SINGLE, flat("1000")), None),
        (ordering("70", "70"), limit(Measure.WEEK, flat("70", per=PerWhat.WEEK)), "7"),
        (ordering("70", "10"), limit(Measure.WEEK, flat("70", per=PerWhat.WEEK)), None),
        (ordering("70", "70"), limit(Measure.WEEK, flat("70")), None),
        (ordering("600", "6000"), limit(Measure.DAY, per_kg("75")), "1.142857142857142857142857143"),
        (ordering("600", "5700"), limit(Measure.DAY, per_kg("75")), None),
        (ordering("600", "6000"), limit(Measure.DAY, per_kg("75", cap=D(4000))), "1.5"),
        (ordering("1", "1", days=D(30)), limit(Measure.DURATION, flat("14", "d")), "2.142857142857142857142857143"),
        (ordering("1", "1", days=D(14)), limit(Measure.DURATION, flat("14", "d")), None),
        (ordering("1", "1"), limit(Measure.DURATION, flat("14", "d")), None),
        (ordering("1", "4", a_day="4"), limit(Measure.MINIMUM_INTERVAL, flat("3", "d")), "12"),
        (ordering("1", "2", a_day="2"), limit(Measure.MINIMUM_INTERVAL, flat("12", "h")), None),
        (ordering("9", "9", dimension="volume"), limit(Measure.DAY, flat("4")), None),
        (ordering("9", "9"), limit(Measure.LIFETIME, flat("4")), None),
    ],
)
def test_by_how_much_a_ceiling_is_broken(ordered: OrderedAmounts, bound: Limit, by: str | None) -> None:
    assert [e.ratio for e in broken(ordered, bound)] == ([] if by is None else [D(by)])


def test_every_ceiling_that_is_broken_is_told() -> None:
    found = broken(ordering("1000", "5000"), limit(Measure.DAY, flat("4000")), limit(Measure.DAY, flat("3000")), limit(Measure.DAY, flat("6000")))
    assert [e.ceiling for e in found] == [4000, 3000]


def test_a_day_is_the_sum_of_all_orders_and_a_single_dose_is_not() -> None:
    ordered, total = ordering("500", "2000"), {"mass": given("500", "4600")}
    assert [e.measure for e in broken(ordered, limit(Measure.DAY, flat("4000")), limit(Measure.SINGLE, flat("1000")), totals=total)] == [Measure.DAY]


def test_a_limit_that_overrides_another_replaces_it_where_it_holds() -> None:
    general, special = limit(Measure.DAY, flat("4000")), limit(Measure.DAY, flat("6000"), overrides="c-general")
    rules = [holding(rule("general", general)), holding(rule("special", special))]
    ordered = ordering("1000", "5000")
    assert exceeded(rules, ordered, ordered.given, BodySizes(MAN), MAN, D(0)) == []
    unsure = [rules[0], holding(rule("special", special), Truth.UNKNOWN, needs=("age",))]
    assert [e.ceiling for e in exceeded(unsure, ordered, ordered.given, BodySizes(MAN), MAN, D(0))] == [4000]


@pytest.mark.parametrize(("clearance", "count"), [("80", 0), ("20", 1), (None, 0)])
def test_an_exception_that_may_hold_excuses(clearance: str | None, count: int) -> None:
    who = Patient({Axis.CRCL: (clearance, "mL/min")} if clearance else {})
    assert len(broken(ordering("1000", "5000"), limit(Measure.DAY, flat("4000"), exception=crcl("60")), who=who)) == count


def test_a_ceiling_by_weight_without_a_weight_is_broken_only_above_every_plausible_one() -> None:
    unweighed = Patient({Axis.AGE: ("40", "a")})
    assert broken(ordering("1", "10000"), limit(Measure.DAY, per_kg("75")), who=unweighed) == []
    assert [e.needs for e in broken(ordering("1", "30000"), limit(Measure.DAY, per_kg("75")), who=unweighed)] == [{"weight"}]
