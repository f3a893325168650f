from typing import Any

import pytest

from cds_service.intake.fhir.medication import UNNAMED, read_drug
from cds_service.intake.fhir.reading import Reading
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug

RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"
WARFARIN = {"coding": [{"system": RXNORM, "code": "855332", "display": "Warfarin Sodium 5 MG Oral Tablet"}]}
MEDICATION = {"resourceType": "Medication", "id": "m1", "code": WARFARIN}


def request(**members: Any) -> dict[str, Any]:
    return {"resourceType": "MedicationRequest", "id": "o1", **members}


@pytest.mark.parametrize(
    "members",
    [
        {"medicationCodeableConcept": WARFARIN},
        {"medicationReference": {"reference": "#m1"}, "contained": [MEDICATION]},
        {"medicationReference": {"reference": "Medication/m1"}},
        {"medicationReference": {"reference": "https://ehr.example.org/fhir/Medication/m1"}},
        {"medicationReference": {"reference": "urn:uuid:9f1b"}},
        {"medicationReference": {"reference": "Medication/absent", "display": "Warfarin Sodium 5 MG Oral Tablet"}},
        {"medication": {"concept": WARFARIN}},
        {"medication": {"reference": {"reference": "Medication/m1"}}},
        {"medication": {"reference": "Medication/m1"}},
        {"medicationCodeableConcept": {"text": "warfarin sodium 5 mg oral tablet"}},
    ],
)
def test_the_drug_is_found_however_it_is_named(members: dict[str, Any], reading: Reading) -> None:
    reading.index.add(MEDICATION, "urn:uuid:9f1b")
    drug = read_drug(request(**members), reading)
    assert isinstance(drug.identity, DrugIdentity)
    assert [i.name for i in drug.identity.ingredients] == ["warfarin"]
    assert "arfarin" in drug.text


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"medicationReference": {"reference": "Medication/absent"}},
        {"medicationCodeableConcept": {}},
        {"medicationCodeableConcept": "   "},
        {"medicationCodeableConcept": 7},
    ],
)
def test_an_order_without_a_drug_is_unidentified_for_want_of_a_name(members: dict[str, Any], reading: Reading) -> None:
    drug = read_drug(request(**members), reading)
    assert drug.identity == UnidentifiedDrug(UNNAMED, "no-name")


def test_an_unknown_drug_keeps_its_words(reading: Reading) -> None:
    drug = read_drug(request(medicationCodeableConcept={"text": "Zzyzzx 12 mg"}), reading)
    assert isinstance(drug.identity, UnidentifiedDrug)
    assert drug.text == "Zzyzzx 12 mg"


def test_a_compound_without_a_code_is_known_by_its_ingredient(reading: Reading) -> None:
    compound = {"resourceType": "Medication", "id": "c", "ingredient": [{"itemCodeableConcept": {"text": "warfarin"}}], "form": {"text": "tablet"}}
    drug = read_drug(request(medicationReference={"reference": "#c"}, contained=[compound]), reading)
    assert isinstance(drug.identity, DrugIdentity)
    assert drug.form == "tablet"
