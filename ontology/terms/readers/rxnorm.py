"""RxNorm in rich release format (RRF): ingredients with their salts, brand names, clinical and branded drugs, packs.

Only atoms of source RXNORM that are not suppressed count. A product whose relations do not account for every part of its name is refused:
a composition that lacks an ingredient would be worse than none. Rows are joined in a scratch database on disk, so memory stays flat.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ontology.terms.readers.records import BrandRecord, DrugRecord, IngredientRecord, Item, LineRefused, SourceVersion, Substance
from ontology.terms.readers.rxnorm_rows import SCHEMA, Filler

_SIDE_BY_SIDE = frozenset({"SCD", "SBD"})
_PACKS = frozenset({"GPCK", "BPCK"})
_INERT = re.compile(r"^(?:inert ingredients?|placebo)\b", re.IGNORECASE)
_BRAND = re.compile(r"\s*\[[^\]]*\]\s*$")
_PACKED = re.compile(r"\d+ \(")

_REACHED = """
WITH RECURSIVE reach (start, node) AS (
    SELECT rxcui, rxcui FROM atom WHERE tty IN ('SCD', 'SBD', 'SCDC', 'SBDC', 'SCDF', 'SBDF', 'SCDG', 'SBDG', 'GPCK', 'BPCK', 'MIN', 'PIN')
    UNION
    SELECT reach.start, down.part FROM reach JOIN down ON down.whole = reach.node JOIN atom AS here ON here.rxcui = reach.node AND here.tty <> 'IN'
        JOIN atom AS there ON there.rxcui = down.part AND there.tty <> 'BN'
)
SELECT a.rxcui, a.tty, a.name, i.rxcui, i.name FROM reach JOIN atom AS i ON i.rxcui = reach.node AND i.tty = 'IN' JOIN atom AS a ON a.rxcui = reach.start
ORDER BY a.tty IN ('GPCK', 'BPCK'), a.rxcui, i.rxcui
"""


def read_rxnorm(path: Path) -> Iterator[Item]:
    """The records of a release's `rrf` folder, or of the zip archive that holds it. Raises TerminologyError when a needed file is missing."""
    with tempfile.TemporaryDirectory(prefix="rxnorm-") as folder:
        db = sqlite3.connect(Path(folder) / "scratch.sqlite", isolation_level=None)
        try:
            db.executescript(SCHEMA)
            filler = Filler(db)
            yield from filler.fill(path)
            yield SourceVersion(filler.version)
            yield from _ingredients(db)
            yield from _drugs(db)
            yield from _brands(db)
            yield from _product_codes(db)
            yield from _retired(db)
        finally:
            db.close()


def _ingredients(db: sqlite3.Connection) -> Iterator[Item]:
    """Every base ingredient; names of the salts that are forms of it alone are its names too."""
    names = """
        SELECT a.rxcui, a.name, n.name FROM atom AS a LEFT JOIN (
            SELECT rxcui AS base, name FROM synonym
            UNION SELECT d.part, p.name FROM down AS d JOIN atom AS p ON p.rxcui = d.whole AND p.tty = 'PIN'
                WHERE (SELECT count(*) FROM down AS o JOIN atom AS b ON b.rxcui = o.part AND b.tty = 'IN' WHERE o.whole = p.rxcui) = 1
        ) AS n ON n.base = a.rxcui WHERE a.tty = 'IN' ORDER BY a.rxcui, n.name
    """
    for (rxcui, name), rows in groupby(db.execute(names), key=lambda row: (row[0], row[1])):
        others = tuple(dict.fromkeys(row[2] for row in rows if row[2] and row[2] != name))
        yield IngredientRecord(str(rxcui), name, others)


def _drugs(db: sqlite3.Connection) -> Iterator[Item]:
    """Every drug code whose parts are all known; the compositions are kept for brands, packages and retired codes."""
    form = db.cursor().execute
    keep = db.cursor()
    refused = 0
    for (rxcui, tty, name), rows in groupby(db.execute(_REACHED), key=lambda row: (row[0], row[1], row[2])):
        substances = _active((str(code), text) for *_, code, text in rows)
        if reason := _unaccounted(db, rxcui, tty, name, len(substances)):
            refused += tty in _SIDE_BY_SIDE or tty in _PACKS
            yield LineRefused(f"RxCUI {rxcui} ({tty})", f"{name[:80]}: {reason}")
            continue
        said = form("SELECT f.name FROM form_of AS o JOIN atom AS f ON f.rxcui = o.form WHERE o.drug = ? ORDER BY f.rxcui", (rxcui,)).fetchall()
        strength = form("SELECT text FROM strength WHERE rxcui = ?", (rxcui,)).fetchone()
        record = DrugRecord("rxnorm", str(rxcui), substances, said[0][0] if len(said) == 1 else "", (), strength[0] if strength else _strength_of(tty, name))
        keep.execute("INSERT OR IGNORE INTO known VALUES (?, ?, ?)", (rxcui, tty, "+".join(s[2] or "" for s in substances)))
        yield record
    known = "SELECT count(*) FROM atom WHERE tty IN ('SCD', 'SBD', 'GPCK', 'BPCK') AND rxcui NOT IN (SELECT rxcui FROM known)"
    without = int(db.execute(known).fetchone()[0]) - refused
    if without:
        yield LineRefused("RXNREL.RRF", f"{without:,} clinical drugs, branded drugs and packs have no relations that lead to all their ingredients")


def _active(found: Iterator[tuple[str, str]]) -> tuple[Substance, ...]:
    """The substances without the inert ones that packs hold, unless there is nothing else."""
    every = tuple((name, None, code) for code, name in found)
    return tuple(s for s in every if not _INERT.match(s[0])) or every


def _unaccounted(db: sqlite3.Connection, rxcui: int, tty: str, name: str, found: int) -> str | None:
    """Why the relations of a drug do not give its whole composition, or None."""
    bare = _BRAND.sub("", name)
    if tty in _SIDE_BY_SIDE:
        said = bare.count(" / ") + 1
        parts = _parts(db, rxcui, "SCDC")
        if parts and parts != said:
            return f"the name has {said} parts, the relations {parts}"
        if not parts and found != said:
            return f"the name has {said} parts, the relations {found}"
        if parts and _parts_without_ingredient(db, rxcui):
            return "a part has no ingredient"
    elif tty in _PACKS:
        said, (parts, unknown) = len(_PACKED.findall(bare)), _packed(db, rxcui)
        if unknown:
            return "the composition of a drug in it is not known"
        if parts < said:
            return f"the name has {said} drugs, the relations {parts}"
    elif tty in ("SCDF", "SBDF", "SCDG", "SBDG", "MIN") and found < bare.count(" / ") + 1:
        return f"the name has {bare.count(' / ') + 1} parts, the relations {found}"
    return None


def _parts(db: sqlite3.Connection, rxcui: int, tty: str) -> int:
    query = "SELECT count(DISTINCT d.part) FROM down AS d JOIN atom AS a ON a.rxcui = d.part AND a.tty = ? WHERE d.whole = ?"
    return int(db.execute(query, (tty, rxcui)).fetchone()[0])


def _packed(db: sqlite3.Connection, rxcui: int) -> tuple[int, int]:
    """How many drugs are in a pack, and of how many the composition is not known; a branded pack may only name the plain one."""
    query = """
        SELECT count(DISTINCT d.part), count(DISTINCT CASE WHEN k.rxcui IS NULL THEN d.part END) FROM down AS d
        JOIN atom AS a ON a.rxcui = d.part AND a.tty IN ('SCD', 'SBD') LEFT JOIN known AS k ON k.rxcui = d.part
        WHERE d.whole = ?1 OR d.whole IN (SELECT part FROM down JOIN atom ON rxcui = part AND tty = 'GPCK' WHERE whole = ?1)
    """
    parts, unknown = db.execute(query, (rxcui,)).fetchone()
    return int(parts), int(unknown)


def _parts_without_ingredient(db: sqlite3.Connection, rxcui: int) -> bool:
    query = """
        SELECT 1 FROM down AS d JOIN atom AS c ON c.rxcui = d.part AND c.tty = 'SCDC' WHERE d.whole = ? AND NOT EXISTS (
            SELECT 1 FROM down AS e JOIN atom AS i ON i.rxcui = e.part AND i.tty IN ('IN', 'PIN', 'MIN') WHERE e.whole = c.rxcui) LIMIT 1
    """
    return db.execute(query, (rxcui,)).fetchone() is not None


def _strength_of(tty: str, name: str) -> str:
    """The clinical drug's own name, which says the strength; packs hold several."""
    return name if tty in _SIDE_BY_SIDE else ""


def _brands(db: sqlite3.Connection) -> Iterator[Item]:
    """Every brand name with each composition it is sold as; one without products stands for the only ingredient it is a brand of."""
    sold = """
        SELECT b.rxcui, b.name, k.composition FROM atom AS b JOIN branded AS p ON p.brand = b.rxcui JOIN known AS k ON k.rxcui = p.drug AND k.tty IN ('SBD', 'SBDF', 'SBDG', 'BPCK')
        WHERE b.tty = 'BN' GROUP BY b.rxcui, k.composition ORDER BY b.rxcui, k.composition
    """
    for rxcui, name, composition in db.execute(sold):
        substances = _substances(db, composition)
        yield BrandRecord(name, substances)
        yield DrugRecord("rxnorm", str(rxcui), substances)
    alone = """
        SELECT b.rxcui, b.name, min(i.rxcui) FROM atom AS b JOIN down AS d ON d.whole = b.rxcui JOIN atom AS i ON i.rxcui = d.part AND i.tty = 'IN'
        WHERE b.tty = 'BN' AND b.rxcui NOT IN (SELECT p.brand FROM branded AS p JOIN known AS k ON k.rxcui = p.drug)
        GROUP BY b.rxcui HAVING count(DISTINCT i.rxcui) = 1 ORDER BY b.rxcui
    """
    for rxcui, name, ingredient in db.execute(alone):
        yield BrandRecord(name, _substances(db, str(ingredient)))
        yield DrugRecord("rxnorm", str(rxcui), _substances(db, str(ingredient)))


def _substances(db: sqlite3.Connection, composition: str) -> tuple[Substance, ...]:
    query = "SELECT name FROM atom WHERE rxcui = ?"
    return tuple((str(db.execute(query, (int(code),)).fetchone()[0]), None, code) for code in composition.split("+"))


def _product_codes(db: sqlite3.Connection) -> Iterator[Item]:
    """The NDCs that RxNorm gives to its drugs."""
    query = "SELECT n.ndc, n.rxcui, k.composition FROM ndc AS n JOIN known AS k ON k.rxcui = n.rxcui ORDER BY n.ndc, n.rxcui"
    for ndc, rxcui, composition in db.execute(query):
        form = db.execute("SELECT f.name FROM form_of AS o JOIN atom AS f ON f.rxcui = o.form WHERE o.drug = ?", (rxcui,)).fetchall()
        name, tty = db.execute("SELECT name, tty FROM atom WHERE rxcui = ?", (rxcui,)).fetchone()
        yield DrugRecord("ndc", ndc, _substances(db, composition), form[0][0] if len(form) == 1 else "", (), _strength_of(tty, name))


def _retired(db: sqlite3.Connection) -> Iterator[Item]:
    """Retired codes that were merged into one known code."""
    query = """
        SELECT r.old, k.composition FROM retired AS r JOIN known AS k ON k.rxcui = r.new
        WHERE r.old NOT IN (SELECT rxcui FROM atom) ORDER BY r.old, k.composition
    """
    for old, composition in db.execute(query):
        yield DrugRecord("rxnorm", str(old), _substances(db, composition))
