"""What to build from what, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb_builder.assemble.policy import ReleasePolicy
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.propose.protocol import Proposer
from kb_builder.propose.registry import PROPOSERS
from ontology.terms.terminology import Terminology


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """The sources, the place and the policy of a build. `terms` are the hand-kept terms, `loaded_terms` a site's.

    With a `model` its proposer runs beside the others, on what it answered before.
    """

    sources: tuple[Path, ...]
    out: Path
    policy: ReleasePolicy
    jobs: int = 1
    strict: bool = False
    ledger: Path | None = None
    accept_changed: bool = False
    proposers: Sequence[Proposer] = PROPOSERS
    terms: Callable[[], Terminology] = Terminology.shipped
    loaded_terms: Path | None = None
    model: ModelSettings | None = None
