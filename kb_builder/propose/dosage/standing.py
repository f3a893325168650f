"""What holds at a position of a dosing section by its headings, and the section's prose cut into passages with it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.runs import Place
from kb_builder.propose.reading.blocks import Block, Statement
from kb_builder.propose.reading.things import Target
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Interval, leaves
from ontology.model.identifiers import EntityId
from ontology.model.spans import SpanRole

EVERYONE = Target(EntityId(EntityType.POPULATION, "pharmgraph", "all"), "all patients")
"""The object of a rule that the label states for no indication of its own."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds at a position by its headings. `topic` is the kind of matter ("technique", "missed", "adverse" ...), None where doses are told.

    `cited` are the headings' places. `ground` is the heading on adverse reactions that a dose without a condition of its own stands under.
    """

    indications: tuple[Target, ...] = ()
    conditions: tuple[Restriction, ...] = ()
    routes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    cited: tuple[tuple[Place, SpanRole], ...] = ()
    topic: str | None = None
    ground: Restriction | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of prose behind its run-in headings, with what stands over it."""

    start: int
    end: int
    statement: Statement
    block: Block
    standing: Standing


@dataclass(frozen=True, slots=True)
class Scopes:
    """The standings of one section in order of print, and its prose as passages.

    `echo` is where the text begins to repeat its numbered subsections without their numbers, as some fields do: what stands there is no news, and
    the last heading does not hold for it.
    """

    starts: tuple[int, ...]
    standings: tuple[Standing, ...]
    passages: tuple[Passage, ...]
    echo: int | None = None

    def at(self, position: int) -> Standing:
        """What holds at a position of the folded text."""
        index = bisect_right(self.starts, position) - 1
        return self.standings[index] if index >= 0 else Standing()


def is_young(restriction: Restriction) -> bool:
    """True for an age with an upper end."""
    return any(isinstance(leaf, Interval) and leaf.axis is Axis.AGE and leaf.high is not None for leaf in leaves(restriction.guard))
