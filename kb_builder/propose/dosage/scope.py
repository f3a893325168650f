"""What the headings and lead sentences above a position say of it: for what, for whom, by what route, and what kind of matter it is.

A stack of scopes: a numbered heading closes all, a heading of a kind (indication, people, organ function, partner, route, matter) closes the last one
of that kind and what stands above it on the stack. "Hypertension / Adults / Children / Angina" so reads as a pharmacist reads it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kb_builder.propose.conditions import read_conditions
from kb_builder.propose.dosage.runs import Place, run_in_headings
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.reading import Block, Reading, Statement
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import Category, Exposure, HasCondition, Interval, Opaque, leaves
from ontology.model.spans import SpanRole


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds at a position by its headings. `topic` is the kind of matter ("technique", "missed", "adverse" ...), None where doses are told.

    `cited` are the headings' places.
    """

    indications: tuple[Target, ...] = ()
    conditions: tuple[Restriction, ...] = ()
    routes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    cited: tuple[tuple[Place, SpanRole], ...] = ()
    topic: str | None = None


class ScopeKind(StrEnum):
    """What a heading speaks of."""

    INDICATION = "indication"
    PEOPLE = "people"
    ORGAN = "organ"
    PARTNER = "partner"
    ROUTE = "route"
    MATTER = "matter"


@dataclass(frozen=True, slots=True)
class Entry:
    """One scope on the stack: what one part of one heading says."""

    kind: ScopeKind
    place: Place
    indication: Target | None = None
    condition: Restriction | None = None
    routes: tuple[str, ...] = ()
    topic: str | None = None


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
    """The standings of one section in order of print, and its prose as passages."""

    starts: tuple[int, ...]
    standings: tuple[Standing, ...]
    passages: tuple[Passage, ...]

    def at(self, position: int) -> Standing:
        """What holds at a position of the folded text."""
        index = bisect_right(self.starts, position) - 1
        return self.standings[index] if index >= 0 else Standing()


_ORGANS = frozenset({Axis.RENAL, Axis.HEPATIC, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.CHILD_PUGH, Axis.DIALYSIS})
_LEAD = re.compile(r":\s*$|\b(?:as follows|the following(?: \w+){0,3})\s*[:.]?\s*$", re.IGNORECASE)
_EVERYONE = re.compile(r"\ball (?:patients|indications|ages|uses)\b", re.IGNORECASE)
_FOR = re.compile(
    r"^(?:in|for|with)\s+(?:(?:the\s+)?(?:treatment|management|prevention|prophylaxis|relief)\s+of\s+|patients\s+with\s+|adults\s+with\s+)?", re.IGNORECASE
)
_LONGEST_MATTER = 16  # words
_NARROWS = re.compile(
    r"\b(?:renal|kidney|hepatic|liver|creatinine|dialysis|infants?|neonates?|newborns?|child(?:ren)?|adolescents?|pa?ediatric|adults?|geriatric|elderly|older|weigh\w*|pregnan\w+|metaboli[sz]ers?|genotypes?|women|men|males?|females?)\b",
    re.IGNORECASE,
)
"""Words of a heading that say for whom: unread they restrict all the same."""
_PARTNERED = re.compile(r"\b(?:combination|combined|monotherapy|single[- ]agent|alone|concomitant\w*|co-?administ\w*|adjunct\w*|with|without)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:Table|Figure)\s+\d", re.IGNORECASE)


def scopes_of(reading: Reading, lexicon: Lexicon, indications: str = "") -> Scopes:
    """The scopes of a section. `indications` is the label's text on indications in lower case: it tells an indication from a patient's other state."""
    return _Walk(reading, lexicon, indications).scopes()


class _Walk:
    """Goes through a section once, keeping the stack."""

    def __init__(self, reading: Reading, lexicon: Lexicon, indications: str) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._lexicon = lexicon
        self._indications = indications
        self._stack: list[Entry] = []
        self._led: list[Entry] = []
        self._marks: list[tuple[int, Standing]] = []
        self._passages: list[Passage] = []
        self._number: str | None = None
        self._part: Place | None = None

    def scopes(self) -> Scopes:
        for block in self._reading.blocks:
            self._enter(block)
            if block.table:
                self._led = []
                continue
            for index, statement in enumerate(block.statements):
                fresh = block.heading is not None and index == 0 and self._part != block.heading
                start = block.heading[0] if fresh and block.heading is not None else statement.start
                if fresh:
                    self._part = block.heading
                self._statement(block, statement, start)
        return Scopes(tuple(at for at, _ in self._marks), tuple(s for _, s in self._marks), tuple(self._passages))

    def _enter(self, block: Block) -> None:
        """A new numbered part closes every scope."""
        if block.number == self._number:
            return
        self._number = block.number
        self._stack = []
        self._led = []
        self._part = None
        at = block.heading[0] if block.heading is not None else (block.statements[0].start if block.statements else None)
        if block.heading is not None and (block.table or not block.statements):
            self._open(block.heading)
            self._part = block.heading
        elif at is not None:
            self._mark(at)

    def _statement(self, block: Block, statement: Statement, start: int) -> None:
        things = self._reading.things_in(start, statement.end)
        headings, body = run_in_headings(self._blank, start, statement.end, things)
        while headings and self._is_own_name(headings[-1]) and self._blank[body - 1 : body] != ":":
            body = headings.pop()[0]
        if (headings and not (statement.item and self._led)) or (not statement.item and not headings):
            self._led = []
        for place in headings:
            self._open(place)
        if body >= statement.end:
            return
        words = self._blank[body : statement.end]
        if not headings and self._is_title(words):
            self._open((body, statement.end))
            return
        self._passages.append(
            Passage(body, statement.end, replace(statement, start=body, things=self._reading.things_in(body, statement.end)), block, self._standing())
        )
        if _LEAD.search(words):
            self._led = list(self._entries((body, statement.end), lead=True))
            self._mark(statement.end)

    def _is_title(self, words: str) -> bool:
        """True for a unit that is a heading by itself: title case, no stop, no number with a unit."""
        tokens = words.split()
        if _TABLE.search(words) or (self._passages and _TABLE.match(self._blank, self._passages[-1].start)):
            return False
        if not 0 < len(tokens) <= _LONGEST_MATTER or words.rstrip().endswith((".", ";")) or re.search(r"\d\s*(?:mg|mcg|g|mL|units?|%)", words):
            return False
        large = [t for t in tokens if len(t) > 3]
        return bool(large) and all(t[:1].isupper() or not t[:1].isalpha() for t in large)

    def _is_own_name(self, place: Place) -> bool:
        """True for nothing but the product's name with a strength or form: a sentence begins there, no heading."""
        words = self._blank[slice(*place)]
        for own in (t for t in self._reading.things_in(*place) if t.own):
            words = words[: own.start - place[0]] + " " * (own.end - own.start) + words[own.end - place[0] :]
        return words != self._blank[slice(*place)] and not dosage_words().matter(words)

    def _open(self, place: Place) -> None:
        for entry in self._entries(place):
            index = next((i for i, e in enumerate(self._stack) if e.kind is entry.kind and e.place != place), None)
            if index is not None:
                del self._stack[index:]
            self._stack.append(entry)
        self._mark(place[0])

    def _mark(self, position: int) -> None:
        self._marks.append((position, self._standing()))

    def _standing(self) -> Standing:
        entries = [*self._stack, *self._led]
        routes = [e.routes for e in entries if e.routes]
        cited = tuple(dict.fromkeys((e.place, SpanRole.HEADING) for e in entries if e.indication or e.condition or e.routes))
        return Standing(
            indications=tuple(e.indication for e in entries if e.indication is not None),
            conditions=tuple(e.condition for e in entries if e.condition is not None),
            routes=routes[-1] if routes else (),
            cited=cited,
            topic=next((e.topic for e in reversed(entries) if e.kind is ScopeKind.MATTER), None),
        )

    def _entries(self, place: Place, *, lead: bool = False) -> Iterator[Entry]:
        """What a heading or lead sentence says, one entry for each kind of matter."""
        words = self._blank[slice(*place)]
        things = self._reading.things_in(*place)
        found = read_conditions(self._blank, *place, things, self._lexicon)
        names = [*self._conditions_named(things, found)]
        for restriction in tuple(found):
            target = self._as_indication(restriction)
            if target is not None:
                names.append(target)
            else:
                yield Entry(_kind_of(restriction), place, condition=restriction)
        if not found and not lead and _EVERYONE.search(words):
            yield Entry(ScopeKind.PEOPLE, place)
        elif not found and not lead and _NARROWS.search(words):
            found = [Restriction(Opaque(dosage_words().matter(words) or _tidy(words)), *place)]
            yield Entry(ScopeKind.PEOPLE, place, condition=found[0])
        elif not found and not lead and _PARTNERED.search(words):
            found = [Restriction(Opaque(_tidy(words)), *place)]
            yield Entry(ScopeKind.PARTNER, place, condition=found[0])
        topic = dosage_words().topic(words)
        matter = self._matter(words, found, place) if not lead and topic is None and not names else None
        if matter is not None:
            names.append(matter)
        for name in dict.fromkeys(names):
            yield Entry(ScopeKind.INDICATION, place, indication=name)
        routes = dosage_words().routes_in(words)
        if routes and not lead:
            yield Entry(ScopeKind.ROUTE, place, routes=routes)
        if not lead:
            yield Entry(ScopeKind.MATTER, place, topic=topic)

    def _conditions_named(self, things: Iterable[Thing], found: Sequence[Restriction]) -> Iterator[Target]:
        """The conditions of a heading that no guard holds: what the dose is for."""
        for thing in things:
            narrows = _NARROWS.search(self._blank, thing.start, thing.end)
            if (
                thing.kind is Kind.STATE
                and thing.type == EntityType.CONDITION
                and not narrows
                and not any(r.start < thing.end and thing.start < r.end for r in found)
            ):
                yield thing.targets[0]

    def _as_indication(self, restriction: Restriction) -> Target | None:
        """The condition of a heading's guard where the label is indicated for it; None for a state that only narrows."""
        guard = restriction.guard
        if isinstance(guard, HasCondition) and guard.state is ConditionState.ACTIVE and guard.words.lower() in self._indications:
            return Target(guard.concept, guard.words)
        return None

    def _matter(self, words: str, found: Sequence[Restriction], place: Place) -> Target | None:
        """What is left of a heading without its generic words, as an uncoded indication where the label's indications name it."""
        if found or _EVERYONE.search(words):
            return None
        for drug in (t for t in self._reading.things_in(*place) if t.own or t.kind is Kind.PARTNER):
            words = words[: drug.start - place[0]] + " " * (drug.end - drug.start) + words[drug.end - place[0] :]
        matter = dosage_words().matter(_FOR.sub("", words.strip(" :.\x01")))
        keys = [w for w in re.findall(r"[a-z]{4,}", matter.lower()) if w not in dosage_words().generic]
        if not keys or len(matter.split()) > _LONGEST_MATTER or sum(w.rstrip("s") in self._indications for w in keys) * 2 < len(keys):
            return None
        return named_condition(" ".join(matter.split()), self._lexicon)


def named_condition(words: str, lexicon: Lexicon) -> Target:
    """A condition by its words: coded where the vocabulary has them, else uncoded."""
    known = lexicon.lookup(words, frozenset({EntityType.CONDITION}))
    return Target(known[0], words) if known else uncoded(EntityType.CONDITION, words)


def _tidy(words: str) -> str:
    return " ".join(words.replace("\x01", " ").split()).strip(" ,.;:")


def _kind_of(restriction: Restriction) -> ScopeKind:
    axes = {leaf.axis for leaf in leaves(restriction.guard) if isinstance(leaf, Interval | Category)}
    if axes & _ORGANS:
        return ScopeKind.ORGAN
    if axes:
        return ScopeKind.PEOPLE
    if any(isinstance(leaf, Exposure) for leaf in leaves(restriction.guard)):
        return ScopeKind.PARTNER
    return ScopeKind.PEOPLE
