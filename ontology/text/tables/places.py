"""Where the runs of a table's text stand in the flat text.

A table mostly stands there as one piece: its caption, cells and footnotes in the order of the markup. Then every run has one exact place. Where the
flat text lacks something or keeps it elsewhere, runs are matched one by one, whole and in order, and a run that does not stand there has no place.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ontology.text.tables.chains import Candidate, heaviest_chain
from ontology.text.tables.flat import Flat
from ontology.text.tables.loose import ANCHOR, MAX_PLACES, Ground, is_free, place_loosely
from ontology.text.tables.model import Place


@dataclass(frozen=True, slots=True)
class Wanted:
    """The squeezed runs of one table in the order of its markup, and which of them are footnotes."""

    runs: list[str]
    aside: frozenset[int] = frozenset()

    @property
    def whole(self) -> str:
        """All runs as one text."""
        return "".join(self.runs)


RunPlaces = list[Place | None]
"""For each run its offsets in the squeezed text; None for a run without text, or one that is not found."""


def place_tables(flat: Flat, tables: Sequence[Wanted]) -> list[RunPlaces | None]:
    """The places of each table's runs; None for a table that does not stand in the text. Tables keep their order where the text allows it, and never overlap."""
    wholes = [table.whole for table in tables]
    occurrences = {whole: _occurrences(flat, whole, MAX_PLACES + count) for whole, count in Counter(wholes).items()}
    at = _settle([occurrences[whole] for whole in wholes], wholes)
    taken = sorted((start, start + len(w)) for start, w in zip(at, wholes, strict=True) if start is not None)
    out: list[RunPlaces | None] = []
    for index, table in enumerate(tables):
        start = at[index]
        if start is not None:
            out.append(_consecutive(table.runs, start))
            continue
        before = max((s + len(w) for s, w in zip(at[:index], wholes[:index], strict=True) if s is not None), default=0)
        loose = place_loosely(Ground(flat, before, taken), table.runs, table.aside)
        if loose is None and before:
            loose = place_loosely(Ground(flat, 0, taken), table.runs, table.aside)
        if loose is not None:
            insort(taken, _stretch(table, loose))
        out.append(None if loose is None else [(loose[i], loose[i] + len(run)) if i in loose else None for i, run in enumerate(table.runs)])
    return out


def _stretch(table: Wanted, places: dict[int, int]) -> Place:
    """From the first to the last run of a table that is no footnote."""
    main = [(at, at + len(table.runs[i])) for i, at in places.items() if i not in table.aside]
    return min(main)[0], max(end for _, end in main)


def _occurrences(flat: Flat, whole: str, most: int) -> list[int]:
    """Where a text stands: apart from the words around it; a long one, where it never does, also glued to them."""
    apart: list[int] = []
    glued: list[int] = []
    at = flat.squeezed.find(whole) if whole else -1
    while at >= 0 and len(apart) + len(glued) < most:
        (apart if flat.apart(at, at + len(whole)) else glued).append(at)
        at = flat.squeezed.find(whole, at + 1)
    return apart or (glued if len(whole) >= ANCHOR else [])


def _settle(found: list[list[int]], wholes: list[str]) -> list[int | None]:
    """One place for each table that has any: first those with a single place in rising order, then the others behind the one before them."""
    at: list[int | None] = [None] * len(found)
    singles = [Candidate(i, f[0], len(wholes[i]), len(wholes[i])) for i, f in enumerate(found) if len(f) == 1]
    chain = [c.item for c in heaviest_chain(singles)]
    for i in chain:
        at[i] = found[i][0]
    taken = sorted((found[i][0], found[i][0] + len(wholes[i])) for i in chain)
    low = 0
    for i, places in enumerate(found):
        size = len(wholes[i])
        if at[i] is None and places:
            first = bisect_left(places, low)
            chosen = next((p for p in (*places[first:], *places[:first]) if is_free(taken, p, p + size)), None)
            if chosen is not None:
                at[i] = chosen
                insort(taken, (chosen, chosen + size))
        start = at[i]
        low = low if start is None else start + size
    return at


def _consecutive(runs: list[str], start: int) -> RunPlaces:
    out: RunPlaces = []
    for run in runs:
        out.append((start, start + len(run)) if run else None)
        start += len(run)
    return out
