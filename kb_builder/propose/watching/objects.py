"""The things that a verb or noun of a request asks for: behind an active verb, before a passive one, and the markers that decide on treatment."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.propose.found import MeasuredThing
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from kb_builder.propose.watching.book import Kind, Verb, watching_book
from kb_builder.propose.watching.bounds import for_place, opening, phrase_end
from kb_builder.propose.watching.measured_things import read_measured
from ontology.model.entities import EntityType

_WHOM = r"(?P<who>(?:(?!for\b|of\b|in\b|with\b|to\b)[\w'/-]+\s+){0,5}?"
_CUT_BEHIND = re.compile(r"\s(?:in|for|during|among|while|when|if|with|at|on|who|which|that|by|from)\s")
ANY_OF = re.compile(
    r"^(?:(?:(?!that\b|which\b)[\w/-]+\s+){0,5})(?:monitoring|measurements?|(?:re)?assessments?|(?:re-?)?evaluations?|determinations?|testing|tests|screening|surveillance|observation|examinations?|checks?)\s+(?:of|for)\s+"
)
_NAMED_TEST = re.compile(
    r"\b(?:ophthalm\w+|eye|ocular|slit[- ]lamp|cardiac|cardiovascular|echocardiograph\w+|electrocardiograph\w+|spirometric|skin|dermatolog\w+|neurolog\w+|dental|audiometric|physical|radiograph\w+|laboratory)\s+(?:evaluations?|examinations?|assessments?|monitoring|testing)(?P<of>\s+(?:of|for)\s+)$"
)
_EXAM = re.compile(r"\bexaminations?\s+of\s+$")
_VACCINES = re.compile(r"(?:vaccin|immuni[sz])\w*")
TEST_WORDS = re.compile(
    r"\b(?:tests?|testing|monitoring|screening|examinations?|assessments?|evaluations?|determinations?|measurements?|counts?|exams?|imaging|studies)\b"
)
_FOLLOWING = re.compile(r"\bfollowing (?:\w+ ){0,2}(?:tests?|studies|parameters|examinations?|values|monitoring)\b[^:]*$")
_BRACKETED = re.compile(r"\([^()]*\)")
_LOOSE = re.compile(
    r"(?:[^,.;:()]{0,110}?\b(?:laboratory|hematologic|blood|clinical|diagnostic|chemistry) (?:[\w-]+ )?(?:tests?|parameters|values|studies|monitoring)\s*|\s*)"
    r"(?:(?P<bracket>\()(?:including\b|e\.g\.|i\.e\.)|,?\s*(?:including|such as)\b)[\s,]*(?:but (?:is |are )?not (?:necessarily )?limited to[\s,:]*)?(?:monitoring of\s+)?(?:the\s+)?"
)
_MADE_OF = re.compile(
    r"\s*(?:,?\s*(?:including|such as|with|consisting of)\s+(?:at least\s+)?|(?P<bracket>\()(?:including\s+|e\.g\.,?\s+|i\.e\.,?\s+)?)(?:the\s+|serum\s+(?=bili))?"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is read: `lower` with its times barred, `whole` the section's text, `offset` where the sentence begins in it."""

    work: str
    whole: str
    offset: int
    lexicon: Lexicon

    def things(self, start: int, end: int, *, states: bool) -> list[MeasuredThing]:
        """The things that a stretch of the sentence lists."""
        return read_measured(self.whole, self.offset + start, self.offset + end, self.lexicon, states=states)


def marker(text: Sentence, m: re.Match[str]) -> list[MeasuredThing]:
    """The marker that decides on treatment, as one thing of the label's words or the test that it is known by."""
    start, end = m.span("what")
    lead = re.match(
        r"(?:\(?presence|absence|detection|positivity|expression|status)(?: or absence)?(?: of| for)?\s+(?:an?\s+|the\s+|one or more\s+)*", text.work[start:end]
    )
    at = start + (lead.end() if lead is not None else 0)
    stop = phrase_end(text.work, at)
    stop = min(stop, end)
    found = text.things(at, stop, states=True)
    return [MeasuredThing(t.start, t.end, _as_test(t.target), measured=True) for t in found]


def _as_test(target: Target) -> Target:
    """A marker that only the label's words name as the test for it."""
    return uncoded(EntityType.LAB_TEST, target.words) if target.entity is not None else target


def behind(text: Sentence, at: int, verb: Verb) -> list[MeasuredThing]:
    """The things behind an active verb: "monitor serum potassium", "monitor patients for bleeding", "evaluate the patient's weight"."""
    people = re.match(rf"{_WHOM}{watching_book().people.pattern})(?!\s(?:blood|serum|plasma|weight|vital))(?P<poss>'s?)?(?!\w)", text.work[at:])
    if people is not None and not people["poss"]:
        place = for_place(text.work, at + people.end())
        return _wanted(text, place, verb) if place is not None else []
    at = at + people.end() if people is not None else at
    for_ = re.match(r"for\s+", text.work[at:])
    if for_ is not None and re.match(r"(?:and|or)\b", text.work[at + for_.end() :]):
        return []
    if for_ is not None:
        return _wanted(text, at + for_.end(), verb)
    head = ANY_OF.match(text.work[at:])
    at, states = (at + head.end(), True) if head is not None else (at, verb.kind in (Kind.PREPARE, Kind.WATCH))
    things = text.things(at, phrase_end(text.work, at), states=states)
    if verb.id == "vaccinate":
        return [t for t in things if _VACCINES.search(t.target.words.lower())]
    if verb.id == "confirm":
        return [t for t in things if t.measured or t.target.entity is None]
    if verb.id == "watch" and head is None:
        return [t for t in things if t.measured or t.target.entity is None or _signs(text, at)]
    return things


def _signs(text: Sentence, at: int) -> bool:
    return re.match(r"(?:the\s+|any\s+|clinical\s+)*(?:signs?|symptoms?|development|emergence)\b", text.work[at:]) is not None


def _wanted(text: Sentence, at: int, verb: Verb) -> list[MeasuredThing]:
    things = text.things(at, phrase_end(text.work, at), states=True)
    return [] if verb.id == "vaccinate" else things


def before(text: Sentence, end: int, *, nominal: bool) -> list[MeasuredThing]:
    """The measurements named as the subject of a passive: from the right, as long as they are measurements."""
    start = opening(text.work, end)
    bars = [m.end() for m in re.finditer(r"\|[\s,|]*", text.work[start:end])]
    clause = text.work[start:end]
    skipped = len(clause) - len(clause.lstrip(" |,"))
    head = ANY_OF.match(clause.lstrip(" |,"))
    if head is not None:
        at = start + skipped + head.end()
        own = _NAMED_TEST.search(head[0])
        if own is not None:
            return text.things(start + skipped, at - len(own["of"]), states=False)
        exam = _EXAM.search(head[0])
        if exam is not None:
            place = (text.offset + start + skipped + exam.start(), text.offset + min(phrase_end(text.work, at), end))
            words = " ".join(text.whole[slice(*place)].split())
            return [MeasuredThing(*place, uncoded(EntityType.LAB_TEST, words), measured=True)]
        return text.things(at, min(phrase_end(text.work, at), end), states=True)
    at = start + max((b for b in bars if b < len(clause.rstrip(" |"))), default=0)
    cut = _CUT_BEHIND.search(text.work, at + 3, end)
    opener = re.match(r"[\s,]*(?:in|for|during|with|after|because|since|as|if|when|although|while|due|to|prior|before|following)\s", text.work[at:end])
    if opener is not None:
        comma = text.work.find(", ", at, end)
        if comma < 0:
            return []
        return text.things(comma + 1, end, states=False) if not nominal or TEST_WORDS.search(text.work, comma, end) else []
    stop = cut.start() if cut is not None else end
    things = text.things(at, stop, states=_signs(text, at))
    if nominal and not TEST_WORDS.search(text.work, at, stop):
        return []
    return things


def _vaccines(text: Sentence, end: int) -> list[MeasuredThing]:
    start = opening(text.work, end)
    return [t for t in text.things(start, end, states=False) if _VACCINES.search(t.target.words.lower())]


def _corrected(text: Sentence, end: int) -> list[MeasuredThing]:
    """States named as the subject of "should be corrected"."""
    start = opening(text.work, end)
    bars = [m.end() for m in re.finditer(r"\|[\s,|]*", text.work[start:end])]
    at = start + max((b for b in bars if b < end - start), default=0)
    return [t for t in text.things(at, end, states=True) if t.measured or t.target.entity is None]


def passive_things(text: Sentence, m: re.Match[str], verb: Verb) -> list[MeasuredThing]:
    """The things of a passive: its subject, or what patients are to be watched for."""
    things = before(text, m.start(), nominal=False) if verb.id != "vaccinate" else _vaccines(text, m.start())
    subject = _BRACKETED.sub(lambda b: " " * len(b[0]), text.work[: m.start()])
    if not things and re.search(rf"{watching_book().people.pattern}\b[^,;]{{0,220}}$", subject):
        place = for_place(text.work, m.end())
        things = _wanted(text, place, verb) if place is not None and place - m.end() < 120 else []
    if verb.id == "correct":
        things = things or _corrected(text, m.start())
    return things or _following(text, m) or loose_tests(text, m.end())


def _following(text: Sentence, m: re.Match[str]) -> list[MeasuredThing]:
    """The tests listed behind the colon of "the following tests should be performed: ..."."""
    if _FOLLOWING.search(text.work[: m.start()]) is None:
        return []
    colon = text.work.find(":", m.end())
    return text.things(colon + 1, phrase_end(text.work, colon + 1), states=False) if colon >= 0 else []


def loose_tests(text: Sentence, at: int) -> list[MeasuredThing]:
    """The tests listed behind words that only say that there are some ("laboratory tests including ...", "monitored (e.g., monitoring of ...)")."""
    m = _LOOSE.match(text.work, at)
    if m is None:
        return []
    close = text.work.find(")", m.end()) if m["bracket"] else -1
    return text.things(m.end(), min(phrase_end(text.work, m.end()), close if close >= 0 else len(text.work)), states=False)


def named_tests(text: Sentence, things: list[MeasuredThing]) -> list[MeasuredThing]:
    """The tests that a measurement is said to be made of ("liver tests, including ALT and AST"), where all of them are known by name."""
    if not things or not all(t.measured for t in things):
        return []
    m = _MADE_OF.match(text.work, max(t.end for t in things) - text.offset)
    if m is None:
        return []
    close = text.work.find(")", m.end()) if m["bracket"] else -1
    found = text.things(m.end(), min(phrase_end(text.work, m.end()), close if close >= 0 else len(text.work)), states=False)
    return found if all(t.measured and t.target.entity is None for t in found) else []
