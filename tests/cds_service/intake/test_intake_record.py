import base64
from datetime import date
from typing import Any

import pytest

from cds_service.intake.fhir.allergy import Absence, read_allergy
from cds_service.intake.fhir.condition import read_condition, read_reasons
from cds_service.intake.fhir.note import read_note
from cds_service.intake.fhir.observation import read_observation
from cds_service.intake.fhir.patient import read_demographics
from cds_service.intake.fhir.reading import Reading, Unreadable
from cds_service.intake.prescription import AllergyFact

SNOMED = "http://snomed.info/sct"
LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"


def coded(code: str) -> dict[str, Any]:
    return {"coding": [{"code": code}]}


def condition(**members: Any) -> dict[str, Any]:
    return {"resourceType": "Condition", "id": "c1", "code": {"text": "Asthma"}, **members}


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({}, "active"),
        ({"clinicalStatus": coded("active")}, "active"),
        ({"clinicalStatus": "active"}, "active"),
        ({"clinicalStatus": coded("relapse")}, "active"),
        ({"clinicalStatus": coded("resolved")}, "historical"),
        ({"clinicalStatus": "inactive"}, "historical"),
        ({"abatementDateTime": "2020-01-01"}, "historical"),
        ({"abatementBoolean": False}, "active"),
        ({"verificationStatus": coded("refuted")}, "refuted"),
        ({"verificationStatus": "differential", "clinicalStatus": "active"}, "unconfirmed"),
        ({"verificationStatus": coded("confirmed"), "clinicalStatus": coded("active")}, "active"),
        ({"code": {"text": "Family history of cancer of colon"}}, "family"),
        ({"code": {"coding": [{"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "Z82.49"}], "text": "Ischemic heart disease in family"}}, "family"),
        ({"code": {"text": "History of angioedema"}, "clinicalStatus": coded("active")}, "historical"),
        ({"code": {"text": "H/O stroke"}}, "historical"),
        ({"code": {"text": "Status post kidney transplant"}}, "active"),
        ({"code": {"text": "Suspected pheochromocytoma"}}, "unconfirmed"),
        ({"code": {"text": "Myasthenia gravis - ruled out"}}, "refuted"),
        ({"code": {"text": "Peptic ulcer, healed"}}, "historical"),
        ({"code": {"text": "History of peptic ulcer"}}, "active"),
    ],
)
def test_condition_status(members: dict[str, Any], status: str, reading: Reading) -> None:
    fact = read_condition(condition(**members), reading)
    assert fact is not None
    assert fact.status == status


@pytest.mark.parametrize(("title", "named"), [("H/O myasthenia gravis", "myasthenia gravis"), ("Suspected pheochromocytoma", "pheochromocytoma")])
def test_a_title_is_matched_without_the_words_that_place_it(title: str, named: str, reading: Reading) -> None:
    fact = read_condition(condition(code={"text": title}), reading)
    assert fact is not None
    assert [m.name for m in fact.concepts] == [named]
    assert fact.text == title


def test_a_condition_in_error_is_none_and_one_without_a_code_is_unreadable(reading: Reading) -> None:
    assert read_condition(condition(verificationStatus=coded("entered-in-error")), reading) is None
    for broken in (condition(code=None), condition(code={}), condition(modifierExtension=[{"url": "http://x"}])):
        with pytest.raises(Unreadable):
            read_condition(broken, reading)


def test_a_condition_keeps_codes_dates_and_source(reading: Reading) -> None:
    fact = read_condition(
        condition(
            code={"coding": [{"system": SNOMED, "code": "49436004"}], "text": "Atrial fibrillation"}, onsetDateTime="2020-05-06", recordedDate="2021-01-01"
        ),
        reading,
    )
    assert fact is not None
    assert fact.concepts
    assert (fact.onset, fact.source.date, fact.source.reference, fact.source.kind) == (date(2020, 5, 6), date(2021, 1, 1), "Condition/c1", "conditions")


@pytest.mark.parametrize(
    "members",
    [
        {"reasonCode": [{"text": "Asthma"}]},
        {"reasonCodeableConcept": {"text": "Asthma"}},
        {"reason": [{"concept": {"text": "Asthma"}}]},
        {"reasonReference": [{"reference": "Condition/c1"}]},
        {"reason": [{"reference": {"reference": "Condition/c1"}}]},
        {"reasonReference": [{"reference": "#c1"}], "contained": [condition()]},
        {"reasonReference": [{"reference": "Condition/absent", "display": "Asthma"}]},
    ],
)
def test_order_reasons_in_every_version(members: dict[str, Any], reading: Reading) -> None:
    reading.index.add(condition(subject={"reference": "Patient/p1"}))
    facts = read_reasons({"resourceType": "MedicationRequest", **members}, reading, "MedicationRequest/o1", None, ended=False)
    assert [(f.text, f.source.reference, f.status) for f in facts] == [("Asthma", "MedicationRequest/o1", "active")]


def test_a_reason_of_another_patient_is_not_taken(reading: Reading) -> None:
    reading.index.add(condition(subject={"reference": "Patient/other"}))
    assert not read_reasons({"reasonReference": [{"reference": "Condition/c1"}]}, reading, "o", None, ended=False)


def allergy(reading: Reading, **members: Any) -> AllergyFact:
    fact = read_allergy({"resourceType": "AllergyIntolerance", "id": "a1", "code": {"text": "Penicillins"}, **members}, reading)
    assert isinstance(fact, AllergyFact)
    return fact


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({}, "confirmed"),
        ({"verificationStatus": coded("confirmed"), "clinicalStatus": coded("active")}, "confirmed"),
        ({"verificationStatus": coded("unconfirmed")}, "unconfirmed"),
        ({"verificationStatus": coded("refuted")}, "refuted"),
        ({"clinicalStatus": coded("resolved")}, "refuted"),
        ({"clinicalStatus": coded("inactive")}, "unconfirmed"),
        ({"status": "unconfirmed"}, "unconfirmed"),
    ],
)
def test_allergy_status(members: dict[str, Any], status: str, reading: Reading) -> None:
    assert allergy(reading, **members).status == status


def test_an_allergy_keeps_kind_reaction_and_severity(reading: Reading) -> None:
    fact = allergy(
        reading,
        type="allergy",
        criticality="high",
        reaction=[{"manifestation": [{"text": "Anaphylaxis"}, {"concept": {"text": "Hives"}}], "severity": "severe"}, {"severity": "mild"}],
    )
    assert (fact.kind, fact.criticality, fact.reactions, fact.severity) == ("allergy", "high", ("Anaphylaxis", "Hives"), "severe")
    assert fact.substances
    assert allergy(reading, type=coded("intolerance"), criticality="CRITH").kind == "intolerance"
    assert allergy(reading, type=7).kind == "unspecified"


def test_an_allergy_in_the_form_of_dstu2_and_by_its_reaction_alone(reading: Reading) -> None:
    assert allergy(reading, code=None, substance={"text": "Penicillin G"}).text == "Penicillin G"
    assert allergy(reading, code=None, reaction=[{"substance": {"text": "Penicillins"}, "manifestation": {"text": "Rash"}}]).substances


@pytest.mark.parametrize(
    ("code", "covers"),
    [
        ({"coding": [{"system": SNOMED, "code": "716186003"}]}, "drug"),
        ({"coding": [{"system": SNOMED, "code": "409137002"}]}, "drug"),
        ({"text": "No Known Allergies"}, "drug"),
        ({"text": "NKDA"}, "drug"),
        ({"text": "否认药物过敏史"}, "drug"),
        ({"text": "否认食物、药物过敏史"}, "drug"),
        ({"text": "过敏史不详"}, "unknown"),
        ({"coding": [{"system": SNOMED, "code": "716184000"}]}, "other"),
        ({"coding": [{"system": "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips", "code": "no-known-allergies"}]}, "drug"),
        ({"coding": [{"system": "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips", "code": "no-allergy-info"}]}, "unknown"),
    ],
)
def test_asserted_absences(code: dict[str, Any], covers: str, reading: Reading) -> None:
    resource = {"resourceType": "AllergyIntolerance", "code": code}
    assert read_allergy(resource, reading) == Absence(covers)
    assert read_allergy({**resource, "verificationStatus": coded("refuted")}, reading) is None
    assert read_allergy({**resource, "verificationStatus": coded("entered-in-error")}, reading) is None


def observation(**members: Any) -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": "v1",
        "status": "final",
        "code": {"coding": [{"system": LOINC, "code": "2160-0"}], "text": "Creatinine"},
        "effectiveDateTime": "2026-10-30",
        **members,
    }


@pytest.mark.parametrize(
    ("members", "value", "word", "comparator"),
    [
        ({"valueQuantity": {"value": 2, "unit": "mg/dL", "system": UCUM, "code": "mg/dL"}}, "2 mg/dL", None, None),
        ({"valueQuantity": {"value": 15, "comparator": "<", "code": "mL/min/{1.73_m2}"}}, "15 mL/min/{1.73_m2}", None, "<"),
        ({"valueQuantity": {"value": 70}}, "70 1", "70", None),
        ({"valueString": "< 0.3 mg/dL"}, "0.3 mg/dL", "< 0.3 mg/dL", "<"),
        ({"valueString": "≥ 60"}, "60 1", "≥ 60", ">="),
        ({"valueString": "5.9 parsecs"}, None, "5.9 parsecs", None),
        ({"valueQuantity": {"value": 7, "unit": "{score}", "system": UCUM, "code": "{score}"}}, None, "7 {score}", None),
        ({"valueCodeableConcept": {"coding": [{"system": SNOMED, "code": "77386006"}]}}, None, "Pregnant", None),
        ({"valueCodeableConcept": {"coding": [{"system": SNOMED, "code": "60001007", "display": "gravida negativa"}]}}, None, "Not pregnant", None),
        ({"valueCodeableConcept": {"text": "Heavy smoker"}}, None, "Heavy smoker", None),
        ({"valueString": " positive "}, None, "positive", None),
        ({"valueBoolean": False}, None, "No", None),
        ({"valueInteger": 3}, None, "3", None),
    ],
)
def test_values(members: dict[str, Any], value: str | None, word: str | None, comparator: str | None) -> None:
    (m,) = read_observation(observation(**members))
    assert (None if m.value is None else str(m.value), m.word, m.comparator) == (value, word, comparator)
    assert (m.source.reference, m.source.date, m.code and m.code.value) == ("Observation/v1", date(2026, 10, 30), "2160-0")


@pytest.mark.parametrize(
    "members",
    [
        {"status": "entered-in-error", "valueInteger": 1},
        {"status": "cancelled", "valueInteger": 1},
        {"dataAbsentReason": {"text": "unknown"}},
        {"valueQuantity": {}},
    ],
)
def test_observations_without_a_usable_value_give_nothing(members: dict[str, Any]) -> None:
    assert read_observation(observation(**members)) == ()


def test_an_observation_without_any_code_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read_observation(observation(code=None, valueInteger=3))


def test_a_panel_gives_a_measurement_a_component() -> None:
    parts = [
        {"code": {"coding": [{"system": LOINC, "code": c}]}, "valueQuantity": {"value": v, "code": "mm[Hg]"}} for c, v in (("8480-6", 120), ("8462-4", 80))
    ]
    assert [(m.code and m.code.value, str(m.value)) for m in read_observation(observation(code={"text": "BP"}, component=parts))] == [
        ("8480-6", "120 mm[Hg]"),
        ("8462-4", "80 mm[Hg]"),
    ]


@pytest.mark.parametrize(
    ("members", "sex", "source"),
    [
        ({"gender": "female"}, "female", "administrative gender"),
        ({"gender": "other"}, None, None),
        ({}, None, None),
        (
            {"gender": "male", "extension": [{"url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex", "valueCode": "F"}]},
            "female",
            "sex at birth",
        ),
        (
            {"gender": "male", "extension": [{"url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex", "valueCode": "UNK"}]},
            "male",
            "administrative gender",
        ),
        (
            {
                "gender": "male",
                "extension": [
                    {
                        "url": "http://hl7.org/fhir/StructureDefinition/patient-sexParameterForClinicalUse",
                        "extension": [{"url": "value", "valueCodeableConcept": coded("female-typical")}],
                    }
                ],
            },
            "female",
            "sex for clinical use",
        ),
        ({"gender": ["female"]}, None, None),
    ],
)
def test_sex_is_not_gender(members: dict[str, Any], sex: str | None, source: str | None) -> None:
    found = read_demographics({"resourceType": "Patient", **members})
    assert (found.sex, found.sex_source) == (sex, source)


@pytest.mark.parametrize(
    ("code", "birth_sex", "sex"),
    [("407377005", None, None), ("446151000124109", None, "male"), ("407377005", "F", "female")],
)
def test_a_gender_identity_unlike_the_sex_at_birth_unsettles_administrative_gender(code: str, birth_sex: str | None, sex: str | None) -> None:
    identity = {"url": "http://hl7.org/fhir/StructureDefinition/patient-genderIdentity", "valueCodeableConcept": {"coding": [{"system": SNOMED, "code": code}]}}
    born = {"url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex", "valueCode": birth_sex}
    assert read_demographics({"resourceType": "Patient", "gender": "male", "extension": [identity, born]}).sex == sex


def test_race_and_ethnicity_are_read_with_their_details() -> None:
    race = {
        "url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-race",
        "extension": [
            {"url": "ombCategory", "valueCoding": {"system": "urn:oid:2.16.840.1.113883.6.238", "code": "2028-9", "display": "Asian"}},
            {"url": "detailed", "valueCoding": {"system": "urn:oid:2.16.840.1.113883.6.238", "code": "2034-7", "display": "Chinese"}},
            {"url": "text", "valueString": "Han Chinese"},
        ],
    }
    assert read_demographics({"resourceType": "Patient", "extension": [race]}).ancestry == ("2028-9", "Asian", "2034-7", "Chinese", "Han Chinese")


def test_an_observation_keeps_its_limits_and_its_time() -> None:
    value = {"value": 180, "unit": "U/L", "system": UCUM, "code": "U/L"}
    limits = [
        {"type": coded("treatment"), "high": {"value": 300, "system": UCUM, "code": "U/L"}},
        {"low": {"value": 7, "system": UCUM, "code": "U/L"}, "high": {"value": 56, "system": UCUM, "code": "U/L"}},
    ]
    (m,) = read_observation(observation(valueQuantity=value, referenceRange=limits, effectiveDateTime="2026-10-30T07:15:00Z"))
    assert (str(m.lower), str(m.upper), m.moment) == ("7 U/L", "56 U/L", "2026-10-30T07:15:00Z")


@pytest.mark.parametrize(
    ("birth", "read"),
    [
        ("1950-01-31", "1950-01-31"),
        ("1950-01", "1950-01"),
        ("1950", "1950"),
        ("1950-01-31T00:00:00Z", "1950-01-31"),
        ("1950-02-31", None),
        ("31.1.1950", None),
        (1950, None),
    ],
)
def test_birth_dates_stay_as_received_and_nonsense_is_said(birth: Any, read: str | None) -> None:
    found = read_demographics({"birthDate": birth})
    assert found.birth_date == read
    assert found.unread == (() if read else ("birthDate",))


def note(**attachment: Any) -> dict[str, Any]:
    return {"resourceType": "DocumentReference", "id": "n1", "status": "current", "date": "2026-10-30T08:00:00Z", "content": [{"attachment": attachment}]}


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_notes_are_decoded_and_markup_is_taken_off() -> None:
    ((said, source),) = read_note(note(contentType="text/plain; charset=utf-8", data=packed("Allergic to 青霉素")))
    assert (said, source.reference, source.date) == ("Allergic to 青霉素", "DocumentReference/n1", date(2026, 10, 30))
    ((said, _),) = read_note(note(contentType="text/html", data=packed("<p>No &lt;rash&gt;</p><script>x</script>")))
    assert said.strip() == "No <rash>"


@pytest.mark.parametrize(
    "attachment",
    [
        {"contentType": "application/pdf", "data": "AAAA"},
        {"url": "Binary/1"},
        {"data": packed("x")[:-1] + "\xff"},
        {"data": 7, "contentType": "application/x"},
        {"data": base64.b64encode(b"\xff\xfe").decode()},
    ],
)
def test_notes_that_are_no_text_are_unreadable(attachment: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        read_note(note(**attachment))


def test_superseded_notes_are_left_out() -> None:
    assert read_note({**note(data=packed("x")), "status": "superseded"}) == ()


@pytest.mark.parametrize(
    "read",
    [
        lambda r, _: read_demographics(r),
        lambda r, _: read_note({**note(data=packed("x")), **r}),
        lambda r, _: read_observation(observation(valueInteger=1, **r)),
        lambda r, reading: read_condition(condition(**r), reading),
        lambda r, reading: read_allergy({"code": {"text": "Penicillins"}, **r}, reading),
    ],
    ids=["patient", "note", "observation", "condition", "allergy"],
)
def test_what_a_modifier_nobody_knows_may_turn_round_is_not_used(read: Any, reading: Reading) -> None:
    read({}, reading)
    with pytest.raises(Unreadable, match="http://x/denied"):
        read({"modifierExtension": [{"url": "http://x/denied"}]}, reading)
