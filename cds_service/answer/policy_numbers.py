"""The site's own tolerances of rounding and allowed duplicates, from `tolerances.toml` and `duplicates.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy_reading import known_members, note, number, rows, table, text, whole
from cds_service.audit.site import Allowance, Shared, SiteNumbers, Tolerance, shipped_numbers

WIDEST = 0.25
"""A tolerance beyond a quarter is no rounding."""

MOST_ORDERS = 20


def read_numbers(tolerances: Mapping[str, Any] | None, duplicates: Mapping[str, Any] | None, here: str) -> SiteNumbers:
    """The site's numbers; the shipped ones for a file that the site does not have."""
    shipped = shipped_numbers()
    scaled, own = _tolerances(tolerances, f"{here}: tolerances.toml") if tolerances is not None else (shipped.scaled, shipped.tolerances)
    allowances = _allowances(duplicates, f"{here}: duplicates.toml") if duplicates is not None else shipped.allowances
    return SiteNumbers(scaled, own, allowances)


def _tolerances(data: Mapping[str, Any], where: str) -> tuple[Decimal, tuple[Tolerance, ...]]:
    known_members(data, ("rounding", "drug"), where)
    general = table(data, "rounding", where)
    known_members(general, ("scaled", "why", "source"), f"{where}, [rounding]")
    scaled = _part(general, f"{where}, [rounding]")
    own = []
    for row, place in rows(data, "drug", where):
        known_members(row, ("ingredient", "scaled", "why", "source"), place)
        own.append(Tolerance(text(row, "ingredient", place), _part(row, place)))
    return scaled, tuple(own)


def _part(data: Mapping[str, Any], where: str) -> Decimal:
    note(data, "why", where)
    note(data, "source", where)
    return number(data, "scaled", 0, WIDEST, where)


def _allowances(data: Mapping[str, Any], where: str) -> tuple[Allowance, ...]:
    known_members(data, ("allow",), where)
    found = []
    for row, place in rows(data, "allow", where):
        known_members(row, (*Shared, "orders", "why"), place)
        named = [s for s in Shared if s in row]
        if len(named) != 1:
            raise InvalidPolicy(f"{place}: names {' and '.join(named) or 'neither ingredient nor class'}; give one of {' or '.join(Shared)}")
        found.append(Allowance(named[0], text(row, named[0], place), whole(row, "orders", 2, MOST_ORDERS, place), note(row, "why", place)))
    doubled = next((a for i, a in enumerate(found) if (a.of, a.name.casefold()) in {(b.of, b.name.casefold()) for b in found[:i]}), None)
    if doubled is not None:
        raise InvalidPolicy(f"{where}: the {doubled.of} {doubled.name!r} stands twice; keep one row")
    return tuple(found)
