"""SNOMED CT snapshots as records: kinds of known conditions, allergies by cause; circles and loose ends are told."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_files import CAUSE, FULL_NAME, IS_A, concept, description, edge, write_snomed

from ontology.model.errors import TerminologyError
from ontology.terms.readers.hierarchy import Hierarchy
from ontology.terms.readers.records import ConceptRecord, Item, LineRefused, SourceVersion
from ontology.terms.readers.snomed import SUBSTANCE, SnomedReader

ROOT, DIABETES, TYPE_2, FOOT, KIDNEY, BOTH = 100001, 73211009, 44054006, 100002, 709044004, 100003
ALLERGIC, TO_AMOXICILLIN, AMOXICILLIN = 609328004, 100010, 100011
CONCEPTS = [concept(c) for c in (ROOT, DIABETES, TYPE_2, FOOT, KIDNEY, BOTH, ALLERGIC, TO_AMOXICILLIN, AMOXICILLIN, SUBSTANCE)]
EDGES = [
    *(edge(DIABETES, IS_A, ROOT), edge(TYPE_2, IS_A, DIABETES), edge(FOOT, IS_A, TYPE_2), edge(KIDNEY, IS_A, ROOT)),
    *(edge(BOTH, IS_A, DIABETES), edge(BOTH, IS_A, TYPE_2), edge(BOTH, IS_A, KIDNEY)),
    *(edge(TO_AMOXICILLIN, IS_A, ALLERGIC), edge(TO_AMOXICILLIN, CAUSE, AMOXICILLIN), edge(AMOXICILLIN, IS_A, SUBSTANCE)),
]
NAMES = [
    description(FOOT, "Foot disorder in type 2 diabetes (disorder)", FULL_NAME),
    description(FOOT, "Type 2 diabetic foot"),
    description(FOOT, "Sugar foot", active="0"),
    description(TO_AMOXICILLIN, "Allergy to amoxicillin (finding)", FULL_NAME),
    description(AMOXICILLIN, "Amoxicillin (substance)", FULL_NAME),
]


def read(folder: Path, concepts: list[str] = CONCEPTS, names: list[str] = NAMES, edges: list[str] = EDGES) -> list[Item]:
    return list(SnomedReader(frozenset({DIABETES, TYPE_2, KIDNEY}))(write_snomed(folder, concepts, names, edges)))


def by_code(items: list[Item]) -> dict[tuple[str, int], ConceptRecord]:
    return {(i.kind, int(i.code)): i for i in items if isinstance(i, ConceptRecord)}


def refused(items: list[Item]) -> list[str]:
    return [f"{i.place}: {i.what}" for i in items if isinstance(i, LineRefused)]


def test_a_code_means_the_nearest_known_condition_above_it(tmp_path: Path) -> None:
    found = by_code(read(tmp_path))
    assert found["condition", FOOT].means == (f"snomed:{TYPE_2}",)
    assert ("condition", ROOT) not in found


def test_a_code_below_two_conditions_means_both_but_not_what_lies_above_them(tmp_path: Path) -> None:
    assert by_code(read(tmp_path))["condition", BOTH].means == (f"snomed:{TYPE_2}", f"snomed:{KIDNEY}")


def test_active_names_come_without_the_tag(tmp_path: Path) -> None:
    items = read(tmp_path)
    assert by_code(items)["condition", FOOT].names == ("Foot disorder in type 2 diabetes", "Type 2 diabetic foot")
    assert refused(items) == []


def test_an_allergy_means_its_cause(tmp_path: Path) -> None:
    found = by_code(read(tmp_path))
    assert found["allergy", TO_AMOXICILLIN].means == (f"snomed:{AMOXICILLIN}|name:Amoxicillin",)
    assert found["substance", AMOXICILLIN].means == (f"snomed:{AMOXICILLIN}|name:Amoxicillin",)


def test_inactive_rows_do_not_count(tmp_path: Path) -> None:
    concepts = [concept(c, "0") if c == FOOT else row for c, row in zip((ROOT, DIABETES, TYPE_2, FOOT), CONCEPTS[:4], strict=True)]
    found = by_code(read(tmp_path, [*concepts, *CONCEPTS[4:]], edges=[*EDGES[:-1], edge(AMOXICILLIN, IS_A, SUBSTANCE, "0")]))
    assert ("condition", FOOT) not in found
    assert ("substance", AMOXICILLIN) not in found


def test_a_circle_is_told_and_what_hangs_in_it_is_left_out(tmp_path: Path) -> None:
    items = read(tmp_path, edges=[*EDGES, edge(TYPE_2, IS_A, FOOT)])
    assert any(line.startswith("is-a: 3 concepts stand in a circle") for line in refused(items))
    assert ("condition", FOOT) not in by_code(items)


def test_a_parent_that_is_no_concept_is_told(tmp_path: Path) -> None:
    assert any("1 relations have an end that is no active concept" in line for line in refused(read(tmp_path, edges=[*EDGES, edge(FOOT, IS_A, 999999)])))


def test_damaged_rows_are_refused_by_line(tmp_path: Path) -> None:
    items = read(tmp_path, [*CONCEPTS, "12", concept("abc"), concept(5, "yes")])
    assert [line.split(":")[0] for line in refused(items)] == [f"sct2_Concept_Snapshot_INT_20260101.txt, line {n}" for n in (12, 13, 14)]
    assert SourceVersion("20260101") in items


def test_a_release_without_a_snapshot_says_so(tmp_path: Path) -> None:
    (tmp_path / "sct2_Concept_Full_INT_20260101.txt").write_text("id\n")
    with pytest.raises(TerminologyError, match="holds no sct2_Concept_Snapshot file"):
        list(SnomedReader(frozenset())(tmp_path))


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25), st.sets(st.integers(0, 9), max_size=4))
def test_nearest_agrees_with_paths_walked_one_by_one(pairs: set[tuple[int, int]], anchors: set[int]) -> None:
    edges = {(child, parent) for child, parent in pairs if child > parent}
    above = {c: {c} for c in range(10)}
    for child, parent in sorted(edges):
        above[child] |= above[parent]
    for child, parent in product(range(10), repeat=2):
        if (child, parent) in edges:
            above[child] |= above[parent]
    near, circle = Hierarchy(range(10), edges).nearest(anchors)
    for code in range(10):
        over = above[code] & anchors
        expected = {a for a in over if not any(a in above[b] and a != b for b in over)}
        assert near.get(code, frozenset()) == ({code} if code in anchors else expected)
    assert circle == []


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_any_graph_is_read_to_the_end(edges: set[tuple[int, int]]) -> None:
    tree = Hierarchy(range(10), edges)
    near, circle = tree.nearest([0, 5])
    assert not near.keys() & set(circle)
    assert set(tree.below(0)) <= set(range(10))
