"""What may not be mixed with the product is a physical incompatibility, not an interaction of two drugs in one patient."""

from __future__ import annotations

import pytest

from kb_builder.propose.interactions.incompatibilities import IncompatibilityProposer
from ontology.model.advice import Action
from ontology.model.spans import SpanRole


def mixed(label, text, key="dosage_and_administration", **more):
    made = label(text, key, **more)
    return {made.name(p) for p in IncompatibilityProposer().propose(made.document, made.subject, made.lexicon)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do not mix ZOCOR injection with furosemide or heparin.", {"furosemide", "heparin"}),
        ("ZOCOR should not be administered through the same infusion line as amiodarone.", {"amiodarone"}),
        ("Amiodarone must not be mixed in one syringe with ZOCOR.", {"amiodarone"}),
        ("ZOCOR is physically incompatible with furosemide and amiodarone.", {"furosemide", "amiodarone"}),
        ("Heparin and furosemide are incompatible with ZOCOR in solution.", {"heparin", "furosemide"}),
        ("ZOCOR is not compatible with penicillins.", {"penicillins"}),
        ("Furosemide may be given before it; ZOCOR solution is incompatible with heparin.", {"heparin"}),
        ("Amiodarone is given first, and the solution is incompatible with heparin.", {"heparin"}),
        ("Do not mix ZOCOR with furosemide, but it may be mixed with heparin.", {"furosemide"}),
        ("Do not dilute ZOCOR with calcium gluconate solutions.", {"calcium gluconate"}),
        ("Do not dilute ZOCOR in calcium gluconate injection.", {"calcium gluconate"}),
        ("When using ZOCOR with heparin, give two injections and never mix.", {"heparin"}),
        ("Do not mix ZOCOR with alkaline solutions.", {"alkaline solutions"}),
        ("Do not give ZOCOR and strongly acidic solutions in the same line.", {"strongly acidic solutions"}),
    ],
)
def test_what_may_not_be_mixed(label, text, expected):
    assert mixed(label, f"2.3 Preparation {text}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "No incompatibilities of ZOCOR with furosemide have been observed.",
        "No incompatibility with furosemide was seen.",
        "ZOCOR is compatible with furosemide.",
        "Do not mix ZOCOR with parenteral drugs.",
        "Do not mix ZOCOR with anything other than 0.9% potassium solution.",
        "Do not mix ZOCOR with other medicinal products.",
        "ZOCOR may be given with furosemide, but do not mix it with other drugs in the same syringe.",
        "Do not mix or dilute amiodarone with other drugs before ZOCOR is given.",
        "Avoid mixed agonist and antagonist drugs such as heparin with ZOCOR.",
        "Mix ZOCOR with furosemide.",
        "Do not add ZOCOR to food or furosemide tablets.",
        "To prevent drug incompatibilities, do not give other medications through the same line.",
        "Patients of 13 years and older Preparation drugs: do not mix ZOCOR with other drugs.",
    ],
)
def test_what_forbids_no_mixture_with_a_named_thing(label, text):
    assert mixed(label, f"2.3 Preparation {text}") == set()


def test_names_in_the_table_below_are_incompatible(label):
    html = "<table><caption>Drugs</caption><tr><td>Amiodarone</td><td>Furosemide</td></tr><tr><td>Heparin</td><td>Digoxin</td></tr></table>"
    text = "2.3 Preparation The drugs of this table are physically incompatible in solution with ZOCOR. Amiodarone Furosemide Heparin Digoxin 2.4 Storage Keep warfarin away."
    assert mixed(label, text, tables=(html,)) == {"amiodarone", "furosemide", "heparin", "digoxin"}


def test_a_table_behind_another_sentence_is_not_of_the_incompatible(label):
    html = "<table><caption>Drugs</caption><tr><td>Amiodarone</td><td>Furosemide</td></tr><tr><td>Heparin</td><td>Digoxin</td></tr></table>"
    text = "2.3 Preparation Do not mix ZOCOR with other drugs. The drugs of this table were studied. Amiodarone Furosemide Heparin Digoxin"
    assert mixed(label, text, tables=(html,)) == set()


def test_the_claim_stands_on_its_sentence(label):
    made = label("Do not mix ZOCOR injection with furosemide.", "dosage_and_administration")
    (proposal,) = IncompatibilityProposer().propose(made.document, made.subject, made.lexicon)
    roles = {s.role: s.quote for s in proposal.claim.evidence}
    assert roles[SpanRole.STATEMENT] == "Do not mix ZOCOR injection with furosemide."
    assert roles[SpanRole.OBJECT] == "furosemide"
    assert proposal.claim.payload.strictest is Action.AVOID


@pytest.mark.parametrize("text", ["Do not mix ZOCOR injection and furosemide in one line.", "ZOCOR should not be given in the same syringe as furosemide."])
def test_it_is_no_interaction(label, text):
    assert label(f"7 DRUG INTERACTIONS {text}").said("interacts_with") == set()
    assert mixed(label, f"7 DRUG INTERACTIONS {text}", "drug_interactions") == {"furosemide"}


def test_mixed_agonists_are_still_an_interaction(label):
    assert label("7 DRUG INTERACTIONS Avoid mixed agonist drugs such as heparin with ZOCOR.").said("interacts_with") >= {("heparin", "avoid")}


def test_each_thing_is_said_once(label):
    made = label("2.3 Preparation Do not mix ZOCOR with furosemide. ZOCOR is incompatible with furosemide.", "dosage_and_administration")
    assert len(list(IncompatibilityProposer().propose(made.document, made.subject, made.lexicon))) == 1
