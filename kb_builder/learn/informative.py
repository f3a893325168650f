"""The sentences of one label that say something a claim could hold, and the cues that show it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kb_builder.learn.residue_book import Cue, residue_book
from kb_builder.propose.reading.frames import find_frames, frame_book
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, Lexicon
from ontology.model.identifiers import EntityId
from ontology.store.records import SectionRecord
from ontology.text.context import blank_references
from ontology.text.document import HIGHLIGHTS
from ontology.text.mentions import Mention
from ontology.text.offsets import Shadow, fold
from ontology.text.sections import split_parts
from ontology.text.sentences import Unit, split_units

_LETTER = re.compile(r"[a-z]")
_FRAME_WORDS = re.compile(
    r"avoid|not|contra|should|must|reduc|decreas|lower|increas|adjust|titrat|modif|hal[fv]|doubl|individual|dos|exceed|maximum|limit|monitor|observ|watch|check|measur|caution|care|aware"
    r"|alert|weigh|consider|separat|stagger|hour|interval|elapse|discontinu|suspend|withh|interrupt|stop|alternat|select|substitut|reserve|advis|inform|benefit|follow|determin|assess|evaluat|obtain|frequent"
)
"""Every action frame holds one of these; looking for them first is what makes a label's sentences quick to read."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An informative sentence: raw offsets, words, the cues with the offset in `lower` of each, and the names in it with their types."""

    section: str
    start: int
    end: int
    text: str
    lower: str
    cues: tuple[tuple[str, int], ...]
    names: tuple[tuple[int, int, str], ...]
    partners: tuple[tuple[EntityId, ...], ...]
    highlight: bool

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of its cues."""
        return frozenset(kind for kind, _ in self.cues)


class SentenceReader:
    """Reads sections for informative sentences. Built once; knows the vocabulary's names."""

    def __init__(self, lexicon: Lexicon, kinds: Iterable[str] = ()) -> None:
        """Only sentences with a cue of these kinds are given, or all."""
        self._lexicon = lexicon
        self._book = residue_book()
        self._kinds = frozenset(kinds)

    def sentences(self, section: SectionRecord, own: frozenset[EntityId]) -> Iterator[Sentence | None]:
        """The sentences of a section in order, None for each that is not informative. `own` are the label's subject and ingredients."""
        key = (section.repeats or section.key).removeprefix(HIGHLIGHTS)
        if key not in self._book.read:
            return
        shadow = fold(section.text)
        blank = blank_references(shadow.text)
        mentions = self._lexicon.mentions(shadow)
        starts = [m.start for m in mentions]
        highlight = section.repeats is not None or section.key.startswith(HIGHLIGHTS)
        for part in split_parts(shadow.text, blank):
            for unit in split_units(blank, part.start, part.end):
                inside = mentions[bisect_left(starts, unit.start) : bisect_left(starts, unit.end)]
                yield self._sentence(key, shadow, blank, unit, inside, own, highlight=highlight or part.zone.value == "highlights")

    def _sentence(
        self, key: str, shadow: Shadow, blank: str, unit: Unit, mentions: Sequence[Mention], own: frozenset[EntityId], *, highlight: bool
    ) -> Sentence | None:
        lower = blank[unit.start : unit.end].lower()
        if len(lower) != unit.end - unit.start or _LETTER.search(lower) is None:
            return None
        cues = tuple(self._cues(key, lower, [m for m in mentions if own.isdisjoint(m.ids)]))
        if not cues or (self._kinds and self._kinds.isdisjoint(kind for kind, _ in cues)):
            return None
        start, end = shadow.raw_span(unit.start, unit.end)
        names = tuple((m.start - unit.start, m.end - unit.start, "Product" if not own.isdisjoint(m.ids) else m.ids[0].type) for m in mentions)
        partners = tuple(m.ids for m in mentions if own.isdisjoint(m.ids) and any(i.type in PARTNER_TYPES for i in m.ids))
        return Sentence(key, start, end, shadow.text[unit.start : unit.end], lower, cues, names, partners, highlight)

    def _cues(self, key: str, lower: str, mentions: Sequence[Mention]) -> Iterator[tuple[str, int]]:
        told = key in self._book.told
        for cue in self._book.cues:
            if (cue.sections and key not in cue.sections) or (told and cue.kind not in ("instruction", "contraindication")):
                continue
            at = _place(cue, lower, mentions)
            if at is not None:
                yield cue.kind, at


def _place(cue: Cue, lower: str, mentions: Sequence[Mention]) -> int | None:
    """Where the sentence has the cue, or None."""
    if cue.named == "frame":
        frames = [f for f in find_frames(lower) if not f.negated] if _FRAME_WORDS.search(lower) else []
        return frames[0].start if frames else None
    if cue.named == "partner":
        named = any(i.type in PARTNER_TYPES for m in mentions for i in m.ids)
        effect = frame_book().effects.search(lower) if named else None
        return effect.start() if effect is not None else None
    found = cue.pattern.search(lower) if cue.pattern is not None else None
    if found is None or (cue.beside is not None and cue.beside.search(lower) is None):
        return None
    return found.start()
