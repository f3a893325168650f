"""Dossiers as compact JSON bytes: arrays by position, with one table each for documents, spans, entities, guards, payloads and approvals.

Equal dossiers encode to equal bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ontology.model.claims import Approval, Basis, ClaimStatus, Polarity, Strength
from ontology.model.codec import encode
from ontology.model.errors import OntologyError, ReleaseDamaged
from ontology.model.spans import Span, SpanRole
from ontology.store.records import ClaimRecord, ClosureRow, Dossier, LabelSet, Rule
from ontology.store.rows import read_date, read_guard, read_id, read_payload, to_json

FORMAT = 1

_POLARITY = {p.value: p for p in Polarity}
_STRENGTH = {s.value: s for s in Strength}
_BASIS = {b.value: b for b in Basis}
_STATUS = {s.value: s for s in ClaimStatus}
_ROLE = {r.value: r for r in SpanRole}


class _Table:
    """Values numbered in the order of their first use."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, row: Any = None) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.rows)
            self.rows.append(key if row is None else row)
        return found


def encode_dossier(dossier: Dossier) -> bytes:
    """The dossier's bytes."""
    documents, spans, entities, guards, payloads, approvals = (_Table() for _ in range(6))

    def document_of(set_id: str, version: str) -> int:
        return documents.number((set_id, version))

    def span_of(span: Span) -> int:
        if span in spans._numbers:
            return spans._numbers[span]
        return spans.number(span, [document_of(span.document, span.version), span.section, span.start, span.end, span.quote, span.role.value])

    def claim_of(record: ClaimRecord) -> list[Any]:
        approval = record.approval
        return [
            record.id,
            document_of(record.document, record.version),
            [span_of(s) for s in record.evidence],
            record.routes,
            record.forms,
            record.status.value,
            record.reason,
            None if approval is None else approvals.number((approval.by, approval.method, approval.read_by_person)),
        ]

    rules = [
        [
            rule.key,
            rule.predicate,
            entities.number(str(rule.object)),
            rule.object_name,
            rule.words,
            None if rule.guard is None else guards.number(to_json(encode(rule.guard))),
            payloads.number(to_json(encode(rule.payload))),
            rule.polarity.value,
            rule.strength.value,
            rule.basis.value,
            [claim_of(c) for c in rule.claims],
        ]
        for rule in dossier.rules
    ]
    labels = [
        [
            document_of(label.document, label.version),
            label.effective.isoformat() if label.effective else None,
            label.title,
            label.routes,
            label.forms,
            label.product_type,
            sorted(label.product_codes),
            label.sections,
            label.url,
        ]
        for label in dossier.labels
    ]
    closure = [[row.relation, entities.number(str(row.target)), row.target_name, row.path] for row in dossier.closure]
    return msgspec.json.encode(
        {
            "format": FORMAT,
            "subject": str(dossier.subject),
            "name": dossier.name,
            "ingredients": [str(i) for i in dossier.ingredients],
            "labels": labels,
            "rules": rules,
            "closure": closure,
            "templates": dossier.templates,
            "documents": documents.rows,
            "spans": spans.rows,
            "entities": entities.rows,
            "guards": guards.rows,
            "payloads": payloads.rows,
            "approvals": approvals.rows,
        }
    )


def decode_dossier(body: bytes) -> Dossier:
    """The dossier of the bytes. Raises ReleaseDamaged when they are not one."""
    try:
        plain: dict[str, Any] = msgspec.json.decode(body)
        if plain["format"] != FORMAT:
            raise ReleaseDamaged(f"dossier format {plain['format']!r}, this version reads {FORMAT}; build the release again")
        return _dossier(plain)
    except (msgspec.DecodeError, KeyError, IndexError, TypeError, ValueError) as e:
        raise ReleaseDamaged(f"a dossier of the release cannot be read: {e}; build the release again") from e
    except OntologyError as e:
        raise ReleaseDamaged(f"a dossier of the release holds {e}; build the release again") from e


def _dossier(plain: dict[str, Any]) -> Dossier:
    subject = read_id(plain["subject"])
    set_ids = [document for document, _ in plain["documents"]]
    versions = [version for _, version in plain["documents"]]
    entities = [read_id(e) for e in plain["entities"]]
    guards = [read_guard(g) for g in plain["guards"]]
    payloads = [read_payload(p) for p in plain["payloads"]]
    approvals = [Approval(*a) for a in plain["approvals"]]
    spans = [Span(set_ids[d], versions[d], section, start, end, quote, _ROLE[role]) for d, section, start, end, quote, role in plain["spans"]]
    rules = tuple(
        Rule(
            key,
            predicate,
            subject,
            entities[target],
            name,
            words,
            None if guard is None else guards[guard],
            payloads[payload],
            _POLARITY[polarity],
            _STRENGTH[strength],
            _BASIS[basis],
            tuple(
                ClaimRecord(
                    claim,
                    set_ids[document],
                    versions[document],
                    tuple([spans[s] for s in evidence]),
                    tuple(routes),
                    tuple(forms),
                    _STATUS[status],
                    reason,
                    None if approval is None else approvals[approval],
                )
                for claim, document, evidence, routes, forms, status, reason, approval in claims
            ),
        )
        for key, predicate, target, name, words, guard, payload, polarity, strength, basis, claims in plain["rules"]
    )
    labels = tuple(
        LabelSet(
            set_ids[document],
            versions[document],
            read_date(effective),
            title,
            tuple(routes),
            tuple(forms),
            product_type,
            frozenset(codes),
            tuple((key, state) for key, state in sections),
            url,
        )
        for document, effective, title, routes, forms, product_type, codes, sections, url in plain["labels"]
    )
    return Dossier(
        subject=subject,
        name=plain["name"],
        ingredients=tuple(read_id(i) for i in plain["ingredients"]),
        labels=labels,
        rules=rules,
        closure=tuple(ClosureRow(relation, entities[target], name, tuple(path)) for relation, target, name, path in plain["closure"]),
        templates=_shared(tuple((template, digest) for template, digest in plain["templates"])),
    )


@lru_cache(maxsize=16)
def _shared(templates: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The same object for equal templates: all subjects of one type have the same."""
    return templates
