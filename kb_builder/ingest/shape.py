"""The shape of a source: how many records it has and how many of them carry each coded section; so that a source that broke is noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ontology.text.document import Document

KEPT_RECORDS = 0.9
"""A source of the same name with less than this share of its records has shrunk."""
KEPT_FIELD = 0.5
"""A section that less than this share of its former part of the records carries has gone."""
FEW = 20
"""Below this many records a share says nothing."""


@dataclass(slots=True)
class SourceShape:
    """Counts of one source: records, and records by section key."""

    records: int = 0
    fields: Counter[str] = field(default_factory=Counter)

    def add(self, document: Document) -> None:
        """Counts a document in."""
        self.records += 1
        self.fields.update({section.key for section in document.sections if section.loinc})

    def as_data(self) -> dict[str, Any]:
        """Plain data, sorted."""
        return {"records": self.records, "fields": dict(sorted(self.fields.items()))}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> SourceShape:
        """The shape that plain data holds."""
        return cls(int(data["records"]), Counter(data["fields"]))


def changes(name: str, before: SourceShape, now: SourceShape) -> list[str]:
    """What about a source has shrunk or gone since the last run, in sentences; empty when it has its shape."""
    if before.records < FEW:
        return []
    if now.records < KEPT_RECORDS * before.records:
        return [f"source {name} shrank from {before.records:,} to {now.records:,} records"]
    gone = []
    for key, count in sorted(before.fields.items()):
        if count >= FEW and now.fields[key] / now.records < KEPT_FIELD * count / before.records:
            gone.append(
                f"source {name} changed its shape: {key} stood in {count:,} of {before.records:,} records, now in {now.fields[key]:,} of {now.records:,}"
            )
    return gone
