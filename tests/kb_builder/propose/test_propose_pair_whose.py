"""Whose dose an instruction changes, whom it is for, and whom a sentence means that names only a noun or a reason."""

import pytest


def said(label, text, key="drug_interactions", **more):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key, **more).said()


def owners(label, text, name):
    """Whose dose the claims about an object of this name change."""
    made = label(f"7 DRUG INTERACTIONS {text}")
    return {s.whose.value for p in made.proposals() if made.name(p) == name for s in p.claim.payload.steps if s.action.value == "adjust-dose"}


@pytest.mark.parametrize(
    ("text", "name", "whose"),
    [
        ("In patients taking a moderate CYP3A4 inhibitor, do not exceed 25 mg once daily.", "moderate cyp3a4 inhibitor", "subject"),
        ("In patients receiving digoxin, start at 5 mg once daily.", "digoxin", "subject"),
        ("In patients taking a strong CYP3A4 inhibitor, reduce the dose.", "strong cyp3a4 inhibitor", "subject"),
        ("ZOCOR may raise levels of digoxin. Dosage adjustment of these drugs should be considered when they are used with ZOCOR.", "digoxin", "partner"),
        ("7.1 Digoxin A dose reduction should be considered in patients with heart failure.", "digoxin", "subject"),
        ("Both may need lower doses than usual of either ZOCOR or the other drug: digoxin.", "digoxin", "either"),
        ("Digoxin may fall. Dosage adjustments of the drugs listed may be necessary if they are given with ZOCOR.", "digoxin", "partner"),
        ("The digoxin daily dose should not exceed 0.125 mg.", "digoxin", "partner"),
        ("Reduce the dose of digoxin by half when it is taken with ZOCOR.", "digoxin", "partner"),
    ],
)
def test_the_dose_is_of_what_the_words_name(label, text, name, whose):
    assert owners(label, text, name) == {whose}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Consider reducing or discontinuing concomitant digoxin.", {("digoxin", "adjust-dose")}),
        ("Hypotension is made less likely by either discontinuing or decreasing the dose of the diuretic before ZOCOR.", {("diuretics", "adjust-dose")}),
        ("Neither digoxin nor verapamil should be given with ZOCOR.", {("digoxin", "avoid"), ("verapamil", "avoid")}),
        ("There is too little experience of ZOCOR with digoxin to recommend concomitant use.", {("digoxin", "not-recommended")}),
        ("Antacids should not be taken within 2 hours of ZOCOR.", {("antacids", "separate")}),
        ("Linezolid should not be taken within 24 hours of ZOCOR.", {("linezolid", "avoid")}),
        ("ZOCOR may bind little: interactions with bound drugs (e.g., digoxin) would not be expected.", set()),
        ("ZOCOR has been given with digoxin without adverse effects.", set()),
        ("There are no data concerning an interaction of ZOCOR with digoxin.", set()),
        ("Neither the levels of ZOCOR nor its safety were affected by digoxin.", set()),
    ],
)
def test_what_is_asked_for_is_read_in_other_words_too(label, text, expected):
    assert said(label, text) == expected


def test_a_reason_in_front_names_no_partner_of_the_instruction(label):
    text = "Because fibrates thin the blood, patients on anticoagulants may need a lower dose of their anticoagulants."
    assert said(label, text) == {("anticoagulants", "adjust-dose")}


@pytest.mark.parametrize("clause", ["Since ZOCOR slows it, patients on drugs that prolong the QT interval (e.g., pimozide, digoxin) should be monitored."])
def test_a_list_behind_a_reason_stays_whole(label, clause):
    assert said(label, clause) == {("drugs that prolong the qt interval", "monitor"), ("pimozide", "monitor"), ("digoxin", "monitor")}


def test_an_own_class_in_combined_use_is_the_other_drug(label):
    assert said(label, "In general, avoid combined use of statins.") == {("statins", "avoid")}
    assert said(label, "Avoid use of statins in the elderly with digoxin.") == {("digoxin", "avoid")}


def test_a_group_that_another_includes_takes_what_is_asked_of_it(label):
    text = "7.1 Pain Fibrates, including azole antifungals, may harm. Monitor patients who take ZOCOR with fibrates."
    assert said(label, text) == {("fibrates", "monitor"), ("azole antifungals", "monitor")}


def test_a_noun_alone_means_the_group_of_the_heading(label):
    assert said(label, "7.1 Thiazide Diuretics Avoid ZOCOR in patients treated with diuretics.") == {("thiazide diuretics", "avoid")}


def test_without_a_name_the_role_at_one_strength_is_meant(label):
    text = "7.1 CYP3A4 Inhibitors In patients taking a moderate CYP3A4 inhibitor, start at 5 mg. The dose may be increased to 10 mg once daily."
    assert said(label, text) == {("moderate cyp3a4 inhibitor", "adjust-dose")}


def test_a_second_plan_for_some_patients_keeps_to_them(label):
    text = "Avoid digoxin with ZOCOR. In patients with heart failure, if digoxin cannot be avoided, reduce the dose of ZOCOR to 5 mg."
    made = label(f"7 DRUG INTERACTIONS {text}")
    plans = {(tuple(s.action.value for s in p.claim.payload.steps), p.claim.payload.otherwise, p.claim.guard is None) for p in made.proposals()}
    assert plans == {(("avoid",), (), True), (("adjust-dose",), (), False)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Avoid ZOCOR with digoxin on the day of surgery.", "on the day of surgery"),
        ("Reduce the dose of digoxin in patients who may not tolerate ZOCOR.", "may not tolerate ZOCOR"),
    ],
)
def test_what_no_axis_holds_stays_in_the_guard(label, text, words):
    claim = label(f"7 DRUG INTERACTIONS {text}").claim("digoxin")
    assert claim.guard is not None
    assert words in repr(claim.guard)


@pytest.mark.parametrize("who", ["when treating patients", "in patients who were"])
def test_a_verb_before_patients_is_no_condition(label, who):
    assert label(f"7 DRUG INTERACTIONS Use caution {who} taking digoxin.").claim("digoxin").guard is None


def test_renal_or_hepatic_impairment_is_told_once(label):
    claim = label("7 DRUG INTERACTIONS Patients with renal or hepatic impairment should not be given ZOCOR with colchicine.").claim("colchicine")
    assert "Opaque" not in repr(claim.guard)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid strong CYP3A4 inhibitors with ZOCOR.", {("strong cyp3a4 inhibitor", "avoid")}),
        ("Do not take ZOCOR with grapefruit juice.", {("grapefruit juice", "avoid")}),
        ("Take ZOCOR at least 2 hours before or 4 hours after antacids.", {("antacids", "separate")}),
        ("Discontinue digoxin at least 24 hours before ZOCOR.", set()),
        ("Draw a digoxin level at least 6 hours after the dose.", set()),
    ],
)
def test_the_dosing_section_forbids_and_parts(label, text, expected):
    assert said(label, f"2.1 Administration {text}", "dosage_and_administration") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Drugs That Prolong the QT Interval Avoid products with a known potential to prolong QT interval.", {("drugs that prolong the qt interval", "avoid")}),
        ("Give the narrow therapeutic index drug 4 hours before ZOCOR.", {("drugs with a narrow therapeutic index", "separate")}),
        ("Avoid Class Ia or III antiarrhythmics.", {("class ia antiarrhythmics", "avoid"), ("class iii antiarrhythmics", "avoid")}),
    ],
)
def test_groups_are_named_in_other_forms(label, text, expected):
    assert said(label, text) == expected
