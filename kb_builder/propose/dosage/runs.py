"""Headings that flattened text runs into the sentence behind them.

"Adult Patients: 10 mg daily", "Maintenance Therapy In those patients who ...", "In patients with heart failure: 5 mg once daily".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.reading.things import Thing
from ontology.text.headings import heading_end

Place = tuple[int, int]

_LABEL = re.compile(
    r"(?:[^.:;()\[\]\x01\u2029]|\([^()]{0,120}\)|\[[^\[\]]{0,120}\]|(?<=\d)\.(?=\d)|(?<=[eg])\.(?=[ge]\.|,)|(?<=\b[A-Z])\.(?=[A-Z]\.)|\x01){2,150}?\s*(?P<stop>:(?=\s)|(?:--+|—)(?=\s*[A-Z]))"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do|does|administer|give|take|initiate|start|use|begin|reduce|increase|adjust|avoid|consider|apply|follow|inject|add|select|see|dilute|withdraw|titrate)\b(?! to be)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:who|which|that)\s+(?:are|is|have|has|do not|take|may be)\b", re.IGNORECASE)
"""A verb of words on patients, which does not make a label a sentence."""
_INNER = re.compile(
    r"(?<=[a-z0-9)%\]\x01:])\s+(?P<label>(?:(?!Table|Figure|Note)[A-Z][A-Za-z0-9][\w ,/'()<>≥≤-]{1,90}?|\d[\d.]*\s*(?:kg|years?|months?|mL/min)\b[\w ,<>≥≤-]{1,60}?):)(?=\s)"
)
_SENTENCE = re.compile(
    r"(?<=[a-z0-9)\]\x01])\s+(?=(?:When|If|For [\w-]+, (?:avoid|do not|reduce|the)|For (?:patients|adults|the|pediatric|children)|The (?:recommended|usual|maximum|initial|starting|doses?|dosages?)|Patients (?:with|taking|receiving|who)|In (?:patients|adults|children|combination|elderly|the)"
    r"|Administer|Do not|Avoid|Reduce|Start|Initiate|Increase|Dosage|Then|Thereafter)\b)"
)
"""Where a sentence begins although no full stop ends the one before."""
_LABEL_REACH = 90
_LEADING = re.compile(r"[\s\x01\u2029•*:;,.-]+")
_AMOUNT = re.compile(
    r"(?<=\s)(?:\d[\d.,]*|one|two|three|half)\s*(?:-\s*\d[\d.,]*\s*)?(?:to\s+\d[\d.,]*\s*)?(?:mg|mcg|g|units?|mEq|mL|GBq|MBq|mCi|tablets?|capsules?|drops?|puffs?|sprays?|%)\b",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:(?:^|\s)(?:(?:Patients|Treatment|Therapy|Dosage|Dose|Doses|Use|Children|Adults|Those|Women) (?:with|in|of|for|who|on|receiving)|Start|Begin|Give|Take|Initiate|Administer|Use|Apply|Inject|Infuse|Reduce|Increase|Decrease|Consider|Interrupt|Withhold|Hold|Discontinue|Resume|Restart|Determine|From|Below|Above|Under|Over|Between(?: [\d.,]+)?|Initially|Usually|Typically|Up|In|For|With|And|Or|The|A|An|If|When|During|After|To|Of|By|On|At|in|for|with|and|or|the|of|to|at|on|a|an|by|from))+\s*$"
)
"""Words at the end of a title that belong to the sentence behind it."""
_PEOPLE_LAST = re.compile(
    r"(?<![Ii]n)(?<![Ff]or)(?<!and)(?<!or)(?<!of)(?<!with)(?<!The)(?<!to)[\s:]+(?P<who>(?:Adults?|Pediatrics?|Children|Geriatrics?|Elderly|Adolescents?)(?:\s+[Pp]atients?)?)\s*:?\s*$"
)
_PEOPLE_FIRST = re.compile(r"\W*(?:For\s+)?(?:Adults?|P(?:a)?ediatrics?|Patients|Children|Infants|Adolescents)\b[^.]*\d")
_LONGEST_LABEL = 14  # words
_LONGEST_OF_PEOPLE = 28  # of a label that tells ages and weights
_PEELS = 6


def run_in_headings(blank: str, start: int, end: int, things: Sequence[Thing]) -> tuple[list[Place], int]:
    """The headings that a stretch of text opens with, and where the text behind the last one begins."""
    found: list[Place] = []
    at = _skip(blank, start, end)
    for _ in range(_PEELS):
        label = _LABEL.match(blank, at, end)
        if label is not None and _is_label(blank[at : label.start("stop")]):
            found += _titles_in(blank, at, label.start("stop"), things)
            at = _skip(blank, label.end(), end)
            continue
        until = _title_end(blank, at, end, things)
        if until <= at or until >= end:
            break
        title = _TRAILING.sub("", blank[at:until])
        if title.rstrip().endswith(",") or not re.search(r"[A-Za-z]{3}", title) or _FINITE.fullmatch(title.strip()):
            break
        stop = at + len(title)
        found += _apart(blank, at, stop)
        at = _skip(blank, stop, end)
        if stop < until:
            break
    return found, at


def inner_labels(blank: str, start: int, end: int) -> list[int]:
    """Where labels and sentences begin inside a stretch that has lost its full stops: "10 mg once daily Renal cell carcinoma: 5 mg once daily"."""
    labels = [
        m.start("label") for m in _INNER.finditer(blank, start, end) if _is_label(m["label"]) and _AMOUNT.search(blank, m.end() - 1, min(end, m.end() + 120))
    ]
    starts = [m.end() for m in _SENTENCE.finditer(blank, start, end) if _FINITE.search(blank, start, m.start()) or _AMOUNT.search(blank, start, m.start())]
    return sorted({*labels, *(s for s in starts if not any(at - 12 <= s < at + _LABEL_REACH for at in labels))})


def _apart(blank: str, start: int, end: int) -> list[Place]:
    """A title, cut before people that are a heading of their own at its end ("Hypertension Adults")."""
    people = _PEOPLE_LAST.search(blank, start, end)
    return [(start, people.start("who")), (people.start("who"), end)] if people is not None and people.start("who") > start else [(start, end)]


def _is_label(words: str) -> bool:
    return (
        len(words.split()) <= (_LONGEST_OF_PEOPLE if _PEOPLE_FIRST.match(words) else _LONGEST_LABEL)
        and _FINITE.search(_RELATIVE.sub(" ", words)) is None
        and re.search(r"[A-Za-z]{3}", words) is not None
        and not re.search(r"\d\s*(?:mg|mcg|mL)\b", words)
    )


def _titles_in(blank: str, start: int, end: int, things: Sequence[Thing]) -> list[Place]:
    """A label, cut where it is a title and a lead behind it ("Hypertension In adults")."""
    until = _title_end(blank, start, end, things)
    if until in (start, end):
        return _apart(blank, start, end)
    return [(start, until), (until, end)] if start < until < end and re.match(r"(?:In|For|With|If|When)\b", blank[until:end]) else [(start, end)]


def _title_end(blank: str, start: int, end: int, things: Sequence[Thing]) -> int:
    near = [t for t in things if start <= t.start < min(end, start + 240)]
    amounts = [m.start() for m in _AMOUNT.finditer(blank, start, min(end, start + 240))]
    text = blank[: min(end, start + 400)].replace("[", "(").replace("]", ")") if "[" in blank[start : start + 240] else blank
    return heading_end(text, start, min(end, len(text)), [(t.start, t.end) for t in near], [*(t.start for t in near if t.own), *amounts])


def _skip(blank: str, at: int, end: int) -> int:
    m = _LEADING.match(blank, at, end)
    return m.end() if m is not None else at
