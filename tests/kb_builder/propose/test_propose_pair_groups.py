"""Groups whose noun stands behind their examples, names that belong to the product, and sentences that only point elsewhere."""

import pytest


def said(label, text, key="drug_interactions", **more):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key, **more).said()


def test_kinds_of_opioids_share_the_noun_behind_their_examples(label):
    text = "Avoid mixed agonist/antagonist (e.g., nalbuphine) or partial agonist (e.g., buprenorphine) analgesics with ZOCOR."
    assert {("mixed agonist/antagonist analgesics", "avoid"), ("partial agonist analgesics", "avoid")} <= said(label, text)


def test_a_partial_agonist_of_another_kind_is_no_opioid(label):
    assert not any("opioid" in name for name, _ in said(label, "Avoid a partial agonist (e.g., digoxin) with ZOCOR."))


def test_the_noun_behind_the_examples_of_a_class_is_no_class_of_its_own(label):
    text = "Use caution with Class IA (e.g., verapamil) or Class III (e.g., amiodarone) antiarrhythmics taken together with ZOCOR."
    names = {name for name, _ in said(label, text)}
    assert {"class ia antiarrhythmics", "class iii antiarrhythmics"} <= names
    assert "antiarrhythmics" not in names


def test_a_word_of_the_products_name_is_no_partner(label):
    text = "ZOCOR potassium is contraindicated in patients with renal impairment."
    assert said(label, text, "contraindications", brand="ZOCOR potassium") <= {("renal impairment", "contraindicated")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Digoxin may rise. Drugs that may not be given with ZOCOR are also included in Table 6.", {("digoxin", "caution")}),
        ("Digoxin may rise. Refer to the full text for other drugs that should not be taken.", {("digoxin", "caution")}),
        ("Digoxin may rise. ZOCOR should not be started until the patient has recovered.", {("digoxin", "caution")}),
        ("Consider alternatives, such as digoxin, to fibrates.", {("fibrates", "avoid")}),
        ("A temporary withdrawal of ZOCOR may be considered in some patients receiving methotrexate.", {("methotrexate", "avoid")}),
        ("Reduce ZOCOR to 10 mg once daily with digoxin.", {("digoxin", "adjust-dose")}),
        ("If use of digoxin with ZOCOR is required, reduction or discontinuation of digoxin should be considered.", {("digoxin", "adjust-dose")}),
        ("Drugs dependent on gastric pH for absorption may be absorbed less.", {("drugs dependent on gastric ph for absorption", "caution")}),
    ],
)
def test_pointers_and_offers_ask_nothing_and_other_wordings_do(label, text, expected):
    assert said(label, text) == expected


def test_mixing_is_apart_from_giving_both_to_one_patient(label):
    text = "In vitro mixing of ZOCOR and penicillins should be avoided during concomitant therapy and the drugs should be administered separately."
    assert said(label, text) == {("penicillins", "separate")}


def test_a_drug_in_the_bracket_of_other_states_stands_for_itself(label):
    text = "5.1 Heart Caution is advised in patients with other QT-prolonging states (including drugs that prolong the QT interval) taking ZOCOR concomitantly."
    claim = label(text, "warnings_and_cautions").claim("drugs that prolong the qt interval")
    assert claim.guard is None


def test_what_befell_patients_on_another_drug_is_no_pair(label):
    text = "5.1 Lungs Fibrosis has been reported in patients treated with digoxin."
    assert said(label, text, "warnings_and_cautions") == set()


def test_examples_of_medicines_taken_with_the_own_class_are_partners(label):
    text = "5.1 Salts For patients who take statins with medications such as digoxin, monitor magnesium."
    assert said(label, text, "warnings_and_cautions") == {("digoxin", "monitor")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "5.1 Weight A reduction in the dose of warfarin or digoxin may be required in some patients.",
            {("warfarin", "adjust-dose"), ("digoxin", "adjust-dose")},
        ),
        ("5.1 Lungs While the dose of digoxin may be reduced by degrees, ZOCOR is no substitute.", set()),
        ("5.1 Water Avoid diuretics in patients with renal impairment.", {("diuretics", "avoid")}),
        ("5.1 Drink Advise patients to avoid alcohol.", {("alcohol", "avoid")}),
        (
            "5.1 Heart Avoid ZOCOR in combination with other drugs known to prolong QTc, including statins (e.g., simvastatin, digoxin).",
            {("drugs that prolong the qt interval", "avoid"), ("digoxin", "avoid")},
        ),
        ("5.1 Salts Give drugs with a known interaction at least 4 hours before ZOCOR.", set()),
    ],
)
def test_warnings_name_what_is_avoided_or_changed(label, text, expected):
    assert said(label, text, "warnings_and_cautions") == expected


def test_a_dose_of_another_drug_in_the_warnings_keeps_its_patients(label):
    claim = label("5.1 Water Avoid diuretics in patients with renal impairment.", "warnings_and_cautions").claim("diuretics")
    assert "RENAL" in repr(claim.guard)


def test_an_amount_before_a_group_holds_for_the_members_in_its_bracket(label):
    made = label("Do not use in the presence of large amounts of anticoagulants (warfarin, heparin).", "contraindications")
    assert {p.claim.guard is not None for p in made.proposals() if p.claim.predicate == "interacts_with"} == {True}


def test_an_example_takes_what_is_asked_of_its_group_though_it_was_spoken_of(label):
    table = (
        "<table><tr><td>Fibrates</td></tr><tr><td>Clinical Impact:</td><td>Gemfibrozil may rise.</td></tr>"
        "<tr><td>Intervention:</td><td>Avoid fibrates with ZOCOR. Monitor levels.</td></tr><tr><td>Examples:</td><td>gemfibrozil</td></tr></table>"
    )
    text = "7 DRUG INTERACTIONS Fibrates Clinical Impact: Gemfibrozil may rise. Intervention: Avoid fibrates with ZOCOR. Monitor levels. Examples: gemfibrozil"
    assert {("gemfibrozil", "avoid"), ("gemfibrozil", "monitor")} <= label(text, tables=(table,)).said()
