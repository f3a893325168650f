"""What the reader of pairs remembers within a block: who it is about, what waits for an instruction, what was said of whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb_builder.propose.reading.blocks import Statement
from kb_builder.propose.reading.frames import Found
from kb_builder.propose.reading.things import Thing
from ontology.model.identifiers import EntityId


@dataclass(frozen=True, slots=True)
class Directive:
    """A sentence and those of its frames that ask for something; none for a sentence that tells of an effect."""

    statement: Statement
    found: tuple[Found, ...]


@dataclass(slots=True)
class Scope:
    """What a block remembers: effects that wait, who was spoken of last, who was named in the last sentence that names anyone
    (`near`: in the sentence right before) and whom it cleared of an interaction, the sentence that leads a list, what has been said of whom, and the
    cell of a row that shows changes by arrows.
    """

    topics: tuple[Thing, ...]
    pending: dict[Thing, Statement] = field(default_factory=dict)
    last: tuple[Thing, ...] = ()
    recent: tuple[Thing, ...] = ()
    near: tuple[Thing, ...] = ()
    cleared: tuple[Thing, ...] = ()
    lead: Directive | None = None
    directed: set[EntityId] = field(default_factory=set)
    denied: set[EntityId] = field(default_factory=set)
    plans: list[tuple[Thing, Directive]] = field(default_factory=list)
    shown: Statement | None = None

    @property
    def open(self) -> tuple[Thing, ...]:
        """The partners that the block is about, each once."""
        things = (*self.topics, *self.pending)
        return tuple({t.ids: t for t in reversed(things)}.values())[::-1]
