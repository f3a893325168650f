"""Kinds of sentences about pairs: what is offered instead, what is denied in other words, groups told by the harm they do, what is stopped first."""

import pytest


def said(label, text, key="drug_interactions", **more):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key, **more).said()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "As an alternative to fibrates, use antacids and separate their dosing by more than 2 hours from ZOCOR.",
            {("fibrates", "avoid"), ("antacids", "separate")},
        ),
        ("Use antacids as an alternative to fibrates.", {("fibrates", "avoid")}),
        ("7.1 Fibrates Avoid use with ZOCOR; use antacids.", {("fibrates", "avoid")}),
        ("Avoid drugs like digoxin.", {("digoxin", "avoid")}),
    ],
)
def test_what_is_offered_instead_is_not_what_is_to_be_avoided(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "An interaction between digoxin and ZOCOR is unlikely.",
        "ZOCOR did not exaggerate the effects of alcohol.",
        "Follow labels: the dosing recommendations given for digoxin should be followed.",
    ],
)
def test_a_denial_or_a_pointer_is_no_caution(label, text):
    assert said(label, text) == set()


def test_less_exposure_after_a_dose_is_no_change_of_dose(label):
    assert said(label, "Digoxin showed a 40% decrease in exposure one week after a single dose of ZOCOR.") == {("digoxin", "caution")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid drugs known to cause bradycardia.", {("drugs known to cause bradycardia", "avoid")}),
        (
            "Avoid medicines associated with hepatotoxicity, nephrotoxicity, and ototoxicity.",
            {(f"medicines associated with {harm}", "avoid") for harm in ("hepatotoxicity", "nephrotoxicity", "ototoxicity")},
        ),
        ("Monitor for bradycardia with other agents that have this potential.", set()),
        ("Use caution with drugs whose efficacy is impaired by phenytoin.", {("phenytoin", "caution")}),
    ],
)
def test_groups_are_told_by_the_harm_they_do(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop aspirin at the time of, or prior to, ZOCOR administration.", {("aspirin", "avoid")}),
        ("Aspirin should be discontinued prior to initiation of ZOCOR.", {("aspirin", "avoid")}),
        ("Advise patients to abstain from alcohol while taking ZOCOR.", {("alcohol", "avoid")}),
    ],
)
def test_what_is_stopped_or_left_is_to_be_avoided(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("4 CONTRAINDICATIONS ZOCOR is contraindicated in drug-induced stupor (alcohol, digoxin, etc.).", "contraindications"),
        ("5.1 ZOCOR may be used with caution in patients who do not respond to, or cannot tolerate, other fibrates.", "warnings_and_cautions"),
        ("5.1 If infection occurs while taking ZOCOR, initiate appropriate cephalosporins and monitor closely.", "warnings_and_cautions"),
        ("5.1 Monitor and manage patients taking ZOCOR by standards of care, including antacids and diuretics.", "warnings_and_cautions"),
        (
            "5.1 Hematomas may occur in patients who are treated with heparin, warfarin, or ZOCOR and are receiving a needle in the spine.",
            "warnings_and_cautions",
        ),
        ("5.1 Closely monitor patients taking ZOCOR with a history of anaphylaxis or angioedema with another statin.", "warnings_and_cautions"),
        ("5.1 Bradycardia has been observed in patients treated with other drugs containing digoxin.", "warnings_and_cautions"),
    ],
)
def test_what_is_named_beside_the_product_is_not_always_taken_with_it(label, text, key):
    assert label(text, key).said("interacts_with") == set()


def test_the_last_of_what_patients_are_allergic_to_is_no_partner(label):
    text = "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients taking fibrates and in those with hypersensitivity to any part of it or to digoxin."
    assert label(text, "contraindications").said("interacts_with") == {("fibrates", "contraindicated")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Those slow by experience with other CYP2C9 substrates (such as phenytoin, warfarin) get half the dose.", set()),
        ("Digoxin (a heart drug which is a weak CYP3A4 inhibitor) may increase bleeding.", {("digoxin", "caution")}),
        ("If digoxin is used with a CYP3A4 inhibitor such as ZOCOR, monitor digoxin.", {("digoxin", "monitor")}),
        ("Digoxin (an agent of the MAO inhibitors) may increase bleeding.", {("digoxin", "caution")}),
        ("Avoid potassium blockers.", {("potassium blockers", "avoid")}),
        ("Drugs that can inhibit CYP3A4 may require lower doses of ZOCOR.", {("cyp3a4 inhibitor", "adjust-dose")}),
        ("Monitor drugs with a narrow therapeutic index metabolized by CYP3A4.", {("cyp3a4 substrate", "monitor")}),
        ("Avoid verapamil-type diuretics.", {("verapamil-type diuretics", "avoid")}),
        ("Patients taking digoxin may require dosage adjustment when starting or stopping ZOCOR.", {("digoxin", "adjust-dose")}),
    ],
)
def test_groups_and_what_explains_a_drug(label, text, expected):
    assert said(label, text) == expected


def test_advice_on_all_drugs_is_not_advice_on_the_last_named(label):
    text = "Aspirin may increase bleeding. Adjust dosages of concomitant drugs by their labels. Adjust dosages of drugs metabolized by these enzymes."
    assert said(label, text) == {("aspirin", "caution")}


def test_these_inhibitors_are_those_of_the_sentence_before(label):
    text = "7.1 CYP3A4 Inhibitors Strong CYP3A4 inhibitors may increase the effect of ZOCOR. Moderate CYP3A4 inhibitors include verapamil. Monitor patients with these inhibitors."
    assert ("strong cyp3a4 inhibitor", "monitor") not in said(label, text)
    assert {("moderate cyp3a4 inhibitor", "monitor"), ("verapamil", "monitor")} <= said(label, text)


def test_what_the_name_of_a_group_asks_for_holds_for_its_rows(label):
    rows = [
        ["Antiarrhythmics Prevention or Management: Avoid concomitant use"],
        ["Digoxin", "Decrease AUC by 72%"],
        ["Verapamil", "Decrease exposure"],
        ["Anticoagulants"],
        ["Warfarin", "Decrease exposure"],
        ["Itraconazole Management: Not recommended during treatment", "Decrease exposure"],
    ]
    cells = "".join("<tr>" + "".join(f'<td colspan="{3 - len(row)}">{c}</td>' for c in row) + "</tr>" for row in rows)
    text = "7 DRUG INTERACTIONS Table 1 Drug Effect " + " ".join(c for row in rows for c in row)
    made = label(text, tables=(f"<table><tr><th>Drug</th><th>Effect</th></tr>{cells}</table>",))
    assert made.said() == {("digoxin", "avoid"), ("verapamil", "avoid"), ("warfarin", "caution"), ("itraconazole", "not-recommended")}


def guards(label, text, name, key="drug_interactions"):
    """The guards of what is said about one drug, told by their types."""
    found = [p.claim.guard for p in label(text, key).proposals() if label(text, key).name(p) == name]
    return [type(g).__name__ for g in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop digoxin prior to ZOCOR in patients with an eGFR between 30 and 60; in patients with a history of hepatic impairment.", ["AnyOf"]),
        ("Patients taking digoxin, especially patients with renal impairment, may require dosage adjustment.", ["NoneType"]),
        ("Avoid ZOCOR with digoxin, and in patients with hepatic impairment.", ["NoneType"]),
        ("Monitor digoxin in patients with hepatic impairment.", ["Category"]),
        ("In patients taking verapamil, avoid ZOCOR with digoxin.", ["Exposure"]),
        ("When ZOCOR is given with digoxin in heavy smokers, reduce the dose of digoxin.", ["HasCondition"]),
        ("When possible, take another dose form; reduce the dose of digoxin.", ["NoneType"]),
        ("ZOCOR may elevate levels of digoxin (40% to 72% increase).", ["NoneType"]),
        ("Upon initiation or discontinuation of ZOCOR, monitor digoxin.", ["NoneType"]),
    ],
)
def test_what_restricts_a_pair_and_how_conditions_stand_to_each_other(label, text, expected):
    assert guards(label, f"7 DRUG INTERACTIONS {text}", "digoxin") == expected


def test_an_offered_drug_is_kept_apart_only_where_an_interval_is_told_of_it(label):
    text = "7.1 Fibrates Avoid use with ZOCOR; use blocking antacids or digoxin; take ZOCOR at least 6 hours before or 10 hours after digoxin."
    assert said(label, text) == {("fibrates", "avoid"), ("digoxin", "separate")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR may be coadministered with P-gp inhibitors.", set()),
        ("ZOCOR should not cause a transient increase of digoxin.", set()),
        ("7.1 Diuretics ZOCOR may enhance diuretics. Use of ZOCOR in patients with asthma is not recommended.", {("diuretics", "caution")}),
    ],
)
def test_what_is_allowed_and_what_is_about_states_alone(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2.1 The dose of ZOCOR is one 20 mg tablet taken concomitantly with each digoxin dose, and the maximum dose is 80 mg.", "dosage_and_administration"),
        ("5.1 Use ZOCOR with caution in patients with drug sensitivities, especially if the etiologic agent is taken with it.", "warnings_and_cautions"),
    ],
)
def test_a_regimen_of_both_and_an_unnamed_cause_are_no_pair(label, text, key):
    assert label(text, key).said("interacts_with") == set()


def test_an_effect_that_reaches_over_several_rows_is_of_each(label):
    table = (
        "<table><tr><th>Drug</th><th>Effect</th></tr><tr><td colspan='2'>Antiarrhythmics Management: Avoid concomitant use</td></tr>"
        "<tr><td>Digoxin</td><td rowspan='2'>Decrease exposure</td></tr><tr><td>Verapamil</td></tr><tr><td>Amiodarone</td><td>Decrease</td></tr></table>"
    )
    text = "7 DRUG INTERACTIONS Drug Effect Antiarrhythmics Management: Avoid concomitant use Digoxin Decrease exposure Verapamil Amiodarone Decrease"
    assert label(text, tables=(table,)).said() == {("digoxin", "avoid"), ("verapamil", "avoid"), ("amiodarone", "avoid")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR has no effect on the levels of warfarin. However, monitor the INR.", {("warfarin", "monitor")}),
        ("ZOCOR is a potent reversible inhibitor of an enzyme that may increase its effect.", set()),
        ("Avoid the use of ZOCOR, strong CYP3A4 inducer, with digoxin.", {("digoxin", "avoid")}),
        ("ZOCOR binds differently than aspirin and may increase the effect of digoxin.", {("digoxin", "caution")}),
        (
            "ZOCOR may add to the effect of diuretics such as furosemide; such agents should be avoided or given in reduced dosage. "
            "The dose of furosemide should be reduced by one-half.",
            {("diuretics", "avoid+adjust-dose"), ("furosemide", "avoid+adjust-dose"), ("furosemide", "adjust-dose")},
        ),
        ("Avoid concomitant use of ZOCOR with drugs like digoxin, verapamil (a blocker), statins and warfarin.", {("digoxin", "avoid"), ("verapamil", "avoid"), ("statins", "avoid"), ("warfarin", "avoid")}),
        ("Consideration should be given to the additive effect if digoxin is coadministered with ZOCOR.", {("digoxin", "caution")}),
        ("Perform renal function tests when ZOCOR is taken with digoxin.", {("digoxin", "monitor")}),
    ],
)  # fmt: skip
def test_whom_a_sentence_is_about(label, text, expected):
    assert said(label, text) == expected
