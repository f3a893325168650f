"""What must be true of patients besides the state a sentence names: pregnancy, another drug; and sentences on populations that advise nothing."""

from __future__ import annotations

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from ontology.model.facts import Axis
from ontology.model.guards import Category, Exposure, Opaque, leaves


def held(made, name):
    (claim,) = [p.claim for p in made.proposals() if p.claim.predicate == "contraindicated_in" and made.name(p) == name]
    return list(leaves(claim.guard)) if claim.guard is not None else []


def test_a_clause_behind_the_states_holds_for_each(label):
    text = "ZOCOR should not be used to treat women with epilepsy or asthma who are pregnant or who plan to become pregnant unless other drugs have failed."
    made = label(text, "boxed_warning")
    for name in ("epilepsy", "asthma"):
        guard = held(made, name)
        assert Category(Axis.SEX, ("female",)) in guard
        assert {leaf.text for leaf in guard if isinstance(leaf, Opaque)} == {"are pregnant or who plan to become pregnant", "unless other drugs have failed"}


def test_a_time_before_the_patients_holds_for_them(label):
    assert held(label("ZOCOR should not be given during pregnancy to women with asthma.", "warnings"), "asthma") == [Category(Axis.PREGNANCY, ("yes",))]


def test_states_without_more_stay_whole(label):
    assert held(label("ZOCOR should not be given to women with asthma.", "warnings"), "asthma") == []


def advised(made):
    return [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]


@pytest.mark.parametrize(
    "text",
    [
        "Warfarin and ZOCOR should not be used concomitantly in patients on chronic dialysis.",
        "In patients with creatinine clearances between 45 mL/min and 79 mL/min, avoid administration of warfarin on the day of ZOCOR.",
    ],
)
def test_another_drug_that_is_forbidden_beside_the_product_restricts_the_advice(label, text):
    (claim,) = advised(label(text, "warnings"))
    assert [label("x").lexicon.name(leaf.target) for leaf in leaves(claim.guard) if isinstance(leaf, Exposure)] == ["warfarin"]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (
            "use_in_specific_populations",
            "8.4 Pediatric Use ZOCOR is indicated in pediatric patients 5 months and older for whom oral administration is contraindicated.",
        ),
        ("warnings_and_cautions", "Adults 65 years of age and older may have cardiotoxicity at a lower cumulative dose."),
        (
            "use_in_specific_populations",
            "8.5 Geriatric Use Of the total number of patients who received the recommended dose of 75 mg, 57 were 75 years of age and older.",
        ),
        ("dosage_and_administration", "The recommended dose in patients with a creatinine clearance of 45 mL/min or greater is 500 mg/m2."),
    ],
)
def test_what_advises_nothing_on_a_population_is_no_advice(label, key, text):
    assert advised(label(text, key)) == []
