"""Enzyme roles of the label's own drug: said, denied, doubted, or said of another drug."""

from __future__ import annotations

import pytest

from kb_builder.propose.composition.enzyme_roles import EnzymeRoleProposer
from kb_builder.propose.protocol import Proposal
from ontology.model.claims import Polarity


def proposals(made) -> list[Proposal]:
    return list(EnzymeRoleProposer().propose(made.document, made.subject, made.lexicon))


def roles(label, text: str, key: str = "drug_interactions") -> set[tuple[str, str]]:
    found = (p.claim for p in proposals(label(text, key)) if p.claim.predicate == "has_role")
    return {(c.words, "yes" if c.polarity is Polarity.POSITIVE else "no") for c in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Simvastatin is a substrate of CYP3A4.", {("CYP3A4 substrate", "yes")}),
        ("ZOCOR is a strong CYP3A4 inhibitor and a substrate of P-gp.", {("strong CYP3A4 inhibitor", "yes"), ("P-gp substrate", "yes")}),
        ("Simvastatin is primarily metabolized by CYP3A4.", {("CYP3A4 substrate", "yes")}),
        ("Simvastatin strongly inhibits CYP3A4.", {("strong CYP3A4 inhibitor", "yes")}),
        ("Simvastatin is both a substrate and an inhibitor of the cytochrome P450 3A4 system.", {("CYP3A4 substrate", "yes"), ("CYP3A4 inhibitor", "yes")}),
        ("Simvastatin is primarily metabolized by CYP3A4 and to a lesser extent by CYP2C9.", {("CYP3A4 substrate", "yes")}),
        ("Simvastatin is primarily (90%) metabolized by CYP3A4, with minor contributions from CYP2C9.", {("CYP3A4 substrate", "yes")}),
        ("Simvastatin is a strong inhibitor of CYP3A4, and also inhibits CYP2C9.", {("strong CYP3A4 inhibitor", "yes"), ("CYP2C9 inhibitor", "yes")}),
        ("Simvastatin is a substrate of CYP3A4 and of the transport protein P-gp.", {("CYP3A4 substrate", "yes"), ("P-gp substrate", "yes")}),
        ("CYP3A4 is the major enzyme responsible for the metabolism of simvastatin.", {("CYP3A4 substrate", "yes")}),
        ("Simvastatin undergoes extensive metabolism, primarily by CYP3A4.", {("CYP3A4 substrate", "yes")}),
        ("Doses of simvastatin, a CYP3A4 substrate, were halved.", {("CYP3A4 substrate", "yes")}),
        ("Potential for interactions: simvastatin is metabolized by CYP3A4.", {("CYP3A4 substrate", "yes")}),
        ("Simvastatin is a strong CYP3A4 inhibitor and this interaction may occur at usual doses.", {("strong CYP3A4 inhibitor", "yes")}),
        ("Simvastatin inhibits CYP3A. Concomitant use may raise levels of other drugs.", {("CYP3A inhibitor", "yes")}),
        ("Simvastatin is a CYP3A4 inhibitor. Simvastatin is a strong CYP3A4 inhibitor.", {("strong CYP3A4 inhibitor", "yes")}),
        (
            "Simvastatin is a strong inducer of CYP3A4, an inhibitor of CYP2C9, and an inducer of P-gp.",
            {("strong CYP3A4 inducer", "yes"), ("CYP2C9 inhibitor", "yes"), ("P-gp inducer", "yes")},
        ),
        ("Simvastatin does not inhibit CYP2C9.", {("CYP2C9 inhibitor", "no")}),
    ],
)
def test_what_is_said_of_the_own_drug(label, text, expected):
    assert roles(label, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "In vitro, simvastatin is an inhibitor of CYP3A4.",
        "Simvastatin may inhibit CYP3A4.",
        "Simvastatin is partially metabolized by CYP3A4.",
        "Ketoconazole is a strong inhibitor of CYP3A4.",
        "Avoid simvastatin with drugs that are substrates of CYP3A4.",
        "A metabolite of simvastatin is a substrate of CYP3A4.",
        "It is inconclusive whether simvastatin is a substrate of P-gp.",
        "Simvastatin, which may matter, is possibly an inhibitor of CYP3A4.",
        "CYP3A4 is the major enzyme responsible for the metabolism of ketoconazole given with simvastatin.",
    ],
)
def test_doubt_and_other_drugs_give_no_role(label, text):
    assert roles(label, text) == set()


def test_what_is_denied_of_the_own_drug_is_a_claim_that_denies(label):
    assert roles(label, "Simvastatin is not an inhibitor of P-gp.") == {("P-gp inhibitor", "no")}
    assert roles(label, "Simvastatin is not an inhibitor of CYP2C8/9.") == {("CYP2C9 inhibitor", "no")}


def test_nothing_is_taken_from_under_a_heading_of_studies_in_the_laboratory(label):
    text = "Metabolism Simvastatin is a substrate of CYP3A4. In Vitro Studies were done. Simvastatin is a substrate of P-gp."
    assert roles(label, text, "pharmacokinetics") == {("CYP3A4 substrate", "yes")}


def test_a_role_both_said_and_denied_is_left_out(label):
    assert roles(label, "Simvastatin is a P-gp inhibitor. Simvastatin is not a P-gp inhibitor.") == set()
