"""Sentences that must not become what they seem to say. Each was read by hand."""

import pytest

from ontology.model.claims import Polarity


def positive(label, text, **more):
    return {label.name(p) for label in [label(text, **more)] for p in label.proposals() if p.claim.polarity is Polarity.POSITIVE}


@pytest.mark.parametrize(
    "text",
    [
        "7 DRUG INTERACTIONS No clinically significant interaction with warfarin was seen.",
        "7 DRUG INTERACTIONS Digoxin did not affect the pharmacokinetics of ZOCOR.",
        "7 DRUG INTERACTIONS No dose adjustment of ZOCOR is needed with digoxin.",
        "7 DRUG INTERACTIONS Use of ZOCOR with digoxin is not contraindicated.",
        "7 DRUG INTERACTIONS [see Warnings and Precautions (5.1) for warfarin]",
        "7 DRUG INTERACTIONS (see WARNINGS: Warfarin)",
        "7 DRUG INTERACTIONS ZOCOR is a substrate of CYP3A4. ZOCOR is a CYP3A4 substrate.",
        "7 DRUG INTERACTIONS Table 2: Drug Interactions with Warfarin and Digoxin",
        "7 DRUG INTERACTIONS Table 2 lists how warfarin increases the effect of ZOCOR.",
        "7 DRUG INTERACTIONS ZOCOR exposure may change because ZOCOR is a CYP3A4 substrate.",
        "7 DRUG INTERACTIONS ZOCOR is a CYP3A4 substrate and may affect patients.",
        "7 DRUG INTERACTIONS Warfarin may cause bleeding when given alone.",
        "7 DRUG INTERACTIONS In rats, warfarin increased the effect of ZOCOR.",
        "7 DRUG INTERACTIONS Monitor serum potassium levels.",
        "7 DRUG INTERACTIONS Take ZOCOR with food.",
        "7 DRUG INTERACTIONS Interaction studies of ZOCOR with warfarin have not been conducted.",
    ],
)
def test_no_positive_interaction(label, text):
    assert positive(label, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "5 WARNINGS AND PRECAUTIONS Severe hypersensitivity to digoxin has been reported. Patients with anuria were studied.",
        "5 WARNINGS AND PRECAUTIONS If bradycardia occurs, discontinue ZOCOR.",
        "5 WARNINGS AND PRECAUTIONS ZOCOR is not contraindicated in patients with anuria.",
        "5 WARNINGS AND PRECAUTIONS In pregnant rats ZOCOR should not be given in patients with anuria.",
        "5 WARNINGS AND PRECAUTIONS Do not withhold warfarin with aspirin; avoid delay in patients taking digoxin.",
    ],
)
def test_no_contraindication_from_warnings(label, text):
    assert label(text, "warnings_and_cautions").said("contraindicated_in") == set()


def test_none_is_a_statement_but_no_claim(label):
    assert label("4 CONTRAINDICATIONS None. None. ( 4 )", "contraindications").said() == set()


def test_denied_contraindication_is_none(label):
    assert label("4 CONTRAINDICATIONS ZOCOR is not contraindicated in patients with anuria.", "contraindications").said() == set()


def test_a_denial_is_a_claim_with_its_polarity(label):
    claim = label("7 DRUG INTERACTIONS No dose adjustment of ZOCOR is needed with digoxin.").claim("digoxin")
    assert claim.polarity is Polarity.NEGATIVE
    assert [s.action.value for s in claim.payload.steps] == ["no-adjustment"]


def test_a_denial_gives_way_to_a_warning_of_the_same_drug(label):
    said = label("7 DRUG INTERACTIONS No significant interaction with digoxin was found. Monitor digoxin levels with ZOCOR.").said()
    assert said == {("digoxin", "monitor")}


def test_reactions_after_aspirin_are_an_allergy_not_asthma(label):
    said = label(
        "CONTRAINDICATIONS Do not give ZOCOR to patients who have experienced asthma, urticaria, or allergic-type reactions after taking aspirin or NSAIDs.",
        "contraindications",
    ).said()
    assert {name for name, _ in said} == {"aspirin", "nonsteroidal anti-inflammatory drugs"}


def test_what_is_offered_instead_is_no_partner(label):
    assert positive(label, "7 DRUG INTERACTIONS Avoid warfarin with ZOCOR; switch to heparin. Avoid strong CYP3A4 inhibitors other than ketoconazole.") == {
        "warfarin",
        "strong cyp3a4 inhibitor",
    }


def test_a_non_class_is_not_the_class(label):
    assert "thiazide diuretics" not in positive(label, "7 DRUG INTERACTIONS Avoid non-thiazide diuretics with ZOCOR.")


def test_the_products_own_class_is_the_product(label):
    assert positive(label, "7 DRUG INTERACTIONS Warfarin increases the effect of beta-blockers.", drug="metoprolol", brand="Toprol") == {"warfarin"}
    assert positive(label, "7 DRUG INTERACTIONS Avoid other NSAIDs.", drug="ibuprofen", brand="Advil") == {"nonsteroidal anti-inflammatory drugs"}


def test_reversal_after_an_inhibitor_is_stopped_is_no_advice_on_taking_it(label):
    assert positive(label, "7 DRUG INTERACTIONS If ketoconazole is discontinued, increase the dose of ZOCOR.") == set()


def test_regimens_of_two_drugs_are_no_interaction(label):
    assert (
        label("2 DOSAGE AND ADMINISTRATION In combination with methotrexate the recommended dose is 10 mg daily.", "dosage_and_administration").said() == set()
    )


def test_what_an_exception_names_stays_out_of_a_denial(label):
    made = label("7 DRUG INTERACTIONS No dose adjustment is required for substrates of CYP3A4 (except drugs such as digoxin) when given with ZOCOR.")
    assert {made.name(p) for p in made.proposals()} == {"cyp3a4 substrate"}


def test_to_avoid_a_harm_is_a_purpose(label):
    said = label("7 DRUG INTERACTIONS Give ZOCOR 4 hours before antacids to avoid loss of effect.").said()
    assert said == {("antacids", "separate")}
