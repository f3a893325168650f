"""Tables whose names stand in a second row, over the whole table or nowhere; columns of timing that belong to one dose; people and partners of a caption."""

from __future__ import annotations

import re
import time

import pytest

from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.table_wider import consistent, is_widened, people_together
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Interval, Opaque
from ontology.text.comparators import Side, comparison, side_of
from ontology.text.doses import read_doses

SECTION = "dosage_and_administration"
OPENS = "2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage Use as directed."


def told(label, table, words, uses=""):
    """(dose, use, routes, conditions) of each draft of one table."""
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
    cap = next((f"max {k} {x[k]}" for k in ("max_daily", "max_single") if k in x and "low" not in x), None)
    often = f" q{x['every_hours']}h" if "every_hours" in x else f" x{x['times_low']}" if "times_low" in x else ""
    amount = cap or (f"{x['low']}" if x.get("low") == x.get("high") else f"{x.get('low')}-{x.get('high')}")
    return f"{amount} {x['unit']}{often}"


def _condition(c):
    if "low" in c or "high" in c:
        return f"{c['axis']} {'>' if c.get('low_open') else ''}{c.get('low', '')}-{'<' if c.get('high_open') else ''}{c.get('high', '')} {c['unit']}"
    return f"{c['axis']} {c['value']}"


def grid(*rows, heads=1, caption=""):
    """The markup of a table and its words; a row may hold (words, columns) for a cell over several; the first rows name its columns."""
    lines, words = [], [caption] if caption else []
    for i, row in enumerate(rows):
        tag = "th" if i < heads or (len(row) == 1 and isinstance(row[0], tuple)) else "td"
        cells = [c if isinstance(c, tuple) else (c, 1) for c in row]
        lines.append("<tr>" + "".join(f'<{tag} colspan="{n}">{c}</{tag}>' for c, n in cells) + "</tr>")
        words += [c for c, _ in cells if c]
    top = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{top}{'<thead>' + ''.join(lines[:heads]) + '</thead>' if heads else ''}<tbody>{''.join(lines[heads:])}</tbody></table>", " ".join(words)


def doses(found):
    return [(dose, conditions) for dose, _, _, conditions in found]


def test_each_of_several_columns_of_intervals_belongs_to_the_dose_before_it(label):
    table, words = grid(
        (
            "Creatinine Clearance (mL/min)",
            "Induction Dose (mg/kg)",
            "Interval (hours) for Induction",
            "Maintenance Dose (mg/kg)",
            "Interval (hours) for Maintenance",
        ),
        ("at least 70", "5", "12", "4", "24"),
    )
    assert doses(told(label, table, words)) == [("5 mg q12h", {"crcl 70- mL/min"}), ("4 mg q24h", {"crcl 70- mL/min"})]


def test_one_column_of_intervals_belongs_to_all_doses(label):
    table, words = grid(("Creatinine Clearance (mL/min)", "Starting Dose (mg)", "Maintenance Dose (mg)", "Interval (hours)"), ("at least 70", "5", "4", "12"))
    assert [d for d, _ in doses(told(label, table, words))] == ["5 mg q12h", "4 mg q12h"]


def test_a_second_row_names_the_columns_below_a_name_over_several(label):
    table, words = grid(
        ("Creatinine Clearance (mL/min)", ("Recommended Dosage Regimen", 2)),
        ("", "Oral", "Intravenous"),
        ("15 to 29", "No dosage adjustment", "200 mg every 12 hours"),
    )
    assert [(d, r, c) for d, _, r, c in told(label, table, words)] == [("200 mg q12h", ("intravenous",), {"crcl 15-29 mL/min"})]


def test_a_first_row_of_doses_is_no_second_row_of_names(label):
    table, words = grid(
        ("Weight", ("Recommended Dosage", 2)), ("", "10 mg once daily", "20 mg once daily"), ("over 40 kg", "30 mg once daily", "40 mg once daily")
    )
    assert told(label, table, words) == []


def test_a_title_over_two_columns_says_how_often_and_by_what_route(label):
    table, words = grid(
        (("Recommended Intravenous Dosage Every 4 Weeks", 2),), ("Patients less than 30 kg", "10 mg per kg"), ("Patients at or above 30 kg", "8 mg per kg")
    )
    found = told(label, table, words)
    assert [(d, r) for d, _, r, _ in found] == [("10 mg q672h", ("intravenous",)), ("8 mg q672h", ("intravenous",))]
    assert [c for *_, c in found] == [{"weight -<30 kg"}, {"weight 30- kg"}]


def test_rungs_without_names_of_columns_are_read(label):
    table, words = grid(
        ("First Dose Reduction", "40 mg orally once daily"),
        ("Second Dose Reduction", "20 mg orally once daily"),
        ("Subsequent Reduction", "Permanently discontinue if unable to tolerate 20 mg orally once daily"),
        heads=0,
        caption="Table 1. Recommended Dose Reductions for Adverse Reactions",
    )
    found = doses(told(label, table, words))
    assert [d for d, _ in found] == ["40 mg x1", "20 mg x1"]
    assert all(any("Dose Reduction" in x for x in c) for _, c in found)


@pytest.mark.parametrize(
    "cell",
    [
        "600 mg (two 300 mg injections)",
        "600 mg (as four 150 mg injections or two 300 mg injections)",
        "600 mg (6 of the 100 mg tablets OR 30 of the 20 mg tablets)",
    ],
)
def test_what_a_dose_is_made_of_is_no_second_dose(label, cell):
    table, words = grid(("Body Weight (kg)", "Loading Dose"), ("30 to 60", cell))
    assert [d for d, _ in doses(told(label, table, words))] == ["600 mg"]


def test_the_timing_behind_the_bracket_is_the_doses():
    (phrase,) = read_doses("200 mg (one 200 mg injection) every 4 weeks")
    assert phrase.frequency is not None
    assert phrase.frequency.period_days == 28


def test_a_bracket_that_says_how_often_is_kept():
    assert any(p.frequency is not None and p.frequency.times_low == 2 for p in read_doses("400 mg (two 200 mg tablets twice daily)"))


def test_long_repetition_of_brackets_is_read_in_time():
    start = time.perf_counter()
    read_doses("mg (two 200 mg tablets or " * 400)
    assert time.perf_counter() - start < 3


def test_bands_inside_a_cell_give_each_dose_its_own(label):
    table, words = grid(("Age", "Recommended Daily Dosage"), ("over 6 months", "≤0.50 m2: 300 mg/m2 0.51 to 0.80 m2: 200 mg 0.81 to 1.10 m2: 300 mg"))
    found = doses(told(label, table, words))
    assert [d for d, _ in found] == ["300 mg", "200 mg", "300 mg"]
    assert [{x for x in c if x.startswith("bsa")} for _, c in found] == [{"bsa -0.50 m2"}, {"bsa 0.51-0.80 m2"}, {"bsa 0.81-1.10 m2"}]


def test_a_clearance_that_no_patient_has_is_no_band(label):
    table, words = grid(("Creatinine Clearance (mL/min)", "Dose"), ("at least 70", "5 mg once daily"), ("5069", "4 mg once daily"))
    assert doses(told(label, table, words))[1] == ("4 mg x1", {"other Creatinine Clearance (mL/min): 5069"})


def test_adults_and_children_of_a_caption_are_one_band(label):
    table, words = grid(
        ("Starting dose", "Strong CYP3A inhibitor"),
        ("400 mg", "50 mg once daily"),
        caption="Table 5. Dose Modifications for Concomitant Use with Moderate or Strong CYP3A Inhibitors for Adults and Pediatric Patients 2 Years and Older",
    )
    (found,) = doses(told(label, table, words))
    assert found[0] == "50 mg x1"
    assert "age 2- a" in found[1]


def test_people_that_make_up_everybody_are_no_condition_and_others_are_alternatives():
    adults, children = Interval(Axis.AGE, 18, None, "a", term="adults"), Interval(Axis.AGE, None, 18, "a", high_open=True, term="pediatric patients")
    infants = Interval(Axis.AGE, None, 2, "a", high_open=True)
    assert people_together([Restriction(adults, 0, 5), Restriction(children, 6, 9)]) == []
    (left,) = people_together([Restriction(adults, 0, 5), Restriction(infants, 6, 9)])
    assert left.guard == AnyOf((infants, adults))
    assert people_together([Restriction(adults, 0, 5)]) == [Restriction(adults, 0, 5)]


def test_the_dose_so_far_names_the_rows_of_a_table_of_changed_doses(label):
    table, words = grid(
        ("Current Dosage", "Adjusted Dosage"),
        ("800 mg twice daily", "400 mg twice daily"),
        caption="Table 3. Recommended Dose Reductions for Strong CYP3A Inhibitors",
    )
    (found,) = doses(told(label, table, words))
    assert found[0] == "400 mg x2"
    assert any(x.startswith("comedication") for x in found[1])
    assert any("Current Dosage: 800 mg" in x for x in found[1])


def test_the_time_since_the_last_dose_is_no_dose_so_far(label):
    table, words = grid(
        ("Last Dose Administered", "Recommended Dosage"),
        ("Less than 12 weeks", "120 mg every 4 weeks"),
        caption="Table 2. Dosage after Hepatic Adverse Reactions",
    )
    assert told(label, table, words) == []


def test_parts_of_a_day_told_as_first_and_second_dose_are_no_steps(label):
    table, words = grid(("Hepatic Impairment", "Dosage"), ("Moderate", "400 mg for first dose and 200 mg for second dose"), ("Severe", "200 mg twice daily"))
    assert [d for d, _ in doses(told(label, table, words))] == ["200 mg x2"]


def test_a_column_of_the_largest_starting_doses_holds_starting_doses(label):
    table, words = grid(("Creatinine Clearance", "Maximum RecommendedInitial Dose"), ("30-60 mL/min", "5 mg"))
    assert doses(told(label, table, words)) == [("5 mg", {"crcl 30-60 mL/min"})]


def test_a_container_in_the_name_of_a_column_is_no_condition(label):
    table, words = grid(("Body Weight (kg)", "Dose (units) (prefilled syringe) once daily"), ("57 to 68", "12,500 units"))
    assert doses(told(label, table, words))[0][1] == {"weight 57-68 kg"}


def test_bands_of_the_flow_of_continuous_dialysis_name_rows(label):
    table, words = grid(("Effluent Flow Rate", "Recommended Dosage"), ("2 L/hr or less", "1.5 grams every 12 hours"))
    assert doses(told(label, table, words)) == [("1.5 g q12h", {"other 2 L/hr or less"})]


def test_normal_in_a_table_of_an_organ_is_that_organs_normal(label):
    table, words = grid(
        ("", "Starting Dosage"), ("Normal", "500 mg daily"), ("Severe", "300 mg daily"), caption="Table 4. Dose Adjustments for Renal Impairment"
    )
    assert doses(told(label, table, words))[0] == ("500 mg x1", {"renal normal renal function"})


def test_columns_that_are_all_steps_are_one_plan(label):
    table, words = grid(("Weeks 1 and 2", "Weeks 3 to 24"), ("400 mg once daily", "200 mg three times per week"))
    assert [d for d, _ in doses(told(label, table, words))] == ["400 mg x1", "200 mg x3"]


@pytest.mark.parametrize(("words", "side"), [("at or above 30", Side.AT_LEAST), ("at or below 30", Side.AT_MOST), ("above 30", Side.ABOVE)])
def test_at_or_above_holds_the_number(words, side):
    m = re.match(rf"{comparison()} 30", words)
    assert m is not None
    assert side_of(m) is side


def test_people_behind_a_use_and_a_dash_stay_with_its_doses(label):
    table, words = grid(
        ("Indication", "Initial Dose"),
        ("Bipolar mania- adults, monotherapy or as an adjunct to lithium", "50 mg twice daily"),
        ("Bipolar mania - adults, as an adjunct to warfarin", "40 mg twice daily"),
    )
    one, other = told(label, table, words, "treatment of bipolar mania")
    assert (one[0], one[1], one[3]) == ("50 mg x2", "Bipolar mania", {"age 18- a"})
    assert (other[1], "age 18- a" in other[3]) == ("Bipolar mania", True)
    assert any(x.startswith("comedication") for x in other[3])


def test_a_band_says_more_closely_what_children_are_meant(label):
    table, words = grid(("Population", "Dose"), ("Children and adolescents (10 to 17 years)", "25 mg twice daily"))
    assert doses(told(label, table, words)) == [("25 mg x2", {"age 10-17 a"})]


@pytest.mark.parametrize("who", ["patients on hemodialysis", "hemodialysis and CAPD"])
def test_people_that_a_cell_includes_narrow_nothing(label, who):
    table, words = grid(("eGFR (mL/min/1.73 m2)", "Dose"), (f"End stage renal disease (less than 15), including {who}", "25 mg once daily"))
    ((_, conditions),) = doses(told(label, table, words))
    assert not any("dialysis" in c for c in conditions)


@pytest.mark.parametrize(
    "note",
    [
        "If dose reduction below 200 mg/day is required, discontinue.",
        "If a further dose reduction is needed, stop the drug.",
        "Permanently discontinue in patients who cannot tolerate 200 mg/day.",
    ],
)
def test_what_follows_the_last_rung_is_no_condition_of_it(label, note):
    rows = (("Dose Level", "Dose"), ("First dose reduction", "200 mg/day*"), ("Starting dose", "400 mg/day"))
    table, words = grid(*rows)
    table = table.replace("</tbody>", f'</tbody><tfoot><tr><td colspan="2">* {note}</td></tr></tfoot>')
    found = doses(told(label, table, f"{words} * {note}"))
    assert ("200 mg", {"other Dose Level: First dose reduction"}) in found


def test_a_dose_after_dialysis_in_a_footnote_is_a_rule_of_its_row(label):
    table, words = grid(("Creatinine Clearance (mL/min)", "Dosage"), ("ESRD patients using dialysis", "500 mg once daily*"), ("50 to 80", "700 mg once daily"))
    note = "Following dialysis, a 250 mg supplemental dose is recommended."
    table = table.replace("</tbody>", f'</tbody><tfoot><tr><td colspan="2">* {note}</td></tr></tfoot>')
    found = doses(told(label, table, f"{words} * {note}"))
    assert any(d.startswith("250 mg") and "dialysis dialysis" in c for d, c in found)


def test_a_column_of_comments_names_no_patients(label):
    table, words = grid(("Weight (kg)", "Clinical Comment", "Dose"), ("10 to 20", "Patients with renal impairment should be watched", "5 mg once daily"))
    assert doses(told(label, table, words)) == [("5 mg x1", {"weight 10-20 kg"})]


def test_of_two_bands_that_are_alike_one_is_told_and_of_two_within_each_other_the_closer():
    children = Interval(Axis.AGE, None, 18, "a", high_open=True, term="children")
    pediatric = Interval(Axis.AGE, None, 18, "a", high_open=True, term="pediatric patients")
    closer = Interval(Axis.AGE, 10, 17, "a")

    def left(*guards):
        return [r.guard for r in consistent([Restriction(g, 0, 1) for g in guards])]

    assert left(children, pediatric) == [children]
    assert left(children, closer, pediatric) == [closer]
    listed = AllOf((Interval(Axis.AGE, 1, None, "mo"), pediatric))
    assert left(children, listed) == [listed]


def test_the_strengths_that_make_up_a_dose_are_no_doses(label):
    table, words = grid(
        ("Body Surface Area (m2)", "Dosage", "Dosage Form and Strength to Achieve Recommended Dosage"),
        ("0.81 to 0.97", "200 mg twice daily", "Pellets: 1 x 50 mg + 1 x 150 mg"),
    )
    assert doses(told(label, table, words)) == [("200 mg x2", {"bsa 0.81-0.97 m2"})]


def test_a_mark_of_a_footnote_before_a_bracket_of_products_is_no_obstacle():
    (phrase,) = read_doses("100 mg/day a (one 100-mg capsule)")
    assert phrase.amounts[0].low == 100


def test_what_a_group_says_beside_its_use_does_not_hold_for_a_row_with_a_use_of_its_own(label):
    table, words = grid(
        ("Indication", "Dose"),
        (("Three-drug scheme against hypertension", 2),),
        ("Triple therapy", "20 mg twice daily"),
        ("Reflux disease", "30 mg once daily"),
    )
    found = told(label, table, words, "treatment of hypertension and reflux disease")
    assert [(d, u, c) for d, u, _, c in found if d.startswith("30")] == [("30 mg x1", "Reflux disease", set())]


def test_the_name_of_a_column_of_weights_says_whose_they_are(label):
    rows = (("Body Weight of Pediatric Patient", "Dose (once weekly)"), ("10 kg to less than 25 kg", "50 mg"))
    table, words = grid(*rows)
    assert doses(told(label, table, words)) == [("50 mg x1", {"weight 10-<25 kg", "age -<18 a"})]
    table, words = grid(*rows, caption="Table 1. Dosage in Adults with Arthritis")
    assert told(label, table, words) == []


def test_adults_and_children_from_an_age_in_months_are_one_band(label):
    table, words = grid(
        ("Age and Body Weight", "Recommended Initial Dosage"),
        ("Adults (17 years and older)", "150 mg/day"),
        ("Pediatric patients weighing 30 kg or more", "2.5 mg/kg/day"),
        caption="Table 1. Recommended Dosage for Adults and Pediatric Patients 1 Month and Older",
    )
    one, other = doses(told(label, table, words))
    assert one == ("150 mg", {"age 1- mo", "age 17- a"})
    assert other == ("2.5 mg", {"age 1- mo", "age -<18 a", "weight 30- kg"})


def test_an_empty_frequency_is_that_of_the_row_above_in_its_group(label):
    table, words = grid(
        ("Population", "Dose", "Frequency", "Duration"), ("15 kg to less than 40 kg", "20 mg", "Once daily", "10 days"), ("40 kg and more", "40 mg", "", "")
    )
    made = label(f"{OPENS} {words}", SECTION, tables=(table,))
    assert [d for d, _ in doses(told(label, table, words))] == ["20 mg x1", "40 mg x1"]
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    lasting = [p.duration_days_low for d in table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon) for p in d.payload.phases]
    assert lasting == [10, None]


def test_a_heading_over_rows_that_the_indications_have_word_for_word_is_their_use(label):
    table, words = grid(("Population", "Dose"), (("Maintenance of Healing of Oesophageal Erosions (2.1)", 2),), ("Adults", "20 mg once daily"))
    (found,) = told(label, table, words, "it is used for the maintenance of healing of oesophageal erosions in adults")
    assert (found[1], found[3]) == ("Maintenance of Healing of Oesophageal Erosions", {"age 18- a"})


def test_numbers_under_the_name_of_a_week_are_steps_beside_the_sum_of_the_day(label):
    table, words = grid(
        ("Week", "Dosage", "Total Daily Dose"),
        ("1", "0.25 mg 3 times daily", "0.75 mg"),
        ("2", "0.5 mg 3 times daily", "1.5 mg"),
        ("3", "1 mg 3 times daily", "3 mg"),
    )
    assert [d for d, _ in doses(told(label, table, words))] == ["0.25 mg x3", "0.5 mg x3", "1 mg x3"]


def test_numbers_under_another_name_are_no_steps(label):
    table, words = grid(("Group", "Dosage"), ("1", "5 mg once daily"), ("2", "10 mg once daily"))
    assert all("x1" in d and c for d, c in doses(told(label, table, words)))


def test_equal_doses_of_the_morning_and_the_evening_are_given_twice_a_day(label):
    rows = (("", "Morning Dose", "Evening Dose"), ("Week 1", "25 mg", "25 mg"))
    table, words = grid(*rows, ("Week 2", "50 mg", "50 mg"))
    assert doses(told(label, table, words)) == [("25 mg x2", set()), ("50 mg x2", set())]
    table, words = grid(*rows, ("Week 2", "25 mg", "50 mg"))
    assert told(label, table, words) == []


def test_that_a_dose_is_for_the_night_is_no_condition(label):
    table, words = grid(("Week", "Dose once daily 1 to 3 hours before bedtime"), ("1", "0.25 mg"), ("2", "0.5 mg"))
    assert [c for _, c in doses(told(label, table, words))] == [set(), set()]


def test_regimens_side_by_side_lend_the_sum_of_the_day_how_often_its_parts_are_given(label):
    table, words = grid(
        ("Creatinine Clearance (mL/min)", "Total Daily Dose Range (mg/day)", ("Dose Regimen (mg)", 3)),
        ("at least 60", "900 to 3600", "300 TID", "600 TID", "1200 TID"),
        (">30 to 59", "400 to 1400", "200 BID", "400 BID", "700 BID"),
    )
    assert doses(told(label, table, words)) == [("900-3600 mg x3", {"crcl 60- mL/min"}), ("400-1400 mg x2", {"crcl >30-59 mL/min"})]


def test_doses_side_by_side_under_one_name_are_the_range_of_the_row(label):
    table, words = grid(
        ("Creatinine Clearance (mL/min)", ("Total Daily Dose (mg/day)", 4), "Dose Regimen"),
        ("at least 60", "150", "300", "450", "600", "BID or TID"),
        ("15 to 30", "25 to 50", "75", "100 to 150", "150", "QD or BID"),
    )
    one, other = doses(told(label, table, words))
    assert one[0].startswith("150-600 mg x2")
    assert other[0].startswith("25-150 mg x1")
    assert (one[1], other[1]) == ({"crcl 60- mL/min"}, {"crcl 15-30 mL/min"})


def test_doses_side_by_side_of_which_one_is_not_read_give_nothing(label):
    table, words = grid(
        ("Creatinine Clearance (mL/min)", ("Total Daily Dose (mg/day)", 3)), ("at least 60", "150", "see text", "450"), ("15 to 30", "25", "75", "100")
    )
    assert [d for d, _ in doses(told(label, table, words))] == ["25-100 mg"]


def test_the_unit_in_the_brackets_of_a_name_wins_over_the_form_before_it(label):
    table, words = grid(("Creatinine Clearance (mL/min)", "Recommended Capsules Initial Dose (mg/kg once daily)"), ("at least 60", "15"))
    assert [d for d, _ in doses(told(label, table, words))] == ["15 mg x1"]


def test_what_another_band_gets_in_proportion_is_no_condition(label):
    table, words = grid(("Creatinine Clearance (mL/min)", "Dose"), ("15", "100 mg once daily*"), ("16 to 30", "200 mg once daily"))
    note = "For patients with creatinine clearance below 15 mL/min, reduce daily dose in proportion to creatinine clearance."
    table = table.replace("</tbody>", f'</tbody><tfoot><tr><td colspan="2">* {note}</td></tr></tfoot>')
    assert ("100 mg x1", {"crcl 15-15 mL/min"}) in doses(told(label, table, f"{words} * {note}"))


def test_a_table_whose_columns_are_bands_is_read_by_its_columns(label):
    table, words = grid(
        (("Quantity to be given by weight", 4),),
        ("Patient weight (kg)", "<50 kg", "50 kg to 59 kg", "≥60 kg"),
        ("Quantity (units)", "5,500 units", "6,500 units", "7,500 units"),
        ("Volume (mL)", "0.22 mL", "0.26 mL", "0.3 mL"),
        heads=0,
    )
    assert doses(told(label, table, words)) == [
        ("5500 unit", {"weight -<50 kg"}),
        ("6500 unit", {"weight 50-59 kg"}),
        ("7500 unit", {"weight 60- kg"}),
    ]


def test_degrees_over_bands_are_told_by_the_bands(label):
    table, words = grid(
        ("", "Normal", "Moderate"), ("Creatinine Clearance (mL/min)", "≥80", "30-49"), ("Dosage Schedule", "5 mg/kg once daily", "2.5 mg/kg every 36 hours")
    )
    assert doses(told(label, table, words)) == [("5 mg x1", {"crcl 80- mL/min"}), ("2.5 mg q36h", {"crcl 30-49 mL/min"})]


def test_names_of_people_over_bands_keep_a_table_as_it_is(label):
    table, words = grid(("", "Adults", "Children"), ("Weight (kg)", "50 to 80", "10 to 20"), ("Dose", "50 mg once daily", "20 mg once daily"))
    assert not any("weight 50-80 kg" in c for _, c in doses(told(label, table, words)))


def test_strengths_under_a_name_of_a_reduction_are_no_doses(label):
    table, words = grid(
        ("Weight (kg)", ("First Dose Reduction", 2), ("Second Dose Reduction", 2)),
        ("", "Dosage", "Dosage Form and Strength to Achieve It", "Dosage", "Dosage Form and Strength to Achieve It"),
        ("10 to 20", "90 mg twice daily", "2 x 20 mg + 1 x 50 mg", "70 mg twice daily", "1 x 20 mg + 1 x 50 mg"),
        heads=2,
    )
    assert [d for d, _ in doses(told(label, table, words))] == ["90 mg x2", "70 mg x2"]


def test_how_long_in_a_column_without_a_name_is_no_condition(label):
    table, words = grid(
        ("Adults with plaque", "5 mg once daily", "Until it clears or is not tolerated"), ("Children with plaque", "2 mg once daily", "Up to one year"), heads=0
    )
    assert not any("clears" in c or "year" in c for _, found in doses(told(label, table, words)) for c in found)
    assert [d for d, _ in doses(told(label, table, words))] == ["5 mg x1", "2 mg x1"]


def test_a_caption_that_adds_people_to_those_above_it_widens_them(label):
    table, words = grid(
        ("Indication", "Dose"), ("Hypertension", "40 mg once daily"), caption="Table 1. Dosage in Adult and Pediatric Patients 40 kg and Greater"
    )
    made = label(f"2 DOSAGE AND ADMINISTRATION 2.1 Recommended Dosage in Adults {words}", SECTION, tables=(table,))
    reading = read_section(made.document.section(SECTION), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients))
    drafts = list(table_drafts(reading, scopes_of(reading, made.lexicon), made.lexicon))
    whom = [conditions_of(joined(d.limits), lambda e: e.code) for d in drafts]
    assert any({_condition(c) for c in when} >= {"age -<18 a", "weight 40- kg"} for found in whom for when in found)


def test_only_a_list_of_people_widens_those_above_it():
    children = Interval(Axis.AGE, 3, 18, "a", high_open=True, term="pediatric patients")
    heavy = AllOf((children, Interval(Axis.WEIGHT, 40, None, "kg")))
    adults = Interval(Axis.AGE, 18, None, "a", term="adults")
    outer = Restriction(children, 0, 1)
    assert not is_widened(outer, [Restriction(AnyOf((children, Opaque("genotype 2"))), 2, 3)])
    assert is_widened(Restriction(adults, 0, 1), [Restriction(AnyOf((Interval(Axis.AGE, 18, None, "a", term="adult"), heavy)), 2, 3)])
