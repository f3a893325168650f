"""What a site sets of the audit's own numbers: tolerances of rounding, and how many orders of one ingredient or class at a time are intended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache

from cds_service.audit.clinical import table
from cds_service.audit.knowledge import Terms, entities_named
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId

_INGREDIENTS = (EntityType.INGREDIENT,)


class Shared(StrEnum):
    """What the orders have in common that an allowance counts."""

    INGREDIENT = "ingredient"
    CLASS = "class"

    @property
    def types(self) -> tuple[EntityType, ...]:
        """The entities that its names may denote."""
        return _INGREDIENTS if self is Shared.INGREDIENT else (EntityType.DRUG_CLASS,)


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most so many orders of one ingredient or class side by side are intended, by the site's own word; `why` is its note."""

    of: Shared
    name: str
    most: int
    why: str


@dataclass(frozen=True, slots=True)
class Tolerance:
    """By how much a dose by weight or surface of one ingredient may lie above the label's, as a part of it."""

    ingredient: str
    scaled: Decimal


@dataclass(frozen=True, slots=True)
class SiteNumbers:
    """The numbers of one site. `scaled` is the tolerance of drugs without one of their own."""

    scaled: Decimal
    tolerances: tuple[Tolerance, ...] = ()
    allowances: tuple[Allowance, ...] = ()

    def tolerance(self, ingredients: Iterable[EntityId], terms: Terms) -> Decimal:
        """The tolerance for a drug: the least of its ingredients' own ones, else the general one."""
        mine = frozenset(ingredients)
        own = [t.scaled for t in self.tolerances if mine & entities_named(terms, (t.ingredient,), _INGREDIENTS)]
        return min(own, default=self.scaled)

    def allowance(self, shared: Shared, entity: EntityId, orders: int, terms: Terms) -> Allowance | None:
        """The allowance that makes so many orders of the ingredient or class intended, or None."""
        named = (a for a in self.allowances if a.of is shared and entity in entities_named(terms, (a.name,), shared.types))
        return next((a for a in named if orders <= a.most), None)


@cache
def shipped_numbers() -> SiteNumbers:
    """The numbers where a site says nothing: the tolerance of `doses.toml`, no allowance."""
    return SiteNumbers(Decimal(table("doses")["rounding"]["scaled"]))
