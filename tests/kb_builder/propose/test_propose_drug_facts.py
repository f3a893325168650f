"""Over-the-counter labels: the fixed headings of Drug Facts, with and without the bullets of their items."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.drug_facts.book import drug_facts_book
from kb_builder.propose.drug_facts.proposer import DrugFactsProposer
from kb_builder.propose.interactions.proposer import InteractionProposer
from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.facts import Axis, ConditionState, ExposureState
from ontology.model.guards import Category, HasCondition, Interval, Opaque, leaves
from ontology.text.drug_facts import FactsHeading, cut_directions, drug_facts_parts, is_drug_facts

WARNINGS = (
    "Warnings Stomach bleeding warning: The chance is higher in people over 60. Do not use if you have ever had an allergic reaction to simvastatin "
    "right before or after surgery with any other drug containing simvastatin unless a doctor said you have epilepsy "
    "Ask a doctor before use if stomach bleeding warning applies to you you have a history of kidney stones you have asthma heart failure diabetes "
    "trouble urinating due to an old peptic ulcer you have active liver or kidney disease "
    "Ask a doctor or pharmacist before use if you are taking warfarin, because bleeding is likelier taking a diuretic under a doctor's care for any serious condition "
    "When using this product drowsiness may occur avoid lithium Stop use and ask a doctor if you have glaucoma or take digoxin "
    "If pregnant or breast-feeding, ask a health professional before use. It is especially important not to use this product at 20 weeks or later in pregnancy. "
    "Keep out of reach of children."
)


@pytest.fixture
def facts(label):
    """`facts(text)`: what Drug Facts say, as (predicate, words, action)."""

    def read(text, key="warnings", proposer=None):
        made = label(text, key)
        found = [p.claim for p in (proposer or DrugFactsProposer()).propose(made.document, made.subject, made.lexicon)]
        return {(c.predicate, c.words, c.payload.steps[0].action.value): c for c in found}

    return read


def told(found, predicate):
    return {(words, action) for p, words, action in found if p == predicate}


def test_the_parts_are_found_by_their_headings():
    parts = drug_facts_parts(WARNINGS)
    assert [p.heading for p in parts] == [
        FactsHeading.ALERT,
        FactsHeading.DO_NOT_USE,
        FactsHeading.ASK_DOCTOR,
        FactsHeading.ASK_DOCTOR_OR_PHARMACIST,
        FactsHeading.WHEN_USING,
        FactsHeading.STOP_USE,
        FactsHeading.PREGNANCY,
        FactsHeading.CHILDREN,
    ]
    assert is_drug_facts(WARNINGS)
    assert not is_drug_facts("WARNINGS Do not use in patients with asthma. Patients should be monitored.")


def test_what_is_forbidden_and_what_a_doctor_decides(facts):
    found = facts(WARNINGS)
    assert told(found, "contraindicated_in") == {
        ("simvastatin", "contraindicated"),
        ("surgery", "contraindicated"),
        ("history of kidney stones", "caution"),
        ("asthma", "caution"),
        ("heart failure", "caution"),
        ("diabetes", "caution"),
        ("peptic ulcer", "caution"),
        ("active liver disease", "caution"),
        ("active kidney disease", "caution"),
    }
    stones = found["contraindicated_in", "history of kidney stones", "caution"]
    assert [leaf.state for leaf in leaves(stones.guard) if isinstance(leaf, HasCondition)] == [ConditionState.HISTORY]
    assert str(found["contraindicated_in", "active liver disease", "caution"].object).endswith("active-liver-disease")


def test_what_is_taken_beside_it(facts):
    assert told(facts(WARNINGS), "interacts_with") == {("warfarin", "caution"), ("diuretic", "caution")}


def test_the_time_after_stopping_counts_as_use(facts):
    found = facts(
        "Warnings Do not use if you are now taking a prescription monoamine oxidase inhibitor (MAOIs), or for 2 weeks after stopping the MAOIs drug. "
        "Ask a doctor before use if you have asthma Keep out of reach of children."
    )
    guards = [c.guard for (p, words, _), c in found.items() if p == "interacts_with" and words.startswith("monoamine")]
    assert [leaf.within_days for leaf in leaves(guards[0]) if leaf.state is ExposureState.STOPPED_WITHIN] == [14]


def test_pregnancy_in_general_and_late(facts):
    made = [c for (p, _, _), c in facts(WARNINGS).items() if p == "population_advice"]
    assert {(c.words, c.payload.steps[0].action.value, c.guard is None) for c in made} == {
        ("pregnant women", "caution", True),
        ("breastfeeding women", "caution", True),
        ("pregnant women", "avoid", False),
    }
    late = next(c for c in made if c.guard is not None)
    weeks = next(leaf for leaf in leaves(late.guard) if isinstance(leaf, Category))
    assert (weeks.axis, weeks.values) == (Axis.PREGNANCY, ("second-trimester", "third-trimester"))


def test_a_label_may_say_another_thing_of_each(facts):
    found = facts(
        "Warnings Stop use and ask a doctor if pain lasts. If pregnant or breast-feeding: if breast-feeding: do not use if pregnant: ask a health professional before use."
    )
    assert told(found, "population_advice") == {("breastfeeding women", "avoid"), ("pregnant women", "caution")}


def test_bullets_cut_items_where_there_are_some(facts):
    found = facts("Warnings Ask a doctor before use if you have • epilepsy • a breathing problem such as asthma Stop use and ask a doctor if • fever lasts")
    assert told(found, "contraindicated_in") == {("epilepsy", "caution"), ("breathing problem", "caution"), ("asthma", "caution")}


@pytest.mark.parametrize(
    ("text", "action", "below"),
    [
        ("Directions adults: take 1 tablet daily, unless directed by a doctor children under 12 years: ask a doctor", "caution", 12),
        ("Directions adults take 2 tablets children under 6 years of age do not use", "avoid", 6),
    ],
)
def test_ages_that_the_directions_exclude(label, text, action, below):
    made = label("Warnings Stop use and ask a doctor if pain lasts. Keep out of reach of children.", "warnings", dosage_and_administration=text)
    (claim,) = [p.claim for p in DrugFactsProposer().propose(made.document, made.subject, made.lexicon)]
    (age,) = [leaf for leaf in leaves(claim.guard) if isinstance(leaf, Interval)]
    assert (claim.predicate, claim.payload.steps[0].action.value, int(age.high)) == ("population_advice", action, below)


def test_directions_are_cut_where_an_age_or_a_limit_begins(label):
    text = (
        "Directions do not take more than directed adults and children 12 years and over: take 1 tablet every 4 to 6 hours while symptoms last "
        "if pain does not respond to 1 tablet, 2 tablets may be used do not exceed 6 tablets in 24 hours, unless directed by a doctor "
        "children under 12 years: ask a doctor"
    )
    made = label(text, "dosage_and_administration")
    found = {p.claim.predicate: p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)}
    for predicate in ("has_dose_rule", "has_limit"):
        (age,) = [leaf for leaf in leaves(found[predicate].guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE]
        assert (age.low, age.high) == (12, None)
    assert cut_directions("Take 1 tablet children under 12 years: ask") == "Take 1 tablet children under 12 years: ask"
    assert len(cut_directions(text)) == len(text)


@pytest.mark.parametrize("proposer", [ContraindicationProposer(), InteractionProposer(), PopulationProposer()])
def test_no_other_reader_reads_drug_facts(facts, proposer):
    assert facts(WARNINGS, proposer=proposer) == {}


def test_a_label_with_contraindications_is_read_as_a_prescription_label(label):
    made = label(WARNINGS, "warnings", contraindications="Contraindicated in anuria.")
    assert list(DrugFactsProposer().propose(made.document, made.subject, made.lexicon)) == []


@given(st.lists(st.sampled_from([*WARNINGS.split(" "), "•", "Do not use", "Ask a doctor before use if", ":", ".", "若", "\u2029"]), max_size=60))
def test_parts_lie_apart_and_in_order(words):
    text = " ".join(words)
    at = 0
    for part in drug_facts_parts(text):
        assert at <= part.at < part.start <= part.end <= len(text)
        at = part.end


def test_a_long_repetition_is_read_in_time():
    started = time.monotonic()
    assert list(drug_facts_book().late.finditer("do not use at weeks " * 5000)) == []
    assert time.monotonic() - started < 10


def test_a_small_do_not_use_behind_an_alert_heads_a_part(facts):
    found = facts(
        "Warnings Organ transplant alert: do not use if you have asthma. Ask a doctor before use if you have epilepsy. Keep out of reach of children."
    )
    assert set(found) == {("contraindicated_in", "asthma", "contraindicated"), ("contraindicated_in", "epilepsy", "caution")}


def test_an_age_that_a_doctor_may_spare_keeps_the_exception(facts):
    found = facts("Warnings Do not use for children under 2 years of age unless directed by a doctor. Ask a doctor before use if you have asthma.")
    claim = found["population_advice", "children", "contraindicated"]
    assert [leaf.text if isinstance(leaf, Opaque) else str(leaf.high) for leaf in leaves(claim.guard)] == ["2", "unless directed by a doctor"]


def test_a_state_and_its_cause_are_both_asked_about(facts):
    found = facts("Warnings Ask a doctor before use if you have asthma due to an old peptic ulcer")
    assert {"asthma", "peptic ulcer"} <= {words for predicate, words, _ in found if predicate == "contraindicated_in"}
