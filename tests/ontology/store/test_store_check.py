"""Seeded mutations: each way of breaking a release is found, and named for what it is."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import ladybug
import pytest
from small_release import ANTICOAGULANTS, LABEL_C, NSAIDS, PREGNANCY, VKA, WARFARIN, edge, fill, make_claims

from ontology.model.claims import ClaimStatus, Scope
from ontology.model.dosing import Amount, Limit, LimitScope, Measure, Regimen
from ontology.model.entities import Entity, EntityType
from ontology.model.guards import AllOf, Exposure, HasCondition, Not, Opaque
from ontology.model.identifiers import mint
from ontology.store.check import check_release
from ontology.store.check_graph import compare_graph
from ontology.store.faults import Fault, FaultKind
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.writer import ReleaseWriter

LIMIT = Limit(Measure.DAY, LimitScope.INGREDIENT, Amount(Decimal(1), None, "mg"))
APPROVED = next(c.id for c in make_claims() if c.predicate == "contraindicated_in" and c.document == "label-a" and c.status is ClaimStatus.APPROVED)
GUARDED = next(c.id for c in make_claims() if c.predicate == "interacts_with" and c.guard is not None)
EDGE = next(c.id for c in make_claims() if c.predicate == "belongs_to" and c.subject == WARFARIN)


@contextmanager
def _database(folder: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(folder / "release.sqlite", isolation_level=None)
    try:
        yield db
    finally:
        db.close()


def _run(folder: Path, *statements: str) -> None:
    graph = ladybug.Database(str(next(folder.glob("*.lbug"))))
    connection = ladybug.Connection(graph)
    for statement in statements:
        connection.execute(statement).close()
    connection.close()
    graph.close()


@pytest.fixture
def folder(release_folder: Path, tmp_path: Path) -> Path:
    """A copy of the sound release, to break."""
    return shutil.copytree(release_folder, tmp_path / "copy")


def _found(folder: Path, kind: FaultKind) -> list[Fault]:
    return [fault for fault in check_release(folder) if fault.kind is kind]


def test_a_sound_release_has_no_fault(release_folder: Path) -> None:
    assert check_release(release_folder) == []


SQL_MUTATIONS: list[tuple[str, FaultKind, str, str]] = [
    ("corrupt a quote", FaultKind.SPAN, APPROVED, f"UPDATE evidence SET quote = replace(quote, 'pregnancy', 'pregnancx') WHERE claim = '{APPROVED}'"),
    ("shift an offset", FaultKind.SPAN, APPROVED, f'UPDATE evidence SET start = start + 1, "end" = "end" + 1 WHERE claim = \'{APPROVED}\''),
    ("stretch a span", FaultKind.SPAN, APPROVED, f'UPDATE evidence SET "end" = "end" + 1 WHERE claim = \'{APPROVED}\''),
    ("change the section's text", FaultKind.SPAN, APPROVED, "UPDATE section SET text = ' ' || text WHERE set_id = 'label-a' AND key = 'contraindications'"),
    ("drop the section", FaultKind.SPAN, APPROVED, "DELETE FROM section WHERE set_id = 'label-a' AND key = 'contraindications'"),
    ("cite another version", FaultKind.SPAN, APPROVED, f"UPDATE evidence SET version = '4' WHERE claim = '{APPROVED}'"),
    ("drop the evidence", FaultKind.CLAIM, APPROVED, f"DELETE FROM evidence WHERE claim = '{APPROVED}'"),
    (
        "cite a span twice",
        FaultKind.DUPLICATE,
        APPROVED,
        f"INSERT INTO evidence SELECT claim, 9, document, version, section, start, \"end\", role, quote FROM evidence WHERE claim = '{APPROVED}'",
    ),
    ("drop a claim and leave its evidence", FaultKind.REFERENCE, APPROVED, f"DELETE FROM claim WHERE id = '{APPROVED}'"),
    ("copy a claim under another id", FaultKind.CLAIM, "c-copy", "copy-claim"),
    ("change an action", FaultKind.CLAIM, APPROVED, f"UPDATE claim SET payload = replace(payload, 'contraindicated', 'caution') WHERE id = '{APPROVED}'"),
    ("turn a claim around", FaultKind.CLAIM, APPROVED, f"UPDATE claim SET polarity = 'negative' WHERE id = '{APPROVED}'"),
    ("drop a guard", FaultKind.CLAIM, GUARDED, f"UPDATE claim SET guard = NULL WHERE id = '{GUARDED}'"),
    ("garble a guard", FaultKind.CLAIM, GUARDED, f"UPDATE claim SET guard = '{{}}' WHERE id = '{GUARDED}'"),
    ("file under another rule", FaultKind.CLAIM, APPROVED, f"UPDATE claim SET rule = 'r0' WHERE id = '{APPROVED}'"),
    ("release a rejected claim", FaultKind.APPROVAL, "", "UPDATE claim SET released = 1 WHERE status = 'rejected'"),
    ("approve by nobody", FaultKind.APPROVAL, APPROVED, f"UPDATE claim SET approved_by = NULL WHERE id = '{APPROVED}'"),
    ("move to the other stratum", FaultKind.REGISTRY, APPROVED, f"UPDATE claim SET stratum = 'G' WHERE id = '{APPROVED}'"),
    ("drop an entity", FaultKind.REFERENCE, GUARDED, "DELETE FROM entity WHERE name = 'ibuprofen'"),
    ("drop an entity and leave its codes", FaultKind.REFERENCE, "entity_code", f"DELETE FROM entity WHERE id = '{NSAIDS}'"),
    ("retype an entity", FaultKind.VERTEX, str(NSAIDS), f"UPDATE entity SET type = 'Effect' WHERE id = '{NSAIDS}'"),
    ("give a code twice", FaultKind.CODE, "rxnorm:11289", "UPDATE entity_code SET value = '11289' WHERE value = '5640'"),
    ("add an entity without a vertex", FaultKind.VERTEX, "Herb:pharmgraph:x", "INSERT INTO entity VALUES ('Herb:pharmgraph:x', 'Herb', 'x')"),
    ("drop an edge's claim", FaultKind.EDGE, EDGE, f"DELETE FROM claim WHERE id = '{EDGE}'"),
    ("drop a document", FaultKind.REFERENCE, "label set", "DELETE FROM document WHERE set_id = 'label-c'"),
    ("drop a label set", FaultKind.REFERENCE, "product", f"DELETE FROM label_set WHERE document = '{LABEL_C.set_id}'"),
    ("drop a dossier", FaultKind.SUBJECT, str(WARFARIN), f"DELETE FROM dossier WHERE subject = '{WARFARIN}'"),
    ("drop a subject", FaultKind.SUBJECT, str(WARFARIN), f"DELETE FROM subject WHERE id = '{WARFARIN}'"),
    ("rename a subject", FaultKind.SUBJECT, str(WARFARIN), f"UPDATE subject SET name = 'x' WHERE id = '{WARFARIN}'"),
    ("swap two dossiers", FaultKind.DOSSIER, str(WARFARIN), f"UPDATE dossier SET body = (SELECT body FROM dossier WHERE subject <> '{WARFARIN}' LIMIT 1)"),
    ("age a label", FaultKind.DOSSIER, str(WARFARIN), "UPDATE label_set SET effective = '1999-01-01' WHERE document = 'label-a'"),
    ("drop a closure row", FaultKind.CLOSURE, str(WARFARIN), f"DELETE FROM closure WHERE subject = '{WARFARIN}' AND target = '{ANTICOAGULANTS}'"),
    ("shorten a path", FaultKind.CLOSURE, str(WARFARIN), f"UPDATE closure SET path = '[]' WHERE subject = '{WARFARIN}' AND target = '{ANTICOAGULANTS}'"),
    ("drop terms", FaultKind.COUNT, "term_rows", "DELETE FROM term_row"),
    ("change a term", FaultKind.FILE, "its content has the id", "UPDATE term_row SET body = '{}' WHERE position = 0"),
]

COPY_CLAIM = (
    "CREATE TABLE copied AS SELECT * FROM claim WHERE id = '{claim}'",
    "UPDATE copied SET id = 'c-copy'",
    "INSERT INTO claim SELECT * FROM copied",
    "INSERT INTO evidence SELECT 'c-copy', position, document, version, section, start, \"end\", role, quote FROM evidence WHERE claim = '{claim}'",
)


@pytest.mark.parametrize(("name", "kind", "told", "statement"), SQL_MUTATIONS, ids=[m[0] for m in SQL_MUTATIONS])
def test_a_change_of_the_relational_part_is_found(folder: Path, name: str, kind: FaultKind, told: str, statement: str) -> None:
    with _database(folder) as db:
        for each in [s.format(claim=APPROVED) for s in COPY_CLAIM] if statement == "copy-claim" else [statement]:
            assert db.execute(each).rowcount != 0, name
    assert [fault for fault in _found(folder, kind) if told in str(fault)], check_release(folder)


CREATE_EDGE = "MATCH (a:Ingredient {{code:'{a}'}}) MATCH (b:DrugClass {{code:'{b}'}}) CREATE (a)-[:BELONGS_TO {{claim:'{claim}'}}]->(b)"

GRAPH_MUTATIONS: list[tuple[str, FaultKind, str, list[str]]] = [
    ("drop a vertex", FaultKind.VERTEX, str(ANTICOAGULANTS), [f"MATCH (n:DrugClass {{code:'{ANTICOAGULANTS}'}}) DETACH DELETE n"]),
    ("add a vertex", FaultKind.VERTEX, "Herb:pharmgraph:x", ["CREATE (n:Herb {code:'Herb:pharmgraph:x'})"]),
    (
        "retype a vertex",
        FaultKind.VERTEX,
        "labelled Effect instead of DrugClass",
        [f"MATCH (n:DrugClass {{code:'{ANTICOAGULANTS}'}}) DETACH DELETE n", f"CREATE (n:Effect {{code:'{ANTICOAGULANTS}'}})"],
    ),
    ("double a vertex under another label", FaultKind.VERTEX, str(VKA), [f"CREATE (n:Effect {{code:'{VKA}'}})"]),
    ("drop an edge", FaultKind.EDGE, EDGE, [f"MATCH (a)-[r:BELONGS_TO]->(b) WHERE r.claim = '{EDGE}' DELETE r"]),
    ("double an edge", FaultKind.EDGE, "stands 2 times", [CREATE_EDGE.format(a=WARFARIN, b=VKA, claim=EDGE)]),
    ("add an edge of no claim", FaultKind.EDGE, "c-none", [CREATE_EDGE.format(a=WARFARIN, b=NSAIDS, claim="c-none")]),
    (
        "retype an edge",
        FaultKind.EDGE,
        EDGE,
        [
            f"MATCH (a)-[r:BELONGS_TO]->(b) WHERE r.claim = '{EDGE}' DELETE r",
            f"MATCH (a:Ingredient {{code:'{WARFARIN}'}}) MATCH (b:DrugClass {{code:'{VKA}'}}) CREATE (a)-[:INTERACTS_WITH {{claim:'{EDGE}'}}]->(b)",
        ],
    ),
    (
        "point an edge elsewhere",
        FaultKind.EDGE,
        EDGE,
        [f"MATCH (a)-[r:BELONGS_TO]->(b) WHERE r.claim = '{EDGE}' DELETE r", CREATE_EDGE.format(a=WARFARIN, b=NSAIDS, claim=EDGE)],
    ),
    ("relabel an edge's claim", FaultKind.EDGE, EDGE, [f"MATCH (a)-[r:BELONGS_TO]->(b) WHERE r.claim = '{EDGE}' SET r.claim = 'c-other'"]),
    (
        "keep something else in the graph",
        FaultKind.VERTEX,
        "with a label of the schema",
        ["CREATE NODE TABLE Invoice(code STRING PRIMARY KEY)", "CREATE (n:Invoice {code:'x'})"],
    ),
]


@pytest.mark.parametrize(("name", "kind", "told", "statements"), GRAPH_MUTATIONS, ids=[m[0] for m in GRAPH_MUTATIONS])
def test_a_change_of_the_graph_is_found(folder: Path, name: str, kind: FaultKind, told: str, statements: list[str]) -> None:
    _run(folder, *statements)
    faults = check_release(folder, graph=LadybugGraph(next(folder.glob("*.lbug"))))
    assert [fault for fault in faults if fault.kind is kind and told in str(fault)], faults


class _Doubling:
    """A graph that holds a vertex twice, which neither engine lets happen."""

    def open(self) -> None: ...
    def load(self, vertices: object, edges: object) -> None: ...
    def close(self) -> None: ...
    def run(self, query: str, parameters: object) -> list[dict[str, str | int | bool | None]]:
        if query.startswith("MATCH (n:DrugClass)"):
            return [{"code": str(VKA)}, {"code": str(VKA)}]
        return [{"n": 2}] if query.startswith("MATCH (n) ") else [{"n": 0}] if "count(r)" in query else []


def test_a_vertex_that_stands_twice_is_found() -> None:
    assert [str(f) for f in compare_graph(_Doubling(), [VKA], [])] == [f"vertex: {VKA}: 2 vertices labelled DrugClass for one entity"]


LOST = mint("Condition", "pharmgraph", "nowhere")
CONTRAINDICATION = next(c for c in make_claims() if c.id == APPROVED)


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ({"object": VKA, "subject": PREGNANCY}, FaultKind.REGISTRY, "does not speak of a Condition"),
        ({"object": mint("Brand", "pharmgraph", "b")}, FaultKind.REGISTRY, "does not lead to a Brand"),
        ({"guard": HasCondition(LOST, "x")}, FaultKind.REFERENCE, "guard's condition"),
        ({"guard": Not(AllOf((Opaque("x"), Exposure(LOST))))}, FaultKind.REFERENCE, "guard's exposure"),
        ({"guard": Exposure(WARFARIN, minus=(LOST,))}, FaultKind.REFERENCE, "guard's exposure"),
        ({"scope": Scope(ingredients=(LOST,))}, FaultKind.REFERENCE, "scope's ingredient"),
        ({"predicate": "has_dose_rule", "payload": Regimen((), partners=(LOST,))}, FaultKind.REFERENCE, "regimen's partner"),
        ({"predicate": "has_dose_rule", "payload": Regimen((), indication=LOST)}, FaultKind.REFERENCE, "regimen's indication"),
        ({"predicate": "has_limit", "payload": replace(LIMIT, overrides="c-none")}, FaultKind.REFERENCE, "overrides c-none"),
        ({"predicate": "has_limit", "payload": replace(LIMIT, exception=HasCondition(LOST, "x"))}, FaultKind.REFERENCE, "guard's condition"),
    ],
)
def test_a_claim_that_says_what_it_may_not_or_names_what_is_not_there_is_found(
    build: Callable[..., Path], change: dict[str, Any], kind: FaultKind, told: str
) -> None:
    claim = replace(CONTRAINDICATION, **change)
    folder = build([claim], [Entity(mint("Brand", "pharmgraph", "b"), EntityType.BRAND, "b")])
    assert [fault.where for fault in _found(folder, kind) if told in fault.what] == [claim.id]


def test_a_hierarchy_deeper_than_the_templates_climb_is_found(tmp_path: Path) -> None:
    path = tmp_path / "deep"
    chain = [mint("DrugClass", "pharmgraph", f"k{n}") for n in range(11)]
    claims = [edge("warfarin\tVKA", "belongs_to", WARFARIN, chain[0])]
    claims += [edge("VKA\tanticoagulants", "subclass_of", below, above) for below, above in pairwise(chain)]
    with ReleaseWriter(path) as writer:
        writer.add_entities([Entity(k, EntityType.DRUG_CLASS, k.code) for k in chain])
        fill(writer, claims=claims)
        writer.finish({})
    assert [f.where for f in _found(path, FaultKind.DEPTH)] == [str(chain[0])]


def test_every_kind_of_file_damage_is_a_fault_and_no_crash(folder: Path) -> None:
    path = folder / "release.sqlite"
    data = path.read_bytes()
    for keep in (0, 100, 5000, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:keep])
        assert _found(folder, FaultKind.FILE)
    path.write_bytes(data)
    graph = next(folder.glob("*.lbug"))
    graph.write_bytes(graph.read_bytes()[: graph.stat().st_size // 2])
    assert _found(folder, FaultKind.FILE)
    graph.unlink()
    assert [f for f in _found(folder, FaultKind.FILE) if "missing" in f.what]
    (folder / "manifest.json").unlink()
    assert _found(folder, FaultKind.FILE)


def test_a_release_of_other_templates_says_so(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["templates"]["sql/subject@1"] = "0" * 16
    path.write_text(json.dumps(manifest))
    assert [f for f in _found(folder, FaultKind.FILE) if "other templates" in f.what]
