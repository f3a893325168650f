"""States that long sentences name: circumstances of risk, inherited lack of an enzyme, patients of a second clause; and purposes of other drugs, which are none."""

import pytest

from ontology.model.advice import Action
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, leaves

RISK = "other circumstances that may increase the risk of torsade de pointes and/or sudden death in association with the use of drugs that prolong the QT interval, including"


def said(label, text, key="warnings"):
    return label(text, key).said("contraindicated_in")


@pytest.mark.parametrize(
    "text",
    [
        f"ZOCOR should also be avoided in patients with a history of epilepsy and in {RISK} bradycardia; hyperkalemia or asthma; and anuria.",
        f"ZOCOR should also be avoided in patients with a history of epilepsy, as well as {RISK} bradycardia, hyperkalemia or asthma, and the presence of anuria.",
        f"ZOCOR should also be avoided in {RISK} (1) a history of epilepsy such as convulsive disorder; (2) bradycardia or hyperkalemia; (3) asthma; "
        "(4) concomitant use of other drugs that prolong the QT interval; and (5) anuria.",
    ],
)
def test_each_circumstance_of_risk_is_a_state(label, text):
    assert {n for n, _ in said(label, text)} == {"epilepsy", "bradycardia", "hyperkalemia", "asthma", "anuria"}
    assert all(action == Action.AVOID.value for _, action in said(label, text))


def test_a_circumstance_without_a_code_is_none(label):
    assert {n for n, _ in said(label, f"ZOCOR should be avoided in {RISK} bradycardia and quite unusual stress.")} == {"bradycardia"}


@pytest.mark.parametrize(
    "text",
    [
        f"Ketoconazole should be avoided in {RISK} bradycardia.",
        "ZOCOR may be used in circumstances that may increase the risk of torsade de pointes, including bradycardia.",
        "ZOCOR should be avoided in circumstances that may increase the risk of falls, including bradycardia.",
    ],
)
def test_a_list_of_another_drug_another_risk_or_no_advice_names_no_state(label, text):
    assert said(label, text) == set()


@pytest.mark.parametrize(
    ("text", "gene", "value"),
    [
        (
            "ZOCOR is contraindicated in patients known to have a genetic defect leading to reduced levels of activity of P450 2D6.",
            "CYP2D6",
            "poor metabolizer",
        ),
        ("ZOCOR should not be used in patients with reduced CYP2C19 activity.", "CYP2C19", "poor metabolizer"),
        ("ZOCOR is contraindicated in patients with a CYP2C9*3/*3 genotype.", "CYP2C9", "*3/*3"),
    ],
)
def test_a_state_of_the_genes_is_a_genotype(label, text, gene, value):
    (found,) = [p.claim for p in label(f"4 CONTRAINDICATIONS {text}", "contraindications").proposals() if p.claim.predicate == "contraindicated_in"]
    assert [leaf for leaf in leaves(found.guard) if isinstance(leaf, Category)] == [Category(Axis.GENOTYPE, (value,), gene)]


def test_patients_of_a_second_clause_are_meant(label):
    text = "Serum potassium should be normalized before treatment and patients with a QTc interval greater than 450 msec should not receive ZOCOR."
    (found,) = [p.claim for p in label(text, "warnings").proposals() if p.claim.predicate == "contraindicated_in"]
    (bound,) = [leaf for leaf in leaves(found.guard) if isinstance(leaf, Interval)]
    assert (bound.axis, bound.low, bound.low_open) == (Axis.LAB, 450, True)


@pytest.mark.parametrize(
    "text",
    [
        "Do not use ZOCOR within 14 days of stopping warfarin intended to treat epilepsy.",
        "Do not use ZOCOR with other drugs used to treat epilepsy.",
    ],
)
def test_what_another_drug_is_for_is_no_state(label, text):
    assert said(label, f"4 CONTRAINDICATIONS {text}", "contraindications") == set()


def test_what_the_product_is_not_to_treat_is_one(label):
    assert said(label, "4 CONTRAINDICATIONS ZOCOR should not be used to treat epilepsy.", "contraindications") == {("epilepsy", "contraindicated")}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ZOCOR should be avoided in combination with ketoconazole and in patients with epilepsy or asthma.", {"epilepsy", "asthma"}),
        ("ZOCOR should not be used in patients with asthma or in patients who have shown intolerance to warfarin.", {"asthma", "warfarin"}),
        ("ZOCOR should not be given with ketoconazole in patients with epilepsy.", set()),
        ("ZOCOR should be avoided in combination with ketoconazole and in patients who have taken warfarin.", set()),
    ],
)
def test_patients_named_beside_other_drugs_are_meant_for_themselves(label, text, named):
    assert {n for n, _ in said(label, f"4 CONTRAINDICATIONS {text}", "contraindications")} == named
