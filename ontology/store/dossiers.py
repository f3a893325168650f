"""Dossiers made by the templates: all a release knows of one subject, from R by SQL and from G by Cypher."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ontology.model.claims import Basis, ClaimStatus, Polarity, Strength
from ontology.model.errors import MissingParameter, StoreError
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span
from ontology.store.closure import RELATIONS, ReachedEdge, close
from ontology.store.graph import GraphStore
from ontology.store.records import ClaimRecord, ClosureRow, Dossier, LabelSet, Rule
from ontology.store.rows import read_approval, read_date, read_guard, read_id, read_payload, read_span, read_words, to_json
from ontology.store.templates import (
    CONSTRAINTS,
    EVIDENCE,
    EXCIPIENT_EVIDENCE,
    EXCIPIENTS,
    LABEL_PRODUCTS,
    LABEL_SETS,
    NAMES,
    NEIGHBOUR_CLAIMS,
    NEIGHBOURS,
    REACHES,
    SQL_TEMPLATES,
    STANDING_EDGES,
    SUBJECT,
    Template,
    cypher_templates,
    for_many,
)

_STRENGTHS = list(Strength)
_BASES = list(Basis)


class TemplateRunner:
    """Fires templates at one release's relational part and one graph."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], graph: GraphStore) -> None:
        self._connect = connect
        self._graph = graph

    def sql(self, template: Template, **parameters: str) -> list[sqlite3.Row]:
        """The rows of an SQL template. Raises MissingParameter when one of its parameters is not given."""
        try:
            return self._connect().execute(template.text, parameters).fetchall()
        except sqlite3.ProgrammingError as e:
            raise MissingParameter(f"{template.id}: {e}; given were {sorted(parameters) or 'none'}") from e
        except sqlite3.DatabaseError as e:
            raise StoreError(f"{template.id}: the relational part does not answer: {e}") from e

    def cypher(self, template: Template, code: EntityId) -> list[dict[str, Any]]:
        """The rows of a Cypher template about one subject."""
        return self._graph.run(template.text, {"code": str(code)})

    def together(self, subjects: Iterable[EntityId]) -> TemplateRunner:
        """A runner that has already asked the Cypher templates of these subjects, one query a template; it knows no other subject."""
        return _Together(self._connect, self._graph, subjects)


class _Together(TemplateRunner):
    """The answers are those of the moment it was made; SQL is fired as ever."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], graph: GraphStore, subjects: Iterable[EntityId]) -> None:
        super().__init__(connect, graph)
        self._answers: dict[tuple[str, str], list[dict[str, Any]]] = {}
        by_type: dict[str, list[str]] = defaultdict(list)
        for subject in subjects:
            by_type[subject.type].append(str(subject))
        for type_, codes in by_type.items():
            for template in cypher_templates(type_):
                self._answers.update({(template.id, code): [] for code in codes})
                for row in graph.run(for_many(template), {"codes": codes}):
                    self._answers[template.id, str(row.pop("subject"))].append(row)

    def cypher(self, template: Template, code: EntityId) -> list[dict[str, Any]]:
        return self._answers[template.id, str(code)]


def build_dossier(subject: EntityId, runner: TemplateRunner) -> Dossier | None:
    """The subject's dossier as the templates give it now; None when the release has no such subject."""
    head = runner.sql(SUBJECT, subject=str(subject))
    if not head or subject.type not in NEIGHBOURS:
        return None
    return Dossier(
        subject=subject,
        name=head[0]["name"],
        ingredients=tuple(read_id(i) for i in json.loads(head[0]["ingredients"])),
        labels=_labels(subject, runner),
        rules=_rules(subject, runner),
        closure=_closure(subject, runner),
        templates=templates_of(subject),
    )


def templates_of(subject: EntityId) -> tuple[tuple[str, str], ...]:
    """(id, hash) of the templates that make a dossier of this type of subject."""
    return tuple(t.key for t in (*SQL_TEMPLATES, *cypher_templates(subject.type)))


def _labels(subject: EntityId, runner: TemplateRunner) -> tuple[LabelSet, ...]:
    codes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in runner.sql(LABEL_PRODUCTS, subject=str(subject)):
        codes[row["document"], row["version"]].add(f"{row['system']}:{row['value']}")
    return tuple(
        LabelSet(
            document=row["document"],
            version=row["version"],
            effective=read_date(row["effective"]),
            title=row["title"],
            routes=read_words(row["routes"]),
            forms=read_words(row["forms"]),
            product_type=row["product_type"],
            product_codes=frozenset(codes[row["document"], row["version"]]),
            sections=tuple((key, state) for key, state in json.loads(row["sections"])),
            url=row["url"],
        )
        for row in runner.sql(LABEL_SETS, subject=str(subject))
    )


def _rules(subject: EntityId, runner: TemplateRunner) -> tuple[Rule, ...]:
    """Constraints and denials from R, neighbours by the claims that G names; one rule for all claims that say the same."""
    edges = runner.cypher(NEIGHBOURS[subject.type], subject)
    rows = runner.sql(CONSTRAINTS, subject=str(subject))
    rows += runner.sql(NEIGHBOUR_CLAIMS, subject=str(subject), claims=to_json(sorted(str(e["claim"]) for e in edges)))
    spans: dict[str, list[Span]] = defaultdict(list)
    for row in runner.sql(EVIDENCE, subject=str(subject)):
        spans[row["claim"]].append(read_span(row))
    by_rule: dict[str, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        by_rule[row["rule"]].append(row)
    rules = [_rule(key, sorted(group, key=lambda r: str(r["id"])), spans) for key, group in by_rule.items()]
    rules += _excipients(subject, runner)
    return tuple(sorted(rules, key=lambda r: (r.predicate, str(r.object), r.key)))


def _excipients(subject: EntityId, runner: TemplateRunner) -> list[Rule]:
    """What the labels that judge the subject say is in their products beside it: one rule an excipient, which speaks for the labels of its claims alone."""
    rows = runner.sql(EXCIPIENTS, subject=str(subject))
    if not rows:
        return []
    spans: dict[str, list[Span]] = defaultdict(list)
    for row in runner.sql(EXCIPIENT_EVIDENCE, claims=_json_set(str(r["id"]) for r in rows)):
        spans[row["claim"]].append(read_span(row))
    by_object: dict[str, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        by_object[row["object"]].append(row)
    return [replace(_rule(group[0]["rule"], group, spans), subject=subject) for group in by_object.values()]


def _rule(key: str, rows: Sequence[sqlite3.Row], spans: dict[str, list[Span]]) -> Rule:
    """One rule of its claims: the strongest wording and the firmest basis that any of them has, the rest from the first."""
    first = rows[0]
    return Rule(
        key=key,
        predicate=first["predicate"],
        subject=read_id(first["subject"]),
        object=read_id(first["object"]),
        object_name=first["object_name"] or first["words"] or first["object"],
        words=first["words"],
        guard=read_guard(first["guard"]),
        payload=read_payload(first["payload"]),
        polarity=Polarity(first["polarity"]),
        strength=min((Strength(r["strength"]) for r in rows), key=_STRENGTHS.index),
        basis=min((Basis(r["basis"]) for r in rows), key=_BASES.index),
        claims=tuple(_record(row, spans[row["id"]]) for row in rows),
    )


def _record(row: sqlite3.Row, spans: Sequence[Span]) -> ClaimRecord:
    return ClaimRecord(
        id=row["id"],
        document=row["document"],
        version=row["version"],
        evidence=tuple(spans),
        routes=read_words(row["routes"]),
        forms=read_words(row["forms"]),
        status=ClaimStatus(row["status"]),
        reason=row["reason"],
        approval=read_approval(row),
    )


def _closure(subject: EntityId, runner: TemplateRunner) -> tuple[ClosureRow, ...]:
    """Rows in the order of RELATIONS. Edges whose claim denies or restricts the relation carry no path."""
    found = [ReachedEdge(reach.relation, **row) for reach in REACHES[subject.type] for row in runner.cypher(reach.template, subject)]
    if not found:
        return ()
    standing = {row["id"] for row in runner.sql(STANDING_EDGES, claims=_json_set(e.claim for e in found))}
    paths = close(str(subject), (edge for edge in found if edge.claim in standing))
    names = {row["id"]: row["name"] for row in runner.sql(NAMES, entities=_json_set(target for _, target in paths))}
    ordered = sorted(paths.items(), key=lambda item: (RELATIONS.index(item[0][0]), len(item[1]), item[0][1]))
    return tuple(ClosureRow(relation, read_id(target), names.get(target, target), path) for (relation, target), path in ordered)


def _json_set(items: Iterable[str]) -> str:
    return to_json(sorted(set(items)))
