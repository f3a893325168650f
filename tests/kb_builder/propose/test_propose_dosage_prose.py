"""Dose rules from sentences, whole: which amounts, of whom, for what."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.abbreviations import explained
from kb_builder.propose.dosage.bands import disjoint, within, without_words_of_numbers
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.settle import settle_doses
from kb_builder.propose.dosage.unread import unread_clauses
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from ontology.model.dosing import Limit, Measure, PhaseKind, Regimen
from ontology.model.facts import Axis
from ontology.model.guards import Category, Exposure, Interval, leaves

USES = "zocor is indicated for hypertension and heart failure"


@pytest.fixture
def drafts(label):
    """`drafts(text)`: what the prose of a dosing section gives."""

    def read(text, **more):
        made = label(f"DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration", **more)
        finder = thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients)
        reading = read_section(made.document.sections[0], finder)
        return settle_doses(ProseReader(reading, made.lexicon, USES).drafts(scopes_of(reading, made.lexicon, USES)))

    return read


@pytest.fixture
def claims(label):
    def propose(text, **more):
        made = label(text, "dosage_and_administration", **more)
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return propose


def amounts(found):
    """(low, high, unit) of every amount, limits too."""
    out = []
    for draft in found:
        some = [draft.payload.amount] if isinstance(draft.payload, Limit) else [a for p in draft.payload.phases for a in p.amounts]
        out += [(str(a.low if a.low is not None else a.high), str(a.high if a.high is not None else a.low), a.unit) for a in some]
    return out


def told(found):
    return [a[0] for a in amounts(found)]


def guards(draft):
    return [leaf for r in draft.limits for leaf in leaves(r.guard)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The usual dose of ZOCOR is 20 mg once daily.", ["20"]),
        ("In clinical trials 80 mg once daily was given to adults.", []),
        ("Doses above 40 mg once daily have not been studied.", []),
        ("For example, a patient weighing 60 kg could be given 30 mg daily.", []),
        ("If a dose is missed, take 20 mg the next day.", []),
        ("ZOCOR is available as tablets of 20 mg.", []),
        ("Dilute 20 mg of ZOCOR in 100 mL.", []),
        ("When switching from amlodipine, start with 20 mg.", []),
        ("Give ZOCOR 20 mg once daily with aspirin 81 mg once daily.", ["20"]),
        ("The dose of digoxin should be reduced to 0.125 mg once daily.", []),
        ("Give 300 mg of aspirin once daily.", []),
        ("Patients receiving 10 mg once daily may be increased to 20 mg once daily.", ["20"]),
        ("In patients who tolerate 10 mg once daily, increase to 20 mg once daily.", ["20"]),
        ("The use of ZOCOR 5 mg is not recommended.", []),
        ("The usual dose is 20 mg once daily, although 80 mg once daily has been studied.", ["20"]),
        ("Take 20 mg (1 tablet) once daily.", ["20"]),
        ("Serum levels of 20 mg per 100 mL should be avoided.", []),
    ],
)
def test_which_amounts_are_instructions_on_the_product(drafts, text, expected):
    assert told(drafts(text)) == expected


@pytest.mark.parametrize("heading", ["2.1 Preparation and Storage", "2.1 Missed Doses", "2.1 Switching from Verapamil", "2.1 Premedication"])
def test_headings_that_tell_no_doses(drafts, heading):
    assert drafts(f"{heading} Give 20 mg once daily.") == []


def test_a_ceiling_is_a_limit(drafts):
    (found,) = drafts("Do not exceed 20 mg once daily in patients taking verapamil.")
    assert isinstance(found.payload, Limit)
    assert (found.predicate, found.payload.measure, found.payload.amount.high) == ("has_limit", Measure.DAY, Decimal(20))
    assert any(isinstance(leaf, Exposure) for leaf in guards(found))


def test_an_exception_in_brackets_has_its_own_condition(drafts):
    usual, other = drafts("Do not exceed 20 mg once daily (or 40 mg once daily for patients with renal impairment).")
    assert (usual.payload.amount.high, other.payload.amount.high) == (Decimal(20), Decimal(40))
    assert guards(usual) == []
    assert guards(other) != []


def test_phases_in_sequence_are_one_regimen(drafts):
    (found,) = drafts("Start with 10 mg once daily, then increase to 20 mg once daily.")
    assert isinstance(found.payload, Regimen)
    assert [p.kind for p in found.payload.phases] == [PhaseKind.STARTING, PhaseKind.TITRATION]


def test_doses_with_their_own_conditions_are_apart(drafts):
    low, high = drafts("Give 5 mg once daily in patients with renal impairment and 10 mg once daily in patients with hepatic impairment.")
    assert {getattr(leaf, "axis", None) for leaf in guards(low)} != {getattr(leaf, "axis", None) for leaf in guards(high)}


def test_headings_give_use_and_people(drafts):
    (found,) = drafts("2.1 Hypertension Adults: The usual dose is 20 mg once daily.")
    assert found.target.words == "Hypertension"
    assert [(leaf.axis, leaf.low) for leaf in guards(found) if isinstance(leaf, Interval)] == [(Axis.AGE, Decimal(18))]


def test_without_a_use_the_object_is_everyone(drafts):
    (found,) = drafts("The usual dose is 20 mg once daily.")
    assert (found.target.id.type, found.target.id.code) == ("Population", "all")


def test_a_sentence_that_goes_on_keeps_whom_the_one_before_named(drafts):
    first, second = drafts("In patients with renal impairment, start with 5 mg once daily. The dose may be increased to 10 mg once daily.")
    assert guards(first) == guards(second) != []


def test_a_general_ceiling_takes_nothing_over(drafts):
    first, second = drafts("In patients with renal impairment, start with 5 mg once daily. The maximum recommended dose is 40 mg once daily.")
    assert guards(first) != []
    assert guards(second) == []


def test_a_clause_that_no_reader_knows_stays_in_its_words():
    text = "Give 5 mg once daily in patients of the blue group, or 10 mg when the moon is full."
    doses = [(5, 20), (55, 60)]
    found = list(unread_clauses(text, 0, len(text), [], doses))
    assert [r.guard.text for r in found] == ["in patients of the blue group", "when the moon is full"]
    assert all(text[r.start : r.end] == r.guard.text for r in found)
    read = [(found[0].start + 3, found[0].end)]
    assert [r.guard.text for r in unread_clauses(text, 0, len(text), read, doses)] == ["when the moon is full"]


def test_the_number_of_renal_function_stands_for_its_word():
    word = Restriction(Category(Axis.RENAL, ("severe",)), 4, 27)
    number = Restriction(Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True), 29, 50)
    assert without_words_of_numbers([word, number]) == [number]
    assert without_words_of_numbers([word]) == [word]


def test_bands_are_compared_in_one_unit():
    months = Interval(Axis.AGE, Decimal(6), Decimal(24), "mo")
    children = Interval(Axis.AGE, None, Decimal(18), "a", high_open=True)
    adults = Interval(Axis.AGE, Decimal(18), None, "a")
    assert within(months, children)
    assert not within(children, months)
    assert disjoint(children, adults)
    assert not disjoint(months, children)


def test_a_narrower_band_takes_the_place_of_the_headings(drafts):
    (found,) = drafts("2.1 Patients with Renal Impairment In patients with severe renal impairment the dose is 5 mg once daily.")
    assert guards(found) == [Category(Axis.RENAL, ("severe", "esrd"))]


def test_highlights_that_the_full_text_repeats_are_told_once(claims):
    found = claims("2 DOSAGE AND ADMINISTRATION Usual dose: 20 mg once daily. ( 2.1 ) 2.1 Usual Dosage The usual dose is 20 mg once daily in adults.")
    assert len([c for c in found if c.predicate == "has_dose_rule"]) == 1


def test_an_amount_of_the_day_takes_the_sections_once_daily(claims):
    text = "Administer ZOCOR once daily in the evening. The usual dose is 2 mg/kg/day."
    (found,) = [c for c in claims(text) if c.predicate == "has_dose_rule"]
    assert found.payload.phases[0].frequency.times_high == 1


def test_other_sections_tell_adjusted_doses_of_those_they_name(label):
    made = label(
        "The usual dose is 40 mg once daily.",
        "dosage_and_administration",
        drug_interactions="Do not exceed 10 mg once daily in patients taking verapamil. In patients older than 65 years, 80 mg once daily may lead to high levels.",
    )
    said = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    assert [c.statement.section for c in said] == ["dosage_and_administration", "drug_interactions"]


def test_letters_that_the_label_explains():
    assert explained("for heterozygous familial hypercholesterolemia (HeFH) in adults") == {"HeFH": "heterozygous familial hypercholesterolemia"}
    assert explained("take tablets (20 mg) daily") == {}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "Adults:",
                "20 mg",
                "once daily",
                "(",
                ")",
                "or",
                "if",
                "patients with",
                "2.1 Dosage",
                ".",
                "Table 1:",
                "verapamil",
                "do not exceed",
                "•",
                "ZOCOR",
                "½",
                "\n",
                "half",
                "then",
            ]
        ),
        max_size=40,
    )
)
def test_no_text_breaks_the_proposer(label, words):
    made = label(" ".join(words) or "x", "dosage_and_administration")
    for proposal in DosageProposer().propose(made.document, made.subject, made.lexicon):
        span = proposal.claim.statement
        assert made.document.section(span.section).text[span.start : span.end] == span.quote


def test_a_text_that_repeats_its_subsections_is_read_once(drafts):
    told = "The usual dose is 20 mg once daily. Give it in the evening with water. Adjust the dose every four weeks."
    found = drafts(f"2.1 Adults {told} 2.2 Patients with Renal Impairment Start with 5 mg once daily. Adults {told}")
    assert [d.payload.phases[0].amounts[0].high for d in found] == [Decimal(20), Decimal(5)]


def test_what_a_dose_is_made_of_is_no_dose(drafts):
    assert told(drafts("The dose is 125 mg (one 100 mg capsule and one 25 mg capsule) once daily.")) == ["125"]


def test_a_contrast_keeps_its_condition_to_itself(drafts):
    usual, severe = drafts("Start with 10 mg once daily, although in patients with renal impairment 5 mg once daily may be given.")
    assert guards(usual) == []
    assert guards(severe) != []


def test_the_share_of_a_daily_amount_is_not_told_again(drafts):
    assert told(drafts("The dose is 6 mg/kg/day (2 mg/kg every 8 hours).")) == ["6"]


def test_the_lower_end_of_a_range_is_for_whom_the_label_says(drafts):
    (found,) = drafts("The dose is 5 to 10 mg once daily, with the lower dose suggested in patients with renal impairment.")
    assert guards(found) == []


def test_what_a_product_of_another_name_holds_is_not_the_labels(drafts):
    assert told(drafts("Take one 25 mg tablet of ZOCOR with one 30 mg tablet of VOCABRIA once daily.")) == ["25"]


@pytest.mark.parametrize(
    ("heading", "people", "axes"),
    [
        ("Hepatic Impairment", " in patients with moderate hepatic impairment", {Axis.HEPATIC}),
        ("Renal Impairment", " in patients with creatinine clearance (CrCl) below 30 mL/min", {Axis.CRCL}),
        ("Renal Impairment", "", {Axis.RENAL}),
    ],
)
def test_a_heading_that_is_a_state_alone_is_that_state_and_no_words(claims, heading, people, axes):
    text = f"2.1 Recommended Dosage The dose is 20 mg once daily. 2.2 {heading} The dose is 10 mg once daily{people}."
    made = [c for c in claims(text) if c.payload.phases[0].amounts[0].low == 10]
    assert [{getattr(leaf, "axis", None) for leaf in leaves(c.guard)} for c in made] == [axes]


def test_a_part_of_the_usual_dose_behind_a_clearance_is_a_dose(drafts):
    found = drafts(
        "The dose is reduced to one-half the usual recommended dose for patients with a creatinine clearance of 10 to 30 mL/min, and one-quarter the usual "
        "recommended dose for patients with a creatinine clearance of less than 10 mL/min."
    )
    bounds = {str(d.payload.phases[0].amounts[0].low): [(r.guard.low, r.guard.high) for r in d.limits] for d in found}
    assert bounds == {"0.5": [(10, 30)], "0.25": [(None, 10)]}


def test_a_time_that_is_too_long_is_a_ceiling_on_the_course(drafts):
    (found,) = [
        d.payload
        for d in drafts("Give 5 mg three times a day. Use of ZOCOR for periods longer than 2 or 3 weeks is not recommended.")
        if isinstance(d.payload, Limit)
    ]
    assert (found.measure, found.amount.high, found.amount.unit) == (Measure.DURATION, 21, "d")
