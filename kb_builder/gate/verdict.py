"""What a gate answers, and the order the gates stand in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontology.model.claims import Claim, ClaimStatus


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a proposal came: the status it has earned, and for a rejected one the gate and the reason."""

    status: ClaimStatus
    gate: str | None = None
    reason: str | None = None

    @property
    def passed(self) -> bool:
        """True when no gate refused it."""
        return self.status is not ClaimStatus.REJECTED

    def on(self, claim: Claim) -> Claim:
        """The claim with this verdict's status and reason."""
        return replace(claim, status=self.status, reason=None if self.passed else f"{self.gate} gate: {self.reason}")


def rejected(gate: str, reason: str) -> Verdict:
    """The verdict of a gate that refuses."""
    return Verdict(ClaimStatus.REJECTED, gate, reason)
