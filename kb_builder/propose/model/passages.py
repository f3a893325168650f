"""The pieces of a label that a model is shown: whole sentences of one section, in the folded text that offsets are kept in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.propose.chinese.inserts import is_chinese
from kb_builder.propose.model.slices import Slice, slices
from ontology.text.context import blank_references
from ontology.text.document import Document, Section, SectionState
from ontology.text.offsets import Shadow, fold
from ontology.text.sentences import split_units


@dataclass(frozen=True, slots=True)
class Passage:
    """`[start, end)` of a section's folded text, and what may be asked of it."""

    section: Section
    shadow: Shadow
    start: int
    end: int
    slice: Slice
    place: str

    @property
    def text(self) -> str:
        """The words shown."""
        return self.shadow.text[self.start : self.end]


def passages(document: Document, size: int) -> Iterator[Passage]:
    """The passages of at most `size` characters, longer only where one sentence is; none of the Highlights, which repeat, none in Chinese,
    which the gates of a model's claims do not read.
    """
    book = slices()
    for section in document.sections:
        part = book.get(section.key)
        if part is None or section.state is not SectionState.TEXT or section.repeats is not None or is_chinese(section.text):
            continue
        shadow = fold(section.text)
        for number, (start, end) in enumerate(_windows(shadow.text, size), 1):
            yield Passage(section, shadow, start, end, part, f"{document.set_id} {section.key} {number}")


def _windows(text: str, size: int) -> Iterator[tuple[int, int]]:
    start = end = None
    for unit in split_units(blank_references(text)):
        if start is not None and end is not None and unit.end - start > size:
            yield start, end
            start = None
        start = unit.start if start is None else start
        end = unit.end
    if start is not None and end is not None:
        yield start, end
