"""What a clause on a population says besides its people: a drug given together, why they take it, in which uses."""

from __future__ import annotations

import time

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.guards import Exposure, HasCondition, Interval, Opaque, leaves


def said(made):
    """(population, action, what its guard names) of every claim."""
    out = set()
    for claim in [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]:
        names = []
        for leaf in leaves(claim.guard):
            if isinstance(leaf, Exposure):
                names.append(made.lexicon.name(leaf.target))
            elif isinstance(leaf, Opaque):
                names.append(leaf.text)
            elif isinstance(leaf, HasCondition):
                names.append(leaf.words)
            elif isinstance(leaf, Interval):
                names.append(f"{leaf.low}..{leaf.high}")
        out.add((claim.object.code, claim.payload.strictest.value, "+".join(sorted(names))))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patients with hepatic impairment should not be given ZOCOR in conjunction with warfarin.", {("hepatic", "avoid", "warfarin")}),
        ("ZOCOR should not be given with warfarin to patients with hepatic impairment.", {("hepatic", "avoid", "warfarin")}),
        ("Patients with hepatic impairment should not be given ZOCOR.", {("hepatic", "avoid", "")}),
        (
            "Use of ZOCOR is not recommended in patients with renal impairment who are receiving ZOCOR for prophylaxis.",
            {("renal", "not-recommended", "receiving ZOCOR for prophylaxis")},
        ),
        (
            "ZOCOR should not be used in conditions for which pediatric doses have not been established.",
            {("pediatric", "avoid", "conditions for which pediatric doses have not been established")},
        ),
        (
            "Patients with mild renal impairment (a creatinine clearance above 50 mL/min) require no reduction in daily dose.",
            {("renal", "no-adjustment", "50..None")},
        ),
        ("ZOCOR is not approved for use in pediatric patients for any indication.", {("pediatric", "not-recommended", "")}),
        ("ZOCOR is not approved for use in pediatric patients for gout.", {("pediatric", "not-recommended", "gout")}),
    ],
)
def test_what_a_clause_leaves_open_restricts_its_advice(label, text, expected):
    assert said(label(text, "dosage_and_administration")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "In a study of children with angina, in which efficacy was not established, the share of patients with a gain of weight was 15%.",
        "Lens changes were seen in children, but a causal relationship to its use has not been established.",
    ],
)
def test_what_a_study_did_not_establish_of_something_else_is_no_advice(label, text):
    assert said(label(text, "warnings_and_cautions")) == set()


@pytest.mark.parametrize("piece", ["with ", "who are receiving ", "in conditions for which ", "given with warfarin in children "])
def test_repeated_company_is_read_in_time(label, piece):
    began = time.process_time()
    said(label("8.4 Pediatric Use Children should not be given it " + piece * (100_000 // len(piece)), "use_in_specific_populations"))
    assert time.process_time() - began < 10
