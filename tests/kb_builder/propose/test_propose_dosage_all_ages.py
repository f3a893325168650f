"""Doses for adults and children alike."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.facts import Axis
from ontology.model.guards import Interval, leaves


@pytest.fixture
def ages(label):
    def propose(text):
        made = label(f"DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration")
        found = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        assert found
        return [[(leaf.low, leaf.high, leaf.term) for leaf in leaves(c.guard) if isinstance(leaf, Interval) and leaf.axis is Axis.AGE] for c in found]

    return propose


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("The recommended dosage of ZOCOR for adults and pediatric patients is 5 mg/kg once daily.", "adults and pediatric patients"),
        ("Give ZOCOR 5 mg/kg once daily in children and adults.", "children and adults"),
        ("Weight-based dosing in adult and pediatric patients: 5 mg/kg once daily.", "adult and pediatric patients"),
        ("2.1 Dosage in Adult and Pediatric Patients Administer ZOCOR 5 mg/kg once daily.", "adult and pediatric patients"),
    ],
)
def test_a_dose_for_adults_and_children_says_that_it_is_for_all_ages(ages, text, term):
    assert ages(text) == [[(Decimal(0), None, term)]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The recommended dosage of ZOCOR for adults and pediatric patients 10 years and older is 5 mg once daily.", (Decimal(10), None)),
        ("The recommended dosage of ZOCOR for adults is 5 mg once daily.", (Decimal(18), None)),
    ],
)
def test_a_stated_age_stays_the_only_one(ages, text, expected):
    (found,) = ages(text)
    assert [(low, high) for low, high, _ in found] == [expected]


def test_a_dose_by_weight_is_left_as_it_is(ages):
    assert ages("In adults and pediatric patients weighing 40 kg or more, give ZOCOR 5 mg once daily.") == [[]]


def test_a_dose_that_says_nothing_of_children_is_left_as_it_is(ages):
    assert ages("The recommended dosage of ZOCOR is 5 mg once daily.") == [[]]
