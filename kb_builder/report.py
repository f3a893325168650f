"""What a build tells: the counts of every stage, what was refused or read with a reservation, what nobody has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb_builder.ingest.reader import Noted, Refused

SHOWN = 20
"""Refusals that a summary prints; the rest is counted, and listed in full by --json and in the manifest."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A proposer that broke off on a document: what it gave before still stands."""

    document: str
    proposer: str
    error: str
    traceback: str


@dataclass(slots=True)
class BuildReport:
    """Filled stage by stage; what the manifest, the summary and --json show."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    release: str = ""
    path: Path | None = None
    unchanged: bool = False
    model: str | None = None

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any], path: Path) -> BuildReport:
        """The report of a release that stands already."""
        refused = [Refused(**item) for item in manifest["refused"]]
        noted = [Noted(**item) for item in manifest["noted"]]
        failed = [Failure(**item, traceback="") for item in manifest["failed"]]
        counts = {**manifest["stages"], "publish": manifest["counts"]}
        return cls(counts, refused, noted, failed, {}, str(manifest["id"]), path, unchanged=True)

    def failed_as_data(self) -> list[dict[str, str]]:
        """The failures of proposers as plain data, without tracebacks."""
        return [{"document": f.document, "proposer": f.proposer, "error": f.error} for f in self.failed]

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            "release": self.release,
            "path": str(self.path) if self.path else None,
            "stages": self.counts,
            "seconds": {stage: round(value, 3) for stage, value in self.seconds.items()},
            "unchanged": self.unchanged,
            "model": self.model,
            "refused": told_as_data(self.refused),
            "noted": told_as_data(self.noted),
            "failed": self.failed_as_data(),
        }

    def lines(self) -> list[str]:
        """The summary for a person."""
        out = [f"release {self.release} at {self.path}{': built from the same before, nothing to do' if self.unchanged else ''}"]
        assembled = self.counts.get("assemble", {})
        released = assembled.get("approved", 0) + assembled.get("conflicted", 0)
        out.append(
            f"{released:,} claims released, {assembled.get('rules', 0):,} rules; "
            f"{assembled.get('unread', 0):,} of the claims not yet read by a person; {assembled.get('held', 0):,} held for one"
        )
        out += [self.model] if self.model is not None else []
        out += listed("refused", [str(r) for r in self.refused])
        out += listed("read with a reservation", [str(n) for n in self.noted])
        out += listed("proposer broke off", [f"{f.document}, {f.proposer}: {f.error}" for f in self.failed])
        return out


def told_as_data(items: Sequence[Refused | Noted]) -> list[dict[str, Any]]:
    """Refusals or reservations as plain data."""
    return [{"source": i.source, "record": i.record, "field": i.field, "reason": i.reason} for i in items]


def listed(what: str, items: list[str]) -> list[str]:
    """The first items under a heading with their number; nothing when there are none."""
    if not items:
        return []
    rest = len(items) - SHOWN
    return [f"{what}: {len(items):,}", *(f"  {item}" for item in items[:SHOWN]), *([f"  and {rest:,} more"] if rest > 0 else [])]


def told(counts: Mapping[str, int]) -> str:
    """Counts as a line: `1,006 documents, 2 refused`; zeros are left out."""
    return ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in counts.items() if value) or "nothing"
