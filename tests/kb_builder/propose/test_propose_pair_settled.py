"""One sentence about one drug is one claim."""

from __future__ import annotations

from typing import Any

import pytest

from kb_builder.propose.interactions.proposer import InteractionProposer
from kb_builder.propose.protocol import Proposal


def guards(made: Any, drug: str) -> list[str]:
    found = [p for p in InteractionProposer().propose(made.document, made.subject, made.lexicon) if isinstance(p, Proposal)]
    return [repr(p.claim.guard) for p in found if made.lexicon.name(p.claim.object).lower() == drug]


@pytest.mark.parametrize(
    "text",
    [
        "Digoxin (P-gp Inhibition) Significantly Increased When initiating therapy with simvastatin in patients already receiving digoxin doses of"
        " 0.25 mg or greater, reduce the digoxin dose by one-half.",
        "In patients stabilized on high doses of digoxin, digoxin should be reduced when simvastatin is given.",
    ],
)
def test_a_sentence_that_restricts_itself_is_not_claimed_without_it_too(label: Any, text: str) -> None:
    found = guards(label(text), "digoxin")
    assert found
    assert "None" not in found


def test_sentences_of_their_own_are_claims_of_their_own(label: Any) -> None:
    text = "Reduce the digoxin dose by one-half. Avoid digoxin in patients with renal impairment."
    assert "None" in guards(label(text), "digoxin")


def test_the_use_of_the_drugs_themselves_restricts_no_pair(label: Any) -> None:
    text = "In patients who are receiving ZOCOR and digoxin, discontinue ZOCOR for several days before the gradual tapering of digoxin."
    assert guards(label(text), "digoxin") == ["None"]
