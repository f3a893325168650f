"""The use that a naming cell of a table is, apart from what it says of the patient beside it."""

from __future__ import annotations

import re
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.table_bands import read_band
from kb_builder.propose.dosage.table_doses import paragraphs_of
from kb_builder.propose.dosage.table_guards import cell_conditions, prose_conditions
from kb_builder.propose.dosage.table_layout import Layout
from kb_builder.propose.dosage.table_names import uses_named
from kb_builder.propose.dosage.table_words import ColumnKind
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target
from ontology.model.facts import Axis
from ontology.model.guards import Category, HasCondition, Interval, Opaque, leaves
from ontology.text.tables import Cell

_CITED = re.compile(r"\s*(?:\x01.*|\((?:[^()]*\)\W*|[^()]*))$")
_MARKS = re.compile(r"\s+[a-z](?:,[a-z])*$")  # letters that call footnotes
_AGED = re.compile(
    r"(?<=\w)[\s,:(-]+(?P<age>(?:(?:under|over|above|below|at least|less than|[<>≤≥])\s*)?\d+(?:\s*(?:-|to)\s*\d+)?\s*(?:yrs?|years?)(?: and (?:older|over))?)[\s.)]*$",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\W*(?P<use>[A-Za-z][\w'/ ]{2,60}?) ?[-:] (?P<tail>.*\b(?:adults?|pediatric|children|adolescents?|infants?|patients|years|monotherapy|adjunct\w*|combination)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
"""A use and behind a dash whom it is treated in, with what ("Bipolar mania - adults, as an adjunct to lithium")."""
_BOTH_SEXES = re.compile(r"\b(?:men and women|women and men|males and females|females and males)\b", re.IGNORECASE)
_WAYS = re.compile(r"[\s,;:]+(?P<ways>(?:as )?(?:monotherapy|(?:an )?adjunct\w*)\b.*)", re.IGNORECASE | re.DOTALL)
_EITHER = re.compile(r"(?:as )?monotherapy (?:or|and) (?:as )?(?:an )?adjunct", re.IGNORECASE)  # alone or with a partner: no condition
_TAIL = re.compile(r"(?:[\s,;:-]|\b(?:in|for|with|of|and|or|the|all)\b)+$", re.IGNORECASE)


def with_uses(reading: Reading, lexicon: Lexicon, layout: Layout, indications: str) -> Layout:
    """The layout with its first column as one of uses where that has no name and half of its cells name what the label is indicated for, none people."""
    first, *others = layout.columns
    if first.kind is not ColumnKind.CONDITION or first.words:
        return layout
    cells = {id(c): c for row in layout.rows if (c := layout.grid.get((row, first.index))) is not None and c.placed}.values()
    found = [[leaf for r in cell_conditions(reading, lexicon, c, None, "") for leaf in leaves(r.guard)] for c in cells]
    named = sum(any(isinstance(leaf, HasCondition) and leaf.words.lower() in indications for leaf in held) for held in found)
    if not named or 2 * named < len(found) or any(isinstance(leaf, Interval | Category) for held in found for leaf in held):
        return layout
    return replace(layout, columns=(replace(first, kind=ColumnKind.INDICATION), *others))


def use_of_cell(reading: Reading, lexicon: Lexicon, cell: Cell, conditions: list[Restriction], indications: str) -> list[Target]:
    """The indication that a cell is; what it says of the patient beside it is added to the conditions and is no part of its words."""
    apart = _APART.match(reading.blank, cell.start, cell.end)
    if apart is not None and (" ".join(apart["use"].lower().split()) in indications or _is_state(reading, apart.span("use"))):
        ways = _WAYS.search(reading.blank, apart.start("tail"), cell.end)
        whom = (apart.start("tail"), ways.start() if ways is not None else cell.end)
        places = [whom, *([ways.span("ways")] if ways is not None and not _EITHER.match(ways["ways"]) else [])]
        for start, end in places:
            conditions += cell_conditions(reading, lexicon, replace(cell, start=start, end=end, pieces=((start, end),)), None, "")
        return uses_named(" ".join(apart["use"].split()), lexicon)
    lines = [replace(cell, start=s, end=e, pieces=((s, e),)) for s, e in paragraphs_of(reading.shadow.text, cell)]
    named = [r for c in (cell, *lines[1:]) for r in cell_conditions(reading, lexicon, c, None, "")]
    named = [r for r in named if all(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))]
    read = [*named, *prose_conditions(reading, lexicon, (cell.start, cell.end))]
    found: list[Restriction] = []
    for r in read:
        of_one_sex = isinstance(r.guard, Category) and r.guard.axis is Axis.SEX and _BOTH_SEXES.search(reading.blank, cell.start, cell.end) is not None
        if not of_one_sex and not any(isinstance(leaf, Opaque | HasCondition) for leaf in leaves(r.guard)) and all(r.guard != f.guard for f in found):
            found.append(r)
    aged = _AGED.search(reading.blank, cell.start, cell.end)
    band = read_band(aged["age"], Axis.AGE, "") if aged is not None and not any(r.end > aged.start("age") for r in found) else None
    if aged is not None and band is not None:
        found.append(Restriction(band, *aged.span("age")))
    conditions += found
    people = [r.start for r in found if all(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))]
    for end in (min(people, default=cell.end), cell.end):
        words = _TAIL.sub("", _CITED.sub("", reading.blank[cell.start : end]))
        words = " ".join(words.split()).strip(" ,.;:*†‡§•-")
        words = _MARKS.sub("", words) if cell.notes else words
        if re.search(r"[A-Za-z]{2}", words):
            return uses_named(words, lexicon)
    return []


def _is_state(reading: Reading, place: tuple[int, int]) -> bool:
    """True where all of the words are the name of a state."""
    return any(t.kind is Kind.STATE and t.start <= place[0] and place[1] <= t.end for t in reading.things_in(*place))
