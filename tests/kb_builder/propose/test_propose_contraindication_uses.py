"""Contraindications that hold for one use of the product, and lists whose marks are lost."""

from __future__ import annotations

import time

import pytest

from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from kb_builder.propose.interactions.proposer import InteractionProposer
from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.use_lists import use_lists
from ontology.model.guards import HasCondition, Opaque, leaves

TWO_USES = (
    "ZOCOR is contraindicated in all patients with: • angina, • creatinine clearance ≤30 mL/min. For Patients Treated for Hypertension "
    "ZOCOR is contraindicated for the treatment of hypertension in patients with: • epilepsy, • creatinine clearance <50 mL/min, or "
    "• concomitant administration of warfarin. For all patients: • Angina ( 4 ) For the treatment of hypertension: • Epilepsy ( 4 )"
)


def claims(made, *proposers):
    return [p.claim for proposer in proposers for p in proposer.propose(made.document, made.subject, made.lexicon)]


def uses(claim):
    return {leaf.words if isinstance(leaf, HasCondition) else leaf.text for leaf in leaves(claim.guard) if isinstance(leaf, HasCondition | Opaque)}


def test_what_is_listed_for_one_use_holds_for_that_use_whoever_reads_it(label):
    made = label(TWO_USES, "contraindications")
    said = claims(made, ContraindicationProposer(), InteractionProposer(), PopulationProposer())
    found = {(c.predicate, c.words): uses(c) for c in said}
    assert found["contraindicated_in", "angina"] == set()
    assert found["contraindicated_in", "epilepsy"] == {"hypertension"}
    assert found["interacts_with", "warfarin"] == {"hypertension"}
    renal = [uses(c) for c in said if c.predicate == "population_advice" and c.object.code == "renal"]
    assert sorted(renal, key=len) == [set(), {"hypertension"}]


def test_the_use_itself_forbids_nothing(label):
    said = claims(label(TWO_USES, "contraindications"), ContraindicationProposer())
    assert not any("hypertension" in (c.words or "").lower() for c in said)


def test_a_list_for_one_use_ends_at_the_next_sentence_of_prohibition():
    text = "X is contraindicated for the treatment of gout in patients with: asthma. X is contraindicated in patients with epilepsy."
    (found,) = use_lists(text)
    assert text[found.lead_start : found.lead_end] == "treatment of gout"
    assert "asthma" in text[found.start : found.end]
    assert "epilepsy" not in text[found.start : found.end]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "ZOCOR is contraindicated in persons: with severe asthma. who have shown hypersensitivity to it. with epilepsy.",
            {"severe asthma", "simvastatin", "epilepsy"},
        ),
        ("ZOCOR is contraindicated in asthma and in individuals who are hypersensitive to this drug or have epilepsy.", {"asthma", "simvastatin", "epilepsy"}),
        (
            "Other contraindications include patients with asthma; severe adverse reactions to ZOCOR, such as fever; and patients with epilepsy.",
            {"asthma", "simvastatin", "epilepsy"},
        ),
        ("Do not use in epilepsy.", {"epilepsy"}),
        ("ZOCOR should not be given during status asthmaticus.", {"status asthmaticus"}),
        ("Do not use in the eyes.", set()),
        ("ZOCOR should not be used in combination with warfarin.", set()),
        ("Warfarin used in the past 2 weeks", set()),
        ("ZOCOR is contraindicated with drugs where a loss of effect may occur.", set()),
    ],
)
def test_states_behind_lost_marks_and_no_states_of_other_drugs(label, text, names):
    assert {c.words for c in claims(label(text, "contraindications"), ContraindicationProposer())} == names


def test_the_clause_before_and_is_contraindicated_restricts_nothing(label):
    text = "ZOCOR may cause harm when administered to a pregnant woman and is contraindicated in patients with epilepsy."
    (found,) = claims(label(text, "contraindications"), ContraindicationProposer())
    assert (found.words, found.guard) == ("epilepsy", None)


@pytest.mark.parametrize(
    "piece", ["For the treatment of ", "contraindicated for the treatment of x in patients ", "For patients treated for gout: ", "Do not use "]
)
def test_repeated_leads_are_read_in_time(label, piece):
    began = time.process_time()
    claims(label(piece * (100_000 // len(piece)), "contraindications"), ContraindicationProposer())
    assert time.process_time() - began < 10
