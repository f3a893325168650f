"""Tables as the proposers read them: names that reach over rows, footnotes that forbid, tables that do not stand in the text."""

import pytest

from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import ThingFinder
from ontology.model.guards import Opaque
from ontology.text.tables import Placement


def test_a_partner_over_several_rows_is_the_partner_of_each(label):
    html = (
        "<table><thead><tr><th>Drug</th><th>Effect</th></tr></thead>"
        "<tr><td rowspan='2'>Digoxin</td><td>Levels were measured in 12 people.</td></tr><tr><td>Monitor serum levels.</td></tr></table>"
    )
    made = label("7 DRUG INTERACTIONS Drug Effect Digoxin Levels were measured in 12 people. Monitor serum levels.", tables=(html,))
    assert ("digoxin", "monitor") in made.said()
    assert made.claim("digoxin").statement.quote == "Monitor serum levels."


def test_what_is_said_once_beside_several_partners_holds_for_each_and_no_further(label):
    html = (
        "<table><thead><tr><th>Drug</th><th>Rise</th><th>Advice</th></tr></thead>"
        "<tr><td>Digoxin</td><td>70%</td><td rowspan='2'>Avoid concomitant use.</td></tr><tr><td>Verapamil</td><td>60%</td></tr>"
        "<tr><td>Warfarin</td><td>10%</td><td>Monitor INR.</td></tr></table>"
    )
    made = label("7 DRUG INTERACTIONS Drug Rise Advice Digoxin 70% Avoid concomitant use. Verapamil 60% Warfarin 10% Monitor INR.", tables=(html,))
    assert made.said() == {("digoxin", "avoid"), ("verapamil", "avoid"), ("warfarin", "monitor")}


def test_the_name_of_a_column_that_reaches_into_the_rows_is_no_advice(label):
    html = (
        "<table><tr><th>Drug</th><th>Comment</th><th rowspan='2'>Avoid concomitant use</th></tr><tr><td>Digoxin</td><td>Monitor levels.</td></tr>"
        "<tr><td>Verapamil</td><td>Monitor heart rate.</td><td>Yes</td></tr></table>"
    )
    made = label("7 DRUG INTERACTIONS Drug Comment Avoid concomitant use Digoxin Monitor levels. Verapamil Monitor heart rate. Yes", tables=(html,))
    assert made.said() == {("digoxin", "monitor"), ("verapamil", "monitor")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Azole antifungals: ketoconazole itraconazole", {("ketoconazole", "avoid"), ("itraconazole", "avoid")}),
        ("Azole antifungals: e.g., ketoconazole", {("azole antifungals", "avoid"), ("ketoconazole", "avoid")}),
        ("Azole antifungals:", {("azole antifungals", "avoid")}),
    ],
)
def test_the_members_behind_the_name_of_a_class_are_meant_and_not_the_class(label, name, expected):
    html = f"<table><thead><tr><th>Class: Drug</th><th>Comment</th></tr></thead><tr><td>{name}</td><td>Avoid concomitant use.</td></tr></table>"
    made = label(f"7 DRUG INTERACTIONS Class: Drug Comment {name} Avoid concomitant use.", tables=(html,))
    assert made.said() == expected


@pytest.mark.parametrize(
    ("name", "guard"),
    [
        ("Digoxin (more than a single-dose treatment)", "more than a single-dose treatment"),
        ("Digoxin (for heart failure)", "for heart failure"),
        ("Digoxin (for example)", None),
        ("Digoxin (Lanoxin)", None),
    ],
)
def test_the_use_of_a_partner_that_a_row_means_restricts_it(label, name, guard):
    html = f"<table><thead><tr><th>Drug</th><th>Comment</th></tr></thead><tr><td>{name}</td><td>Avoid concomitant use.</td></tr></table>"
    made = label(f"7 DRUG INTERACTIONS Drug Comment {name} Avoid concomitant use.", tables=(html,))
    found = made.claim("digoxin").guard
    assert (found.text if isinstance(found, Opaque) else found) == guard


def test_examples_in_a_column_take_the_advice_of_their_row_alone(label):
    html = (
        "<table><thead><tr><th>Class</th><th>Examples</th><th>Comment</th></tr></thead>"
        "<tr><td>Azole antifungals</td><td>ketoconazole</td><td>Avoid concomitant use.</td></tr>"
        "<tr><td>Cardiac drugs</td><td>digoxin, verapamil</td><td>Raises their levels. Monitor heart rate.</td></tr></table>"
    )
    made = label(
        "7 DRUG INTERACTIONS Class Examples Comment Azole antifungals ketoconazole Avoid concomitant use. "
        "Cardiac drugs digoxin, verapamil Raises their levels. Monitor heart rate.",
        tables=(html,),
    )
    assert {("ketoconazole", "avoid"), ("digoxin", "monitor"), ("verapamil", "monitor")} <= made.said()
    assert not {("digoxin", "avoid"), ("verapamil", "avoid")} & made.said()


def test_a_prohibition_in_the_footnote_of_a_heading_holds_for_it(label):
    html = (
        "<table><thead><tr><th>Drug</th><th>Dose</th></tr></thead><tr><td colspan='2'>Verapamil<footnote>Do not use with ketoconazole.</footnote></td></tr>"
        "<tr><td>Any</td><td>Monitor.</td></tr></table>"
    )
    made = label("7 DRUG INTERACTIONS Drug Dose Verapamil Do not use with ketoconazole. Any Monitor.", tables=(html,))
    assert ("ketoconazole", "avoid") in made.said() or ("ketoconazole", "contraindicated") in made.said()


def test_a_footnote_is_read_once_and_not_inside_a_cells_sentence(label):
    html = (
        "<table><tr><td>Warfarin</td><td>Monitor INR<footnote ID='a'>Avoid with aspirin.</footnote> often.</td></tr>"
        "<tr><td>Digoxin</td><td>Monitor levels<footnoteRef IDREF='a'/>.</td></tr></table>"
    )
    made = label("7 DRUG INTERACTIONS Warfarin Monitor INR Avoid with aspirin. often. Digoxin Monitor levels .", tables=(html,))
    assert {("warfarin", "monitor"), ("digoxin", "monitor"), ("aspirin", "avoid")} <= made.said()
    assert [c.statement.quote for c in [made.claim("aspirin")]] == ["Avoid with aspirin."]


def test_names_of_columns_are_no_statement(label):
    html = "<table><tr><td colspan='2'>Digoxin</td></tr><tr><th>Taken together</th><th>Avoid this combination</th></tr><tr><td>Any dose</td><td>Monitor levels.</td></tr></table>"
    made = label("7 DRUG INTERACTIONS Digoxin Taken together Avoid this combination Any dose Monitor levels.", tables=(html,))
    assert made.said() == {("digoxin", "monitor")}


def test_a_reading_tells_the_tables_that_do_not_stand_in_its_text(label):
    html = "<table><tr><td>Warfarin</td><td>Avoid.</td></tr></table>"
    made = label("Monitor digoxin.", tables=(html,))
    ids = (made.subject.id, *(i.id for i in made.subject.ingredients))
    reading = read_section(made.document.sections[0], ThingFinder(made.lexicon, made.document, ids, made.subject.ingredients))
    assert [t.placement for t in reading.tables.unplaced] == [Placement.UNPLACED]
    assert [[c.text for c in row] for row in reading.tables.unplaced[0].rows] == [["Warfarin", "Avoid."]]
