"""Every claim of a release looked at again: its spans, its id, its registry row, its approval, and all it refers to."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator

from ontology.model.claims import KIND_OF_PAYLOAD, Claim, ClaimStatus, rule_key
from ontology.model.dosing import Limit, Regimen
from ontology.model.errors import OntologyError
from ontology.model.guards import Exposure, Guard, HasCondition, leaves
from ontology.model.identifiers import EntityId
from ontology.store.faults import Fault, FaultKind
from ontology.store.rows import RELEASED, read_claim, read_span

_UNGROUNDED = frozenset({ClaimStatus.CANDIDATE.value, ClaimStatus.REJECTED.value})
"""Statuses whose quotes may be wrong: the quote gate has not seen them, or it is why they were rejected."""


class ClaimChecker:
    """Checks the claims of one release database, one document at a time."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._entities = frozenset(row["id"] for row in db.execute("SELECT id FROM entity"))
        self._claims = frozenset(row["id"] for row in db.execute("SELECT id FROM claim"))
        self._document: tuple[str, str] | None = None
        self._sections: dict[str, str] = {}

    def faults(self) -> Iterator[Fault]:
        """All faults of all claims and of evidence without a claim."""
        for row in self._db.execute("SELECT DISTINCT claim FROM evidence WHERE claim NOT IN (SELECT id FROM claim) ORDER BY claim"):
            yield Fault(FaultKind.REFERENCE, f"evidence of {row['claim']}", "there is no such claim")
        spans: dict[str, list[sqlite3.Row]] = defaultdict(list)
        document: tuple[str, str] | None = None
        for row in self._db.execute("SELECT * FROM claim ORDER BY document, version, id"):
            if (row["document"], row["version"]) != document:
                document = (row["document"], row["version"])
                spans = self._spans_of(*document)
            yield from self._row_faults(row, spans[row["id"]])

    def _spans_of(self, document: str, version: str) -> dict[str, list[sqlite3.Row]]:
        spans: dict[str, list[sqlite3.Row]] = defaultdict(list)
        query = """SELECT e.* FROM claim c JOIN evidence e ON e.claim = c.id WHERE c.document = ? AND c.version = ? ORDER BY e.claim, e.position"""
        for row in self._db.execute(query, (document, version)):
            spans[row["claim"]].append(row)
        return spans

    def _row_faults(self, row: sqlite3.Row, spans: list[sqlite3.Row]) -> Iterator[Fault]:
        claim_id = row["id"]
        if row["status"] not in _UNGROUNDED:
            yield from self._span_faults(claim_id, spans)
        places = [(s["document"], s["version"], s["section"], s["start"], s["end"], s["role"]) for s in spans]
        if len(places) != len(set(places)):
            yield Fault(FaultKind.DUPLICATE, claim_id, "cites one span twice")
        try:
            claim = read_claim(row, [read_span(s) for s in spans])
        except (OntologyError, ValueError, KeyError, TypeError) as e:
            yield Fault(FaultKind.CLAIM, claim_id, f"the row makes no claim: {e}")
            return
        if claim.id != claim_id or rule_key(claim) != row["rule"]:
            yield Fault(FaultKind.CLAIM, claim_id, f"the row says something else than its id: {claim.id}, rule {rule_key(claim)}")
        yield from _approval_faults(claim, bool(row["released"]))
        if claim.status in RELEASED:
            yield from _registry_faults(claim, str(row["stratum"]))
            yield from self._reference_faults(claim)

    def _span_faults(self, claim_id: str, spans: list[sqlite3.Row]) -> Iterator[Fault]:
        for span in spans:
            where = f"{claim_id}: {span['document']} version {span['version']}, {span['section']}[{span['start']}:{span['end']}]"
            text = self._text(span["document"], span["version"], span["section"])
            if text is None:
                yield Fault(FaultKind.SPAN, where, "the section is not in the release")
            elif text[span["start"] : span["end"]] != span["quote"]:
                yield Fault(FaultKind.SPAN, where, f"quotes {span['quote'][:80]!r}, the section reads {text[span['start'] : span['end']][:80]!r}")

    def _text(self, document: str, version: str, section: str) -> str | None:
        if self._document != (document, version):
            self._document = (document, version)
            rows = self._db.execute("SELECT key, text FROM section WHERE set_id = ? AND version = ?", (document, version))
            self._sections = {row["key"]: row["text"] for row in rows}
        return self._sections.get(section)

    def _reference_faults(self, claim: Claim) -> Iterator[Fault]:
        for name, entity in _references(claim):
            if str(entity) not in self._entities:
                yield Fault(FaultKind.REFERENCE, claim.id, f"its {name} {entity} is not among the entities")
        if isinstance(claim.payload, Limit) and claim.payload.overrides and claim.payload.overrides not in self._claims:
            yield Fault(FaultKind.REFERENCE, claim.id, f"it overrides {claim.payload.overrides}, which is not among the claims")


def _references(claim: Claim) -> Iterator[tuple[str, EntityId]]:
    """Every entity a claim names, with what it is to the claim."""
    yield "subject", claim.subject
    yield "object", claim.object
    for entity in claim.scope.ingredients:
        yield "scope's ingredient", entity
    yield from _guard_references(claim.guard)
    if isinstance(claim.payload, Limit):
        yield from _guard_references(claim.payload.exception)
    if isinstance(claim.payload, Regimen):
        for entity in claim.payload.partners:
            yield "regimen's partner", entity
        if claim.payload.indication is not None:
            yield "regimen's indication", claim.payload.indication


def _guard_references(guard: Guard | None) -> Iterator[tuple[str, EntityId]]:
    for leaf in leaves(guard):
        if isinstance(leaf, Exposure):
            for entity in (leaf.target, *leaf.minus):
                yield "guard's exposure", entity
        if isinstance(leaf, HasCondition):
            yield "guard's condition", leaf.concept


def _registry_faults(claim: Claim, stratum: str) -> Iterator[Fault]:
    spec = claim.spec
    if claim.subject.type not in spec.domain:
        yield Fault(FaultKind.REGISTRY, claim.id, f"{spec.name} does not speak of a {claim.subject.type} ({claim.subject})")
    if claim.object.type not in spec.range:
        yield Fault(FaultKind.REGISTRY, claim.id, f"{spec.name} does not lead to a {claim.object.type} ({claim.object})")
    if KIND_OF_PAYLOAD[type(claim.payload)] not in spec.payloads:
        yield Fault(FaultKind.REGISTRY, claim.id, f"{spec.name} does not take the payload {type(claim.payload).__name__}")
    if stratum != spec.stratum.value:
        yield Fault(FaultKind.REGISTRY, claim.id, f"{spec.name} belongs to the stratum {spec.stratum.value}, the row says {stratum}")


def _approval_faults(claim: Claim, released: bool) -> Iterator[Fault]:
    if released is not (claim.status in RELEASED):
        yield Fault(FaultKind.APPROVAL, claim.id, f"status {claim.status.value}, released {released}")
    if claim.status in RELEASED and claim.approval is None:
        yield Fault(FaultKind.APPROVAL, claim.id, f"{claim.status.value} by nobody")
