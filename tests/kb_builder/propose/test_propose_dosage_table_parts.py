"""Cells cut by footnotes, bare numbers under long names, names that are routes, and tables of people and directions without names of columns."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.standing import Scopes, Standing
from kb_builder.propose.dosage.table_wider import without_wider
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Interval, Opaque

SECTION = "dosage_and_administration"
OPENS = "2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Use as directed."


def told(label, table, words, uses=""):
    """(dose, use, route, conditions) of each draft of one table."""
    made = label(f"{OPENS} {words}", SECTION, tables=(table,))
    section = made.document.section(SECTION)
    reading = read_section(section, thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    out = []
    for d in table_drafts(reading, scopes_of(reading, made.lexicon, uses), made.lexicon, uses):
        for when in conditions_of(joined(d.limits), lambda e: e.code.replace("-", " ")):
            doses = [] if d.payload is None else list(doses_of(d.payload))
            out += [(_dose(x), d.target.words, d.routes, {_condition(c) for c in when}) for x in doses]
    return out


def _dose(x):
    if "factor" in x:
        return f"x{x['factor']}"
    cap = next((f"max {k} {x[k]}" for k in ("max_daily", "max_single") if k in x and "low" not in x), None)
    often = f" q{x['every_hours']}h" if "every_hours" in x else f" x{x['times_low']}" if "times_low" in x else ""
    amount = cap or (f"{x['low']}" if x.get("low") == x.get("high") else f"{x.get('low')}-{x.get('high')}")
    return f"{amount} {x['unit']}{often}"


def _condition(c):
    if "low" in c or "high" in c:
        return f"{c['axis']} {'>' if c.get('low_open') else ''}{c.get('low', '')}-{'<' if c.get('high_open') else ''}{c.get('high', '')} {c['unit']}"
    return f"{c['axis']} {c['value']}"


def grid(*rows, heads=1):
    """The markup of a table and its words; the first rows name its columns."""
    lines = ["<tr>" + "".join(f"<{'th' if i < heads else 'td'}>{c}</{'th' if i < heads else 'td'}>" for c in row) + "</tr>" for i, row in enumerate(rows)]
    return f"<table>{'<thead>' + ''.join(lines[:heads]) + '</thead>' if heads else ''}{''.join(lines[heads:])}</table>", " ".join(
        c.replace("<br/>", " ") for r in rows for c in r
    )


def test_a_footnote_between_the_amount_and_how_often_parts_them_not(label):
    note = "Given as a suspension to patients weighing less than 7 kg every 3 hours."
    table = (
        f"<table><thead><tr><th>Infection</th><th>Dosage</th></tr></thead><tr><td>Pneumonia</td><td>8 mg/kg orally<footnote>{note}</footnote> every 6 hours</td></tr>"
        "<tr><td>Cystitis</td><td>9 mg/kg every 12 hours</td></tr></table>"
    )
    found = told(label, table, f"Infection Dosage Pneumonia 8 mg/kg orally {note} every 6 hours Cystitis 9 mg/kg every 12 hours")
    (pneumonia,) = [f for f in found if f[1] == "Pneumonia"]
    assert pneumonia[0] == "8 mg q6h"
    assert not any("weight" in c for c in pneumonia[3])


def test_a_footnote_inside_the_name_of_a_column_does_not_hide_its_band(label):
    note = "Most infants of less than 5 days (gestational age less than 30 weeks) clear it slowly: consider 7 mg/kg every 12 hours."
    table = (
        f"<table><thead><tr><th>Infection</th><th>Dosage in Pediatric Patients<footnote>{note}</footnote> (Birth through 9 Years of Age)</th></tr></thead>"
        "<tr><td>Pneumonia</td><td>8 mg/kg every 6 hours</td></tr></table>"
    )
    found = told(label, table, f"Infection Dosage in Pediatric Patients {note} (Birth through 9 Years of Age) Pneumonia 8 mg/kg every 6 hours")
    assert [f[3] for f in found] == [{"age 0-9 a"}]


@pytest.mark.parametrize(
    ("head", "cell", "dose"),
    [
        ("Total Daily Dose, mcg/kg/day (given once daily)", "4-6", "4-6 mcg x1"),
        ("Total Loading Dose (mcg/kg) Give half of the dose first, then 1/4 of the dose every 6 hours twice", "20-30", "20-30 mcg"),
        ("Maintenance Dose, mcg/kg/dose", "3-6 twice daily", "3-6 mcg x2"),
    ],
)
def test_a_number_has_the_unit_of_its_column_whatever_else_the_name_says(label, head, cell, dose):
    table, words = grid(("Age", head), ("5 to 9 years", cell))
    assert [(f[0], f[3]) for f in told(label, table, words)] == [(dose, {"age 5-9 a"})]


def test_a_name_that_is_a_route_is_no_condition(label):
    table, words = grid(("Infection", "Intravenous infusion", "Oral"), ("Pneumonia", "4 mg/kg every 12 hours", "200 mg every 12 hours"))
    assert told(label, table, words) == [("4 mg q12h", "Pneumonia", ("intravenous",), set()), ("200 mg q12h", "Pneumonia", ("oral",), set())]


def test_a_row_that_is_a_route_is_no_condition(label):
    table, words = grid(("Route", "Age", "Dose"), ("Oral", "2 to 5 years", "40 mg once daily"), ("IV", "2 to 5 years", "20 mg once daily"))
    plain, told_so = grid(("Age", "Setting", "Dose"), ("2 to 5 years", "Oral", "40 mg once daily"), ("2 to 5 years", "IV", "20 mg once daily"))
    for made in ((table, words), (plain, told_so)):
        assert {(f[0], f[2], *f[3]) for f in told(label, *made)} == {("40 mg x1", ("oral",), "age 2-5 a"), ("20 mg x1", ("intravenous",), "age 2-5 a")}


def test_a_dose_by_either_of_two_routes_is_bound_to_none(label):
    table, words = grid(("Infection", "Dosage"), ("Pneumonia", "600 mg intravenously or oral every 12 hours"))
    assert [(f[0], f[2]) for f in told(label, table, words)] == [("600 mg q12h", ())]


def test_a_footnote_on_what_others_get_is_no_condition_of_the_doses(label):
    for note in ("Decrease the dose if phenytoin is given too.", "Adult patients who weigh less than 40 kg should receive half of the dose."):
        table = f"<table><thead><tr><th>Age</th><th>Dosage</th></tr></thead><tr><td>2 to 9 years</td><td>5 mg once daily<footnote>{note}</footnote></td></tr></table>"
        found = told(label, table, f"Age Dosage 2 to 9 years 5 mg once daily {note}")
        assert [(f[0], f[3]) for f in found] == [("5 mg x1", {"age 2-9 a"})]


def test_a_footnote_that_keeps_the_doses_from_some_stays_a_condition(label):
    note = "Patients with gout should not receive this dose."
    table = (
        f"<table><thead><tr><th>Age</th><th>Dosage</th></tr></thead><tr><td>2 to 9 years</td><td>5 mg once daily<footnote>{note}</footnote></td></tr></table>"
    )
    (found,) = told(label, table, f"Age Dosage 2 to 9 years 5 mg once daily {note}")
    assert len(found[3]) == 2


def test_ages_of_a_cell_are_told_alone_where_they_lie_within_the_column_s(label):
    table, words = grid(
        ("Infection", "Children (Birth through 11 years of age)", "Adults and Adolescents (12 years and older)"),
        (
            "Cystitis",
            "Less than 5 years: 8 mg/kg every 8 hours<br/>5 to 11 years: 8 mg/kg every 12 hours",
            "Adults: 400 mg every 12 hours<br/>Adolescents: 600 mg every 12 hours",
        ),
    )
    found = {(f[0], *sorted(f[3])) for f in told(label, table, words)}
    assert {("8 mg q8h", "age -<5 a"), ("8 mg q12h", "age 5-11 a"), ("400 mg q12h", "age 18- a")} <= found


def test_a_table_of_people_and_directions_needs_no_names(label):
    table, words = grid(
        ("adults and children 12 years and over", "take 1 tablet every 12 hours; do not take more than 2 tablets in 24 hours"),
        ("children under 12 years", "do not use"),
        heads=0,
    )
    assert {(f[0], *f[3]) for f in told(label, table, words)} == {("1 tablet q12h", "age 12- a"), ("max max_daily 2 tablet", "age 12- a")}


def test_the_source_of_a_table_is_no_condition(label):
    table = (
        "<table><thead><tr><th colspan='2'>DOSAGE IN PATIENTS WITH RENAL IMPAIRMENT (Adapted from Miller et al.)</th></tr>"
        "<tr><th>Creatinine Clearance mL/min</th><th>Dose mg/24 h</th></tr></thead><tr><td>60</td><td>900</td></tr><tr><td>30</td><td>450</td></tr></table>"
    )
    words = "DOSAGE IN PATIENTS WITH RENAL IMPAIRMENT (Adapted from Miller et al.) Creatinine Clearance mL/min Dose mg/24 h 60 900 30 450"
    assert [(f[0], f[3]) for f in told(label, table, words)] == [("900 mg", {"crcl 60-60 mL/min"}), ("450 mg", {"crcl 30-30 mL/min"})]


def test_what_to_do_later_is_no_condition_and_no_phase_of_a_column(label):
    table, words = grid(("Weight (kg)", "Dose for Life-Threatening Infections (Reduce When Better) mg/dose q8h"), ("40", "66"), ("50", "83"))
    found = told(label, table, words)
    assert [(f[0], {c for c in f[3] if "weight" not in c}) for f in found] == [(d, {"other Life-Threatening Infections"}) for d in ("66 mg q8h", "83 mg q8h")]


def test_steps_of_titration_for_two_groups_of_people_keep_their_step(label):
    table, words = grid(
        ("Titration Step", "Children under 45 kg", "Children over 45 kg and adults"),
        ("1. Starting Dosage", "12 mg/kg/day", "300 mg/day"),
        ("2. After 3 days, increase dose to:", "16 mg/kg/day", "400 mg/day"),
        ("3. After 3 more days, increase dose to:", "20 mg/kg/day", "As with all such products, amounts depend on levels in blood."),
    )
    found = told(label, table, words)
    assert {f[0] for f in found} == {"12 mg", "300 mg", "16 mg", "400 mg", "20 mg"}
    assert all(any("After 3" in c for c in f[3]) for f in found if f[0] in ("16 mg", "400 mg", "20 mg"))
    assert not any("After 3" in c or "mg" in c for f in found if f[0] in ("12 mg", "300 mg") for c in f[3])


def test_a_sign_inside_a_length_of_treatment_hides_it_not(label):
    made = label(
        f"{OPENS} Infection Dosage (every 12 hours) Duration (days) Pneumonia 250 mg 7 †-14",
        SECTION,
        tables=(grid(("Infection", "Dosage (every 12 hours)", "Duration (days)"), ("Pneumonia", "250 mg", "7 †-14"))[0],),
    )
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    (draft,) = table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon)
    assert (draft.payload.phases[0].duration_days_low, draft.payload.phases[0].duration_days_high) == (7, 14)


def test_a_heading_on_kidneys_or_age_is_told_by_a_row_of_clearance(label):
    outer = Restriction(AnyOf((Category(Axis.RENAL, ("mild", "moderate", "severe")), Interval(Axis.AGE, Decimal(65), None, "a"))), 0, 5)
    known = Restriction(Opaque("If creatinine clearance can be measured accurately"), 6, 9)
    inner = Restriction(Interval(Axis.CRCL, Decimal(30), Decimal(30), "mL/min"), 10, 12)
    assert without_wider([inner], [outer, known]) == []
    assert without_wider([Restriction(Interval(Axis.WEIGHT, Decimal(30), None, "kg"), 10, 12)], [outer, known]) == [outer, known]


def test_what_must_come_before_and_what_is_given_beside_a_dose_stay_with_it(label):
    table, words = grid(
        ("Indication", "Dosage"),
        ("Clots of the leg", "10 mg once daily, after at least 6 months of standard anticoagulant treatment"),
        ("Clots of the heart", "3 mg twice daily, plus aspirin (80 mg) once daily"),
    )
    found = told(label, table, words)
    assert [f[3] for f in found if f[0] == "10 mg x1"] == [{"other after at least 6 months of standard anticoagulant treatment"}]
    assert [f[3] for f in found if f[0] == "3 mg x2"] == [{"comedication aspirin"}]


def test_columns_of_how_often_beside_the_day_s_sum_hold_single_doses(label):
    table = (
        "<table><caption>Table 2: Dosage in Pediatric Patients for Reduction in Risk of Clots</caption><thead><tr><th rowspan='2'>Body Weight</th>"
        "<th colspan='2'>1 mg ZOCOR = 1 mL Suspension</th><th rowspan='2'>Total Daily Dose</th></tr><tr><th>Once a Day</th><th>3 Times a Day</th></tr></thead>"
        "<tr><td>3 kg to 4 kg</td><td></td><td>0.8 mg</td><td>2.4 mg</td></tr><tr><td>5 kg to 9 kg</td><td>6 mg</td><td></td><td>6 mg</td></tr></table>"
    )
    words = (
        "Table 2: Dosage in Pediatric Patients for Reduction in Risk of Clots Body Weight 1 mg ZOCOR = 1 mL Suspension Total Daily Dose Once a Day "
        "3 Times a Day 3 kg to 4 kg 0.8 mg 2.4 mg 5 kg to 9 kg 6 mg 6 mg"
    )
    made = label(f"{OPENS} {words}", SECTION, tables=(table,))
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    doses = [x for d in table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon) for x in doses_of(d.payload)]
    assert [(float(x["low"]), x["per"], x["times_low"], x["phase"]) for x in doses] == [(0.8, "dose", 3, "usual"), (6, "dose", 1, "usual")]


def test_a_footnote_that_says_after_what_treatment_begins_is_a_condition(label):
    note = "Initiate treatment following at least 5 days of another anticoagulant."
    table = (
        f"<table><thead><tr><th>Age</th><th>Dosage</th></tr></thead><tr><td>2 to 9 years</td><td>5 mg once daily<footnote>{note}</footnote></td></tr></table>"
    )
    (found,) = told(label, table, f"Age Dosage 2 to 9 years 5 mg once daily {note}")
    assert found[3] == {"age 2-9 a", f"other {note[:-1]}"}


def test_two_counts_of_tablets_with_their_mass_are_alternatives(label):
    table, words = grid(
        ("adults", "chew 2 tablets (6 mg) or 4 tablets (12 mg) once daily"), ("children 6 to 11 years", "chew 1 tablet (3 mg) once daily"), heads=0
    )
    made = label(f"{OPENS} {words}", SECTION, tables=(table,))
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    drafts = list(table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon))
    assert [[int(p.amounts[0].low) for p in d.payload.phases] for d in drafts] == [[6], [12], [3]]


def test_letters_of_footnotes_behind_a_unit_are_no_part_of_it(label):
    table, words = grid(("Age", "Daily Dose, mga,b"), ("2 to 5 years", "40"), ("6 to 9 years", "60"))
    assert [f[0] for f in told(label, table, words)] == ["40 mg", "60 mg"]


def test_a_footnote_on_what_others_get_is_a_rule_of_its_own_for_the_row_that_calls_it(label):
    note = "A maximum dosage of 7 mg once daily is recommended for patients with severe hepatic impairment."
    table = (
        "<table><thead><tr><th>Indication</th><th>Dosage</th></tr></thead>"
        f"<tr><td>Healing of ulcers</td><td>20 mg<footnote>{note}</footnote> once daily</td></tr><tr><td>Prevention of ulcers</td><td>10 mg once daily</td></tr></table>"
    )
    found = told(label, table, f"Indication Dosage Healing of ulcers 20 mg {note} once daily Prevention of ulcers 10 mg once daily")
    assert [(f[0], f[1], f[3]) for f in found] == [
        ("max max_daily 7 mg", "Healing of ulcers", {"hepatic severe hepatic impairment"}),
        ("20 mg x1", "Healing of ulcers", set()),
        ("10 mg x1", "Prevention of ulcers", set()),
    ]


def test_letters_of_metabolisers_are_genotypes_and_no_uses(label):
    uses = "zocor is for adults who are cyp2d6 intermediate metabolizers (ims) or poor metabolizers (pms)"
    rows = (("CYP2D6 Metabolizer Status", "Dosage"), ("IMs", "8 mg twice daily"), ("Poor metabolizers", "8 mg once daily"))
    table, words = grid(*rows)
    captioned = table.replace("<table>", "<table><caption>Table 1: Dosage by CYP2D6 Metabolizer Status</caption>")
    found = told(label, captioned, f"Table 1: Dosage by CYP2D6 Metabolizer Status {words}", uses)
    assert [(f[0], f[1], f[3]) for f in found] == [
        ("8 mg x2", "all patients", {"genotype CYP2D6 intermediate metabolizer"}),
        ("8 mg x1", "all patients", {"genotype CYP2D6 poor metabolizer"}),
    ]


def test_rows_without_a_name_that_are_uses_are_uses(label):
    uses = "indicated for epilepsy and for deep wounds. 1.3 gout and tophi"
    table, words = grid(("", "Dosage"), ("Epilepsy", "8 mg twice daily"), ("Hypertension", "7 mg once daily"), ("Gout and Tophi", "8 mg once daily"))
    found = told(label, table, words, uses + " hypertension")
    assert [(f[0], f[1], f[3]) for f in found] == [("8 mg x2", "Epilepsy", set()), ("7 mg x1", "Hypertension", set()), ("8 mg x1", "Gout and Tophi", set())]


def test_a_caption_that_leaves_the_partners_to_its_rows_states_no_condition(label):
    table, words = grid(("Indication", "Dosage", "Thrice Weekly"), ("Fits", "3 mg/kg once daily", "5 mg/kg"))
    captioned = table.replace("<table>", "<table><caption>Table 1: Dosages of ZOCOR in Combination with Other Therapeutic Agents</caption>")
    found = told(label, captioned, f"Table 1: Dosages of ZOCOR in Combination with Other Therapeutic Agents {words}")
    assert [f[3] for f in found] == [set(), set()]


def test_words_of_a_use_s_name_are_no_conditions_beside_it(label):
    uses = "indicated for chronic heart failure"
    table, words = grid(("Weight (kg)", "Dosage"), ("10 to 20", "5 mg once daily"), ("21 to 40", "8 mg once daily"))
    captioned = table.replace("<table>", "<table><caption>Table 1: Dosage in Patients with Chronic Heart Failure</caption>")
    made = label(
        f"2 DOSAGE AND ADMINISTRATION 2.1 Chronic Heart Failure Use as directed. Table 1: Dosage in Patients with Chronic Heart Failure {words}",
        SECTION,
        tables=(captioned,),
    )
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    over = Standing(conditions=(Restriction(Opaque("Chronic"), 0, 1), Restriction(Opaque("severe"), 0, 1)))
    drafts = list(table_drafts(reading, Scopes((0,), (over,), ()), made.lexicon, uses))
    assert {d.target.words for d in drafts} == {"Chronic Heart Failure"}
    told_over = [r.guard.text for d in drafts for r in d.limits if isinstance(r.guard, Opaque)]
    assert told_over == ["severe", "severe"]
