"""Hand-kept edges of the terminology as claims, each on its row of the term file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb_builder.ingest.terminology import SECTION, document_id
from ontology.model.claims import Claim, Edge, Provenance
from ontology.terms.terminology import Terminology
from ontology.text.document import Document


def edge_claims(terminology: Terminology, documents: Iterable[Document]) -> Iterator[Claim]:
    """One claim an edge row, in the order of the files."""
    by_id = {document.set_id: document for document in documents}
    for row in terminology.edge_rows():
        document = by_id[document_id(row.file)]
        span = document.span(SECTION, row.start, row.end)
        yield Claim(row.predicate, row.subject, row.object, Edge(), (span,), Provenance("terminology", document.version.key))
