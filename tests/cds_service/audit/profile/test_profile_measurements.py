"""The latest plausible value, in the unit asked for, or unknown with the reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from audit_builders import asked, chart, measured, number, prescribed, problem

from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import Measurement, Retrieval, Source
from ontology.model.analytes import convert
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.guards import Interval, Truth
from ontology.model.identifiers import Code
from ontology.model.quantities import Unit, quantity


def of(*rows: Measurement, retrieval: Retrieval = Retrieval.FOUND) -> Measurements:
    return Measurements.of(prescribed(measurements=rows, retrieval={"observations": retrieval}))


def reason(fact: Known | Unknown) -> UnknownReason:
    assert isinstance(fact, Unknown), fact
    return fact.reason


def test_grams_are_kilograms() -> None:
    assert number(of(measured("29463-7", "3500", "g")).weight(False)) == Decimal("3.5")


def test_an_implausible_weight_is_passed_over_for_the_last_plausible_one() -> None:
    rows = (measured("29463-7", "7200", "kg"), measured("29463-7", "72", "kg", day=date(2026, 10, 1)))
    assert number(of(*rows).weight(True)) == 72
    assert reason(of(rows[0]).weight(True)) is UnknownReason.IMPLAUSIBLE


def test_a_childs_old_weight_is_stale_an_adults_is_not() -> None:
    old = measured("29463-7", "20", "kg", day=date(2026, 3, 1))
    assert reason(of(old).weight(False)) is UnknownReason.STALE
    assert number(of(measured("29463-7", "70", "kg", day=date(2026, 3, 1))).weight(True)) == 70


@pytest.mark.parametrize(
    ("state", "why"),
    [(Retrieval.NOT_RETRIEVED, UnknownReason.NOT_RETRIEVED), (Retrieval.INCOMPLETE, UnknownReason.INCOMPLETE), (Retrieval.FOUND, UnknownReason.NOT_RECORDED)],
)
def test_absence_says_how_the_list_came(state: Retrieval, why: UnknownReason) -> None:
    assert reason(of(retrieval=state).weight(True)) is why


def test_a_lab_by_loinc_and_by_the_labels_word() -> None:
    rows = of(measured("2823-3", "5.8", "mmol/L"))
    for named in ("potassium", "Serum potassium", "2823-3"):
        assert number(rows.lab(named, Unit.of("mmol/L"))) == Decimal("5.8")
    assert number(rows.lab("potassium", Unit.of("meq/L"))) == Decimal("5.8")


def test_a_bound_is_no_value() -> None:
    row = measured("98979-8", "15", "mL/min/{1.73_m2}", comparator="<")
    assert reason(of(row).lab("egfr", Unit.of("mL/min/{1.73_m2}"))) is UnknownReason.TOO_BROAD


def test_creatinine_converts_by_its_molar_mass() -> None:
    fact = of(measured("2160-0", "177", "umol/L")).lab("creatinine", Unit.of("mg/dL"))
    assert Decimal("1.99") < number(fact) < Decimal("2.01")


def test_units_that_do_not_convert_are_no_number() -> None:
    assert convert(quantity("5", "mmol/L"), Unit.of("mg/dL"), None) is None
    assert reason(of(measured("1988-5", "8", "mmol/L")).lab("crp", Unit.of("mg/L"))) is UnknownReason.IMPLAUSIBLE


def test_a_result_no_patient_has_is_no_value() -> None:
    assert reason(of(measured("2823-3", "45", "mmol/L")).lab("potassium", Unit.of("mmol/L"))) is UnknownReason.IMPLAUSIBLE
    assert number(of(measured("2345-7", "5.5", "mmol/L")).lab("glucose", Unit.of("mg/dL"))) > 99


def test_the_name_counts_only_without_a_code() -> None:
    urine = Measurement(Code("loinc", "2828-2"), "Potassium", quantity("80", "mmol/L"), None, None, Source("Observation/u", date(2026, 11, 1), "observations"))
    plain = Measurement(None, "Potassium", quantity("4.1", "mmol/L"), None, None, Source("Observation/p", date(2026, 10, 1), "observations"))
    assert number(of(urine, plain).lab("potassium", Unit.of("mmol/L"))) == Decimal("4.1")


def test_an_uncoded_share_is_no_count() -> None:
    share = Measurement(None, "Neutrophils", quantity("60", "%"), None, None, Source("Observation/s", date(2026, 11, 1), "observations"))
    count = Measurement(None, "Neutrophils", quantity("1.2", "10*3/uL"), None, None, Source("Observation/c", date(2026, 10, 1), "observations"))
    assert number(of(share, count).lab("neutrophil", Unit.of("/uL"))) == 1200
    assert reason(of(share).lab("neutrophils", Unit.of("/uL"))) is UnknownReason.IMPLAUSIBLE


@pytest.mark.parametrize(
    ("bound", "value", "asked_above", "expected"),
    [("<", "0.3", "0.5", Truth.FALSE), ("<", "0.3", "0.2", Truth.UNKNOWN), (">", "500", "400", Truth.TRUE), (">=", "400", "400", Truth.TRUE)],
)
def test_a_bound_decides_where_all_of_it_does(bound: str, value: str, asked_above: str, expected: Truth) -> None:
    rows = (measured("2160-0", value, "mg/dL", comparator=bound),)
    assert asked(Interval(Axis.SCR, Decimal(asked_above), None, "mg/dL"), measurements=rows).truth is expected


def with_range(row: Measurement, upper: str, unit: str) -> Measurement:
    return replace(row, upper=quantity(Decimal(upper), unit))


def test_multiples_of_the_upper_limit_use_the_results_own_range() -> None:
    fact = of(with_range(measured("1742-6", "180", "U/L"), "60", "U/L")).lab("alt", Unit.of("{ULN}"))
    assert number(fact) == 3
    assert isinstance(fact, Known)
    assert not fact.approximated


def test_without_a_range_the_usual_limit_stands_in_and_says_so() -> None:
    fact = of(measured("1742-6", "180", "U/L")).lab("ALT", Unit.of("{ULN}"))
    assert number(fact) == Decimal("4.5")
    assert isinstance(fact, Known)
    assert fact.approximated


@pytest.mark.parametrize(("detail", "expected"), [("AST or ALT", "5"), ("alt and/or ast", "5"), ("ast and alt", "1"), ("transaminases", "5")])
def test_of_two_tests_the_one_that_decides_counts(detail: str, expected: str) -> None:
    rows = of(measured("1742-6", "40", "U/L"), measured("1920-8", "200", "U/L"))
    assert number(rows.lab(detail, Unit.of("{ULN}"))) == Decimal(expected)


def test_one_of_two_tests_decides_only_what_it_can() -> None:
    rows = (measured("1742-6", "200", "U/L"),)
    assert asked(Interval(Axis.LAB, Decimal(3), None, "{ULN}", detail="ast or alt"), measurements=rows).truth is Truth.TRUE
    open_ = asked(Interval(Axis.LAB, Decimal(8), None, "{ULN}", detail="ast or alt"), measurements=rows)
    assert (open_.truth, open_.needs) == (Truth.UNKNOWN, frozenset({"lab:ast"}))


@pytest.mark.parametrize("unit", ["1", "{INR}"])
def test_an_inr_has_no_unit(unit: str) -> None:
    assert number(of(measured("6301-6", "2.4", unit)).lab("INR", Unit.of("{INR}"))) == Decimal("2.4")


def test_an_ejection_fraction_may_be_a_share_of_one() -> None:
    assert number(of(measured("10230-1", "0.25", "1")).lab("LVEF", Unit.of("%"))) == 25


@pytest.mark.parametrize(
    ("loinc", "value", "unit", "name", "asked_unit", "expected"),
    [
        ("2823-3", "15.64", "mg/dL", "potassium", "mmol/L", "4.0"),
        ("19123-9", "0.82", "mmol/L", "magnesium", "mg/dL", "1.99"),
        ("718-7", "121", "g/L", "hemoglobin", "g/dL", "12.1"),
        ("751-8", "950", "/uL", "absolute neutrophil count", "10*9/L", "0.95"),
        ("777-3", "84", "10*9/L", "platelets", "/uL", "84000"),
        ("1975-2", "51.3", "umol/L", "total bilirubin", "mg/dL", "3.0"),
        ("2345-7", "10.0", "mmol/L", "glucose", "mg/dL", "180.2"),
        ("17861-6", "2.5", "mmol/L", "calcium", "mg/dL", "10.02"),
        ("3084-1", "480", "umol/L", "uric acid", "mg/dL", "8.07"),
        ("44974-4", "0.46", "s", "qtc interval", "ms", "460"),
    ],
)
def test_results_convert_as_laboratories_do(loinc: str, value: str, unit: str, name: str, asked_unit: str, expected: str) -> None:
    found = number(of(measured(loinc, value, unit)).lab(name, Unit.of(asked_unit)))
    assert abs(found - Decimal(expected)) <= Decimal(expected) * Decimal("0.003")


def test_qtc_is_computed_after_fridericia_from_qt_and_rate_of_one_day() -> None:
    # QT 400 ms at 75 a minute: RR 0.8 s, 400 / 0.8^(1/3) = 431 ms.
    pair = (measured("8634-8", "400", "ms"), measured("8867-4", "75", "/min"))
    fact = of(*pair).lab("QTc interval", Unit.of("ms"))
    assert number(fact) == 431
    assert isinstance(fact, Known)
    assert fact.approximated
    apart = (measured("8634-8", "400", "ms"), measured("8867-4", "75", "/min", day=date(2026, 10, 20)))
    assert isinstance(of(*apart).lab("qtc", Unit.of("ms")), Unknown)
    assert number(of(*pair, measured("44974-4", "455", "ms")).lab("qtc", Unit.of("ms"))) == 455


@pytest.mark.parametrize(("loinc", "name", "unit", "stale"), [("6301-6", "inr", "{INR}", True), ("2160-0", "creatinine", "mg/dL", False)])
def test_how_long_a_result_is_current_depends_on_the_test(loinc: str, name: str, unit: str, stale: bool) -> None:
    fact = of(measured(loinc, "1.1", unit, day=date(2026, 6, 1))).lab(name, Unit.of(unit))
    assert (isinstance(fact, Unknown) and fact.reason is UnknownReason.STALE) is stale


def test_of_two_results_of_a_day_the_later_one_counts() -> None:
    morning, evening = (replace(measured("2823-3", v, "mmol/L"), moment=f"2026-11-01T{h}:00:00Z") for v, h in (("5.9", "07"), ("4.4", "19")))
    assert number(of(morning, evening).lab("potassium", Unit.of("mmol/L"))) == Decimal("4.4")


@pytest.mark.parametrize(
    ("note", "name", "unit", "expected"),
    [
        ("BP 92/54, HR 48.", "systolic blood pressure", "mm[Hg]", "92"),
        ("ECG: AV block, ventricular rate 46/min.", "heart rate", "/min", "46"),
        ("Echo today: LVEF 30%.", "lvef", "%", "30"),
        ("ECG normal, QTc 512 ms.", "qtc", "ms", "512"),
        ("Potassium 5.9 mmol/L this morning.", "potassium", "mmol/L", "5.9"),
        ("Potassium today 5.9.", "potassium", "mmol/L", "5.9"),
        ("Creatinine 1.4.", "creatinine", "mg/dL", "1.4"),
    ],
)
def test_values_that_a_note_states_stand_in(note: str, name: str, unit: str, expected: str) -> None:
    fact = chart(notes=(note,)).measurements.lab(name, Unit.of(unit))
    assert number(fact) == Decimal(expected)
    assert isinstance(fact, Known)
    assert fact.approximated


@pytest.mark.parametrize(
    "note",
    [
        "Target INR 2 to 3.",
        "Stop if potassium above 5.5 mmol/L.",
        "Father has LVEF 20%.",
        "In 2021 the QTc was 510 ms.",
        "Goal BP 130/80.",
        "INR 2-3 desired.",
        "Infused over 2 hr 100 mL.",
    ],
)
def test_targets_limits_and_other_peoples_values_are_none(note: str) -> None:
    measurements = chart(notes=(note,)).measurements
    for name, unit in (("inr", "{INR}"), ("potassium", "mmol/L"), ("lvef", "%"), ("qtc", "ms"), ("systolic blood pressure", "mm[Hg]"), ("heart rate", "/min")):
        assert isinstance(measurements.lab(name, Unit.of(unit)), Unknown)


def test_a_measured_value_goes_before_a_stated_one() -> None:
    assert number(
        chart(notes=("Potassium 5.9 mmol/L.",), measurements=(measured("2823-3", "4.4", "mmol/L"),)).measurements.lab("potassium", Unit.of("mmol/L"))
    ) == Decimal("4.4")


def test_a_problem_title_may_state_a_value() -> None:
    titled = chart(conditions=(problem("Heart failure with reduced ejection fraction (LVEF 30%)"),))
    assert number(titled.measurements.lab("lvef", Unit.of("%"))) == 30
