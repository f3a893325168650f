"""Reads what a section says of the product and each partner: block by block, sentence by sentence, with memory.

An instruction goes to the partners of its sentence; without any, to those that the block is about. An effect waits for an instruction in the
same block and is read as caution when none comes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.drafts import Draft
from kb_builder.propose.interactions.companions import companions
from kb_builder.propose.interactions.directives import asked_for, governed, offered_start
from kb_builder.propose.interactions.intervals import is_interval
from kb_builder.propose.interactions.memory import Directive, Scope
from kb_builder.propose.interactions.pair_drafts import NOBODY, PairWriter
from kb_builder.propose.interactions.partners import Cast, cast, is_alone, is_excepted, is_probe
from kb_builder.propose.interactions.pointing import is_beside_those, is_taken
from kb_builder.propose.interactions.spoken_of import changed, context, directive_of_group, directive_of_row, meant, named_itself
from kb_builder.propose.reading import cues
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.frames import Found, find_frames, forbidden, frame_book
from kb_builder.propose.reading.items import leads_list
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.row_labels import is_examples
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.advice import Action, Step
from ontology.model.claims import Basis, Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.model.identifiers import EntityId
from ontology.text.context import is_animal, is_narrative

_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_TAKEN = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.FOOD, EntityType.HERB, EntityType.LIFESTYLE})
_SAME_PART = 2000  # code points between an instruction and the rows that it is about where no numbers part the section
_FAR = 600  # code points from an instruction to a drug; in other sections a longer way is through a list that has lost its marks
_REASON_FROM = 20  # "Because X inhibits ..., " opens with its reason: what follows is the statement


class PairReader:
    """Reads one section. `own` is True for the interactions section, where every sentence is about pairs; `with_own` are drugs of one treatment with the product."""

    def __init__(self, reading: Reading, lexicon: Lexicon, *, own: bool, with_own: Collection[EntityId] = ()) -> None:
        self._reading = reading
        self._write = PairWriter(reading, lexicon, with_own)
        self._blank = reading.blank
        self._parts = companions(reading.blank, reading.things, with_own)
        self._own = own
        self._part: tuple[str | None, Directive] | None = None
        self._table: Directive | None = None

    def drafts(self) -> Iterator[Draft]:
        """All that the section says, in order of print, doubles included."""
        for block in self._reading.blocks:
            if not block.table:
                self._table = None
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[Draft]:
        scope = Scope(tuple(t for t in block.topics if self._is_topic(block, t)))
        under = block
        for statement in block.statements:
            if self._reading.key == "contraindications" and leads_list(self._blank[statement.start : statement.end]):
                under = replace(block, heading=(statement.start, statement.end))
            yield from self._statement(under if statement.item else block, scope, statement)
        if block.table and scope.topics and not scope.directed and not scope.denied and (not scope.pending or (self._table is not None and self._table.found)):
            yield from self._listed(block, scope.topics)
            scope.pending.clear()
        for thing, statement in scope.pending.items():
            if not thing.ids & scope.directed:
                group = directive_of_group(self._blank, scope, thing, statement)
                of_row = directive_of_row(scope, thing) if group is None else None
                if of_row is not None:
                    yield from (replace(d, basis=Basis.CLASS_MEMBER) for d in self._write.instructed(block, thing, of_row, of_row.found, NOBODY))
                    continue
                yield from (
                    self._write.instructed(block, thing, group, group.found, NOBODY) if group is not None else self._write.cautioned(block, thing, statement)
                )

    def _is_topic(self, block: Block, thing: Thing) -> bool:
        """True for a thing of a heading that the block is about: not the product, a part of its treatment, or what the heading excepts."""
        if thing.kind is not Kind.PARTNER or thing.start in self._parts or (thing.own and not (block.row and thing.type == EntityType.DRUG_CLASS)):
            return False
        start, end = block.heading or (thing.start, thing.end)
        return not (start <= thing.start < end and is_excepted(self._blank[start : thing.start]))

    def _statement(self, block: Block, scope: Scope, statement: Statement) -> Iterator[Draft]:
        text = self._blank[statement.start : statement.end]
        lower = text.lower()
        people = cast(self._blank, statement.start, statement.things, self._parts)
        scope.recent = people.partners or scope.recent
        scope.cleared = () if people.partners else scope.cleared
        near, scope.near = scope.near, people.partners
        pointed = () if self._own or people.partners or not is_beside_those(lower) else tuple(t for t in near if is_taken(self._blank[t.start : t.end]))
        listed = self._own or self._is_listed(scope, statement, lower)
        if not listed and not pointed and not (people.partners and self._is_co_used(statement, lower, people)):
            return
        found = asked_for(lower, people, self._reading.key)
        if is_interval(text) and not (found := tuple(f for f in found if f.frame.action is not Action.SEPARATE)):
            return  # the days between two drugs are no hours between two doses
        if (
            not found
            and self._reading.key == "contraindications"
            and cues.is_fragment(lower)
            and not cues.refers(lower)
            and not frame_book().denials.search(lower)
        ):
            found = (forbidden(),)
        mixing = cues.is_mixing(lower)
        if mixing and cues.is_concomitant(lower):
            found = tuple(f for f in found if f.frame.action is Action.SEPARATE)
            mixing = not found
        if (
            cues.is_caption(lower)
            or cues.is_title(text)
            or (is_animal(lower) and not found)
            or mixing
            or (cues.is_of_another_pair(lower) and not any(t.own for t in statement.things))
            or (cues.is_required(lower) and not any(f.frame.action in _STOP for f in found))
        ):
            return
        directive = Directive(statement, found)
        if not found:
            yield from self._told(block, scope, directive, lower, people)
            return
        if not people.partners and (cues.is_of_tests(lower) or self._is_of_another(statement) or self._is_of_states(statement, lower)):
            return
        if cues.is_of_test_results(lower) and all(f.frame.action is Action.CAUTION for f in found):
            return
        subjects = people.partners or pointed or (context(scope, lower) if self._own else ())
        if not subjects:
            scope.lead = directive
            if block.table and not scope.topics:
                self._table = directive
            return
        scope.lead = directive if lower.rstrip().endswith(":") else scope.lead if statement.item and not self._own else None
        if self._own and not block.row:
            self._part = (block.number, directive)
        yield from self._directed(block, scope, directive, people, subjects)
        scope.last = subjects

    def _is_listed(self, scope: Scope, statement: Statement, lower: str) -> bool:
        """True for a sentence that leads a list of what may not be taken with the product, and for an item of that list."""
        if cues.leads_pairs(lower) and not cues.is_off_topic(lower):
            return True
        if scope.lead is None or not cues.is_fragment(lower):
            scope.lead = None
        return scope.lead is not None and statement.item

    def _is_co_used(self, statement: Statement, lower: str, people: Cast) -> bool:
        """True when a sentence outside the interactions section is about taking two drugs together, not about a regimen of both."""
        if any(f.frame.id == "stop-first" for f in find_frames(lower)):
            return True
        if self._reading.key == "dosage_and_administration":
            roles, foods = (any(t.type == kind for t in people.partners) for kind in (EntityType.ENZYME_ROLE, EntityType.FOOD))
            if (cues.is_apart(lower) and not foods) or (cues.is_forbidden(lower) and (roles or foods)):
                return True
            return cues.is_co_use(lower) and (roles or not cues.is_regimen(lower))
        if cues.is_given_as_one(lower):
            return False
        if self._reading.key == "contraindications":
            return cues.is_with_another(lower)
        first = people.partners[0]
        drink = first.type != EntityType.LIFESTYLE or "alcohol" in first.targets[0].words.lower()
        named = drink and first.type in _TAKEN and cues.is_to_be_avoided(lower[: first.start - statement.start])
        return named or cues.is_co_use(lower) or cues.changes_their_dose(lower)

    def _is_of_others(self, statement: Statement, lower: str) -> bool:
        """True when a sentence outside the interactions section tells what befell patients on another drug, and names neither the product nor its use beside it."""
        return cues.befell_others(lower) and not any(t.own for t in statement.things)

    def _is_of_another(self, statement: Statement) -> bool:
        """True when the sentence sets something that no vocabulary knows against the product ("DMSO should not be used with sulindac")."""
        own = next((t for t in statement.things if t.own), None)
        if own is None:
            return False
        return cues.sets_against(self._blank[statement.start : own.start].lower())

    def _is_of_states(self, statement: Statement, lower: str) -> bool:
        """True when the sentence is about the product in patients with a state, not about those it was just told to be taken with."""
        return any(t.own for t in statement.things) and cues.is_of_states_alone(lower)

    def _told(self, block: Block, scope: Scope, told: Directive, lower: str, people: Cast) -> Iterator[Draft]:
        """A sentence without an instruction: a list under a lead, a denial, or an effect that waits for one."""
        statement = told.statement
        partners = tuple(t for t in people.partners if not is_probe(self._blank, statement.start, t))
        if scope.lead is not None and partners and not cues.has_verb(lower):
            yield from self._directed(block, scope, scope.lead, people, partners)
        elif partners and scope.topics and is_examples(self._blank, statement.start) and not cues.has_verb(lower):
            yield from self._exemplified(block, scope, partners)
        elif frame_book().denials.search(lower):
            yield from self._denied(block, scope, statement, lower, partners)
            scope.last = partners if partners and cues.is_unstudied(lower) else scope.last
            scope.cleared = partners
        elif cues.refers(lower):
            scope.last = partners or scope.last
        elif block.row and partners and scope.topics and cues.shows_change(lower) and not cues.has_verb(lower):
            scope.shown = statement
            for thing in changed(self._blank, scope.topics, statement):
                scope.pending.setdefault(thing, statement)
        elif block.table and partners and not cues.has_verb(lower):
            yield from self._listed(block, (*scope.topics, *partners))
            scope.directed.update(*(t.ids for t in (*scope.topics, *partners)))
        elif self._own and partners and block.heading is not None and not cues.has_verb(lower) and not frame_book().effects.search(lower):
            self._list_under(block, scope, statement, partners)
        else:
            if frame_book().effects.search(lower) and not self._is_aside(lower) and not (not self._own and self._is_of_others(statement, lower)):
                yield from self._effect(block, scope, told, lower, people, partners)
            scope.last = partners or scope.last

    def _exemplified(self, block: Block, scope: Scope, examples: tuple[Thing, ...]) -> Iterator[Draft]:
        """The examples of a row take what has been said of its topics: each instruction, or the effect that waits for one."""
        topics = {i for t in scope.topics for i in t.ids}
        directives = [directive for planned, directive in scope.plans if planned.ids & topics]
        waiting = next((scope.pending[t] for t in scope.topics if t in scope.pending), None)
        for thing in (t for t in examples if not named_itself(scope, t)):
            said = {directive.statement.start for planned, directive in scope.plans if planned.ids & thing.ids}
            for directive in (d for d in directives if d.statement.start not in said):
                yield from (replace(d, basis=Basis.CLASS_MEMBER) for d in self._write.instructed(block, thing, directive, directive.found, NOBODY))
            if waiting is not None and not directives:
                scope.pending.setdefault(thing, waiting)

    def _list_under(self, block: Block, scope: Scope, statement: Statement, partners: tuple[Thing, ...]) -> None:
        """Names that only stand under a heading are what the block is about; under a heading that tells of an effect they have it."""
        start, end = block.heading or (0, 0)
        if frame_book().effects.search(self._blank[start:end].lower()):
            for thing in partners:
                scope.pending.setdefault(thing, statement)
        else:
            scope.topics = (*scope.topics, *partners)

    def _is_aside(self, lower: str) -> bool:
        if self._reading.key == "drug_and_or_laboratory_test_interactions" and not cues.is_co_use(lower):
            return True
        told_of = not self._own and (is_narrative(lower) or self._reading.key == "dosage_and_administration")
        return told_of or is_alone(lower) or cues.is_aside(lower, own=self._own)

    def _effect(self, block: Block, scope: Scope, told: Directive, lower: str, people: Cast, partners: tuple[Thing, ...]) -> Iterator[Draft]:
        statement = told.statement
        reason = cues.reason_start(lower)
        if reason is not None and reason > _REASON_FROM:
            partners = tuple(t for t in partners if t.start < statement.start + reason or ": " in lower[reason : t.start - statement.start])
        lead = scope.lead
        if lead is not None and lead.found and partners and not block.table and cues.is_general(self._lower(lead.statement)):
            yield from self._directed(block, scope, lead, people, partners)
            return
        for thing in partners or (scope.topics if self._own else ()):
            scope.pending.setdefault(thing, statement)
        if not partners and not scope.topics:
            scope.lead = told if lower.rstrip().endswith(":") or block.table else None
            if block.table:
                self._table = told

    def _denied(self, block: Block, scope: Scope, statement: Statement, lower: str, partners: tuple[Thing, ...]) -> Iterator[Draft]:
        """What the label says needs no change, or does not interact."""
        stays = frame_book().no_adjustment.search(lower) is not None
        if not stays and not cues.denies_interaction(lower):
            return
        for thing in partners or (scope.open if stays and self._own else ()):
            scope.pending.pop(thing, None)
            scope.denied.update(thing.ids)
            yield from self._write.stated(
                block, thing, statement, (Step(Action.NO_ADJUSTMENT, Whose.EITHER),), Strength.INFORMATIONAL, NOBODY, polarity=Polarity.NEGATIVE
            )

    def _listed(self, block: Block, things: Sequence[Thing]) -> Iterator[Draft]:
        """Rows that only list names take what the table, or the text above it in the same subsection, says of them."""
        over = self._table
        if over is None and self._part is not None and self._part[0] == block.number:
            near = block.number is not None or not things or things[0].start - self._part[1].statement.end < _SAME_PART
            over = self._part[1] if near else None
        for thing in things if over is not None else ():
            assert over is not None  # noqa: S101 - narrows the type inside the loop
            yield from self._write.instructed(block, thing, over, over.found, NOBODY) if over.found else self._write.cautioned(block, thing, over.statement)

    def _directed(self, block: Block, scope: Scope, directive: Directive, people: Cast, subjects: tuple[Thing, ...]) -> Iterator[Draft]:
        """Drafts of a sentence with instructions: every frame goes to its partners, frames with the same partners make one plan."""
        statement, lower = directive.statement, self._lower(directive.statement)
        plans: dict[Thing, list[Found]] = {}
        for index, frame in enumerate(directive.found):
            for thing in governed(index, directive.found, statement.start, lower, people, subjects) or (scope.topics if self._own else ()):
                if not self._own and statement.start <= thing.start and abs(thing.start - statement.start - frame.start) > _FAR:
                    continue
                plans.setdefault(meant(scope.topics, thing), []).append(frame)
        last = min((at for at in (cues.reason_start(lower), offered_start(lower, directive.found)) if at is not None), default=len(lower))
        if people.partners and frame_book().effects.search(lower) and not any(f.frame.id == "instead" for f in directive.found):
            for thing in subjects:
                if thing not in plans and thing.start < statement.start + last:
                    scope.pending.setdefault(thing, statement)
        for thing, frames in plans.items():
            scope.directed.update(thing.ids)
            scope.plans.append((thing, Directive(statement, tuple(frames))))
            yield from self._write.instructed(block, thing, directive, tuple(frames), people)

    def _lower(self, statement: Statement) -> str:
        return self._blank[statement.start : statement.end].lower()
