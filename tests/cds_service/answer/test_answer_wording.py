"""What cards say, read as a pharmacist reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from case_request import request_of
from case_world import case_world

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.gap_wording import gap_detail, gap_summary, need_words, unchecked_detail
from cds_service.answer.policy import Policy
from cds_service.answer.wording import calm_lines, detail, headline
from cds_service.audit.chain import run_chain
from cds_service.audit.outcomes import Category, Certainty, Counterpart, DrugRef, EvidenceRef, Finding, Gap, NotEvaluated, NotEvaluatedReason, RiskType
from cds_service.intake.prescription import Source
from cds_service.intake.request import read_request
from ontology.model.advice import Action
from ontology.model.spans import Span

QUOTE = "Reduce the dose to 15 mg once daily. Monitor these patients."


def evidence(quote: str = QUOTE, start: int = 0) -> EvidenceRef:
    return EvidenceRef("c", Span("doc", "1", "dosage", start, start + len(quote), quote), None, "Label", date(2026, 1, 1))


def finding(**changes: Any) -> Finding:
    base = Finding(
        check="interaction",
        category=Category.INTERACTION,
        risk=RiskType.INTERACTION_DRUG_DRUG,
        drug=DrugRef("simvastatin", None, ("MedicationRequest/1",)),
        other=Counterpart("drug", "verapamil", None),
        action=Action.ADJUST_DOSE,
        hazard="interaction",
        certainty=Certainty.CODED,
        evidence=(evidence(),),
        rules=("c",),
    )
    return replace(base, **changes)


def told(*findings: Finding) -> str:
    return detail(findings, Policy.shipped(), lambda _: None)


DOSE = {"category": Category.DOSAGE, "check": "dosage", "risk": RiskType.DOSAGE_OVER, "ordered": "20 mg a day", "allowed": "15 mg a day"}
KIDNEYS = Counterpart("lab", "40 mL/min", "creatinine clearance 15 to 50 mL/min", "creatinine clearance 40 mL/min")


def test_a_dose_card_says_order_patient_label_and_what_to_do_each_once() -> None:
    f = finding(**DOSE, other=KIDNEYS, patient="creatinine clearance 40 mL/min (2026-10-02)")
    assert headline(f) == "Simvastatin: 20 mg a day ordered, the label says 15 mg a day (creatinine clearance 40 mL/min)"
    said = told(f)
    assert said.startswith("**Simvastatin for creatinine clearance 15 to 50 mL/min.** Ordered: 20 mg a day. The label: 15 mg a day.")
    assert "Patient: creatinine clearance 40 mL/min (2026-10-02)." in said
    assert "What to do: order what the label allows (15 mg a day), or record why not." in said
    assert said.count("creatinine clearance 40 mL/min") == 1


def test_a_partner_that_changes_the_dose_is_named_with_with() -> None:
    assert headline(finding(**DOSE)).endswith("the label says 15 mg a day (with verapamil)")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Counterpart("lab", "potassium 5.7 mmol/L", "Hyperkalemia"), "contraindicated with potassium 5.7 mmol/L (Hyperkalemia)"),
        (Counterpart("population", "age (age 12 days)", "neonates", "age 12 days"), "contraindicated at age 12 days (neonates)"),
        (Counterpart("condition", "Disseminated histoplasmosis", "systemic fungal infections"), "contraindicated in Disseminated histoplasmosis"),
        (Counterpart("lab", "systolic blood pressure 92 mm[Hg]", None), "contraindicated with systolic blood pressure 92 mmHg"),
    ],
)
def test_a_patient_has_a_value_is_at_an_age_and_in_a_state(other: Counterpart, said: str) -> None:
    assert headline(finding(category=Category.CONTRAINDICATION, action=Action.CONTRAINDICATED, other=other)) == f"Simvastatin: {said}"


def test_an_entry_of_the_record_is_shown_with_its_day_and_the_label_with_its_word() -> None:
    f = finding(
        category=Category.CONTRAINDICATION,
        action=Action.CONTRAINDICATED,
        other=Counterpart("condition", "Cirrhosis", "active liver disease"),
        data=(Source("Condition/1", date(2025, 3, 1), "conditions"),),
    )
    assert told(f).startswith("**Simvastatin in active liver disease.** The label contraindicates this.\n\nPatient: Cirrhosis (2025-03-01).")


def test_words_for_the_change_are_left_out_where_the_quote_holds_them_and_end_once() -> None:
    assert "Change named" not in told(finding(parameter="reduce the dose to 15 mg once daily."))
    assert "Change named by the label: halve it." in told(finding(parameter="halve it."))


def test_the_change_names_the_drug_where_the_stored_words_leave_it_out() -> None:
    said = told(finding(parameter="Reduce the this drug dose to one half, then raise this drug slowly"))
    assert "Reduce simvastatin dose to one half, then raise simvastatin slowly." in said
    assert "this drug" not in said


def test_a_change_that_the_quote_holds_under_a_brand_name_is_not_said_again() -> None:
    said = told(finding(parameter="Reduce the this drug dose to one half", evidence=(evidence("Reduce the BRANDEX dose to one half with potent inhibitors."),)))
    assert "Change named" not in said
    other = told(
        finding(parameter="Reduce the this drug dose to one third", evidence=(evidence("Reduce the BRANDEX dose to one half with potent inhibitors."),))
    )
    assert "Change named" in other


def test_a_change_that_was_cut_ends_at_a_word() -> None:
    said = told(finding(parameter=("reduce the dose step by step " * 10)[:120]))
    assert "dose step by step…" in said
    assert "…" in told(finding(parameter="words " * 20))
    assert ".." not in told(finding(parameter="halve it.", effect="bleeding.", qualifiers=("confirm.",)))


def test_a_note_or_sentence_is_said_once_on_a_card() -> None:
    note = "the order of verapamil is from 2025-01-01: confirm that it is still taken"
    both = told(finding(qualifiers=(note,)), finding(qualifiers=(note,), evidence=(evidence("Another sentence of the label.", 100),)))
    assert both.count("confirm that it is still taken") == 1
    again = finding(action=Action.CAUTION)
    assert told(finding(), again) == told(finding())
    lines = calm_lines(
        [finding(action=Action.MONITOR), finding(action=Action.MONITOR, other=Counterpart("drug", "diltiazem", None))], Policy.shipped(), lambda _: None
    )
    assert sum(QUOTE in line for line in lines) == 1


def test_two_of_one_class_are_not_called_one_ingredient() -> None:
    assert "same class" in told(finding(category=Category.DUPLICATE, risk=RiskType.DUPLICATE_CLASS, action=Action.AVOID))
    assert "same ingredient" in told(finding(category=Category.DUPLICATE, risk=RiskType.DUPLICATE_INGREDIENT, action=Action.AVOID))


def test_what_is_only_to_be_watched_asks_for_nothing() -> None:
    assert "What to do" not in told(finding(action=Action.MONITOR))


def gap(needs: tuple[str, ...], question: str) -> Gap:
    return Gap("dosage", Category.DOSAGE, DrugRef(question.split(maxsplit=1)[0], None, ("o",)), needs, question)


def test_the_gap_card_has_a_line_a_datum() -> None:
    gaps = [gap(("renal-function", "weight"), "a dose"), gap(("renal-function",), "b dose"), gap(("renal-function",), "c dose"), gap(("lab:lvef",), "d dose")]
    lines = gap_detail(gaps).splitlines()
    assert [line.split("**")[1] for line in lines] == [
        "renal function (creatinine or eGFR)",
        "left ventricular ejection fraction",
        "renal function (creatinine or eGFR), body weight",
    ]
    assert "B dose. C dose." in lines[0]
    assert gap_summary(gaps).startswith("Missing for a, b, c, d: ")


def test_laboratory_values_have_their_names() -> None:
    assert [need_words(n) for n in ("lab:inr", "lab:potassium", "lab:uric-acid", "weight")] == ["INR", "potassium", "uric acid", "body weight"]


def test_drugs_that_lack_the_same_stand_in_one_line() -> None:
    def lacking(name: str, message: str = "no label is in the release") -> NotEvaluated:
        return NotEvaluated("x", Category.INTERACTION, DrugRef(name, None, ("o",)), NotEvaluatedReason.NO_KNOWLEDGE, f"{name.capitalize()}: {message}.")

    lines = unchecked_detail([lacking("lisinopril"), lacking("metformin"), lacking("aspirin", "another reason")]).splitlines()
    assert lines == ["- **not covered**: Lisinopril and metformin: no label is in the release.", "- **not covered**: Aspirin: another reason."]


CASES: list[Mapping[str, Any]] = [
    {
        "patient": {
            "born": "1966-05-01",
            "sex": "male",
            "allergies": "none stated",
            "conditions": [{"text": "Atrial fibrillation", "icd10": "I48.91"}],
            "labs": [
                {"text": "Creatinine", "loinc": "2160-0", "value": 2.0, "unit": "mg/dL"},
                {"text": "Weight", "loinc": "29463-7", "value": 72, "unit": "kg"},
            ],
        },
        "current": ["warfarin 5 mg oral tablet", "simvastatin 40 mg oral tablet"],
        "draft": [
            {"text": "rivaroxaban 20 mg oral tablet", "route": "oral", "dose": "20 mg", "times_a_day": 1, "reason": "Atrial fibrillation"},
            "clarithromycin 500 mg oral tablet",
            "ibuprofen 400 mg oral tablet",
        ],
    }
]


@pytest.mark.parametrize("case", CASES)
def test_no_card_says_none_or_a_double_stop_or_a_number_without_a_unit(case: Mapping[str, Any]) -> None:
    prescription = read_request(request_of(case), case_world().terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=True)
    result = run_chain(prescription, case_world(), Policy.shipped())
    cards = compose(result, prescription, AnswerContext("t", "r", Policy.shipped(), lambda c: c, "https://x"))
    assert len(cards) > 3
    for card in cards:
        own = "\n".join(line for line in card["detail"].splitlines() if not line.startswith(">"))
        assert len(card["summary"]) < 140
        assert not re.search(r"\bNone\b|\bnone\b|\.\.|\(\)|\b(\w[\w ]+) \(\1\)", f"{card['summary']}\n{own}")
        assert not re.search(r"(?:clearance|weight|eGFR) \d+(?:\.\d+)?(?! ?(?:mL|kg|to))", own)
        if card["indicator"] != "info":
            assert "What to do: " in card["detail"]
            assert "\n>" in card["detail"]
