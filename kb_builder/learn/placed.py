"""Facts with their place in a release's text: the quote, the sentence around it, and for a said fact its claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from kb_builder.assemble.edges import EXTRACTOR
from kb_builder.learn.flat import FlatFact, flat_fact
from kb_builder.publish.facts import FactWriter, printed_substances
from ontology.model.claims import Claim, ClaimStatus
from ontology.store.records import DocumentRecord
from ontology.store.release import Release
from ontology.text.context import blank_references
from ontology.text.offsets import fold
from ontology.text.sentences import split_units

RELEASED = (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED)
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Place:
    """Raw offsets in one section, and the sentence that holds them, on one line."""

    section: str
    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Said:
    """A fact that a release states: the claim it comes from, who found it, all places it cites; `stands` is False where its quote is not the text."""

    fact: FlatFact
    claim: str
    predicate: str
    extractor: str
    places: tuple[tuple[str, int, int], ...]
    stands: bool


class LabelText:
    """The section texts of one label, every version of it."""

    def __init__(self, sections: Iterable[tuple[str, str]]) -> None:
        self._sections: dict[str, list[str]] = {}
        for key, text in sections:
            self._sections.setdefault(key, []).append(text)

    @classmethod
    def of(cls, release: Release, records: Iterable[DocumentRecord]) -> LabelText:
        """The texts that a release keeps of these document versions."""
        return cls((section.key, section.text) for record in records for section in release.sections(record.set_id, record.version))

    def stands(self, section: str, start: int | None, end: int | None, quote: str) -> bool:
        """True when the quote is the text at its offsets."""
        return start is not None and end is not None and bool(quote) and any(text[start:end] == quote for text in self._sections.get(section, ()))

    def locate(self, section: str, quote: str) -> Place | None:
        """Where a quote without offsets stands, white space aside; None where it does not."""
        words = quote.split()
        if not words:
            return None
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
        for key in (section, *(k for k in self._sections if k != section)):
            for text in self._sections.get(key, ()):
                if (m := pattern.search(text)) is not None:
                    return Place(key, m.start(), m.end(), sentence_at(text, m.start(), m.end()))
        return None

    def sentence(self, section: str, start: int, end: int) -> str:
        """The sentence that holds the offsets, on one line; empty where there is no such section."""
        return next((sentence_at(text, start, end) for text in self._sections.get(section, ()) if end <= len(text)), "")


def said_facts(release: Release, set_id: str, text: LabelText) -> list[Said]:
    """The facts that the released claims of a label state, each meaning once, the first claim's."""
    writer = FactWriter(release, printed_substances(release))
    out: dict[tuple[object, ...], Said] = {}
    for said in _every(release, set_id, text, writer):
        out.setdefault(said.fact.meaning, said)
    return list(out.values())


def sentence_at(text: str, start: int, end: int) -> str:
    """The sentences of a text that the offsets touch, on one line and not longer than a screen's few lines."""
    units = [(a, b) for a, b in _sentences(text) if a < end and start < b]
    first, last = (min(start, units[0][0]), max(end, units[-1][1])) if units else (start, end)
    line = " ".join(text[first:last].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


@lru_cache(maxsize=16)
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    shadow = fold(text)
    return tuple(shadow.raw_span(u.start, u.end) for u in split_units(blank_references(shadow.text)))


def _every(release: Release, set_id: str, text: LabelText, writer: FactWriter) -> Iterator[Said]:
    for claim in release.claims(RELEASED, document=set_id):
        if claim.provenance.extractor != EXTRACTOR:
            yield from (_said(flat_fact(fact), claim, text) for fact in writer.facts(claim))


def _said(fact: FlatFact, claim: Claim, text: LabelText) -> Said:
    places = tuple((span.section, span.start, span.end) for span in claim.evidence)
    stands = text.stands(fact.section, fact.start, fact.end, fact.quote)
    return Said(fact, claim.id, claim.predicate, f"{claim.provenance.extractor} {claim.provenance.version}", places, stands)
