"""Model values as rows of a release, and back.

Writing gives plain dictionaries for bulk inserts; reading takes any row that answers by column name (`sqlite3.Row`), so that a service needs no ORM.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol

from ontology.model.claims import Approval, Basis, Claim, ClaimStatus, Payload, Polarity, Provenance, Scope, Strength, rule_key
from ontology.model.codec import decode, encode
from ontology.model.guards import Guard
from ontology.model.identifiers import EntityId
from ontology.model.periods import RecordedPeriod, ValidPeriod
from ontology.model.spans import Span, SpanRole
from ontology.store.records import DocumentRecord, SectionRecord
from ontology.text.document import Document, Section

RELEASED: frozenset[ClaimStatus] = frozenset({ClaimStatus.APPROVED, ClaimStatus.CONFLICTED})
"""The statuses that enter the graph, the closures and the dossiers."""

Row = dict[str, Any]


class Record(Protocol):
    """A row as it was read: members by column name."""

    def __getitem__(self, key: str, /) -> Any:
        """The column's value."""
        ...


def to_json(value: object) -> str:
    """Compact JSON text with sorted keys: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def document_row(document: Document) -> Row:
    """The row of a document version."""
    return {
        "set_id": document.set_id,
        "version": document.version.key,
        "title": document.title,
        "kind": document.kind,
        "language": document.language,
        "number": document.version.number,
        "effective": _iso(document.version.effective),
        "content_hash": document.version.content_hash,
        "product_type": document.product_type,
        "publisher": document.publisher,
        "url": document.url,
    }


def section_row(document: Document, position: int, section: Section) -> Row:
    """The row of a section at its place in the document."""
    return {
        "set_id": document.set_id,
        "version": document.version.key,
        "key": section.key,
        "position": position,
        "title": section.title,
        "loinc": section.loinc,
        "state": section.state.value,
        "text": section.text,
        "tables": to_json(list(section.tables)) if section.tables else None,
        "pages": to_json([list(p) for p in section.pages]) if section.pages else None,
        "repeats": section.repeats,
    }


def claim_row(claim: Claim) -> Row:
    """The row of a claim, without its evidence."""
    approval = claim.approval
    return {
        "id": claim.id,
        "rule": rule_key(claim),
        "predicate": claim.predicate,
        "stratum": claim.spec.stratum.value,
        "subject": str(claim.subject),
        "object": str(claim.object),
        "words": claim.words,
        "guard": None if claim.guard is None else to_json(encode(claim.guard)),
        "payload": to_json(encode(claim.payload)),
        "polarity": claim.polarity.value,
        "strength": claim.strength.value,
        "basis": claim.basis.value,
        "ingredients": to_json([str(i) for i in claim.scope.ingredients]),
        "routes": to_json(list(claim.scope.routes)),
        "forms": to_json(list(claim.scope.forms)),
        "brands": to_json(list(claim.scope.brands)),
        "document": claim.document,
        "version": claim.evidence[0].version,
        "valid_from": _iso(claim.valid.start),
        "valid_to": _iso(claim.valid.end),
        "recorded_from": _iso(claim.recorded.start) if claim.recorded else None,
        "recorded_to": _iso(claim.recorded.end) if claim.recorded else None,
        "status": claim.status.value,
        "released": claim.status in RELEASED,
        "reason": claim.reason,
        "approved_by": approval.by if approval else None,
        "approval_method": approval.method if approval else None,
        "read_by_person": approval.read_by_person if approval else None,
        "extractor": claim.provenance.extractor,
        "extractor_version": claim.provenance.version,
        "model": claim.provenance.model,
        "prompt_version": claim.provenance.prompt_version,
    }


def evidence_row(claim: str, position: int, span: Span) -> Row:
    """The row of one span of a claim."""
    return {
        "claim": claim,
        "position": position,
        "document": span.document,
        "version": span.version,
        "section": span.section,
        "start": span.start,
        "end": span.end,
        "role": span.role.value,
        "quote": span.quote,
    }


def read_claim(row: Record, evidence: Sequence[Span]) -> Claim:
    """The claim of a row and its spans. Raises CannotDecode or InvalidClaim when the row does not make one."""
    return Claim(
        predicate=row["predicate"],
        subject=read_id(row["subject"]),
        object=read_id(row["object"]),
        payload=read_payload(row["payload"]),
        evidence=tuple(evidence),
        provenance=Provenance(row["extractor"], row["extractor_version"], row["model"], row["prompt_version"]),
        guard=read_guard(row["guard"]),
        polarity=Polarity(row["polarity"]),
        strength=Strength(row["strength"]),
        basis=Basis(row["basis"]),
        scope=Scope(tuple(read_id(i) for i in json.loads(row["ingredients"])), read_words(row["routes"]), read_words(row["forms"]), read_words(row["brands"])),
        valid=ValidPeriod(read_date(row["valid_from"]), read_date(row["valid_to"])),
        recorded=_recorded(row),
        status=ClaimStatus(row["status"]),
        reason=row["reason"],
        approval=read_approval(row),
        words=row["words"],
    )


def read_span(row: Record) -> Span:
    """The span of an evidence row."""
    return Span(row["document"], row["version"], row["section"], row["start"], row["end"], row["quote"], SpanRole(row["role"]))


def read_approval(row: Record) -> Approval | None:
    """Who approved the claim of a row, or None."""
    return Approval(row["approved_by"], row["approval_method"], bool(row["read_by_person"])) if row["approved_by"] else None


def read_document(row: Record) -> DocumentRecord:
    """The record of a document row."""
    return DocumentRecord(
        set_id=row["set_id"],
        version=row["version"],
        title=row["title"],
        kind=row["kind"],
        language=row["language"],
        effective=read_date(row["effective"]),
        number=row["number"],
        content_hash=row["content_hash"],
        product_type=row["product_type"],
        publisher=row["publisher"],
        url=row["url"],
    )


def read_section(row: Record) -> SectionRecord:
    """The record of a section row."""
    tables = read_words(row["tables"]) if row["tables"] else ()
    pages = tuple((offset, page) for offset, page in json.loads(row["pages"])) if row["pages"] else ()
    return SectionRecord(row["key"], row["title"], row["loinc"], row["state"], row["text"], tables, pages, row["repeats"])


@lru_cache(maxsize=20_000)
def read_id(text: str) -> EntityId:
    """The entity id that the text names, one object for equal texts."""
    return EntityId.parse(text)


@lru_cache(maxsize=4_000)
def read_guard(text: str | None) -> Guard | None:
    """The guard of its JSON text; None stands for "always"."""
    guard: Guard | None = None if text is None else decode(json.loads(text))
    return guard


@lru_cache(maxsize=4_000)
def read_payload(text: str) -> Payload:
    """The payload of its JSON text."""
    payload: Payload = decode(json.loads(text))
    return payload


@lru_cache(maxsize=4_000)
def read_words(text: str) -> tuple[str, ...]:
    """The words of a JSON array."""
    return tuple(json.loads(text))


def read_date(text: str | None) -> date | None:
    """The date of an ISO text, or None."""
    return date.fromisoformat(text) if text else None


def _recorded(row: Record) -> RecordedPeriod | None:
    if not row["recorded_from"]:
        return None
    end = row["recorded_to"]
    return RecordedPeriod(datetime.fromisoformat(row["recorded_from"]), datetime.fromisoformat(end) if end else None)


def _iso(moment: date | datetime | None) -> str | None:
    return moment.isoformat() if moment else None
