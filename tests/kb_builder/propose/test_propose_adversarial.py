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


@pytest.mark.parametrize(
    "text",
    [
        "Unless contraindicated, give digoxin to patients receiving ZOCOR.",
        "Digoxin with ZOCOR is recommended except when contraindicated.",
        "If ZOCOR is given with digoxin, the contraindications to digoxin also apply.",
        "Digoxin: see CONTRAINDICATIONS.",
        "For digoxin with ZOCOR consult its package insert about contraindications, warnings and precautions.",
    ],
)
def test_a_prohibition_that_stands_elsewhere_is_none(label, text):
    assert ("digoxin", "contraindicated") not in label(f"7 DRUG INTERACTIONS {text}").said()


@pytest.mark.parametrize(
    "when", ["when adding or discontinuing", "when initiating, titrating, or discontinuing", "during treatment with and after discontinuation of"]
)
def test_watching_when_a_drug_is_stopped_does_not_ask_to_stop_it(label, when):
    assert label(f"7 DRUG INTERACTIONS Monitor digoxin levels while on warfarin {when} ZOCOR.", drug="lisinopril").said() == {
        ("digoxin", "monitor"),
        ("warfarin", "monitor"),
    }


def test_what_stopping_may_cause_does_not_ask_to_stop(label):
    said = label("7 DRUG INTERACTIONS Discontinuation of digoxin during treatment with ZOCOR may cause an increase in exposure.").said()
    assert not any("avoid" in action for _, action in said)


def test_patients_not_taking_a_drug_are_not_told_to_leave_it(label):
    said = label("7 DRUG INTERACTIONS Exposure to ZOCOR increased in subjects not taking digoxin.").said()
    assert not any("avoid" in action for _, action in said)


def test_a_cap_on_a_dose_is_no_advice_against_the_drug(label):
    said = label("7 DRUG INTERACTIONS Increase the dose of ZOCOR with rifampin. The maximum dose is not recommended to exceed three times the original.").said()
    assert said == {("rifampin", "adjust-dose")}


def test_another_way_to_measure_is_no_other_drug(label):
    text = "7 DRUG INTERACTIONS 7.1 Digoxin Monitor digoxin levels. Consider alternative methods to monitor glucose. Urine glucose tests are not recommended."
    assert label(text).said() == {("digoxin", "monitor")}


def test_an_unknown_drug_set_against_the_product_leaves_the_others_alone(label):
    said = label("7 DRUG INTERACTIONS Diuretics: The effect of diuretics is reduced. DMSO should not be used with ZOCOR.").said()
    assert said == {("diuretics", "caution")}


@pytest.mark.parametrize("effect", ["diuretic effect", "diuretic, natriuretic, and other effects", "diuretic efficacy"])
def test_a_kind_of_effect_is_no_partner(label, effect):
    assert positive(label, f"7 DRUG INTERACTIONS Digoxin may reduce the {effect} of ZOCOR.") == {"digoxin"}


def test_drugs_that_have_an_effect_are_partners(label):
    assert positive(label, "7 DRUG INTERACTIONS Avoid agents with diuretic properties with ZOCOR.") == {"diuretics"}


def test_a_class_beside_the_product_means_the_others(label):
    said = label("7 DRUG INTERACTIONS 7.1 Digoxin Digoxin levels increase. Avoid use of ADVIL with NSAIDs.", drug="ibuprofen", brand="ADVIL").said()
    assert said == {("digoxin", "caution"), ("nonsteroidal anti-inflammatory drugs", "avoid")}


@pytest.mark.parametrize(
    "item",
    [
        "with previous serious skin reactions to NSAIDs",
        "with a history of asthma, urticaria or another allergic-type reaction after taking aspirin or another NSAID",
    ],
)
def test_what_patients_reacted_to_is_no_partner(label, item):
    assert label(f"4 CONTRAINDICATIONS ZOCOR is contraindicated in patients {item}.", "contraindications").said("interacts_with") == set()


@pytest.mark.parametrize(
    "text",
    [
        "4 CONTRAINDICATIONS Coadministration with digoxin is contraindicated in patients with heart failure.",
        "4 CONTRAINDICATIONS ZOCOR is contraindicated with: Digoxin: In patients with heart failure. Colchicine in renal impairment.",
        "4 CONTRAINDICATIONS Digoxin should be avoided in the treatment of bradycardia.",
        "4 CONTRAINDICATIONS Digoxin Potential for serious reactions such as bradycardia.",
        "4 CONTRAINDICATIONS There appears to be no increased risk of heart failure in children.",
    ],
)
def test_what_is_said_of_another_drug_forbids_the_product_in_no_state(label, text):
    assert label(text, "contraindications").said("contraindicated_in") == set()


def test_what_may_be_observed_is_an_effect(label):
    assert label("7 DRUG INTERACTIONS Increased levels may be observed with digoxin.").said() == {("digoxin", "caution")}
    assert label("7 DRUG INTERACTIONS Patients should be observed with digoxin.").said() == {("digoxin", "monitor")}


def test_doses_nobody_studied_are_no_change_of_dose(label):
    said = label("7 DRUG INTERACTIONS Digoxin 20 mg increased ZOCOR exposure. Higher doses of digoxin have not been studied.").said()
    assert said == {("digoxin", "caution")}


def test_caution_that_is_observed_is_caution(label):
    assert label("7 DRUG INTERACTIONS Caution should be observed with digoxin.").said() == {("digoxin", "caution")}
