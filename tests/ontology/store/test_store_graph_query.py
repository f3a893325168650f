"""Which queries may run, and how paths are chosen."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.errors import MissingParameter, StoreError
from ontology.store.closure import ReachedEdge, close
from ontology.store.graph import bind, check_query
from ontology.store.templates import CYPHER_TEMPLATES, HOPS, TEMPLATES


@pytest.mark.parametrize("template", CYPHER_TEMPLATES, ids=lambda t: t.id)
def test_every_template_needs_its_code_and_nothing_else(template: object) -> None:
    assert check_query(template.text).parameters == {"code"}  # type: ignore[attr-defined]


def test_template_ids_are_unique_and_hashes_follow_the_text() -> None:
    assert len({t.id for t in TEMPLATES}) == len(TEMPLATES)
    assert len({t.hash for t in TEMPLATES}) == len({t.text for t in TEMPLATES})


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("MATCH (a:Drug {code:$code}) RETURN a.code AS code", {"code"}),
        ("MATCH (a:Drug) WHERE a.code = '$no' RETURN a.code AS code", set()),
        ('MATCH (a:Drug) WHERE a.code = "SET $no; *" RETURN a.code AS code // CREATE $no', set()),
        ("MATCH (a:Drug) WHERE a.code IN $codes AND a.code < $last RETURN count(*) AS n", {"codes", "last"}),
        ("MATCH (a:Drug)-[:HAS_INGREDIENT]->(i:Ingredient)-[:BELONGS_TO]->(k)-[:SUBCLASS_OF*0..6]->(c:DrugClass) RETURN c.code AS code", set()),
        ("MATCH (a:Ingredient)-[r:BELONGS_TO|HAS_ROLE {claim:$claim}]->(b) RETURN b.code AS code", {"claim"}),
        ("MATCH (a)-[:SUBCLASS_OF*3]->(b) RETURN a.code AS code /* MERGE */", set()),
    ],
)
def test_reading_queries_pass_with_the_parameters_they_name(query: str, parameters: set[str]) -> None:
    assert check_query(query).parameters == parameters


@given(st.sets(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=5), st.data())
def test_a_query_runs_only_with_exactly_its_parameters(names: set[str], data: st.DataObject) -> None:
    query = "MATCH (a:Drug) WHERE " + " AND ".join(f"a.code <> ${name}" for name in sorted(names)) + " RETURN a.code AS code"
    given_names = data.draw(st.sets(st.sampled_from([*sorted(names), "zzzzzzzz"])))
    parameters = dict.fromkeys(given_names, "x")
    if names - given_names:
        with pytest.raises(MissingParameter, match=rf"\${min(names - given_names)}\b"):
            bind(query, parameters)
    elif given_names - names:
        with pytest.raises(StoreError, match="zzzzzzzz"):
            bind(query, parameters)
    else:
        assert bind(query, parameters).parameters == names


@given(st.text(alphabet="abxMATCHCREATE(){}[]'\"`$*.:;|/\\ \n", max_size=60))
def test_no_text_breaks_the_check_itself(text: str) -> None:
    with contextlib.suppress(StoreError):
        check_query(text)


NODES = [f"n{i}" for i in range(6)]
EDGES = st.lists(st.tuples(st.sampled_from(["s", *NODES]), st.sampled_from(["s", *NODES]), st.integers(0, 9)), max_size=14, unique=True)


@given(EDGES, st.randoms(use_true_random=False))
def test_the_path_to_a_class_is_the_shortest_and_then_the_smallest_whatever_the_order(edges: list[tuple[str, str, int]], random: object) -> None:
    reached = [ReachedEdge("class", a, b, f"c{n}") for a, b, n in edges]
    expected: dict[str, tuple[str, ...]] = {}
    walks: list[tuple[str, tuple[str, ...]]] = [("s", ())]
    for _ in range(len(NODES) + 1):
        walks = [(e.target, (*path, e.claim)) for node, path in walks for e in reached if e.source == node]
        for node, path in sorted(walks, key=lambda w: w[1]):
            if node != "s":
                expected.setdefault(node, path)
        walks = [(n, min(p for m, p in walks if m == n)) for n in {m for m, _ in walks}]
    shuffled = list(reached)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert {target: path for (_, target), path in close("s", shuffled).items()} == expected


def test_cross_reactions_are_one_step_from_what_the_subject_is_or_belongs_to() -> None:
    edges = [
        ReachedEdge("ingredient", "s", "i", "c1"),
        ReachedEdge("class", "i", "k", "c2"),
        ReachedEdge("cross-reacts", "k", "x", "c3"),
        ReachedEdge("cross-reacts", "i", "x", "c4"),
        ReachedEdge("cross-reacts", "x", "y", "c5"),
        ReachedEdge("cross-reacts", "k", "i", "c6"),
    ]
    assert close("s", edges) == {("ingredient", "i"): ("c1",), ("class", "k"): ("c1", "c2"), ("cross-reacts", "x"): ("c1", "c4")}


def test_a_cycle_does_not_lead_back_to_the_subject() -> None:
    edges = [ReachedEdge("is-a", a, b, f"{a}{b}") for a, b in itertools.permutations("sab", 2)]
    assert close("s", edges) == {("is-a", "a"): ("sa",), ("is-a", "b"): ("sb",)}


def test_the_templates_climb_as_far_as_they_say() -> None:
    assert all(f"0..{HOPS}" in t.text or "*" not in t.text or f"1..{HOPS}" in t.text for t in CYPHER_TEMPLATES)
