"""Sections of labels without numbered subsections: run-in headings, what runs on into another section, numbered uses and therapies beside another drug."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from ontology.model.dosing import PerWhat
from ontology.model.facts import Axis
from ontology.model.guards import Exposure, Interval
from ontology.text.bounds import find_bounds
from ontology.text.doses import read_doses


def advice(label, text: str, key: str = "precautions") -> set[tuple[str, str]]:
    """(population, action) of every claim."""
    made = label(text, key)
    found = PopulationProposer().propose(made.document, made.subject, made.lexicon)
    return {(p.claim.object.code, "+".join(s.action.value for s in p.claim.payload.steps)) for p in found}


def standing(label, text: str, words: str):
    made = label(text, "dosage_and_administration")
    finder = thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients)
    reading = read_section(made.document.sections[0], finder)
    return scopes_of(reading, made.lexicon, "gout. asthma. hypertension").at(reading.blank.index(words))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pregnancy It is also not known whether ZOCOR can cause fetal harm when given to a pregnant woman.", set()),
        ("Pregnancy ZOCOR can cause fetal harm when given to a pregnant woman.", {("pregnancy", "avoid")}),
        (
            "Pregnancy ZOCOR should be given only if clearly needed. Nursing mothers Giving ZOCOR therapy should (if possible) be avoided in lactating women.",
            {("pregnancy", "caution"), ("lactation", "avoid")},
        ),
        ("Geriatric use No age-related dosing adjustment is required in elderly patients.", {("geriatric", "no-adjustment")}),
        ("Usage In Pregnancy Any use requires that the benefit be weighed against the hazards.", {("pregnancy", "caution")}),
        ("Nursing Mothers The risks and benefits for each patient should be carefully considered in nursing women.", {("lactation", "caution")}),
        ("Providers should balance the benefits of sleep in pregnant women with the potential risks.", {("pregnancy", "caution")}),
    ],
)
def test_populations_in_precautions(label, text, expected):
    assert advice(label, text) == expected


def test_passages_on_populations_behind_the_interactions(label):
    text = "Drug Interactions Niacin may add to the effect. Nursing Mothers Caution should be exercised when ZOCOR is given to a nursing woman."
    assert advice(label, text, "drug_interactions") == {("lactation", "caution")}


def test_interactions_themselves_are_no_advice_for_populations(label):
    text = "Drug Interactions In elderly patients who take niacin, the dose of ZOCOR should be reduced."
    assert advice(label, text, "drug_interactions") == set()


NUMBERED = "1. For treatment of asthma, the lowest dose should be chosen. The usual dosage is 10 mg daily. 2. For treatment of hypertension. The usual dosage is 20 mg daily."


@pytest.mark.parametrize(("words", "use"), [("10 mg", "asthma"), ("20 mg", "hypertension")])
def test_a_numbered_use_holds_for_the_sentences_behind_it(label, words, use):
    assert [t.words for t in standing(label, NUMBERED, words).indications] == [use]


def test_a_therapy_beside_another_drug_is_not_for_the_use_above(label):
    text = "Gout The usual dose is 10 mg daily. Amoxicillin Therapy (General) Adults The usual dose is 20 mg daily. Children 2 to 14 years of age: 5 mg daily."
    assert [t.words for t in standing(label, text, "10 mg").indications] == ["Gout"]
    for words in ("20 mg", "5 mg"):
        here = standing(label, text, words)
        assert here.indications == ()
        assert any(isinstance(r.guard, Exposure) and r.guard.target.code == "amoxicillin" for r in here.conditions)


def test_a_day_behind_the_same_amount_by_another_measure():
    phrases = read_doses("40 mg/kg body weight (or 1.2 g/square meter) per day, divided into 4 doses")
    assert [(a.low, a.per) for p in phrases for a in p.amounts] == [(Decimal(40), PerWhat.DAY), (Decimal("1.2"), PerWhat.DAY)]


def test_no_day_behind_another_bracket():
    (phrase,) = read_doses("40 mg/kg (by mouth) once")
    assert [a.per for a in phrase.amounts] != [PerWhat.DAY]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("children to the weight of 20 kg", Interval(Axis.WEIGHT, None, Decimal(20), "kg")),
        ("children to the age of 12 years", Interval(Axis.AGE, None, Decimal(12), "a")),
    ],
)
def test_up_to_a_weight_or_an_age(text, expected):
    assert [b.interval for b in find_bounds(text)] == [expected]


def test_a_share_of_the_dose_that_others_are_given():
    (phrase,) = read_doses("An appropriate dose is 25 to 30% of that recommended for patients with normal kidneys.")
    assert [(a.low, a.high) for a in phrase.amounts] == [(Decimal("0.25"), Decimal("0.3"))]
