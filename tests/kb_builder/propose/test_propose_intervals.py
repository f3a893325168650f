"""Drugs that days must lie between are a pair with a window after the one that is stopped first."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from ontology.model.advice import Action
from ontology.model.facts import ExposureState
from ontology.model.guards import Exposure, leaves


def windows(made: Any) -> set[tuple[str, str, Decimal]]:
    """(partner, whose use must be over, days) of the pairs of a label."""
    pairs = [p.claim for p in made.proposals() if p.claim.predicate == "interacts_with"]
    return {
        (p.object.code, leaf.whose.value, leaf.within_days)
        for p in pairs
        for leaf in leaves(p.guard)
        if isinstance(leaf, Exposure) and leaf.state is ExposureState.STOPPED_WITHIN
    }


@pytest.mark.parametrize(
    ("said", "partner", "whose", "days"),
    [
        ("When it is desired to replace a monoamine oxidase inhibitor with ZOCOR, a minimum of 14 days should be allowed to elapse after the former is discontinued.", "mao", "partner", 14),
        ("When it is desired to substitute ZOCOR for a monoamine oxidase inhibitor, a minimum of 14 days should be allowed to elapse after the latter is discontinued.", "mao", "partner", 14),
        ("When it is desired to substitute ZOCOR in patients receiving a monoamine oxidase inhibitor, as long an interval should elapse as the clinical situation will allow, with a minimum of 14 days.", "mao", "partner", 14),
        ("Before administration of ZOCOR, MAO inhibitors should be discontinued for a minimum of 14 days, or longer if the clinical situation permits.", "mao", "partner", 14),
        ("At least 20 days should elapse after stopping digoxin before starting ZOCOR.", "digoxin", "partner", 20),
        ("At least 14 days should elapse between the discontinuation of ZOCOR and the institution of phenytoin or verapamil.", "phenytoin", "subject", 14),
        ("Allow at least five weeks between discontinuation of warfarin and initiation of ZOCOR and at least 14 days between discontinuation of ZOCOR and initiation of digoxin.", "warfarin", "partner", 35),
        ("Allow at least five weeks between discontinuation of warfarin and initiation of ZOCOR and at least 14 days between discontinuation of ZOCOR and initiation of digoxin.", "digoxin", "subject", 14),
        ("Allow at least 2 weeks between discontinuation of another statin and initiation of ZOCOR.", "statin", "partner", 14),
        ("ZOCOR is a statin. At least two weeks should elapse between withdrawal of the statin and the initiation of warfarin.", "warfarin", "subject", 14),
        ("ZOCOR is contraindicated with verapamil. At least 2 weeks should elapse between discontinuation of ZOCOR and initiation of treatment with these medications.", "verapamil", "subject", 14),
    ],
)  # fmt: skip
def test_the_window_is_of_the_drug_that_is_stopped_first(label: Any, said: str, partner: str, whose: str, days: int) -> None:
    found = windows(label(f"4 CONTRAINDICATIONS {said}", "contraindications"))
    assert any(partner in code and (w, d) == (whose, Decimal(days)) for code, w, d in found), found


@pytest.mark.parametrize(
    "said",
    [
        "In studies at least 14 days elapsed between discontinuation of digoxin and initiation of ZOCOR in most patients.",
        "At least 14 days should elapse between discontinuation of warfarin and initiation of treatment with digoxin.",
        "At least 8 hours should elapse between doses of ZOCOR.",
        "The patient should be watched for 14 days after stopping ZOCOR.",
    ],
)
def test_no_window_where_the_product_is_neither_or_nothing_is_asked(label: Any, said: str) -> None:
    assert not windows(label(f"7 DRUG INTERACTIONS {said}"))


@pytest.mark.parametrize(("section", "action"), [("contraindications", Action.CONTRAINDICATED), ("drug_interactions", Action.AVOID)])
def test_it_is_as_strict_as_its_section(label: Any, section: str, action: Action) -> None:
    made = label("At least 20 days should elapse after stopping digoxin before starting ZOCOR.", section)
    strictest = {p.claim.payload.strictest for p in made.proposals() if p.claim.predicate == "interacts_with" and "digoxin" in p.claim.object.code}
    assert action in strictest


def test_what_is_said_of_taking_both_stands_beside_the_interval(label: Any) -> None:
    said = "Severe toxicity has been reported in patients receiving digoxin and ZOCOR. At least 20 days should elapse after stopping digoxin before starting ZOCOR."
    pairs = [p.claim for p in label(f"7 DRUG INTERACTIONS {said}").proposals() if "digoxin" in p.claim.object.code]
    assert {(p.payload.strictest, p.guard is None) for p in pairs} == {(Action.CAUTION, True), (Action.AVOID, False)}


def test_what_is_excepted_is_not_meant(label: Any) -> None:
    said = "At least 14 days should elapse between discontinuation of ZOCOR and the start of an anticoagulant, with the exception of warfarin."
    assert {code for code, *_ in windows(label(f"7 DRUG INTERACTIONS {said}"))} == {"anticoagulants"}
