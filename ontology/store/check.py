"""Proves a release: files, claims, φ, and that every dossier is what the templates give now.

The check opens the relational part and the graph again and derives everything anew; it believes nothing the writer stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ontology.model.errors import OntologyError, ReleaseDamaged, StoreError
from ontology.model.identifiers import EntityId
from ontology.store.check_claims import ClaimChecker
from ontology.store.check_graph import compare_graph, too_deep
from ontology.store.connections import Connections
from ontology.store.derive import content_id, count_rows, derive_subjects, read_edges, read_vertices
from ontology.store.dossier_codec import encode_dossier
from ontology.store.dossiers import TemplateRunner, build_dossier
from ontology.store.faults import Fault, FaultKind
from ontology.store.graph import GraphStore
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.manifest import DATABASE, MANIFEST, damaged_files, read_manifest
from ontology.store.records import Dossier
from ontology.store.rows import read_id, to_json
from ontology.store.templates import NEIGHBOURS, TEMPLATE_HASHES

Progress = Callable[[int, int], None]


def check_release(path: Path, *, graph: GraphStore | None = None, progress: Progress | None = None) -> list[Fault]:
    """Everything that is wrong with a release; empty when it is sound.

    `graph` is checked in place of the release's own graph file: a server that the release was loaded into. A graph file that is altered
    is not opened. `progress` is called with (dossiers compared, of how many).
    """
    folder = Path(path)
    try:
        manifest = read_manifest(folder)
    except ReleaseDamaged as e:
        return [Fault(FaultKind.FILE, str(folder / MANIFEST), str(e))]
    damaged = damaged_files(folder, manifest, hashes=True)
    faults = [Fault(FaultKind.FILE, name, what) for name, what in damaged]
    connections = Connections(folder / DATABASE)
    store = graph
    if store is None and manifest.get("graph") not in dict(damaged):  # the engine may not survive an altered file
        store = LadybugGraph(folder / str(manifest.get("graph")))
    try:
        faults += _relational_faults(connections.connection(), manifest)
        if store is not None:
            faults += _graph_faults(connections.connection(), store)
            faults += _dossier_faults(connections, store, progress)
    except (sqlite3.DatabaseError, OntologyError) as e:
        faults.append(Fault(FaultKind.FILE, str(folder), f"cannot be read to the end: {e}"))
    finally:
        connections.close()
        if store is not None:
            store.close()
    return faults


def _relational_faults(db: sqlite3.Connection, manifest: dict[str, Any]) -> Iterator[Fault]:
    for row in db.execute("PRAGMA quick_check(5)"):
        if row[0] != "ok":
            yield Fault(FaultKind.FILE, DATABASE, str(row[0]))
    templates = manifest.get("templates", {})
    if templates != TEMPLATE_HASHES:
        yield Fault(FaultKind.FILE, MANIFEST, "its dossiers were made by other templates than this version's; build the release again")
    found = content_id(db, templates)
    if found != manifest["id"]:
        yield Fault(FaultKind.FILE, DATABASE, f"its content has the id {found}, the manifest says {manifest['id']}")
    for name, number in count_rows(db).items():
        if manifest.get("counts", {}).get(name) != number:
            yield Fault(FaultKind.COUNT, name, f"there are {number}, the manifest says {manifest.get('counts', {}).get(name)}")
    yield from _entity_faults(db)
    yield from _label_faults(db)
    yield from ClaimChecker(db).faults()


def _entity_faults(db: sqlite3.Connection) -> Iterator[Fault]:
    for row in db.execute("SELECT id, type FROM entity"):
        parts = row["id"].split(":", 2)
        if len(parts) != 3 or parts[0] != row["type"]:
            yield Fault(FaultKind.VERTEX, row["id"], f"the row says it is a {row['type']}")
    shared = """SELECT e.type, c.system, c.value, group_concat(c.entity, ', ') AS entities FROM entity_code c JOIN entity e ON e.id = c.entity
        GROUP BY e.type, c.system, c.value HAVING count(DISTINCT c.entity) > 1"""
    for row in db.execute(shared):
        yield Fault(FaultKind.CODE, f"{row['system']}:{row['value']}", f"denotes more than one {row['type']}: {row['entities']}")
    for name in ("entity_code", "entity_label"):
        for row in db.execute(f"SELECT DISTINCT entity FROM {name} WHERE entity NOT IN (SELECT id FROM entity)"):  # noqa: S608
            yield Fault(FaultKind.REFERENCE, f"{name} of {row['entity']}", "there is no such entity")


def _label_faults(db: sqlite3.Connection) -> Iterator[Fault]:
    lost = """SELECT {columns} FROM {name} x WHERE NOT EXISTS
        (SELECT 1 FROM {other} y WHERE {condition})"""
    document = {"other": "document", "condition": "y.set_id = x.document AND y.version = x.version"}
    for row in db.execute(lost.format(columns="subject, document, version", name="label_set", **document)):
        yield Fault(FaultKind.REFERENCE, f"label set of {row['subject']}", f"document {row['document']} version {row['version']} is not in the release")
    label_set = {"other": "label_set", "condition": "y.subject = x.subject AND y.document = x.document AND y.version = x.version"}
    for row in db.execute(lost.format(columns="subject, document, system, value", name="label_product", **label_set)):
        yield Fault(FaultKind.REFERENCE, f"product {row['system']}:{row['value']}", f"{row['document']} is no label set of {row['subject']}")
    owner = {"other": "document", "condition": "y.set_id = x.set_id AND y.version = x.version"}
    for row in db.execute(lost.format(columns="set_id, version, key", name="section", **owner)):
        yield Fault(FaultKind.REFERENCE, f"section {row['key']}", f"document {row['set_id']} version {row['version']} is not in the release")


def _graph_faults(db: sqlite3.Connection, graph: GraphStore) -> Iterator[Fault]:
    edges = list(read_edges(db))
    try:
        yield from compare_graph(graph, read_vertices(db), edges)
    except StoreError as e:
        yield Fault(FaultKind.FILE, "graph", str(e))
    yield from too_deep(edges)


def _dossier_faults(connections: Connections, graph: GraphStore, progress: Progress | None) -> Iterator[Fault]:
    db = connections.connection()
    expected = {row["id"]: (row["name"], row["ingredients"]) for row in derive_subjects(db)}
    subjects = {row["id"]: (row["name"], row["ingredients"]) for row in db.execute("SELECT * FROM subject")}
    bodies = {row["subject"] for row in db.execute("SELECT subject FROM dossier")}
    for subject in sorted(expected.keys() | subjects.keys() | bodies):
        if expected.get(subject) != subjects.get(subject):
            yield Fault(FaultKind.SUBJECT, subject, f"the row says {subjects.get(subject)}, the claims and label sets {expected.get(subject)}")
        if (subject in subjects) is not (subject in bodies):
            yield Fault(FaultKind.SUBJECT, subject, "has a dossier but no row" if subject in bodies else "has no dossier")
    runner = TemplateRunner(connections.connection, graph)
    present = sorted(subjects.keys() & bodies)
    for done, subject in enumerate(present, start=1):
        yield from _one_dossier(db, runner, read_id(subject))
        if progress is not None:
            progress(done, len(present))
    for row in db.execute("SELECT DISTINCT subject FROM closure WHERE subject NOT IN (SELECT id FROM subject)"):
        yield Fault(FaultKind.CLOSURE, row["subject"], "is no subject")


def _one_dossier(db: sqlite3.Connection, runner: TemplateRunner, subject: EntityId) -> Iterator[Fault]:
    if subject.type not in NEIGHBOURS:
        yield Fault(FaultKind.SUBJECT, str(subject), f"a {subject.type} is no subject")
        return
    try:
        now: Dossier | None = build_dossier(subject, runner)
    except (OntologyError, ValueError) as e:
        yield Fault(FaultKind.DOSSIER, str(subject), f"the templates cannot make it: {e}")
        return
    body = db.execute("SELECT body FROM dossier WHERE subject = ?", (str(subject),)).fetchone()["body"]
    if now is None or body != encode_dossier(now):
        yield Fault(FaultKind.DOSSIER, str(subject), "is not what the templates give now")
    stored = {(r["relation"], r["target"], r["path"]) for r in db.execute("SELECT * FROM closure WHERE subject = ?", (str(subject),))}
    if stored != {(r.relation, str(r.target), to_json(list(r.path))) for r in (now.closure if now else ())}:
        yield Fault(FaultKind.CLOSURE, str(subject), "its closure rows are not what the templates give now")
