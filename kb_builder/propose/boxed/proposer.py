"""Boxed warnings: the hazards a label's box names, each with the patients it is said of.

The box's title names the subjects, its sentences say in whom. Where a sentence tells of a title's hazard, the sentence's patients hold; a title
alone holds for whom it names, or for everyone. What happens together with another drug is an interaction, and no claim here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb_builder.propose.boxed.book import boxed_book
from kb_builder.propose.boxed.hazards import Hazard, read_hazards, short_names
from kb_builder.propose.boxed.sentences import Told, find_told
from kb_builder.propose.boxed.titles import Title, find_titles, shouted_end, split_title
from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import Reading, Statement, read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, thing_finder
from kb_builder.propose.watching.times import masked
from kb_builder.propose.watching.whom import patients_of
from ontology.model.advice import Action, Step
from ontology.model.claims import Provenance, Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, Exposure, Opaque, leaves
from ontology.text.context import is_animal
from ontology.text.document import Document
from ontology.text.headings import heading_end

_SECTION = "boxed_warning"
_COLON = re.compile(r"[A-Z][\w ,/-]{3,80}:\s")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_LONGEST = 900  # characters of a sentence; what is longer is a list without its layout


@dataclass(frozen=True, slots=True)
class Warned:
    """One hazard with its patients, from a title or a sentence at `place`."""

    hazard: Hazard
    limits: tuple[Restriction, ...]
    place: tuple[int, int]
    highlight: bool = False
    report: bool = False


class BoxedWarningProposer:
    """Proposes `has_boxed_warning` claims."""

    name = "boxed-warnings"
    version = f"1.{boxed_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The hazards of the document's box, each once for the same patients."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        provenance = Provenance(self.name, self.version)
        said: set[object] = set()
        for _, section in sections_of(document, (_SECTION,)):
            if chinese.is_chinese(section.text):
                continue
            reading = read_section(section, finder)
            for one in settled(list(read_titles(reading, lexicon)), list(read_sentences(reading, lexicon))):
                draft = _draft(reading, one)
                key = (draft.target.id, repr(joined(draft.limits)))
                if key not in said and (proposal := propose_draft(draft, document, subject, provenance)) is not None:
                    said.add(key)
                    yield proposal


def settled(titled: list[Warned], told: list[Warned]) -> list[Warned]:
    """What the sentences tell, with the title's patients where a sentence has none, and the hazards that only a title names."""
    out: list[Warned] = []
    for one in told:
        titles = [t for t in titled if t.hazard.is_same(one.hazard)]
        own = () if one.report and any(t.hazard.is_like(one.hazard) for t in titled) else one.limits
        inherited = () if any(not t.limits for t in titles) else next((t.limits for t in titles), ())
        out.append(replace(one, limits=own or inherited))
    full = [o for o in out if not o.highlight]
    kept = full + [o for o in out if o.highlight and not any(o.hazard.is_like(f.hazard) for f in full)]
    for title in sorted(titled, key=lambda t: not t.limits):
        if not any(title.hazard.is_same(o.hazard) or (not title.limits and title.hazard.is_like(o.hazard)) for o in kept):
            kept.append(title)
    return [o for o in kept if not any(_is_wider(other, o) for other in kept)]


def _is_wider(one: Warned, other: Warned) -> bool:
    """True where both name one hazard and the first is said of some patients among whom are all of the second."""
    first, second = {repr(r.guard) for r in one.limits}, {repr(r.guard) for r in other.limits}
    return bool(first) and first < second and one.hazard.target.id == other.hazard.target.id


def read_titles(reading: Reading, lexicon: Lexicon) -> Iterator[Warned]:
    """The hazards of the box's titles and of the headings in it."""
    text = reading.blank
    places = dict.fromkeys(find_titles(text))
    for block in reading.blocks:
        if block.heading is not None and boxed_book().opens_aside.match(text, block.heading[0]) is None:
            end = shouted_end(text, *block.heading)
            places.setdefault((block.heading[0], end if end > block.heading[0] else block.heading[1]))
        for statement in block.statements:
            end = head_end(text, statement)
            if end > statement.start:
                places.setdefault((statement.start, end))
    for place in places:
        for title in split_title(text, *place):
            limits = _patients_of_title(reading, title, lexicon)
            if limits is not None:
                yield from (Warned(h, limits, title.whole) for h in read_hazards(text, *title.head, lexicon, cut=False, some=bool(limits)))


def head_end(text: str, statement: Statement) -> int:
    """Where the heading ends that a sentence is printed behind: in capitals, closed by a colon, or in title case."""
    end = shouted_end(text, statement.start, statement.end)
    if end > statement.start:
        return end
    colon = _COLON.match(text, statement.start, statement.end)
    if colon is not None:
        return colon.end() - 2
    things = [(t.start, t.end) for t in statement.things]
    end = heading_end(text, statement.start, statement.end, things, [t.start for t in statement.things if t.own])
    no_heading = boxed_book().opens_aside.match(text, statement.start) or boxed_book().quiet.search(text, statement.start, end)
    return statement.start if no_heading else end


def _patients_of_title(reading: Reading, title: Title, lexicon: Lexicon) -> tuple[Restriction, ...] | None:
    """Whom a title speaks of; None where it speaks of another drug."""
    book = boxed_book()
    start, end = title.rest
    words = reading.blank[start:end]
    if not _LETTERS.search(words):
        return ()
    things = reading.things_in(start, end)
    if book.partner.search(words) or any(t.kind is Kind.PARTNER and not t.own for t in things):
        return None
    bare = words
    for thing in (t for t in things if t.own):
        bare = bare.replace(reading.blank[thing.start : thing.end], " ")
    if book.own_use.match(bare):
        return ()
    lead = len(words) - len(words.lstrip(" ,"))
    described = book.described.match(words.lstrip(" ,"))
    if described is not None:
        behind = re.search(r"(?i)\sin\s", words)
        if behind is None:
            return ()
        lead = behind.start() + 1
    found = read_label_conditions(reading.blank, start + lead, end, [t for t in things if t.kind is not Kind.PARTNER], lexicon)
    if not found:
        return (Restriction(Opaque(" ".join(words.split()).lower()), start, end),)
    return tuple(r for r in found if not any(isinstance(leaf, Exposure) for leaf in leaves(r.guard)))


def read_sentences(reading: Reading, lexicon: Lexicon) -> Iterator[Warned]:
    """The hazards that the box's sentences tell of in people, each with the patients its sentence names."""
    names = short_names(reading.blank)
    for block in reading.blocks:
        for statement in block.statements:
            start = head_end(reading.blank, statement)
            text = reading.blank[start : statement.end]
            if len(text) > _LONGEST or is_animal(text) or boxed_book().closes.search(text):
                continue
            own = [t for t in statement.things if t.own and t.start >= start]
            for told in find_told(reading.blank, start, statement.end, [(t.start, t.end) for t in own], lexicon, names):
                limits = _patients(reading, statement, start, told, lexicon)
                if limits is not None:
                    yield from (Warned(h, limits, (statement.start, statement.end), statement.highlight, told.report) for h in told.hazards)


def _patients(reading: Reading, statement: Statement, start: int, told: Told, lexicon: Lexicon) -> tuple[Restriction, ...] | None:
    """The patients and circumstances that a sentence names beside its hazard; None where it is about another drug too."""
    printed = reading.blank[start : statement.end]
    hidden = [(s - start, e - start) for s, e in (*told.hidden, *((told.circumstance,) if told.circumstance is not None else ()))]
    text = masked(printed, hidden, ";")
    inside = [replace(t, start=t.start - start, end=t.end - start) for t in statement.things if t.start >= start]
    own = {printed[t.start : t.end]: t for t in inside if t.own}
    things = [t for t in inside if not any(s < t.end and t.start < e for s, e in hidden)]
    if told.circumstance is not None and boxed_book().partner.search(reading.blank, *told.circumstance):
        return None
    if boxed_book().partner.search(text):
        return None
    found = patients_of(text, [(0, len(text) if told.reach is None else told.reach - start)], things, own, lexicon)
    if found is None:
        return None
    limits = [replace(r, start=r.start + start, end=r.end + start) for r in found]
    if told.circumstance is not None:
        limits.insert(0, Restriction(Opaque(" ".join(reading.blank[slice(*told.circumstance)].split())), *told.circumstance))
    return tuple(limits)


def _draft(reading: Reading, one: Warned) -> Draft:
    limits = one.limits
    if boxed_book().unborn.search(one.hazard.target.words) and not any(
        getattr(leaf, "axis", None) is Axis.PREGNANCY for r in limits for leaf in leaves(r.guard)
    ):
        limits = (*limits, Restriction(Category(Axis.PREGNANCY, ("yes",)), one.hazard.start, one.hazard.end))
    return Draft(
        reading,
        "has_boxed_warning",
        one.hazard.target,
        (one.hazard.start, one.hazard.end),
        one.place,
        (Step(Action.CAUTION),),
        limits=limits,
        strength=Strength.MUST,
        highlight=one.highlight,
    )
