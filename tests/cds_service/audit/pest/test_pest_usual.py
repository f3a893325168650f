"""The usual dose that a label takes parts of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from pest_builders import ALL, D, Patient, age, crcl, flat, regimen, rule, statement, times

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.usual import part_taken_of, usual_dose
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis
from ontology.model.guards import Category, Guard, Truth
from ontology.model.spans import Span
from ontology.store.records import ClaimRecord, Rule

WHO = Patient({Axis.AGE: ("40", "a"), Axis.CRCL: ("40", "mL/min")})


def dose(amount: str, kind: PhaseKind, guard: Guard | None = None) -> Rule:
    return rule(f"{kind.value}-{amount}", regimen(flat(amount), often=times("1"), kind=kind), guard, of=ALL)


def usual(*rules: Rule) -> Any:
    uses = SimpleNamespace(truth=lambda _: Truth.TRUE)
    return usual_dose([statement(r) for r in rules], WHO, cast(Any, uses), lambda *_: None)


def test_first_and_later_doses_are_told_apart() -> None:
    found = usual(dose("400", PhaseKind.LOADING), dose("200", PhaseKind.MAINTENANCE), dose("300", PhaseKind.TITRATION))
    assert found.daily == (D(200), D(400))
    assert found.first.daily == (D(400), D(400))
    assert found.later.daily == (D(200), D(200))


@pytest.mark.parametrize("healthy", [crcl("60", low_open=True), Category(Axis.HEPATIC, ("none",))])
def test_the_usual_dose_may_be_printed_for_healthy_organs(healthy: Guard) -> None:
    assert usual(dose("20", PhaseKind.USUAL, healthy)).daily == (D(20), D(20))


def test_a_dose_for_failing_organs_or_another_age_is_no_usual_one() -> None:
    assert usual(dose("5", PhaseKind.USUAL, crcl(high="50")), dose("2", PhaseKind.USUAL, age("2", "12"))) is None


@pytest.mark.parametrize(
    ("said", "highest"),
    [
        ("Initiate treatment with half of the lowest recommended dose.", 100),
        ("Start with 50% of the minimum dose.", 100),
        ("Start with half of the usual dose.", 400),
        ("Use the lowest dose; start with half of it.", 400),
    ],
)
def test_a_part_of_the_lowest_dose_is_taken_of_the_lower_end(said: str, highest: int) -> None:
    made = usual(dose("100", PhaseKind.STARTING), dose("400", PhaseKind.MAINTENANCE))
    part = rule("part", regimen(flat("1"), often=times("1"), kind=PhaseKind.ADJUSTED))
    (claim,) = part.claims
    span = Span("label", "1", "dosage", 0, len(said), said)
    told = ClaimRecord(claim.id, "label", "1", (span,), (), (), claim.status, None, None)
    quoted = Statement(part, cast(Any, None), cast(Any, None), (told,))
    found = part_taken_of(quoted, made)
    assert found is not None
    assert found.daily == (D(100), D(highest))


def test_of_no_usual_dose_no_part_is_taken() -> None:
    assert part_taken_of(statement(rule("part", regimen(flat("1"), often=times("1")))), None) is None
