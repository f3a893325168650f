"""All gates over one proposal, in the order cheap and decisive first: the quote, the registry, then for a model's claim its own words."""

from __future__ import annotations

from kb_builder.gate.agreement import AgreementGate
from kb_builder.gate.quote import quote_fault
from kb_builder.gate.registry import KnownEntity, registry_fault
from kb_builder.gate.verdict import Verdict, rejected
from ontology.model.claims import Claim, ClaimStatus
from ontology.text.document import Document


def judge(claim: Claim, document: Document, known: KnownEntity, agreement: AgreementGate | None = None) -> Verdict:
    """The verdict on one proposed claim; the first gate that refuses decides. A model's claim without an agreement gate is refused."""
    fault = quote_fault(claim, document)
    if fault:
        return rejected("quote", fault)
    fault = registry_fault(claim, known)
    if fault:
        return rejected("registry", fault)
    if claim.provenance.model is not None:
        fault = agreement.fault(claim) if agreement is not None else "nobody reads the claim's sentence"
        if fault:
            return rejected("agreement", fault)
    return Verdict(ClaimStatus.ENTITY_RESOLVED)
