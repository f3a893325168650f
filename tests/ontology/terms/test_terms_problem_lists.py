"""What the codes of common problem lists say, and what a code does not tell apart."""

import itertools
import re

import pytest

from ontology.model.entities import EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import Code, EntityId
from ontology.terms.tables import read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
ROWS = read_table("conditions").rows
SHAPE = re.compile(r"[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?|U07\.1")
"""Letter, digit, digit or letter, then up to four characters behind a point; U holds the codes for emergency use."""


def concept(name: str) -> EntityId:
    (found,) = TERMS.lookup(name, (EntityType.CONDITION,))
    return found


def truth(label: str, icd10: str | None, text: str | None = None) -> Truth:
    found = TERMS.match_conditions([Code("icd10cm", icd10)] if icd10 else [], text)
    truths = {TERMS.covers(concept(label), m.id) for m in found}
    return Truth.TRUE if Truth.TRUE in truths else Truth.UNKNOWN if Truth.UNKNOWN in truths else Truth.FALSE


@pytest.mark.parametrize(
    ("icd10", "label"),
    [
        ("R56.9", "seizure disorder"),
        ("F33.1", "major depressive disorder"),
        ("F41.0", "panic disorder"),
        ("J44.9", "breathing problem"),
        ("J42", "chronic bronchitis"),
        ("J18.9", "infection"),
        ("A41.9", "serious infection"),
        ("E03.9", "thyroid disease"),
        ("K74.60", "chronic liver disease"),
        ("K70.1", "alcoholic hepatitis"),
        ("C22.0", "malignant liver tumor"),
        ("I44.2", "Mobitz type II second-degree or third-degree AV block"),
        ("I45.2", "bifascicular block"),
        ("I21.4", "non-ST-elevation myocardial infarction"),
        ("I27.0", "pulmonary arterial hypertension"),
        ("G40.209", "focal epilepsy"),
        ("K57.32", "diverticulitis"),
        ("K80.51", "biliary obstruction"),
        ("N19", "uremia"),
        ("D61.810", "drug-induced bone marrow suppression"),
        ("T31.40", "major burns"),
        ("Z22.7", "active or latent tuberculosis"),
        ("E78.2", "mixed hyperlipidemia"),
        ("N95.0", "undiagnosed abnormal genital bleeding"),
        ("I47.10", "cardiac arrhythmia"),
        ("I49.5", "bradycardia"),
        ("B37.0", "infection"),
        ("A41.9", "systemic infection"),
        ("K75.81", "chronic liver disease"),
        ("R31.9", "overt bleeding of the gastrointestinal, genitourinary or respiratory tract"),
    ],
)
def test_a_code_of_a_problem_list_is_its_condition(icd10: str, label: str) -> None:
    assert truth(label, icd10) is Truth.TRUE


@pytest.mark.parametrize(
    ("icd10", "label"),
    [
        ("K57.30", "diverticulitis"),  # diverticulosis
        ("K80.20", "biliary obstruction"),  # gallstones without obstruction
        ("D72.829", "blood dyscrasia"),  # leukocytosis
        ("D64.9", "blood dyscrasia"),
        ("F50.81", "bulimia or anorexia nervosa"),  # binge eating
        ("D84.1", "immunodeficiency"),  # hereditary angioedema
        ("R19.5", "steatorrhea"),  # occult blood in stool
        ("B35.1", "serious infection"),  # a nail fungus
        ("J20.9", "chronic bronchitis"),
        ("J20.9", "breathing problem"),
        ("K76.0", "active liver disease"),
        ("J18.9", "systemic infection"),
        ("N39.0", "chronic infection"),
        ("E78.5", "defective lipid metabolism"),
        ("D64.9", "pure red cell aplasia that begins after treatment with Procrit"),
        ("I48.11", "severe heart failure"),
        ("I48.0", "serious cardiac arrhythmia"),
        ("I63.9", "venous thromboembolism"),
        ("T23.201A", "major burns"),
        ("F32.81", "major depressive disorder"),
        ("I44.0", "Mobitz type II second-degree or third-degree AV block"),
        ("D13.4", "malignant liver tumor"),
        ("C61", "thromboembolic disease"),
        ("N92.0", "undiagnosed abnormal uterine bleeding"),  # heavy periods are what some of these drugs are for
        ("U07.1", "active infection"),  # and so is COVID-19
        ("F32.81", "depression"),
        ("R00.0", "cardiac arrhythmia"),  # a sign
        ("R00.0", "heart disease"),
        ("B35.1", "active infection"),  # a nail fungus
        ("F17.210", "psychiatric disorder"),  # smoking
        ("Z87.891", "tobacco use"),
    ],
)
def test_a_neighbouring_code_is_not(icd10: str, label: str) -> None:
    assert truth(label, icd10) is not Truth.TRUE


@pytest.mark.parametrize(
    ("icd10", "label"),
    [
        ("I44.1", "Mobitz type II second-degree AV block"),
        ("I50.9", "class III or IV heart failure"),
        ("E78.2", "primary dysbetalipoproteinemia"),
        ("G60.0", "demyelinating form of Charcot-Marie-Tooth syndrome"),
        ("E88.41", "POLG-related disorders"),
        ("K76.9", "progressive liver disease"),
        ("J44.9", "chronic obstructive pulmonary disease requiring pharmacotherapy"),
        ("G47.33", "severe untreated sleep apnea"),
        ("Z95.0", "pacemaker dependence"),
        ("F33.9", "inadequately treated depression"),
        ("J18.9", "serious infection"),
        ("I10", "hypertension with vascular disease"),
        ("E11.9", "type 2 diabetes with microalbuminuria"),
        ("Z22.7", "active or untreated latent tuberculosis"),
        ("C34.90", "non-small cell lung cancer"),
        ("E87.20", "lactic acidosis"),
        ("K76.0", "chronic liver disease"),
    ],
)
def test_a_broader_code_leaves_it_open(icd10: str, label: str) -> None:
    assert truth(label, icd10) is Truth.UNKNOWN


@pytest.mark.parametrize(
    ("icd10", "text", "label"),
    [
        ("I44.1", "Mobitz type II second-degree AV block", "Mobitz type II second-degree or third-degree AV block"),
        ("C34.90", "Non-small cell lung cancer", "lung cancer"),
        ("Q87.19", "Cockayne syndrome", "Cockayne syndrome"),
        ("E88.89", "Dihydropyrimidine dehydrogenase deficiency", "DPD deficiency"),
        (None, "Prader-Willi syndrome", "Prader-Willi syndrome"),
        (None, "Wenckebach block", "second-degree AV block"),
    ],
)
def test_the_words_say_what_a_code_of_many_does_not(icd10: str | None, text: str, label: str) -> None:
    assert truth(label, icd10, text) is Truth.TRUE
    if icd10 and label in {"Cockayne syndrome", "DPD deficiency"}:
        assert truth(label, icd10) is not Truth.TRUE


def test_one_type_of_block_is_not_the_other() -> None:
    assert truth("Mobitz type II second-degree AV block", None, "Mobitz type I second-degree AV block") is Truth.FALSE
    assert truth("Mobitz type II second-degree AV block", "I44.1", "Mobitz type I second-degree AV block") is not Truth.TRUE


@pytest.mark.parametrize("code", ["I49.8", "E88.89", "E83.59", "R06.89", "Q87.19", "Q80.8", "Z90.89", "J34.89", "N28.89", "E16.8", "D13.7"])
def test_a_code_for_all_others_is_no_one_disease(code: str) -> None:
    for found in TERMS.match_conditions([Code("icd10cm", code)], None):
        assert found.id.system == "icd10cm", found


def test_every_range_has_the_shape_of_codes_and_runs_upwards() -> None:
    for row in ROWS:
        if row["icd10cm"].startswith("none:"):
            continue
        for part in row["icd10cm"].split("|"):
            low, _, high = part.partition("-")
            assert SHAPE.fullmatch(low), (row["key"], part)
            assert not high or (SHAPE.fullmatch(high) and low < high and ord(high[0]) - ord(low[0]) <= 1), (row["key"], part)


def test_a_name_stands_for_one_condition() -> None:
    for row in ROWS:
        for name in (row["name"], *filter(None, row["synonyms"].split("|"))):
            assert len(TERMS.lookup(name, (EntityType.CONDITION,))) == 1, name


def test_of_two_conditions_with_the_same_codes_one_is_a_kind_of_the_other() -> None:
    coded = [row for row in ROWS if not row["icd10cm"].startswith("none:")]
    for one, other in itertools.combinations(coded, 2):
        if set(one["icd10cm"].split("|")) != set(other["icd10cm"].split("|")):
            continue
        first, second = concept(one["name"]), concept(other["name"])
        assert first in TERMS.ancestors(second) or second in TERMS.ancestors(first), (one["key"], other["key"])


def test_what_qualifies_a_condition_without_codes_says_whose_kind_it_is_or_has_words_alone() -> None:
    """A severity without codes is met by its words and left open by the codes of what it qualifies, of nothing wider."""
    assert truth("severe heart failure", "I50.9") is Truth.UNKNOWN
    assert truth("severe heart failure", "I25.10") is Truth.FALSE
    assert truth("severe heart failure", "I45.10") is Truth.FALSE
    assert truth("moderate hepatic impairment", "K76.89") is Truth.UNKNOWN


@pytest.mark.parametrize("name", ["chronic phase CML", "newly diagnosed Ph+ CML in chronic phase", "life-threatening infections"])
def test_a_name_that_says_a_phase_or_degree_is_not_the_disease(name: str) -> None:
    """A dose for the chronic phase is none for the accelerated one."""
    assert TERMS.lookup(name, (EntityType.CONDITION,)) == ()


@pytest.mark.parametrize(("icd10", "text"), [("N10", "Acute pyelonephritis due to Pseudomonas aeruginosa"), ("J18.9", "Pneumonia")])
def test_an_infection_of_an_organ_may_be_a_serious_one(icd10: str, text: str) -> None:
    assert truth("serious infection", icd10, text) is Truth.UNKNOWN
