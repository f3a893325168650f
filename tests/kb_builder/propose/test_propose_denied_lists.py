"""Lists of what a product is not for: each item is denied; a state that is neither to be treated nor prevented is denied itself."""

import pytest

from kb_builder.propose.indications.proposer import IndicationProposer
from ontology.model.claims import Polarity


def uses(label, text):
    made = label(f"1 INDICATIONS AND USAGE ZOCOR is indicated for epilepsy. {text}", "indications_and_usage")
    found = IndicationProposer().propose(made.document, made.subject, made.lexicon)
    return {(p.claim.words or made.name(p), p.claim.polarity is Polarity.POSITIVE) for p in found}


@pytest.mark.parametrize(
    "text",
    [
        "Limitations of Use: ZOCOR tablets are not approved for: • Treatment of asthma. • Treatment of hypertension.",
        "Limitations of Use: ZOCOR tablets are not recommended for: Treatment of asthma. Treatment of hypertension.",
        "Limitations of Use: ZOCOR is not indicated for the following: • Asthma • Hypertension",
    ],
)
def test_every_item_of_the_list_is_denied(label, text):
    assert {(w.lower(), yes) for w, yes in uses(label, text)} == {("epilepsy", True), ("asthma", False), ("hypertension", False)}


def test_sentences_behind_the_list_deny_nothing(label):
    text = "Limitations of Use: ZOCOR is not approved for: • Treatment of asthma. Patients were followed for a year. Treatment of hypertension."
    assert ("hypertension", False) not in {(w.lower(), yes) for w, yes in uses(label, text)}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Limitations of Use: ZOCOR is not approved for treatment or prevention of asthma.", "asthma"),
        ("Limitations of Use: ZOCOR is not approved for the prevention of asthma.", "prevention of asthma"),
    ],
)
def test_what_is_not_to_be_treated_or_prevented_is_denied_itself(label, text, denied):
    assert uses(label, text) == {("epilepsy", True), (denied, False)}
