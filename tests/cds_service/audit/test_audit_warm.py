"""After the warm-up no request pays for reading data files or indexing names."""

from __future__ import annotations

import pytest
from case_world import case_world

from cds_service.audit import clinical
from cds_service.audit.antidote_pairs import antidote_pairs
from cds_service.audit.profile import birth, genotype, last_use, passages, stated_values
from cds_service.audit.warm import warm_up


def test_a_second_warm_up_reads_and_indexes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = case_world().terminology
    warm_up(terms)
    before = [f.cache_info().misses for f in (clinical.table, clinical.analytes)]
    for asked in ("mention_names", "edge_rows", "lookup"):
        monkeypatch.setattr(type(terms), asked, None)
    warm_up(terms)
    assert [f.cache_info().misses for f in (clinical.table, clinical.analytes)] == before


def test_the_antidote_pairs_resolve_to_entities() -> None:
    pairs = antidote_pairs(case_world().terminology)
    assert len(pairs) >= 30
    assert all(against for against in pairs.values())


def test_the_patterns_over_notes_are_made_before_the_first_note() -> None:
    made = (passages._whole, stated_values._names, birth._stated, genotype._names, last_use._ended)
    for cached in made:
        cached.cache_clear()
    warm_up(case_world().terminology)
    assert all(cached.cache_info().currsize for cached in made)
