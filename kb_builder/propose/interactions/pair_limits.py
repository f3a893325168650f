"""The conditions on the patient that a sentence about a pair states: those that its own reader finds, and what only an axis holds besides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction, restrictions
from kb_builder.propose.interactions.alternatives import limiting
from kb_builder.propose.reading.blocks import Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind
from ontology.model.facts import ConditionState
from ontology.model.guards import Category, Guard, HasCondition, Interval, Not, leaves

_CAUSE = re.compile(r"\b(?:related|due|attributed|compared) (?:to|with)\s+(?:\w+\s+)?$|\brisk of\s+$", re.IGNORECASE)
_SMOKERS = re.compile(r"(?:[\w-]+ )?smokers$", re.IGNORECASE)
_IN_THOSE = re.compile(r"\b(?:in|for|among)\s+(?:(?:heavy|current|habitual|cigarette|tobacco)\s+)*$", re.IGNORECASE)


class PairLimits:
    """Finds them sentence by sentence, each sentence once."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._lexicon = lexicon
        self._found: dict[tuple[int, int, bool], tuple[Restriction, ...]] = {}

    def of(self, statement: Statement, *, asks: bool) -> tuple[Restriction, ...]:
        """The restrictions of a sentence, in order of finding; those on an axis alone where it `asks` for something and does not only tell."""
        place = (statement.start, statement.end, asks)
        if place not in self._found:
            own = restrictions(self._reading.blank, statement.start, statement.end, statement.things)
            self._found[place] = tuple(limiting(self._reading.blank, (*own, *self._beside(statement, own)) if asks else own))
        return self._found[place]

    def _beside(self, statement: Statement, own: list[Restriction]) -> Iterator[Restriction]:
        """What an axis of the patient holds where nothing was found: kidney replacement, genotype, descent, age by words."""
        yield from _smokers(self._reading.blank, statement)
        for one in read_conditions(self._reading.blank, statement.start, statement.end, statement.things, self._lexicon):
            if (
                _CAUSE.search(self._reading.blank, max(0, one.start - 40), one.start) is None
                and _on_axis(one.guard)
                and not any(o.start < one.end and one.start < o.end for o in own)
            ):
                yield one


def _smokers(blank: str, statement: Statement) -> Iterator[Restriction]:
    """People told by a habit that the vocabulary holds as a state ("in heavy smokers")."""
    for thing in statement.things:
        if thing.kind is Kind.STATE and _SMOKERS.match(blank, thing.start, thing.end) and _IN_THOSE.search(blank, statement.start, thing.start):
            target = thing.targets[0]
            yield Restriction(HasCondition(target.id, target.words, ConditionState.ACTIVE), thing.start, thing.end)


def _on_axis(guard: Guard) -> bool:
    """True for a guard of values and words of the patient alone."""
    return not isinstance(guard, Not) and all(isinstance(leaf, Interval | Category) for leaf in leaves(guard))
