"""A claim after the gates, with what the comparison between labels needs of it."""

from __future__ import annotations

from dataclasses import dataclass

from kb_builder.assemble.stances import Stance
from ontology.model.claims import Claim


@dataclass(frozen=True, slots=True)
class Gated:
    """One claim after the gates: its rule's key and its stance when it passed, and what overrules it within its own label."""

    claim: Claim
    rule: str | None = None
    stance: Stance | None = None
    conflict: str | None = None
