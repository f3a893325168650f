"""Warnings on patients that name other drugs too: the product's own group, an exception, the next clause; and what the Highlights alone forbid."""

import pytest

from ontology.model.guards import Opaque, leaves


def told(label, text: str, key: str = "warnings_and_cautions", **more: str) -> dict[str, str]:
    made = label(text, key, **more)
    return {c.words: c.payload.strictest.value for c in (p.claim for p in made.proposals()) if c.predicate == "contraindicated_in"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid use of NSAIDs, including ZOCOR, in patients with untreated anatomically narrow angles.", {"untreated anatomically narrow angles": "avoid"}),
        ("NSAIDs, including ZOCOR, should be avoided in patients with asthma.", {"asthma": "avoid"}),
        ("Avoid NSAIDs while taking ZOCOR in patients with asthma.", {}),
        ("ZOCOR should not be used in patients with glaucoma unless adequate measures are taken with digoxin.", {"glaucoma": "avoid"}),
        ("ZOCOR should not be used in patients with glaucoma; patients receiving digoxin are watched.", {"glaucoma": "avoid"}),
        ("ZOCOR should not be used with digoxin in patients with glaucoma.", {}),
    ],
)
def test_another_drug_of_the_sentence_hides_the_patients_only_where_both_are_taken_together(label, text, expected):
    assert told(label, text) == expected


def test_an_exception_that_names_a_drug_stays_an_exception(label):
    made = label("ZOCOR should not be used in patients with glaucoma unless warfarin is given too.", "warnings_and_cautions")
    (claim,) = (p.claim for p in made.proposals() if p.claim.predicate == "contraindicated_in")
    assert [leaf.text for leaf in leaves(claim.guard) if isinstance(leaf, Opaque)] == ["unless warfarin is given too"]


def test_a_milder_sentence_elsewhere_does_not_take_the_place_of_a_prohibition_in_the_highlights(label):
    highlights = "Glaucoma ( 4 ) Asthma ( 4 ) 4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with asthma."
    found = told(label, highlights, "contraindications", warnings="Use ZOCOR with caution in patients with glaucoma.")
    assert found["Glaucoma"] == "contraindicated"
