"""What every graph store guarantees, run on the embedded engine and on a real Bolt server with the same Cypher."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from small_release import (
    AMOXICILLIN,
    ANTICOAGULANTS,
    AUGMENTIN,
    CEPHALOSPORINS,
    CLAVULANATE,
    IBUPROFEN,
    NAMES,
    PENICILLINS,
    VKA,
    WARFARIN,
    fill,
    make_claims,
)

from ontology.model.errors import GraphUnavailable, MissingParameter, StoreError
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum
from ontology.store.check_graph import compare_graph
from ontology.store.graph import EDGE_TYPES, GraphEdge, GraphStore
from ontology.store.graph_bolt import BoltGraph
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.graph_py2neo import Py2neoGraph
from ontology.store.release import Release
from ontology.store.rows import RELEASED
from ontology.store.templates import CYPHER_TEMPLATES, for_many
from ontology.store.writer import ReleaseWriter

VERTICES = tuple(NAMES)
EDGES = tuple(GraphEdge(c.predicate, c.subject, c.object, c.id) for c in make_claims() if c.status in RELEASED and c.spec.stratum is Stratum.GRAPH)

ONE = "MATCH (a:Ingredient {code:$code})-[r:BELONGS_TO]->(b:DrugClass) RETURN a.code AS source, b.code AS target, r.claim AS claim"

MakeStore = Callable[[], GraphStore]


ENGINES = [
    "ladybug",
    pytest.param("bolt", marks=pytest.mark.bolt),
    *([pytest.param("py2neo", marks=pytest.mark.bolt)] if importlib.util.find_spec("py2neo") else []),
]
"""py2neo is for sites that still run Neo4j 4.x: it takes part where it is installed."""


def _on_server(engine: str, server: Any, database: str) -> GraphStore:
    kind = Py2neoGraph if engine == "py2neo" else BoltGraph
    return kind(server.url, server.user, server.password, database=database)


@pytest.fixture(params=ENGINES, scope="module")
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """A store that holds the small release's graph; for tests that leave it as it is."""
    made: GraphStore
    if request.param == "ladybug":
        made = LadybugGraph(tmp_path_factory.mktemp("graph") / "graph.lbug")
    else:
        server = request.getfixturevalue("bolt_server")
        made = _on_server(request.param, server, server.database)
    made.load(VERTICES, EDGES)
    made.open()
    yield made
    made.close()


@pytest.fixture(params=ENGINES)
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    """Makes empty stores of one engine; on a server all of them are the same database."""
    made: list[GraphStore] = []

    def make() -> GraphStore:
        if request.param == "ladybug":
            made.append(LadybugGraph(tmp_path / f"graph-{len(made)}.lbug"))
        else:
            server = request.getfixturevalue("bolt_server")
            made.append(_on_server(request.param, server, server.scratch))
        return made[-1]

    yield make
    for store in made:
        store.close()


def test_a_loaded_edge_is_found_with_its_claim_and_nothing_else(store: GraphStore) -> None:
    rows = store.run(ONE, {"code": str(WARFARIN)})
    claim = next(e.claim for e in EDGES if e.source == WARFARIN and e.target == VKA)
    assert rows == [{"source": str(WARFARIN), "target": str(VKA), "claim": claim}]


def test_the_graph_holds_each_vertex_and_edge_once(store: GraphStore) -> None:
    assert compare_graph(store, VERTICES, EDGES) == []


def test_loading_replaces_all_that_was_there(make_store: MakeStore) -> None:
    first = make_store()
    first.load(VERTICES, EDGES)
    first.close()
    second = make_store()
    second.load([WARFARIN, VKA], [])
    assert compare_graph(second, [WARFARIN, VKA], []) == []


def test_parallel_edges_are_kept_apart(make_store: MakeStore) -> None:
    store = make_store()
    store.load([WARFARIN, VKA], [GraphEdge("belongs_to", WARFARIN, VKA, "c1"), GraphEdge("belongs_to", WARFARIN, VKA, "c2")])
    assert sorted(str(r["claim"]) for r in store.run(ONE, {"code": str(WARFARIN)})) == ["c1", "c2"]


def test_names_with_quotes_commas_and_line_breaks_survive_loading(make_store: MakeStore) -> None:
    odd = EntityId("DrugClass", "pharmgraph", "a\"b,c'd\\e\nf 类")
    store = make_store()
    store.load([WARFARIN, odd], [GraphEdge("belongs_to", WARFARIN, odd, 'c"1,\n')])
    assert store.run(ONE, {"code": str(WARFARIN)}) == [{"source": str(WARFARIN), "target": str(odd), "claim": 'c"1,\n'}]


def test_a_parameter_that_looks_like_cypher_is_a_value(store: GraphStore) -> None:
    assert store.run(ONE, {"code": "x'}) DETACH DELETE n //"}) == []
    assert compare_graph(store, VERTICES, EDGES) == []


@pytest.mark.parametrize("parameters", [{}, {"code": None}, {"Code": "x"}])
def test_a_missing_parameter_is_an_error_and_never_an_empty_answer(store: GraphStore, parameters: dict[str, Any]) -> None:
    with pytest.raises(MissingParameter, match=r"\$code"):
        store.run(ONE, parameters)


def test_a_parameter_that_the_query_does_not_use_is_an_error(store: GraphStore) -> None:
    with pytest.raises(StoreError, match=r"\$codes"):
        store.run(ONE, {"code": "x", "codes": ["y"]})


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Klass) RETURN a.code AS code",
        "MATCH (a:Ingredient)-[r:BELONGSTO]->(b) RETURN r.claim AS claim",
        "MATCH (a:Ingredient)-[r:BELONGS_TO|NOPE]->(b) RETURN r.claim AS claim",
        "MATCH (a:Ingredient)-[r:BELONGS_TO]->(b) WHERE b:Nope RETURN r.claim AS claim",
        "MATCH (a:Ingredient) RETURN a.name AS name",
        "MATCH (a:Ingredient {name:'x'}) RETURN a.code AS code",
        "MATCH (a:Ingredient)-[r:BELONGS_TO {severity:'x'}]->(b) RETURN b.code AS code",
    ],
)
def test_what_the_schema_does_not_have_is_an_error(store: GraphStore, query: str) -> None:
    with pytest.raises(StoreError, match=r"^query refused: "):
        store.run(query, {})


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (a:Ingredient {code:'x'})",
        "MATCH (a:Ingredient) SET a.code = 'x' RETURN a.code AS code",
        "MATCH (a:Ingredient) detach delete a",
        "MERGE (a:Ingredient {code:'x'}) RETURN a.code AS code",
        "MATCH (a:Ingredient) REMOVE a.code RETURN a.code AS code",
        "DROP TABLE Ingredient",
        "COPY Ingredient FROM 'x.csv'",
        "CALL db.labels()",
        "LOAD CSV FROM 'file:///etc/hosts' AS row RETURN row[0] AS line",
        "MATCH (a:Ingredient) RETURN a.code AS code; MATCH (b:Ingredient) RETURN b.code AS code",
    ],
)
def test_whatever_is_not_a_reading_query_is_refused(store: GraphStore, query: str) -> None:
    with pytest.raises(StoreError, match=r"^query refused: "):
        store.run(query, {})
    assert compare_graph(store, VERTICES, EDGES) == []


@pytest.mark.parametrize("bound", ["*", "*2..", "*0..31", "*40"])
def test_a_path_without_a_bound_is_refused(store: GraphStore, bound: str) -> None:
    with pytest.raises(StoreError, match=r"^query refused: a path needs an upper bound"):
        store.run(f"MATCH (a:DrugClass)-[:SUBCLASS_OF{bound}]->(b:DrugClass) RETURN b.code AS code", {})


def test_a_query_that_the_engine_cannot_read_is_a_store_error(store: GraphStore) -> None:
    with pytest.raises(StoreError):
        store.run("MATCH (a:Ingredient RETURN", {})


@pytest.mark.parametrize(
    ("edge", "told"),
    [
        (GraphEdge("belongs_to", WARFARIN, ANTICOAGULANTS, "c9"), "not among the entities"),
        (GraphEdge("belongs_to", VKA, WARFARIN, "c9"), "does not go from"),
        (GraphEdge("contraindicated_in", WARFARIN, VKA, "c9"), "does not go from"),
    ],
)
def test_an_edge_that_cannot_stand_is_refused_at_loading(make_store: MakeStore, edge: GraphEdge, told: str) -> None:
    with pytest.raises(StoreError, match=told):
        make_store().load([WARFARIN, VKA], [edge])


@pytest.mark.parametrize("template", CYPHER_TEMPLATES, ids=lambda t: t.id)
def test_every_template_runs_and_needs_its_code(store: GraphStore, template: Any) -> None:
    assert isinstance(store.run(template.text, {"code": str(WARFARIN)}), list)
    with pytest.raises(MissingParameter):
        store.run(template.text, {})


def test_every_template_asked_of_many_subjects_says_what_it_says_of_each(make_store: MakeStore) -> None:
    vertices, edges = _tangle()
    store = make_store()
    store.load(vertices, edges)
    subjects = {t: [str(v) for v in vertices if v.type == t] for t in ("Drug", "Ingredient", "Herb")}
    type_of = {template.id: template.id.partition("@")[0].rpartition("/")[2] for template in CYPHER_TEMPLATES}
    alone = {t.id: [{"subject": code, **row} for code in subjects[type_of[t.id]] for row in store.run(t.text, {"code": code})] for t in CYPHER_TEMPLATES}
    store.close()  # ladybug keeps what every text it has read needs, and both kinds of text are more than its pool holds
    together = {t.id: store.run(for_many(t), {"codes": [*subjects[type_of[t.id]], "Ingredient:nobody"]}) for t in CYPHER_TEMPLATES}
    assert [id_ for id_, rows in alone.items() if not rows] == []
    assert {id_: _sorted(rows) for id_, rows in together.items()} == {id_: _sorted(rows) for id_, rows in alone.items()}


def _tangle() -> tuple[list[EntityId], list[GraphEdge]]:
    """Six vertices of each type that templates walk over, and edges between them at random; hierarchies have no cycles."""
    chance = random.Random(11)
    types = ("Drug", "Ingredient", "Herb", "DrugClass", "EnzymeRole", "Allergen")
    vertices = [EntityId(type_, "pharmgraph", f"{type_.lower()}-{n}") for type_ in types for n in range(6)]
    edges = []
    some = {"has_ingredient": 12, "belongs_to": 12, "subclass_of": 9, "has_role": 12, "is_a": 30, "cross_reacts_with": 15, "interacts_with": 20}
    for predicate, count in some.items():
        allowed = set(EDGE_TYPES[predicate.upper()])
        climbs = predicate in ("subclass_of", "is_a")
        pairs = [(a, b) for a in vertices for b in vertices if (a.type, b.type) in allowed and (not climbs or str(a)[-1] < str(b)[-1])]
        edges += [GraphEdge(predicate, *chance.choice(pairs), f"{predicate}-{n}") for n in range(count)]
    return vertices, edges


def _sorted(rows: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    return sorted(sorted(row.items()) for row in rows)


def test_a_load_that_fails_can_be_tried_again(make_store: MakeStore) -> None:
    store = make_store()
    with pytest.raises(StoreError):
        store.load([WARFARIN, VKA], [GraphEdge("belongs_to", WARFARIN, VKA, "c1"), GraphEdge("belongs_to", WARFARIN, ANTICOAGULANTS, "c2")])
    store.load([WARFARIN, VKA], [GraphEdge("belongs_to", WARFARIN, VKA, "c1")])
    assert compare_graph(store, [WARFARIN, VKA], [GraphEdge("belongs_to", WARFARIN, VKA, "c1")]) == []


def test_walking_up_takes_every_step_and_stops_at_its_bound(make_store: MakeStore) -> None:
    chain = [EntityId("DrugClass", "pharmgraph", f"k{n}") for n in range(12)]
    store = make_store()
    up = [GraphEdge("subclass_of", a, b, f"s{n}") for n, (a, b) in enumerate(pairwise(chain))]
    store.load([WARFARIN, *chain], [GraphEdge("belongs_to", WARFARIN, chain[0], "b"), *up])
    query = (
        "MATCH (i:Ingredient {code:$code})-[:BELONGS_TO]->(k:DrugClass)-[:SUBCLASS_OF*0..8]->(a:DrugClass)-[r:SUBCLASS_OF]->(b:DrugClass) "
        "RETURN DISTINCT r.claim AS claim ORDER BY claim"
    )
    assert [r["claim"] for r in store.run(query, {"code": str(WARFARIN)})] == [f"s{n}" for n in range(9)]


def test_a_cycle_of_classes_ends(make_store: MakeStore) -> None:
    store = make_store()
    store.load(
        [WARFARIN, VKA, ANTICOAGULANTS],
        [GraphEdge("belongs_to", WARFARIN, VKA, "b"), GraphEdge("subclass_of", VKA, ANTICOAGULANTS, "s1"), GraphEdge("subclass_of", ANTICOAGULANTS, VKA, "s2")],
    )
    template = next(t for t in CYPHER_TEMPLATES if t.id.startswith("cypher/superclasses/Ingredient"))
    assert sorted(str(r["claim"]) for r in store.run(template.text, {"code": str(WARFARIN)})) == ["s1", "s2"]


def test_a_closed_store_opens_again(store: GraphStore) -> None:
    store.close()
    store.open()
    assert len(store.run(ONE, {"code": str(IBUPROFEN)})) == 1


def test_the_stored_dossier_is_what_the_templates_give_now_for_every_subject(make_store: MakeStore, tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "release") as writer:
        fill(writer)
        path = writer.finish({})
    graph = make_store()
    graph.load(VERTICES, EDGES)
    with Release.open(path) as stored, Release.open(path, live=True, graph=graph) as live:
        subjects = list(stored.subjects())
        assert {WARFARIN, AUGMENTIN, AMOXICILLIN, CLAVULANATE, IBUPROFEN} == set(subjects)
        for subject in subjects:
            assert stored.dossier(subject) == live.dossier(subject)
        combination = live.dossier(AUGMENTIN)
        assert combination is not None
        reached = {(row.relation, row.target): len(row.path) for row in combination.closure}
        assert reached == {
            ("ingredient", AMOXICILLIN): 1,
            ("ingredient", CLAVULANATE): 1,
            ("class", PENICILLINS): 2,
            ("cross-reacts", CEPHALOSPORINS): 3,
        }


@pytest.mark.bolt
def test_a_database_with_nodes_of_somebody_else_is_left_alone(bolt_server: Any) -> None:
    store = BoltGraph(bolt_server.url, bolt_server.user, bolt_server.password, database=bolt_server.database)
    store._execute("CREATE (n:Invoice {code: 'x'})", {})
    try:
        with pytest.raises(StoreError, match="database of its own"):
            store.load(VERTICES, EDGES)
    finally:
        store._execute("MATCH (n:Invoice) DELETE n", {})
        store.close()


def test_a_server_that_is_not_there_is_unavailable_and_named() -> None:
    with pytest.raises(GraphUnavailable, match=r"127\.0\.0\.1:1"):
        BoltGraph("bolt://127.0.0.1:1", "neo4j", "x").open()
    with pytest.raises(GraphUnavailable, match="nonsense"):
        BoltGraph("nonsense", "neo4j", "x").open()


def test_a_wrong_password_is_unavailable_and_named(bolt_server: Any) -> None:
    with pytest.raises(GraphUnavailable, match="user and password"):
        BoltGraph(bolt_server.url, "root", "wrong-password", database="kb").open()
