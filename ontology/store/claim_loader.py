"""Loads claims into a release; a claim that comes twice is one row with the evidence of both.

The same statement may stand in two sections of a label, or in two versions of it, and be found by two extractors: the id is the same. The
better status stays with its evidence (a rejected finding never adds a span to an approved claim); of equal status, the newer version's
evidence stays, and within one version the spans of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from sqlalchemy import Connection, delete, insert, select

from ontology.model.claims import Claim, ClaimStatus
from ontology.model.periods import ValidPeriod
from ontology.model.spans import Span
from ontology.store.relational import ClaimRow, DocumentRow, EvidenceRow, table
from ontology.store.rows import claim_row, evidence_row, read_claim, read_date, read_span

_BATCH = 1_000
_LOOKUP = 400  # SQLite refuses statements with very many variables
_RANK: dict[ClaimStatus, int] = {status: rank for rank, status in enumerate([ClaimStatus.APPROVED, ClaimStatus.CONFLICTED, ClaimStatus.HELD])}
_LOWEST = len(_RANK)


class ClaimLoader:
    """Adds claims to the claim and evidence tables of one database."""

    def __init__(self) -> None:
        self._claim = table(ClaimRow)
        self._evidence = table(EvidenceRow)
        self._document = table(DocumentRow)

    def add(self, db: Connection, claims: Iterable[Claim]) -> None:
        """Stores the claims; those that are there already are merged."""
        batch: dict[str, Claim] = {}
        for claim in claims:
            known = batch.get(claim.id)
            batch[claim.id] = claim if known is None else self._merge(db, known, claim)
            if len(batch) >= _BATCH:
                self._store(db, batch)
                batch = {}
        if batch:
            self._store(db, batch)

    def _store(self, db: Connection, batch: dict[str, Claim]) -> None:
        stored = self._stored(db, list(batch))
        for known in stored:
            batch[known.id] = self._merge(db, known, batch[known.id])
        if stored:
            ids = [claim.id for claim in stored]
            db.execute(delete(self._claim).where(self._claim.c.id.in_(ids)))
            db.execute(delete(self._evidence).where(self._evidence.c.claim.in_(ids)))
        db.execute(insert(self._claim), [claim_row(claim) for claim in batch.values()])
        db.execute(insert(self._evidence), [evidence_row(claim.id, n, span) for claim in batch.values() for n, span in enumerate(claim.evidence)])

    def _stored(self, db: Connection, ids: Sequence[str]) -> list[Claim]:
        """The claims among these ids that were stored before."""
        found: list[Claim] = []
        for start in range(0, len(ids), _LOOKUP):
            some = ids[start : start + _LOOKUP]
            for row in db.execute(select(self._claim).where(self._claim.c.id.in_(some))).mappings().all():
                spans = db.execute(select(self._evidence).where(self._evidence.c.claim == row["id"]).order_by(self._evidence.c.position))
                found.append(read_claim(row, [read_span(s) for s in spans.mappings()]))
        return found

    def _merge(self, db: Connection, known: Claim, new: Claim) -> Claim:
        ranks = [_RANK.get(c.status, _LOWEST) for c in (known, new)]
        if ranks[0] != ranks[1]:
            return known if ranks[0] < ranks[1] else new
        versions = [c.evidence[0].version for c in (known, new)]
        if versions[0] == versions[1]:
            fresh: tuple[Span, ...] = tuple(s for s in new.evidence if s not in known.evidence)
            return replace(known, evidence=known.evidence + fresh) if fresh else known
        newer, older = (new, known) if self._precedence(db, new) > self._precedence(db, known) else (known, new)
        return replace(newer, valid=ValidPeriod(_earlier(older.valid.start, newer.valid.start), newer.valid.end))

    def _precedence(self, db: Connection, claim: Claim) -> tuple[date, int, str]:
        document = self._document
        where = (document.c.set_id == claim.document) & (document.c.version == claim.evidence[0].version)
        row = db.execute(select(document.c.effective, document.c.number, document.c.content_hash).where(where)).first()
        if row is None:
            return (date.min, -1, "")
        return (read_date(row.effective) or date.min, int(row.number) if row.number and row.number.isdigit() else -1, row.content_hash)


def _earlier(one: date | None, other: date | None) -> date | None:
    return None if one is None or other is None else min(one, other)
