"""Where the runs of a table's text stand in the flat text.

A table mostly stands there as one piece: its caption, cells and footnotes in the order of the markup. Then every run has one exact place. Where the
flat text lacks something or keeps it elsewhere, runs are matched one by one, whole and in order, and a run that does not stand there has no place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

from ontology.text.tables.flat import Flat
from ontology.text.tables.model import Place

MAX_PLACES = 64
"""Places of one text that are looked at."""
MAX_CANDIDATES = 100_000
MAX_WORK = 1_000_000_000
"""Characters that are searched for one table."""
_ANCHOR = 12
"""Characters from which on a run is told apart from others by its text."""
_ENOUGH = 0.5
"""Share of a table's characters that must stand in the flat text."""
_SPREAD = 3
"""How many times as long as the table the stretch may be in which its runs stand."""
_SLACK = 400


@dataclass(frozen=True, slots=True)
class Wanted:
    """The squeezed runs of one table in the order of its markup."""

    runs: list[str]

    @property
    def whole(self) -> str:
        """All runs as one text."""
        return "".join(self.runs)


RunPlaces = list[Place | None]
"""For each run its offsets in the squeezed text; None for a run without text, or one that is not found."""


def place_tables(flat: Flat, tables: Sequence[Wanted]) -> list[RunPlaces | None]:
    """The places of each table's runs; None for a table that does not stand in the text. Tables keep their order where the text allows it, and never overlap."""
    wholes = [table.whole for table in tables]
    cache: dict[str, list[int]] = {}
    found = [cache.setdefault(w, _occurrences(flat, w)) if w not in cache else cache[w] for w in wholes]
    at = _settle(found, wholes)
    taken = sorted((start, start + len(w)) for start, w in zip(at, wholes, strict=True) if start is not None)
    out: list[RunPlaces | None] = []
    for index, table in enumerate(tables):
        start = at[index]
        if start is not None:
            out.append(_consecutive(table.runs, start))
            continue
        before = max((s + len(w) for s, w in zip(at[:index], wholes[:index], strict=True) if s is not None), default=0)
        loose = _place_loosely(flat, table, before, taken) or (_place_loosely(flat, table, 0, taken) if before else None)
        if loose is not None:
            placed = [p for p in loose if p is not None]
            insort(taken, (placed[0][0], placed[-1][1]))
        out.append(loose)
    return out


def _occurrences(flat: Flat, whole: str) -> list[int]:
    """Where a text stands: apart from the words around it; a long one, where it never does, also glued to them."""
    apart: list[int] = []
    glued: list[int] = []
    at = flat.squeezed.find(whole) if whole else -1
    while at >= 0 and len(apart) + len(glued) < MAX_PLACES:
        (apart if flat.apart(at, at + len(whole)) else glued).append(at)
        at = flat.squeezed.find(whole, at + 1)
    return apart or (glued if len(whole) >= _ANCHOR else [])


def _settle(found: list[list[int]], wholes: list[str]) -> list[int | None]:
    """One place for each table that has any: first those with a single place in rising order, then the others between their neighbours."""
    at: list[int | None] = [None] * len(found)
    chain = _rising([(i, f[0], len(wholes[i])) for i, f in enumerate(found) if len(f) == 1])
    for i in chain:
        at[i] = found[i][0]
    taken = sorted((found[i][0], found[i][0] + len(wholes[i])) for i in chain)
    for i, places in enumerate(found):
        if at[i] is not None or not places:
            continue
        low = next((s + len(wholes[j]) for j in range(i - 1, -1, -1) if (s := at[j]) is not None), 0)
        high = next((found[j][0] for j in range(i + 1, len(found)) if at[j] is not None), None)
        free = [p for p in places if _is_free(taken, p, p + len(wholes[i]))]
        between = [p for p in free if p >= low and (high is None or p + len(wholes[i]) <= high)]
        chosen = between[0] if between else free[0] if free else None
        if chosen is not None:
            at[i] = chosen
            insort(taken, (chosen, chosen + len(wholes[i])))
    return at


def _rising(items: list[tuple[int, int, int]]) -> list[int]:
    """The heaviest chain of (index, place, weight) items with rising, not overlapping places."""
    ends: list[int] = []  # rising ends, with rising scores
    scores: list[int] = []
    lasts: list[int] = []
    back: dict[int, int] = {}
    for n, (_, place, size) in enumerate(items):
        k = bisect_right(ends, place) - 1
        score = size + (scores[k] if k >= 0 else 0)
        back[n] = lasts[k] if k >= 0 else -1
        end = place + size
        at = bisect_left(ends, end)
        if at > 0 and scores[at - 1] >= score:
            continue
        stop = at
        while stop < len(ends) and scores[stop] <= score:
            stop += 1
        if stop == at and at < len(ends) and ends[at] == end:
            continue
        ends[at:stop], scores[at:stop], lasts[at:stop] = [end], [score], [n]
    out: list[int] = []
    n = lasts[-1] if lasts else -1
    while n >= 0:
        out.append(items[n][0])
        n = back[n]
    return out[::-1]


def _is_free(taken: list[Place], start: int, end: int) -> bool:
    k = bisect_right(taken, (start, end))
    return (k == 0 or taken[k - 1][1] <= start) and (k == len(taken) or taken[k][0] >= end)


def _consecutive(runs: list[str], start: int) -> RunPlaces:
    out: RunPlaces = []
    for run in runs:
        out.append((start, start + len(run)) if run else None)
        start += len(run)
    return out


def _place_loosely(flat: Flat, table: Wanted, after: int, taken: list[Place]) -> RunPlaces | None:
    """Places of single runs in order: long ones first, then the short ones in the gaps between them. None when too little of the table is found."""
    total = sum(map(len, table.runs))
    if not total:
        return None
    long = [i for i, run in enumerate(table.runs) if len(run) >= _ANCHOR]
    step = 1 + len(long) * len(flat.squeezed) // MAX_WORK
    anchors = _chain(flat, [(i, after, len(flat.squeezed)) for i in long[::step]], table.runs, taken)
    if not anchors and len(table.runs) * len(flat.squeezed) > MAX_WORK:
        return None
    gaps = _gaps(table.runs, anchors, after, len(flat.squeezed))
    places = {**anchors, **_chain(flat, gaps, table.runs, taken)}
    matched = sum(len(table.runs[i]) for i in places)
    if matched < total * _ENOUGH or matched < min(total, _ANCHOR):
        return None
    spread = max(s + len(table.runs[i]) for i, s in places.items()) - min(places.values())
    if spread > total * _SPREAD + _SLACK:
        return None
    return [(places[i], places[i] + len(run)) if i in places else None for i, run in enumerate(table.runs)]


def _gaps(runs: list[str], anchors: dict[int, int], after: int, length: int) -> list[tuple[int, int, int]]:
    """The runs that are no anchors, each with the bounds within which it can stand."""
    out: list[tuple[int, int, int]] = []
    begin, low = 0, after
    for i in [*sorted(anchors), len(runs)]:
        room = sum(map(len, runs[begin:i])) * _SPREAD + _SLACK
        high = anchors.get(i, min(length, low + room) if begin else length)
        floor = low if begin else max(low, high - room) if anchors else low
        out += [(j, floor, high) for j in range(begin, i) if runs[j]]
        if i in anchors:
            begin, low = i + 1, anchors[i] + len(runs[i])
    return out


def _chain(flat: Flat, wanted: list[tuple[int, int, int]], runs: list[str], taken: list[Place]) -> dict[int, int]:
    """The places of runs, each sought within its bounds, that rise with the runs and hold most characters."""
    items: list[tuple[int, int, int]] = []
    for i, low, high in wanted:
        run, count, at = runs[i], 0, flat.squeezed.find(runs[i], low, high)
        places: list[int] = []
        while at >= 0 and count < MAX_PLACES:
            if flat.apart(at, at + len(run)) and _is_free(taken, at, at + len(run)):
                places.append(at)
            count += 1
            at = flat.squeezed.find(run, at + 1, high)
        items += [(i, at, len(run)) for at in reversed(places)]
        if len(items) > MAX_CANDIDATES:
            break
    return dict(_rising_places(items))


def _rising_places(items: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The heaviest chain over (run, place, weight) with at most one place a run: a run's places come in falling order, so that none follows another."""
    keyed = [(n, place, size) for n, (_, place, size) in enumerate(items)]
    return [(items[n][0], items[n][1]) for n in _rising(keyed)]
