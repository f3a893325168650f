"""The passages of a section that speak of one population, by subsection titles and by the headings that flattened text runs on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.propose.populations.book import PopulationBook, population_book
from kb_builder.propose.populations.patients import OF_OTHERS
from kb_builder.propose.populations.titles import find_degrees, find_titles
from kb_builder.propose.reading.blocks import Reading
from ontology.text.dosing.cues import route_of
from ontology.text.headings import heading_end
from ontology.text.sections import Part, Zone, is_highlight, split_parts
from ontology.text.sentences import Unit, split_units

BOTH_ORGANS = "both-organs"
"""The axis of a passage about renal and hepatic impairment: its sentences say which."""

_OTHER = "other"
_NUMBER = re.compile(r"\s*\d{1,2}(?:\.\d{1,2})*\.?\s+")
_SUBSECTION = re.compile(r"\s*\d{1,2}\.\d{1,2}\s+[A-Z]")
_GLUED = re.compile(r"(?<=[a-z)\]\x01])\.(?=(?:\d{1,2}\.\d{1,2} )?[A-Z][a-z]*\s)")
_RUN_ON = re.compile(
    r"\bNot Recommended\b[^.;:]{3,90}?\b(?:Impairment|Insufficiency|Failure|Disease|Dysfunction|Patients|Pregnancy|Lactation)\s+(?=(?:No|In|For|The|Avoid|Reduce|Do)\s)"
)
"""A title that forbids by itself; the sentence behind it is on others."""

_SENTENCE_WORDS = ("In ", "For ", "The ", "Because ", "Since ", "Avoid ", "Reduce ", "Monitor ", "Do not ")
_SENTENCE = re.compile(
    r"(?<=[a-z)])\s+(?=(?:In|For) (?:patients|adults?|p(?:a)?ediatric|those|the|children|subjects|individuals)\b|The (?:use|administration|safety|effectiveness) |(?:Because|Since) |(?:Avoid|Reduce|Monitor|Do not) [a-z])"
)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do|does|did|not|avoid|reduce)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\s+(?:(?:tablets?|capsules?|injection)\s+)?(?:can|may|is|are|should|must|has|causes?|increases?)\b")
_RUN_IN = frozenset({"precautions", "general_precautions", "warnings", "drug_interactions"})
"""Sections of older labels that hold the passages on populations under run-in headings."""

_HEADED = frozenset({"pregnancy", "lactation", "pediatric", "geriatric"})
"""Populations with a heading of their own in those sections (21 CFR 201.80), so that the next heading is known too."""

_BY_ROUTE = re.compile(
    r"\b(?:for|with|of) (?:the )?(?:oral|intravenous|subcutaneous|intramuscular) (?:dosing|administration|use|doses?|therapy)\b", re.IGNORECASE
)
_AGED = frozenset({"pediatric", "geriatric"})
_LONGEST_TITLE = 140
_LONGEST_RUN_ON = 190  # a title without its number, with the words of the sentence by which it is known
_ASIDE = 3  # sentences behind the last that names its people in which a passage under a run-in heading still speaks of them


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at `[start, end)` of the folded text, without the headings run into it.

    `axis` is that of its passage, None outside one; `rank` its place among the sentences behind the heading. `own` is True where
    the text is about a population, False where a passage only stands among others (dosage, warnings).
    """

    start: int
    end: int
    axis: str | None
    heading: tuple[int, int] | None
    highlight: bool
    item: bool
    rank: int
    own: bool


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place where another passage begins: behind a heading, with its axis."""

    at: int
    behind: int
    axis: str | None
    narrative: bool


def sentences_of(reading: Reading) -> Iterator[Sentence]:
    """The sentences of a section in order of print, each with the population of its passage; tales of studies are left out."""
    book = population_book()
    text = reading.shadow.text
    own = book.sections.get(reading.key)
    listed = reading.key == "contraindications"
    written = reading.key in _RUN_IN
    about = own is not None or reading.key == "use_in_specific_populations"
    lower = "" if about else reading.blank.lower()
    for each in split_parts(text, reading.blank):
        part = Part(each.start, each.end, each.number, Zone.HIGHLIGHTS) if reading.section.repeats else each
        axis = own or _axis_of_title(reading.blank, part, book)
        for cut, end in _passages(reading.blank, part, axis, own, book, listed=listed):
            if cut.narrative or (not about and cut.axis is None and not book.anyone.due(lower[cut.behind : end])):
                continue
            heading = (cut.at, cut.behind) if cut.behind > cut.at else None
            units = (u for run in _outside_tables(reading, cut.behind, end) for u in _units(reading.blank, *run))
            named = -1
            for rank, unit in enumerate(units):
                named = rank if written and cut.axis in _HEADED and book.people[cut.axis].search(reading.blank[unit.start : unit.end].lower()) else named
                start = (
                    unit.start if listed else _behind_title(reading.blank, _behind_labels(reading.blank, unit.start, unit.end, book), unit.end, cut.axis, book)
                )
                if rank == 0 and cut.at == part.start and not (about or listed) and _SUBSECTION.match(reading.blank, part.start):
                    start = max(start, _behind_heading(reading, part, unit.end))
                if start < unit.end:
                    yield Sentence(
                        start,
                        unit.end,
                        cut.axis,
                        heading,
                        is_highlight(text, part, unit),
                        unit.item,
                        rank,
                        about
                        or (written and cut.axis in _HEADED and rank - named <= _ASIDE and not _is_of_others(reading.blank[start : unit.end], cut.axis, book)),
                    )


def _units(blank: str, start: int, end: int) -> Iterator[Unit]:
    """The sentences of a run, cut too where flattened text lost the space behind a stop."""
    for unit in split_units(blank, start, end):
        at = unit.start
        for m in sorted((*_GLUED.finditer(blank, unit.start, unit.end), *_RUN_ON.finditer(blank, unit.start, unit.end)), key=lambda m: m.end()):
            yield Unit(at, m.end(), unit.item)
            at = m.end()
        if at < unit.end:
            yield Unit(at, unit.end, unit.item)


def _outside_tables(reading: Reading, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The runs of a passage between its tables, whose cells other proposers read."""
    at = start
    for table in reading.tables.placed:
        if start <= table.start < end:
            if table.start > at:
                yield at, table.start
            at = max(at, min(table.end, end))
    if at < end:
        yield at, end


def _passages(blank: str, part: Part, axis: str | None, own: str | None, book: PopulationBook, *, listed: bool) -> Iterator[tuple[_Cut, int]]:
    """The cuts of a part with the end of what they open. `listed`: a list of states, in which "Pregnancy" is an item and no heading."""
    cuts = [_Cut(part.start, part.start, axis, narrative=False)]
    if listed:
        yield cuts[0], part.end
        return
    found = [(m, False) for m in find_titles(book.heading, blank, part.start, part.end)]
    found += [(m, True) for m in find_titles(book.narrative, blank, part.start, part.end)]
    degrees = [(m, False) for m in find_degrees(blank, part.start, part.end, [m.end() for m, _ in found])]
    found = [f for f in found if not any(d.start() <= f[0].start("title") < d.end() for d, _ in degrees)] + degrees
    current = axis
    for m, narrative in sorted(found, key=lambda f: f[0].start("title")):
        if not narrative:
            named = next(name for name, words in m.groupdict().items() if words and name != "title").replace("_", "-")
            current = own if named == _OTHER else named
        cuts.append(_Cut(m.start("title"), m.end(), current, narrative))
    for label in find_titles(book.label, blank, part.start, part.end) if any(c.narrative for c in cuts) else ():
        before = [c for c in cuts if c.at < label.start("title")]
        if before and before[-1].narrative:
            cuts.append(_Cut(label.start("title"), label.end(), before[-1].axis, narrative=False))
            cuts.sort(key=lambda c: c.at)
    ends = [c.at for c in cuts[1:]] + [part.end]
    yield from zip(cuts, ends, strict=True)


def _is_of_others(sentence: str, axis: str, book: PopulationBook) -> bool:
    """True for a sentence about patients of some other state, which a run-in heading no longer heads."""
    lower = sentence.lower()
    return axis in _AGED and OF_OTHERS.search(lower) is not None and book.people[axis].search(lower) is None


def _behind_heading(reading: Reading, part: Part, end: int) -> int:
    """Where the first sentence of a numbered subsection begins, as far as its title can be told from it; else where the subsection does."""
    until = min(end, part.start + _LONGEST_TITLE)
    own = [t.start for t in reading.things_in(part.start, until) if t.own and t.start > part.start and _SUBJECT.match(reading.blank, t.end)]
    at = heading_end(reading.blank, part.start, until, [], own)
    return at if at < end and _FINITE.search(reading.blank, part.start, at) is None else part.start


def _axis_of_title(blank: str, part: Part, book: PopulationBook) -> str | None:
    """The population that the title of a numbered subsection names, None where it names none or several."""
    if not part.number:
        return None
    until = heading_end(blank, part.start, min(part.end, part.start + _LONGEST_TITLE), [], [])
    title = blank[part.start : until].lower()
    named = {axis for axis, pattern in book.people.items() if pattern.search(title)}
    if named == {"renal", "hepatic"}:
        return BOTH_ORGANS
    return named.pop() if len(named) == 1 else None


def _behind_labels(blank: str, start: int, end: int, book: PopulationBook) -> int:
    """Where the sentence begins behind its number, headings and labels."""
    at = start
    while at < end:
        number = _NUMBER.match(blank, at, end)
        m = book.opening.match(blank, at, end)
        step = m.end() if m is not None else number.end() if number is not None else at
        if step <= at:
            return at
        at = step
    return at


def _behind_title(blank: str, start: int, end: int, axis: str | None, book: PopulationBook) -> int:
    """Where the sentence begins behind a title of the population that flattened text runs into it ("... with Renal Impairment In patients with ...")."""
    until = min(end, start + _LONGEST_RUN_ON)
    m = _SENTENCE.search(blank, start, until) if any(blank.find(word, start, until) >= 0 for word in _SENTENCE_WORDS) else None
    if m is None:
        return start
    title = blank[start : m.start()]
    named = (book.people[axis],) if axis is not None and axis in book.people else tuple(book.people.values())
    return m.end() if _FINITE.search(title) is None and any(people.search(title.lower()) for people in named) else start


def routes_of(text: str, sentence: Sentence) -> tuple[str, ...]:
    """The route that a sentence restricts its advice to ("for oral dosing"), if it names one."""
    m = _BY_ROUTE.search(text, sentence.start, sentence.end)
    route = route_of(text, *m.span()) if m is not None else None
    return () if route is None else (route,)
