"""What readers of any language find in a section, before it is drafted: states of patients, and requests to measure or watch."""

from __future__ import annotations

from dataclasses import dataclass

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.things import Target
from ontology.model.claims import Strength


@dataclass(frozen=True, slots=True)
class State:
    """One object with what restricts it. `member` is True for an example of a broader state that the label names."""

    target: Target
    start: int
    end: int
    limits: tuple[Restriction, ...] = ()
    member: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredThing:
    """A thing at `[start, end)` of the text; `measured` is False for a sign or disease that is only looked for."""

    start: int
    end: int
    target: Target
    measured: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: the thing, and when. Places are offsets in the folded text of the section."""

    statement: tuple[int, int]
    thing: MeasuredThing
    before: bool
    during: bool
    before_words: str | None
    during_words: str | None
    limits: tuple[Restriction, ...]
    strength: Strength
    highlight: bool
    heading: tuple[int, int] | None
    cited: tuple[int, int] | None = None
