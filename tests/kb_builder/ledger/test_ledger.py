"""The ledger: rows are added and closed, never deleted; a failed run leaves it as it was."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kb_builder.errors import LedgerError
from kb_builder.ingest.shape import SourceShape, changes
from kb_builder.ledger.ledger import FILE, Entry, Ledger
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, ClaimStatus, Provenance
from ontology.model.identifiers import EntityId, mint
from ontology.model.spans import Span

WARFARIN = mint("Ingredient", "rxnorm", "11289")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
ASPIRIN = mint("Ingredient", "rxnorm", "1191")


SHAPE = SourceShape(30, Counter({"contraindications": 29}))


def said(target: EntityId = IBUPROFEN, document: str = "a", version: str = "1", quote: str = "words") -> Claim:
    span = Span(document, version, "drug_interactions", 0, len(quote), quote)
    return Claim("interacts_with", WARFARIN, target, Advice((Step(Action.AVOID),)), (span,), Provenance("t", "1"), status=ClaimStatus.APPROVED)


def run(folder: Path, year: int, *claims: Claim, read: tuple[tuple[str, str], ...] = (("a", "1"),)) -> tuple[int, int]:
    with closing(Ledger(folder, create=True)) as ledger, ledger.recording("policy:default@1", {"labels": SHAPE}, datetime(year, 1, 1, tzinfo=UTC)) as recording:
        for document, version in read:
            recording.read(document, version)
        assert list(recording.record(iter(claims))) == list(claims)
        recording.finish("kb-1")
    return recording.added, recording.closed


def history(folder: Path, target: EntityId = IBUPROFEN) -> list[Entry]:
    with closing(Ledger(folder)) as ledger:
        return ledger.history(str(WARFARIN), "interacts_with", str(target))


def test_an_unchanged_claim_stays_one_open_row(tmp_path: Path) -> None:
    assert run(tmp_path, 2025, said()) == (1, 0)
    assert run(tmp_path, 2026, said()) == (0, 0)
    (entry,) = history(tmp_path)
    assert (entry.recorded_from[:4], entry.recorded_to) == ("2025", None)
    assert "stands" in entry.line()


def test_a_changed_claim_is_recorded_anew_and_the_old_row_closed(tmp_path: Path) -> None:
    run(tmp_path, 2025, said())
    assert run(tmp_path, 2026, replace(said(), status=ClaimStatus.CONFLICTED, reason="labels differ")) == (1, 1)
    old, new = history(tmp_path)
    assert (old.status, (old.recorded_to or "")[:4], old.closed_because) == ("approved", "2026", "recorded anew")
    assert (new.status, new.recorded_to) == ("conflicted", None)


def test_a_claim_no_longer_found_in_a_document_that_was_read_is_closed(tmp_path: Path) -> None:
    run(tmp_path, 2025, said(), said(ASPIRIN))
    assert run(tmp_path, 2026, said(version="2", quote="other words"), read=(("a", "2"),)) == (1, 2)
    (gone,) = history(tmp_path, ASPIRIN)
    assert gone.closed_because == "no longer found in version 2"


def test_claims_of_documents_that_were_not_read_stay_open(tmp_path: Path) -> None:
    run(tmp_path, 2025, said())
    assert run(tmp_path, 2026, said(document="b"), read=(("b", "1"),)) == (1, 0)
    assert [e.recorded_to for e in history(tmp_path)] == [None, None]


def test_a_failed_run_leaves_the_ledger_as_it_was(tmp_path: Path) -> None:
    run(tmp_path, 2025, said())

    def fail() -> None:
        with closing(Ledger(tmp_path)) as ledger, ledger.recording("p", {}) as recording:
            recording.read("a", "1")
            list(recording.record(iter([said(ASPIRIN)])))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert history(tmp_path, ASPIRIN) == []
    assert [e.recorded_to for e in history(tmp_path)] == [None]


def test_what_is_no_ledger_says_so(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="holds no ledger"):
        Ledger(tmp_path)
    (tmp_path / FILE).write_text("not a database, but long enough to be read as one" * 20)
    with pytest.raises(LedgerError, match="not a database"):
        Ledger(tmp_path)
    (tmp_path / FILE).unlink()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(LedgerError, match="has format 9"):
        Ledger(tmp_path)


def test_the_last_shape_of_a_source_is_known(tmp_path: Path) -> None:
    run(tmp_path, 2025, said())
    with closing(Ledger(tmp_path)) as ledger:
        assert ledger.last_shape("labels") == SHAPE
        assert ledger.last_shape("others") is None


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (SourceShape(30, Counter({"contraindications": 29})), []),
        (SourceShape(28, Counter({"contraindications": 20})), []),
        (SourceShape(26, Counter({"contraindications": 26})), ["source x shrank from 30 to 26 records"]),
        (SourceShape(40, Counter({"contraindications": 10})), ["source x changed its shape: contraindications stood in 29 of 30 records, now in 10 of 40"]),
    ],
)
def test_a_source_that_shrinks_or_changes_shape_is_told(now: SourceShape, told: list[str]) -> None:
    assert changes("x", SHAPE, now) == told
    assert changes("x", SourceShape(19, SHAPE.fields), SourceShape(1)) == []
