"""What a release derives from its claims when all are in: the id, the subjects, the graph, the closures and the dossiers."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Engine, insert

from ontology.model.errors import StoreError
from ontology.model.identifiers import EntityId
from ontology.store.connections import Connections
from ontology.store.dossier_codec import encode_dossier
from ontology.store.dossiers import TemplateRunner, build_dossier
from ontology.store.graph import GraphEdge, GraphStore
from ontology.store.manifest import FORMAT
from ontology.store.relational import ClosureTableRow, DossierRow, SubjectRow, table
from ontology.store.rows import read_id, to_json
from ontology.store.templates import SUBJECT_TYPES, TEMPLATE_HASHES

_BATCH = 100
_EDGES = "released = 1 AND stratum = 'G' AND polarity = 'positive'"

CONTENT: tuple[tuple[str, str], ...] = (
    ("document", "set_id, version, title, kind, language, number, effective, content_hash, product_type, publisher, url"),
    ("section", "set_id, version, key, position, title, loinc, state, text, tables"),
    ("entity", "id, type, name"),
    ("entity_code", "entity, system, value"),
    ("entity_label", "entity, text, language, source, preferred"),
    (
        "claim",
        "id, rule, predicate, stratum, subject, object, words, guard, payload, polarity, strength, basis, ingredients, routes, forms, brands, document, "
        "version, valid_from, valid_to, status, reason, approved_by, approval_method, read_by_person, extractor, extractor_version, model, prompt_version",
    ),
    ("evidence", 'claim, position, document, version, section, start, "end", role, quote'),
    ("label_set", "subject, document, version, ingredients, effective, title, routes, forms, product_type, sections, url"),
    ("label_product", "subject, document, version, system, value"),
    ("term_row", "position, kind, body"),
)
"""Tables and columns that make a release's id: all that is known, nothing of when it was recorded."""


@dataclass(frozen=True, slots=True)
class Derived:
    """The id of a release's content and how much of each thing it holds."""

    id: str
    counts: dict[str, int]


def derive(engine: Engine, reader: Connections, graph: GraphStore, progress: Callable[[int, int], None] | None) -> Derived:
    """Fills the derived tables and the graph. Raises StoreError when a released claim names an entity that is not there."""
    db = reader.connection()
    _refuse_dangling(db)
    subjects = derive_subjects(db)
    if subjects:
        with engine.begin() as writer:
            writer.execute(insert(table(SubjectRow)), subjects)
    graph.load(read_vertices(db), read_edges(db))
    counts = _write_dossiers(engine, reader, graph, progress)
    return Derived(content_id(db, TEMPLATE_HASHES), {**count_rows(db), **counts})


def content_id(db: sqlite3.Connection, templates: Mapping[str, str]) -> str:
    """`kb-` and 16 hex digits: equal for equal content read by equal templates (id -> hash), whatever the order it was added in."""
    digest = hashlib.sha256(json.dumps([FORMAT, sorted(templates.items())]).encode())
    for name, columns in CONTENT:
        for row in db.execute(f"SELECT {columns} FROM {name} ORDER BY {columns}"):  # noqa: S608
            digest.update(json.dumps([name, *row], ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return f"kb-{digest.hexdigest()[:16]}"


def read_vertices(db: sqlite3.Connection) -> Iterator[EntityId]:
    """The vertices that the graph must have: one an entity row."""
    for row in db.execute("SELECT id FROM entity ORDER BY id"):
        yield read_id(row["id"])


def read_edges(db: sqlite3.Connection) -> Iterator[GraphEdge]:
    """The edges that the graph must have: one a released claim of the graph stratum that affirms. A denial stands in R alone."""
    for row in db.execute(f"SELECT predicate, subject, object, id FROM claim WHERE {_EDGES} ORDER BY id"):  # noqa: S608
        yield GraphEdge(row["predicate"], read_id(row["subject"]), read_id(row["object"]), row["id"])


def _refuse_dangling(db: sqlite3.Connection) -> None:
    rows = db.execute(
        """SELECT id, subject, predicate, object FROM claim WHERE released = 1
        AND (subject NOT IN (SELECT id FROM entity) OR object NOT IN (SELECT id FROM entity)) ORDER BY id LIMIT 5"""
    ).fetchall()
    if rows:
        told = "; ".join(f"{r['id']} ({r['subject']} {r['predicate']} {r['object']})" for r in rows)
        raise StoreError(f"released claims name entities that were never added: {told}; add the entities, or hold the claims")


def derive_subjects(db: sqlite3.Connection) -> list[dict[str, str]]:
    """The subject rows: every drug that a label set judges, its ingredients, and every drug that a released claim speaks of.

    A product known only by its label (system `setid`) is none: orders of it are judged as orders of its composition.

    Raises StoreError when a label set names a drug that is no entity.
    """
    types = tuple(t.value for t in SUBJECT_TYPES)
    ingredients: dict[str, list[str]] = {}
    for row in db.execute("SELECT subject, ingredients FROM label_set ORDER BY subject, document, version"):
        parts = json.loads(row["ingredients"])
        ingredients.setdefault(row["subject"], parts)
        for part in parts:
            ingredients.setdefault(part, [part])
    parts_of: dict[str, list[str]] = {}
    composition = (
        "SELECT DISTINCT subject, object FROM claim WHERE released = 1 AND predicate = 'has_ingredient' AND polarity = 'positive' ORDER BY subject, object"
    )
    for row in db.execute(composition):
        parts_of.setdefault(row["subject"], []).append(row["object"])
    for row in db.execute("SELECT DISTINCT subject FROM claim WHERE released = 1"):
        subject = row["subject"]
        if subject.partition(":")[0] in types and read_id(subject).system != "setid":
            ingredients.setdefault(subject, [subject] if not subject.startswith("Drug:") else parts_of.get(subject, []))
    names = {row["id"]: row["name"] for row in db.execute("SELECT id, name FROM entity")}
    missing = sorted(subject for subject in ingredients if subject not in names)
    if missing:
        raise StoreError(f"label sets name drugs that were never added as entities: {', '.join(missing[:5])}")
    return [{"id": subject, "name": names[subject], "ingredients": to_json(parts)} for subject, parts in sorted(ingredients.items())]


def _write_dossiers(engine: Engine, reader: Connections, graph: GraphStore, progress: Callable[[int, int], None] | None) -> dict[str, int]:
    """Runs the templates for every subject. Reading and writing take turns, so that neither waits for the other's lock."""
    runner = TemplateRunner(reader.connection, graph)
    subjects = [read_id(row["id"]) for row in reader.connection().execute("SELECT id FROM subject ORDER BY id")]
    rules = reached = 0
    for start in range(0, len(subjects), _BATCH):
        batch = subjects[start : start + _BATCH]
        asked = runner.together(batch)
        dossiers = [d for d in (build_dossier(s, asked) for s in batch) if d is not None]
        closure = [
            {"subject": str(d.subject), "relation": row.relation, "target": str(row.target), "path": to_json(list(row.path))}
            for d in dossiers
            for row in d.closure
        ]
        with engine.begin() as writer:
            writer.execute(insert(table(DossierRow)), [{"subject": str(d.subject), "body": encode_dossier(d)} for d in dossiers])
            if closure:
                writer.execute(insert(table(ClosureTableRow)), closure)
        rules += sum(len(d.rules) for d in dossiers)
        reached += len(closure)
        if progress is not None:
            progress(min(start + _BATCH, len(subjects)), len(subjects))
    return {"dossiers": len(subjects), "subjects": len(subjects), "rules": rules, "closure": reached}


def count_rows(db: sqlite3.Connection) -> dict[str, int]:
    """How many of each thing the tables of truth hold, as the manifest says it."""
    queries = {
        "documents": "SELECT count(*) FROM document",
        "sections": "SELECT count(*) FROM section",
        "entities": "SELECT count(*) FROM entity",
        "claims": "SELECT count(*) FROM claim",
        "released": "SELECT count(*) FROM claim WHERE released = 1",
        "unread_by_person": "SELECT count(*) FROM claim WHERE released = 1 AND NOT coalesce(read_by_person, 0)",
        "evidence": "SELECT count(*) FROM evidence",
        "edges": f"SELECT count(*) FROM claim WHERE {_EDGES}",  # noqa: S608
        "label_sets": "SELECT count(*) FROM label_set",
        "term_rows": "SELECT count(*) FROM term_row",
    }
    return {name: int(db.execute(query).fetchone()[0]) for name, query in queries.items()}
