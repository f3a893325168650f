"""The rows of RRF files that matter, taken into a scratch database."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from ontology.terms.readers.records import LineRefused
from ontology.terms.readers.streams import Member, find_members, read_columns, the_member

SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;
CREATE TABLE atom (rxcui INTEGER PRIMARY KEY, tty TEXT, name TEXT);
CREATE TABLE synonym (rxcui INTEGER, name TEXT, PRIMARY KEY (rxcui, name)) WITHOUT ROWID;
CREATE TABLE down (whole INTEGER, part INTEGER, PRIMARY KEY (whole, part)) WITHOUT ROWID;
CREATE TABLE form_of (drug INTEGER, form INTEGER, PRIMARY KEY (drug, form)) WITHOUT ROWID;
CREATE TABLE branded (brand INTEGER, drug INTEGER, PRIMARY KEY (brand, drug)) WITHOUT ROWID;
CREATE TABLE strength (rxcui INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE ndc (ndc TEXT, rxcui INTEGER, PRIMARY KEY (ndc, rxcui)) WITHOUT ROWID;
CREATE TABLE retired (old INTEGER, new INTEGER, PRIMARY KEY (old, new)) WITHOUT ROWID;
CREATE TABLE known (rxcui INTEGER PRIMARY KEY, tty TEXT, composition TEXT);
"""

CONCEPTS = frozenset({"IN", "PIN", "MIN", "BN", "SCD", "SBD", "SCDC", "SBDC", "SCDF", "SBDF", "SCDG", "SBDG", "GPCK", "BPCK", "DF"})
SYNONYMS = frozenset({"SY", "TMSY"})
DOWNWARD = frozenset({"has_ingredient", "has_ingredients", "has_part", "consists_of", "contains", "tradename_of", "form_of"})
"""Relations from a whole to what it is made of, as RXCUI2 has them to RXCUI1."""
_BATCH = 20_000
_ATOM, _RELATION, _ATTRIBUTE, _HISTORY = 18, 16, 13, 5
_VERSION = re.compile(r"(?<!\d)(\d{8})(?!\d)")


class Filler:
    """Fills the scratch tables from the files of one release."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self.version = "unknown"

    def fill(self, path: Path) -> Iterator[LineRefused]:
        """Takes all files in; yields what was refused. Raises TerminologyError when RXNCONSO or RXNREL is missing."""
        atoms = the_member(path, r"(^|/)RXNCONSO\.RRF$", "RXNCONSO.RRF")
        relations, *_ = _beside(path, atoms, "RXNREL") or [the_member(path, r"(^|/)RXNREL\.RRF$", "RXNREL.RRF")]
        found = _VERSION.search(atoms.inside or "") or _VERSION.search(path.name)
        self.version = found[1] if found else "unknown"
        self._db.execute("BEGIN")
        files: list[tuple[Member, int, Callable[[list[str]], str | None]]] = [(atoms, _ATOM, self._atom), (relations, _RELATION, self._relation)]
        files += [(m, _ATTRIBUTE, self._attribute) for m in _beside(path, atoms, "RXNSAT")]
        files += [(m, _HISTORY, self._history) for m in _beside(path, atoms, "RXNCUI")]
        for member, count, take in files:
            for row in read_columns(member, "|", count):
                if isinstance(row, LineRefused):
                    yield row
                elif reason := take(row[1]):
                    yield LineRefused(f"{member.name}, line {row[0]}", reason)
            self._flush()
        synonyms = "DELETE FROM synonym WHERE rxcui NOT IN (SELECT rxcui FROM atom WHERE tty = 'IN')"
        self._db.execute(synonyms)
        self._db.execute("COMMIT")

    def _add(self, statement: str, row: tuple[object, ...]) -> None:
        waiting = self._rows.setdefault(statement, [])
        waiting.append(row)
        if len(waiting) >= _BATCH:
            self._db.executemany(statement, waiting)
            waiting.clear()

    def _flush(self) -> None:
        for statement, rows in self._rows.items():
            self._db.executemany(statement, rows)
            rows.clear()

    def _atom(self, cells: list[str]) -> str | None:
        if cells[11] != "RXNORM" or cells[16] != "N" or cells[1] != "ENG":
            return None
        rxcui, tty, name = cells[0], cells[12], cells[14].strip()
        if tty in CONCEPTS or tty in SYNONYMS:
            if not _is_number(rxcui) or not name:
                return f"RxCUI {rxcui[:20]!r} with the name {name[:40]!r}"
            if tty in CONCEPTS:
                self._add("INSERT OR IGNORE INTO atom VALUES (?, ?, ?)", (int(rxcui), tty, name))
            else:
                self._add("INSERT OR IGNORE INTO synonym VALUES (?, ?)", (int(rxcui), name))
        return None

    def _relation(self, cells: list[str]) -> str | None:
        part, whole, relation = cells[0], cells[4], cells[7]
        if cells[10] != "RXNORM" or cells[14] not in ("", "N") or (relation not in DOWNWARD and relation != "has_dose_form"):
            return None
        if not _is_number(part) or not _is_number(whole):
            return f"{relation} between RxCUI {whole[:20]!r} and {part[:20]!r}"
        pair = (int(whole), int(part))
        if relation == "has_dose_form":
            self._add("INSERT OR IGNORE INTO form_of VALUES (?, ?)", pair)
            return None
        self._add("INSERT OR IGNORE INTO down VALUES (?, ?)", pair)
        if relation == "has_ingredient":
            self._add("INSERT OR IGNORE INTO branded VALUES (?, ?)", (pair[1], pair[0]))
        return None

    def _attribute(self, cells: list[str]) -> str | None:
        rxcui, name, source, value = cells[0], cells[8], cells[9], cells[10].strip()
        if source != "RXNORM" or cells[11] not in ("", "N") or name not in ("NDC", "RXN_AVAILABLE_STRENGTH"):
            return None
        if not _is_number(rxcui) or not value:
            return f"{name} {value[:20]!r} of RxCUI {rxcui[:20]!r}"
        if name == "NDC":
            self._add("INSERT OR IGNORE INTO ndc VALUES (?, ?)", (value, int(rxcui)))
        else:
            self._add("INSERT OR IGNORE INTO strength VALUES (?, ?)", (int(rxcui), value))
        return None

    def _history(self, cells: list[str]) -> str | None:
        old, cardinality, new = cells[0], cells[3], cells[4]
        if cardinality != "1" or old == new or not new:
            return None
        if not _is_number(old) or not _is_number(new):
            return f"RxCUI {old[:20]!r} merged into {new[:20]!r}"
        self._add("INSERT OR IGNORE INTO retired VALUES (?, ?)", (int(old), int(new)))
        return None


def _beside(path: Path, member: Member, name: str) -> list[Member]:
    """The file of this name in the folder of another one: a release holds subsets of itself in deeper folders."""
    return [m for m in find_members(path, rf"(^|/){name}\.RRF$") if m.folder == member.folder]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18
