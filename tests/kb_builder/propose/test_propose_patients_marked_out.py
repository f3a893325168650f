"""Patients of one state whom a second state marks out are not all who have the first one, nor all who have the second."""

import pytest

from ontology.model.facts import ConditionState
from ontology.model.guards import HasCondition, leaves


def states_of(claim):
    return {(leaf.words, leaf.state) for leaf in leaves(claim.guard) if isinstance(leaf, HasCondition)}


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is contraindicated in patients: With epilepsy who are pregnant, or have uncontrolled asthma.",
        "ZOCOR is contraindicated in patients with epilepsy who are pregnant, or have uncontrolled asthma.",
        "ZOCOR is contraindicated in: Epilepsy who are pregnant or have uncontrolled asthma",
    ],
)
def test_each_state_behind_who_is_forbidden_in_those_who_have_the_state_before_it(label, text):
    found = label(f"4 CONTRAINDICATIONS {text}", "contraindications")
    assert ("epilepsy", ConditionState.ACTIVE) in {(w.lower(), s) for w, s in states_of(found.claim("pregnancy"))}
    assert "epilepsy" in {w.lower() for w, _ in states_of(found.claim("asthma"))}
    assert "epilepsy" not in {found.name(p) for p in found.proposals()}


def test_what_they_have_now_shares_no_history_before_it(label):
    found = label("4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with epilepsy who have a history of anuria or have asthma.", "contraindications")
    assert any(s is ConditionState.HISTORY for _, s in states_of(found.claim("anuria")))
    assert not any(s is ConditionState.HISTORY for _, s in states_of(found.claim("asthma")))
