"""Doses in milligrams of a salt and of its base: a label that states the one is met by an order in the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from cds_service.audit.clinical import table
from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.roster import Medication
from ontology.model.dosing import Limit, Regimen
from ontology.model.identifiers import EntityId
from ontology.store.records import Rule

AS_ORDERED = Decimal(1)
_MASS = "mass"
_AMOUNT = r"(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>mg|g)\b"
_ANY = re.compile(rf"(?<![\d.,]){_AMOUNT}", re.IGNORECASE)
_OF_BASE = re.compile(rf"(?<![\d.,]){_AMOUNT}\s+(?:of\s+)?(?:[a-z]+\s+){{0,2}}base\b", re.IGNORECASE)
_OF_SALT = re.compile(rf"(?<![\d.,]){_AMOUNT}\s+(?:of\s+)?(?:[a-z]+\s+)?salt\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Salt:
    """A salt of a drug: the base that one milligram of it holds, and whether the label's doses are in milligrams of base."""

    base: Decimal
    in_base: bool


def salt_of(medication: Medication) -> Salt | None:
    """The salt that the order's only ingredient is ordered in; None where nobody counts it in two ways, or the order names another salt."""
    if len(medication.ingredients) != 1:
        return None
    row = _rows().get(next(iter(medication.ingredients)))
    said = _said(medication).casefold()
    if row is None or any(other in said for other in row["others"]):
        return None
    return Salt(Decimal(row["base_mg"]) / Decimal(row["salt_mg"]), row["stated"] == "base")


def readings(salt: Salt | None, rule: Rule, medication: Medication, ordered: OrderedAmounts) -> tuple[Decimal, ...]:
    """The numbers that make the order's milligrams those of the rule, the amount as it stands first.

    An order is of the salt or of the base unless it says that its milligrams are of the base.
    """
    if salt is None or _MASS not in ordered.given:
        return (AS_ORDERED,)
    in_base = _is_in_base(rule, otherwise=salt.in_base)
    if _orders_base(medication, ordered.given[_MASS]):
        return (AS_ORDERED,) if in_base else (1 / salt.base,)
    return AS_ORDERED, salt.base if in_base else 1 / salt.base


def as_read(given: dict[str, Given], by: Decimal) -> dict[str, Given]:
    """The amounts with those of mass times the number."""
    mass = given.get(_MASS)
    return given if mass is None or by == AS_ORDERED else {**given, _MASS: _times(mass, by)}


def _times(g: Given, by: Decimal) -> Given:
    single_low, single_high, daily_low, daily_high = (a if a is None else a * by for a in (g.single_low, g.single_high, g.daily_low, g.daily_high))
    return Given(single_low, single_high, daily_low, daily_high, g.times, g.once, g.words)


def _is_in_base(rule: Rule, *, otherwise: bool) -> bool:
    """Whether a rule's own number stands before "base" in what it quotes; `otherwise` where neither base nor salt is said of it."""
    quoted = " ".join(span.quote for claim in rule.claims for span in claim.evidence)
    own = set(_amounts(rule))
    if own & {_milligrams(m) for m in _OF_BASE.finditer(quoted)}:
        return True
    return otherwise and not own & {_milligrams(m) for m in _OF_SALT.finditer(quoted)}


def _amounts(rule: Rule) -> Iterator[Decimal]:
    stated = [rule.payload.amount] if isinstance(rule.payload, Limit) else []
    stated += [a for phase in rule.payload.phases for a in phase.amounts] if isinstance(rule.payload, Regimen) else []
    for amount in stated:
        by = _UNITS.get(amount.unit)
        yield from (n * by for n in (amount.low, amount.high, *amount.choices) if n is not None and by is not None)


def _orders_base(medication: Medication, given: Given) -> bool:
    """True when the order says of its dose, or of all strengths it names, that it is of the base."""
    said = _said(medication)
    of_base = {_milligrams(m) for m in _OF_BASE.finditer(said)}
    return bool(of_base) and (given.single_high in of_base or of_base == {_milligrams(m) for m in _ANY.finditer(said)})


def _said(medication: Medication) -> str:
    order = medication.order
    return " ; ".join(text for text in (order.text, *(i.text for i in order.instructions)) if text)


_UNITS = {"mg": Decimal(1), "g": Decimal(1000)}


def _milligrams(m: re.Match[str]) -> Decimal:
    return Decimal(m["n"]) * _UNITS[m["unit"].lower()]


@cache
def _rows() -> dict[EntityId, dict[str, Any]]:
    return {EntityId("Ingredient", "rxnorm", row["rxcui"]): row for row in table("base_and_salt")["drug"]}
