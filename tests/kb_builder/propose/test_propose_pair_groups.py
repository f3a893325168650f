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
