"""What one tablet, millilitre, puff or patch of an order's product holds of an ingredient."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from cds_service.intake.prescription import Order
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Quantity, Unit
from ontology.terms.identity import DrugIdentity, IngredientRef

MEASURED = frozenset({"mass", "activity", "equivalents", "substance", "radioactivity"})
"""Dimensions in which an amount of an ingredient is stated."""

COUNTED = frozenset({"tablet", "capsule", "puff", "patch", "pill", "suppository", "dose", "drop", "spray", "vial", "packet", "lozenge", "bag"})
"""Dimensions of products that are counted."""

_DROPS_IN_ML = Decimal(20)
"""Drops in a millilitre. source: USP <1101>, a medicine dropper delivers 1 mL of water in 20 drops."""

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?|\.\d+"
_UNITS = r"mcg|ug|µg|μg|mg|g|gm|gram|grams|units?|unt|iu|million units?|meq|mmol|微克|毫克|克|单位"
_BELOW = r"ml|l|dl|毫升|actuations?|act|actuat|inhalations?|sprays?|puffs?|hr|hrs|hour|hours|h|day|d|tablet|capsule|patch|vial|drop|dose"
_AMOUNT = re.compile(
    rf"(?<![\d.,])(?P<first>(?:(?:{_NUMBER})\s*[-/]\s*)*)(?P<n>{_NUMBER})\s*(?P<unit>{_UNITS})(?![a-z])(?:\s*(?:/|per\b|in\b)\s*(?:(?P<by>{_NUMBER})?\s*(?P<below>{_BELOW})|(?P<weighed>gm|g))(?![a-z]))?",
    re.IGNORECASE,
)
_PERCENT = re.compile(rf"(?<![\d.])(?P<n>{_NUMBER})\s*%")
_BAG = re.compile(rf"\bin\b.*?(?<![\d.])(?P<n>{_NUMBER})\s*(?P<unit>mL|L)\b", re.IGNORECASE)
_VOLUMES = {"ml": Decimal(1), "毫升": Decimal(1), "l": Decimal(1000), "dl": Decimal(100)}
_HOURS = {"h": Decimal(1), "hr": Decimal(1), "hrs": Decimal(1), "hour": Decimal(1), "hours": Decimal(1), "day": Decimal(24), "d": Decimal(24)}
_MULTIPLES = frozenset(Decimal(n) / 2 for n in (1, 2, 3, 4, 6, 8))
"""How many units a dose of a combination can be when it is given as the mass of one of them."""


@dataclass(frozen=True, slots=True)
class Content:
    """The amount of the ingredient in one counted unit, in one millilitre, and what a patch gives an hour; None where the order does not say it.

    `parts` are the amounts of all ingredients in one unit: a combination's dose in milligrams is of one of them or of the sum.
    """

    each: Quantity | None = None
    per_ml: Quantity | None = None
    hourly: Quantity | None = None
    alone: bool = True
    parts: tuple[Quantity, ...] = ()

    def amount(self, dose: Quantity | None) -> Quantity | None:
        """The amount of the ingredient in a dose, None where it cannot be known."""
        if dose is None:
            return None
        kind = dose.unit.dimension
        if kind in MEASURED:
            return dose if self.alone else self._share(dose)
        if kind == "volume":
            return _times(self.per_ml, dose.value * dose.unit.factor)
        if kind == "drop":
            return _times(self.per_ml, dose.value / _DROPS_IN_ML)
        return _times(self.each, dose.value) if kind in COUNTED else None

    def _share(self, dose: Quantity) -> Quantity | None:
        """What a dose of a combination, given in units of mass, holds of this ingredient."""
        alike = [p for p in self.parts if p.unit.dimension == dose.unit.dimension and p.value > 0]
        if self.each is None or not alike or len(alike) != len(self.parts):
            return None
        sizes = {dose.to(p.unit).value / p.value for p in alike}
        total = sum((p.value * p.unit.factor for p in alike), Decimal(0))
        sizes.add(dose.value * dose.unit.factor / total)
        fitting = sizes & _MULTIPLES
        return _times(self.each, fitting.pop()) if len(fitting) == 1 else None


@dataclass(frozen=True, slots=True)
class _Printed:
    """A strength as printed: an amount, and below it the volume in mL, the hours or nothing."""

    at: int
    amount: Quantity
    volume: Decimal | None = None
    hours: Decimal | None = None
    unit_named: bool = True  # the number behind the slash was printed, so the amount is that of the whole unit


def content_of(order: Order, ingredient: EntityId) -> Content:
    """What the order's product holds of the ingredient, from the strength of its identity, else from its text."""
    drug = order.drug
    if not isinstance(drug, DrugIdentity):
        return Content()
    said = order.text or drug.matched
    if len(drug.ingredients) <= 1:
        printed = _printed(drug.strength) or _printed(said)
        return _content(_one(printed), said) or _percent(drug.strength or said) or Content()
    every = _named(drug.ingredients, said) or _of_each(drug.ingredients, _printed(said)) or _of_each(drug.ingredients, _printed(drug.strength))
    mine = every.get(ingredient)
    content = (_content(mine, said) if mine is not None else None) or Content()
    parts = tuple(p.amount for p in every.values()) if len(every) == len(drug.ingredients) else ()
    return Content(content.each, content.per_ml, None, alone=False, parts=parts)


def strength_of(order: Order) -> Quantity | None:
    """The strength of one unit of a single-ingredient order; None when it names none or several, or only a concentration."""
    if not isinstance(order.drug, DrugIdentity) or len(order.drug.ingredients) != 1:
        return None
    for said in (order.drug.strength, order.text):
        found = {(p.amount.value, p.amount.unit) for p in _printed(said) if p.volume is None and p.hours is None}
        if len(found) == 1:
            return Quantity(*found.pop())
    return None


def _printed(said: str | None) -> tuple[_Printed, ...]:
    """The strengths that a text prints, in order; "800-160 mg" is two."""
    return tuple(_read(said)) if said else ()


@cache
def _unit(printed: str) -> Unit | None:
    return Unit.find("units" if printed == "unt" else printed)


def _read(said: str) -> Iterator[_Printed]:
    for m in _AMOUNT.finditer(said):
        unit = _unit(m["unit"].lower())
        if unit is None:
            continue
        below, by = (m["below"] or "").lower(), m["by"]
        size = Decimal(by.replace(",", "")) if by else Decimal(1)
        volume = size * _VOLUMES[below] if below in _VOLUMES and size > 0 else None
        hours = size * _HOURS[below] if below in _HOURS and size > 0 else None
        if m["weighed"]:
            continue
        for number in (*(n for n in re.split(r"\s*[-/]\s*", m["first"]) if n), m["n"]):
            yield _Printed(m.start(), Quantity(Decimal(number.replace(",", "")), unit), volume, hours, by is not None or not below)


def _one(printed: Sequence[_Printed]) -> _Printed | None:
    """The only strength; the same one printed twice is one, also as another volume of one concentration."""
    kinds = {(p.amount.value * p.amount.unit.factor / (p.volume or 1), p.amount.unit.dimension, p.volume is None, p.hours) for p in printed}
    return printed[0] if len(kinds) == 1 else None


def _content(printed: _Printed | None, said: str) -> Content | None:
    if printed is None:
        return None
    amount = printed.amount
    if printed.hours is not None:
        return Content(hourly=Quantity(amount.value / printed.hours, amount.unit))
    if printed.volume is not None:
        whole = amount if printed.unit_named else None
        return Content(each=whole, per_ml=Quantity(amount.value / printed.volume, amount.unit))
    bag = _BAG.search(said)
    size = Decimal(bag["n"].replace(",", "")) * _VOLUMES[bag["unit"].lower()] if bag is not None else Decimal(0)
    return Content(each=amount, per_ml=Quantity(amount.value / size, amount.unit) if size > 0 else None)


def _percent(said: str | None) -> Content | None:
    """A percentage as grams in 100 mL."""
    found = {m["n"] for m in _PERCENT.finditer(said or "")}
    return Content(per_ml=Quantity(Decimal(found.pop().replace(",", "")) * 10, Unit.of("mg"))) if len(found) == 1 else None


def _named(ingredients: Sequence[IngredientRef], said: str) -> dict[EntityId, _Printed]:
    """The strength behind each ingredient's name, else the strengths in the order in which the names stand."""
    low = said.lower()
    places = sorted((at, i.id) for i in ingredients if (at := low.find(i.name.lower().split()[0])) >= 0)
    printed = _printed(said)
    ends = [*(at for at, _ in places[1:]), len(said)]
    behind = [[p for p in printed if at < p.at < end] for (at, _), end in zip(places, ends, strict=False)]
    found = sum(len(b) == 1 for b in behind)
    if all(len(b) <= 1 for b in behind) and (found == len(ingredients) or found > 1):
        return _sharing({i: b[0] for (_, i), b in zip(places, behind, strict=True) if b})
    if len(printed) == len(places) == len(ingredients):
        return _sharing(dict(zip((i for _, i in places), printed, strict=True)))
    return {}


def _of_each(ingredients: Sequence[IngredientRef], printed: Sequence[_Printed]) -> dict[EntityId, _Printed]:
    """As many strengths as ingredients, in the printed order of that combination; equal strengths need none."""
    if len(printed) != len(ingredients):
        return {}
    if len({(p.amount.value, p.amount.unit, p.volume) for p in printed}) == 1:
        return dict(zip((i.id for i in ingredients), printed, strict=True))
    order = _printed_orders().get(frozenset(i.name.lower() for i in ingredients))
    named = {i.name.lower(): i.id for i in ingredients}
    return _sharing({named[name]: p for name, p in zip(order, printed, strict=True)}) if order is not None else {}


def _sharing(found: dict[EntityId, _Printed]) -> dict[EntityId, _Printed]:
    """The strengths with the volume that only the last one prints ("400 mg / 57 mg per 5 mL")."""
    volumes = {p.volume for p in found.values() if p.volume is not None}
    if len(volumes) != 1 or all(p.volume is not None for p in found.values()):
        return found
    volume = volumes.pop()
    return {i: p if p.volume is not None else _Printed(p.at, p.amount, volume, p.hours, p.unit_named) for i, p in found.items()}


@cache
def _printed_orders() -> dict[frozenset[str], tuple[str, ...]]:
    lines = files("cds_service.audit").joinpath("data", "strength_order.tsv").read_text("utf-8").splitlines()
    rows = [tuple(line.split("|")) for line in lines if line and not line.startswith("#")][1:]
    return {frozenset(row): row for row in rows}


def _times(amount: Quantity | None, number: Decimal) -> Quantity | None:
    return Quantity(amount.value * number, amount.unit) if amount is not None else None
