"""The requests of one sentence: the verb or noun that asks, and the things that it asks to measure, watch or put right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from kb_builder.propose.watching.book import Kind, Verb, watching_book
from kb_builder.propose.watching.measured_things import MeasuredThing, read_measured
from kb_builder.propose.watching.times import Time, masked
from ontology.model.entities import EntityType

_STOP = re.compile(
    r"(?<=[^|\s])\s*\||[.;:\x01]|(?<!antibodies)(?<!antibody)\s(?:to|because|due|since|as(?! well as)|if|when|whenever|while|where|which|that|who|whose|by|using|so|until|unless|based|especially|particularly"
    r"|regardless|including|such|with|without|from|at|near|on|resulting|associated|according|per|via|e\.g|than|can|may|is|are|should|must|will|has|have|more often|through|related|given|prior to|before|after|following|during|throughout|recommended|necessary|required|advised)\b"
    r"|\s(?:in|for|among)\s|,?\s+(?:and|or)\s+(?:then\s+|also\s+)?(?:\w+ly\s+)?(?:adjust|discontinue|withhold|interrupt|reduce|treat|manage|stop|initiate|institute|modify|titrate|replace|suspend|consider|provide|administer|take|use|correct|maintain|give|start|begin|increase|decrease|evaluate|assess|monitor|obtain|perform|test|check|measure|permanently|do|avoid|ensure|refer|dose|follow|document|repeat|optimize|supplement|advise|tested|treated|managed|screened|evaluated|monitored|should|must)\b"
    r"|,\s+(?:and\s+)?(?:promptly\s+|immediately\s+)?(?:adjust|discontinue|withhold|interrupt|reduce|treat|manage|stop|initiate|institute|modify|consider|provide|administer|obtain|perform|evaluate|assess|monitor|test|check|measure|perform|then|but|because|regardless)\b"
)
_JUNK = re.compile(r"[\s|,]*(?:(?:closely|carefully|regularly|frequently|periodically|and|then|also|appropriately|all)\s+)*[\s|,]*")
_WHOM = r"(?P<who>(?:(?!for\b|of\b|in\b|with\b|to\b)[\w'/-]+\s+){0,5}?"
_FOR = re.compile(
    r"\bfor\s+(?!at least|up to|\d|the (?:first|duration)|(?:one|two|three|several|\w+) (?:days|weeks|hours|months|years)\b|use\b|whom|treatment|therapy|long|adjuvant)"
)
_NOT_FOR = re.compile(
    r"\b(?:risk|risks|treated|indicated|candidates?|therapy|scheduled|positive|need|factors?|tested|used|treatment|predispos\w+|responsible|potential|allow\w*|hospitali[sz]ed)\s+$"
)
_BOUNDARY = re.compile(
    r"[.;:\x01•]|\bthat\s|\bthus,?\s|\btherefore,?\s|\bhowever,?\s|\)\s|(?:^|,\s*)(?:and\s+)?(?=it is )|(?:^|\s)(?:recommended|advised|suggested|advisable|important|essential) (?:that )"
)
_CUT_BEHIND = re.compile(r"\s(?:in|for|during|among|while|when|if|with|at|on|who|which|that|by|from)\s")
_ANY_OF = re.compile(
    r"^(?:(?:[\w/-]+\s+){0,5})(?:monitoring|measurements?|(?:re)?assessments?|(?:re-?)?evaluations?|determinations?|testing|tests|screening|surveillance|observation|examinations?|checks?)\s+(?:of|for)\s+"
)
_NAMED_TEST = re.compile(
    r"\b(?:ophthalm\w+|eye|ocular|slit[- ]lamp|cardiac|cardiovascular|echocardiograph\w+|electrocardiograph\w+|spirometric|skin|dermatolog\w+|neurolog\w+|dental|audiometric|physical|radiograph\w+|laboratory)\s+(?:evaluations?|examinations?|assessments?|monitoring|testing)(?P<of>\s+(?:of|for)\s+)$"
)
_EXAM = re.compile(r"\bexaminations?\s+of\s+$")
_VACCINES = re.compile(r"(?:vaccin|immuni[sz])\w*")
_TEST_WORDS = re.compile(
    r"\b(?:tests?|testing|monitoring|screening|examinations?|assessments?|evaluations?|determinations?|measurements?|counts?|exams?|imaging|studies)\b"
)
_REASON = re.compile(r"\W*(?:because|since|due to|owing to|as|although|given|while)\s(?:[^,;]|,(?=\d))*(?:,\s(?=(?:and|or)\s)[^,;]*)?,\s")
SUCH_AS = re.compile(
    r"[\s,(]*(?:including|especially|most of all|above all|in particular|particularly|even (?:if|in|when|though))\s(?:[^.;\x01,]|,(?!\s(?:in|for)\s))*|[\s,(]*(?:such as|e\.g\.,?|related to|associated with|indicative of|suggestive of|consistent with|like)\s[^.;\x01]*?(?=\s(?:in|for|who)\s(?:\w+\s)?(?:patients|females|women|infants|children)|[.;)\x01]|,?\s+and\s+(?:\w+ly\s+)?(?:treat|manage|discontinue|adjust|withhold|interrupt|institute|initiate)|$)"
)
EVEN = re.compile(
    r"[\s,]*\b(?:including|along with|especially|most of all|above all|in particular|particularly|(?:and|or) (?:again )?(?:whenever|when|if|at any time)|even (?:if|in|when|though)|regardless of|whether or not)\s(?:[^.;\x01,]|,(?!\s(?:in|for)\s))*"
)
_NEW_SENTENCE = re.compile(r"[;.]\s(?!and\b)")
_END = re.compile(r"[;.](?!\d)")
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


@dataclass(frozen=True, slots=True)
class _Text:
    """A sentence: `lower` with its times barred, `whole` the section's text, `offset` where the sentence begins in it."""

    work: str
    whole: str
    offset: int
    lexicon: Lexicon

    def things(self, start: int, end: int, *, states: bool) -> list[MeasuredThing]:
        return read_measured(self.whole, self.offset + start, self.offset + end, self.lexicon, states=states)


def find_requests(lower: str, times: Sequence[Time], lexicon: Lexicon, whole: str, offset: int) -> Iterator[Request]:
    """The requests of a sentence in lower case, each object once; `whole` at `offset` is the sentence as printed."""
    text = _Text(masked(lower, ((t.start, t.end) for t in times), "|"), whole, offset, lexicon)
    found = sorted((r for r in _all(text) if r.things), key=lambda r: r.start)
    taken: list[tuple[int, int]] = []
    for index, one in enumerate(found):
        things = tuple(t for t in one.things if not any(s < t.end and t.start < e for s, e in taken))
        taken += [(t.start, t.end) for t in things]
        if things:
            reaches, opening = _reach(lower, found, index, offset)
            yield replace(one, things=things, reaches=reaches, opening=opening)


def _reach(lower: str, found: Sequence[Request], index: int, offset: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stretch whose times and conditions are a request's own, and the opening of the sentence, whose conditions hold for all its requests."""
    one = found[index]
    behind = max(t.end for t in one.things) - offset
    opens = max((m.end() for m in _NEW_SENTENCE.finditer(lower, 0, one.start)), default=0)
    reason = _REASON.match(lower, opens, one.end)
    opens = reason.end() if reason is not None else opens
    first = min((r.start for r in found if r.start >= opens), default=one.start)
    earlier = max((e for r in found[:index] if r.end <= one.start for e in (r.end, *(t.end - offset for t in r.things)) if e <= one.start), default=0)
    ends = [r.start for r in found[index + 1 :] if r.start > max(one.end, behind)]
    ends += [m.start() for pattern in (_END, watching_book().closes, _PURPOSE) if (m := pattern.search(lower, max(one.end, behind))) is not None]
    return (max(opens, earlier), min([*ends, len(lower)])), (opens, first)


def listed_things(lower: str, lead: str, lexicon: Lexicon, whole: str, offset: int) -> list[Request]:
    """What an item names under a sentence that asks for the tests of a list; nothing where the sentence asks for no test."""
    if not re.search(r"\b(?:tests?|testing|evaluat|assess|perform|obtain|monitor|measure|screen|procedures?|check|determin)", lead):
        return []
    stop = _ITEM_END.search(lower)
    end = stop.start() if stop is not None else len(lower)
    text = _Text(lower, whole, offset, lexicon)
    things = [t for t in text.things(0, end, states=False) if t.target.entity is None or _TEST_WORDS.search(lower, 0, end)]
    return [Request(Kind.MEASURE, 0, end, (0, end), tuple(things))] if things else []


def _all(text: _Text) -> Iterator[Request]:
    book = watching_book()
    for verb in (v for v in book.verbs if v.word.search(text.work)):
        yield from _active(text, verb)
        yield from _passive(text, verb)
    for m in book.nominal.finditer(text.work):
        things = _before(text, m.start(), nominal=True)
        yield Request(Kind.MEASURE, m.start(), m.end(), (0, 0), tuple(things))
    for m in book.asking.finditer(text.work):
        head = _ANY_OF.match(text.work[m.end() :])
        at = m.end() + head.end() if head is not None else m.end()
        stop = _end(text.work, at)
        monitoring = "monitor" in text.work[m.end() : stop]
        things = text.things(at, stop, states=head is not None)
        yield Request(Kind.WATCH if monitoring else Kind.MEASURE, m.start(), m.end(), (0, 0), tuple(things))
    for pattern in (book.select, book.presence):
        for m in pattern.finditer(text.work):
            yield Request(Kind.PREPARE, m.start(), m.end("what"), (0, 0), tuple(_marker(text, m)), selects=True)


def _marker(text: _Text, m: re.Match[str]) -> list[MeasuredThing]:
    """The marker that decides on treatment, as one thing of the label's words or the test that it is known by."""
    start, end = m.span("what")
    lead = re.match(
        r"(?:\(?presence|absence|detection|positivity|expression|status)(?: or absence)?(?: of| for)?\s+(?:an?\s+|the\s+|one or more\s+)*", text.work[start:end]
    )
    at = start + (lead.end() if lead is not None else 0)
    stop = _end(text.work, at)
    stop = min(stop, end)
    found = text.things(at, stop, states=True)
    return [MeasuredThing(t.start, t.end, _as_test(t.target), measured=True) for t in found]


def _as_test(target: Target) -> Target:
    """A marker that only the label's words name as the test for it."""
    return uncoded(EntityType.LAB_TEST, target.words) if target.entity is not None else target


def _active(text: _Text, verb: Verb) -> Iterator[Request]:
    for m in verb.active.finditer(text.work):
        at = m.end()
        junk = _JUNK.match(text.work, at)
        at = junk.end() if junk is not None else at
        things = _behind(text, at, verb)
        yield Request(verb.kind, m.start(), m.end(), (0, 0), tuple(things))


def _behind(text: _Text, at: int, verb: Verb) -> list[MeasuredThing]:
    """The things behind an active verb: "monitor serum potassium", "monitor patients for bleeding", "evaluate the patient's weight"."""
    people = re.match(rf"{_WHOM}{watching_book().people.pattern})(?!\s(?:blood|serum|plasma|weight|vital))(?P<poss>'s?)?(?!\w)", text.work[at:])
    if people is not None and not people["poss"]:
        place = _for(text.work, at + people.end())
        return _wanted(text, place, verb) if place is not None else []
    at = at + people.end() if people is not None else at
    for_ = re.match(r"for\s+", text.work[at:])
    if for_ is not None and re.match(r"(?:and|or)\b", text.work[at + for_.end() :]):
        return []
    if for_ is not None:
        return _wanted(text, at + for_.end(), verb)
    head = _ANY_OF.match(text.work[at:])
    at, states = (at + head.end(), True) if head is not None else (at, verb.kind in (Kind.PREPARE, Kind.WATCH))
    things = text.things(at, _end(text.work, at), states=states)
    if verb.id == "vaccinate":
        return [t for t in things if _VACCINES.search(t.target.words.lower())]
    if verb.id == "confirm":
        return [t for t in things if t.measured or t.target.entity is None]
    if verb.id == "watch" and head is None:
        return [t for t in things if t.measured or t.target.entity is None or _signs(text, at)]
    return things


def _signs(text: _Text, at: int) -> bool:
    return re.match(r"(?:the\s+|any\s+|clinical\s+)*(?:signs?|symptoms?|development|emergence)\b", text.work[at:]) is not None


def _wanted(text: _Text, at: int, verb: Verb) -> list[MeasuredThing]:
    things = text.things(at, _end(text.work, at), states=True)
    return [] if verb.id == "vaccinate" else things


def _for(work: str, at: int) -> int | None:
    """Where the things begin that patients are watched for, in the same clause."""
    stop = re.search(r"[.;:\x01]|\b(?:and|or)\s+(?:\w+ly\s+)?(?:discontinue|withhold|interrupt|stop|reduce|treat|adjust)\b", work[at:])
    until = at + stop.start() if stop is not None else len(work)
    return next((m.end() for m in _FOR.finditer(work, at, until) if not _NOT_FOR.search(work[max(0, m.start() - 20) : m.start()])), None)


def _end(work: str, at: int) -> int:
    """Where a phrase of things stops."""
    behind = re.match(r"[\s|]*", work[at:])
    start = at + (behind.end() if behind is not None else 0)
    lead = re.match(
        r"(?:(?:any|clinical|laboratory)\s+)*(?:signs?|symptoms?|findings|evidence)[\w\s/,]{0,30}?(?:consistent|associated|compatible) with\s+|(?:[\w-]+\s+){0,2}?(?:changes?|increases?|decreases?|elevations?|reductions?|alterations?|rises?|declines?|deterioration|worsening|abnormalities|fluctuations?)\s+in\s+",
        work[start:],
    )
    start += lead.end() if lead is not None else 0
    depth = 0
    for m in _STOP.finditer(work, start):
        depth = work.count("(", start, m.start()) - work.count(")", start, m.start())
        if depth <= 0 and m.start() > start:
            return m.start()
    return len(work)


def _passive(text: _Text, verb: Verb) -> Iterator[Request]:
    for m in verb.passive.finditer(text.work):
        things = _before(text, m.start(), nominal=False) if verb.id != "vaccinate" else _vaccines(text, m.start())
        if not things and re.search(rf"{watching_book().people.pattern}\b[^,;]{{0,160}}$", text.work[: m.start()]):
            place = _for(text.work, m.end())
            things = _wanted(text, place, verb) if place is not None and place - m.end() < 120 else []
        if verb.id == "correct":
            things = things or _corrected(text, m.start())
        yield Request(verb.kind, m.start(), m.end(), (0, 0), tuple(things))


def _opening(work: str, end: int) -> int:
    """Where the clause begins whose subject ends at `end`."""
    return max((m.end() for m in _BOUNDARY.finditer(work, 0, end)), default=0)


def _before(text: _Text, end: int, *, nominal: bool) -> list[MeasuredThing]:
    """The measurements named as the subject of a passive: from the right, as long as they are measurements."""
    start = _opening(text.work, end)
    bars = [m.end() for m in re.finditer(r"\|[\s,|]*", text.work[start:end])]
    clause = text.work[start:end]
    skipped = len(clause) - len(clause.lstrip(" |,"))
    head = _ANY_OF.match(clause.lstrip(" |,"))
    if head is not None:
        at = start + skipped + head.end()
        own = _NAMED_TEST.search(head[0])
        if own is not None:
            return text.things(start + skipped, at - len(own["of"]), states=False)
        exam = _EXAM.search(head[0])
        if exam is not None:
            place = (text.offset + start + skipped + exam.start(), text.offset + min(_end(text.work, at), end))
            words = " ".join(text.whole[slice(*place)].split())
            return [MeasuredThing(*place, uncoded(EntityType.LAB_TEST, words), measured=True)]
        return text.things(at, min(_end(text.work, at), end), states=True)
    at = start + max((b for b in bars if b < len(clause.rstrip(" |"))), default=0)
    cut = _CUT_BEHIND.search(text.work, at + 3, end)
    opener = re.match(r"[\s,]*(?:in|for|during|with|after|because|since|as|if|when|although|while|due|to|prior|before|following)\s", text.work[at:end])
    if opener is not None:
        comma = text.work.find(", ", at, end)
        if comma < 0:
            return []
        things = text.things(at, end, states=False)
        last = [t for t in things if t.start - text.offset > comma]
        return last if not nominal or _TEST_WORDS.search(text.work, comma, end) else []
    stop = cut.start() if cut is not None else end
    things = text.things(at, stop, states=_signs(text, at))
    if nominal and not _TEST_WORDS.search(text.work, at, stop):
        return []
    return things


def _vaccines(text: _Text, end: int) -> list[MeasuredThing]:
    start = _opening(text.work, end)
    return [t for t in text.things(start, end, states=False) if _VACCINES.search(t.target.words.lower())]


def _corrected(text: _Text, end: int) -> list[MeasuredThing]:
    """States named as the subject of "should be corrected"."""
    start = _opening(text.work, end)
    bars = [m.end() for m in re.finditer(r"\|[\s,|]*", text.work[start:end])]
    at = start + max((b for b in bars if b < end - start), default=0)
    return [t for t in text.things(at, end, states=True) if t.measured or t.target.entity is None]
