"""What the pages need from the rest of the service, given to the blueprint by the application factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from cds_service.audit.outcomes import AuditResult
from cds_service.intake.prescription import Prescription
from cds_service.state.protocol import Verdict
from ontology.model.claims import Claim
from ontology.store.records import DocumentRecord, SectionRecord


class EvidenceBase(Protocol):
    """The part of a release that an evidence page reads."""

    @property
    def id(self) -> str:
        """The release id."""
        ...

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The release's manifest."""
        ...

    def claim(self, claim_id: str, /) -> Claim | None:
        """The claim with this id, or None."""
        ...

    def document(self, set_id: str, version: str | None = None, /) -> DocumentRecord | None:
        """A document version, or None."""
        ...

    def section(self, set_id: str, version: str, key: str, /) -> SectionRecord | None:
        """A section as received, or None."""
        ...


@dataclass(frozen=True, slots=True)
class Replay:
    """A past audit, computed again from its stored inputs: what was asked, found and answered, and the knowledge it rests on.

    `cards` holds those that were sent and, under other ids, what they would be were no check silent.
    `recheck` is what the background re-reading of its quotes found, None while it has not run.
    """

    trace_id: str
    service: str
    received: datetime
    prescription: Prescription
    result: AuditResult
    cards: Sequence[Mapping[str, Any]]
    knowledge: EvidenceBase
    recheck: Verdict | None = None


Recall = Callable[[str], Replay]
"""Replays the trace with this id and logs the reading. Raises TraceMissing, TraceUnreadable, ReplayImpossible or StateBroken."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the service's own endpoints: the status and the body as sent."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class DemoPort:
    """What the demo page runs on: the folder of patients, and the same three steps that a request over HTTP takes."""

    folder: Path
    key: bytes
    read: Callable[[Mapping[str, Any]], Prescription]
    sign: Callable[[bytes], Reply]
    feedback: Callable[[bytes], Reply]
    release_id: str
