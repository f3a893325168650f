"""What a gap shows of data that are known all the same, and that every axis of a label has an answer."""

from __future__ import annotations

from typing import Any, cast

import pytest
from audit_builders import UNLABELLED, chart, measured, prescribed, problem

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.outcomes import AuditResult, Category, DrugRef, Gap
from cds_service.audit.profile.order_facts import _ANSWERS, OrderFacts, PatientProfile
from ontology.model.facts import Axis, Known, Unknown
from ontology.model.identifiers import Code
from ontology.model.quantities import Unit

OBESE = (measured("2160-0", "1.3", "mg/dL"), measured("29463-7", "108", "kg"), measured("8302-2", "160", "cm"))


@pytest.mark.parametrize(
    ("members", "need", "said"),
    [
        (
            {"born": "1952-02-11", "measurements": OBESE},
            "renal-function",
            ("creatinine clearance 64.7 with actual weight, 31.4 with ideal weight, 44.7 with adjusted weight (mL/min)",),
        ),
        (
            {"conditions": (problem("Acute kidney injury", Code("icd10cm", "N17.9")),)},
            "renal-function",
            ("renal function is changing: the problem list says Acute kidney injury",),
        ),
        (
            {"conditions": (problem("Cirrhosis of liver"),)},
            "hepatic-function",
            ("hepatic impairment of a grade that the record leaves open: mild or moderate or severe",),
        ),
        ({"measurements": OBESE}, "weight", ()),
    ],
)
def test_a_gap_says_what_is_known_all_the_same(members: dict[str, Any], need: str, said: tuple[str, ...]) -> None:
    assert chart(**members).why_open((need,)) == said


def test_the_gap_card_shows_it_once() -> None:
    ref = DrugRef("capecitabine", None, ("MedicationRequest/1",))
    gaps = tuple(Gap("dosage", Category.DOSAGE, ref, ("renal-function",), q, known=("creatinine clearance 31 to 65",)) for q in ("first", "second"))
    context = AnswerContext("trace", "release", Policy.shipped(), lambda card: f"https://cds.example/{card}", "https://cds.example")
    (card,) = compose(AuditResult(gaps), prescribed(), context)
    assert card["detail"].count("On record: creatinine clearance 31 to 65.") == 1


def test_every_axis_is_answered() -> None:
    assert set(_ANSWERS) == set(Axis)


PATIENT_AXES = [a for a in Axis if a not in (Axis.ROUTE, Axis.FORMULATION, Axis.DAILY_DOSE, Axis.PRIOR_DOSE, Axis.DOSE_LEVEL, Axis.INDICATION)]
UNITS = {Axis.AGE: "a", Axis.POSTNATAL_AGE: "d", Axis.GESTATIONAL_AGE: "wk", Axis.CRCL: "mL/min", Axis.SCR: "mg/dL", Axis.BSA: "m2", Axis.BMI: "kg/m2"}


@pytest.mark.parametrize("axis", PATIENT_AXES)
@pytest.mark.parametrize("born", [None, "2026-10-20", "2020", "1990-01-01", "1940"])
@pytest.mark.parametrize("sex", [None, "female", "male"])
def test_an_empty_record_answers_every_axis_with_a_reason_or_a_value(axis: Axis, born: str | None, sex: str | None) -> None:
    facts = OrderFacts(PatientProfile(prescribed(born=born, sex=sex), cast(Any, None), cast(Any, None)), cast(Any, UNLABELLED), None)
    unit = Unit.of(UNITS[axis]) if axis in UNITS else None
    fact = facts.value(axis, "potassium" if axis is Axis.LAB else None, unit)
    assert isinstance(fact, Known) or (isinstance(fact, Unknown) and fact.needs)
