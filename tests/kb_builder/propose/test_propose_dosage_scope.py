from __future__ import annotations

import pytest

from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from ontology.model.guards import leaves

USES = "hypertension. angina pectoris. heart failure. skin infections. adults and children"


@pytest.fixture
def standing(label):
    """`standing(text, words)`: what holds where the words stand."""

    def at(text, words, uses=USES):
        made = label(text, "dosage_and_administration")
        finder = thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients)
        reading = read_section(made.document.sections[0], finder)
        return scopes_of(reading, made.lexicon, uses).at(reading.blank.index(words))

    return at


def whom(standing):
    """The words or bounds of the conditions, one string each."""
    return [
        str(getattr(leaf, "text", None) or getattr(leaf, "low", None) or getattr(leaf, "values", "")) for r in standing.conditions for leaf in leaves(r.guard)
    ]


RUN_IN = (
    "2 DOSAGE AND ADMINISTRATION 2.1 Hypertension Adults: The usual initial dosage is 25 mg daily. Dosages are adjusted weekly. Pediatric Patients 6 Years of Age and Older: Start with 1 mg/kg once daily. "
    "2.2 Heart Failure Start at 12.5 mg once daily. Double the dose every two weeks. 2.3 Missed Doses Take 25 mg as soon as possible."
)


def test_a_numbered_heading_says_what_for(standing):
    assert [t.words for t in standing(RUN_IN, "25 mg daily").indications] == ["Hypertension"]
    assert [t.words for t in standing(RUN_IN, "12.5 mg").indications] == ["Heart Failure"]


def test_a_population_closes_the_last_one_and_keeps_the_indication(standing):
    found = standing(RUN_IN, "1 mg/kg")
    assert [t.words for t in found.indications] == ["Hypertension"]
    assert "6" in whom(found)
    assert not any("Adults" in w for w in whom(found))


def test_a_numbered_heading_closes_everything_above(standing):
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Hypertension Adults: The usual dose is 25 mg daily. 2.2 Usual Dosage The dose is 12.5 mg daily."
    found = standing(text, "12.5 mg")
    assert (found.indications, found.conditions) == ((), ())


def test_an_indication_closes_the_population_under_the_former_one(standing):
    text = "DOSAGE AND ADMINISTRATION Hypertension Children: The dose is 1 mg/kg once daily. Heart Failure The usual dose is 10 mg daily."
    assert standing(text, "10 mg").conditions == ()
    assert standing(text, "1 mg/kg").conditions != ()


def test_the_matter_of_a_heading(standing):
    assert standing(RUN_IN, "as soon as").topic == "missed"
    assert standing(RUN_IN, "12.5 mg").topic is None


def test_a_route_in_a_heading(standing):
    text = "DOSAGE AND ADMINISTRATION Intravenous Administration The dose is 10 mg every 6 hours. Intramuscular Administration The dose is 20 mg every 8 hours."
    assert standing(text, "10 mg").routes == ("intravenous",)
    assert standing(text, "20 mg").routes == ("intramuscular",)


def test_an_organ_is_no_route(standing):
    assert standing("DOSAGE AND ADMINISTRATION Rectal Cancer The dose is 10 mg every 6 hours.", "10 mg").routes == ()


def test_a_lead_sentence_holds_for_its_items_alone(standing):
    text = "DOSAGE AND ADMINISTRATION In patients with hepatic impairment the dose is as follows: • 5 mg once daily • 2.5 mg at bedtime The tablets are taken with water. Later the dose is 10 mg."
    assert standing(text, "5 mg once").conditions != ()


def test_headings_are_cited(standing):
    found = standing(RUN_IN, "12.5 mg")
    assert len(found.cited) == 1


def test_the_products_name_at_a_sentences_start_is_no_heading(label):
    made = label("DOSAGE AND ADMINISTRATION ZOCOR Tablets are taken once daily.", "dosage_and_administration")
    reading = read_section(made.document.sections[0], thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    (passage,) = scopes_of(reading, made.lexicon, USES).passages
    assert reading.blank[passage.start : passage.end] == "ZOCOR Tablets are taken once daily."


def test_a_run_in_heading_behind_a_title_of_general_words_ends_with_the_next_one(standing):
    text = (
        "2.1 Dose Modification Guidelines Concomitant Strong CYP3A4 Inducers: Raise the dose by half. "
        "Hepatic Impairment: Give 300 mg daily. Renal Impairment: Give 200 mg daily."
    )
    assert len(standing(text, "Raise").conditions) == 1
    assert [len(standing(text, words).conditions) for words in ("300 mg", "200 mg")] == [1, 1]
    whole = "2.1 Dosage Modifications for Strong CYP3A4 Inducers Hepatic Impairment: Give 300 mg daily."
    assert whom(standing(whole, "300 mg")) != whom(standing(text, "300 mg"))


def test_treatment_with_the_product_itself_restricts_nothing(standing):
    assert standing("2.1 Initiating Treatment with ZOCOR Start with 25 mg daily.", "25 mg").conditions == ()
    assert len(standing("2.1 Initiating Treatment with ZOCOR in Combination with Warfarin Start with 25 mg daily.", "25 mg").conditions) == 1


TITLED = (
    "2 DOSAGE AND ADMINISTRATION 2.2 Adult Dosage Heart Failure The recommended dose of ZOCOR is 40 mg once a day. "
    "Treatment of Hypertension with or without Angina Pectoris The recommended dose of ZOCOR is 30 mg once a day."
)


def test_a_title_that_says_whose_doses_follow_ends_before_the_first_use(standing):
    first = standing(TITLED, "40 mg")
    assert [t.words for t in first.indications] == ["Heart Failure"]
    assert whom(first) == ["18"]


def test_what_may_be_there_or_not_is_no_part_of_a_use(standing):
    text = "2 DOSAGE AND ADMINISTRATION 2.2 Onychomycosis with or without Fingernail Involvement The recommended dose of ZOCOR is 30 mg once a day."
    assert [t.words for t in standing(text, "30 mg", "onychomycosis").indications] == ["Onychomycosis"]
