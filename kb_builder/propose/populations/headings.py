"""What a heading says of the patients below it: under "Severe Renal Impairment" a sentence without a degree of its own is on the severe one."""

from __future__ import annotations

from collections.abc import Sequence

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.guards import ORGANS, guard_for, is_own
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon


def under_heading(axis: str, limits: Sequence[Restriction], heading: tuple[int, int] | None, reading: Reading, lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The restrictions of a sentence on an organ, behind the degree that its heading names where the sentence has none."""
    if heading is None or axis not in ORGANS or any(is_own(r, axis) for r in limits):
        return tuple(limits)
    things = reading.things_in(*heading)
    found = read_conditions(reading.blank, *heading, things, lexicon)
    return (*(r for r in guard_for(axis, reading.blank, heading, found, things, lexicon) if is_own(r, axis)), *limits)
