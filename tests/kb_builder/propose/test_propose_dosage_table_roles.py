"""Tables of dose adjustments for enzymes: their columns, what two enzymes share, and drugs of both kinds beside drugs of either."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.guards import AllOf, AnyOf, Exposure, leaves

CAPTION = "Table 2: Dose Adjustments in Patients who are known CYP2C9 Poor Metabolizers and Patients Taking Concomitant CYP3A4 Inhibitors"
HALF, QUARTER = "Administer half of usual dose", "Administer a quarter of usual dose"


@pytest.fixture
def shares(label):
    """(share of the usual dose, guard) of each rule of a table with these rows."""

    def read(*rows, head="Dosage Adjustments for ZOCOR", caption=CAPTION):
        names = ("Factors", head)
        lines = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows)
        table = f"<table><caption>{caption}</caption><thead><tr><th>{names[0]}</th><th>{names[1]}</th></tr></thead><tbody>{lines}</tbody></table>"
        words = " ".join([caption, *names, *(w for row in rows for w in row)])
        made = label(f"2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Use as directed. {words}", "dosage_and_administration", tables=(table,))
        claims = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
        return [(str(c.payload.phases[0].amounts[0].high), c.guard) for c in claims]

    return read


def codes(guard):
    return [leaf.target.code for leaf in leaves(guard) if isinstance(leaf, Exposure)]


@pytest.mark.parametrize("head", ["Dosage Adjustments for ZOCOR", "Recommended Dose Adjustment of ZOCOR", "Dosage Adjustments"])
def test_a_column_of_adjustments_in_a_table_on_enzymes_holds_doses(shares, head):
    ((share, guard),) = shares(("CYP2C9 Poor Metabolizers", HALF), head=head)
    assert (share, guard.values, guard.detail) == ("0.5", ("poor metabolizer",), "CYP2C9")


def test_a_column_of_adjustments_in_a_table_on_titration_holds_steps(shares):
    assert shares(("Week 2", HALF), caption="Table 2: Steps of Titration") == []


def test_a_quarter_is_a_share_too(shares):
    found = shares(("CYP2C9 Poor Metabolizers", HALF), ("CYP2C9 Poor Metabolizers taking strong CYP3A4 inhibitors", QUARTER))
    assert [share for share, _ in found] == ["0.5", "0.25"]


def test_enzymes_share_their_strength_over_a_bracket_of_examples(shares):
    ((_, guard),) = shares(("Strong CYP2D6 (e.g., verapamil) or CYP3A4 inhibitors (e.g., ketoconazole)", HALF))
    assert isinstance(guard, AnyOf)
    assert codes(guard) == ["strong-cyp2d6-inhibitor", "strong-cyp3a4-inhibitor"]


def test_both_kinds_beside_either_kind(shares):
    either, both = shares(("Strong CYP2D6 or CYP3A4 inhibitors", HALF), ("Strong CYP2D6 and CYP3A4 inhibitors", QUARTER))
    assert (type(either[1]), type(both[1])) == (AnyOf, AllOf)
    assert codes(either[1]) == codes(both[1])


def test_alone_in_its_table_either_kind_is_meant(shares):
    ((_, guard),) = shares(("Strong CYP2D6 and CYP3A4 inhibitors", HALF))
    assert isinstance(guard, AnyOf)


def test_inhibitors_with_inhibitors_are_both_taken(shares):
    ((_, guard),) = shares(("Moderate CYP3A4 inhibitors (e.g., verapamil) with strong CYP3A4 inhibitors", HALF))
    assert isinstance(guard, AllOf)
    assert len(codes(guard)) == 2


def test_an_order_that_runs_on_into_the_next_row_is_no_rule_for_those_whom_that_names(label):
    text = f"DOSAGE AND ADMINISTRATION {HALF} Known CYP2C9 Poor Metabolizers taking concomitant strong CYP3A4 inhibitors (e.g., ketoconazole)."
    made = label(text, "dosage_and_administration")
    assert list(DosageProposer().propose(made.document, made.subject, made.lexicon)) == []


def test_an_order_for_those_named_behind_it_stays(label):
    made = label(f"DOSAGE AND ADMINISTRATION {HALF} in CYP2C9 poor metabolizers.", "dosage_and_administration")
    (proposal,) = DosageProposer().propose(made.document, made.subject, made.lexicon)
    assert proposal.claim.guard.detail == "CYP2C9"
