"""Writes what has been read of a pair as drafts: the plan of steps, its strength, and all that restricts it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction, not_alternative
from kb_builder.propose.drafts import Draft, Source
from kb_builder.propose.interactions.alternatives import beside, joined_alternatives
from kb_builder.propose.interactions.directives import plan
from kb_builder.propose.interactions.memory import Directive
from kb_builder.propose.interactions.pair_limits import PairLimits, label_limits
from kb_builder.propose.interactions.partner_limits import partner_limits, without_told
from kb_builder.propose.interactions.partners import Cast, is_excepted
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.frames import NEAR, Found, frame_book
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.model.guards import Exposure
from ontology.model.identifiers import EntityId
from ontology.text.context import is_hedged

_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
"""What a sentence may call a thing by that it does not name."""
NOBODY = Cast((), {})
"""The cast where a statement is applied to a thing that another one named."""


class PairWriter:
    """Makes the drafts of one section. `with_own` are drugs of one treatment with the product."""

    def __init__(self, reading: Reading, lexicon: Lexicon, with_own: Collection[EntityId] = ()) -> None:
        self._with_own = {drug: lexicon.classes_of(drug) for drug in with_own}
        self._reading = reading
        self._lexicon = lexicon
        self._restrictions = PairLimits(reading, lexicon)
        self._blank = reading.blank

    def instructed(self, block: Block, thing: Thing, directive: Directive, found: tuple[Found, ...], people: Cast) -> Iterator[Draft]:
        """What the frames `found` of a sentence ask for of a thing."""
        statement = directive.statement
        lower = self._lower(statement)
        inside = statement.start <= thing.start and thing.end <= statement.end
        named = statement.things if inside else tuple(t for t in statement.things if t.own or (t.type in _GROUPS and _is_in(t, statement, found)))
        steps = plan(self._blank[statement.start : statement.end], statement.start, found, named)
        if self._reading.key == "contraindications":
            steps = tuple(replace(s, action=Action.CONTRAINDICATED) if s.action is Action.AVOID else s for s in steps)
        strength = min((f.frame.strength for f in found), key=list(Strength).index)
        if strength is Strength.MUST and frame_book().judgement.search(lower):
            strength = Strength.SHOULD
        if strength is Strength.SHOULD and all(s.action is Action.ADJUST_DOSE for s in steps) and frame_book().perhaps.search(lower):
            strength = Strength.CONSIDER
        yield from self.stated(block, thing, statement, steps, strength, people, second=frame_book().unavoidable.search(lower) is not None)

    def cautioned(self, block: Block, thing: Thing, statement: Statement) -> Iterator[Draft]:
        """An effect that no instruction followed."""
        strength = Strength.CONSIDER if is_hedged(self._lower(statement)) else Strength.INFORMATIONAL
        yield from self.stated(block, thing, statement, (Step(Action.CAUTION, Whose.EITHER),), strength, NOBODY, source=Source.EFFECT)

    def stated(
        self,
        block: Block,
        thing: Thing,
        statement: Statement,
        steps: tuple[Step, ...],
        strength: Strength,
        people: Cast,
        *,
        source: Source = Source.DIRECTIVE,
        polarity: Polarity = Polarity.POSITIVE,
        second: bool = False,
    ) -> Iterator[Draft]:
        """One draft for each entity of the thing, with all that restricts it. `second` is a plan for when the first cannot be followed."""
        common = not_alternative(self._blank, self._restrictions.of(statement, asks=source is Source.DIRECTIVE), thing)
        common = joined_alternatives(self._blank, beside(self._blank, without_told(self._blank, common, statement.things, people), thing))
        row = block.heading if block.row else None
        for target in thing.targets[-1:] if thing.joint else thing.targets:
            yield Draft(
                self._reading,
                "interacts_with",
                target,
                (thing.start, thing.end),
                (statement.start, statement.end),
                () if second else steps,
                steps if second else (),
                (
                    *common,
                    *self._without_own(thing, target.id),
                    *self._excepted(block, thing, target.id),
                    *partner_limits(self._blank, thing, target.id, statement, steps, people),
                    *(label_limits(self._reading, self._lexicon, row, thing, target.id) if row is not None else ()),
                ),
                heading=block.heading,
                strength=strength,
                polarity=polarity,
                source=source,
                highlight=statement.highlight,
            )

    def _without_own(self, thing: Thing, target: EntityId) -> Iterator[Restriction]:
        """A class that a drug of the product's own treatment belongs to is meant without that drug."""
        held = tuple(drug for drug, classes in self._with_own.items() if target in classes)
        if held:
            yield Restriction(Exposure(target, minus=held), thing.start, thing.end)

    def _excepted(self, block: Block, thing: Thing, target: EntityId) -> Iterator[Restriction]:
        """A group of a heading is meant without the drugs that the heading excepts ("Other protease inhibitors, except X")."""
        start, end = block.heading or (0, 0)
        if not (start <= thing.start and thing.end <= end) or thing.type not in _GROUPS:
            return
        minus = tuple(t.targets[0].id for t in self._reading.things_in(thing.end, end) if t.kind is Kind.PARTNER and is_excepted(self._blank[start : t.start]))
        if minus:
            yield Restriction(Exposure(target, minus=minus), thing.start, thing.end)

    def _lower(self, statement: Statement) -> str:
        return self._blank[statement.start : statement.end].lower()


def _is_in(thing: Thing, statement: Statement, found: tuple[Found, ...]) -> bool:
    """True for a group that one of the frames names ("adjust the dosage of the antihypertensive drug")."""
    return any(f.start <= thing.start - statement.start <= f.end + NEAR for f in found)
