"""Dose rules, ceilings and advice from tables: a claim has the conditions of its row, its columns, its caption and its footnotes, or it is none."""

from __future__ import annotations

import html
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import joined
from kb_builder.propose.dosage.naming import named_conditions
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.table_bands import read_band
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of
from ontology.model.facts import Axis
from ontology.model.spans import SpanRole
from ontology.terms.terminology import Terminology

SECTION = "dosage_and_administration"


def flat(rows, caption="", before="2.1 Recommended Dosage Use as directed."):
    """The markup of a table whose first row names its columns, and the flat text it stands in."""
    head, *body = rows
    cells = "".join(f"<th>{html.escape(c)}</th>" for c in head)
    lines = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in body)
    words = " ".join(c for row in rows for c in row)
    return f"2 DOSAGE AND ADMINISTRATION {before} {caption} {words}", f"<table><thead><tr>{cells}</tr></thead>{lines}</table>"


def drafts_of(made):
    section = made.document.section(SECTION)
    reading = read_section(section, thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    return reading, list(table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon))


def said(made):
    """Every dose or advice of the tables in short: ("100 mg x2", "crcl 30-50")."""
    _, drafts = drafts_of(made)
    out = []
    for d in drafts:
        what = [_dose(x) for x in doses_of(d.payload)] if d.payload is not None else [f"{d.target.id.code}:{d.steps[0].action.value}"]
        for when in conditions_of(joined(d.limits), lambda e: e.code.replace("-", " ")):
            out += [(w, "; ".join(sorted({_condition(c) for c in when}))) for w in what]
    return out


def _dose(x):
    if "factor" in x:
        return f"x{x['factor']}"
    cap = next((f"max {k.split('_')[1]} {x[k]}" for k in ("max_daily", "max_single") if k in x and "low" not in x), None)
    amount = cap or (f"{x['low']}" if x["low"] == x["high"] else f"{x['low']}-{x['high']}")
    basis = {"per-kg": "/kg", "per-m2": "/m2"}.get(x["basis"], "")
    often = f" q{x['every_hours']}h" if "every_hours" in x else f" x{x['times_low']}" if "times_low" in x else ""
    long = f" for {x['duration_days']} d" if "duration_days" in x else ""
    return f"{amount} {x['unit']}{basis}{' a day' if x['per'] == 'day' and not cap else ''}{often}{long}"


def _condition(c):
    if "low" in c or "high" in c:
        return f"{c['axis']} {'>' if c.get('low_open') else ''}{c.get('low', '')}-{'<' if c.get('high_open') else ''}{c.get('high', '')} {c['unit']}"
    return f"{c['axis']} {c['value']}"


def made_of(label, rows, caption="", before="2.1 Recommended Dosage Use as directed."):
    text, table = flat(rows, caption, before)
    return label(text, SECTION, tables=(table,))


def tell(label, rows, caption="", before="2.1 Recommended Dosage Use as directed."):
    return said(made_of(label, rows, caption, before))


def test_a_row_gives_its_condition_and_the_column_its_unit_and_timing(label):
    rows = [("Body Weight (kg)", "Dose (mg) once daily"), ("10 to 20", "5"), ("more than 20", "7.5")]
    assert tell(label, rows) == [("5 mg x1", "weight 10-20 kg"), ("7.5 mg x1", "weight >20- kg")]


@pytest.mark.parametrize(
    ("head", "cell", "condition"),
    [
        ("Creatinine Clearance (mL/min)", "30 to 50", "crcl 30-50 mL/min"),
        ("Creatinine Clearance (mL/min/1.73 m2)", "10 - 20", "crcl 10-20 mL/min/{1.73_m2}"),
        ("Creatinine Clearance", "Less than 10 mL/min", "crcl -<10 mL/min"),
        ("eGFR (mL/min/1.73 m2)", "15 to less than 30", "egfr 15-<30 mL/min/{1.73_m2}"),
        ("Serum Creatinine (mg/dL)", "1.4 - 1.6", "scr 1.4-1.6 mg/dL"),
        ("Age", "6-12 months", "age 6-12 mo"),
        ("Age (years)", "2 to < 6", "age 2-<6 a"),
        ("Body Weight", "10 kg (22 lbs) to less than 15 kg (33 lbs)", "weight 10-<15 kg"),
        ("Body Weight (kg)", "7.4 and below", "weight -7.4 kg"),
        ("Body Surface Area", "0.55 - 0.69 m2", "bsa 0.55-0.69 m2"),
        ("Hepatic Impairment", "Moderate", "hepatic moderate hepatic impairment"),
        ("CYP2C9", "*1/*3", "genotype CYP2C9 *1/*3"),
        ("Dose Reduction", "First", "other Dose Reduction: First"),
    ],
)
def test_bands_and_words_of_a_condition_column(label, head, cell, condition):
    rows = [(head, "Recommended Dosage"), (cell, "5 mg twice daily"), ("Any other", "10 mg twice daily")]
    assert ("5 mg x2", condition) in tell(label, rows)


def test_a_condition_that_no_axis_holds_stays_in_its_words(label):
    rows = [("Patient Population", "Starting Dose"), ("With three earlier courses", "5 mg once daily")]
    assert tell(label, rows) == [("5 mg x1", "other With three earlier courses")]


def test_the_name_of_a_column_of_doses_is_a_condition_beside_its_words_for_doses(label):
    rows = [("Dose Level", "ZOCOR Dose for Monotherapy", "ZOCOR Dose with Verapamil"), ("First dose reduction", "20 mg once daily", "10 mg once daily")]
    found = tell(label, rows)
    assert ("20 mg x1", "other First dose reduction; other Monotherapy") in [(w, c.replace("Dose Level: ", "")) for w, c in found]
    assert any(w == "10 mg x1" and "comedication verapamil" in c for w, c in found)


def test_a_band_in_the_name_of_a_column_is_never_dropped(label):
    rows = [("Phase", "≤30 kg Body Weight", ">30 kg Body Weight"), ("Starting Dose", "5 mg once daily", "10 mg once daily")]
    assert tell(label, rows) == [("5 mg x1", "weight -30 kg"), ("10 mg x1", "weight >30- kg")]


def test_a_matrix_of_genotypes_gives_each_cell_both(label):
    table = "<table><tr><td rowspan='2'>VKORC1</td><td colspan='2'>CYP2C9</td></tr><tr><td>*1/*1</td><td>*3/*3</td></tr><tr><td>GG</td><td>5-7 mg</td><td>0.5-2 mg</td></tr></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Table 1: Expected Maintenance Daily Doses VKORC1 CYP2C9 *1/*1 *3/*3 GG 5-7 mg 0.5-2 mg"
    found = said(label(text, SECTION, tables=(table,)))
    assert found == [("5-7 mg a day", "genotype CYP2C9 *1/*1; genotype VKORC1 GG"), ("0.5-2 mg a day", "genotype CYP2C9 *3/*3; genotype VKORC1 GG")]


def test_the_caption_gives_people_timing_and_what_a_band_says_more_closely_is_not_told_twice(label):
    rows = [("Creatinine Clearance", "Starting Dose", "Maximum Dose"), ("30 to 50 mL/min", "25 mg", "50 mg")]
    found = tell(label, rows, "Table 2: Dosage in Adult Patients with Renal Impairment (Once Daily)")
    assert found == [("25 mg x1", "age 18- a; crcl 30-50 mL/min"), ("max daily 50 mg", "age 18- a; crcl 30-50 mL/min")]


def test_a_caption_that_lists_what_the_rows_are_about_is_not_told_in_each(label):
    rows = [
        ("Factors", "Adjusted Dosage"),
        ("CYP2D6 poor metabolizers", "Administer half of the usual dose"),
        ("Strong CYP3A4 inhibitors", "Administer half of the usual dose"),
    ]
    found = tell(label, rows, "Table 2: Dosage for CYP2D6 Poor Metabolizers and for Concomitant Use with CYP3A4 Inhibitors or CYP3A4 Inducers")
    assert [w for w, _ in found] == ["x0.5", "x0.5"]
    assert "genotype" in found[0][1]
    assert "comedication" not in found[0][1]
    assert "genotype" not in found[1][1]


def test_a_footnote_that_restricts_is_a_condition(label):
    table = "<table><thead><tr><th>Age</th><th>Dosage</th></tr></thead><tr><td>6-12 months</td><td>5 mg once daily<footnote>Only in patients who weigh enough.</footnote></td></tr></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Age Dosage 6-12 months 5 mg once daily Only in patients who weigh enough."
    assert said(label(text, SECTION, tables=(table,))) == [("5 mg x1", "age 6-12 mo; other Only in patients who weigh enough")]


def test_indications_frequency_and_duration_columns_belong_to_the_dose(label):
    rows = [("Infection", "Dose", "Frequency", "Duration (days)"), ("Hypertension", "20 mg", "every 12 hours", "7 to 14")]
    made = made_of(label, rows)
    assert said(made) == [("20 mg q12h for 14 d", "")]
    assert [d.target.words for d in drafts_of(made)[1]] == ["Hypertension"]


def test_people_in_a_column_of_indications_are_a_condition(label):
    made = made_of(label, [("Indication", "Dose"), ("Hypertension", "20 mg once daily"), ("Patients 6 to 12 years of age", "10 mg once daily")])
    assert said(made) == [("20 mg x1", ""), ("10 mg x1", "age 6-12 a")]
    assert [d.target.words for d in drafts_of(made)[1]] == ["Hypertension", "Hypertension"]


def test_people_beside_an_indication_are_a_condition_and_no_part_of_its_name(label):
    made = made_of(
        label, [("Indication", "Dose"), ("Hypertension in adults", "20 mg once daily"), ("Epilepsy - adolescents (13 to 17 years)", "10 mg once daily")]
    )
    assert said(made) == [("20 mg x1", "age 18- a"), ("10 mg x1", "age 13-17 a")]
    assert [d.target.words for d in drafts_of(made)[1]] == ["Hypertension", "Epilepsy"]


def test_a_table_about_doses_is_read_under_a_heading_of_another_matter(label):
    rows = [("Age", "Dose"), ("6-12 months", "5 mg once daily")]
    before = "2.1 Monitoring and Laboratory Tests Test often."
    assert tell(label, rows, "Table 1: Recommended Dosage by Age", before) == [("5 mg x1", "age 6-12 mo")]
    assert tell(label, rows, "Table 1: Schedule by Age", before) == []


def test_once_a_day_for_all_doses_is_said_once_and_cited(label):
    rows = [("Age", "Daily Dosage"), ("6-12 months", "5 mg")]
    made = made_of(label, rows, before="2.1 General Administer ZOCOR once daily, with water. 2.2 Dosage See below.")
    assert said(made) == [("5 mg a day x1", "age 6-12 mo")]
    reading, (draft,) = drafts_of(made)
    assert any("once daily" in reading.shadow.text[slice(*p)] for p, role in draft.cited if role is SpanRole.CONDITION)


def test_a_daily_dose_is_given_no_frequency(label):
    assert tell(label, [("Age", "Total Daily Dose"), ("6-12 months", "5 mg")]) == [("5 mg a day", "age 6-12 mo")]


def test_twice_daily_dosage_is_an_amount_of_a_dose(label):
    assert tell(label, [("Age", "Twice-Daily Dosage"), ("6-12 months", "5 mg/kg")]) == [("5 mg/kg x2", "age 6-12 mo")]


def test_percent_of_another_dose_is_a_fraction_and_two_scales_are_one_condition(label):
    rows = [("Serum Creatinine (mg %)", "Approximate Creatinine Clearance Rate (mL/min)", "Percent of Usual Doses Shown Above"), ("1.4 - 1.6", "55 - 70", "65")]
    assert tell(label, rows) == [("x0.65", "crcl 55-70 mL/min")]


def test_pounds_are_not_read_beside_kilograms(label):
    rows = [("Weight (kg)", "(lb)", "mg/dose q8h"), ("40", "(88)", "40"), ("50", "(110)", "50")]
    assert tell(label, rows) == [("40 mg q8h", "weight 40-40 kg"), ("50 mg q8h", "weight 50-50 kg")]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Not recommended", "renal:not-recommended"),
        ("Avoid use", "renal:avoid"),
        ("Contraindicated", "renal:contraindicated"),
        ("No dosage adjustment", "renal:no-adjustment"),
        ("Not studied", "renal:not-studied"),
        ("Do not administer", "renal:avoid"),
    ],
)
def test_a_cell_without_a_dose_may_be_advice(label, cell, expected):
    rows = [("Creatinine Clearance (mL/min)", "Recommended Dosage"), ("30 to 50", "5 mg once daily"), ("less than 15", cell)]
    assert (expected, "crcl -<15 mL/min") in tell(label, rows)


def test_advice_is_about_a_population_of_the_vocabulary(label):
    made = made_of(label, [("Creatinine Clearance (mL/min)", "Dose"), ("30 to 50", "5 mg once daily"), ("less than 15", "Not recommended")])
    advice = [d for d in drafts_of(made)[1] if d.predicate == "population_advice"]
    assert [Terminology.shipped().name(d.target.id) for d in advice] == ["patients with renal impairment"]


@pytest.mark.parametrize("cell", ["-", "N/A", "Not applicable", ""])
def test_an_empty_cell_says_nothing(label, cell):
    rows = [("Creatinine Clearance (mL/min)", "Recommended Dosage"), ("30 to 50", "5 mg once daily"), ("less than 15", cell)]
    assert tell(label, rows) == [("5 mg x1", "crcl 30-50 mL/min")]


def test_advice_is_about_an_axis_of_its_own_row(label):
    rows = [("Concomitant Drug", "Recommended Dosage"), ("Verapamil", "5 mg once daily"), ("Gemfibrozil", "Avoid use")]
    assert [w for w, _ in tell(label, rows, "Table 3: Dosage in Patients with Renal Impairment")] == ["5 mg x1"]


@pytest.mark.parametrize(
    ("rows", "caption"),
    [
        ([("Vial Size", "Amount of Diluent", "Dose"), ("10 mg", "2 mL", "5 mg")], ""),
        ([("Age", "Dose"), ("6-12 months", "5 mg")], "Table 4: Volumes to Prepare the Infusion Solution"),
        ([("Age", "Dose"), ("6-12 months", "5 mg")], "Table 4: Conversion from Digoxin"),
        ([("Age", "Mean Concentration", "Dose"), ("6-12 months", "3", "5 mg")], ""),
        ([("Patient", "Day 1", "Day 8"), ("Adults", "5 mg", "10 mg")], ""),
        ([("Phase", "Dose"), ("Week 1", "5 mg"), ("Week 4", "10 mg")], ""),
        ([("Phase", "Dose"), ("Cycle 1", "5 mg"), ("Cycle 2", "10 mg")], ""),
        ([("Current Dose", "New Dose"), ("5 mg", "10 mg")], ""),
    ],
)
def test_tables_that_hold_no_dose_rules_give_nothing(label, rows, caption):
    assert tell(label, rows, caption) == []


@pytest.mark.parametrize(
    "cell",
    [
        "Withhold until recovery. Resume at 5 mg less than the last dose once daily.",
        "200 mg in the morning and 100 mg in the evening",
        "Warfarin 5 mg once daily",
        "5 mg of warfarin once daily",
        "Convert to 5 mg once daily",
        "Use of 5 mg twice daily is not recommended",
        "Day 1 - 10 mg",
    ],
)
def test_cells_that_tell_of_something_else_give_no_dose(label, cell):
    rows = [("Age", "Recommended Dosage"), ("6-12 months", cell), ("1-2 years", "20 mg once daily")]
    assert [w for w, _ in tell(label, rows)] == ["20 mg x1"]


def test_a_column_of_another_drugs_doses_is_left_out(label):
    rows = [("Age", "ZOCOR Dose", "Warfarin Dose"), ("6-12 months", "20 mg once daily", "5 mg once daily")]
    assert [w for w, _ in tell(label, rows)] == ["20 mg x1"]


def test_a_row_about_another_drug_is_left_out(label):
    rows = [("Drug", "Age", "Dose"), ("ZOCOR", "6-12 months", "20 mg once daily"), ("Warfarin", "6-12 months", "5 mg once daily")]
    assert [w for w, _ in tell(label, rows)] == ["20 mg x1"]


def test_a_row_that_only_another_drug_names_is_left_out(label):
    assert [w for w, _ in tell(label, [("", "Dose"), ("Adults", "20 mg once daily"), ("Warfarin", "5 mg once daily")])] == ["20 mg x1"]


def test_a_single_agent_is_not_a_single_dose(label):
    rows = [("Age", "Dose"), ("6-12 months", "5 mg")]
    assert tell(label, rows, "Table 1: Dosage as a Single Agent") == [("5 mg", "age 6-12 mo")]


def test_the_dose_that_another_replaces_is_a_condition_and_no_dose(label):
    rows = [("Severity", "Dosage Modification"), ("Grade 2", "Reduce 6 mg dose to 5 mg once daily")]
    ((dose, when),) = tell(label, rows)
    assert dose == "5 mg x1"
    assert "dose so far 6 mg" in when


def test_alternatives_are_claims_of_their_own(label):
    rows = [("Dialysis", "Dosage"), ("On hemodialysis", "50 mg every 12 hours, or 100 mg every 24 hours")]
    made = made_of(label, rows)
    assert [w for w, _ in said(made)] == ["50 mg q12h", "100 mg q24h"]
    assert len(drafts_of(made)[1]) == 2


def test_a_lead_in_a_cell_holds_for_what_follows_it(label):
    rows = [("Infection", "Dosage Regimen"), ("Hypertension", "12 to 17 years of age: 8 mg twice daily. 4 to 11 years of age: 4 mg three times daily.")]
    assert tell(label, rows) == [("8 mg x2", "age 12-17 a"), ("4 mg x3", "age 4-11 a")]


def test_a_lead_that_no_axis_holds_stays_in_its_words(label):
    rows = [("Infection", "Dosage Regimen"), ("Hypertension", "Early form: 8 mg twice daily. Late form: 4 mg twice daily.")]
    assert tell(label, rows) == [("8 mg x2", "other Early form"), ("4 mg x2", "other Late form")]


def test_a_paragraph_that_names_patients_holds_for_the_next(label):
    table = "<table><thead><tr><th>Infection</th><th>Dose</th></tr></thead><tr><td>Hypertension</td><td><p>Patients weighing 40 kg or more</p><p>20 mg once daily</p></td></tr></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Infection Dose Hypertension Patients weighing 40 kg or more 20 mg once daily"
    assert said(label(text, SECTION, tables=(table,))) == [("20 mg x1", "weight 40- kg")]


def test_columns_of_one_name_cannot_be_told_apart(label):
    assert tell(label, [("Age", "Dose", "Dose"), ("6-12 months", "5 mg once daily", "10 mg once daily")]) == []


def test_products_are_conditions_where_only_they_tell_columns_apart(label):
    rows = [("Age", "ZOCOR Tablets Dose", "ZOCOR Suspension Dose"), ("6-12 months", "5 mg once daily", "10 mg once daily")]
    assert [c for _, c in tell(label, rows)] == ["age 6-12 mo; other ZOCOR Tablets Dose", "age 6-12 mo; other ZOCOR Suspension Dose"]


def test_a_dose_that_no_patient_can_meet_is_none(label):
    rows = [("Age (years)", "Dose"), ("13 to 18", "5 mg once daily")]
    assert tell(label, rows, "Table 2: Dosage in Patients 4 to 11 Years of Age") == []


def test_lines_of_one_row_are_rows(label):
    table = "<table><thead><tr><th>Dose Reduction</th><th>Dose</th></tr></thead><tr><td><p>First</p><p>Second</p></td><td><p>20 mg once daily</p><p>10 mg once daily</p></td></tr></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Dose Reduction Dose First Second 20 mg once daily 10 mg once daily"
    found = said(label(text, SECTION, tables=(table,)))
    assert found == [("20 mg x1", "other Dose Reduction: First"), ("10 mg x1", "other Dose Reduction: Second")]


def test_a_name_on_two_lines_is_one_row(label):
    table = "<table><thead><tr><th>Indication</th><th>Dose</th></tr></thead><tr><td><p>Late Stage</p><p>Hypertension</p></td><td><p>Start with 20 mg once daily.</p><p>Then give 10 mg once daily.</p></td></tr></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Indication Dose Late Stage Hypertension Start with 20 mg once daily. Then give 10 mg once daily."
    made = label(text, SECTION, tables=(table,))
    assert {d.target.words for d in drafts_of(made)[1]} == {"Late Stage Hypertension"}


def test_a_banner_among_the_rows_holds_for_those_below_it(label):
    note = "Note: the rows below are for patients who had fever during the course before this one" + ", whatever the count at its lowest point" * 4
    table = (
        "<table><thead><tr><th>Neutrophils</th><th>Percent of Starting Dose</th></tr></thead><tr><td>1,500 or more</td><td>100%</td></tr>"
        f"<tr><td colspan='2'>{note}.</td></tr><tr><td>1,500 or more</td><td>75%</td></tr></table>"
    )
    text = f"2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Neutrophils Percent of Starting Dose 1,500 or more 100% {note}. 1,500 or more 75%"
    found = dict(said(label(text, SECTION, tables=(table,))))
    assert "fever" not in found["x1"]
    assert "fever" in found["x0.75"]


def test_the_statement_is_the_row_and_headers_are_cited(label):
    made = made_of(label, [("Creatinine Clearance (mL/min)", "Dose"), ("30 to 50", "5 mg once daily")])
    reading, (draft,) = drafts_of(made)
    assert reading.shadow.text[slice(*draft.statement)] == "30 to 50 5 mg once daily"
    roles = {role: reading.shadow.text[slice(*p)] for p, role in draft.cited}
    assert roles[SpanRole.COLUMN_HEADER] == "Dose"
    assert roles[SpanRole.ROW_HEADER] == "30 to 50"


def test_the_same_dose_of_the_summary_is_not_told_twice(label):
    text, table = flat([("Age", "Dose"), ("6-12 months", "5 mg once daily")], before="Doses by age: ( 2.1 )")
    again, _ = flat([("Age", "Dose"), ("6-12 months", "5 mg once daily")], before="2.1 Recommended Dosage Use as directed.")
    made = label(f"{text} ( 2.1 ) {again.removeprefix('2 DOSAGE AND ADMINISTRATION ')}", SECTION, tables=(table, table))
    assert [d.highlight for d in drafts_of(made)[1]] == [False]


def test_a_proposed_claim_has_its_spans(label):
    made = made_of(label, [("Creatinine Clearance (mL/min)", "Dose"), ("30 to 50", "5 mg once daily")])
    claims = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    assert any(c.statement.quote == "30 to 50 5 mg once daily" and c.guard is not None for c in claims)


@pytest.mark.parametrize("words", ["10 to 5", "abc", "", "10 20 30", "10 mg to 20 kg", "10 mg", "-", "1 to 2 to 3"])
def test_what_is_no_band_is_none(words):
    assert read_band(words, Axis.WEIGHT, "kg") is None


_CELL = st.one_of(
    st.sampled_from(
        ["5 mg", "10 to 20", "≥30 kg", "Not recommended", "-", "", "First", "Adults", "5 mg twice daily or 10 mg once daily", "Week 1", "*1/*3", "75%", "(88)"]
    ),
    st.text(max_size=12),
)
_HEAD = st.sampled_from(
    ["Age", "Dose (mg)", "Weight (kg)", "Maximum Dose", "Indication", "Duration (days)", "Drug", "Percent of Dose", "", "Creatinine Clearance"]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(_HEAD, min_size=2, max_size=4).flatmap(
        lambda head: st.lists(st.tuples(*[_CELL] * len(head)), min_size=1, max_size=4).map(lambda rows: [tuple(head), *rows])
    )
)
def test_reading_never_raises_and_places_stand(label, rows):
    made = made_of(label, rows)
    reading, drafts = drafts_of(made)
    for draft in drafts:
        for start, end in (draft.place, draft.statement, *((r.start, r.end) for r in draft.limits), *(p for p, _ in draft.cited)):
            assert 0 <= start < end <= len(reading.shadow.text)


def test_a_table_of_hostile_size_is_read_in_time(label):
    rows = [("Age", "Dose"), *[("6-12 months " * 20, "5 mg once daily or " * 20 + "10 mg") for _ in range(120)]]
    made = made_of(label, rows)
    started = time.monotonic()
    drafts_of(made)
    assert time.monotonic() - started < 20


def test_words_before_a_dose_say_for_whom(label):
    rows = [("Indication", "Recommended Dosage"), ("Hypertension", "Adults: 250 mg once daily")]
    assert tell(label, rows) == [("250 mg x1", "age 18- a")]


def test_a_band_within_a_band_is_said_once(label):
    rows = [("Body Weight", "Recommended Dosage"), ("14 kg to less than 20 kg", "25 mg once daily"), ("20 kg and greater", "30 mg once daily")]
    told = tell(label, rows, "Table 3: Recommended Dosage in Patients Weighing 14 kg or Greater")
    assert told == [("25 mg x1", "weight 14-<20 kg"), ("30 mg x1", "weight 20- kg")]


def test_a_band_that_reaches_further_keeps_the_one_around_it(label):
    rows = [("Body Weight", "Recommended Dosage"), ("less than 20 kg", "25 mg once daily")]
    told = tell(label, rows, "Table 3: Recommended Dosage in Patients Weighing 14 kg or Greater")
    assert told == [("25 mg x1", "weight -<20 kg; weight 14- kg")]


@pytest.mark.parametrize("cell", ["100 mg once daily with warfarin 5 mg", "100 mg once daily in combination with warfarin"])
def test_a_partner_behind_a_dose_is_a_condition_of_it(label, cell):
    told = tell(label, [("Indication", "Recommended Dosage"), ("Hypertension", cell)])
    assert [w for w, _ in told] == ["100 mg x1"]
    assert "comedication" in told[0][1]


def test_a_partner_in_a_column_of_remarks_is_a_condition_of_the_row(label):
    rows = [("Indication", "Recommended Dosage", "Duration"), ("Hypertension", "100 mg once daily", "In combination with warfarin for 4 weeks")]
    assert ["comedication" in c for _, c in tell(label, rows)] == [True]


def test_with_or_without_a_partner_is_no_condition(label):
    assert tell(label, [("Indication", "Recommended Dosage"), ("Hypertension", "100 mg once daily with or without warfarin")]) == [("100 mg x1", "")]


def test_what_must_come_first_is_kept_in_its_words(label):
    rows = [
        ("Indication", "Recommended Dosage", "Duration"),
        ("Hypertension", "100 mg once daily", "After completing 4 doses of warfarin, give alone for 4 weeks"),
    ]
    assert [c for _, c in tell(label, rows)] == ["other After completing 4 doses of warfarin"]


def test_an_alternative_to_another_drug_s_dose_is_that_drug_s(label):
    rows = [("Indication", "Recommended Dosage"), ("Hypertension", "100 mg once daily with warfarin 3 mg every 2 weeks or 360 mg every 3 weeks")]
    assert [w for w, _ in tell(label, rows)] == ["100 mg x1"]


def test_a_row_named_by_another_drug_under_indications_is_not_this_drug_s(label):
    rows = [("Indication", "Recommended Dosage"), ("Hypertension", "100 mg once daily"), ("Warfarin", "5 mg once daily")]
    assert [w for w, _ in tell(label, rows)] == ["100 mg x1"]


def test_adjustments_for_an_organ_are_doses(label):
    rows = [("Degree of Hepatic Impairment", "Dosage Adjustment"), ("Mild (Child-Pugh A) or Severe (Child-Pugh C)", "Reduce dosage to 200 mg twice daily")]
    told = tell(label, rows)
    assert [w for w, _ in told] == ["200 mg x2", "200 mg x2"]
    assert [c for _, c in told] == ["child-pugh A; hepatic mild hepatic impairment", "child-pugh C; hepatic severe hepatic impairment"]


def test_adjustments_of_titration_are_none(label):
    assert tell(label, [("Pain", "Dosage Adjustment"), ("Not relieved", "200 mg once daily")]) == []


def test_a_disease_beside_the_one_treated_is_a_condition(label):
    made = made_of(label, [("Body Weight", "Recommended Dosage"), ("more than 100 kg with co-existent hypertension", "90 mg once daily")])
    section = made.document.section(SECTION)
    reading = read_section(section, thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    (draft,) = table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon, "treatment of hypertension")
    assert "hypertension" not in draft.target.words
    assert "condition hypertension" in said(made)[0][1].lower()


def test_a_sentence_behind_a_dose_restricts_its_own_dose_alone(label):
    cell = "20 mg or 40 mg once daily A maximum dosage of 20 mg once daily is recommended for patients with severe hepatic impairment"
    told = tell(label, [("Indication", "Recommended Dosage"), ("Hypertension", cell)])
    assert ("20-40 mg x1", "") in told
    assert [c for w, c in told if w.startswith("max")] == ["hepatic severe hepatic impairment"]


def test_an_amount_in_brackets_behind_another_drug_is_that_drug_s(label):
    rows = [("Indication", "Recommended Dosage"), ("Hypertension", "2.5 mg twice daily plus warfarin (75-100 mg) once daily")]
    assert [w for w, _ in tell(label, rows)] == ["2.5 mg x2"]


def test_an_age_behind_an_indication_is_a_condition_and_not_taken_over_by_the_next_row(label):
    rows = [("Indication", "Recommended Dosage"), ("Hypertension Under 6 yr", "10 mg once daily"), ("6-12 yr", "20 mg once daily")]
    made = made_of(label, rows)
    assert [d.target.words for d in drafts_of(made)[1]] == ["Hypertension", "Hypertension"]
    assert said(made) == [("10 mg x1", "age -<6 a"), ("20 mg x1", "age 6-12 a")]


def test_how_many_tablets_make_a_dose_is_no_dose(label):
    rows = [("Weight (kg)", "Dose (mg)", "Tablets per dose 15 mg"), ("10 to 20", "30", "2"), ("20 to 40", "45", "3")]
    assert [w for w, _ in tell(label, rows)] == ["30 mg", "45 mg"]


def test_a_cell_of_which_no_part_is_read_keeps_its_numbers(label):
    rows = [("Value", "Recommended Dosage"), ("<2 x ULN and ≤1.5 mg/dL", "30 mg once daily")]
    assert [c for _, c in tell(label, rows)] == ["other <2 x ULN and ≤1.5 mg/dL"]


def test_doses_that_stay_as_they_are_are_no_rules(label):
    rows = [("Concomitant Drug", "Recommended Dosage"), ("Warfarin", "No dose adjustment for 662 mg, 882 mg, or 1064 mg; increase the 441 mg dose to 662 mg")]
    assert [w for w, _ in tell(label, rows)] == ["662 mg"]


def test_a_list_of_uses_in_one_cell_is_one_use_each(lexicon):
    names = [t.words for t in named_conditions("Adult patients with asthma, heart failure, epilepsy, or Blorb", lexicon)]
    assert names == ["asthma", "heart failure", "epilepsy", "Blorb"]
    assert [t.words for t in named_conditions("Adult patients with heart failure", lexicon)] == ["heart failure"]
    long = " ".join(["very"] * 20)
    assert named_conditions(f"patients with {long} disease", lexicon) == []
