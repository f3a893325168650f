"""What restricts a pair: the name of its row, patients as the subject of the sentence, and what does not."""

import pytest

from ontology.model.guards import HasCondition, Opaque, leaves

NAMES = "<table><tr><th>Drug</th><th>Advice</th></tr>{}</table>"


def guards(label, text, *rows):
    """Guards of the claims by partner and action, each as the words of its leaves."""
    tables = (NAMES.format("".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows)),) if rows else ()
    text = text or "Drug Advice " + " ".join(f"{a} {b}" for a, b in rows)
    made = label(f"7 DRUG INTERACTIONS {text}", tables=tables)
    out = {}
    for p in made.proposals():
        words = [leaf.text if isinstance(leaf, Opaque) else leaf.words if isinstance(leaf, HasCondition) else str(leaf.axis) for leaf in leaves(p.claim.guard)]
        out[made.name(p), p.claim.payload.steps[0].action.value] = words if p.claim.guard is not None else []
    return out


def test_the_name_of_a_row_says_whom_it_means(label):
    found = guards(label, "", ("Colchicine (in patients with renal impairment)", "Contraindicated"), ("Digoxin", "Use with caution"))
    assert found[("colchicine", "contraindicated")]
    assert not found[("digoxin", "caution")]


def test_rows_of_one_drug_hold_for_their_dose(label):
    found = guards(label, "", ("Digoxin (400 mg every 24 hours)", "Contraindicated"), ("Digoxin (300 mg every 24 hours)", "Use with caution"))
    assert found == {("digoxin", "contraindicated"): ["Digoxin (400 mg every 24 hours)"], ("digoxin", "caution"): ["Digoxin (300 mg every 24 hours)"]}


def test_the_dose_of_a_study_is_no_limit(label):
    assert guards(label, "", ("Digoxin (4 mg)", "Contraindicated"), ("Verapamil (300 mg)", "Use with caution"))[("digoxin", "contraindicated")] == []


@pytest.mark.parametrize(
    ("text", "pair", "words"),
    [
        (
            "Patients with known aspirin sensitivity should continue to avoid ibuprofen while taking ZOCOR.",
            ("ibuprofen", "avoid"),
            ["known aspirin sensitivity"],
        ),
        ("Treatment of patients with epilepsy with ZOCOR in combination with digoxin is not recommended.", ("digoxin", "not-recommended"), ["epilepsy"]),
        ("Increase the dose of ZOCOR from 4 mg to 5 mg with phenytoin (100 mg in patients weighing less than 40 kg).", ("phenytoin", "adjust-dose"), []),
        ("Limit the dose of digoxin in patients on ZOCOR to 10 mg daily.", ("digoxin", "adjust-dose"), []),
        ("Do not use ZOCOR in patients who are taking certain drugs for epilepsy (fibrates).", ("fibrates", "avoid"), []),
        ("Avoid ZOCOR in a patient who is already taking digoxin.", ("digoxin", "avoid"), []),
    ],
)
def test_patients_as_the_subject_restrict_and_limits_of_doses_do_not(label, text, pair, words):
    assert guards(label, text)[pair] == words


def test_risk_factors_stand_beside_each_other(label):
    found = guards(label, "Risk factors for bleeding include age 65 years or greater and concomitant use of warfarin.")
    assert found == {("warfarin", "caution"): []}


def test_abbreviations_do_not_end_a_list_of_patients(label):
    found = guards(label, "ZOCOR is contraindicated with digoxin in patients with heart failure (HF) or epilepsy (EPI).")
    assert {"heart failure", "epilepsy"} <= set(found[("digoxin", "contraindicated")])
