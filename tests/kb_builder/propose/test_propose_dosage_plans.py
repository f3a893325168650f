"""Plans in tables: weeks and days are ordered phases of one regimen, each with its duration, or nothing is read."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import joined
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.table_schedule import Stretch, follow_on, plan_in_words, read_stretch
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from ontology.model.dosing import PhaseKind

SECTION = "dosage_and_administration"


def plans(label, rows, caption="", *, named=True):
    """Each plan of a table: its phases as (amount, days, kind), and its conditions in words."""
    cells = "".join(
        "<tr>" + "".join(f"<{'th' if named and i == 0 else 'td'}>{html.escape(c)}</{'th' if named and i == 0 else 'td'}>" for c in row) + "</tr>"
        for i, row in enumerate(rows)
    )
    words = " ".join(c for row in rows for c in row)
    made = label(f"2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Use as directed. {caption} {words}", SECTION, tables=(f"<table>{cells}</table>",))
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    out = []
    for d in table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon):
        phases = [(f"{p.amounts[0].low} {p.amounts[0].unit}", p.duration_days_low, p.kind) for p in d.payload.phases]
        whom = ["; ".join(str(c.get("value", c.get("low", c.get("high")))) for c in when) for when in conditions_of(joined(d.limits), lambda e: e.code)]
        out.append((phases, whom, reading.shadow.text[slice(*d.statement)]))
    return out


def test_weeks_are_phases_in_their_order(label):
    ((phases, whom, quote),) = plans(label, [("Week", "Daily Dose"), ("Week 1", "20 mg"), ("Weeks 2 and 3", "50 mg"), ("Week 4 and beyond", "400 mg")])
    assert phases == [("20 mg", 7, PhaseKind.TITRATION), ("50 mg", 14, PhaseKind.TITRATION), ("400 mg", None, PhaseKind.MAINTENANCE)]
    assert whom == [""]
    assert quote.startswith("Week 1 20 mg")
    assert quote.endswith("400 mg")


def test_rows_need_no_marked_header(label):
    rows = [("Days 1 to 3:", "0.5 mg once daily"), ("Days 4 to 7:", "0.5 mg twice daily"), ("Day 8 to end of treatment:", "1 mg twice daily")]
    ((phases, _, _),) = plans(label, rows, named=False)
    assert [days for _, days, _ in phases] == [3, 4, None]


def test_days_and_weeks_follow_one_another(label):
    rows = [("Day/Week", "Dose once daily"), ("Days 1 and 2", "0.25 mg"), ("Days 3 to 7", "0.5 mg"), ("Week 2", "1 mg")]
    ((phases, _, _),) = plans(label, rows)
    assert [days for _, days, _ in phases] == [2, 5, 7]


def test_each_column_of_doses_is_a_plan_for_its_patients(label):
    rows = [("", "Patients weighing less than 40 kg", "Patients weighing 40 kg or more"), ("Week 1", "25 mg", "50 mg"), ("Week 2 onward", "50 mg", "100 mg")]
    assert [(p[0][0], p[1][0], w) for p, w, _ in plans(label, rows)] == [("25 mg", "50 mg", ["40"]), ("50 mg", "100 mg", ["40"])]


def test_the_partner_of_the_last_step_holds_for_the_plan(label):
    rows = [("", "Oral Daily Dose"), ("Day 1", "100 mg"), ("Day 2 and beyond", "400 mg in combination with warfarin")]
    assert [w for _, w, _ in plans(label, rows)] != [[""]]


@pytest.mark.parametrize(
    "rows",
    [
        [("Week", "Dose"), ("Week 1", "20 mg"), ("Week 3", "50 mg")],
        [("Week", "Dose"), ("Week 2", "20 mg"), ("Week 3", "50 mg")],
        [("Week", "Dose"), ("Week 1", "20 mg"), ("Week 2", "Assess the response"), ("Week 3", "50 mg")],
        [("Week", "Dose"), ("Week 1", "20 mg"), ("In remission", "30 mg"), ("Week 2", "50 mg"), ("Week 3", "60 mg")],
        [("Week", "Dose"), ("Week 1", "20 mg"), ("Week 2", "If tolerated, 30 mg. If not, 20 mg"), ("Week 3", "50 mg")],
        [("Week", "Morning Dose", "Evening Dose"), ("Week 1", "20 mg", "40 mg"), ("Week 2", "40 mg", "60 mg")],
    ],
)
def test_a_plan_is_read_whole_or_not_at_all(label, rows):
    assert plans(label, rows) == []


def test_columns_of_days_are_phases(label):
    rows = [
        ("Body Weight", "Weeks 1 and 2", "Weeks 3 to 24"),
        ("30 kg or more", "400 mg once daily", "200 mg once daily"),
        ("less than 30 kg", "100 mg once daily", "none"),
    ]
    assert [([(a, d) for a, d, _ in p], w) for p, w, _ in plans(label, rows)] == [([("400 mg", 14), ("200 mg", 154)], ["30"]), ([("100 mg", 14)], ["30"])]


def test_a_cell_may_be_a_plan(label):
    rows = [("Concomitant Drug", "Recommended Dose"), ("Warfarin", "Day 1 - 10 mg Day 2 - 20 mg Day 3 onwards - 50 mg")]
    ((phases, whom, _),) = plans(label, rows)
    assert [(a, d) for a, d, _ in phases] == [("10 mg", 1), ("20 mg", 1), ("50 mg", None)]
    assert whom != [""]


@pytest.mark.parametrize(
    ("words", "stretch"),
    [
        ("Week 1", Stretch(1, 7)),
        ("Weeks 3-4 (Days 15-28)", Stretch(15, 28)),
        ("Week 1 through Week 4", Stretch(1, 28)),
        ("First week", Stretch(1, 7)),
        ("Day 6 & thereafter", Stretch(6, None)),
        ("After week 4", Stretch(29, None)),
        ("Thereafter", Stretch(None, None)),
        ("Week 0", None),
        ("Cycle 1", None),
        ("Day 15 and weekly thereafter", None),
        ("2 years", None),
        (" " * 100_000, None),
    ],
)
def test_names_of_stretches(words, stretch):
    assert read_stretch(words) == stretch


def test_stretches_leave_no_gap():
    assert follow_on([Stretch(1, 7), Stretch(8, None)])
    assert follow_on([Stretch(1, 7), Stretch(None, None)])
    assert not follow_on([Stretch(1, 7), Stretch(15, None)])
    assert not follow_on([Stretch(1, None), Stretch(8, None)])
    assert not follow_on([Stretch(1, 7)])


@given(st.text(alphabet="Week Days 1234-:,mg\n", max_size=80))
def test_plans_in_words_never_raise(words):
    steps = plan_in_words(words)
    assert steps is None or all(0 <= a <= b <= len(words) for _, a, b in steps)
