"""What holds for the doses of a table is said once and wholly: headings over rows, columns of a ladder, footnotes, captions, and what came before."""

from __future__ import annotations

import html
from dataclasses import replace
from decimal import Decimal

import pytest

from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.table_wider import consistent, without_wider
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Interval, Opaque

SECTION = "dosage_and_administration"
ADULT = "age 18- a"


def row_of(cells, tag="td", width=2):
    """A row of a table; one cell alone is a heading as wide as the table."""
    span = f" colspan='{width}'" if len(cells) == 1 else ""
    return "<tr>" + "".join(f"<{tag}{span}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"


def made_of(label, rows, caption="", before="2.1 Recommended Dosage Use as directed."):
    """A label whose section holds one table, the first row of which names its columns."""
    head, *body = rows
    table = f"<table>{f'<caption>{caption}</caption>' if caption else ''}<thead>{row_of(head, 'th')}</thead>{''.join(row_of(r, width=len(head)) for r in body)}</table>"
    words = " ".join(c for row in rows for c in row)
    return label(f"2 DOSAGE AND ADMINISTRATION {before} {caption} {words}", SECTION, tables=(table,))


def tell(label, rows, caption="", before="2.1 Recommended Dosage Use as directed.", indications=""):
    return told(made_of(label, rows, caption, before), indications)


def drafts_of(made, indications=""):
    section = made.document.section(SECTION)
    reading = read_section(section, thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    return list(table_drafts(reading, scopes_of(reading, made.lexicon, indications), made.lexicon, indications))


def told(made, indications=""):
    """(dose, use, conditions) of each draft of a table's doses."""
    out = []
    for d in drafts_of(made, indications):
        for when in conditions_of(joined(d.limits), lambda e: e.code.replace("-", " ")):
            doses = [] if d.payload is None else list(doses_of(d.payload))
            out += [(_dose(x), d.target.words, {_condition(c) for c in when}) for x in doses]
    return out


def _dose(x):
    cap = next((f"max {k} {x[k]}" for k in ("max_daily", "max_single") if k in x and "low" not in x), None)
    return f"{cap or x['low']} {x['unit']}"


def _condition(c):
    if "low" in c or "high" in c:
        return f"{c['axis']} {'>' if c.get('low_open') else ''}{c.get('low', '')}-{'<' if c.get('high_open') else ''}{c.get('high', '')} {c['unit']}"
    return f"{c['axis']} {c['value']}"


def conditions(found, dose):
    return [when for what, _, when in found if what == dose]


def test_a_heading_on_adults_and_children_is_not_told_beside_a_row_that_says_which(label):
    rows = [("Population", "Dosage"), ("Adult", "12 mg once daily"), ("Pediatric", "7 mg once daily")]
    found = tell(label, rows, before="2.1 Adult and Pediatric Non-emergent Loading Use as directed.")
    assert all(ADULT not in when for when in conditions(found, "7 mg"))
    assert conditions(found, "12 mg") == [{ADULT}]


def test_a_row_says_more_closely_what_the_heading_over_it_says_of_enzymes(label):
    rows = [("Factor", "Adjusted Dosage"), ("Taking CYP3A4 inhibitors or CYP2C9 inhibitors",), ("Strong CYP3A4 inhibitor", "9 mg once daily")]
    assert conditions(tell(label, rows), "9 mg") == [{"comedication strong cyp3a4 inhibitor"}]


def test_genotypes_of_two_genes_both_stay(label):
    rows = [("VKORC1", "CYP2C9", "Dosage"), ("GG", "*1/*3", "3 mg once daily")]
    assert conditions(tell(label, rows), "3 mg") == [{"genotype VKORC1 GG", "genotype CYP2C9 *1/*3"}]


def test_the_caption_of_another_table_is_no_heading(label):
    one = "<table><caption>Renal Impairment (Given Once Daily)</caption><thead><tr><th>eGFR</th><th>Starting Dose</th></tr></thead><tr><td>15 to 29 mL/min/1.73 m2</td><td>5 mg once daily</td></tr></table>"
    two = "<table><thead><tr><th>Child-Pugh</th><th>Starting Dose</th></tr></thead><tr><td>Child-Pugh Class B</td><td>7 mg once daily</td></tr></table>"
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Special Patients Start low. Renal Impairment (Given Once Daily) eGFR Starting Dose 15 to 29 mL/min/1.73 m2 5 mg once daily "
        "Child-Pugh Starting Dose Child-Pugh Class B 7 mg once daily"
    )
    assert conditions(told(label(text, SECTION, tables=(one, two))), "7 mg") == [{"child-pugh B"}]


def test_a_row_that_opens_a_use_of_its_own_stands_below_the_use_over_the_rows_before_it(label):
    rows = [
        ("Indication", "Dosage"),
        ("Prophylaxis of clots following:",),
        ("Knee surgery", "5 mg once daily"),
        ("Prophylaxis of clots in bedridden patients", "6 mg once daily"),
    ]
    found = tell(label, rows)
    assert conditions(found, "5 mg") == [{"other Prophylaxis of clots following"}]
    assert [(use, when) for what, use, when in found if what == "6 mg"] == [("Prophylaxis of clots in bedridden patients", set())]


@pytest.mark.parametrize(
    "use",
    [
        "Reduction of Risk of Clots (Stroke, Embolism, and Heart Attack) in Chronic Limb Disease",
        "Prophylaxis of clots in acutely ill medical patients who lie in bed for days, smoke, weigh much or are at no high risk of bleeding",
    ],
)
def test_a_use_in_many_words_stays_whole(label, use):
    assert tell(label, [("Indication", "Dosage"), (use, "5 mg once daily")]) == [("5 mg", use, set())]


@pytest.mark.parametrize("cell", ["No dose adjustment needed based on CrCl", "No dosageadjustment neededbased on CrCl", "Regardless of CrCl"])
def test_a_cell_that_changes_nothing_is_no_condition(label, cell):
    rows = [("Population", "Renal Considerations", "Dosage"), ("Adults", cell, "5 mg once daily")]
    assert tell(label, rows) == [("5 mg", "all patients", {ADULT})]


def test_letters_that_the_indications_explain_are_the_uses_of_a_row(label):
    rows = [("Patient Population", "Dosage"), ("Adult HTN and HF", "5 mg once weekly"), ("Adult DM", "6 mg once weekly")]
    found = tell(label, rows, indications="for hypertension (htn), heart failure (hf) and diabetes mellitus (dm)")
    assert [(what, use) for what, use, when in found if when == {ADULT}] == [("5 mg", "HTN"), ("5 mg", "HF"), ("6 mg", "DM")]


def test_a_band_in_a_column_of_uses_leaves_the_use_over_it(label):
    rows = [("Indication", "First Dosage Reduction To"), ("HTN",), ("Actual weight 60 kg or greater", "5 mg once daily")]
    found = tell(label, rows, indications="for hypertension (htn)")
    assert [(use, when) for _, use, when in found] == [("HTN", {"weight 60- kg", "other First Dosage Reduction To"})]


def test_a_state_with_the_word_before_it_is_one_use_where_the_label_has_it(label):
    rows = [("", "Recommended Dose"), ("Portal hypertension in adults", "5 mg daily"), ("Renal hypertension in adults", "6 mg daily")]
    found = tell(label, rows, indications="indicated for portal hypertension and other hypertension")
    assert [use for what, use, _ in found if what == "5 mg"] == ["Portal hypertension"]
    assert [use for what, use, _ in found if what == "6 mg"] == ["hypertension"]


def test_the_only_rung_of_a_ladder_keeps_its_name(label):
    rows = [("Dose Level", "Dosage"), ("Starting Dose", "25 mg twice daily"), ("Dose Reduction", "15 mg twice daily")]
    assert conditions(tell(label, rows), "15 mg") == [{"other Dose Reduction"}]


def test_all_columns_named_as_rungs_are_doses_though_the_last_ones_hold_stop(label):
    rows = [
        ("Dose", "1 stdose reduction", "2 nddose reduction", "3 rddose reduction"),
        ("9 mg daily", "8 mg daily", "6 mg daily", "4 mg daily"),
        ("6 mg daily", "5 mg daily", "Stop", "Stop"),
        ("5 mg daily", "3 mg daily", "Stop", "Stop"),
        ("4 mg daily", "2 mg daily", "Stop", "Stop"),
    ]
    found = tell(label, rows)
    assert conditions(found, "4 mg") == [{"other Dose: 9 mg daily", "other 3 rddose reduction"}]
    assert conditions(found, "8 mg") == [{"other Dose: 9 mg daily", "other 1 stdose reduction"}]


def test_a_list_of_diseases_in_a_column_name_is_not_torn(label):
    rows = [("Dose Reduction", "Tumor of the lung with EGFR deletion or rearrangement"), ("First", "9 mg once daily"), ("Second", "7 mg once daily")]
    assert conditions(tell(label, rows), "9 mg") == [{"other Dose Reduction: First", "other Tumor of the lung with EGFR deletion or rearrangement"}]


def test_adverse_reactions_joined_by_and_are_two(label):
    rows = [("Adverse Reaction", "Dosage Modification"), ("Bradycardia and Angioedema", "Reduce to 5 mg once daily"), ("Anuria", "Reduce to 4 mg once daily")]
    assert conditions(tell(label, rows), "5 mg") == [{"condition Bradycardia"}, {"condition Angioedema"}]


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("Withhold until Grade 1 or less. Resume at 5 mg once daily.", "Withhold until Grade 1 or less. Resume at 5 mg once daily"),
        (
            "Interrupt until recovery, then restart at a reduced dose of 5 mg once daily",
            "Interrupt until recovery, then restart at a reduced dose of 5 mg once daily",
        ),
    ],
)
def test_the_dose_at_which_treatment_goes_on_holds_after_what_the_sentence_tells(label, cell, kept):
    rows = [("Adverse Reaction", "Dosage Modification"), ("Bradycardia", cell), ("Angioedema", "Stop for good")]
    assert conditions(tell(label, rows), "5 mg") == [{"condition Bradycardia", f"other {kept}"}]


@pytest.mark.parametrize(
    "cell", ["Withhold, then resume at 5 mg less than before", "After recovery, resume with a reduction of warfarin to 5 mg", "Withhold, reduce by 5 mg"]
)
def test_steps_and_other_drugs_doses_after_a_pause_are_none(label, cell):
    assert tell(label, [("Adverse Reaction", "Dosage Modification"), ("Bradycardia", cell), ("Angioedema", "Stop for good")]) == []


def test_a_footnote_spells_out_a_ladder(label):
    table = (
        "<table><thead><tr><th>Adverse Reaction</th><th>Dose modification<footnote>Starting dose is 9 mg. First dose reduction level is 7 mg. Second dose reduction level is 4 mg.</footnote></th></tr></thead>"
        "<tr><td>Bradycardia</td><td>Reduce one level</td></tr></table>"
    )
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Adverse Reaction Dose modification Starting dose is 9 mg. First dose reduction level is 7 mg. "
        "Second dose reduction level is 4 mg. Bradycardia Reduce one level"
    )
    found = told(label(text, SECTION, tables=(table,)))
    assert [(what, when) for what, _, when in found] == [("7 mg", {"other First dose reduction level"}), ("4 mg", {"other Second dose reduction level"})]


def test_an_item_of_a_numbered_list_is_its_own_drugs(label):
    rows = [
        ("Age", "Intravenous Dose"),
        ("Children", "1.) Simvastatin - 2 mg/kg not to exceed 100 mg 2.) Warfarin - 1 mL/kg (30 mL/m2) not to exceed 50 mL total dose"),
    ]
    found = tell(label, rows)
    assert {what for what, _, _ in found} == {"2 mg"}


def test_a_cell_that_names_its_maximum_has_no_other(label):
    rows = [("Indication", "Maximum Dose"), ("Pain", "300 mg/day within 1 week. Maximum dose of 600 mg/day."), ("Fits", "400 mg/day")]
    assert [(what, use) for what, use, _ in tell(label, rows)] == [("max max_daily 600 mg", "Pain"), ("max max_daily 400 mg", "Fits")]


def test_doses_of_another_drug_in_a_column_are_given_beside(label):
    rows = [("Body weight (kg)", "Simvastatin dosage", "Warfarin dosage"), ("30 to 40", "20 mg/kg", "1 mg/kg")]
    assert conditions(tell(label, rows), "20 mg") == [{"weight 30-40 kg", "comedication warfarin"}]


@pytest.mark.parametrize(
    ("note", "condition"),
    [
        ("Only for patients who bear the drug well", {"other Only for patients who bear the drug well"}),
        ("Permanently discontinue if unable to tolerate 5 mg", set()),
        ("If further dose reduction below 5 mg is required, discontinue", set()),
        ("Patients with fits begin therapy on or before day 15 only", set()),
        ("Patients with ulcers received up to 28 days of treatment", set()),
        ("An additional course of treatment may be considered if symptoms stay", set()),
        ("First dose reduction level is unknown if the patient is ill", set()),
        ("A dose reduction may not be needed if the cause is another drug", set()),
        ("This dose is obtained only by using 20-mg tablets", set()),
    ],
)
def test_only_footnotes_that_say_for_whom_are_conditions(label, note, condition):
    table = (
        f"<table><thead><tr><th>Indication</th><th>Dosage</th></tr></thead><tr><td>Pain</td><td>5 mg once daily<footnote>{note}</footnote></td></tr></table>"
    )
    text = f"2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Indication Dosage Pain 5 mg once daily {note}"
    assert conditions(told(label(text, SECTION, tables=(table,))), "5 mg") == [condition]


def test_a_footnote_inside_a_caption_does_not_hide_its_condition(label):
    note = "Estimated by the usual formula; for patients heavier than ideal body weight by 25% or more use adjusted weight"
    table = (
        f"<table><caption>Table 1: Dosage in Adults With CLcr<footnote>{note}</footnote> Greater Than or Equal to 90 mL/min</caption>"
        "<thead><tr><th>Infection</th><th>Dosage Regimen</th></tr></thead><tr><td>Urinary tract infection</td><td>15 mg/kg every 24 hours</td></tr></table>"
    )
    text = (
        f"2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Table 1: Dosage in Adults With CLcr {note} Greater Than or Equal to 90 mL/min "
        "Infection Dosage Regimen Urinary tract infection 15 mg/kg every 24 hours"
    )
    (when,) = conditions(told(label(text, SECTION, tables=(table,))), "15 mg")
    assert "crcl 90- mL/min" in when
    assert not any("ideal" in c for c in when)


def test_a_footnote_inside_a_naming_cell_is_no_part_of_it(label):
    note = "Grade 1 is mild, Grade 2 is moderate"
    table = (
        "<table><thead><tr><th>Adverse Reaction</th><th>Dosage Modification</th></tr></thead>"
        f"<tr><td>Grade 3<footnote>{note}</footnote> liver damage [see Warnings (5.2)]</td><td>Reduce to 5 mg once daily</td></tr></table>"
    )
    text = f"2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Adverse Reaction Dosage Modification Grade 3 {note} liver damage [see Warnings (5.2)] Reduce to 5 mg once daily"
    (when,) = conditions(told(label(text, SECTION, tables=(table,))), "5 mg")
    assert when == {"other Adverse Reaction: Grade 3 liver damage"} or when == {"other Grade 3 liver damage"}


def test_a_delayed_release_product_in_a_caption_is_no_missed_dose(label):
    assert tell(label, [("Indication", "Dosage"), ("Pain", "5 mg once daily")], "Table 1: Dosage of Delayed-Release Tablets") != []


def test_a_count_of_cycles_is_no_ceiling_on_the_dose_that_follows(label):
    rows = [("Indication", "Dosage"), ("Pain", "900 mg every 3 weeks up to 8 cycles followed by 800 mg every 4 weeks"), ("Fits", "5 mg once daily")]
    assert not any(what.startswith("max") for what, _, _ in tell(label, rows))


def test_brackets_behind_amounts_say_for_whom_each_is(label):
    rows = [("Indication", "Maximum Daily Dose"), ("Fits", "1000 mg (12-15 yr) 1200 mg (over 15 yr)"), ("Pain", "5 mg")]
    found = tell(label, rows)
    assert conditions(found, "max max_daily 1000 mg") == [{"age 12-15 a"}]
    assert conditions(found, "max max_daily 1200 mg") == [{"age >15- a"}]


def test_what_a_statement_says_of_all_its_drugs_holds_for_the_labels_too(label):
    rows = [
        ("Indication", "Dosage"),
        ("Ulcers", "Simvastatin 20 mg Amoxicillin 1000 mg Take both drugs once weekly [see Clinical Studies (14)]"),
        ("Pain", "5 mg once daily"),
    ]
    assert conditions(tell(label, rows), "20 mg") == [{"comedication amoxicillin"}]
    (weekly,) = [d for d in drafts_of(made_of(label, rows)) if d.payload.phases[0].amounts[0].low == 20]
    assert weekly.payload.phases[0].frequency.period_days == 7


def test_a_dose_changed_for_a_partner_holds_at_the_dose_so_far(label):
    rows = [
        ("Current Dosage", "Recommended Dosage with a Strong CYP3A4 inhibitor"),
        ("45 mg once daily", "30 mg once daily"),
        ("30 mg once daily", "15 mg once daily"),
    ]
    assert conditions(tell(label, rows), "15 mg") == [{"other Current Dosage: 30 mg once daily", "comedication strong cyp3a4 inhibitor"}]


def test_a_starting_dose_beside_doses_for_partners_is_the_dose_so_far(label):
    rows = [("Starting dose", "Moderate CYP3A4 inhibitor", "Strong CYP3A4 inhibitor"), ("600 mg", "200 mg once daily", "100 mg once daily")]
    assert conditions(tell(label, rows), "100 mg") == [{"other Starting dose: 600 mg", "comedication strong cyp3a4 inhibitor"}]


def test_what_a_packet_holds_is_the_dose(label):
    rows = [("Age", "Dosage"), ("2 to 4 months", "One packet (containing 13.4 mg simvastatin) every 12 hours"), ("4 to 6 months", "25 mg every 12 hours")]
    assert [what for what, _, _ in tell(label, rows)] == ["13.4 mg", "25 mg"]


def test_the_site_of_an_injection_is_no_use(label):
    rows = [("Dose", "Dosing Frequency", "Site of Intramuscular Injection"), ("441 mg", "Monthly", "Gluteal")]
    assert [use for _, use, _ in tell(label, rows)] in ([], ["all patients"])


def test_avoiding_at_some_doses_is_no_dose(label):
    rows = [("Partner", "Dosage"), ("Strong CYP3A4 inhibitor", "Avoid use for patients at 662 mg or 882 mg"), ("Moderate CYP3A4 inhibitor", "300 mg monthly")]
    assert [what for what, _, _ in tell(label, rows)] == ["300 mg"]


@pytest.mark.parametrize("use", ["PD", "SAD"])
def test_a_use_of_two_or_three_letters_is_never_everyone(label, use):
    assert [named for _, named, _ in tell(label, [("Indication", "Starting Dose"), (use, "37.5 mg daily")])] == [use]


@pytest.mark.parametrize(
    ("head", "caption"),
    [
        ("Event Description", "Table 1: Dose Reductions"),
        ("Severity of Nerve Signs and Symptoms", ""),
        ("Adverse Reaction", "Table 1: Dosage Modifications for Adverse Reactions in Patients Treated"),
    ],
)
def test_tables_of_events_with_doses_are_read(label, head, caption):
    rows = [(head, "Recommended Dose"), ("Anuria", "5 mg once daily"), ("Angioedema", "4 mg once daily")]
    assert [what for what, _, _ in tell(label, rows, caption)] == ["5 mg", "4 mg"]


def test_how_long_a_reaction_lasts_is_neither_the_length_of_treatment_nor_an_age(label):
    rows = [("Blood Count", "Duration of Toxicity", "Dosage"), ("Platelets low", "2 weeks", "20 mg/m2"), ("Platelets low", "3 weeks", "10 mg/m2")]
    (when,) = conditions(tell(label, rows), "20 mg")
    assert "other Duration of Toxicity: 2 weeks" in when
    assert not any(c.startswith("age") for c in when)
    assert all(p.duration_days_low is None for d in drafts_of(made_of(label, rows)) for p in d.payload.phases)


def test_a_heading_on_combination_is_never_dropped(label):
    rows = [("Indication", "Dosage"), ("Combination Therapy",), ("Epilepsy", "200 mg every 3 weeks")]
    assert conditions(tell(label, rows), "200 mg") == [{"other Combination Therapy"}]


def test_letters_that_call_footnotes_are_no_part_of_a_use(label):
    table = "<table><thead><tr><th>Indication</th><th>Dosage</th></tr></thead><tr><td>Ulcer relapse <sup>d</sup></td><td>5 mg once daily</td></tr><tfoot><tr><td colspan='2'><sup>d</sup> Seen by endoscopy.</td></tr></tfoot></table>"
    text = "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Indication Dosage Ulcer relapse d 5 mg once daily d Seen by endoscopy."
    assert [use for _, use, _ in told(label(text, SECTION, tables=(table,)))] == ["Ulcer relapse"]


def test_a_rung_of_the_column_takes_the_place_of_rungs_over_the_table():
    over, column = Restriction(Opaque("Second dose reduction"), 0, 21), Restriction(Opaque("First Dose Reduction"), 30, 50)
    other = Restriction(Opaque("Reduction of salt"), 0, 17)
    assert without_wider([column], [over, other]) == [other]


def test_a_column_of_the_uses_of_adults_names_uses(label):
    rows = [("Adult Indication", "Dosage"), ("Healing of Ulcers", "20 mg once daily")]
    assert [use for _, use, _ in tell(label, rows)] == ["Healing of Ulcers"]


def test_a_use_that_the_label_has_by_itself_is_no_part_of_the_use_over_the_rows_before_it(label):
    rows = [("Indication", "Dosage"), ("GAD",), ("Adults", "5 mg once daily"), ("Nerve Pain", "6 mg once daily")]
    found = tell(label, rows, indications="for generalized anxiety disorder (gad) and nerve pain")
    assert [(use, when) for _, use, when in found] == [("GAD", {ADULT}), ("Nerve Pain", set())]


def test_columns_named_by_the_dose_so_far_are_rungs_for_those_who_are_on_it(label):
    rows = [
        ("Starting Dose Level", "200 mg", "300 mg"),
        ("First dose reduction", "100 mg/day", "200 mg/day"),
        ("Second dose reduction", "Discontinue", "100 mg/day"),
    ]
    found = tell(label, rows)
    assert conditions(found, "200 mg") == [{"other Starting Dose Level: First dose reduction", "other 300 mg"}]
    assert conditions(found, "100 mg") == [
        {"other Starting Dose Level: First dose reduction", "other 200 mg"},
        {"other Starting Dose Level: Second dose reduction", "other 300 mg"},
    ]


def test_a_cell_over_columns_of_conditions_and_doses_is_no_condition(label):
    table = (
        "<table><thead><tr><th>Partner</th><th>Ramp-Up Phase</th><th>Steady Daily Dose</th></tr></thead>"
        "<tr><td>Strong CYP3A4 inhibitor</td><td>Start slowly</td><td>Reduce dose to 70 mg</td></tr>"
        "<tr><td>Moderate CYP3A4 inhibitor</td><td colspan='2'>Reduce the dose to 50 mg</td></tr></table>"
    )
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Partner Ramp-Up Phase Steady Daily Dose Strong CYP3A4 inhibitor Start slowly Reduce dose to 70 mg "
        "Moderate CYP3A4 inhibitor Reduce the dose to 50 mg"
    )
    found = told(label(text, SECTION, tables=(table,)))
    assert not any("50 mg" in c for when in conditions(found, "50 mg") for c in when)


def test_alternatives_that_no_patient_of_the_row_can_be_are_left_out():
    young = Restriction(Interval(Axis.AGE, None, Decimal(18), "a", high_open=True), 0, 1)
    adult = Interval(Axis.AGE, Decimal(18), None, "a")
    other = Opaque("with fits")
    listed = Restriction(AnyOf((adult, AllOf((young.guard, other)))), 0, 1)
    assert consistent([young, listed]) == [young, replace(listed, guard=AllOf((young.guard, other)))]
    assert consistent([young, replace(listed, guard=AnyOf((adult, AllOf((adult, other)))))]) is None
    weeks = Restriction(Interval(Axis.AGE, None, Decimal(28), "d", high_open=True), 0, 1)
    assert consistent([weeks, Restriction(adult, 0, 1)]) is None
    year = Restriction(Interval(Axis.AGE, Decimal(1), None, "a"), 0, 1)
    assert consistent([year, Restriction(Interval(Axis.AGE, None, Decimal(12), "mo"), 0, 1)]) is not None


def test_two_lengths_of_treatment_in_a_cell_are_no_age(label):
    rows = [("Infection", "Dosage", "Weeks"), ("Ear infection", "7 mg/kg every 12 hours or 14 mg/kg every 24 hours", "5 to 10 days 10 days")]
    assert not any(c.startswith("age") for _, _, when in tell(label, rows) for c in when)


def test_a_meal_that_a_dose_is_taken_with_is_no_condition(label):
    rows = [
        ("Age", "Dosage"),
        ("6-12 months", "5 mg once daily in patients taking greasy food"),
        ("1-2 years", "6 mg once daily in patients taking greasy food"),
    ]
    assert conditions(tell(label, rows), "5 mg") == [{"age 6-12 mo"}]


def test_a_head_as_wide_as_the_table_is_over_its_rows_and_the_next_row_names_the_columns(label):
    table = (
        "<table><thead><tr><th colspan='3'>Pediatric Patients (Age 6 Months Through 12 Years)</th></tr></thead><tr><td>Type of Infection</td><td>Dosage</td><td>Duration</td></tr>"
        "<tr><td>Ear infection</td><td>7 mg/kg every 12 hours</td><td>5 to 10 days</td></tr><tr><td>Sinusitis</td><td>8 mg/kg every 12 hours</td><td>10 days</td></tr></table>"
    )
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Dosage Use as directed. Pediatric Patients (Age 6 Months Through 12 Years) Type of Infection Dosage Duration "
        "Ear infection 7 mg/kg every 12 hours 5 to 10 days Sinusitis 8 mg/kg every 12 hours 10 days"
    )
    made = label(text, SECTION, tables=(table,))
    assert [d.payload.phases[0].duration_days_high for d in drafts_of(made)] == [10, 10]
    assert [(use, when) for what, use, when in told(made) if what == "7 mg"] == [("Ear infection", {"age 6- mo", "age -12 a"})]


@pytest.mark.parametrize("name", ["Platelet Count (×10 9 /L)", "Platelet count (x10^9/L)"])
def test_a_bound_alone_is_the_value_of_the_test_that_its_column_names_with_the_unit(label, name):
    rows = ((name, "Once Daily Dose"), ("Less than 40", "60 mg"), ("40 to less than 50", "40 mg"))
    found = tell(label, rows)
    assert [(dose, when) for dose, _, when in found] == [("60 mg", {"lab -<40 10*9/L"}), ("40 mg", {"lab 40-<50 10*9/L"})]
