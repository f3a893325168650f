"""Rows of interaction tables: rows that go on with the one before, cells of arrows, and what a row asks for of the group its drugs belong to."""

import re

import pytest

HEAD = "<thead><tr><th>Drug</th><th>Effect</th><th>Comment</th></tr></thead>"


def table(label, *rows):
    """A label with a table of these rows, each a tuple of cells."""
    html = f"<table>{HEAD}" + "".join("<tr>" + "".join(f"<td>{cell}</td>" if cell else "<td/>" for cell in row) + "</tr>" for row in rows) + "</table>"
    text = re.sub(r"\s+", " ", "7 DRUG INTERACTIONS Drug Effect Comment " + " ".join(cell for row in rows for cell in row if cell))
    return label(text, tables=(html,))


def test_a_row_without_a_name_goes_on_with_the_row_before_and_reaches_no_other(label):
    made = table(
        label,
        ("Digoxin", "↑ digoxin", "Coadministration is contraindicated in patients with renal impairment."),
        ("", "", "Maximum daily dose of 0.6 mg (may be given as 0.3 mg twice a day)."),
        ("Verapamil", "↔ verapamil", ""),
    )
    assert ("digoxin", "adjust-dose") in made.said()
    assert "verapamil" not in {name for name, _ in made.said()}


def test_a_row_whose_first_filled_cell_names_a_partner_begins_anew(label):
    made = table(label, ("Digoxin", "↑ digoxin", "Monitor serum levels."), ("", "Verapamil", "Avoid concomitant use."))
    assert ("digoxin", "avoid") not in made.said()


def test_an_arrow_without_an_instruction_is_an_effect_of_the_pair(label):
    made = table(label, ("Digoxin", "↓ digoxin AUC by approximately 40%", "Clinical relevance not established."))
    assert made.said() == {("digoxin", "caution")}


def test_an_instruction_of_the_row_stands_for_the_arrow(label):
    made = table(label, ("Digoxin", "↑ digoxin", "Monitor serum levels."))
    assert made.said() == {("digoxin", "monitor")}


@pytest.mark.parametrize(
    ("effect", "expected"), [("↔ digoxin", set()), ("↑ verapamil ↔ digoxin", {"verapamil"}), ("↑ simvastatin ↔ digoxin", {"digoxin", "verapamil"})]
)
def test_a_level_that_stays_is_no_effect_unless_the_products_own_changes(label, effect, expected):
    made = table(label, ("Digoxin verapamil", effect, "Clinical relevance not established."))
    assert {name for name, _ in made.said()} == expected


def test_members_of_a_row_take_what_it_asks_for_of_their_group(label):
    made = table(
        label, ("Antiarrhythmics e.g. amiodarone, digoxin", "↑ antiarrhythmics", "Therapeutic concentration monitoring is recommended for antiarrhythmics.")
    )
    assert {("amiodarone", "monitor"), ("digoxin", "monitor")} <= made.said()


def test_a_ban_on_a_group_that_the_row_does_not_name_is_not_of_its_drugs(label):
    made = table(label, ("Digoxin", "↑ digoxin", "Antacids are contraindicated."))
    assert ("digoxin", "contraindicated") not in made.said()


def test_a_change_of_dose_that_cannot_be_recommended_leaves_the_effect(label):
    made = table(label, ("Digoxin", "↓ digoxin", "Dose adjustment of digoxin cannot be recommended at this time."))
    assert made.said() == {("digoxin", "caution")}


def test_a_pointer_to_the_contraindicated_ones_of_a_group_forbids_nothing(label):
    made = table(
        label, ("Antiarrhythmics: amiodarone", "↑ antiarrhythmics", "For contraindicated antiarrhythmics, see Contraindications. Monitor serum levels.")
    )
    assert "contraindicated" not in {action for _, action in made.said()}


def test_the_dose_that_the_other_drug_should_have_is_a_change_of_its_dose(label):
    made = table(label, ("Digoxin", "↑ digoxin", "When used in combination with ZOCOR, the dose of digoxin should be 150 mg twice daily."))
    assert made.said() == {("digoxin", "adjust-dose")}
