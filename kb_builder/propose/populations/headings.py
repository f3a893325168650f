"""What a heading says of the patients below it: under "Severe Renal Impairment" a sentence without a degree of its own is on the severe one.

The title of a numbered subsection on dosing names the use that its sentences are on; it is cited, and restricts nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.guards import ORGANS, guard_for, is_own
from kb_builder.propose.populations.passages import Sentence
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.spans import SpanRole

_DOSING = "dosage_and_administration"
_NUMBER_BEFORE = re.compile(r"\d{1,2}\.\d{1,2}\.?\s*$")
_LONGEST_NUMBER = 8


def title_above(reading: Reading, sentence: Sentence) -> tuple[tuple[tuple[int, int], SpanRole], ...]:
    """The title of the numbered subsection on dosing that a sentence stands in, as a place to cite; nothing elsewhere."""
    if reading.key != _DOSING or sentence.highlight:
        return ()
    here = next((b for b in reversed(reading.blocks) if b.statements and b.statements[0].start <= sentence.start), None)
    number = here.number if here is not None else None
    title = next((b.heading for b in reading.blocks if b.number == number and b.heading is not None), None) if number is not None else None
    if title is None or title[1] > sentence.start or _NUMBER_BEFORE.search(reading.blank, max(0, title[0] - _LONGEST_NUMBER), title[0]) is None:
        return ()
    return ((title, SpanRole.HEADING),)


def under_heading(axis: str, limits: Sequence[Restriction], heading: tuple[int, int] | None, reading: Reading, lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The restrictions of a sentence on an organ, behind the degree that its heading names where the sentence has none."""
    if heading is None or axis not in ORGANS or any(is_own(r, axis) for r in limits):
        return tuple(limits)
    things = reading.things_in(*heading)
    found = read_conditions(reading.blank, *heading, things, lexicon)
    return (*(r for r in guard_for(axis, reading.blank, heading, found, things, lexicon) if is_own(r, axis)), *limits)
