"""Spans: the verbatim place in a document that a claim stands on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ontology.model.errors import InvalidClaim


class SpanRole(StrEnum):
    """What a span contributes to its claim."""

    STATEMENT = "statement"
    SUBJECT = "subject"
    OBJECT = "object"
    CONDITION = "condition"
    HEADING = "heading"
    ROW_HEADER = "row-header"
    COLUMN_HEADER = "column-header"
    CELL = "cell"
    FOOTNOTE = "footnote"


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open offsets in Unicode code points into one field of one document version, with the text found there.

    `section` is the field as received (an openFDA field name, or a Markdown heading's key); `version` is the document version's key.
    """

    document: str
    version: str
    section: str
    start: int
    end: int
    quote: str
    role: SpanRole = SpanRole.STATEMENT

    def __post_init__(self) -> None:
        if not self.document or not self.section:
            raise InvalidClaim("span without a document or a section")
        if self.start < 0 or self.end <= self.start:
            raise InvalidClaim(f"span {self.document}/{self.section} has offsets [{self.start}, {self.end})")
        if len(self.quote) != self.end - self.start or not self.quote.strip():
            raise InvalidClaim(
                f"span {self.document}/{self.section}[{self.start}:{self.end}]: the quote has {len(self.quote)} code points"
                f", the offsets hold {self.end - self.start}"
            )
