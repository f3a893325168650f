"""What a terminology is made of: entities, edges anchored in term files, code ranges, words, brand names, products.

`TermData` is the whole content as plain values; everything the look-ups use is built from it, and it is what a release stores.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.analytes import Analyte, convert
from ontology.model.entities import Entity
from ontology.model.identifiers import Code, EntityId
from ontology.model.quantities import Quantity, Unit


@dataclass(frozen=True, slots=True)
class TermFile:
    """A hand-kept file as the document its edges are quoted from; `source` names the works its rows are taken from."""

    key: str
    title: str
    text: str
    version: str
    source: str


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One hand-kept edge and the offsets, in the text of the term file `file`, of the row or the sentence that states it.

    `note` says what an edge alone does not. Where the predicate carries advice, `action`, `strength` and `basis` name it.
    """

    predicate: str
    subject: EntityId
    object: EntityId
    file: str
    start: int
    end: int
    note: str = ""
    action: str = ""
    strength: str = ""
    basis: str = ""


@dataclass(frozen=True, slots=True)
class CodeRange:
    """ICD-10-CM codes a condition covers: from `low` to `high`, both with everything below them."""

    entity: EntityId
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of a closed table (`route`, `form`, `salt`, `unit` ...) and what it stands for."""

    table: str
    text: str
    value: str = ""
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabTerm:
    """A laboratory test or vital sign: LOINC codes, names that results carry (normalised), units, the canonical one first.

    A value below `low` or above `high`, in the canonical unit, is taken for an error; the limits say nothing of what is normal.
    """

    entity: EntityId
    loinc: tuple[str, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    analyte: Analyte
    low: Decimal | None
    high: Decimal | None

    @property
    def called(self) -> str:
        """The short name that gaps and data files use (`potassium`, `heart rate`)."""
        return self.names[0]

    def convert(self, value: Quantity, unit: Unit) -> Quantity | None:
        """The value in another unit in which the test is reported, by its molar mass and charge; None when the two do not convert."""
        return convert(value, unit, self.analyte)

    def plausible(self, value: Quantity) -> bool:
        """False for a value outside the limits, or in a unit that is none of the test's; True where the test has no limits."""
        if not self.units:
            return True
        canonical = self.convert(value, Unit.of(self.units[0]))
        return canonical is not None and (self.low is None or canonical.value >= self.low) and (self.high is None or canonical.value <= self.high)


@dataclass(frozen=True, slots=True)
class BrandTerm:
    """A name under which a composition is sold, with the form and route that the name fixes."""

    name: str
    ingredients: tuple[EntityId, ...]
    form: str | None = None
    route: str | None = None


@dataclass(frozen=True, slots=True)
class ProductTerm:
    """A product of the overlay: the label it is from, its brand and generic names, base ingredients, routes, form and strength.

    `codes` are look-up keys, `system:value`; an NDC is reduced to its nine digits of labeler and product.
    """

    document: str
    brands: tuple[str, ...]
    generic: str
    ingredients: tuple[EntityId, ...]
    codes: tuple[str, ...]
    routes: tuple[str, ...]
    form: str | None
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A product as document metadata gives it; input of the overlay.

    `substances` are (name, UNII, RxCUI), `classes` are (name, `EPC` or `MoA`, NUI); `strength` is that of a product of one substance.
    """

    document: str
    generic_name: str
    brand_names: tuple[str, ...] = ()
    substances: tuple[tuple[str, str | None, str | None], ...] = ()
    codes: tuple[Code, ...] = ()
    routes: tuple[str, ...] = ()
    form: str | None = None
    classes: tuple[tuple[str, str, str | None], ...] = ()
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class TermData:
    """The content of a terminology."""

    files: tuple[TermFile, ...] = ()
    entities: tuple[Entity, ...] = ()
    edges: tuple[EdgeRow, ...] = ()
    ranges: tuple[CodeRange, ...] = ()
    words: tuple[Word, ...] = ()
    brands: tuple[BrandTerm, ...] = ()
    products: tuple[ProductTerm, ...] = ()
    labs: tuple[LabTerm, ...] = ()
