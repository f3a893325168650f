from __future__ import annotations

import pytest

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.spread import spread
from ontology.model.guards import Opaque
from ontology.text.doses import DosePhrase


def held(text, doses, conditions):
    """For each dose of the text the conditions that hold for it."""
    phrases = [DosePhrase(text.index(d), text.index(d) + len(d), ()) for d in doses]
    found = [Restriction(Opaque(c), text.index(c), text.index(c) + len(c)) for c in conditions]
    return [{r.guard.text for r in some} for some in spread(text, phrases, found)]


@pytest.mark.parametrize(
    ("text", "doses", "conditions", "expected"),
    [
        ("In adults with asthma, start with 5 mg daily, then 10 mg daily.", ["5 mg", "10 mg"], ["with asthma"], [{"with asthma"}, {"with asthma"}]),
        ("Give 25 mg daily in patients with mild disease and 12.5 mg in patients with severe disease.", ["25 mg", "12.5 mg"], ["mild disease", "severe disease"], [{"mild disease"}, {"severe disease"}]),
        ("The dose is 5 mg daily, or 2.5 mg daily in frail patients.", ["5 mg", "2.5 mg"], ["frail patients"], [set(), {"frail patients"}]),
        ("Start with 5 mg and increase to 10 mg in adults.", ["5 mg", "10 mg"], ["in adults"], [{"in adults"}, {"in adults"}]),
        ("For children, 5 mg daily; for adults, 10 mg daily.", ["5 mg", "10 mg"], ["For children", "for adults"], [{"For children"}, {"for adults"}]),
        ("Do not exceed 20 mg a day (or 40 mg a day in those who took 80 mg before) with lomitapide.", ["20 mg", "40 mg"], ["those who took", "with lomitapide"], [{"with lomitapide"}, {"those who took", "with lomitapide"}]),
        ("10 mg daily.", ["10 mg"], [], [set()]),
    ],
)  # fmt: skip
def test_conditions_hold_for_the_doses_they_stand_with(text, doses, conditions, expected):
    assert held(text, doses, conditions) == expected


def test_every_condition_holds_for_some_dose():
    text = "If needed, and when tolerated, 5 mg to children, in winter, and 10 mg (in summer) to adults, unless contraindicated."
    said = held(text, ["5 mg", "10 mg"], ["needed", "tolerated", "to children", "in winter", "in summer", "to adults", "unless contraindicated"])
    assert set().union(*said) == {"needed", "tolerated", "to children", "in winter", "in summer", "to adults", "unless contraindicated"}


def test_nothing_to_hold():
    assert spread("text", [], []) == []
