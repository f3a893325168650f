"""Values of a policy file, each checked as it is read; what is wrong is an InvalidPolicy that says where, the value and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from cds_service.answer.errors import InvalidPolicy


def known_members(data: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Nothing, when the table has no other members than these."""
    strange = sorted(set(data) - set(known))
    if strange:
        raise InvalidPolicy(f"{where}: unknown member {strange[0]!r}; known are {', '.join(known)}")


def table(data: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    """A table of the file."""
    found = data.get(name)
    if not isinstance(found, dict):
        raise InvalidPolicy(f"{where}: table [{name}] is missing; copy it from the shipped policy")
    return found


def rows(data: Mapping[str, Any], name: str, where: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The tables of an array, each with its place; none where the file has no such array."""
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise InvalidPolicy(f"{where}: {name} is no list of tables; write each as [[{name}]]")
    yield from ((row, f"{where}, {name} {i}") for i, row in enumerate(found, 1))


def number(data: Mapping[str, Any], name: str, low: float, high: float, where: str) -> Decimal:
    """A number within these bounds."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not low <= value <= high:
        raise InvalidPolicy(f"{where}: {name} is {_said(value)}; expected a number from {low:g} to {high:g}")
    return Decimal(value)


def whole(data: Mapping[str, Any], name: str, low: int, high: int, where: str) -> int:
    """A whole number within these bounds."""
    value = number(data, name, low, high, where)
    if value != int(value):
        raise InvalidPolicy(f"{where}: {name} is {value}; expected a whole number from {low} to {high}")
    return int(value)


def word(data: Mapping[str, Any], name: str, words: Iterable[str], where: str) -> str:
    """One of these words."""
    value = data.get(name)
    if not isinstance(value, str) or value not in tuple(words):
        raise InvalidPolicy(f"{where}: {name} is {_said(value)}; expected one of {', '.join(words)}")
    return str(value)


def note(data: Mapping[str, Any], name: str, where: str) -> str:
    """A sentence that a person wrote for others to read."""
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidPolicy(f"{where}: {name} is {_said(value)}; write in a few words why it is so, or where it comes from")
    return " ".join(value.split())


def text(data: Mapping[str, Any], name: str, where: str) -> str:
    """A text that is not blank."""
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidPolicy(f"{where}: {name} is {_said(value)}; expected a text")
    return " ".join(value.split())


def names(data: Mapping[str, Any], name: str, where: str, known: Iterable[str] | None = None) -> tuple[str, ...]:
    """A list of names, of `known` ones where these are given; empty where the table does not have it."""
    value = data.get(name, [])
    listed = value if isinstance(value, list) else [value]
    if not isinstance(value, list) or (name in data and not listed) or not all(isinstance(v, str) and v.strip() for v in listed):
        raise InvalidPolicy(f'{where}: {name} is {_said(value)}; write a list of names, as ["one", "two"], or leave it out')
    allowed = None if known is None else tuple(known)
    strange = [v for v in listed if allowed is not None and v not in allowed]
    if allowed is not None and strange:
        raise InvalidPolicy(f"{where}: {name} names {strange[0]!r}, which is none; known are {', '.join(allowed)}")
    return tuple(" ".join(v.split()) for v in listed)


def day(data: Mapping[str, Any], name: str, where: str) -> date:
    """A calendar day."""
    value = data.get(name)
    try:
        read = date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        read = None
    if not isinstance(read, date) or isinstance(read, datetime):
        raise InvalidPolicy(f"{where}: {name} is {_said(value)}; write the day as 2027-03-31")
    return read


def _said(value: object) -> str:
    return "missing" if value is None else str(value) if isinstance(value, Decimal | date) else repr(value)
