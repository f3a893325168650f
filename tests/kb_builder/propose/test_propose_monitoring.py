"""Monitoring: what a label asks to watch during treatment, for whom and when."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.watching.monitoring import MonitoringProposer
from kb_builder.propose.watching.prerequisites import PrerequisiteProposer
from ontology.model.claims import Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, HasCondition, Interval, Opaque, leaves
from ontology.model.spans import SpanRole

_SECONDS = 5
WARNINGS = "warnings_and_cautions"


def claims(label):
    return [p.claim for p in MonitoringProposer().propose(label.document, label.subject, label.lexicon)]


def watched(label) -> dict[str, str | None]:
    """The words of each thing, and its time."""
    return {c.words.lower(): c.payload.steps[0].parameter for c in claims(label)}


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("Monitor serum potassium during treatment with ZOCOR.", {"serum potassium"}),
        ("Monitor patients closely for signs and symptoms of bradycardia.", {"bradycardia"}),
        ("Renal and hepatic function should be checked every three months.", {"renal function", "hepatic function"}),
        ("Periodic complete blood counts are recommended.", {"complete blood counts"}),
        ("ZOCOR requires careful monitoring of serum potassium and blood pressure.", {"serum potassium", "blood pressure"}),
        ("Patients should be observed for new or worsening angioedema.", {"angioedema"}),
        ("Evaluate the patient's blood pressure at each visit.", {"blood pressure"}),
        ("Perform an ophthalmic examination yearly.", {"ophthalmic examination"}),
        ("Examination of the lens is recommended every 6 months.", {"examination of the lens"}),
        ("Liver enzymes must be measured monthly, and the dose adjusted.", {"liver enzymes"}),
        (
            "Monitor patients closely during and for at least 2 hours after the end of the infusion for infusion related reactions.",
            {"infusion related reactions"},
        ),
        (
            "Because falls have occurred, careful renal and respiratory monitoring is needed during and after infusing ZOCOR.",
            {"renal monitoring", "respiratory monitoring"},
        ),
        ("Patients on ZOCOR should be examined and closely monitored for angioedema.", {"angioedema"}),
        ("Periodic measurement of blood pressure may be useful.", {"blood pressure"}),
        ("Patients with heart failure (e.g., after infarction, surgery) should be monitored for bradycardia during treatment.", {"bradycardia"}),
        ("Monitor patients treated with ZOCOR for any indication for angioedema.", {"angioedema"}),
        ("Monitor laboratory parameters (including, but not limited to, serum potassium and creatinine) during treatment.", {"serum potassium", "creatinine"}),
        (
            "All patients should be continually monitored (e.g., monitoring of the electrocardiogram and blood pressure).",
            {"electrocardiogram", "blood pressure"},
        ),
        ("Monitor electrolytes, including serum potassium, every week.", {"electrolytes", "serum potassium"}),
        ("Check liver function tests (creatinine and serum potassium) monthly.", {"liver function tests", "creatinine", "serum potassium"}),
        ("Check blood pressure, including standing pressures, monthly.", {"blood pressure"}),
        ("Check blood pressure (as described in the table) monthly.", {"blood pressure"}),
        ("Complete mobility assessments yearly.", {"mobility assessments"}),
        ("Monitor patients closely for bradycardia and the dose modified accordingly.", {"bradycardia"}),
        ("Routine monitoring of creatinine and prompt investigation of its causes is recommended.", {"creatinine"}),
    ],
)
def test_what_is_watched_is_named_by_itself(label, text, things):
    assert set(watched(label(text, WARNINGS))) == things


@pytest.mark.parametrize(
    "text",
    [
        "Monitor patients closely.",
        "Monitor patients for the 13th day.",
        "Monitor for adverse reactions.",
        "If bradycardia occurs, monitor blood pressure until it resolves.",
        "Withhold ZOCOR and monitor liver enzymes weekly.",
        "In a clinical trial blood pressure must be measured every week.",
        "Advise patients that blood pressure should be checked daily.",
        "No routine monitoring of serum potassium is required.",
        "Monitor blood pressure when ZOCOR is given with verapamil.",
        "Coadministration with digoxin requires monitoring of serum potassium.",
        "Monitor serum potassium when other drugs are started or stopped.",
        "Monitor such patients for bradycardia.",
        "The older group of patients is at risk. This group of patients should be monitored for bradycardia.",
        "Monitor blood pressure in patients who develop bradycardia.",
        "In dogs, blood pressure should be checked every week.",
        "Obtain a complete blood count.",
    ],
)
def test_no_claim_without_a_thing_or_for_a_reaction_a_partner_or_the_patient(label, text):
    assert watched(label(text, WARNINGS)) == {}


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Monitor serum potassium weekly for the first month, then every 3 months thereafter.", "weekly for the first month, then every 3 months thereafter"),
        ("Monitor serum potassium prior to initiating ZOCOR and periodically during treatment.", "periodically during treatment"),
        ("Monitor serum potassium before each dose.", "before each dose"),
        ("Monitor serum potassium monthly and replace potassium as needed.", "monthly"),
        ("Because bradycardia was seen during infusions, monitor serum potassium.", None),
    ],
)
def test_the_time_is_the_labels_words_of_that_request(label, text, when):
    assert watched(label(text, WARNINGS)) == {"serum potassium": when}


def test_the_time_before_an_and_is_of_the_request_before_it(label):
    made = label("Correct hypokalemia prior to starting ZOCOR, and monitor blood pressure.", WARNINGS)
    assert watched(made) == {"blood pressure": None}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Monitor serum potassium in patients with renal impairment.", Category),
        ("Patients with heart failure should be monitored for bradycardia.", HasCondition),
        ("In patients older than 65 years, blood pressure should be checked weekly.", Interval),
        ("Monitor serum potassium regularly, including before surgery, in patients with low sodium intake.", Opaque),
        ("Monitor blood pressure before starting ZOCOR and periodically thereafter in patients with heart failure.", HasCondition),
    ],
)
def test_the_patients_whom_it_concerns_are_in_the_guard(label, text, kind):
    found = claims(label(text, WARNINGS))
    assert found
    assert all(any(isinstance(leaf, kind) for leaf in leaves(c.guard)) for c in found)


def test_a_condition_that_opens_the_sentence_holds_for_every_request(label):
    made = label("In patients with heart failure, measure serum potassium weekly and monitor blood pressure monthly.", WARNINGS)
    assert {c.words: c.guard is not None for c in claims(made)} == {"serum potassium": True, "blood pressure": True}


def test_closer_watching_of_some_patients_leaves_the_general_request_without_their_guard(label):
    made = label("Monitor blood pressure monthly, and weekly in patients with heart failure.", WARNINGS)
    assert [(c.payload.steps[0].parameter, c.guard) for c in claims(made)] == [("monthly", None)]


def test_patients_of_the_product_are_everyone(label):
    assert [c.guard for c in claims(label("Monitor patients treated with ZOCOR for bradycardia.", WARNINGS))] == [None]


def test_a_heading_of_dosing_that_names_patients_restricts_what_stands_below(label):
    (found,) = claims(label("2.1 Renal Impairment Monitor serum potassium weekly.", "dosage_and_administration"))
    assert [leaf.axis for leaf in leaves(found.guard)] == [Axis.RENAL]


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("Blood pressure must be monitored.", Strength.MUST),
        ("Monitor blood pressure.", Strength.SHOULD),
        ("Consider monitoring of blood pressure.", Strength.CONSIDER),
        ("Monitor blood pressure and treat as necessary.", Strength.SHOULD),
    ],
)
def test_the_strength_is_that_of_the_words_that_ask(label, text, strength):
    assert [c.strength for c in claims(label(text, WARNINGS))] == [strength]


def test_the_words_and_the_time_stand_in_the_statement(label):
    (found,) = claims(label("Monitor serum potassium every 6 months during treatment with ZOCOR.", WARNINGS))
    quote = " ".join(found.statement.quote.split())
    assert [s.quote for s in found.evidence if s.role is SpanRole.OBJECT] == [found.words]
    assert found.payload.steps[0].parameter in quote


def test_a_request_in_an_interaction_table_or_under_a_partner_is_the_pairs(label):
    assert watched(label("7.1 Digoxin Monitor serum potassium weekly.")) == {}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Monitor", " patients", " for", " serum potassium", " and", " should be monitored", " weekly", " before", " starting", " ZOCOR", ". ", ", ", "(", ")", " in", " if", "\x01", "血压", " with heart failure", ":", "; "]), max_size=25).map("".join))  # fmt: skip
def test_any_text_is_read_and_its_spans_stand(label, text):
    made = label(text or " ", WARNINGS)
    for proposer in (MonitoringProposer(), PrerequisiteProposer()):
        for proposal in proposer.propose(made.document, made.subject, made.lexicon):
            for span in proposal.claim.evidence:
                assert text[span.start : span.end] == span.quote


def test_long_repeated_text_takes_no_time(label):
    made = label("Monitor serum potassium, and in patients with heart failure, or when needed, the weight. " * 1000, WARNINGS)
    start = time.process_time()
    claims(made)
    assert claims(label("monitor " * 12000, WARNINGS)) == []
    assert time.process_time() - start < _SECONDS


def test_a_use_of_the_product_that_narrows_it_stays_in_the_guard(label):
    (found,) = claims(label("Monitor blood pressure weekly in patients taking ZOCOR for MCL.", WARNINGS))
    assert [type(leaf) for leaf in leaves(found.guard)] == [Opaque]


def test_conjuncts_that_share_a_head_are_named_in_full(label):
    assert set(watched(label("Monitor patients for peripheral motor and sensory neuropathy.", WARNINGS))) == {
        "peripheral motor neuropathy",
        "sensory neuropathy",
    }


def test_a_condition_before_a_semicolon_and_holds_behind_it(label):
    made = label("In patients with heart failure, doses may be lower; and patients should be monitored for bradycardia.", WARNINGS)
    assert all(c.guard is not None for c in claims(made))
    assert claims(made)


@pytest.mark.parametrize(
    "text",
    [
        "Monitor blood pressure regularly, most of all in patients with heart failure.",
        "Check blood pressure monthly and whenever symptoms suggest a change.",
        "Monitor patients for bradycardia, including slow pulse in patients who had a negative test.",
    ],
)
def test_an_aside_is_no_condition(label, text):
    found = claims(label(text, WARNINGS))
    assert [c.guard for c in found] == [None]


def test_what_is_watched_when_partners_start_is_the_pairs(label):
    assert watched(label("Diuretics raise the level. Monitor serum potassium when they are started or stopped.", WARNINGS)) == {}


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (
            "Monitor for angioedema during and for at least 4 hours following completion of each infusion.",
            "during and for at least 4 hours following completion of each infusion",
        ),
        (
            "Check creatinine at 2 and 8 weeks, and 2 and 3 months following initiation of ZOCOR.",
            "at 2 and 8 weeks, and 2 and 3 months following initiation of ZOCOR",
        ),
        (
            "Assess blood pressure approximately 4 weeks to 8 weeks following initiation of therapy.",
            "approximately 4 weeks to 8 weeks following initiation of therapy",
        ),
        ("Obtain an electrocardiogram prior to the 5th and 7th infusions.", "prior to the 5th and 7th infusions"),
        ("Monitor blood pressure frequently after treatment until resolution of bradycardia.", "frequently after treatment"),
        ("Monitor electrolytes (e.g., serum potassium) every month.", "every month"),
    ],
)
def test_the_time_is_told_whole(label, text, when):
    (time_,) = {c.payload.steps[0].parameter for c in claims(label(text, WARNINGS))}
    assert time_ == when


def test_where_a_level_is_highest_is_no_reaction(label):
    text = "Continuous monitoring of the blood pressure is essential, and the patient should be observed throughout the period where the highest levels occur."
    assert set(watched(label(text, WARNINGS))) == {"blood pressure"}


def test_a_heading_on_adverse_reactions_is_one_of_others_in_dosing_alone(label):
    below = "5.1 Cardiac Adverse Reactions Bradycardia can occur. Monitor blood pressure every week."
    assert set(watched(label(f"5 WARNINGS AND PRECAUTIONS {below}", WARNINGS))) == {"blood pressure"}
    dosing = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage for Adverse Reactions Bradycardia can occur. Monitor blood pressure every week."
    assert watched(label(dosing, "dosage_and_administration")) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Closely monitor patients for the development of signs and symptoms of angioedema during treatment.",
        "Evaluate creatinine and monitor during therapy, with attention to risk factors for renal dysfunction, such as hypertension.",
        "Check the complete blood count, including creatinine, monthly until a stable platelet count (at least 70 × 10 9 /L) is reached.",
    ],
)
def test_what_only_describes_the_watching_is_no_condition(label, text):
    assert {c.guard for c in claims(label(text, WARNINGS))} == {None}


def test_being_at_risk_of_a_disease_is_not_having_it(label):
    (claim,) = claims(label("Periodic skin examination is recommended for patients who are at increased risk for angioedema.", WARNINGS))
    assert [type(leaf) for leaf in leaves(claim.guard)] == [Opaque]


def test_what_a_newborn_is_observed_for_is_not_asked_of_the_pregnant_patient(label):
    (claim,) = claims(label("8.1 Pregnancy Observe newborns for signs of bradycardia.", "use_in_specific_populations"))
    assert [leaf.axis for leaf in leaves(claim.guard)] == [Axis.AGE]
