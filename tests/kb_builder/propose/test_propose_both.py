"""Words that narrow what a statement is about: a second condition, an anaphor, a role that explains a drug in a heading."""

from ontology.model.guards import HasCondition, Opaque


def test_a_second_condition_narrows_a_pair_of_alternatives(label):
    made = label("4 CONTRAINDICATIONS Patients with hyperkalemia or bradycardia and an asthma (e.g., exercise asthma, cold asthma).", "contraindications")
    assert {n for n, _ in made.said("contraindicated_in")} == {"hyperkalemia", "bradycardia"}
    guard = made.claim("bradycardia").guard
    assert isinstance(guard, HasCondition)
    assert guard.words == "an asthma"


def test_a_second_condition_nobody_coded_is_opaque_and_not_dropped(label):
    made = label("4 CONTRAINDICATIONS Patients with hyperkalemia or bradycardia and a bulging tract.", "contraindications")
    assert made.claim("hyperkalemia").guard == Opaque("a bulging tract")


def test_items_of_a_list_stay_apart(label):
    made = label("4 CONTRAINDICATIONS ZOCOR is contraindicated in asthma, hyperkalemia, or bradycardia and anuria.", "contraindications")
    assert {n for n, _ in made.said("contraindicated_in")} == {"asthma", "hyperkalemia", "bradycardia", "anuria"}


def test_such_a_condition_is_the_one_named_before(label):
    made = label("Fungus: ZOCOR may worsen asthma and should not be used in the presence of such asthma.", "warnings")
    assert made.said("contraindicated_in") == set()


def test_a_role_that_explains_the_drug_of_a_heading_is_no_partner(label):
    made = label("7 DRUG INTERACTIONS 7.1 Digoxin (CYP3A4 Inhibitor) Avoid concomitant use with ZOCOR.")
    assert made.said() == {("digoxin", "avoid")}


def test_a_bare_item_said_in_full_by_the_next_sentence_is_its_heading(label):
    text = "4 CONTRAINDICATIONS\n\nZOCOR is contraindicated in:\n\n- Pregnancy\n\nZOCOR is contraindicated in women who are pregnant except in women with an artificial heart.\n\n- Anuria"
    made = label(text, "contraindications")
    assert made.said("contraindicated_in") == {("pregnancy", "contraindicated"), ("anuria", "contraindicated")}
    assert made.claim("pregnancy").guard is not None
