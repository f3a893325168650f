"""Prerequisites: what a label asks to do or to know before the first dose."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.watching.monitoring import MonitoringProposer
from kb_builder.propose.watching.prerequisites import PrerequisiteProposer
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.facts import Axis, ExposureState
from ontology.model.guards import Interval, Opaque, leaves
from ontology.model.spans import SpanRole

WARNINGS = "warnings_and_cautions"
DOSING = "dosage_and_administration"


def claims(label):
    return [p.claim for p in PrerequisiteProposer().propose(label.document, label.subject, label.lexicon)]


def asked(label) -> set[tuple[str, str]]:
    """(type and key of the object, its words in lower case)."""
    return {(f"{c.object.type}:{c.object.code}" if c.object.system != "uncoded" else c.object.type, c.words.lower()) for c in claims(label)}


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("Verify that pregnancy status is known: exclude pregnancy before starting ZOCOR.", {("LabTest:pregnancy-test", "pregnancy")}),
        ("Screen patients for hepatitis B virus infection prior to initiating ZOCOR.", {("LabTest:hbsag", "hepatitis b virus infection")}),
        ("Confirm the presence of BRAF V600E mutation in tumor specimens before initiation of ZOCOR.", {("LabTest", "braf v600e mutation")}),
        ("Select patients for treatment based on the presence of a germline BRCA mutation.", {("LabTest", "germline brca mutation")}),
        ("Verify pregnancy status of females of reproductive potential prior to initiating ZOCOR.", {("LabTest:pregnancy-test", "pregnancy status")}),
        (
            "Before initiating ZOCOR, consider performing a complete blood count, liver function tests, and updating immunizations.",
            {("LabTest:cbc", "complete blood count"), ("LabTest:liver-tests", "liver function tests"), ("Procedure:vaccination", "immunizations")},
        ),
        (
            "The following tests should be performed before starting ZOCOR: creatinine and serum potassium.",
            {("LabTest:creatinine", "creatinine"), ("LabTest:serum-potassium", "serum potassium")},
        ),
        (
            "Test patients for latent or active angioedema prior to and per guidelines during ZOCOR.",
            {("Condition", "latent angioedema"), ("Condition", "active angioedema")},
        ),
        ("Perform an eye examination that includes assessment of acuity at baseline.", {("LabTest", "eye examination")}),
        ("Correct hyperkalemia prior to starting ZOCOR.", {("Condition:hyperkalemia", "hyperkalemia")}),
        ("Hyperkalemia should be corrected before treatment.", {("Condition:hyperkalemia", "hyperkalemia")}),
        ("Complete all age-appropriate vaccinations prior to initiating treatment.", {("Procedure:vaccination", "age-appropriate vaccinations")}),
        ("Assess liver enzymes at baseline.", {("LabTest:liver-tests", "liver enzymes")}),
        ("Patients must have a negative pregnancy test before starting ZOCOR.", {("LabTest:pregnancy-test", "negative pregnancy test")}),
        ("G6PD testing must be performed before prescribing ZOCOR.", {("LabTest:g6pd", "g6pd testing")}),
    ],
)
def test_what_must_be_done_or_known_first(label, text, things):
    assert asked(label(text, WARNINGS)) == things


@pytest.mark.parametrize(
    "text",
    [
        "Monitor serum potassium during treatment.",
        "Monitor liver enzymes weekly and keep them close to baseline.",
        "Measure serum potassium before increasing the dose.",
        "Correct hyperkalemia.",
        "Before starting, evaluate for heart failure in the following patients: those with swollen legs.",
        "Check the blood count weekly, regardless of baseline blood count.",
    ],
)
def test_what_is_not_before_the_first_dose_is_none(label, text):
    assert asked(label(text, WARNINGS)) == set()


def test_before_and_during_is_both(label):
    made = label("Monitor blood pressure before and during treatment.", WARNINGS)
    during = [p.claim for p in MonitoringProposer().propose(made.document, made.subject, made.lexicon)]
    assert [c.words for c in claims(made)] == [c.words for c in during] == ["blood pressure"]


def test_a_heading_before_initiation_gives_the_time(label):
    assert asked(label("2.1 Testing Before Initiation of ZOCOR Obtain a complete blood count.", DOSING)) == {("LabTest:cbc", "complete blood count")}


def test_the_items_of_a_list_have_the_time_of_its_lead_and_cite_it(label):
    made = label(
        "Perform the following tests prior to initiation of ZOCOR:\n• Complete blood count\n• Liver function tests - do not start in liver disease", DOSING
    )
    assert asked(made) == {("LabTest:cbc", "complete blood count"), ("LabTest:liver-tests", "liver function tests")}
    assert all(any(s.role is SpanRole.HEADING and "prior to initiation" in s.quote for s in c.evidence) for c in claims(made))


def test_females_of_reproductive_potential_are_in_the_guard(label):
    (found,) = claims(label("Verify pregnancy status in females of reproductive potential prior to initiating ZOCOR.", WARNINGS))
    assert Axis.SEX in {getattr(leaf, "axis", None) for leaf in leaves(found.guard)}


def test_the_full_text_wins_over_the_highlights(label):
    made = label(
        "Measure blood pressure before starting. (5.1) 5.1 Hypertension Measure blood pressure before starting ZOCOR in patients with heart failure.", WARNINGS
    )
    assert [c.guard is not None for c in claims(made)] == [True]


def test_the_function_of_the_organ_in_the_heading_is_measured_in_everyone(label):
    (found,) = claims(label("2.1 Renal Impairment Measure serum creatinine before the first dose.", DOSING))
    assert found.guard is None


def test_first_at_the_end_is_a_time(label):
    (found,) = claims(label("Correct hyperkalemia first.", WARNINGS))
    assert (found.words, found.payload.steps[0].parameter) == ("hyperkalemia", "first")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Measure creatinine prior to each increase in dose or monthly, whichever occurs first.", WARNINGS),
        ("Obtain an electrocardiogram prior to the 5th and 7th infusions.", WARNINGS),
        ("2 DOSAGE AND ADMINISTRATION 2.1 Instructions Before Treatment Dosing is simple. Monitor for signs of angioedema.", DOSING),
    ],
)
def test_what_is_asked_later_is_not_asked_before(label, text, key):
    assert asked(label(text, key)) == set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Before initiation of treatment with ZOCOR, test patients to determine CYP2C9 genotype.", "CYP2C9 genotype"),
        ("Test patients for CYP2C9 variants to determine CYP2C9 genotype.", "CYP2C9 variants"),
        ("Consider UGT1A1 genotype testing for the *28 and *6 alleles to determine UGT1A1 metabolizer status.", "UGT1A1 genotype"),
        ("Consider genotyping patients for CYP2D6 metabolizer status to determine the maximum recommended dosage.", "CYP2D6 metabolizer status"),
        ("Select patients using an FDA-cleared test for determining CYP2D6 genotype.", "CYP2D6 genotype"),
    ],
)
def test_a_gene_that_patients_are_tested_for_is_known_first(label, text, words):
    (claim,) = claims(label(text, WARNINGS))
    assert (claim.object.type, claim.words, claim.guard) == ("LabTest", words, None)


def test_a_test_to_reduce_a_risk_where_the_clinical_status_permits_is_asked_for(label):
    text = "Consider testing for genetic variants of DPYD prior to initiating ZOCOR to reduce the risk of serious adverse reactions if the clinical status permits."
    (claim,) = claims(label(text, WARNINGS))
    assert (claim.words, claim.strength) == ("genetic variants of DPYD", Strength.CONSIDER)


def test_a_test_of_patients_at_risk_says_so(label):
    (claim,) = claims(label("Screen patients at higher risk for G6PD deficiency prior to starting ZOCOR.", WARNINGS))
    assert claim.guard == Opaque("at higher risk for G6PD deficiency")


def test_what_is_asked_above_a_dose_is_not_asked_of_all(label):
    (claim,) = claims(
        label("Patients requiring doses above 50 mg/day should be genotyped for the enzyme CYP2D6 to determine if the patient is a poor metabolizer.", DOSING)
    )
    assert claim.guard == Interval(Axis.DAILY_DOSE, Decimal(50), None, "mg", low_open=True)


def test_a_test_that_should_be_performed_above_a_dose_is_asked_for_there(label):
    (claim,) = claims(label("At doses above 4 mg/day, CYP 2D6 genotyping should be performed.", DOSING))
    assert claim.guard == Interval(Axis.DAILY_DOSE, Decimal(4), None, "mg", low_open=True)


def test_a_test_above_a_dose_by_weight_is_not_asked_of_all(label):
    assert claims(label("At doses above 0.05 mg/kg/day, CYP 2D6 genotyping should be performed.", DOSING)) == []


def test_who_comes_from_another_drug_waits_for_a_value(label):
    text = "Discontinue warfarin and start ZOCOR when the INR is ≤ 2.5."
    (claim,) = claims(label(text, DOSING))
    taken, waits = claim.guard.parts
    passive = "Switching from warfarin to ZOCOR: Warfarin should be discontinued and ZOCOR started when the INR is below 2.0."
    assert [leaf.low for c in claims(label(passive, DOSING)) for leaf in leaves(c.guard) if isinstance(leaf, Interval)] == [Decimal("2.0")]
    assert (claim.object.code, claim.payload.strictest, claim.payload.steps[0].parameter) == ("inr", Action.AVOID, "until INR is ≤ 2.5")
    assert waits == Interval(Axis.LAB, Decimal("2.5"), None, "{INR}", low_open=True, detail="inr")
    assert [leaf.state for leaf in leaves(taken)] == [ExposureState.CURRENT, ExposureState.STOPPED_WITHIN]


def test_adults_and_children_may_wait_for_different_values(label):
    text = "When switching from warfarin to ZOCOR, discontinue warfarin and start ZOCOR as soon as the INR is below 3.0 in adults and below 2.5 in pediatric patients."
    found = [[leaf for leaf in leaves(c.guard) if isinstance(leaf, Interval)] for c in claims(label(text, DOSING))]
    assert [(v.low, v.low_open, a.axis, a.low, a.high) for v, a in found] == [
        (Decimal("3.0"), False, Axis.AGE, Decimal(18), None),
        (Decimal("2.5"), False, Axis.AGE, None, Decimal(18)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Discontinue ZOCOR and start warfarin when the INR is below 2.",
        "Discontinue warfarin and aspirin and start ZOCOR when the INR is below 2.",
        "Discontinue warfarin and start ZOCOR 24 hours later.",
    ],
)
def test_no_first_dose_waits_where_the_label_lets_none(label, text):
    assert claims(label(text, DOSING)) == []


@pytest.mark.parametrize(
    ("text", "low", "high", "open_"),
    [
        ("Serum potassium must be below 5.0 mEq/L before initiating treatment with ZOCOR.", Decimal("5.0"), None, False),
        ("Confirm serum potassium is above 3.5 mEq/L before starting ZOCOR.", None, Decimal("3.5"), False),
        ("The baseline serum potassium should be at least 3.5 mEq/L.", None, Decimal("3.5"), True),
    ],
)
def test_a_first_dose_waits_for_a_value(label, text, low, high, open_):
    (claim,) = [c for c in claims(label(text, WARNINGS)) if c.payload.strictest is Action.AVOID]
    assert (claim.guard.low, claim.guard.high, claim.guard.high_open) == (low, high, open_)


def test_people_with_a_value_of_their_own_do_not_wait_for_the_others(label):
    text = "A baseline serum potassium must be at least 3.5 mEq/L for the general population; and must be at least 3.0 mEq/L for patients with documented angioedema."
    (claim,) = [c for c in claims(label(text, WARNINGS)) if c.payload.strictest is Action.AVOID]
    value, people = claim.guard.parts
    assert (value.high, people.part.words) == (Decimal("3.5"), "angioedema")


@pytest.mark.parametrize(
    "text",
    [
        "Serum potassium should be at least 3.5 mEq/L before each new cycle.",
        "If serum potassium is above 5.5 mEq/L, interrupt ZOCOR until it should be below 5.0 mEq/L before starting again.",
        "Monitor serum potassium before starting ZOCOR.",
    ],
)
def test_no_first_dose_waits_for_what_is_wanted_later(label, text):
    assert [c for c in claims(label(text, WARNINGS)) if c.payload.strictest is Action.AVOID] == []
