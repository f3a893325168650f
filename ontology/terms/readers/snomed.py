"""SNOMED CT, RF2 snapshot: what lies below the conditions the tables know, allergy findings by their cause, substances by name.

Only active rows count. Codes in or below a circle of is-a are told and left out.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ontology.terms.readers.hierarchy import Hierarchy, Nearest
from ontology.terms.readers.records import ConceptRecord, Item, LineRefused, SourceVersion
from ontology.terms.readers.streams import Member, find_members, read_columns, the_member

IS_A, CAUSATIVE_AGENT = 116680003, 246075003
FULL_NAME, SYNONYM = 900000000000003001, 900000000000013009
SUBSTANCE = 105590001
ALLERGIES = (420134006, 418038007, 609328004, 473010000, 419076005)
"""Propensity to adverse reaction, the same to a substance, allergic disposition, hypersensitivity disposition, allergic reaction."""
_VERSION = re.compile(r"_(\d{8})\.txt$")
_TAG = re.compile(r"\s*\(([^()]*)\)\s*$")
_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;
CREATE TABLE name (code INTEGER, place INTEGER, text TEXT, PRIMARY KEY (code, place, text)) WITHOUT ROWID;
CREATE TABLE cause (code INTEGER, agent INTEGER, PRIMARY KEY (code, agent)) WITHOUT ROWID;
"""
_FILES = {
    "concept": (r"(^|/)(x?)sct2_Concept_[^/]*Snapshot[^/]*\.txt$", "sct2_Concept_Snapshot file", 5),
    "description": (r"(^|/)(x?)sct2_Description_[^/]*Snapshot[^/]*\.txt$", "sct2_Description_Snapshot file", 9),
    "relationship": (r"(^|/)(x?)sct2_Relationship_[^/]*Snapshot[^/]*\.txt$", "sct2_Relationship_Snapshot file", 10),
}
_BATCH = 20_000
_SHOWN = 20


def snomed_reader(anchors: Iterable[int]) -> SnomedReader:
    """A reader that maps codes to the nearest of these condition codes."""
    return SnomedReader(frozenset(anchors))


class SnomedReader:
    """Reads a release folder or its zip archive."""

    def __init__(self, anchors: frozenset[int]) -> None:
        self._anchors = anchors

    def __call__(self, path: Path) -> Iterator[Item]:
        """The records of the snapshot. Raises TerminologyError when one of the three files is missing."""
        for pattern, called, _ in _FILES.values():
            the_member(path, pattern, called)
        with tempfile.TemporaryDirectory(prefix="snomed-") as folder:
            db = sqlite3.connect(Path(folder) / "scratch.sqlite", isolation_level=None)
            try:
                db.executescript(_SCHEMA)
                yield from self._read(path, db)
            finally:
                db.close()

    def _read(self, path: Path, db: sqlite3.Connection) -> Iterator[Item]:
        codes = array("Q")
        for item in _rows(path, "concept"):
            if isinstance(item, LineRefused):
                yield item
            else:
                codes.append(item[0])
        versions = {m[1] for f in find_members(path, _FILES["concept"][0]) if (m := _VERSION.search(f.name))}
        yield SourceVersion(max(versions, default="unknown"))
        db.execute("BEGIN")
        children, parents = array("Q"), array("Q")
        causes: list[tuple[int, int]] = []
        for item in _rows(path, "relationship"):
            if isinstance(item, LineRefused):
                yield item
            elif item[1] == IS_A:
                children.append(item[2])
                parents.append(item[3])
            elif item[1] == CAUSATIVE_AGENT:
                causes.append((item[2], item[3]))
        db.executemany("INSERT OR IGNORE INTO cause VALUES (?, ?)", causes)
        tree = Hierarchy(codes, zip(children, parents, strict=True))
        yield from _names(path, db)
        db.execute("COMMIT")
        if tree.dangling:
            yield LineRefused("is-a", f"{len(tree.dangling):,} relations have an end that is no active concept, first {tree.dangling[0]}")
        near, circle = tree.nearest(self._anchors)
        if circle:
            shown = ", ".join(map(str, circle[:_SHOWN]))
            yield LineRefused("is-a", f"{len(circle):,} concepts stand in a circle or below one and are left out: {shown}")
        yield from self._conditions(db, near)
        yield from _allergies(db, tree)
        yield from _substances(db, tree)

    def _conditions(self, db: sqlite3.Connection, near: Mapping[int, Nearest]) -> Iterator[Item]:
        for code in sorted(near):
            if code not in self._anchors:
                yield ConceptRecord("snomed", str(code), "condition", tuple(f"snomed:{a}" for a in sorted(near[code])), _names_of(db, code))
            elif names := _names_of(db, code):
                yield ConceptRecord("snomed", str(code), "condition", (f"snomed:{code}",), names)


def _rows(path: Path, kind: str) -> Iterator[tuple[int, int, int, int] | LineRefused]:
    """(id, type, source, target) of active rows of concepts and relationships; lines that are no rows are refused."""
    pattern, _, count = _FILES[kind]
    for member in find_members(path, pattern):
        for row in read_columns(member, "\t", count):
            if isinstance(row, LineRefused):
                yield row
                continue
            number, cells = row
            if number == 1 and cells[0] == "id":
                continue
            if cells[2] != "1":
                if cells[2] != "0":
                    yield _no_row(member, number)
                continue
            wanted = cells[:1] if kind == "concept" else (cells[0], cells[7], cells[4], cells[5])
            if not all(_is_number(cell) for cell in wanted):
                yield _no_row(member, number)
            else:
                numbers = [int(cell) for cell in wanted]
                yield (numbers[0], 0, 0, 0) if kind == "concept" else (numbers[0], numbers[1], numbers[2], numbers[3])


def _no_row(member: Member, number: int) -> LineRefused:
    return LineRefused(f"{member.name}, line {number}", "no row of this file: an identifier or the active flag is none")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _names(path: Path, db: sqlite3.Connection) -> Iterator[LineRefused]:
    """Takes the active descriptions in: the full name first, without its tag, then the synonyms."""
    waiting: list[tuple[int, int, str]] = []
    for member in find_members(path, _FILES["description"][0]):
        for row in read_columns(member, "\t", _FILES["description"][2]):
            if isinstance(row, LineRefused):
                yield row
                continue
            number, cells = row
            if (number == 1 and cells[0] == "id") or cells[2] == "0":
                continue
            if cells[2] != "1" or not _is_number(cells[4]) or not _is_number(cells[6]):
                yield _no_row(member, number)
            elif int(cells[6]) in (FULL_NAME, SYNONYM) and cells[7].strip():
                full = int(cells[6]) == FULL_NAME
                waiting.append((int(cells[4]), 0 if full else 1, _TAG.sub("", cells[7]) if full else cells[7].strip()))
            if len(waiting) >= _BATCH:
                db.executemany("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", waiting)
                waiting.clear()
    db.executemany("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", waiting)


def _names_of(db: sqlite3.Connection, code: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row[0] for row in db.execute("SELECT text FROM name WHERE code = ? ORDER BY place, text", (code,))))


def _allergies(db: sqlite3.Connection, tree: Hierarchy) -> Iterator[Item]:
    """Findings of allergy with the substances that cause them."""
    findings = {code for top in ALLERGIES for code in tree.below(top)}
    for code in sorted(findings):
        agents = [row[0] for row in db.execute("SELECT agent FROM cause WHERE code = ? ORDER BY agent", (code,))]
        if agents:
            yield ConceptRecord("snomed", str(code), "allergy", tuple(_alternatives(db, a) for a in agents), _names_of(db, code))


def _substances(db: sqlite3.Connection, tree: Hierarchy) -> Iterator[Item]:
    for code in sorted(set(tree.below(SUBSTANCE))):
        if _names_of(db, code):
            yield ConceptRecord("snomed", str(code), "substance", (_alternatives(db, code),))


def _alternatives(db: sqlite3.Connection, code: int) -> str:
    """The substance by its code, else by one of its names."""
    return "|".join((f"snomed:{code}", *(f"name:{n}" for n in _names_of(db, code) if "|" not in n)))
