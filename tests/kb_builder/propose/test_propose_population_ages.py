"""Of two ages in one sentence the statement is of the nearer where the farther stands in a heading; listed side by side both are meant."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.guards import Interval, leaves


def ages(made) -> set[tuple[str | None, str | None]]:
    found = [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon) if p.claim.object.code == "pediatric"]
    return {(leaf.low, leaf.high) for c in found for leaf in leaves(c.guard) if isinstance(leaf, Interval)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.4 Dose changes for patients 6 months of age and older taking digoxin: Less than 6 months of age: ZOCOR is not recommended.", {(None, Decimal(6))}),
        (
            "2.4 Dose changes for patients taking digoxin: ZOCOR is not recommended in patients less than 6 months of age or in patients 12 months to 18 months of age.",
            {(None, Decimal(6)), (Decimal(12), Decimal(18))},
        ),
    ],
)
def test_the_nearest_age_owns_the_statement(label, text, expected):
    assert ages(label(f"2 DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration")) == expected
