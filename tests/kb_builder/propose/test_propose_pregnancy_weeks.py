"""Weeks of pregnancy: the trimesters they lie in, and the label's words where they are not whole trimesters."""

from __future__ import annotations

import pytest

from kb_builder.propose.conditions.pregnancy_weeks import weeks_of_pregnancy
from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.guards import AllOf, Category, leaves


@pytest.mark.parametrize(
    ("text", "trimesters", "whole"),
    [
        ("avoid it at about 30 weeks of gestation and later in pregnancy", ("third",), False),
        ("limit it between about 20 and 30 weeks of gestation", ("second", "third"), False),
        ("at 28 weeks gestation or later", ("third",), True),
        ("more than 20 weeks pregnant", ("second", "third"), False),
        ("≥ 30 weeks gestation", ("third",), False),
        ("before 14 weeks of gestation", ("first",), True),
        ("the first 10 weeks of pregnancy", ("first",), False),
        ("at 16 weeks of gestation", ("second",), False),
        ("from 14 weeks of gestation", ("second", "third"), True),
    ],
)
def test_weeks_are_trimesters_and_words(text: str, trimesters: tuple[str, ...], whole: bool) -> None:
    found = weeks_of_pregnancy(text, 0, len(text))
    assert found is not None
    assert text[found.start : found.end].split()[-1] in text.split()
    category = leaves(found.guard)[0]
    assert isinstance(category, Category)
    assert category.values == tuple(f"{t}-trimester" for t in trimesters)
    assert isinstance(found.guard, AllOf) is not whole


@pytest.mark.parametrize(
    "text", ["for 6 weeks after delivery", "infants born at 32 weeks of gestation", "within 2 weeks of treatment", "at 50 weeks of gestation or later"]
)
def test_other_weeks_are_none(text: str) -> None:
    assert weeks_of_pregnancy(text, 0, len(text)) is None


def advised(label, text: str, key: str = "warnings_and_cautions") -> dict[str, set[str]]:
    made = label(text, key)
    proposals = PopulationProposer().propose(made.document, made.subject, made.lexicon)
    return {
        p.claim.payload.strictest.value: {v for leaf in leaves(p.claim.guard) if isinstance(leaf, Category) for v in leaf.values}
        for p in proposals
        if p.claim.object.code == "pregnancy"
    }


def test_each_instruction_has_its_own_weeks(label) -> None:
    text = (
        "8.1 Pregnancy Limit dose and duration of ZOCOR between 20 and 30 weeks of gestation, and avoid ZOCOR at 30 weeks of gestation and later in pregnancy."
    )
    assert advised(label, text, "use_in_specific_populations")["avoid"] == {"third-trimester"}


def test_a_premature_closure_is_no_child(label) -> None:
    made = label("5.1 Premature Closure of the Ductus Avoid ZOCOR in pregnant women at 30 weeks gestation and later.", "warnings_and_cautions")
    said = [p.claim.object.code for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]
    assert said == ["pregnancy"]


def test_a_contraindication_in_pregnancy_keeps_its_weeks(label) -> None:
    (made,) = [p.claim for p in label("Avoid ZOCOR in pregnant women at about 30 weeks gestation and later.", "warnings_and_cautions").proposals()]
    assert (made.object.code, leaves(made.guard)[0].values) == ("pregnancy", ("third-trimester",))
