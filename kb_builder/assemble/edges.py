"""Hand-kept edges of the terminology as claims, each on its row of the term file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb_builder.ingest.terminology import SECTION, document_id
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Basis, Claim, Edge, Provenance, Strength
from ontology.model.facts import Whose
from ontology.model.spans import Span
from ontology.terms.entries import EdgeRow
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

EXTRACTOR = "terminology"
"""What claims on hand-kept rows name as their extractor."""


def edge_claims(terminology: Terminology, documents: Iterable[Document]) -> Iterator[Claim]:
    """One claim an edge row, in the order of the files."""
    by_id = {document.set_id: document for document in documents}
    for row in terminology.edge_rows():
        document = by_id[document_id(row.file)]
        yield claim_of(row, document.span(SECTION, row.start, row.end), Provenance(EXTRACTOR, document.version.key))


def claim_of(row: EdgeRow, span: Span, provenance: Provenance) -> Claim:
    """The claim that a row states on its span: advice where the row names an action, else an edge with the row's note."""
    payload = Advice((Step(Action(row.action), Whose.EITHER),)) if row.action else Edge(row.note or None)
    strength = Strength(row.strength) if row.strength else Strength.MUST
    basis = Basis(row.basis) if row.basis else Basis.ESTABLISHED
    return Claim(row.predicate, row.subject, row.object, payload, (span,), provenance, strength=strength, basis=basis)
