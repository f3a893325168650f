from __future__ import annotations

from decimal import Decimal

import pytest

from ontology.model.dosing import Amount, AmountBasis, Frequency, Measure, PhaseKind
from ontology.text.doses import DosePhrase, read_doses
from ontology.text.offsets import fold


def plain(number: Decimal | None) -> str:
    return "" if number is None else format(number.normalize(), "f")


def of_amount(amount: Amount) -> str:
    """An amount in short: `5-10 mg/kg/day cap 400`."""
    if amount.formula is not None:
        return amount.formula
    number = "|".join(plain(c) for c in amount.choices) or (plain(amount.low) if amount.low == amount.high else f"{plain(amount.low)}..{plain(amount.high)}")
    over = {AmountBasis.PER_KG: "/kg", AmountBasis.PER_M2: "/m2"}.get(amount.basis, "")
    per = "" if amount.per.value == "dose" else f"/{amount.per.value}"
    cap = "" if amount.cap is None else f" cap {plain(amount.cap)}"
    part = "" if amount.fraction_of is None else f" of {amount.fraction_of.value}"
    return f"{number} {amount.unit}{over}{per}{cap}{part}"


def of_frequency(frequency: Frequency | None) -> str:
    """How often in short: `2/1d`, `q8h`, `prn`."""
    if frequency is None:
        return ""
    out = []
    if frequency.times_low is not None:
        times = plain(frequency.times_low) if frequency.times_low == frequency.times_high else f"{plain(frequency.times_low)}-{plain(frequency.times_high)}"
        out.append(f"{times}/{plain(frequency.period_days)}d")
    if frequency.every_hours_low is not None:
        alone = frequency.every_hours_high in (None, frequency.every_hours_low)
        out.append(f"q{plain(frequency.every_hours_low)}h" if alone else f"q{plain(frequency.every_hours_low)}-{plain(frequency.every_hours_high)}h")
    return " ".join([*out, *(["prn"] if frequency.as_needed else [])])


def said(phrase: DosePhrase) -> str:
    """A phrase in short: amounts, how often, ceiling or step."""
    parts = [" or ".join(of_amount(a) for a in phrase.amounts), of_frequency(phrase.frequency)]
    if phrase.rate is not None:
        parts.append(f"rate {of_amount(phrase.rate)}")
    if phrase.bound is not None:
        parts.append(f"max {phrase.bound.value}")
    return " ".join(p for p in [*parts, "step" if phrase.increment else ""] if p)


def read(sentence: str) -> list[str]:
    return [said(p) for p in read_doses(fold(sentence).text)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Give 5 mg to 10 mg.", ["5..10 mg"]),
        ("Give 5-10 mg once daily.", ["5..10 mg 1/1d"]),
        ("Start at 5 or 10 mg once daily.", ["5|10 mg 1/1d"]),
        ("Use 10, 20, or 40 mg once a day.", ["10|20|40 mg 1/1d"]),
        ("The dose is 1,000 mg/m 2 or 1,250 mg/m 2 twice daily.", ["1000|1250 mg/m2 2/1d"]),
        ("Take between 5 and 10 mg.", ["5..10 mg"]),
        ("Give 250 mg to 1 g every 6 hours.", ["0.25..1 g q6h"]),
        ("Give 2 mg to 4 mg/kg twice a day.", ["2..4 mg/kg 2/1d"]),
        ("Inject 2.4 million units once.", ["2400000 [USP'U]"]),
        ("Take one and one-half tablets daily.", ["1.5 {tbl} 1/1d"]),
        ("Take 1½ tablets daily.", ["1.5 {tbl} 1/1d"]),
        ("Take two (2) capsules twice daily.", ["2 {capsule} 2/1d"]),
        ("Give 10 mg per kilogram of ideal body weight per day.", ["10 mg/kg/day"]),
        ("Give 6 mg/kg of body weight per 24 hours in four divided doses.", ["6 mg/kg/day 4/1d"]),
        ("Give 30 mg per square meter per week.", ["30 mg/m2/week"]),
        ("Dose at AUC 5 every 3 weeks.", ["5 mg/mL.min 1/21d"]),
        ("Take 20 mg/5 mg once daily.", ["20 mg/5 mg 1/1d"]),
    ],
)
def test_amounts_are_read_as_printed(sentence: str, expected: list[str]) -> None:
    assert read(sentence) == expected


def test_the_weight_that_a_dose_is_counted_on_is_kept() -> None:
    (phrase,) = read_doses("Give 10 mg/kg ideal body weight every 24 hours.")
    assert phrase.amounts[0].weight == "ideal"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Take 40 mg (two 20 mg tablets) daily.", ["40 mg 1/1d"]),
        ("Take 24 mg given as three 8 mg tablets daily.", ["24 mg 1/1d"]),
        ("Take one or two 100 mg tablets daily.", ["100|200 mg 1/1d"]),
        ("Take two 15 mg tablets daily.", ["30 mg 1/1d"]),
        ("Give 10 mL (20 mg) twice daily.", ["20 mg 2/1d"]),
        ("Take 2 tablets (500 mg each) twice daily.", ["2 {tbl} 2/1d"]),
        ("Take one tablet (50 mg of this and 20 mg of that) daily.", ["1 {tbl} 1/1d"]),
        ("Give 1 mg/kg every 8 hours (3 mg/kg/day).", ["1 mg/kg q8h"]),
        ("Give 6 mg/kg/day (2 mg/kg every 8 hours).", ["6 mg/kg/day q8h", "2 mg/kg q8h"]),
        ("Give 60 mg (1 mg/kg) every 16 hours.", ["60 mg q16h", "1 mg/kg q16h"]),
        ("Take two tablets (648 mg; 403 mg of base) every 8 hours.", ["648 mg q8h"]),
        ("Take 2 inhalations of the inhaler 1.25 mcg once daily.", ["2 {puff} 1/1d"]),
        ("Take one tablet of this drug 10 mg daily.", ["10 mg 1/1d"]),
        ("Inject 7.4 GBq (200 mCi) every 6 weeks.", ["7.4 GBq 1/42d"]),
    ],
)
def test_one_dose_said_twice_is_one_dose(sentence: str, expected: list[str]) -> None:
    assert read(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Tablets are available as 10 mg tablets.",
        "The suspension holds 125 mg/5 mL.",
        "Each vial contains 500 mg.",
        "One tablet contains 400 mg of one, 100 mg of another, and 100 mg of a third.",
        "Serum creatinine above 2 mg/dL was seen.",
        "Keep trough levels near 12 mcg/mL.",
        "Dilute in 100 mL of 0.9% sodium chloride.",
        "Reconstitute the powder with 10 mL of sterile water.",
        "A clearance of 30 mL/min is low.",
        "Patients who have been taking 80 mg daily may go on.",
        "If the previous dose was 20 mg, go on as before.",
        "Infants weighing less than 1500 g need care.",
        "Infants with a weight of 1500 g need care.",
        "Infuse slowly where the creatinine clearance is 30 mL/min.",
        "Reconstitute the powder with 10 mL.",
        "Give it in three doses (total 2000 mg).",
        "Go on after a minimum of 4 weeks at 16 mg/day.",
        "If the total daily dose exceeds 300 mg, ask the physician.",
        "Those unable to tolerate 15 mg twice daily should stop.",
        "Patients not responding to 60 mg should see a specialist.",
        "The mean dose in the trial was 5.5 mcg/kg.",
        "The area under the curve AUC 0-24 rose.",
        "A dose of 500 mg once daily is as effective as 250 mg twice daily.",
        "The dose intensity of 45 mg/m2/week was kept.",
        "If a daily dose of 40 mg does not help, stop.",
        "A dose of 5% of patients failed in 3 studies.",
        "Split the 15 mg tablet along the line.",
        "The first dose follows after 2 doses of vaccine.",
    ],
)
def test_numbers_that_are_no_doses_are_left_alone(sentence: str) -> None:
    assert [p for p in read_doses(fold(sentence).text) if p.bound is None] == []


@pytest.mark.parametrize("sentence", ["Reduce the dose by 50% or more.", "Reduce the dose by at least 50%."])
def test_a_part_or_more_is_at_least_that_part(sentence: str) -> None:
    (phrase,) = read_doses(fold(sentence).text)
    assert phrase.amounts[0].basis is AmountBasis.FRACTION
    assert phrase.amounts[0].low == Decimal("0.5")


def test_an_amount_or_more_is_no_dose() -> None:
    assert read_doses(fold("Those who need 40 mg or more a day.").text) == []


def test_a_bracket_of_products_is_no_dose_and_hides_no_frequency() -> None:
    assert read("Take 800 mg (2 x 400 mg) twice daily.") == ["800 mg 2/1d"]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Do not exceed 20 mg once daily.", ["20 mg 1/1d max day"]),
        ("The maximum dose for adults with a long list of conditions as named in the table above is 20 mg per day.", ["20 mg/day max day"]),
        ("Doses above 400 mg per day have not been studied.", ["400 mg/day max day"]),
        ("Do not take more than 8 tablets in 24 hours.", ["8 {tbl}/day max day"]),
        ("The maximum single dose is 25 mg.", ["25 mg max single"]),
        ("The lifetime dose should not exceed 550 mg/m2.", ["550 mg/m2 max lifetime"]),
        ("Do not exceed 30 mg weekly.", ["30 mg 1/7d max week"]),
        ("The weekly dose should not exceed 30 mg.", ["30 mg/week max week"]),
        ("Up to 30 mg a week may be given.", ["30 mg/week max week"]),
        ("In any 24-hour period, take no more than 4 tablets.", ["4 {tbl} max day"]),
        ("In any week no more than 3 tablets may be taken.", ["3 {tbl} max week"]),
        ("Infuse no faster than directed; the rate should not exceed 50 mg/min.", ["rate 50 mg/min max rate"]),
        ("Doses up to 5 mg/kg/day may be given in three or four equal doses.", ["5 mg/kg/day 3-4/1d max day"]),
        ("An 80 mg daily dosage is restricted to those who took it for years.", ["80 mg/day max day"]),
        ("A dose of 10 mg/day should not be exceeded.", ["10 mg/day max day"]),
        ("Daily doses exceeding 4 mg should be reserved for the worst cases.", []),
        ("There is no evidence that doses above 3 g/day help.", ["3 g/day max day"]),
        ("Do not exceed 20 mg once daily (or 40 mg once daily in some).", ["20 mg 1/1d max day", "40 mg 1/1d max day"]),
    ],
)
def test_ceilings_say_what_they_bound(sentence: str, expected: list[str]) -> None:
    assert read(sentence) == expected


def test_a_ceiling_behind_an_amount_per_kg_is_its_cap() -> None:
    assert read("Give 10 mg/kg up to 400 mg every 6 hours.") == ["10 mg/kg cap 400 q6h"]
    assert read("Give 15 mg/kg (maximum 2 g) every 8 hours.") == ["15 mg/kg cap 2000 q8h"]


def test_a_ceiling_on_the_rate_is_no_cap() -> None:
    assert read("Give 15 mg/kg (maximum 50 mg/min).") == ["15 mg/kg", "rate 50 mg/min max rate"]


def test_a_cap_in_words_of_its_own_is_a_ceiling_too() -> None:
    assert read("Give 1 mg/kg once daily, but the first dose should not exceed 50 mg once daily.") == ["1 mg/kg cap 50 1/1d", "50 mg 1/1d max day"]


def test_a_daily_ceiling_is_no_cap_of_a_dose_given_several_times_a_day() -> None:
    assert read("Give 15 mg/kg every 6 hours (maximum 4 g/day).") == ["15 mg/kg q6h", "4 g/day max day"]


def test_ceilings_on_time() -> None:
    (longest,) = read_doses("Treatment should not exceed 14 days.")
    assert (longest.bound, longest.days_high) == (Measure.DURATION, Decimal(14))
    (apart,) = read_doses("Take doses at least 6 hours apart.")
    assert apart.bound is Measure.MINIMUM_INTERVAL
    assert apart.frequency is not None
    assert apart.frequency.every_hours_low == 6


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Reduce the dose by 25%.", "0.75 1 of current"),
        ("Give half the usual dose.", "0.5 1 of usual"),
        ("Give one-half the usual dose.", "0.5 1 of usual"),
        ("Use 75% of the starting dose.", "0.75 1 of rule"),
        ("The dose in these patients should be reduced by one-third.", "0.6667 1 of current"),
        ("A 50% dose reduction is advised.", "0.5 1 of current"),
        ("Reduce the dose by 30% to 50%.", "0.5..0.7 1 of current"),
        ("Increase the dose by 50%.", "1.5 1 of current"),
        ("Double the dose every two weeks.", "2 1 of current 1/14d step"),
    ],
)
def test_parts_of_another_dose_are_factors(sentence: str, expected: str) -> None:
    assert read(sentence) == [expected]


@pytest.mark.parametrize(
    "sentence",
    ["Exposure fell by 50% when the dose was kept.", "Clearance is reduced by 40%.", "34% of patients had a dose delay.", "In 34% geriatric dosing was kept."],
)
def test_percentages_of_other_things_are_no_factors(sentence: str) -> None:
    assert read(sentence) == []


def test_steps_of_titration_are_increments_with_a_sign() -> None:
    assert read("Increase by 25 mg every 3 days.") == ["25 mg 1/3d step"]
    assert read("Give 5 mcg daily, with a 5 mcg increase every 3 days.") == ["5 ug 1/1d", "5 ug 1/3d step"]
    assert [p.phase for p in read_doses("Increase by 25 mg; taper by 5 mg.")] == [PhaseKind.TITRATION, PhaseKind.TAPER]
    assert read("Taper the dose by 5 mg per week.") == ["-5 mg/week step"]
    assert read("The dose may be increased 5 mg per day.") == ["5 mg/day step"]
    assert read("Increase by 0.5 mcg/kg/min every 5 minutes.")[0].endswith("step")
    assert read("Titrate in 5-mg increments at weekly intervals.") == ["5 mg 1/7d step"]


def test_phases_are_named_by_the_words_at_the_amount() -> None:
    text = "Start with a single 300 mg loading dose and then continue at 75 mg once daily; reduce to 50 mg daily if needed."
    assert [p.phase for p in read_doses(text)] == [PhaseKind.LOADING, PhaseKind.MAINTENANCE, PhaseKind.ADJUSTED]


def test_timing_goes_to_the_amount_it_follows() -> None:
    assert read("Take 30 mg once, then 15 mg twice daily for 5 days.") == ["30 mg", "15 mg 2/1d"]
    assert read("Give 50 mg every 12 hours, or 100 mg every 24 hours.") == ["50 mg q12h", "100 mg q24h"]


def test_a_list_of_amounts_shares_the_timing_behind_it() -> None:
    assert read("Go on to 2 mg, 4 mg, and 6 mg twice daily.") == ["2 mg 2/1d", "4 mg 2/1d", "6 mg 2/1d"]


def test_intervals_of_titration_are_not_how_often_a_dose_is_given() -> None:
    (phrase,) = read_doses("Increase at intervals of 2 weeks to 40 mg.")
    assert phrase.frequency is None


def test_monitoring_is_not_how_often_a_dose_is_given() -> None:
    (phrase,) = read_doses("Give 40 mg and monitor blood counts weekly.")
    assert phrase.frequency is None


def test_route_and_rate_go_with_the_dose() -> None:
    (phrase,) = read_doses("Give 15 mg/kg intravenously every 12 hours at 10 mg/min.")
    assert phrase.route == "intravenous"
    assert phrase.rate is not None
    assert phrase.rate.unit == "mg/min"


def test_a_heading_that_names_a_site_is_no_route() -> None:
    (phrase,) = read_doses("Vaginal Atrophy Take one 60 mg tablet once daily.")
    assert phrase.route is None


def test_an_infusion_after_a_bolus_stands_alone() -> None:
    bolus, infusion = read_doses("Give 25 mcg/kg and then infuse 0.1 mcg/kg/min.")
    assert (bolus.rate, infusion.amounts) == (None, ())


def test_an_infusion_given_as_a_rate_alone_has_no_amounts() -> None:
    (phrase,) = read_doses("Infuse at 5 mcg/kg/min.")
    assert phrase.amounts == ()
    assert phrase.rate is not None
    assert (phrase.rate.unit, phrase.rate.basis) == ("ug/min", AmountBasis.PER_KG)


def test_cells_of_a_row_stay_apart() -> None:
    assert read("10 mg | twice daily | 20 mg once daily") == ["10 mg", "20 mg 1/1d"]
