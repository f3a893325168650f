"""What the readers yield: plain records with the source's own codes and words; nothing is resolved yet."""

from __future__ import annotations

from dataclasses import dataclass

Substance = tuple[str, str | None, str | None]
"""Name, UNII, RxCUI."""


@dataclass(frozen=True, slots=True)
class DrugRecord:
    """A code of a drug and the active substances it stands for; form, routes and strength in the source's words."""

    system: str
    code: str
    substances: tuple[Substance, ...]
    form: str = ""
    routes: tuple[str, ...] = ()
    strength: str = ""


@dataclass(frozen=True, slots=True)
class IngredientRecord:
    """A base ingredient by RxCUI: its name, and further names with those of its salts."""

    rxcui: str
    name: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrandRecord:
    """A name under which substances are sold; a name that stands for several compositions comes once for each."""

    name: str
    substances: tuple[Substance, ...]


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """A class of a hierarchy of codes; `parent` is empty at the top."""

    system: str
    code: str
    name: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class MemberRecord:
    """A substance as a member of a class."""

    system: str
    class_code: str
    name: str
    rxcui: str | None = None


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """A code of a `condition`, `allergy` or `substance`, and what it is a kind of or caused by.

    `means` are tried in order as alternatives within an item and hold together across items: ("snomed:73211009",) or
    ("snomed:372687004|name:amoxicillin",).
    """

    system: str
    code: str
    kind: str
    means: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteCodeRecord:
    """A code of the site's own and what it means: targets that hold together, each `system:code` or a name; `place` is file and line."""

    system: str
    code: str
    kind: str
    means: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class LineRefused:
    """A line or an item that was not taken: where it stands and why."""

    place: str
    what: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A well-formed item that says nothing of identity; only counted, by reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class SourceVersion:
    """The version a source says it is of."""

    text: str


TermRecord = DrugRecord | IngredientRecord | BrandRecord | ClassRecord | MemberRecord | ConceptRecord | SiteCodeRecord
Item = TermRecord | LineRefused | LeftOut | SourceVersion

RECORDS: dict[str, type[TermRecord]] = {
    "ingredient": IngredientRecord,
    "drug": DrugRecord,
    "brand": BrandRecord,
    "class": ClassRecord,
    "member": MemberRecord,
    "concept": ConceptRecord,
    "site-code": SiteCodeRecord,
}
"""Kinds of record in the order they are compiled in: drugs name ingredients, and the site's codes may mean any of them."""
