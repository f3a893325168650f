"""A dose that a sentence gives as the first one and as the one gone on with is both."""

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.dosing import Regimen


def phases(label, text):
    """The kinds of phases of each dose rule, sorted."""
    made = label(f"2 DOSAGE {text}", "dosage_and_administration")
    found = [p.claim.payload for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    return sorted(" ".join(phase.kind.value for phase in payload.phases) for payload in found if isinstance(payload, Regimen))


@pytest.mark.parametrize(
    "text",
    [
        "In the renally impaired, starting and maintenance doses should be reduced by one-half.",
        "The recommended starting and target dose for ZOCOR is 10 mg once daily.",
        "The initial and subsequent dose of ZOCOR is 10 mg once daily.",
        "The recommended dosage of ZOCOR is 10 mg once daily for both initial and maintenance dosing.",
    ],
)
def test_the_first_dose_and_the_one_gone_on_with_are_two_rules(label, text):
    assert phases(label, text) == ["maintenance", "starting"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The initial dose is 10 mg once daily and the maintenance dose is 20 mg once daily.", ["starting maintenance"]),
        ("The recommended maintenance dose is 20 mg once daily.", ["maintenance"]),
        ("Initial and maintenance doses are individual. The recommended dose is 20 mg once daily.", ["usual"]),
    ],
)
def test_a_dose_of_its_own_is_one(label, text, expected):
    assert phases(label, text) == expected
