"""The table of laboratory tests: codes and names, units that convert, limits of the plausible."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

import pytest

from ontology.model.entities import EntityType
from ontology.model.errors import TerminologyError
from ontology.model.quantities import Unit, quantity
from ontology.terms.entries import LabTerm
from ontology.terms.labs import read_lab, shipped_labs
from ontology.terms.tables import parse_table, read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
LABS = {lab.entity.code: lab for lab in shipped_labs()}


def test_enough_tests_are_known_with_codes_units_limits_and_chinese_names() -> None:
    rows = read_table("labs").rows
    measured = [row for row in rows if row["unit"]]
    assert len(measured) >= 100
    assert all(row["zh"] for row in rows), [row["key"] for row in rows if not row["zh"]]
    assert all(row["low"] and row["high"] for row in measured), [row["key"] for row in measured if not row["high"]]
    assert [row["key"] for row in rows if not row["loinc"]] == ["methotrexate-level", "clozapine-level"]


def test_a_code_and_a_name_report_one_test() -> None:
    counts = Counter(key for lab in shipped_labs() for key in (*lab.loinc, *lab.names))
    assert [key for key, n in counts.items() if n > 1] == []


@pytest.mark.parametrize("lab", shipped_labs(), ids=lambda lab: lab.entity.code)
def test_codes_have_their_check_digit_and_units_convert_into_the_canonical_one(lab: LabTerm) -> None:
    for code in lab.loinc:
        digits, check = code.split("-")
        doubled = "".join(str(int(d) * 2) if i % 2 == 0 else d for i, d in enumerate(reversed(digits)))
        assert (10 - sum(map(int, doubled)) % 10) % 10 == int(check), code
    for unit in lab.units:
        assert lab.convert(quantity(1, unit), Unit.of(lab.units[0])) is not None, unit


@pytest.mark.parametrize(
    ("name", "key"),
    [("2160-0", "creatinine"), ("SCr", "creatinine"), ("肌酐", "creatinine"), ("14682-9", "creatinine"), ("Serum  Potassium", "potassium"), ("6298-4", "potassium"), ("A1C", "hba1c"), ("46418-0", "inr"), ("44974-4", "qtc"), ("空腹血糖", "glucose"), ("heart rate", "heart-rate")],
)  # fmt: skip
def test_a_result_is_found_by_code_and_by_name(name: str, key: str) -> None:
    found = TERMS.lab(name)
    assert found is not None
    assert found.entity.code == key
    assert TERMS.lookup(key.replace("-", " "), (EntityType.LAB_TEST,)) in ((), (found.entity,))


@pytest.mark.parametrize("name", ["", "renal function", "prothrombin time", "urine potassium", "2828-2", "liver"])
def test_words_that_ask_for_a_test_and_other_specimens_name_no_result(name: str) -> None:
    assert TERMS.lab(name) is None


def test_words_that_ask_for_a_test_find_it_in_labels() -> None:
    assert [e.code for e in TERMS.lookup("renal function", (EntityType.LAB_TEST,))] == ["creatinine"]
    assert [e.code for e in TERMS.lookup("prothrombin time", (EntityType.LAB_TEST,))] == ["inr"]


@pytest.mark.parametrize(
    ("key", "value", "unit", "plausible"),
    [
        ("potassium", "6.8", "mmol/L", True),
        ("potassium", "45", "mmol/L", False),
        ("glucose", "5.5", "mmol/L", True),
        ("glucose", "2", "mg/dL", False),
        ("creatinine", "900", "umol/L", True),
        ("creatinine", "90", "mg/dL", False),
        ("hemoglobin", "130", "g/L", True),
        ("hemoglobin", "130", "g/dL", False),
        ("platelets", "150000", "/uL", True),
        ("hba1c", "7", "mmol/L", False),
        ("tsh", "2.1", "u[IU]/mL", True),
    ],
)
def test_a_value_no_patient_has_is_told_from_one_that_is_only_abnormal(key: str, value: str, unit: str, plausible: bool) -> None:
    assert LABS[key].plausible(quantity(value, unit)) is plausible


def test_the_factors_that_clinicians_know() -> None:
    known = {("urea-nitrogen", "mg/dL", "mmol/L"): "0.357", ("uric-acid", "mg/dL", "umol/L"): "59.48", ("bilirubin", "mg/dL", "umol/L"): "17.1", ("cholesterol-total", "mg/dL", "mmol/L"): "0.02586", ("triglycerides", "mg/dL", "mmol/L"): "0.01129", ("magnesium", "mg/dL", "mmol/L"): "0.4114", ("phosphate", "mg/dL", "mmol/L"): "0.3229", ("vitamin-d-level", "ng/mL", "nmol/L"): "2.496", ("cortisol-level", "ug/dL", "nmol/L"): "27.59", ("iron-level", "ug/dL", "umol/L"): "0.179", ("free-t4", "ng/dL", "pmol/L"): "12.87", ("theophylline-level", "ug/mL", "umol/L"): "5.55", ("tacrolimus-level", "ng/mL", "nmol/L"): "1.244", ("hemoglobin", "g/dL", "mmol/L"): "0.6206", ("lithium-level", "mmol/L", "meq/L"): "1"}  # fmt: skip
    for (key, unit, to), factor in known.items():
        found = LABS[key].convert(quantity(1, unit), Unit.of(to))
        assert found is not None, key
        assert abs(found.value - Decimal(factor)) <= Decimal(factor) * Decimal("0.003"), (key, found.value)


def test_the_release_keeps_the_tests() -> None:
    again = Terminology.from_rows(TERMS.rows())
    assert [again.lab(code) for code in ("2160-0", "2823-3", "58410-2")] == [TERMS.lab(code) for code in ("2160-0", "2823-3", "58410-2")]


HEAD = "# title: t\n# version: 1\nkey\tname\tloinc\tunit\tunits\tmolar_mass\tcharge\tlow\thigh\tsynonyms\tmonitoring\tzh\tsource\n"


@pytest.mark.parametrize(
    ("cells", "why"),
    [("a\ta\t\tmg/dl of love\t\t\t\t\t\t\t\t\tx", "unit"), ("a\ta\t\tmg/dL\t\tzero\t\t\t\t\t\t\tx", "line 4"), ("a\ta\t\tmg/dL\t\t-3\t\t\t\t\t\t\tx", "molar mass"), ("a\ta\t\tmg/dL\t\t\ttwo\t\t\t\t\t\tx", "two"), ("a\ta\t\tmg/dL\t\t\t\t5\t4\t\t\t\tx", "plausible from 5 to 4")],
)  # fmt: skip
def test_a_row_without_sense_is_named(cells: str, why: str) -> None:
    (row,) = parse_table("labs", f"{HEAD}{cells}\n").rows
    with pytest.raises(TerminologyError, match=re.escape(why)) as told:
        read_lab(row)
    assert "labs.tsv, line 4" in str(told.value)


def test_conversion_by_molar_mass_agrees_with_an_independent_unit_library() -> None:
    """Checked against pint through ucumvert, which the service never calls."""
    ucumvert = pytest.importorskip("ucumvert", reason="the package ucumvert (extra dev) is absent")
    registry = ucumvert.PintUcumRegistry()
    checked = 0
    for lab in shipped_labs():
        dimensions = {Unit.of(unit).dimension: unit for unit in lab.units}
        mass, amount = dimensions.get("mass-concentration"), dimensions.get("substance-concentration")
        if lab.analyte.molar_mass is None or mass is None or amount is None:
            continue
        ours = lab.convert(quantity(1, mass), Unit.of(amount))
        molar_mass = float(lab.analyte.molar_mass) * registry.from_ucum("g/mol")
        theirs = (registry.from_ucum(mass) / molar_mass).to(registry.from_ucum(amount).units).magnitude
        assert ours is not None
        assert float(ours.value) == pytest.approx(float(theirs), rel=1e-6), lab.called
        checked += 1
    assert checked >= 40
