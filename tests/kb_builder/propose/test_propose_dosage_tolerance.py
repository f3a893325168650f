"""Doses for those who are used to opioids, or are not: what the medication list tells of it, and words left beside it."""

import pytest

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.tolerance import told_by_opioids
from ontology.model.dosing import Limit
from ontology.model.guards import AllOf, AnyOf, Exposure, Not, Opaque
from ontology.model.identifiers import EntityId

OPIOIDS = EntityId("DrugClass", "pharmgraph", "opioids")


class Opioids:
    """A lexicon of one name."""

    def lookup(self, name, types):
        return (OPIOIDS,) if name == "opioids" else ()


def told(text, words, lexicon=None):
    at = text.index(words)
    return [r.guard for r in told_by_opioids(text, [Restriction(Opaque(words), at, at + len(words))], lexicon or Opioids())]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("For patients who are not opioid tolerant, start with 5 mg.", "not opioid tolerant"),
        ("Opioid-Naïve Patients: start with 5 mg.", "Naïve"),
        ("For opioid non-tolerant patients, start with 5 mg.", "non-tolerant"),
        ("In patients who are not tolerant to opioids, start with 5 mg.", "not tolerant"),
    ],
)
def test_who_takes_no_opioid_is_not_tolerant_and_who_takes_one_may_not_be(text, words):
    assert told(text, words) == [AnyOf((Not(Exposure(OPIOIDS)), Opaque("not opioid tolerant")))]


def test_only_who_takes_an_opioid_may_be_tolerant():
    assert told("In opioid-tolerant patients, start with 30 mg.", "opioid-tolerant") == [AllOf((Exposure(OPIOIDS), Opaque("opioid tolerant")))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("In treatment-naive patients, start with 5 mg.", "treatment-naive"),
        ("In patients who are not tolerant to lactose, start with 5 mg.", "not tolerant"),
        ("In opioid-naive patients over 90 kg, start with 5 mg.", "opioid-naive patients over 90 kg"),
    ],
)
def test_other_words_stay_as_they_are(text, words):
    assert told(text, words) == [Opaque(words)]


def test_naive_and_not_tolerant_are_one():
    text = "For opioid-naive and opioid non-tolerant patients, start with 5 mg."
    both = [Restriction(Opaque(w), text.index(w), text.index(w) + len(w)) for w in ("naive", "non-tolerant")]
    assert len(told_by_opioids(text, both, Opioids())) == 1


def claims(label, text):
    made = label(f"2 DOSAGE {text}", "dosage_and_administration")
    return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]


def test_the_form_of_the_product_is_no_condition(label):
    (claim,) = claims(label, "The starting dose for patients who are not tolerant is ZOCOR extended-release tablet 50 mg twice daily.")
    assert "extended-release" not in str(claim.guard)


def test_a_ceiling_that_names_its_product_first_is_no_usual_dose(label):
    found = claims(label, "Do not exceed a total daily dose of ZOCOR extended-release tablets of 500 mg.")
    assert [type(c.payload) for c in found] == [Limit]


@pytest.mark.parametrize("word", ["target", "Moderate HI"])
def test_words_of_a_dose_and_degrees_whose_class_is_told_are_no_conditions(label, word):
    (first, *_) = claims(label, "For patients with moderate HI (Child-Pugh Class B), initial and target doses should be reduced to 50% of the normal dose.")
    assert word.lower() not in str(first.guard).lower()
