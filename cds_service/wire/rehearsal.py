"""Orders of every drug of the release, audited before the first request: what an audit keeps of each drug is worked out once, before workers fork.

The patient is made up, and nothing of it is stored, counted or answered.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from cds_service.answering import Question
from cds_service.audit.outcomes import NotEvaluated, NotEvaluatedReason
from cds_service.intake.request import open_request
from cds_service.wire.runtime import Runtime, kept_subjects
from ontology.model.identifiers import URL_OF_SYSTEM
from ontology.store.records import Dossier

log = logging.getLogger(__name__)

TOGETHER = 10
"""Drugs audited with one another."""
SECONDS = 5.0
"""Longest time the start waits for drugs to be audited once; the others wait for their first order."""

_PATIENT = "Patient/rehearsal"
_VALUES = (("2160-0", 0.9, "mg/dL"), ("2823-3", 4.2, "mmol/L"), ("29463-7", 70, "kg"), ("8302-2", 170, "cm"))


def rehearse(runtime: Runtime, *, seconds: float = SECONDS) -> int:
    """Audits orders of the drugs whose dossiers stay in memory, as far as the seconds reach; returns how many came to their turn.

    A drug whose audit breaks, in whole or in one check, is logged: it would break for a patient too.
    """
    end = time.monotonic() + seconds
    desk, release = runtime.desk, runtime.release
    subjects = kept_subjects(release)
    count = 0
    while time.monotonic() < end and (group := tuple(islice(subjects, TOGETHER))):
        some = [d for s in group if (d := release.dossier(s)) is not None]
        now = datetime.now(UTC)
        answer = desk.answer(Question(str(uuid.uuid4()), "rehearsal", now, False, open_request(_request(some, now))), telling=False)
        broken = {r.drug.name for r in answer.result.results if isinstance(r, NotEvaluated) and r.reason is NotEvaluatedReason.UNAVAILABLE}
        if broken or answer.fault is not None:
            log.error("a drug of the release cannot be audited", extra={"drugs": ", ".join(sorted(broken) or (d.name for d in some))})
        count += len(some)
    return count


def _request(dossiers: Sequence[Dossier], now: datetime) -> dict[str, Any]:
    """A signature of the drugs by an adult of whom age, sex, size and kidney function are known."""
    rows = [_resource("Observation", f"o{i}", status="final", code=_coded("loinc", c), effectiveDateTime=now.isoformat(), valueQuantity={"value": v, "unit": u})
            for i, (c, v, u) in enumerate(_VALUES)]  # fmt: skip
    none: dict[str, Any] = {"resourceType": "Bundle", "type": "searchset", "entry": []}
    return {
        "hook": "order-sign",
        "context": {
            "patientId": "rehearsal",
            "draftOrders": {"resourceType": "Bundle", "entry": [{"resource": _order(f"d{i}", d)} for i, d in enumerate(dossiers)]},
        },
        "prefetch": {
            "patient": {"resourceType": "Patient", "id": "rehearsal", "birthDate": f"{now.year - 50}-01-01", "gender": "female"},
            "medications": none,
            "conditions": none,
            "allergies": none,
            "observations": {**none, "entry": [{"resource": r} for r in rows]},
        },
    }


def _order(identifier: str, dossier: Dossier) -> dict[str, Any]:
    """An order of the drug by its first product code, once daily."""
    codes = sorted(c for label in dossier.labels for c in label.product_codes if c.startswith("rxnorm:"))
    concept = {**(_coded("rxnorm", codes[0].removeprefix("rxnorm:")) if codes else {}), "text": dossier.name}
    once = {"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}}
    return _resource("MedicationRequest", identifier, status="draft", intent="order", medicationCodeableConcept=concept, dosageInstruction=[once])


def _coded(system: str, code: str) -> dict[str, Any]:
    return {"coding": [{"system": URL_OF_SYSTEM[system], "code": code}]}


def _resource(kind: str, identifier: str, **members: Any) -> dict[str, Any]:
    return {"resourceType": kind, "id": identifier, "subject": {"reference": _PATIENT}, **members}
