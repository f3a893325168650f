"""Sentences about "these patients" and "these drugs": whom the sentence before names, and whom it only tells of."""

from __future__ import annotations

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.publish.conditions import conditions_of

WARNINGS = "warnings_and_cautions"


def advised(made):
    """(population, action, whether anything restricts it) of every claim."""
    found = (p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon))
    return {(c.object.code, c.payload.strictest.value, any(conditions_of(c.guard, str)) if c.guard is not None else False) for c in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5.1 X Patients with angioedema may react again. ZOCOR must not be given to such patients.", {("angioedema", "contraindicated")}),
        ("5.1 X ZOCOR was never studied in patients with asthma. Use of ZOCOR is not recommended in these patients.", {("asthma", "not-recommended")}),
        ("5.1 X Patients with bradycardia may faint. These patients should not receive ZOCOR.", {("bradycardia", "avoid")}),
        ("5.1 X Patients with asthma were left out of the trials, and use in these patients is not recommended.", {("asthma", "not-recommended")}),
    ],
)
def test_these_patients_are_those_with_the_state_named_before(label, text, expected):
    assert label(text, WARNINGS).said("contraindicated_in") == expected


@pytest.mark.parametrize(
    "text",
    [
        "5.1 X Patients with asthma who smoke fare worse. ZOCOR should not be used in these patients.",
        "5.1 X Patients with asthma and patients with bradycardia fared worse. ZOCOR should not be used in these patients.",
        "5.1 X Patients with asthma may need less. Smaller doses may be needed to avoid harm in these patients.",
        "5.1 X Patients who have already experienced angioedema may react again. ZOCOR should not be used in these patients.",
    ],
)
def test_patients_of_whom_more_is_said_are_not_told_by_their_state_alone(label, text):
    assert label(text, WARNINGS).said("contraindicated_in") == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5.1 X Digoxin and verapamil raise its levels. Coadministration with these drugs should be avoided.", {("digoxin", "avoid"), ("verapamil", "avoid")}),
        ("5.1 X Levels rise with ketoconazole. Use caution when ZOCOR is given with such agents.", {("ketoconazole", "caution")}),
        ("5.1 X Digoxin has done harm. Patients on these drugs should be watched.", set()),
        ("5.1 X Because CYP3A4 inhibition raises its levels, harm is likely. Concomitant use of these medications is contraindicated.", set()),
    ],
)
def test_what_is_asked_beside_these_drugs_is_asked_of_those_named_before(label, text, expected):
    assert label(text, WARNINGS).said("interacts_with") == expected


def test_those_at_risk_are_the_people_whom_the_sentence_before_lists(label):
    text = "5.4 Clotting Those at risk include patients with renal or hepatic impairment. Clotting time should be monitored in patients at risk and vitamin K given."
    assert advised(label(text, WARNINGS)) == {("renal", "monitor", False), ("hepatic", "monitor", False)}


def test_patients_at_risk_are_nobody_where_none_were_said_to_be(label):
    text = "5.4 Clotting Bleeding was seen in a patient with renal impairment. Clotting time should be monitored in patients at risk."
    assert advised(label(text, WARNINGS)) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "5.4 Liver Patients with hepatic insufficiency can be expected to have slower clearance. Start ZOCOR at low doses in these patients.",
            {("hepatic", "adjust-dose", False)},
        ),
        (
            "5.4 Hepatic Impairment Patients with hepatic impairment have increased exposure. A lower starting dose should be considered for these patients.",
            {("hepatic", "adjust-dose", False)},
        ),
    ],
)
def test_what_is_seen_of_these_patients_is_no_condition_of_theirs(label, text, expected):
    assert advised(label(text, WARNINGS)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "8.6 Renal Impairment No dose adjustment is needed in patients with renal impairment, including those on hemodialysis.",
            ("renal", "no-adjustment", False),
        ),
        ("8.7 Hepatic Impairment Avoid ZOCOR in hepatic impairment including Child-Pugh class C.", ("hepatic", "avoid", False)),
        (
            "8.1 Pregnancy Closure of the Fetal Duct: Avoid use of NSAIDs, including ZOCOR tablets, in pregnant women at about 30 weeks gestation and later.",
            ("pregnancy", "avoid", True),
        ),
    ],
)
def test_those_whom_including_names_do_not_narrow_the_others(label, text, expected):
    assert advised(label(text, "use_in_specific_populations")) == {expected}


def test_the_usual_dose_at_some_renal_function_stays(label):
    text = "2.3 Renal Impairment Normal dose and schedule may be employed in patients with creatinine clearances of 60 mL/min or greater."
    assert ("renal", "no-adjustment", True) in advised(label(text, "dosage_and_administration"))
    half = "2.3 Renal Impairment Half the usual dose should be used in patients with renal impairment."
    assert {a for _, a, _ in advised(label(half, "dosage_and_administration"))} == {"adjust-dose"}
