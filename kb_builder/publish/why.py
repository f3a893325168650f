"""Why a release says something of a subject and an object: the claims with their spans in context, or the text nearest to the question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ontology.model.claims import Claim
from ontology.model.codec import encode
from ontology.model.entities import EntityType
from ontology.model.errors import InvalidIdentifier
from ontology.model.identifiers import EntityId, mint_uncoded
from ontology.model.spans import Span
from ontology.store.release import Release
from ontology.terms.identity import DrugIdentity

CONTEXT = 80
NEAREST = 5


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a document with the text around it."""

    document: str
    version: str
    section: str
    start: int
    end: int
    before: str
    quote: str
    after: str
    role: str = "statement"

    def text(self) -> str:
        """The quote marked in its context, on one line."""
        return re.sub(r"\s+", " ", f"{self.before}»{self.quote}«{self.after}").strip()


def resolve(release: Release, text: str) -> tuple[EntityId, ...]:
    """Every entity an id or a name stands for, also concepts that only a label's words name; empty when the release knows none."""
    try:
        entity = EntityId.parse(text)
    except InvalidIdentifier:
        entity = None
    if entity is not None and release.entity(entity) is not None:
        return (entity,)
    found = dict.fromkeys(release.terminology.lookup(text))
    identity = release.terminology.identify_drug((), text)
    if isinstance(identity, DrugIdentity):
        found.setdefault(identity.subject)
    for kind in EntityType:
        try:
            uncoded = mint_uncoded(kind.value, text)
        except InvalidIdentifier:
            return ()
        if release.entity(uncoded) is not None:
            found.setdefault(uncoded)
    return tuple(found)


def find_claims(release: Release, subjects: tuple[EntityId, ...], predicate: str, objects: tuple[EntityId, ...]) -> list[Claim]:
    """The claims of any status that say this, by document and id."""
    found = [c for s in subjects for o in objects for c in release.claims(subject=s, predicate=predicate, object=o)]
    return sorted(found, key=lambda claim: (claim.document, claim.id))


def passage_of(release: Release, span: Span) -> Passage:
    """A span with the text around it; the text is the release's own, not the span's quote."""
    section = release.section(span.document, span.version, span.section)
    text = section.text if section is not None else ""
    return _passage(span.document, span.version, span.section, span.start, span.end, text, span.role.value)


def nearest_passages(release: Release, subjects: tuple[EntityId, ...], words: str) -> list[Passage]:
    """Where the subjects' labels use the words at all, at most a few places: what a reader would look at when no claim was made of it."""
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words.split()), re.IGNORECASE)
    found: list[Passage] = []
    for document, version in _labels(release, subjects):
        for section in release.sections(document, version):
            for match in pattern.finditer(section.text):
                found.append(_passage(document, version, section.key, match.start(), match.end(), section.text))
                if len(found) == NEAREST:
                    return found
                break
    return found


def claim_json(release: Release, claim: Claim) -> dict[str, Any]:
    """A claim with its passages as plain data."""
    document = release.document(claim.document, claim.evidence[0].version)
    return {
        "id": claim.id,
        "subject": str(claim.subject),
        "predicate": claim.predicate,
        "object": str(claim.object),
        "words": claim.words,
        "polarity": claim.polarity.value,
        "strength": claim.strength.value,
        "guard": encode(claim.guard) if claim.guard is not None else None,
        "payload": encode(claim.payload),
        "status": claim.status.value,
        "reason": claim.reason,
        "approval": encode_approval(claim),
        "extractor": f"{claim.provenance.extractor} {claim.provenance.version}",
        "document": claim.document,
        "title": document.title if document else None,
        "version": claim.evidence[0].version,
        "effective": document.effective.isoformat() if document and document.effective else None,
        "evidence": [passage_json(passage_of(release, span)) for span in claim.evidence],
    }


def encode_approval(claim: Claim) -> dict[str, Any] | None:
    """Who approved a claim and how, as plain data."""
    approval = claim.approval
    return None if approval is None else {"by": approval.by, "method": approval.method, "read_by_person": approval.read_by_person}


def passage_json(passage: Passage) -> dict[str, Any]:
    """A passage as plain data."""
    return {name: getattr(passage, name) for name in Passage.__slots__}


def _labels(release: Release, subjects: tuple[EntityId, ...]) -> Iterator[tuple[str, str]]:
    for subject in subjects:
        dossier = release.stored_dossier(subject)
        yield from ((label.document, label.version) for label in (dossier.labels if dossier else ()))


def _passage(document: str, version: str, section: str, start: int, end: int, text: str, role: str = "mention") -> Passage:
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    return Passage(document, version, section, start, end, before, text[start:end], after, role)
