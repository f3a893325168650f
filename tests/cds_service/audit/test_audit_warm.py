"""After the warm-up no request pays for reading data files or indexing names."""

from __future__ import annotations

from case_world import case_world

from cds_service.audit import clinical
from cds_service.audit.antidote_pairs import antidote_entities
from cds_service.audit.notes import condition_names
from cds_service.audit.warm import warm_up


def test_a_second_warm_up_reads_and_indexes_nothing() -> None:
    terms = case_world().terminology
    warm_up(terms)
    before = [f.cache_info().misses for f in (clinical.table, clinical.analytes, condition_names, antidote_entities)]
    warm_up(terms)
    assert [f.cache_info().misses for f in (clinical.table, clinical.analytes, condition_names, antidote_entities)] == before
    assert condition_names.cache_info().currsize >= 1


def test_the_antidote_pairs_resolve_to_entities() -> None:
    pairs = antidote_entities(case_world().terminology)
    assert len(pairs) >= 8
    assert all(drug and antidote for drug, antidote, _ in pairs)
