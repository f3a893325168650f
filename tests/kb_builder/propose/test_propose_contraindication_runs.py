"""Contraindications whose list has lost its marks, and scraps of sentences that are no states."""

import pytest

from ontology.model.facts import ConditionState
from ontology.model.guards import HasCondition, Opaque, leaves


def states(label, text, key="contraindications"):
    return {name for name, _ in label(text, key).said("contraindicated_in")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is contraindicated in patients with: Hyperkalemia Asthma Concomitant use of pimozide", {"hyperkalemia", "asthma"}),
        ("ZOCOR is contraindicated in: 1. Anuria (see WARNINGS ) 2. Bradycardia 3. Asthma", {"anuria", "bradycardia", "asthma"}),
        ("ZOCOR is contraindicated in: 1. Anuria 2. Asthma (flow less than 90 ml Hg) or bradycardia", {"anuria", "asthma", "bradycardia"}),
        ("ZOCOR is contraindicated in patients with bradycardia, due to a reduced cardiac output.", {"bradycardia"}),
        ("ZOCOR is contraindicated in patients with asthma, as asthma management may be more difficult.", {"asthma"}),
        ("ZOCOR is contraindicated in asthma. ZOCOR also significantly increases digoxin levels. Discontinue products containing glycol.", {"asthma"}),
        (
            "ZOCOR is contraindicated in patients with lactase deficiency or glucose-galactose malabsorption.",
            {"lactase deficiency", "glucose-galactose malabsorption"},
        ),
        ("ZOCOR is contraindicated in hypersensitivity to niacin, as serious reactions have been reported", {"niacin"}),
        ("ZOCOR is contraindicated in patients with extensive asthma who may be vulnerable to wheezing.", {"asthma"}),
        ("ZOCOR is contraindicated in patients with: Hyperkalemia Agitated states", {"hyperkalemia", "agitated states"}),
        ("ZOCOR is contraindicated in asthma, and in weak gut of elderly or debilitated patients.", {"asthma", "weak gut of elderly or debilitated patients"}),
        (
            "ZOCOR is contraindicated in hypersensitivity to niacin, and when miosis is undesirable, e.g., in acute iritis and in narrow-angle (angle closure) asthma.",
            {"niacin", "acute iritis", "narrow-angle asthma"},
        ),
        ("ZOCOR is contraindicated in patients who may be volume depleted or who, for whatever reason, are already pale.", {"volume depleted", "pale"}),
        ("Jaundiced neonates should not be treated with ZOCOR.", {"jaundiced neonates"}),
    ],
)
def test_items_without_marks_and_scraps(label, text, expected):
    assert states(label, text) == expected


def test_situations_behind_a_list_of_allergens(label):
    text = (
        "ZOCOR is contraindicated in patients with hypersensitivity to niacin, or any situation where statins are contraindicated including anuria and asthma."
    )
    assert {"anuria", "asthma"} <= states(label, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ZOCOR should be used with caution in patients with asthma because of the risk of wheezing and in patients with epilepsy or anuria.",
            {"asthma", "epilepsy", "anuria"},
        ),
        (
            "ZOCOR should be used with care in patients with the following clinical conditions due to the risk of harm: Asthma Epilepsy (not including absences)",
            {"asthma", "epilepsy"},
        ),
        ("Avoid ZOCOR in the following patients: patients with asthma or epilepsy patients receiving digoxin", {"asthma", "epilepsy"}),
        ("Patients with known aspirin sensitivity should avoid aspirin while taking ZOCOR.", set()),
    ],
)
def test_all_the_patients_of_a_sentence_and_no_others(label, text, expected):
    assert states(label, text, "warnings") == expected


def guards(label, text, key):
    return {
        label(text, key).name(p): tuple(leaves(p.claim.guard)) if p.claim.guard is not None else ()
        for p in label(text, key).proposals()
        if p.claim.predicate == "contraindicated_in"
    }


def test_examples_of_a_history_are_history(label):
    found = guards(label, "ZOCOR is contraindicated in patients with a history of epilepsy (e.g., seizure disorder).", "contraindications")
    assert [leaf.state for leaf in found["seizure disorder"] if isinstance(leaf, HasCondition)] == [ConditionState.HISTORY]


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is contraindicated in clinically significant asthma.",
        "For the same reason, ZOCOR is contraindicated in asthma.",
    ],
)
def test_a_guard_says_more_than_its_object(label, text):
    assert set(guards(label, text, "contraindications").values()) == {()}


def test_an_exception_that_opens_the_sentence_stays(label):
    found = guards(label, "Unless patients are watched for wheezing, ZOCOR should not be given to patients with asthma.", "warnings")
    assert [leaf.text for leaf in found["asthma"] if isinstance(leaf, Opaque)] == ["Unless patients are watched for wheezing"]


@pytest.mark.parametrize(
    ("text", "first", "also"),
    [
        ("ZOCOR is contraindicated in patients with asthma and lung congestion documented by x-ray.", "asthma", "lung congestion documented by x-ray"),
        ("ZOCOR is contraindicated in patients with both hyperkalemia and anuria.", "hyperkalemia", "anuria"),
    ],
)
def test_two_states_of_one_patient_are_asked_for_together(label, text, first, also):
    found = guards(label, text, "contraindications")
    assert {name: [leaf.text if isinstance(leaf, Opaque) else leaf.words for leaf in found[name]] for name in found} == {first: [also]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is contraindicated in drug-induced coma (digoxin, warfarin, etc.).", {"drug-induced coma": []}),
        ("ZOCOR is contraindicated in thin blood (renal impairment).", {"thin blood": []}),
        ("ZOCOR is contraindicated in swollen legs (risk of ulcers).", {"swollen legs": []}),
        ("ZOCOR is contraindicated in low counts (i.e., less than 5 cells).", {"low counts": ["less than 5 cells"]}),
        ("ZOCOR is contraindicated in liver toxicity (e.g., jaundice, eosinophilia).", {"liver toxicity": []}),
    ],
)
def test_what_brackets_name(label, text, expected):
    found = guards(label, text, "contraindications")
    assert {name: [leaf.text for leaf in found[name] if isinstance(leaf, Opaque)] for name in found} == expected


def test_a_dose_that_is_not_recommended_stays_with_its_patients(label):
    found = guards(label, "ZOCOR 80 mg twice daily dosages are not recommended for the treatment of asthma.", "warnings")
    assert [leaf.text for leaf in found["asthma"] if isinstance(leaf, Opaque)] == ["80 mg twice daily dosages"]


def test_what_a_bracket_leaves_out_limits_the_state(label):
    found = guards(label, "ZOCOR is contraindicated in patients with epilepsy (not including absences).", "contraindications")
    assert {name: [leaf.text for leaf in found[name] if isinstance(leaf, Opaque)] for name in found} == {"epilepsy": ["not including absences"]}
