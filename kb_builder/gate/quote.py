"""The quote gate: every span's quote is the text at its offsets in the document it names, read here anew."""

from __future__ import annotations

from ontology.model.claims import Claim
from ontology.model.spans import Span
from ontology.text.document import Document


def quote_fault(claim: Claim, document: Document) -> str | None:
    """Why a claim's evidence does not stand in its document, or None when every span does."""
    for span in claim.evidence:
        fault = _span_fault(span, document)
        if fault:
            return fault
    return None


def _span_fault(span: Span, document: Document) -> str | None:
    if span.document != document.set_id:
        return f"the span names document {span.document}, the claim was proposed from {document.set_id}"
    if span.version != document.version.key:
        return f"the span names version {span.version} of {document.set_id}, read was version {document.version.key}"
    text = next((section.text for section in document.sections if section.key == span.section), None)
    if text is None:
        return f"the document has no section {span.section}"
    found = text[span.start : span.end]
    if found != span.quote:
        return f"{span.section}[{span.start}:{span.end}] holds {found[:60]!r}, the span quotes {span.quote[:60]!r}"
    return None
