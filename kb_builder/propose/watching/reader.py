"""What the sentences of a section ask to measure, watch, screen for or put right, before or during treatment.

`read_asks` serves both proposers: what comes before the first dose is a prerequisite, what goes on is monitoring. A request about a reaction that
has come about, about a partner drug, or of the patient is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import Ask, MeasuredThing
from kb_builder.propose.reading.blocks import Block, Reading, Statement, read_section
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import ThingFinder
from kb_builder.propose.watching.book import Kind, watching_book
from kb_builder.propose.watching.bounds import EVEN, UNTIL
from kb_builder.propose.watching.genetic_tests import doses_above
from kb_builder.propose.watching.own_names import own_as_signs
from kb_builder.propose.watching.requests import Request, find_requests, listed_things
from kb_builder.propose.watching.times import Time, find_times, words_of
from kb_builder.propose.watching.whom import heading_limits, names_partner, whom
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import leaves
from ontology.text.context import is_animal, is_narrative
from ontology.text.document import Section

_LONGEST = 700  # characters of a sentence; what is longer is a table without its layout
_LEAD = re.compile(r":\s*$|\bfollowing\b[^.;]*$")
_RELATIVE = re.compile(r"\b(?:who|which|that)\b(?! includes?\b)[^,;]*$")
_PEOPLE = re.compile(r"\b(?:patients|those|individuals)\b")
_DENIES = 30  # characters before a request and its thing in which a word denies it
_NEAR = 40  # characters before a request in which a word tells its strength
_ROUTINE = re.compile(r"(?:routine|regular)(?:ly)?")
_AND_THEN = re.compile(r"(?:\band|\bthen|[;.])[\s,]*$")


@lru_cache(maxsize=32)
def read_asks(section: Section, finder: ThingFinder, lexicon: Lexicon) -> tuple[Ask, ...]:
    """The requests of an English section; the last few are kept, because two proposers ask for them."""
    return tuple(_Reader(read_section(section, finder), lexicon).asks())


@dataclass(frozen=True, slots=True)
class _Lead:
    """A sentence that opens a list of what is to be done at its times."""

    place: tuple[int, int]
    times: tuple[Time, ...]
    words: str


class _Reader:
    """Reads the blocks of one section in order."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._lexicon = lexicon

    def asks(self) -> Iterator[Ask]:
        for block in self._reading.blocks:
            if self._is_of_others(block):
                continue
            lead: _Lead | None = None
            before = ""
            for statement in block.statements:
                lower = own_as_signs(self._reading, statement)
                if not statement.item:
                    lead = None
                if len(lower) <= _LONGEST and (watching_book().hint.search(lower) or (lead and statement.item)):
                    yield from self._statement(block, statement, lower, lead, before)
                if _LEAD.search(lower):
                    times = tuple(t for t in find_times(lower) if t.before or t.during)
                    lead = _Lead((statement.start, statement.end), times, lower) if times else None
                before = lower

    def _is_of_others(self, block: Block) -> bool:
        """True for a block about a partner drug, or under a heading below which nothing is asked of every patient."""
        if any(not t.own and t.type in _PARTNERS for t in block.topics) or (block.table and self._reading.key in _NO_TABLES):
            return True
        words = self._reading.blank[slice(*block.heading)] if block.heading else ""
        dosing = self._reading.key == "dosage_and_administration" and watching_book().not_of_dosing.search(words) is not None
        return dosing or watching_book().not_of.search(words) is not None

    def _statement(self, block: Block, statement: Statement, lower: str, lead: _Lead | None, before: str) -> Iterator[Ask]:
        book = watching_book()
        if is_animal(lower) or is_narrative(lower) or book.advised.search(lower) or book.back.search(lower):
            return
        times = find_times(lower)
        requests = list(find_requests(lower, times, self._lexicon, self._reading.blank, statement.start))
        if not requests and lead is not None and statement.item:
            requests = listed_things(lower, lead.words, self._lexicon, self._reading.blank, statement.start)
        for request in requests:
            yield from self._asked(block, statement, lower, request, times, lead, before)

    def _asked(self, block: Block, statement: Statement, lower: str, request: Request, times: list[Time], lead: _Lead | None, before: str) -> Iterator[Ask]:
        own = [t for t in times if request.reaches[0] <= t.start < request.reaches[1] and _is_own(lower, request, t)]
        conditional = self._is_conditional(lower, request, before, statement.start, timed=bool(own))
        if conditional or names_partner(self._reading, statement, lower, request, before):
            return
        if own and any(t.before for t in own[1:]) and _ROUTINE.fullmatch(lower, own[0].start, own[0].end):
            own = own[1:]
        early, late = any(t.before for t in own), any(t.during for t in own)
        cited: tuple[int, int] | None = None
        if not own and lead is not None and statement.item:
            cited = lead.place
            early, late = any(t.before for t in lead.times), any(t.during for t in lead.times)
        elif (
            not own
            and request.kind is not Kind.WATCH
            and block.heading is not None
            and watching_book().before_heading.search(self._reading.blank[slice(*block.heading)])
        ):
            early = True
        if not (early or late):
            early, late = request.kind is Kind.SCREEN or request.selects, request.kind is Kind.WATCH
        if request.kind is Kind.PREPARE:
            late = False
        if not (early or late):
            return
        limits = whom(self._reading, statement, request, times, self._lexicon)
        if limits is None:
            return
        own, limits = _without_special(own, limits, lower, statement.start)
        bounds = tuple(r for r in doses_above(lower, statement.start) if request.reaches[0] <= r.start - statement.start < request.reaches[1])
        limits = (*request.limits, *bounds, *(r for r in limits if not any(b.start < r.end and r.start < b.end for b in (*request.limits, *bounds))))
        above = heading_limits(self._reading, block, self._lexicon)
        span = lower[max(request.reaches[0], request.start - _NEAR) : request.end]
        strength = Strength.MUST if watching_book().must.search(span) else Strength.CONSIDER if watching_book().may.search(span) else Strength.SHOULD
        text = self._reading.blank[statement.start : statement.end]
        for thing in request.things:
            yield Ask(
                statement=(statement.start, statement.end),
                thing=thing,
                before=early,
                during=late,
                before_words=words_of(text, [t for t in own if t.before]),
                during_words=words_of(text, [t for t in own if t.during]),
                limits=(*limits, *_narrowing(above, limits, thing, early=early)),
                strength=strength,
                highlight=statement.highlight,
                heading=block.heading,
                cited=cited,
            )

    def _is_conditional(self, lower: str, request: Request, before: str, offset: int, *, timed: bool) -> bool:
        """True for what is asked once a reaction has come about or treatment is interrupted; a `timed` request may go on until one is over."""
        book = watching_book()
        start, end = request.start, request.end
        first = min(t.start for t in request.things) - offset
        if book.reaction.search(lower, 0, start) or book.denied.search(lower, max(0, min(start, first) - _DENIES), end):
            return True
        close = book.closes.search(lower, end)
        stop = close.start() if close is not None else len(lower)
        behind = UNTIL.sub(lambda m: " " * len(m[0]), lower) if timed else lower
        if book.reaction.search(behind, end, stop):
            return True
        return re.match(r"\W*(?:if|when|in case)\b", before) is not None and book.reaction.search(before) is not None and not find_times(lower)


def _narrowing(above: tuple[Restriction, ...], limits: tuple[Restriction, ...], thing: MeasuredThing, *, early: bool) -> Iterator[Restriction]:
    """What the heading adds to the conditions of a request; not the organ whose function everyone has measured first, to know who is impaired."""
    told = [one.guard for one in limits]
    if any(getattr(leaf, "axis", None) is Axis.AGE for guard in told for leaf in leaves(guard)):
        above = tuple(r for r in above if not any(getattr(leaf, "axis", None) in _MOTHERS for leaf in leaves(r.guard)))
    axis = _TEST_OF.get(thing.target.id.code) if early else None
    yield from (r for r in above if r.guard not in told and not any(getattr(leaf, "axis", None) in _ORGANS.get(axis or "", ()) for leaf in leaves(r.guard)))


def _is_own(lower: str, request: Request, time: Time) -> bool:
    """True for a time of this request: not in a clause on patients, nor at the end of the request before ("before the first dose, and monitor weight")."""
    if _RELATIVE.search(lower[request.end : time.start]):
        return False
    aside = EVEN.search(lower, request.end)
    if aside is not None and aside.start() < time.start < aside.end() and _PEOPLE.search(lower, aside.start(), time.start):
        return False
    second = request.reaches[0] > request.opening[0]
    return not second or time.start >= request.start or _AND_THEN.search(lower[: time.start]) is not None


def _without_special(own: list[Time], limits: tuple[Restriction, ...], words: str, offset: int) -> tuple[list[Time], tuple[Restriction, ...]]:
    """Times and conditions without the closer watching of some patients at the end: "monthly, and weekly in patients with low counts"."""
    if len(own) < _SEVERAL:
        return own, limits
    last = own[-1]
    if own[-2].before or not all(_OFTEN.search(words[t.start : t.end]) for t in own[-2:]):
        return own, limits
    kept = tuple(r for r in limits if r.start < last.start + offset)
    return (own[:-1], kept) if len(kept) < len(limits) and last.during else (own, limits)


_TEST_OF = {"creatinine": "renal", "egfr": "renal", "crcl": "renal", "liver-tests": "hepatic", "alt": "hepatic", "ast": "hepatic", "bilirubin": "hepatic"}
_ORGANS = {"renal": (Axis.RENAL, Axis.CRCL, Axis.EGFR, Axis.CRCL_INDEXED), "hepatic": (Axis.HEPATIC, Axis.CHILD_PUGH)}
_MOTHERS = (Axis.PREGNANCY, Axis.LACTATION)
"""What a heading says of a mother does not hold for the newborn that a sentence below asks to observe."""

_SEVERAL = 2
_OFTEN = re.compile(r"\bevery\b|daily|weekly|monthly|yearly|annually|quarterly|frequent|\btimes a\b|\ba (?:day|week|month)\b")
_NO_TABLES = frozenset({"drug_interactions", "dosage_and_administration"})
_PARTNERS = frozenset(
    {EntityType.INGREDIENT, EntityType.DRUG, EntityType.HERB, EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE, EntityType.FOOD, EntityType.LIFESTYLE}
)
