"""On real labels: the words of a condition taken out of the text change the claim, and every number of a guard is printed where the claim stands."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from kb_builder.extraction import subject_of
from kb_builder.gate.grounding import unprinted
from kb_builder.ingest.registry import read_sources
from kb_builder.propose.protocol import Proposal, Proposer, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.registry import PROPOSERS
from ontology.model.claims import Claim
from ontology.model.spans import Span, SpanRole
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

pytestmark = [pytest.mark.shared, pytest.mark.slow]
EVERY = 12
"""One label in so many is read."""
OF_EACH = 2
"""Claims of each proposer and label whose condition is taken out."""
RESTATED = 0.05
"""Most claims that may stay as they are, because heading, list or the sentence beside says the condition again."""
UNPRINTED = 0.003
"""Most claims with a number that is counted or implied ("days 1 and 8" are two days) and so not printed."""


@pytest.fixture(scope="module")
def terminology() -> Terminology:
    return Terminology.shipped()


@pytest.fixture(scope="module")
def lexicon(terminology: Terminology) -> Lexicon:
    return Lexicon(terminology)


@pytest.fixture(scope="module")
def every_label(shared: Path) -> list[Document]:
    return [d for _, d in read_sources((shared / "data" / "labels" / "openfda" / "drug-label-full.json.zip",)) if isinstance(d, Document)]


@pytest.fixture(scope="module")
def labels(every_label: list[Document], terminology: Terminology) -> list[tuple[Document, Subject]]:
    """A share of all labels."""
    return with_subjects(every_label[::EVERY], terminology)


@pytest.fixture(scope="module")
def ordered(every_label: list[Document], shared: Path, terminology: Terminology) -> list[tuple[Document, Subject]]:
    """One label of each drug that the cases order or list."""
    cases = [case for path in sorted((shared / "benchmark" / "cases-dev").glob("*.json")) for case in json.loads(path.read_text())]
    names = {order["drug"].lower() for case in cases for key in ("current", "orders") for order in case.get(key, ()) if order.get("drug")}
    of: dict[str, tuple[Document, Subject]] = {}
    for document, subject in with_subjects(every_label, terminology):
        if subject.name.lower() in names:
            of.setdefault(subject.name.lower(), (document, subject))
    return list(of.values())


def with_subjects(documents: list[Document], terminology: Terminology) -> list[tuple[Document, Subject]]:
    found = [(d, subject_of(d, terminology)) for d in documents]
    return [(d, s) for d, s in found if s is not None]


def claims_of(proposer: Proposer, document: Document, subject: Subject, lexicon: Lexicon) -> list[Claim]:
    return [p.claim for p in proposer.propose(document, subject, lexicon) if isinstance(p, Proposal)]


def conditions(claim: Claim) -> list[Span]:
    return [s for s in claim.evidence if s.role is SpanRole.CONDITION] if claim.guard is not None else []


def without(document: Document, span: Span) -> Document:
    """The document with the words of a span taken out."""
    return replace(
        document, sections=tuple(replace(s, text=s.text[: span.start] + s.text[span.end :]) if s.key == span.section else s for s in document.sections)
    )


def stays(claim: Claim, span: Span, after: list[Claim]) -> bool:
    """True where the same is still said at the same place."""
    stated = claim.statement
    moved = span.end - span.start if span.section == stated.section and span.end <= stated.start else 0
    start, end = stated.start - moved, stated.end - moved
    return any(said(a) == said(claim) and a.statement.section == stated.section and a.statement.start < end and start < a.statement.end for a in after)


def said(claim: Claim) -> tuple[object, ...]:
    return claim.predicate, claim.object, repr(claim.payload), repr(claim.guard), claim.polarity


def samples(labels: list[tuple[Document, Subject]], lexicon: Lexicon) -> Iterator[tuple[Claim, Span, list[Claim]]]:
    chosen = random.Random(7)
    for document, subject in labels:
        for proposer in PROPOSERS:
            restricted = [c for c in claims_of(proposer, document, subject, lexicon) if conditions(c)]
            for claim in chosen.sample(restricted, min(OF_EACH, len(restricted))):
                span = chosen.choice(conditions(claim))
                yield claim, span, claims_of(proposer, without(document, span), subject, lexicon)


def every_condition(labels: list[tuple[Document, Subject]], lexicon: Lexicon) -> Iterator[tuple[Claim, Span, list[Claim]]]:
    for document, subject in labels:
        for proposer in PROPOSERS:
            after: dict[tuple[str, int, int], list[Claim]] = {}
            for claim in claims_of(proposer, document, subject, lexicon):
                for span in conditions(claim):
                    place = (span.section, span.start, span.end)
                    if place not in after:
                        after[place] = claims_of(proposer, without(document, span), subject, lexicon)
                    yield claim, span, after[place]


def test_every_condition_of_an_ordered_drugs_label_taken_out_changes_its_claim(ordered, lexicon):
    results = [(claim, span, stays(claim, span, after)) for claim, span, after in every_condition(ordered, lexicon)]
    same = [(c.predicate, c.document, s.quote, c.statement.quote[:200]) for c, s, stayed in results if stayed]
    assert len(results) > 150
    assert len(same) / len(results) <= RESTATED, same


def test_a_condition_taken_out_of_the_text_changes_the_claim(labels, lexicon):
    results = [(claim, span, stays(claim, span, after)) for claim, span, after in samples(labels, lexicon)]
    same = [(c.predicate, c.document, s.quote, c.statement.quote[:200]) for c, s, stayed in results if stayed]
    assert len(results) > 150
    assert len(same) / len(results) <= RESTATED, same


def test_every_number_is_printed_in_the_evidence(labels, ordered, lexicon):
    claims = [c for document, subject in (*labels, *ordered) for proposer in PROPOSERS for c in claims_of(proposer, document, subject, lexicon)]
    absent = [(c, absent_of(c), absent_of(replace(c, guard=None))) for c in claims]
    guards = [(c.predicate, c.statement.quote[:200], c.guard) for c, every, payload in absent if len(every) > len(payload)]
    payloads = [(c.predicate, c.statement.quote[:200], numbers) for c, _, numbers in absent if numbers]
    assert guards == []
    assert len(payloads) / len(claims) <= UNPRINTED, payloads


def absent_of(claim: Claim) -> list[Decimal]:
    return unprinted(claim, (s.quote for s in claim.evidence))
