"""An order of a case beside the labels of the cases, as a check sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from case_request import request_of
from case_world import World, case_world, make_world

from cds_service.audit.checks.protocol import Case, Check
from cds_service.audit.outcomes import Clear, Finding, Gap, NotEvaluated
from cds_service.audit.pest.dosing import Dosing
from cds_service.audit.pest.questions import dosing_of
from cds_service.audit.profile import PatientProfile
from cds_service.audit.roster import Medication, call_roster
from cds_service.intake.request import read_request

MAN: dict[str, Any] = {"born": "1981-03-01", "sex": "male", "conditions": [], "allergies": "none stated", "labs": []}
WEIGHT_80 = {"text": "Weight", "loinc": "29463-7", "value": 80, "unit": "kg"}
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def man(**more: Any) -> dict[str, Any]:
    """A healthy man of 45, but for what is given."""
    return {**MAN, **more}


def case_with(draft: Any, *, who: Mapping[str, Any] = MAN, current: tuple[Any, ...] = (), world: World | None = None, **more: Any) -> Case:
    """A case of one order, or of a list."""
    plain = {"patient": who, "current": list(current), "draft": draft if isinstance(draft, list) else [draft], **more}
    known = world or case_world()
    body = json.loads(json.dumps(request_of(plain)), parse_float=Decimal, parse_int=Decimal)
    prescription = read_request(body, known.terminology, received=NOW, use_request_time=True)
    roster = call_roster(prescription, known)
    return Case(prescription, known, roster, PatientProfile(prescription, known, roster))


def draft_of(case: Case) -> Medication:
    """Its first draft order."""
    return case.roster.drafts[0]


def dosing(draft: Any, **more: Any) -> Dosing:
    """The dose question of one order."""
    case = case_with(draft, **more)
    return dosing_of(case, draft_of(case))


def told(check: Check, draft: Any, **more: Any) -> list[Finding | Gap | NotEvaluated | Clear]:
    """What a check says of the first draft order."""
    case = case_with(draft, **more)
    return [r for r in check.judge(case, draft_of(case)) if isinstance(r, Finding | Gap | NotEvaluated | Clear)]


_DRUGS = ("propranolol", "atenolol", "timolol", "nadolol", "pindolol", "bisoprolol", "carvedilol", "labetalol", "sotalol", "betaxolol", "acebutolol", "esmolol",
          "losartan", "valsartan", "irbesartan", "telmisartan", "candesartan", "olmesartan", "enalapril", "ramipril", "quinapril", "benazepril", "captopril")  # fmt: skip
"""Drugs that labels made for a test are given, one each."""


def labels_of(named: Mapping[str, tuple[Mapping[str, Any], ...]]) -> tuple[World, dict[str, str]]:
    """A world of one label for each name, and the drug of each. Making a world takes seconds: one a module."""
    drugs = dict(zip(named, _DRUGS, strict=False))
    return make_world([{"set_id": f"label-{drug}", "drug": drug, "rules": list(named[name])} for name, drug in drugs.items()]), drugs
