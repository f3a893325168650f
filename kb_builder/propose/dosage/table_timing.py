"""How often and how long doses of a table are given: what columns of timing say, and what a label says once for all its doses ("Administer X once daily")."""

from __future__ import annotations

import re
from dataclasses import replace

from kb_builder.propose.dosage.table_cells import Lent, timing_of
from kb_builder.propose.dosage.table_doses import doses_of_words
from kb_builder.propose.dosage.table_headers import Column, is_number
from kb_builder.propose.dosage.table_layout import Layout
from kb_builder.propose.dosage.table_words import ColumnKind, table_words
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.blocks import Reading
from ontology.model.dosing import Frequency
from ontology.text.tables import Cell, Table

Place = tuple[int, int]
Usual = tuple[Frequency, Place]
"""How often all doses are given, and the place that says so."""

_ORDER = re.compile(
    r"\b(?:administer|take|give|(?:should|must) be (?:administered|taken|given)|(?:is|are) to be (?:administered|taken|given))\b[^.;:\d]{0,50}?\b(?P<often>once (?:daily|a day|each day|every day)|as a single daily dose)\b(?!\s*(?:or|to|before \w+ or)\b)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:twice|three times|four times|two times|2 times|3 times) (?:daily|a day|per day)|\bdivided\b|\b[bt]\.?i\.?d\b|\bevery (?:other day|\d+ hours)|\bq ?\d+ ?h",
    re.IGNORECASE,
)
_NARROW = re.compile(r"\d\s*(?:mg|mcg|g|units?|mL|tablets?|capsules?)\b|\b(?:if|when|patients|children|adults|or|except|unless|in)\b", re.IGNORECASE)

_OFTEN = re.compile(
    r"\bevery (?:\d+|other) (?:hours?|days?|weeks?|months?)\b|\b(?:once|twice|three times|four times) (?:daily|weekly|a day|a week)\b", re.IGNORECASE
)
_SIGNS = re.compile(r"\s*[*†‡§¶ǂ‖#^]+\s*")  # marks of footnotes


def tells_how_alone(title: str) -> bool:
    """True for a title of doses that says beside that only by what route and how often they are given."""
    words = _OFTEN.sub(" ", title)
    return not table_words().tells(" ".join(w for w in words.split() if not dosage_words().routes_in(w)))


def timed(column: Column, cell: Cell, lent: Lent) -> Lent:
    """What is lent with how often or how long a cell of a column of timing says."""
    words = _SIGNS.sub("", cell.text)
    if column.kind is ColumnKind.DURATION:
        unit = next((w for w in ("day", "week", "month") if w in column.words), "")
        said = timing_of(f"for {words}{f' {unit}s' if is_number(words) and unit else ''}")
        return replace(lent, days=said.days)
    said = timing_of(f"every {words} hours" if is_number(words) and "hour" in column.words else words)
    return replace(lent, frequency=said.frequency or lent.frequency, days=said.days if said.days != (None, None) else lent.days)


def shared_timing(table: Table, layout: Layout, row: int, column: Column) -> Cell | None:
    """How often the row above in the same group says, where a row's own cell is empty."""
    group = table.groups[layout.printed(row)]
    for above in reversed([r for r in layout.rows if r < row]):
        if table.groups[layout.printed(above)] != group:
            return None
        cell = layout.grid.get((above, column.index))
        if cell is not None and cell.text:
            return cell
    return None


def timings_apart(layout: Layout) -> dict[int, tuple[Column, ...]]:
    """The columns of timing of each column of doses, by its place, where a table has several of a kind beside several of doses: each is said of the
    doses before it, or behind it where a timing stands first. Those that stand by no such order are said of no dose.
    """
    out: dict[int, tuple[Column, ...]] = {}
    doses = layout.of(ColumnKind.DOSE, ColumnKind.STEP)
    for kind in (ColumnKind.FREQUENCY, ColumnKind.DURATION):
        columns = layout.of(kind)
        if len(columns) < 2 or len(doses) < 2:
            continue
        first = columns[0].index < doses[0].index
        for column in columns:
            near = [d.index for d in doses if (d.index > column.index) == first]
            dose = (min(near) if first else max(near)) if near else -1
            between = [c for c in columns if min(dose, column.index) < c.index < max(dose, column.index)]
            if not between:
                out[dose] = (*out.get(dose, ()), column)
    return out


def once_daily(reading: Reading) -> Usual | None:
    """The frequency with the place that says it; None where the section says it of some doses only, or gives doses more often too."""
    if _OTHERWISE.search(reading.blank):
        return None
    for m in _ORDER.finditer(reading.blank):
        start = max(reading.blank.rfind(". ", 0, m.start()), reading.blank.rfind("\x01", 0, m.start())) + 1
        said = next((p.frequency for p in doses_of_words(f"1 mg {m['often']}")), None)
        if said is not None and not _NARROW.search(reading.blank, start, m.start("often")):
            return said, m.span()
    return None
