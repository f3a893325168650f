"""A site's own codes in a request are read as the standard codes they mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from cds_service.intake import read_request
from cds_service.intake.prescription import Prescription
from ontology.model.identifiers import Code
from ontology.terms.loaded import SCHEMA, LoadedTerms
from ontology.terms.terminology import Terminology

LAB = "http://site.example/lab"


@pytest.fixture(scope="module")
def site() -> Iterator[Terminology]:
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    db.executemany("INSERT INTO meaning VALUES (?, ?)", [(f"{LAB}:CREA", "code:loinc:2160-0"), ("urn:dx:SUGAR", "code:icd10cm:E11.9")])
    yield Terminology.from_rows(Terminology.shipped().rows(), LoadedTerms(lambda: db))
    db.close()


def observation(code: str) -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": code,
        "status": "final",
        "code": {"coding": [{"system": LAB, "code": code}]},
        "subject": {"reference": "Patient/p1"},
        "effectiveDateTime": "2026-10-30",
        "valueQuantity": {"value": 1, "unit": "mg/dL"},
    }


def condition() -> dict[str, Any]:
    return {"resourceType": "Condition", "id": "c", "code": {"coding": [{"system": "urn:dx", "code": "SUGAR"}]}, "subject": {"reference": "Patient/p1"}}


@pytest.fixture
def read(site: Terminology, request_body: Callable[..., dict[str, Any]], order: Callable[..., dict[str, Any]]) -> Callable[..., Prescription]:
    def run(prefetch: dict[str, Any]) -> Prescription:
        return read_request(request_body(order(), prefetch=prefetch), site, received=datetime(2026, 11, 1, tzinfo=UTC), use_request_time=False)

    return run


def test_a_laboratory_code_of_the_site_is_its_loinc_code(read: Callable[..., Prescription]) -> None:
    patient = read({"observations": [observation("CREA"), observation("OTHER")]}).patient
    assert [m.code for m in patient.measurements] == [Code("loinc", "2160-0"), Code(LAB, "OTHER")]


def test_a_problem_code_of_the_site_is_the_condition_it_means(read: Callable[..., Prescription]) -> None:
    (fact,) = read({"conditions": [condition()]}).patient.conditions
    assert "type 2 diabetes mellitus" in [m.name for m in fact.concepts]
