"""Boxed warnings: which hazards a box names, and in whom."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.boxed.hazards import short_names, stems_of
from kb_builder.propose.boxed.proposer import BoxedWarningProposer
from kb_builder.propose.boxed.titles import find_titles, shouted_end, split_title
from kb_builder.publish.facts import FactWriter
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, HasCondition, Interval, Opaque, leaves

BOX = "boxed_warning"
_SECONDS = 5


def claims(label):
    return [p.claim for p in BoxedWarningProposer().propose(label.document, label.subject, label.lexicon)]


def warned(label) -> dict[str, list]:
    """The hazards in small letters with the leaves of their guards."""
    return {c.words.lower(): list(leaves(c.guard)) for c in claims(label)}


@pytest.mark.parametrize(
    ("text", "hazards"),
    [
        ("WARNING: HEPATOTOXICITY and ANGIOEDEMA", {"hepatotoxicity", "angioedema"}),
        ("WARNING: RISK OF LUNG FIBROSIS Do not exceed the dose.", {"lung fibrosis"}),
        ("WARNING: MISUSE, ABUSE, AND ADDICTION; and SLEEP APNEA", {"misuse", "abuse", "addiction", "sleep apnea"}),
        ("WARNING: SUICIDAL THOUGHTS and BEHAVIORS", {"suicidal thoughts and behaviors"}),
        ("WARNING: RISK OF SERIOUS ULCERS AND RISK OF GANGRENE", {"ulcers", "gangrene"}),
        ("WARNING: NOT FOR WEIGHT LOSS", set()),
        ("WARNING: SERIOUS AND LIFE-THREATENING RISKS FROM USE OF ZOCOR", set()),
        ("WARNING: EXPERIENCED PHYSICIAN", set()),
        ("WARNING: TOCOLYSIS", set()),
    ],
)
def test_a_title_names_its_hazards(label, text, hazards):
    assert set(warned(label(text, BOX))) == hazards


@pytest.mark.parametrize(
    ("text", "hazards"),
    [
        ("ZOCOR can cause severe skin necrosis.", {"skin necrosis"}),
        ("Fatal liver failure has been reported with ZOCOR.", {"liver failure"}),
        ("ZOCOR exposes users to risks of addiction and misuse, which can lead to overdose.", {"addiction", "misuse"}),
        ("Pulmonary fibrosis, including fatal cases, can occur.", {"pulmonary fibrosis"}),
        ("THE RISK OF KIDNEY DAMAGE IS GREAT. ZOCOR MAY CAUSE HEARING LOSS.", {"kidney damage", "hearing loss"}),
        ("Serious macular edema syndrome (MES) can occur. ZOCOR may cause MES.", {"macular edema syndrome"}),
        ("Because of the risk of anaphylaxis, observe patients for two hours after the injection.", {"anaphylaxis"}),
        ("ZOCOR can cause injury and death to the developing fetus.", {"death to the developing fetus"}),
    ],
)
def test_a_sentence_tells_of_hazards(label, text, hazards):
    assert set(warned(label(text, BOX))) == hazards


@pytest.mark.parametrize(
    "text",
    [
        "Monitor for the risk of hepatotoxicity.",
        "Short studies did not show an increase in the risk of stroke.",
        "If hepatotoxicity occurs, discontinue ZOCOR.",
        "If shock, gangrene or stroke occurs, stop ZOCOR.",
        "These events may result in death.",
        "ZOCOR was associated with tumors in rats.",
        "Discontinue ZOCOR in patients at risk of thrombosis.",
        "Symptoms that may cause coma.",
        "Prescribers should tell patients that they are at risk of stroke.",
    ],
)
def test_what_is_denied_or_only_to_be_managed_is_no_hazard(label, text):
    assert claims(label(text, BOX)) == []


def test_whom_the_title_names_is_in_the_guard(label):
    found = warned(label("WARNING: INCREASED MORTALITY IN ELDERLY PATIENTS WITH HEART FAILURE and HEPATOTOXICITY", BOX))
    assert {getattr(leaf, "axis", None) for leaf in found["mortality"]} == {Axis.AGE, None}
    assert any(isinstance(leaf, HasCondition) for leaf in found["mortality"])
    assert found["hepatotoxicity"] == []


def test_whom_the_sentence_names_is_in_the_guard_though_its_title_names_nobody(label):
    text = "WARNING: SUICIDAL THOUGHTS Statins increased the risk compared to placebo of suicidal thoughts in pediatric patients in short studies of asthma."
    (claim,) = claims(label(text, BOX))
    (leaf,) = leaves(claim.guard)
    assert isinstance(leaf, Interval)
    assert leaf.axis is Axis.AGE


def test_where_a_hazard_was_seen_is_not_whom_it_threatens(label):
    text = "WARNING: HEPATOTOXICITY Severe hepatotoxicity occurred in patients with asthma who received ZOCOR."
    assert warned(label(text, BOX)) == {"hepatotoxicity": []}


def test_without_a_title_the_patients_of_a_report_hold(label):
    found = warned(label("Severe hepatotoxicity has been reported in patients with asthma.", BOX))
    assert [type(leaf) for leaf in found["hepatotoxicity"]] == [HasCondition]


def test_a_way_of_using_or_stopping_is_in_the_guard(label):
    found = warned(label("Abrupt discontinuation of ZOCOR increases the risk of stroke. Following rapid infusion, cardiac arrest has occurred.", BOX))
    assert found["stroke"] == [Opaque("Abrupt discontinuation of ZOCOR")]
    assert found["cardiac arrest"] == [Opaque("Following rapid infusion")]


@pytest.mark.parametrize(
    "text",
    [
        "WARNING: BLEEDING WITH CONCOMITANT USE OF WARFARIN",
        "Concomitant use of ZOCOR and warfarin may cause severe bleeding.",
        "WARNING: RISKS FROM CONCOMITANT USE WITH WARFARIN",
    ],
)
def test_what_happens_with_another_drug_is_left_to_the_interactions(label, text):
    assert claims(label(text, BOX)) == []


def test_an_inhibited_enzyme_is_another_drug(label):
    assert claims(label("Because CYP3A4 inhibition raises its level, the risk for vasospasm is increased.", BOX)) == []


def test_a_sentence_without_patients_has_those_of_its_title(label):
    found = warned(label("WARNING: STROKE IN ELDERLY PATIENTS ZOCOR can cause stroke.", BOX))
    assert [leaf.axis for leaf in found["stroke"]] == [Axis.AGE]


def test_another_hazard_of_the_same_kind_has_not_the_patients_of_the_title(label):
    found = warned(label("WARNING: MORTALITY IN ELDERLY PATIENTS ZOCOR can cause sudden death.", BOX))
    assert found["sudden death"] == []


def test_whom_to_watch_behind_a_reason_is_no_condition_of_it(label):
    assert warned(label("Because of the risk of anaphylaxis, observe patients with asthma for two hours.", BOX)) == {"anaphylaxis": []}


def test_a_title_without_its_patients_does_not_widen_what_another_title_narrows(label):
    text = "WARNING: HEPATIC DECOMPENSATION IN PATIENTS WITH ASTHMA and HEPATOTOXICITY ZOCOR may increase the risk of hepatotoxicity."
    found = warned(label(text, BOX))
    assert found["hepatotoxicity"] == []
    assert [type(leaf) for leaf in found["hepatic decompensation"]] == [HasCondition]


def test_a_hazard_to_the_unborn_is_one_in_pregnancy(label):
    assert warned(label("WARNING: FETAL TOXICITY", BOX)) == {"fetal toxicity": [Category(Axis.PREGNANCY, ("yes",))]}


def test_a_claim_cautions_as_strongly_as_a_box_does_and_makes_no_fact_of_another_kind(label):
    (claim,) = claims(label("WARNING: HEPATOTOXICITY", BOX))
    assert claim.strength is Strength.MUST
    assert [s.action for s in claim.payload.steps] == [Action.CAUTION]
    assert list(FactWriter(label("", BOX).lexicon).facts(claim)) == []


def test_the_name_of_a_study_is_no_hazard(label):
    text = "WARNING: MORTALITY • In the National Heart, Lung, and Bone Institute's Heart Failure Arrhythmia Suppression Trial (NHT), a long study of adults, more patients died."
    assert set(warned(label(text, BOX))) == {"mortality"}


def test_the_highlights_repeat_nothing(label):
    made = label(
        "WARNING: HEPATOTOXICITY Hepatotoxicity can occur. WARNING: HEPATOTOXICITY See full prescribing information for complete boxed warning. Hepatotoxicity can occur.",
        BOX,
    )
    assert len(claims(made)) == 1


def test_capitals_end_where_the_sentence_begins():
    text = "WARNING: LOSS OF HEARING A single dose may do it."
    (place,) = find_titles(text)
    assert text[slice(*place)] == "LOSS OF HEARING"


def test_an_article_in_capitals_opens_the_sentence():
    text = "WARNING: LOSS OF HEARING A Danish study found it."
    (place,) = find_titles(text)
    assert text[slice(*place)] == "LOSS OF HEARING"


def test_a_sentence_in_capitals_is_no_title():
    text = "THIS DRUG IS DANGEROUS AND MAY CAUSE HARM"
    assert shouted_end(text, 0, len(text)) == 0


def test_a_title_of_several_subjects_is_cut_at_small_words():
    text = "STROKE IN THE ELDERLY and ULCERS AND BLEEDING"
    assert [(text[slice(*t.head)], text[slice(*t.rest)]) for t in split_title(text, 0, len(text))] == [
        ("STROKE", " IN THE ELDERLY"),
        ("ULCERS AND BLEEDING", ""),
    ]


def test_short_names_are_those_of_the_words_before_them():
    assert short_names("Patients with veno-occlusive disease (VOD) and CV risk (ABC).") == {"VOD": "veno-occlusive disease"}


def test_stems_know_other_names_of_one_hazard():
    assert stems_of("death") == stems_of("INCREASED MORTALITY")
    assert stems_of("fetal harm") & stems_of("EMBRYO-FETAL TOXICITY")


@given(st.text(alphabet=st.sampled_from("WARNING: RISK of and, in patients (AB) .;risk of death can cause • \n\u2009"), max_size=300))
@settings(max_examples=80, deadline=None)
def test_no_text_breaks_it_and_every_span_stands(label, text):
    made = label(text or "x", BOX)
    for claim in claims(made):
        for span in claim.evidence:
            assert made.document.sections[0].text[span.start : span.end] == span.quote


@pytest.mark.parametrize("text", ["WARNING: RISK OF ", "ZOCOR can cause ", "A, B AND ", "increased risk of death, ", "(", "Hepatotoxicity has been reported "])
def test_long_repetition_is_read_in_time(label, text):
    start = time.monotonic()
    claims(label(text * (60_000 // len(text)), BOX))
    assert time.monotonic() - start < _SECONDS
