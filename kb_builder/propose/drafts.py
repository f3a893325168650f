"""Drafts of claims: what one statement says of one object, before doubles are settled and spans are cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.things import Target
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Basis, Claim, Polarity, Provenance, Scope, Strength
from ontology.model.dosing import Limit, Regimen
from ontology.model.errors import OntologyError
from ontology.model.periods import ValidPeriod
from ontology.model.spans import Span, SpanRole
from ontology.text.document import Document


class Source(IntEnum):
    """How directly a draft says it; a lower number wins over a higher one for the same object."""

    DIRECTIVE = 0
    EFFECT = 1


@dataclass(frozen=True, slots=True)
class Draft:
    """One statement about one object. Places are offsets in the folded text of `reading`.

    `payload` is the regimen or limit of a dose; without one the payload is the advice of `steps` and `otherwise`. `cited` are further places the
    statement rests on, each with its role (headings above, row and column headers, footnotes). `routes` and `forms` are those that the statement
    or its headings name; without any the claim has the label's own.
    """

    reading: Reading
    predicate: str
    target: Target
    place: tuple[int, int]
    statement: tuple[int, int]
    steps: tuple[Step, ...] = ()
    otherwise: tuple[Step, ...] = ()
    limits: tuple[Restriction, ...] = ()
    heading: tuple[int, int] | None = None
    strength: Strength = Strength.SHOULD
    polarity: Polarity = Polarity.POSITIVE
    basis: Basis = Basis.ESTABLISHED
    source: Source = Source.DIRECTIVE
    highlight: bool = False
    payload: Regimen | Limit | None = None
    cited: tuple[tuple[tuple[int, int], SpanRole], ...] = ()
    routes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def actions(self) -> frozenset[Action]:
        """The actions of the plan."""
        return frozenset(s.action for s in self.steps)

    def with_limits(self, *more: Restriction) -> Draft:
        """The draft with further restrictions."""
        return replace(self, limits=(*self.limits, *more))


def propose_draft(draft: Draft, document: Document, subject: Subject, provenance: Provenance) -> Proposal | None:
    """The draft as a proposal with verbatim spans; None where nothing verbatim is left of it, or the claim would not be valid."""
    spans = [_span(draft, document, draft.statement, SpanRole.STATEMENT)]
    if spans[0] is None:
        return None
    inside = draft.statement[0] <= draft.place[0] and draft.place[1] <= draft.statement[1]
    spans.append(_span(draft, document, draft.place, SpanRole.OBJECT if inside else SpanRole.CELL))
    if draft.heading is not None:
        spans.append(_span(draft, document, draft.heading, SpanRole.HEADING))
    spans += [_span(draft, document, (r.start, r.end), SpanRole.CONDITION) for r in draft.limits]
    spans += [_span(draft, document, place, role) for place, role in draft.cited]
    evidence = tuple(dict.fromkeys(s for s in spans if s is not None))
    routes = draft.routes or tuple(sorted({r.lower() for p in document.products for r in p.routes}))
    forms = draft.forms or tuple(sorted({p.form.lower() for p in document.products if p.form}))
    try:
        claim = Claim(
            predicate=draft.predicate,
            subject=subject.id,
            object=draft.target.id,
            payload=draft.payload if draft.payload is not None else Advice(draft.steps, draft.otherwise),
            evidence=evidence,
            provenance=provenance,
            guard=joined(draft.limits),
            polarity=draft.polarity,
            strength=draft.strength,
            basis=draft.basis,
            scope=Scope(tuple(i.id for i in subject.ingredients), routes, forms),
            valid=ValidPeriod(document.version.effective),
            words=tidy(draft.target.words),
        )
    except (OntologyError, UnicodeEncodeError):  # half a surrogate pair is no text that a claim can be named by
        return None
    named = (draft.target.entity, *(e for r in draft.limits for e in r.entities))
    return Proposal(claim, tuple(dict.fromkeys(e for e in named if e is not None)))


def tidy(words: str) -> str:
    """The label's words on one line, without a bracket that has no partner."""
    line = " ".join(words.split()).strip(" ,.;:-")
    if line.count("(") == line.count(")") + 1:
        return line + ")"
    return line.replace(")", "", 1) if line.count(")") == line.count("(") + 1 else line


def _span(draft: Draft, document: Document, place: tuple[int, int], role: SpanRole) -> Span | None:
    start, end = draft.reading.shadow.raw_span(*place)
    if start >= end or not draft.reading.section.text[start:end].strip():
        return None
    return document.span(draft.reading.section.key, start, end, role)
