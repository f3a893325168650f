"""Patients allergic to another drug whom a label keeps its product from unless the benefit justifies it."""

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "Patients with a history of hypersensitivity reactions to niacin should ordinarily be treated with ZOCOR only if the potential benefit justifies the risk.",
        "Some react to both, and patients who have had allergic reactions to niacin should receive ZOCOR only when the benefit outweighs the risk.",
    ],
)
def test_a_product_kept_for_need_is_not_recommended_after_the_other_drugs_reaction(label, text):
    assert label(f"5.1 Hypersensitivity {text}", "warnings_and_cautions").said("contraindicated_in") == {("niacin", "not-recommended")}


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR should be used during pregnancy only if the potential benefit justifies the potential risk.",
        "Patients with anuria should be treated with ZOCOR only if the potential benefit justifies the potential risk.",
        "Patients with a history of hypersensitivity reactions to niacin should be watched.",
    ],
)
def test_without_the_reaction_or_the_restriction_nothing_is_said(label, text):
    assert label(f"5.1 Hypersensitivity {text}", "warnings_and_cautions").said("contraindicated_in") == set()
