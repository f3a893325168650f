"""The old and the weak named together are any of them."""

import pytest

from kb_builder.propose.conditions.reader import read_conditions
from ontology.model.guards import AnyOf, Interval, leaves


def guards(text):
    return [r.guard for r in read_conditions(text, 0, len(text), [], None)]


@pytest.mark.parametrize(
    "text",
    [
        "Elderly and debilitated patients",
        "In elderly patients and debilitated patients",
        "Use in Geriatric and Debilitated Patients",
        "For frail, debilitated, and elderly patients",
        "In elderly and/or debilitated patients",
    ],
)
def test_the_old_and_the_weak_side_by_side_are_alternatives(text):
    (guard,) = guards(text)
    assert isinstance(guard, AnyOf)
    assert any(isinstance(leaf, Interval) for leaf in leaves(guard))
    assert len(leaves(guard)) >= 2


@pytest.mark.parametrize(
    "text",
    ["In debilitated patients", "In elderly patients", "In elderly and debilitated patients with renal impairment", "In elderly women who are debilitated"],
)
def test_other_people_are_read_as_before(text):
    assert not any(isinstance(g, AnyOf) and len(leaves(g)) == 2 and any(getattr(x, "text", "") == "debilitated" for x in leaves(g)) for g in guards(text))
