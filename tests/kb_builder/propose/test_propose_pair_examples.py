"""Members in a bracket behind what is asked for are meant; two adjectives before one noun are two groups; what a change of dose did is none that is asked for."""

from decimal import Decimal

import pytest

from ontology.model.facts import DoseBounds
from ontology.model.guards import Exposure, leaves


def said(label, text):
    return label(f"7 DRUG INTERACTIONS {text}").said("interacts_with")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The use of ZOCOR with strong CYP3A4 inducers should be avoided (e.g., rifampin, phenytoin).",
            {("strong cyp3a4 inducer", "avoid"), ("rifampin", "avoid"), ("phenytoin", "avoid")},
        ),
        (
            "Use of ZOCOR with moderate CYP3A4 inhibitors is not recommended (such as verapamil).",
            {("moderate cyp3a4 inhibitor", "not-recommended"), ("verapamil", "not-recommended")},
        ),
        (
            "With strong CYP3A4 inhibitors, a lower dose of ZOCOR may be needed (e.g. itraconazole).",
            {("strong cyp3a4 inhibitor", "adjust-dose"), ("itraconazole", "adjust-dose")},
        ),
    ],
)
def test_members_in_a_bracket_behind_the_verb_are_meant(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The use of ZOCOR with strong CYP3A4 inducers should be avoided; consider other drugs (e.g., phenytoin).",
        "ZOCOR with moderate CYP3A4 inhibitors is not recommended because of other causes (e.g., phenytoin).",
    ],
)
def test_a_bracket_elsewhere_is_not_of_the_group(label, text):
    assert not any(name == "phenytoin" and action in {"avoid", "not-recommended"} for name, action in said(label, text))


@pytest.mark.parametrize(
    "text",
    [
        "Stepwise increase in the dose of verapamil may be associated with further lowering of blood pressure in patients taking ZOCOR.",
        "Reduced doses of warfarin with ZOCOR may result in clots.",
        "A moderate reduction in dosage requirements of phenytoin has been noted with ZOCOR.",
        "This decrease correlates with the dose of cimetidine given with ZOCOR and warfarin.",
        "Dose adjustment of digoxin cannot be recommended with ZOCOR at this time.",
    ],
)
def test_what_a_change_of_dose_does_is_no_instruction(label, text):
    assert not any(action == "adjust-dose" for _, action in said(label, text))


@pytest.mark.parametrize(
    "text",
    [
        "Dose reduction of digoxin should be considered with ZOCOR, which may result in toxicity.",
        "Dose reduction of digoxin may be needed with ZOCOR.",
        "Consider dose reduction of digoxin where small changes may lead to toxicity with ZOCOR.",
        "Increased doses of digoxin are needed if low levels have been observed with ZOCOR.",
    ],
)
def test_a_change_that_is_asked_for_stays_asked_for(label, text):
    assert ("digoxin", "adjust-dose") in said(label, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid ZOCOR with thiazide or loop diuretics.", {("thiazide diuretics", "avoid"), ("loop diuretics", "avoid")}),
        ("Avoid ZOCOR with warfarin or thiazide diuretics.", {("warfarin", "avoid"), ("thiazide diuretics", "avoid")}),
        ("Avoid ZOCOR with other or thiazide diuretics.", {("thiazide diuretics", "avoid")}),
    ],
)
def test_two_adjectives_before_one_noun_are_two_groups(label, text, expected):
    assert said(label, text) == expected


def test_the_regimen_behind_a_forbidden_drug_is_the_least_that_is_meant(label):
    made = label("7 DRUG INTERACTIONS Concomitant use of ZOCOR and ritonavir 600 mg twice daily is not recommended.")
    (guard,) = (p.claim.guard for p in made.proposals() if made.name(p) == "ritonavir")
    assert isinstance(guard, Exposure)
    assert guard.dose == DoseBounds(Decimal(600), None, "mg", per="dose")


@pytest.mark.parametrize(
    "text",
    [
        "Avoid ZOCOR with ketoconazole. Ketoconazole 400 mg once daily raised levels of ZOCOR.",
        "Because ketoconazole 400 mg once daily raised levels of ZOCOR, ketoconazole should be avoided.",
    ],
)
def test_the_dose_of_a_study_restricts_nothing(label, text):
    made = label(f"7 DRUG INTERACTIONS {text}")
    assert {p.claim.guard for p in made.proposals() if made.name(p) == "ketoconazole" and p.claim.payload.strictest.value == "avoid"} == {None}


def test_what_is_present_besides_restricts_the_statement_on_the_other(label):
    made = label(
        "7 DRUG INTERACTIONS When ZOCOR is taken with digoxin in the presence of a strong CYP3A4 inhibitor (e.g., ritonavir), reduce the dose of digoxin."
    )
    assert said_of(made) == {("digoxin", "adjust-dose")}
    (guard,) = (p.claim.guard for p in made.proposals())
    assert len([leaf for leaf in leaves(guard) if isinstance(leaf, Exposure)]) == 2


def test_the_product_in_the_presence_of_a_group_is_on_the_group(label):
    made = label("7 DRUG INTERACTIONS Reduce the dose of ZOCOR in the presence of strong CYP3A4 inhibitors.")
    assert said_of(made) == {("strong cyp3a4 inhibitor", "adjust-dose")}


def said_of(made):
    return {(made.name(p), p.claim.payload.strictest.value) for p in made.proposals()}
