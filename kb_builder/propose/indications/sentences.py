"""Sentences of an indications section that has lost its layout: items and sentences that run on without a stop."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.reading.blocks import Statement

_STOP = re.compile(r"(?<!\b[A-Z])(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!spp)(?<!approx)(?<!resp)\s?\.\s+(?=[a-z]{2,}\s)|(?<=[\s\x01])\d{1,2}\.\d{1,2}\s+(?=[A-Z])")
_REFERENCE = re.compile(r"\x01[\s.]*(?=[a-z])")
_NEW = re.compile(r"[^.;:]{0,60}?\b(?:is|are)\b[^.;:]{0,140}?\bindicated\b")
_WORD_END = re.compile(r"[\w)\]]\s+$")
_RUN_ON = re.compile(r"(?<=[\w)\]\x01%])\s+(?=[A-Z][a-z]+\s)")
_CONSUMER_VERB = re.compile(
    r"(?<=[a-z)])(?<!temporarily)(?<!helps)(?<!also)(?<!and)(?<!or)\s+(?=(?:(?:temporarily|also|helps?)\s+)?(?:relieves|reduces|treats|prevents|controls|protects|clears)\s)"
)
_SPECIES = re.compile(r"(?<=spp\.)\s+(?=[A-Z])")
_JOINS = re.compile(
    r"\b(?:of|to|with|in|and|or|the|a|an|for|by|from|on|than|as|any|other|including|like|have|has|had|is|are|without|who|whom|if|either|e\.g\.,?|i\.e\.,?)\s*$",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r"(?:in\s+(?:combination|conjunction)|as\b|(?:for\s+)?(?:use\s+)?(?:adjunct|add-on))", re.IGNORECASE)
_IN_FRONT = re.compile(r"(?:in|for|when|to|as|among)\s", re.IGNORECASE)
_NEXT_NUMBER = re.compile(r"(?<=[a-z)])(?<!type)(?<!class)(?<!grade)(?<!stage)\s+\d{1,2}\s*\.?\s*$", re.IGNORECASE)
"""The number of the next group of a flattened list."""
_NUMBERED = re.compile(r"(?:^|\s)\d{1,2}\s*\.\s*$")
_GROUP_TITLE = re.compile(r"(?:(?:[A-Z][a-z]+\s+){1,2}(?:Diseases|Disorders|States|Conditions)|Nervous System|Miscellaneous)(?=\s+[A-Z]|\s*$)")
_SHORTEST = 20


def cut_statement(text: str, statement: Statement, *, consumer: bool) -> Iterator[tuple[int, int]]:
    """The stretches of a statement of folded text, cut where flattened text runs on: a stop before a small letter, an item, "Limitations of Use", a new
    sentence about the product. `consumer` text is cut at its verbs too.
    """
    at = statement.start
    title = _GROUP_TITLE.match(text, statement.start, statement.end) if begins_group(text, statement.start) else None
    at = title.end() if title is not None else at
    number = _NEXT_NUMBER.search(text, statement.start, statement.end)
    cuts = [m.span() for m in _STOP.finditer(text, statement.start, statement.end)]
    cuts += [(m.start(), m.start()) for m in indication_book().limitations.finditer(text, statement.start + 1, statement.end)]
    cuts += [m.span() for m in _RUN_ON.finditer(text, statement.start + 1, statement.end) if begins_phrase(text, m.end()) and not runs_on(text, m.start())]
    cuts += [m.span() for m in _CONSUMER_VERB.finditer(text, statement.start + 1, statement.end) if consumer]
    cuts += [m.span() for m in _SPECIES.finditer(text, statement.start, statement.end)]
    cuts += [m.span() for m in _REFERENCE.finditer(text, statement.start, statement.end) if begins_phrase(text, m.end())]
    cuts += [
        (t.start, t.start)
        for t in statement.things
        if t.own and t.start > statement.start + _SHORTEST and _NEW.match(text, t.end) and _WORD_END.search(text, t.start - 3, t.start)
        if not runs_on(text, t.start)
        if _IN_FRONT.match(text, statement.start) is None
    ]
    phrase = _phrase_end(text, statement.start)
    for s, e in sorted(cuts):
        if s == e or e == statement.start or s >= phrase:
            if s > at:
                yield at, s
            at = max(at, e)
            phrase = max(phrase, _phrase_end(text, e))
    end = number.start() if number is not None else statement.end
    if at < end:
        yield at, end


def _phrase_end(text: str, at: int) -> int:
    """Where the opening of a phrase of purpose ends that begins at a place: within it no other phrase begins ("Adjunctive Treatment of")."""
    first = indication_book().starts.match(text, at)
    return first.end() if first is not None and first.lastgroup in ("purpose", "gerund", "aim") else at


def begins_phrase(text: str, at: int) -> bool:
    """True where a phrase of purpose begins."""
    first = indication_book().starts.match(text, at)
    return first is not None and (first.lastgroup in ("purpose", "gerund", "aim") or (first.lastgroup == "context" and _LEADS_IN.match(first[0]) is not None))


def runs_on(text: str, at: int) -> bool:
    """True where the words before the place cannot end an item."""
    return _JOINS.search(text, max(0, at - 24), at) is not None


def begins_group(text: str, start: int) -> bool:
    """True behind the number of a group of a list ("4. Dermatologic Diseases ..."): what the group above led does not lead this one."""
    return _NUMBERED.search(text, max(0, start - 6), start) is not None
