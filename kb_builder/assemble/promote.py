"""Promotion: the last status of a claim, by the release policy and what contradicts it."""

from __future__ import annotations

from dataclasses import replace

from kb_builder.assemble.policy import ReleasePolicy
from ontology.model.claims import Approval, Claim, ClaimStatus


def promote(claim: Claim, policy: ReleasePolicy, conflict: str | None) -> Claim:
    """The claim approved by rule, marked as conflicted, or held for a person; a rejected one comes back as it is."""
    if claim.status is ClaimStatus.REJECTED:
        return claim
    if policy.holds(claim):
        asks = f"{policy.key} asks a person for every {claim.spec.tier.value}-risk claim of {'a model' if claim.provenance.model else 'this kind'}"
        return replace(claim, status=ClaimStatus.HELD, reason=asks if conflict is None else f"{asks}; {conflict}")
    approval = Approval(by=policy.key, method="rule", read_by_person=False)
    if conflict is not None:
        return replace(claim, status=ClaimStatus.CONFLICTED, reason=conflict, approval=approval)
    return replace(claim, status=ClaimStatus.APPROVED, approval=approval)
