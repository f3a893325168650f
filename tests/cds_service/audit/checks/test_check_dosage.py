"""The dose check: which result it gives, with which values, and how loud it may be."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from case_orders import WEIGHT_80, labels_of, man, told
from case_world import World

from cds_service.audit.checks.dosage import DosageCheck
from cds_service.audit.outcomes import Certainty, Clear, Finding, Gap, NotEvaluated, NotEvaluatedReason, RiskType
from ontology.model.advice import Action
from ontology.model.claims import Strength

CHECK = DosageCheck()
ACETAMINOPHEN = {"text": "acetaminophen 500 mg oral tablet", "route": "oral"}
RIVAROXABAN = {"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"}
CREATININE = {"text": "Creatinine", "loinc": "2160-0", "value": 2.5, "unit": "mg/dL"}
USUAL = {"says": "Take 10 mg once daily.", "doses": "all", "dose": "10 mg", "times": 1}


@cache
def labels() -> tuple[World, dict[str, str]]:
    judged = {"says": "Debilitated patients take no more than 5 mg a day.", "limits": "all", "at_most": "5 mg a day", "when": {"judge": "debilitated"}}
    low = {"axis": "crcl", "below": 30, "unit": "mL/min"}
    hedged = {"says": "Consider 5 mg once daily below 30 mL/min.", "doses": "all", "dose": "5 mg", "times": 1, "when": low, "strength": "consider"}
    old = {**hedged, "says": "Consider 5 mg once daily from 65 years.", "when": {"axis": "age", "at_least": 65, "unit": "a"}}
    lower = {**hedged, "says": "Below 30 mL/min give 5 mg once daily.", "strength": "must"}
    raised = {"says": "Below 30 mL/min do not exceed 10 mg a day.", "limits": "all", "at_most": "10 mg a day", "when": low}
    return labels_of(
        {
            "raised": (USUAL, lower, raised),
            "usual": ({**USUAL, "doses": "hypertension"},),
            "judged": (USUAL, judged),
            "kidneys": (USUAL, hedged),
            "elderly": (USUAL, old),
        }
    )


def only(draft: Any, **more: Any) -> Any:
    (result,) = told(CHECK, draft, **more)
    return result


def test_a_broken_ceiling_names_order_and_label() -> None:
    found = only({**ACETAMINOPHEN, "dose": "1000 mg", "times_a_day": 6})
    assert isinstance(found, Finding)
    assert (found.risk, found.action, found.certainty, found.cap) == (RiskType.DOSAGE_OVER, Action.ADJUST_DOSE, Certainty.CODED, None)
    assert (found.ordered, found.allowed, found.excess) == ("6000 mg a day", "at most 4000 mg a day", 1.5)
    assert found.evidence[0].span.quote == "The maximum is 4000 mg in 24 hours."


def test_a_sum_names_the_other_order() -> None:
    found = only({**ACETAMINOPHEN, "dose": "500 mg", "times_a_day": 4}, current=({**ACETAMINOPHEN, "dose": "650 mg", "times_a_day": 4},))
    assert any(q.startswith("together with acetaminophen") for q in found.qualifiers)


def test_a_missed_adjustment_names_the_patients_value() -> None:
    found = only(RIVAROXABAN, who=man(labs=[WEIGHT_80, CREATININE, {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}]))
    assert (found.risk, found.other.type, found.allowed) == (RiskType.DOSE_ADJUSTMENT_MISSED, "lab", "15 mg a day")
    assert "mL/min" in found.other.name


def test_a_weekly_dose_given_daily_is_an_error_of_frequency_that_policy_can_make_critical() -> None:
    found = only({"text": "methotrexate 2.5 mg oral tablet", "route": "oral", "dose": "7.5 mg", "times_a_day": 1, "reason": "Rheumatoid arthritis"})
    assert (found.risk, found.excess) == (RiskType.FREQUENCY_ERROR, 7)


def test_a_course_that_is_too_long_is_an_error_of_duration() -> None:
    found = only(
        {"text": "levofloxacin 750 mg oral tablet", "route": "oral", "dose": "750 mg", "times_a_day": 1, "for_days": 30, "reason": "Pneumonia"},
        who=man(labs=[{**CREATININE, "value": 0.9}, WEIGHT_80, {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}]),
    )
    assert (found.risk, found.ordered, found.allowed) == (RiskType.DURATION_ERROR, "30 days", "at most 14 days")


def test_what_every_rule_in_question_forbids_is_approximated_and_not_capped() -> None:
    found = only({**RIVAROXABAN, "dose": "60 mg"}, who=man(labs=[WEIGHT_80]))
    assert (found.certainty, found.cap) == (Certainty.APPROXIMATED, None)


def test_words_that_only_a_person_can_judge_cap_the_finding() -> None:
    world, drugs = labels()
    draft = {"text": f"{drugs['judged']} 10 mg oral tablet", "route": "oral", "dose": "10 mg", "times_a_day": 1}
    assert isinstance(only(draft, world=world), Clear)
    assert only(draft, world=world, who=man(conditions=["Debilitated"])).cap == "warning"


def test_a_dose_to_consider_is_owed_to_failing_kidneys_and_only_suggested_for_age() -> None:
    world, drugs = labels()
    kidneys, elderly = ({"text": f"{drugs[name]} 10 mg oral tablet", "route": "oral", "dose": "10 mg", "times_a_day": 1} for name in ("kidneys", "elderly"))
    who = man(labs=[WEIGHT_80, {**CREATININE, "value": 5.5}, {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}])
    assert only(kidneys, world=world, who=who).strength is Strength.SHOULD
    assert only(elderly, world=world, who=man(born="1940-01-01")).strength is Strength.CONSIDER


def test_what_patients_may_be_raised_to_does_not_excuse_what_they_are_started_on() -> None:
    world, drugs = labels()
    tablet = f"{drugs['raised']} 10 mg oral tablet"
    draft = {"text": tablet, "id": "2", "route": "oral", "dose": "10 mg", "times_a_day": 1}
    who = man(labs=[WEIGHT_80, {**CREATININE, "value": 5.5}, {"text": "Height", "loinc": "8302-2", "value": 185, "unit": "cm"}])
    assert only(draft, world=world, who=who).risk is RiskType.DOSE_ADJUSTMENT_MISSED
    earlier = ({"text": tablet, "id": "1", "route": "oral", "dose": "5 mg", "times_a_day": 1},)
    assert isinstance(only({**draft, "replaces": "1"}, world=world, who=who, current=earlier), Clear)


def test_too_low_a_dose_is_information() -> None:
    world, drugs = labels()
    tablet = f"{drugs['usual']} 10 mg oral tablet"
    draft = {"text": tablet, "id": "2", "route": "oral", "dose": "2 mg", "times_a_day": 1, "replaces": "1", "reason": "Hypertension"}
    current = ({"text": tablet, "id": "1", "route": "oral", "dose": "2 mg", "times_a_day": 1},)
    found = only(draft, world=world, current=current)
    assert (found.risk, found.cap) == (RiskType.DOSAGE_UNDER, "info")
    assert isinstance(only({**draft, "as_needed": True}, world=world, current=current), Clear)
    assert isinstance(only({k: v for k, v in draft.items() if k != "replaces"}, world=world), Clear)


def test_a_missing_datum_is_asked_for_with_the_rules_that_hang_on_it() -> None:
    gap = only(RIVAROXABAN, who=man(labs=[WEIGHT_80]))
    assert isinstance(gap, Gap)
    assert (gap.needs, len(gap.rules)) == (("renal-function",), 2)
    assert "creatinine clearance" in gap.question


@pytest.mark.parametrize("sig", ["pharmacy to dose", "per protocol"])
def test_a_dose_that_is_set_elsewhere_is_said_and_not_asked_for(sig: str) -> None:
    result = only({"text": "vancomycin injection", "route": "intravenous", "sig": sig})
    assert isinstance(result, NotEvaluated)
    assert result.reason is NotEvaluatedReason.OUT_OF_SCOPE


def test_a_child_on_an_adult_label_was_not_checked() -> None:
    result = only({**ACETAMINOPHEN, "dose": "250 mg", "times_a_day": 4}, who=man(born="2022-06-01"))
    assert isinstance(result, NotEvaluated)
    assert "no dose for patients of this age" in result.message


def test_a_ceiling_for_everybody_holds_for_a_child() -> None:
    assert isinstance(only({**ACETAMINOPHEN, "dose": "1500 mg", "times_a_day": 4}, who=man(born="2022-06-01")), Finding)


def test_a_drug_that_acts_where_it_is_put_has_no_dose_to_check() -> None:
    assert isinstance(only({"text": "diclofenac 1 % topical gel", "route": "topical", "dose": "4000 mg", "times_a_day": 9}), Clear)
