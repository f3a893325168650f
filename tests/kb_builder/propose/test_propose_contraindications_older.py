"""Contraindications as labels without numbered subsections word them, in their own section and in warnings."""

from __future__ import annotations

import pytest

from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from ontology.model.guards import Interval, Opaque


def said(label, text: str, key: str = "contraindications") -> dict[str, str]:
    """Name of the object as the label says it -> action."""
    made = label(text, key)
    found = ContraindicationProposer().propose(made.document, made.subject, made.lexicon)
    return {p.claim.words.lower(): "+".join(s.action.value for s in p.claim.payload.steps) for p in found}


def guards(label, text: str) -> dict[str, object]:
    made = label(text, "contraindications")
    return {p.claim.words.lower(): p.claim.guard for p in ContraindicationProposer().propose(made.document, made.subject, made.lexicon)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anuria. Not recommended in persons with known asthma or epilepsy.", {"anuria": "contraindicated", "asthma": "not-recommended", "epilepsy": "not-recommended"}),
        ("ZOCOR should not be started until an acute attack of colic has subsided.", {"acute attack of colic": "contraindicated"}),
        ("ZOCOR should not be used to manage acute hyperkalemia.", {"acute hyperkalemia": "contraindicated"}),
        ("Active or recent (e.g., within the last year) bleeding.", {"active or recent bleeding": "contraindicated"}),
        ("ZOCOR is contraindicated in patients with asthma. WARNINGS. See the boxed warning. General ZOCOR acts slowly.", {"asthma": "contraindicated"}),
    ],
)  # fmt: skip
def test_own_section(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR should not be used for the prevention of hypertension.", {"prevention of hypertension": "avoid"}),
        (
            "Do not use ZOCOR to prevent angioedema, hyperkalemia, or anuria.",
            {"prevention of angioedema": "avoid", "prevention of hyperkalemia": "avoid", "prevention of anuria": "avoid"},
        ),
        ("Statins with or without niacin should not be used for the prevention of hypertension.", {"prevention of hypertension": "avoid"}),
        ("ZOCOR should not be used for the production of eyelid block or nerve block due to poor data.", {"eyelid block": "avoid", "nerve block": "avoid"}),
        ("ZOCOR is not recommended for emergency situations, where speed matters.", {"emergency situations": "not-recommended"}),
        ("ZOCOR should not be used for the treatment of allergic reactions.", {"allergic reactions": "avoid"}),
        ("ZOCOR should not be given to patients with this form of aspirin sensitivity.", {"aspirin": "avoid"}),
        ("Stable pressure is important to the avoidance of bradycardia in patients with asthma.", {}),
        ("The administration of niacin should be avoided in the treatment of anuria that ZOCOR has caused.", {}),
    ],
)
def test_warnings(label, text, expected):
    assert said(label, text, "warnings") == expected


def test_what_follows_the_section_is_read_as_what_it_is(label):
    text = "ZOCOR is contraindicated in patients with asthma. PRECAUTIONS General Use with caution in patients with epilepsy. Anuria."
    assert said(label, text) == {"asthma": "contraindicated", "epilepsy": "caution"}


def test_children_stay_with_each_operation(label):
    found = guards(label, "ZOCOR is contraindicated in all children who undergo tonsillectomy or adenoidectomy.")
    assert found["adenoidectomy"] == Opaque("children who undergo")


def test_a_printed_age_is_the_guard(label):
    found = guards(label, "ZOCOR is contraindicated in children younger than 12 years who have had tonsillectomy or adenoidectomy.")
    assert isinstance(found["adenoidectomy"], Interval)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is contraindicated in patients with severely impaired hepatic or renal function.", {"severely impaired hepatic function", "severely impaired renal function"}),
        ("ZOCOR is contraindicated in patients with severe heart or kidney disease.", {"severe heart disease", "severe kidney disease"}),
        ("ZOCOR is contraindicated in patients with liver, lung, or kidney disease.", {"liver disease", "lung disease", "kidney disease"}),
        ("ZOCOR is contraindicated in patients with proven or suspected angioedema.", {"suspected angioedema"}),
        ("ZOCOR is contraindicated in patients with hypersensitivity to ZOCOR and the penicillin group of antacids.", {"simvastatin", "penicillin"}),
    ],
)  # fmt: skip
def test_members_keep_their_grade_and_their_noun(label, text, expected):
    assert set(said(label, text)) == expected


def test_who_has_what_is_not_to_be_prevented_is_not_meant(label):
    made = label("ZOCOR should not be used to prevent angioedema or hyperkalemia.", "warnings")
    found = ContraindicationProposer().propose(made.document, made.subject, made.lexicon)
    assert {p.claim.object.system for p in found} == {"uncoded"}
