"""The requests of one sentence: the verb or noun that asks, and the things that it asks to measure, watch or put right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import MeasuredThing
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.watching.book import Kind, Verb, watching_book
from kb_builder.propose.watching.bounds import phrase_end
from kb_builder.propose.watching.genetic_tests import genetic_requests
from kb_builder.propose.watching.objects import ANY_OF, TEST_WORDS, Sentence, before, behind, loose_tests, marker, named_tests, passive_things
from kb_builder.propose.watching.times import Time, masked

_JUNK = re.compile(r"[\s|,]*(?:(?:closely|carefully|regularly|frequently|periodically|and|then|also|appropriately|all)\s+)*[\s|,]*")
_REASON = re.compile(r"\W*(?:because|since|due to|owing to|as|although|given|while)\s(?:[^,;]|,(?=\d))*(?:,\s(?=(?:and|or)\s)[^,;]*)?,\s")
_NEW_SENTENCE = re.compile(r"[;.]\s(?!and\b)")
_END = re.compile(r";|(?<!e\.g)(?<!i\.e)(?<![( ]e)(?<![( ]i)\.(?!\d)")
_PURPOSE = re.compile(r"\bto\s+(?:determine|ensure|assess|reduce|avoid|minimi[sz]e|allow|maintain|detect|identify|help|confirm|prevent)\b")
_ITEM_END = re.compile(r"\s-\s|[:.;]|\s(?:in accordance|according|if|because|due|as|prior|before|is|are|should|must)\s")


@dataclass(frozen=True, slots=True)
class Request:
    """What one verb or noun at `[start, end)` of a sentence asks; `reaches` is the stretch whose times are its own. Things stand in the section's text."""

    kind: Kind
    start: int
    end: int
    reaches: tuple[int, int]
    things: tuple[MeasuredThing, ...]
    selects: bool = False
    opening: tuple[int, int] = (0, 0)
    limits: tuple[Restriction, ...] = ()


def find_requests(lower: str, times: Sequence[Time], lexicon: Lexicon, whole: str, offset: int) -> Iterator[Request]:
    """The requests of a sentence in lower case, each object once; `whole` at `offset` is the sentence as printed."""
    text = Sentence(masked(lower, ((t.start, t.end) for t in times), "|"), whole, offset, lexicon)
    found = sorted((r for r in _all(text) if r.things), key=lambda r: r.start)
    taken: list[tuple[int, int]] = []
    for index, one in enumerate(found):
        every = (*one.things, *named_tests(text, list(one.things)))
        things = tuple(t for t in every if not any(s < t.end and t.start < e for s, e in taken))
        taken += [(t.start, t.end) for t in things]
        if things:
            reaches, opening = _reach(lower, found, index, offset)
            yield replace(one, things=things, reaches=reaches, opening=opening)


def _reach(lower: str, found: Sequence[Request], index: int, offset: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stretch whose times and conditions are a request's own, and the opening of the sentence, whose conditions hold for all its requests."""
    one = found[index]
    last = max(t.end for t in one.things) - offset
    opens = max((m.end() for m in _NEW_SENTENCE.finditer(lower, 0, one.start)), default=0)
    reason = _REASON.match(lower, opens, one.end)
    opens = reason.end() if reason is not None else opens
    first = min((r.start for r in found if r.start >= opens), default=one.start)
    earlier = max((e for r in found[:index] if r.end <= one.start for e in (r.end, *(t.end - offset for t in r.things)) if e <= one.start), default=0)
    ends = [r.start for r in found[index + 1 :] if r.start > max(one.end, last)]
    ends += [m.start() for pattern in (_END, watching_book().closes, _PURPOSE) if (m := pattern.search(lower, max(one.end, last))) is not None]
    return (max(opens, earlier), min([*ends, len(lower)])), (opens, first)


def listed_things(lower: str, lead: str, lexicon: Lexicon, whole: str, offset: int) -> list[Request]:
    """What an item names under a sentence that asks for the tests of a list; nothing where the sentence asks for no test."""
    if not re.search(r"\b(?:tests?|testing|evaluat|assess|perform|obtain|monitor|measure|screen|procedures?|check|determin)", lead):
        return []
    stop = _ITEM_END.search(lower)
    end = stop.start() if stop is not None else len(lower)
    text = Sentence(lower, whole, offset, lexicon)
    things = [t for t in text.things(0, end, states=False) if t.target.entity is None or TEST_WORDS.search(lower, 0, end)]
    return [Request(Kind.MEASURE, 0, end, (0, end), tuple(things))] if things else []


def _all(text: Sentence) -> Iterator[Request]:
    book = watching_book()
    for one in genetic_requests(text):
        yield Request(Kind.SCREEN, one.start, one.end, (0, 0), (one.thing,), limits=one.limits)
    for verb in (v for v in book.verbs if v.word.search(text.work)):
        yield from _active(text, verb)
        yield from _passive(text, verb)
    for m in book.nominal.finditer(text.work):
        things = before(text, m.start(), nominal=True)
        yield Request(Kind.MEASURE, m.start(), m.end(), (0, 0), tuple(things))
    for m in book.asking.finditer(text.work):
        head = ANY_OF.match(text.work[m.end() :])
        at = m.end() + head.end() if head is not None else m.end()
        stop = phrase_end(text.work, at)
        monitoring = "monitor" in text.work[m.end() : stop]
        things = text.things(at, stop, states=head is not None)
        yield Request(Kind.WATCH if monitoring else Kind.MEASURE, m.start(), m.end(), (0, 0), tuple(things))
    for pattern in (book.select, book.presence):
        for m in pattern.finditer(text.work):
            yield Request(Kind.PREPARE, m.start(), m.end("what"), (0, 0), tuple(marker(text, m)), selects=True)


def _active(text: Sentence, verb: Verb) -> Iterator[Request]:
    for m in verb.active.finditer(text.work):
        at = m.end()
        junk = _JUNK.match(text.work, at)
        at = junk.end() if junk is not None else at
        things = behind(text, at, verb) or (loose_tests(text, at) if verb.kind in (Kind.WATCH, Kind.MEASURE) else [])
        yield Request(verb.kind, m.start(), m.end(), (0, 0), tuple(things))


def _passive(text: Sentence, verb: Verb) -> Iterator[Request]:
    for m in verb.passive.finditer(text.work):
        yield Request(verb.kind, m.start(), m.end(), (0, 0), tuple(passive_things(text, m, verb)))
