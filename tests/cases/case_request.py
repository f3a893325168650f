"""A case as a pharmacist writes it, as the CDS Hooks request an EHR would send."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

TODAY = date(2026, 11, 1)
_SYSTEMS = {
    "icd10": "http://hl7.org/fhir/sid/icd-10-cm",
    "snomed": "http://snomed.info/sct",
    "rxnorm": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "loinc": "http://loinc.org",
    "ndc": "http://hl7.org/fhir/sid/ndc",
}
_CLINICAL = "http://terminology.hl7.org/CodeSystem/condition-clinical"
_VERIFICATION = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
_ALLERGY_VERIFICATION = "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification"


def request_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """The order-sign request of a case. A kind of patient data that the case leaves out is not sent; `failed` kinds are sent as an error."""
    who = case.get("patient", {})
    prefetch: dict[str, Any] = {"patient": _patient(who)}
    if "current" in case or not case.get("no_medication_list"):
        prefetch["medications"] = _bundle([_order(o, f"current-{i}", "active") for i, o in enumerate(case.get("current", []), 1)])
    if "conditions" in who:
        prefetch["conditions"] = _bundle([_condition(c, i) for i, c in enumerate(who["conditions"], 1)])
    if who.get("allergies") == "none stated":
        prefetch["allergies"] = _bundle([_allergy({"text": "No known allergy", "snomed": "716186003"}, 1)])
    elif "allergies" in who:
        prefetch["allergies"] = _bundle([_allergy(a, i) for i, a in enumerate(who["allergies"], 1)])
    if "labs" in who:
        prefetch["observations"] = _bundle([_observation(o, i) for i, o in enumerate(who["labs"], 1)])
    if "notes" in who:
        prefetch["notes"] = _bundle([_note(n, i) for i, n in enumerate(who["notes"], 1)])
    for key in case.get("failed", []):
        prefetch[key] = {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "timeout"}]}
    drafts = [_order(o, f"draft-{i}", "draft") for i, o in enumerate(case["draft"], 1)]
    return {
        "hook": "order-sign",
        "hookInstance": "6bc883b2-b795-4dcb-b661-34884a31d472",
        "extension": {"org.pharmgraph.reference-time": f"{TODAY.isoformat()}T12:00:00Z"},
        "context": {
            "userId": "Practitioner/p",
            "patientId": "p1",
            "draftOrders": {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": d} for d in drafts]},
        },
        "prefetch": prefetch,
    }


def _patient(who: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"resourceType": "Patient", "id": "p1"}
    if "born" in who:
        out["birthDate"] = str(who["born"])
    if "sex" in who:
        out["gender"] = who["sex"]
    return out


def _concept(row: Mapping[str, Any] | str) -> dict[str, Any]:
    if isinstance(row, str):
        return {"text": row}
    coding = [{"system": url, "code": str(row[key])} for key, url in _SYSTEMS.items() if key in row]
    return {**({"coding": coding} if coding else {}), **({"text": row["text"]} if "text" in row else {})}


def _order(row: Mapping[str, Any] | str, ident: str, status: str) -> dict[str, Any]:
    order: Mapping[str, Any] = {"text": row} if isinstance(row, str) else row
    out: dict[str, Any] = {
        "resourceType": "MedicationRequest",
        "id": order.get("id", ident),
        "status": order.get("status", status),
        "intent": order.get("intent", "order"),
        "medicationCodeableConcept": _concept(order),
        "subject": {"reference": "Patient/p1"},
        "authoredOn": (TODAY - timedelta(days=order.get("days_ago", 0))).isoformat(),
    }
    dosage = _dosage(order)
    if dosage:
        out["dosageInstruction"] = [dosage]
    for key, member in (("replaces", "priorPrescription"),):
        if key in order:
            out[member] = {"reference": f"MedicationRequest/{order[key]}"}
    if order.get("do_not_give"):
        out["doNotPerform"] = True
    if "ended_days_ago" in order:
        repeat = out.setdefault("dosageInstruction", [{}])[0].setdefault("timing", {}).setdefault("repeat", {})
        repeat["boundsPeriod"] = {"end": (TODAY - timedelta(days=order["ended_days_ago"])).isoformat()}
    if "group" in order:
        out["groupIdentifier"] = {"system": "urn:groups", "value": order["group"]}
    if "reason" in order:
        out["reasonCode"] = [_concept(order["reason"])]
    return out


def _dosage(order: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if "sig" in order:
        out["text"] = order["sig"]
    if "route" in order:
        out["route"] = {"text": order["route"]}
    if order.get("as_needed"):
        out["asNeededBoolean"] = True
    if "dose" in order:
        out["doseAndRate"] = [{"doseQuantity": _quantity(*str(order["dose"]).split(" ", 1))}]
    if "most_a_day" in order:
        value, unit = str(order["most_a_day"]).split(" ", 1)
        out["maxDosePerPeriod"] = {"numerator": _quantity(value, unit), "denominator": _quantity("1", "d")}
    repeat = _repeat(order)
    if repeat:
        out["timing"] = {"repeat": repeat}
    return out


def _repeat(order: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if "times_a_day" in order:
        out = {"frequency": order["times_a_day"], "period": 1, "periodUnit": "d"}
    if "times_a_week" in order:
        out = {"frequency": order["times_a_week"], "period": 1, "periodUnit": "wk"}
    if "every_hours" in order:
        out = {"frequency": 1, "period": order["every_hours"], "periodUnit": "h"}
    if order.get("once"):
        out["count"] = 1
    if "for_days" in order:
        out["boundsDuration"] = _quantity(order["for_days"], "d")
    return out


def _quantity(value: object, unit: str) -> dict[str, Any]:
    return {"value": float(str(value)), "unit": unit, "system": "http://unitsofmeasure.org", "code": unit}


def _condition(row: Mapping[str, Any] | str, i: int) -> dict[str, Any]:
    status = "active" if isinstance(row, str) else row.get("status", "active")
    out: dict[str, Any] = {"resourceType": "Condition", "id": f"cond-{i}", "code": _concept(row), "subject": {"reference": "Patient/p1"}}
    if status == "refuted":
        out["verificationStatus"] = {"coding": [{"system": _VERIFICATION, "code": "refuted"}]}
    else:
        out["clinicalStatus"] = {"coding": [{"system": _CLINICAL, "code": status}]}
        out["verificationStatus"] = {"coding": [{"system": _VERIFICATION, "code": "confirmed"}]}
    return out


def _allergy(row: Mapping[str, Any] | str, i: int) -> dict[str, Any]:
    entry: Mapping[str, Any] = {"text": row} if isinstance(row, str) else row
    out: dict[str, Any] = {
        "resourceType": "AllergyIntolerance",
        "id": f"alg-{i}",
        "code": _concept(entry),
        "patient": {"reference": "Patient/p1"},
        "verificationStatus": {"coding": [{"system": _ALLERGY_VERIFICATION, "code": entry.get("status", "confirmed")}]},
    }
    for key, member in (("kind", "type"), ("criticality", "criticality"), ("recorded", "recordedDate")):
        if key in entry:
            out[member] = str(entry[key])
    if "reaction" in entry:
        out["reaction"] = [{"manifestation": [{"text": entry["reaction"]}]}]
    return out


def _observation(row: Mapping[str, Any], i: int) -> dict[str, Any]:
    out: dict[str, Any] = {
        "resourceType": "Observation",
        "id": f"obs-{i}",
        "status": "final",
        "code": _concept(row),
        "subject": {"reference": "Patient/p1"},
        "effectiveDateTime": (TODAY - timedelta(days=row.get("days_ago", 1))).isoformat(),
    }
    if "word" in row:
        out["valueCodeableConcept"] = _concept(row["word"])
    else:
        out["valueQuantity"] = {"value": row["value"], "unit": row["unit"], "system": "http://unitsofmeasure.org", "code": row["unit"]}
        if "comparator" in row:
            out["valueQuantity"]["comparator"] = row["comparator"]
    return out


def _note(text: str, i: int) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "id": f"note-{i}",
        "status": "current",
        "subject": {"reference": "Patient/p1"},
        "date": f"{(TODAY - timedelta(days=2)).isoformat()}T08:00:00Z",
        "content": [{"attachment": {"contentType": "text/plain", "data": base64.b64encode(text.encode()).decode()}}],
    }


def _bundle(resources: list[dict[str, Any]]) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r, "search": {"mode": "match"}} for r in resources]}
