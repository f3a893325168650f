"""Cells and columns of several strengths: units taken together are one dose, of which each is only a part."""

from __future__ import annotations

import pytest

from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.table_doses import doses_of_words
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder

SECTION = "dosage_and_administration"


def volumes(label, table, words):
    """The volume of each draft of a table, with the words of its column's strength among its limits."""
    made = label(f"2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Use as directed. {words}", SECTION, tables=(table,))
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    out = set()
    for draft in table_drafts(reading, scopes_of(reading, made.lexicon, ""), made.lexicon, ""):
        (amount,) = draft.payload.phases[0].amounts
        out.add((str(amount.low), amount.unit, next((t for r in draft.limits if "/" in (t := reading.blank[r.start : r.end]) and "mg" in t), "")))
    return out


def of_strengths(names, cells):
    """A table whose first row of names spans the strengths, with two unmarked rows of names below, and its words."""
    rows = (
        ("Creatinine Clearance (mL/min)", "20 mg/5 mL", "40 mg/5 mL", "80 mg"),
        ("", *names),
        ("30 or greater", "Normal dose", "Normal dose", "Normal dose"),
        cells,
    )
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    head = "<thead><tr><th>Renal Function</th><th colspan='2'>Oral Suspension</th><th>Tablet</th></tr></thead>"
    words = " ".join(("Renal Function Oral Suspension Tablet", *(c for row in rows for c in row if c)))
    return f"<table>{head}<tbody>{body}</tbody></table>", words


@pytest.mark.parametrize(
    "cell",
    [
        "1 tablet of 20 mg and 1 tablet of 35 mg",
        "One 20 mg tablet plus two 35 mg tablets twice daily",
        "2 capsules of 20 mg, 1 capsule of 35 mg and 1 capsule of 50 mg",
    ],
)
def test_units_of_several_strengths_taken_together_are_no_doses_by_themselves(cell):
    assert doses_of_words(cell) == ()


@pytest.mark.parametrize(
    ("cell", "amounts"),
    [
        ("1 tablet of 20 mg in the morning and 1 tablet of 35 mg in the evening", [20, 35]),
        ("1 tablet of 20 mg or 2 tablets of 10 mg", [20]),
        ("1 tablet of 20 mg", [20]),
    ],
)
def test_units_taken_at_other_times_or_in_each_other_s_stead_are_doses(cell, amounts):
    assert [int(a.low) for p in doses_of_words(cell) for a in p.amounts] == amounts


def test_columns_of_strengths_above_the_name_of_their_doses_hold_volumes(label):
    table, words = of_strengths(("Dose/Day (mL)", "Dose/Day (mL)", "Dose/Day"), ("29 or less", "9", "4.5", "Not appropriate"))
    assert volumes(label, table, words) == {("9", "mL", "20 mg/5 mL"), ("4.5", "mL", "40 mg/5 mL")}


def test_volumes_beside_amounts_only_say_how_these_are_measured(label):
    table, words = of_strengths(("Dose/Day (mL)", "Dose/Day (mL)", "Dose/Day"), ("29 or less", "9", "4.5", "36 mg"))
    assert not any(unit == "mL" for _, unit, _ in volumes(label, table, words))
