"""Names that stand beside a statement on a pair and are no partner: reasons in brackets, footnotes, other pairs, the product itself, what is replaced."""

from dataclasses import replace

import pytest

from ontology.model.entities import EntityType
from ontology.terms.identity import IngredientRef

ROWS = (
    "<table><tr><th>Drug</th><th>Effect</th><th>Advice</th></tr>"
    "<tr><td>Pimozide <br/>(CYP3A4 Inhibition)</td><td>Increased</td><td>Contraindicated</td></tr>"
    "<tr><td>St. John's wort (CYP450 inducer; P-gp inducer)</td><td>Reduced</td><td>Contraindicated</td></tr></table>",
)


def said(label, text, key="drug_interactions", **more):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key, **more).said()


def test_how_a_drug_interacts_is_no_partner(label):
    text = "Drug Effect Advice Pimozide (CYP3A4 Inhibition) Increased Contraindicated St. John's wort (CYP450 inducer; P-gp inducer) Reduced Contraindicated"
    assert said(label, text, tables=ROWS) == {("pimozide", "contraindicated"), ("st. john's wort", "contraindicated")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid use of ZOCOR with antacids (ZOCOR is contraindicated in patients taking pimozide).", {("antacids", "avoid"), ("pimozide", "contraindicated")}),
        ("Use of warfarin with other drugs can lead to bleeding and is contraindicated.", set()),
        ("Avoid use with fibrates. Consider use of alternative antacids.", {("fibrates", "avoid")}),
        ("Use heparin instead of warfarin in patients who require a blood thinner.", {("warfarin", "avoid")}),
        ("Verapamil, an antiarrhythmic, may raise the level of ZOCOR.", {("verapamil", "caution")}),
        ("No formal interaction studies of digoxin with ZOCOR have been conducted.", set()),
    ],
)
def test_each_instruction_has_its_own_partner(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Refer to the Contraindications section of the prescribing information for amoxicillin when given with ZOCOR", "contraindications"),
        ("Biliary excretion of digoxin was reduced.", "drug_and_or_laboratory_test_interactions"),
    ],
)
def test_a_pointer_or_a_test_is_no_interaction(label, text, key):
    assert said(label, text, key) == set()


def test_a_footnote_glued_to_a_name_is_no_part_of_it(label):
    rows = (
        "<table><tr><th>Drug</th><th>Advice</th></tr>"
        "<tr><td>Others</td><td></td></tr>"
        "<tr><td>DigoxinAdministered with a regimen including rifampin (450 mg a day)</td><td>Avoid use.</td></tr></table>",
    )
    text = "Drug Advice Others DigoxinAdministered with a regimen including rifampin (450 mg a day) Avoid use."
    assert said(label, text, tables=rows) == {("digoxin", "avoid")}


def test_the_names_of_the_product_together_are_the_product(label):
    made = label("7 DRUG INTERACTIONS ZEBREX (acetaminophen and niacin) tablets should be used with caution in the elderly.", drug="niacin", brand="ZEBREX")
    other = made.lexicon.lookup("acetaminophen", frozenset({EntityType.INGREDIENT}))[0]
    subject = replace(made.subject, ingredients=(*made.subject.ingredients, IngredientRef(other, "acetaminophen")))
    assert replace(made, subject=subject).said() == set()


@pytest.mark.parametrize(
    "text",
    [
        "The risk with digoxin may be increased with high doses of ZOCOR.",
        "Digoxin: 20% increase after low dose digoxin.",
        "Digoxin reduces its clearance in a dose-dependent fashion.",
        "Digoxin raises the level by a third, an increase depending on the digoxin dose.",
    ],
)
def test_a_dose_that_an_effect_hangs_on_is_not_to_be_changed(label, text):
    assert said(label, text) == {("digoxin", "caution")}


def test_the_members_of_a_list_do_not_limit_each_other(label):
    found = label("7 DRUG INTERACTIONS For patients taking verapamil, midazolam, or digoxin, do not exceed ZOCOR 10 mg daily.")
    assert all(p.claim.guard is None for p in found.proposals())
    assert found.said() == {(name, "adjust-dose") for name in ("verapamil", "midazolam", "digoxin")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Drugs Associated with Bleeding Patients who are given ZOCOR are at increased risk with the following.",
            {("drugs associated with bleeding", "caution")},
        ),
        ("Drugs that Decrease Salt Drugs that decrease salt may raise the risk of harm with ZOCOR.", {("drugs that decrease salt", "caution")}),
        ("Monitor closely with drugs known to cause: bleeding", set()),
        ("Drugs that induce or inhibit CYP2C9 may alter the level of ZOCOR.", {("cyp2c9 inhibitor", "caution"), ("cyp2c9 inducer", "caution")}),
    ],
)
def test_the_name_of_a_group_ends_with_its_words(label, text, expected):
    assert said(label, text) == expected


def test_an_exception_that_opens_a_sentence_does_not_silence_it(label):
    text = "Unless clinically necessary and patients are watched, ZOCOR should not be given to patients with epilepsy and/or patients taking verapamil."
    assert said(label, text) >= {("verapamil", "avoid")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caution is advised in patients with bleeding induced by warfarin.", set()),
        ("Exclude all contraindications to verapamil that may be present.", set()),
        ("ZOCOR may reduce the uptake of potassium.", set()),
        ("Gemfibrozil may decrease digoxin, the active metabolite, with ZOCOR.", {("gemfibrozil", "caution")}),
    ],
)
def test_causes_pointers_measures_and_metabolites_are_no_partners(label, text, expected):
    assert said(label, text) == expected


def test_a_regimen_of_both_is_no_warning_of_the_pair(label):
    text = "For patients being treated with ZOCOR in combination with digoxin, use with caution."
    assert said(label, text, "warnings") == set()


def test_two_roles_that_are_given_together_are_asked_for_together(label):
    made = label("7 DRUG INTERACTIONS Reduce the dose of ZOCOR with moderate CYP3A4 inhibitors coadministered with P-gp inhibitors.")
    ((name, claim),) = [(made.name(p), p.claim) for p in made.proposals()]
    assert name == "p-gp inhibitor"
    assert claim.guard is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid ZOCOR with itraconazole or ketoconazole (CYP3A4 substrates).", {("itraconazole", "avoid"), ("ketoconazole", "avoid")}),
        ("ZOCOR lowers the pulse, as do other beta-blockers, and should be used with caution.", set()),
        ("With ibuprofen bleeding may occur; consider prescribing heparin for the emergency.", {("ibuprofen", "caution")}),
        ("Ibuprofen may reduce the active metabolite, digoxin.", {("ibuprofen", "caution")}),
    ],
)
def test_what_explains_likens_or_rescues_is_no_partner(label, text, expected):
    assert said(label, text) == expected


def test_what_some_patients_were_given_is_no_partner(label):
    assert said(label, "ZOCOR was resumed and some patients also received concomitant treatment with digoxin, which may help.", "warnings") == set()
