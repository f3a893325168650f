"""Synthetic patients of the demo page, read from a folder of JSON files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec

from cds_service.errors import DemoUnusable
from cds_service.web.exact_json import decode

WHOLE_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(T.*)?", re.DOTALL)
PATIENT_ID = re.compile(r"[A-Za-z0-9.-]{1,64}")


@dataclass(frozen=True, slots=True)
class DemoPatient:
    """A patient with a story: the record as an EHR would send it, and draft orders to choose from. Dates are those of `as_of`."""

    id: str
    title: str
    story: str
    as_of: date | None
    patient: Mapping[str, Any]
    prefetch: Mapping[str, Any]
    orders: tuple[Mapping[str, Any], ...]

    def on(self, today: date) -> DemoPatient:
        """The same patient with all whole dates moved by the days since `as_of`, so that "six days ago" stays six days ago."""
        if self.as_of is None or self.as_of == today:
            return self
        moved = _move([self.patient, self.prefetch, list(self.orders)], today - self.as_of)
        return DemoPatient(self.id, self.title, self.story, today, moved[0], moved[1], tuple(moved[2]))


def read_patients(folder: Path) -> tuple[DemoPatient, ...]:
    """The patients of a folder, by file name. Raises DemoUnusable naming the file and the member."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not files:
        raise DemoUnusable(f"demo folder {folder} holds no *.json file; give a folder of patients such as fixtures/patients")
    patients = tuple(_read(path) for path in files)
    seen: dict[str, Path] = {}
    for patient, path in zip(patients, files, strict=True):
        if patient.id in seen:
            raise DemoUnusable(f"{path} has the id {patient.id!r} of {seen[patient.id]}; give each patient an id of its own")
        seen[patient.id] = path
    return patients


def _read(path: Path) -> DemoPatient:
    try:
        record = decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise DemoUnusable(f"demo patient {path} cannot be read: {error}") from error
    if not isinstance(record, dict):
        raise DemoUnusable(f"demo patient {path} is not a JSON object")
    for member, kind in (("id", str), ("title", str), ("story", str), ("patient", dict), ("prefetch", dict), ("orders", list)):
        if not isinstance(record.get(member), kind):
            raise DemoUnusable(f"demo patient {path}: member {member!r} is missing or not a {kind.__name__}")
    if not PATIENT_ID.fullmatch(record["id"]):
        raise DemoUnusable(f"demo patient {path}: id {record['id']!r} may hold letters, digits, '-' and '.' only")
    orders: Sequence[Any] = record["orders"]
    if not all(isinstance(o, dict) and isinstance(o.get("id"), str) for o in orders):
        raise DemoUnusable(f"demo patient {path}: every order needs to be a resource with an id")
    try:
        as_of = date.fromisoformat(record["as_of"]) if record.get("as_of") else None
    except (TypeError, ValueError) as error:
        raise DemoUnusable(f"demo patient {path}: as_of {record['as_of']!r} is not a date such as 2026-11-30") from error
    return DemoPatient(record["id"], record["title"], record["story"], as_of, record["patient"], record["prefetch"], tuple(orders))


def _move(value: Any, by: timedelta) -> Any:
    if isinstance(value, dict):
        return {key: _move(inner, by) for key, inner in value.items()}
    if isinstance(value, list):
        return [_move(inner, by) for inner in value]
    if isinstance(value, str) and (found := WHOLE_DATE.fullmatch(value)):
        try:
            return (date.fromisoformat(found[1]) + by).isoformat() + (found[2] or "")
        except (ValueError, OverflowError):
            return value
    return value
