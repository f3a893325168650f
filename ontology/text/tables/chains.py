"""Places that rise: of many candidates the chain that holds most."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible place of an item: where, how long, and what it counts."""

    item: int
    place: int
    size: int
    weight: int


def heaviest_chain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, a subsequence of those given, whose places rise without overlap and whose weights sum highest; the leftmost of equals."""
    ends: list[int] = []  # rising, with rising scores
    scores: list[int] = []
    lasts: list[int] = []
    back: list[int] = []
    for n, candidate in enumerate(candidates):
        k = bisect_right(ends, candidate.place) - 1
        score = candidate.weight + (scores[k] if k >= 0 else 0)
        back.append(lasts[k] if k >= 0 else -1)
        end = candidate.place + candidate.size
        at = bisect_left(ends, end)
        if at > 0 and scores[at - 1] >= score:
            continue
        stop = at
        while stop < len(ends) and scores[stop] <= score:
            stop += 1
        if stop == at and at < len(ends) and ends[at] == end:
            continue
        ends[at:stop], scores[at:stop], lasts[at:stop] = [end], [score], [n]
    out: list[Candidate] = []
    n = lasts[-1] if lasts else -1
    while n >= 0:
        out.append(candidates[n])
        n = back[n]
    return out[::-1]
