"""Scalars and lists of a FHIR resource, read by shape: a value of another type is as good as none, and nothing here raises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

Resource = Mapping[str, Any]

MAGNITUDE = 15
"""Numbers of 10^15 and more, or with more than 15 decimals before the first digit, are no clinical values; they are read as absent."""

INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Control characters, soft hyphens, zero-width and direction marks: a name is the same name with and without them."""

DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def mapping(value: object) -> Resource:
    """The value as an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The value as a list: absent is empty, a single value is a list of one (older and careless clients send objects for lists)."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def objects(value: object) -> list[Resource]:
    """The objects in a list or a single value."""
    return [v for v in items(value) if isinstance(v, dict)]


def text(value: object) -> str | None:
    """The value as a non-blank string with single spaces and without invisible characters, or None."""
    if not isinstance(value, str):
        return None
    if value.isprintable():
        return (value if "  " not in value and value == value.strip() else " ".join(value.split())) or None
    return " ".join(INVISIBLE.sub("", value).split()) or None


def boolean(value: object) -> bool | None:
    """A truth value, also where it came as the words `true` or `false`."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None


def number(value: object) -> Decimal | None:
    """A finite decimal of sane magnitude, also from a string; None for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return None
    if isinstance(value, int) and value.bit_length() > 64:
        return None
    try:
        read = Decimal(value)
    except InvalidOperation:
        return None
    if not read.is_finite() or (read and abs(read.adjusted()) >= MAGNITUDE):
        return None
    if len(str(read)) > 2 * MAGNITUDE and len(read.as_tuple().digits) > 2 * MAGNITUDE:
        return None
    return read if read else Decimal(0)


def day(value: object) -> date | None:
    """The calendar day of a FHIR date, dateTime or instant as written; None for a year or month alone and for anything else."""
    found = DAY.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None


def instant(value: object) -> datetime | None:
    """A point in time that carries its offset, or None."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    return read if read.tzinfo is not None else None


def first_day(resource: Resource, *names: str) -> date | None:
    """The first readable day among these members; of a period its start, else its end."""
    for name in names:
        value = resource.get(name)
        found = day(value) or day(mapping(value).get("start")) or day(mapping(value).get("end"))
        if found:
            return found
    return None


def choice(resource: Resource, stem: str) -> Any:
    """The value of a choice element `stem[x]`, whichever type it was sent as, or None."""
    if stem in resource:
        return resource[stem]
    return next((v for k, v in resource.items() if k.startswith(stem) and k[len(stem) : len(stem) + 1].isupper()), None)
