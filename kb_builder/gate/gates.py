"""All gates over one proposal, in the order cheap and decisive first: the quote, then the registry."""

from __future__ import annotations

from kb_builder.gate.quote import quote_fault
from kb_builder.gate.registry import KnownEntity, registry_fault
from kb_builder.gate.verdict import Verdict, rejected
from ontology.model.claims import Claim, ClaimStatus
from ontology.text.document import Document


def judge(claim: Claim, document: Document, known: KnownEntity) -> Verdict:
    """The verdict on one proposed claim; the first gate that refuses decides."""
    fault = quote_fault(claim, document)
    if fault:
        return rejected("quote", fault)
    fault = registry_fault(claim, known)
    if fault:
        return rejected("registry", fault)
    return Verdict(ClaimStatus.ENTITY_RESOLVED)
