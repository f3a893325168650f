"""What a section is cut into: sentences and items with the things they name, gathered in blocks under their headings."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb_builder.propose.reading.things import Thing


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or item: offsets in the folded text, the things named in it, and whether the Highlights hold it."""

    start: int
    end: int
    things: tuple[Thing, ...]
    highlight: bool
    item: bool


@dataclass(slots=True)
class Block:
    """Sentences under one heading. `table` marks what stands in a table, `row` that the topics are of its row header."""

    heading: tuple[int, int] | None
    topics: tuple[Thing, ...]
    statements: list[Statement] = field(default_factory=list)
    number: str | None = None
    table: bool = False
    row: bool = False
