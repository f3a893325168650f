"""A history is of both states that `or` joins, unless the second tells its own time or stands in a longer list."""

import pytest

from ontology.model.facts import ConditionState
from ontology.model.guards import HasCondition, leaves


def past(label, text, name):
    claim = label(f"4 CONTRAINDICATIONS {text}", "contraindications").claim(name)
    return any(isinstance(leaf, HasCondition) and leaf.state is ConditionState.HISTORY for leaf in leaves(claim.guard))


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is contraindicated in patients with a history of epilepsy or asthma.",
        "ZOCOR should not be used in patients with a history of any epilepsy or any asthma.",
        "History of epilepsy or asthma.",
        "With prior epilepsy and/or asthma.",
    ],
)
def test_the_second_of_two_shares_the_history_of_the_first(label, text):
    assert past(label, text, "epilepsy")
    assert past(label, text, "asthma")


@pytest.mark.parametrize(
    "text",
    [
        "History of epilepsy, anuria, or asthma.",
        "History of epilepsy and asthma.",
        "Epilepsy or asthma.",
    ],
)
def test_a_state_with_its_own_time_or_in_a_list_is_of_now(label, text):
    assert not past(label, text, "asthma")


def test_a_state_that_tells_its_own_time_is_of_now(label):
    assert not past(label, "History of any epilepsy or active liver disease.", "active liver disease")


def test_examples_share_a_history_too(label):
    text = "Anuria (e.g., history of epilepsy or asthma)."
    assert past(label, text, "asthma")
    assert not past(label, text, "anuria")


def test_a_history_of_the_highlights_is_kept_where_the_full_text_leaves_it_out(label):
    text = (
        "ZOCOR is contraindicated in patients with: • History of epilepsy ( 4 ) • Anuria ( 4 ) 4.1 Epilepsy ZOCOR is contraindicated in patients with epilepsy."
    )
    claims = [
        p.claim for p in label(f"4 CONTRAINDICATIONS {text}", "contraindications").proposals() if p.entities == () and p.claim.predicate == "contraindicated_in"
    ]
    told = {(c.words, c.guard is not None) for c in claims}
    assert ("History of epilepsy", True) in told
    assert ("epilepsy", False) in told
