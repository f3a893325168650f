"""Where single runs of a table stand in flat text that has lost some of them or keeps its footnotes elsewhere.

Long runs are placed first, in order; short ones only next to what is placed, because a lone "5 mg" may be anybody's. What is not found has no place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ontology.text.tables.chains import Candidate, heaviest_chain
from ontology.text.tables.flat import Flat
from ontology.text.tables.model import Place

MAX_PLACES = 64
"""Places of one text that are looked at."""
MAX_CANDIDATES = 100_000
MAX_WORK = 1_000_000_000
"""Characters that are searched for one table."""
ANCHOR = 12
"""Characters from which on a text is told apart from others by itself."""
ENOUGH = 0.5
"""Share of a table's characters that must stand in the flat text."""
SPREAD = 3
"""How many times as long as the table the stretch may be in which its runs stand."""
SLACK = 400


@dataclass(frozen=True, slots=True)
class Ground:
    """What is searched: flat text from an offset on, without the stretches that are taken."""

    flat: Flat
    after: int
    taken: Sequence[Place]

    def find(self, run: str, low: int, high: int) -> Iterator[int]:
        """Where a run stands apart from the words around it, on free ground, within bounds; the first MAX_PLACES."""
        at = self.flat.squeezed.find(run, low, high)
        for _ in range(MAX_PLACES):
            if at < 0:
                return
            if self.flat.apart(at, at + len(run)) and is_free(self.taken, at, at + len(run)):
                yield at
            at = self.flat.squeezed.find(run, at + 1, high)


def is_free(taken: Sequence[Place], start: int, end: int) -> bool:
    """True when a stretch overlaps none of those taken, which rise and lie apart."""
    k = bisect_right(taken, (start, end))
    return (k == 0 or taken[k - 1][1] <= start) and (k == len(taken) or taken[k][0] >= end)


def place_loosely(ground: Ground, runs: Sequence[str], aside: Collection[int]) -> dict[int, int] | None:
    """The place of each run that is found; None when too little of the table is. Runs `aside` are footnotes: in their place, or behind the table."""
    main = [i for i, run in enumerate(runs) if run and i not in aside]
    total = sum(len(runs[i]) for i in main)
    long = [i for i in main if len(runs[i]) >= ANCHOR]
    length = len(ground.flat.squeezed)
    step = 1 + len(long) * length // MAX_WORK
    anchors = _chain(ground, runs, [(i, ground.after, length) for i in long[::step]])
    if not total or (not anchors and len(main) * length > MAX_WORK):
        return None
    places = {**anchors, **_chain(ground, runs, _gaps(runs, main, anchors, ground.after, length))}
    places = _joined(runs, main, places)
    matched = sum(len(runs[i]) for i in places)
    if matched < total * ENOUGH or matched < min(total, ANCHOR):
        return None
    first, last = min(places.values()), max(at + len(runs[i]) for i, at in places.items())
    if last - first > sum(map(len, runs)) * SPREAD + SLACK:
        return None
    return {**places, **_place_aside(ground, runs, sorted(aside), places, last)}


def _gaps(runs: Sequence[str], main: Sequence[int], anchors: dict[int, int], after: int, length: int) -> list[tuple[int, int, int]]:
    """The runs that are no anchors, each with the bounds within which it can stand."""
    out: list[tuple[int, int, int]] = []
    between: list[int] = []
    low, begun = after, False
    for i in [*main, len(runs)]:
        if i < len(runs) and i not in anchors:
            between.append(i)
            continue
        room = sum(len(runs[j]) for j in between) * SPREAD + SLACK
        high = anchors.get(i, min(length, low + room) if begun else length)
        floor = max(low, high - room) if not begun and anchors else low
        out += [(j, floor, high) for j in between]
        between = []
        if i in anchors:
            low, begun = anchors[i] + len(runs[i]), True
    return out


def _chain(ground: Ground, runs: Sequence[str], wanted: list[tuple[int, int, int]]) -> dict[int, int]:
    """The places of runs, each sought within its bounds, that rise with the runs and hold most characters; of equals those next to their neighbours."""
    squeezed = ground.flat.squeezed
    items: list[Candidate] = []
    for n, (i, low, high) in enumerate(wanted):
        before = runs[wanted[n - 1][0]] if n else ""
        behind = runs[wanted[n + 1][0]] if n + 1 < len(wanted) else ""
        size = len(runs[i])
        for at in reversed(list(ground.find(runs[i], low, high))):  # falling, so that no place of a run follows another of it
            beside = bool(before and squeezed.endswith(before, 0, at)) + bool(behind and squeezed.startswith(behind, at + size))
            items.append(Candidate(i, at, size, 4 * size + beside))
        if len(items) > MAX_CANDIDATES:
            break
    return {c.item: c.place for c in heaviest_chain(items)}


def _joined(runs: Sequence[str], main: Sequence[int], places: dict[int, int]) -> dict[int, int]:
    """The places without those of short runs that stand next to nothing of the table: stretches of runs are kept from ANCHOR characters on."""
    out: dict[int, int] = {}
    stretch: list[int] = []
    end = -1
    for i in [*main, -1]:
        if i < 0 or (i in places and places[i] != end):
            if sum(len(runs[j]) for j in stretch) >= min(ANCHOR, sum(len(runs[j]) for j in main)):
                out.update((j, places[j]) for j in stretch)
            stretch = []
        if i in places:
            stretch.append(i)
            end = places[i] + len(runs[i])
    return out


def _place_aside(ground: Ground, runs: Sequence[str], aside: Sequence[int], places: dict[int, int], last: int) -> dict[int, int]:
    """The places of footnotes: between the runs they stand between in the markup, else behind the table, one after the other."""
    out: dict[int, int] = {}
    items = sorted(places)
    following = last
    stop = min(len(ground.flat.squeezed), last + sum(len(runs[j]) for j in aside) * SPREAD + SLACK)
    inline = 0
    for i in aside:
        k = bisect_right(items, i)
        low = max(inline, places[items[k - 1]] + len(runs[items[k - 1]]) if k else ground.after)
        high = places[items[k]] if k < len(items) else last
        at = next(ground.find(runs[i], low, high), None) if runs[i] else None
        if at is not None:
            inline = at + len(runs[i])
        elif len(runs[i]) >= ANCHOR:
            at = next(ground.find(runs[i], following, stop), None)
            following = following if at is None else at + len(runs[i])
        if at is not None:
            out[i] = at
    return out
