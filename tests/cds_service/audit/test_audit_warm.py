"""After the warm-up no request pays for reading data files or indexing names."""

from __future__ import annotations

import pytest
from case_world import case_world

from cds_service.audit import clinical
from cds_service.audit.antidote_pairs import antidote_pairs
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
