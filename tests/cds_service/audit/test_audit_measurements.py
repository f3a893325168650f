"""The latest plausible value, in the unit asked for, or unknown with the reason."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from audit_builders import measured, prescribed, problem

from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.renal import Renal
from cds_service.intake.prescription import Measurement, Prescription, Retrieval, Source
from ontology.model.analytes import convert
from ontology.model.facts import Axis, Known, Unknown, UnknownReason
from ontology.model.identifiers import Code
from ontology.model.quantities import Quantity, Unit, quantity


def of(*rows: Measurement, retrieval: Retrieval = Retrieval.FOUND) -> Measurements:
    return Measurements.of(prescribed(measurements=rows, retrieval={"observations": retrieval}))


def number(fact: Known | Unknown) -> Decimal:
    assert isinstance(fact, Known), fact
    assert isinstance(fact.value, Quantity)
    return fact.value.value


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


def renal(prescription: Prescription) -> Renal:
    measurements = Measurements.of(prescription)
    return Renal(Demographics(prescription, measurements), measurements)


def test_clearance_by_cockcroft_and_gault() -> None:
    rows = (measured("2160-0", "1.1", "mg/dL"), measured("29463-7", "58", "kg"), measured("8302-2", "160", "cm"))
    fact = renal(prescribed(born="1952-02-11", sex="female", measurements=rows)).value(Axis.CRCL)
    assert number(fact) == Decimal("41.1")


def test_weights_that_disagree_leave_the_clearance_open() -> None:
    rows = (measured("2160-0", "1.1", "mg/dL"), measured("29463-7", "140", "kg"), measured("8302-2", "160", "cm"))
    kidneys = renal(prescribed(born="1952-02-11", sex="female", measurements=rows))
    assert reason(kidneys.value(Axis.CRCL)) is UnknownReason.TOO_BROAD
    assert set(kidneys.clearances) == {"actual", "ideal", "adjusted"}


def test_a_rising_creatinine_makes_renal_function_unknown() -> None:
    rows = (measured("2160-0", "1.6", "mg/dL"), measured("2160-0", "1.1", "mg/dL", day=date(2026, 10, 31)), measured("29463-7", "58", "kg"))
    kidneys = renal(prescribed(born="1952-02-11", sex="female", measurements=rows))
    assert reason(kidneys.value(Axis.CRCL)) is UnknownReason.UNSTABLE
    assert reason(kidneys.value(Axis.EGFR)) is UnknownReason.UNSTABLE


def test_filtration_by_ckd_epi_2021() -> None:
    rows = (measured("2160-0", "1.0", "mg/dL"),)
    assert abs(number(renal(prescribed(born="1976-11-01", sex="male", measurements=rows)).value(Axis.EGFR)) - Decimal("91.7")) <= Decimal("0.1")
    assert abs(number(renal(prescribed(born="1976-11-01", sex="female", measurements=rows)).value(Axis.EGFR)) - Decimal("68.6")) <= Decimal("0.1")


def test_what_is_missing_for_renal_function_is_named() -> None:
    fact = renal(prescribed(born=None, sex=None, measurements=(measured("2160-0", "1.0", "mg/dL"),))).value(Axis.CRCL)
    assert isinstance(fact, Unknown)
    assert fact.needs == {"age", "sex", "weight", "renal-function"}


def test_dialysis_by_code_and_its_absence_on_a_whole_list() -> None:
    on = renal(prescribed(conditions=(problem("Dependence on renal dialysis", Code("icd10cm", "Z99.2")),)))
    assert on.value(Axis.DIALYSIS).value == "yes"  # type: ignore[union-attr]
    assert on.value(Axis.RENAL).value == "esrd"  # type: ignore[union-attr]
    assert renal(prescribed()).value(Axis.DIALYSIS).value == "no"  # type: ignore[union-attr]
    assert reason(renal(prescribed(retrieval={"conditions": Retrieval.NOT_RETRIEVED})).value(Axis.DIALYSIS)) is UnknownReason.NOT_RETRIEVED


def test_a_coded_stage_stands_in_where_nothing_is_measured() -> None:
    staged = renal(prescribed(conditions=(problem("CKD stage 4", Code("icd10cm", "N18.4")),)))
    assert staged.value(Axis.RENAL).value == "severe"  # type: ignore[union-attr]
