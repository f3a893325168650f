"""A terminology as (kind, JSON) rows and back, without loss: what a release stores and a service loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from sys import intern
from typing import Any

import msgspec

from ontology.model.analytes import Analyte
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.errors import OntologyError, TerminologyError
from ontology.model.identifiers import Code, EntityId
from ontology.terms.entries import BrandTerm, CodeRange, EdgeRow, LabTerm, ProductTerm, TermData, TermFile, Word

_encode = msgspec.json.Encoder().encode

_SHAPES: dict[str, Any] = {
    "file": tuple[str, str, str, str, str],
    "entity": tuple[str, str, list[tuple[str, str]], list[tuple[str, str, str, bool]]],
    "edge": tuple[str, str, str, str, int, int, str, str, str, str],
    "range": tuple[str, str, str],
    "word": tuple[str, str, str, list[str]],
    "brand": tuple[str, list[str], str | None, str | None],
    "product": tuple[str, list[str], str, list[str], list[str], list[str], str | None, str | None],
    "lab": tuple[str, list[str], list[str], list[str], str | None, int | None, str | None, str | None],
}
"""The JSON of each kind of row: a release of another version is refused here, not where its content is used."""

_DECODERS = {kind: msgspec.json.Decoder(shape) for kind, shape in _SHAPES.items()}


def write_rows(data: TermData) -> Iterator[tuple[str, str]]:
    """All content as rows, in a fixed order; equal content gives equal rows."""
    for file in data.files:
        yield _row("file", [file.key, file.title, file.text, file.version, file.source])
    for e in data.entities:
        labels = [[x.text, x.language, x.source, x.preferred] for x in e.labels]
        yield _row("entity", [str(e.id), e.name, _codes(e.codes), labels])
    for edge in data.edges:
        yield _row(
            "edge", [edge.predicate, str(edge.subject), str(edge.object), edge.file, edge.start, edge.end, edge.note, edge.action, edge.strength, edge.basis]
        )
    for r in data.ranges:
        yield _row("range", [str(r.entity), r.low, r.high])
    for w in data.words:
        yield _row("word", [w.table, w.text, w.value, list(w.traits)])
    for b in data.brands:
        yield _row("brand", [b.name, _ids(b.ingredients), b.form, b.route])
    for p in data.products:
        yield _row("product", [p.document, list(p.brands), p.generic, _ids(p.ingredients), list(p.codes), list(p.routes), p.form, p.strength])

    for lab in data.labs:
        numbers = [_plain(lab.analyte.molar_mass), lab.analyte.charge, _plain(lab.low), _plain(lab.high)]
        yield _row("lab", [str(lab.entity), list(lab.loinc), list(lab.names), list(lab.units), *numbers])


def read_rows(rows: Iterable[tuple[str, str]]) -> TermData:
    """The content that rows hold. Raises TerminologyError on an unknown kind or a damaged row."""
    parsed: dict[str, list[Any]] = {kind: [] for kind in _READERS}
    for row in rows:
        try:
            kind, text = row
        except (TypeError, ValueError) as error:
            raise TerminologyError("terminology row that is not a pair of kind and JSON: the release was written by another version") from error
        reader = _READERS.get(kind) if isinstance(kind, str) else None
        if reader is None:
            raise TerminologyError(f"terminology row of unknown kind {str(kind)[:40]!r}: the release was written by another version")
        try:
            parsed[kind].append(reader(_DECODERS[kind].decode(text)))
        except (msgspec.DecodeError, OntologyError, InvalidOperation, ValueError, TypeError) as error:
            raise TerminologyError(f"damaged terminology row of kind {kind!r}: {str(text)[:80]!r}: {error}") from error
    return TermData(
        files=tuple(parsed["file"]),
        entities=tuple(parsed["entity"]),
        edges=tuple(parsed["edge"]),
        ranges=tuple(parsed["range"]),
        words=tuple(parsed["word"]),
        brands=tuple(parsed["brand"]),
        products=tuple(parsed["product"]),
        labs=tuple(parsed["lab"]),
    )


def _row(kind: str, value: list[object]) -> tuple[str, str]:
    return kind, _encode(value).decode()


def _plain(number: Decimal | None) -> str | None:
    return None if number is None else format(number, "f")


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _ids(ids: tuple[EntityId, ...]) -> list[str]:
    return [str(i) for i in ids]


def _codes(codes: tuple[Code, ...]) -> list[list[str]]:
    return [[c.system, c.value] for c in codes]


def _read_codes(values: Any) -> tuple[Code, ...]:
    return tuple(Code(system, value) for system, value in values)


def _read_ids(values: Any) -> tuple[EntityId, ...]:
    return tuple(_read_id(text) for text in values)


@lru_cache(maxsize=4096)
def _read_id(text: str) -> EntityId:
    return EntityId.parse(text)


def _shared(values: Any) -> tuple[str, ...]:
    return tuple(intern(text) for text in values)


def _read_entity(v: Any) -> Entity:
    entity_id = EntityId.parse(v[0])
    labels = tuple(Label(text, language, source, preferred) for text, language, source, preferred in v[3])
    return Entity(entity_id, EntityType(entity_id.type), v[1], _read_codes(v[2]), labels)


_READERS: dict[str, Callable[[Any], object]] = {
    "file": lambda v: TermFile(*v),
    "entity": _read_entity,
    "edge": lambda v: EdgeRow(intern(v[0]), _read_id(v[1]), _read_id(v[2]), intern(v[3]), v[4], v[5], *v[6:]),
    "range": lambda v: CodeRange(_read_id(v[0]), v[1], v[2]),
    "word": lambda v: Word(v[0], v[1], v[2], tuple(v[3])),
    "brand": lambda v: BrandTerm(v[0], _read_ids(v[1]), v[2], v[3]),
    "product": lambda v: ProductTerm(v[0], _shared(v[1]), intern(v[2]), _read_ids(v[3]), tuple(v[4]), _shared(v[5]), v[6], v[7]),
    "lab": lambda v: LabTerm(_read_id(v[0]), tuple(v[1]), tuple(v[2]), tuple(v[3]), Analyte(_number(v[4]), v[5]), _number(v[6]), _number(v[7])),
}
