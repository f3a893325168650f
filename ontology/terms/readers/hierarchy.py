"""A large is-a hierarchy in flat arrays: some megabytes for hundreds of thousands of codes; circles are found, never followed."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

Nearest = frozenset[int]
_NONE: Nearest = frozenset()


class Hierarchy:
    """Codes and their is-a edges, child to parent."""

    def __init__(self, codes: Iterable[int], edges: Iterable[tuple[int, int]]) -> None:
        """Edges whose ends are not both among the codes are kept apart in `dangling`."""
        self._codes = array("Q", sorted(set(codes)))
        children, parents = array("I"), array("I")
        self.dangling: list[tuple[int, int]] = []
        for child, parent in edges:
            below, above = self._place(child), self._place(parent)
            if below is None or above is None:
                self.dangling.append((child, parent))
            else:
                children.append(below)
                parents.append(above)
        size = len(self._codes)
        self._open = array("I", bytes(array("I").itemsize * size))
        self._start = array("I", bytes(array("I").itemsize * (size + 1)))
        for above in parents:
            self._start[above + 1] += 1
        for place in range(size):
            self._start[place + 1] += self._start[place]
        free = array("I", self._start)
        self._below = array("I", bytes(array("I").itemsize * len(children)))
        for below, above in zip(children, parents, strict=True):
            self._below[free[above]] = below
            free[above] += 1
            self._open[below] += 1

    def __contains__(self, code: int) -> bool:
        return self._place(code) is not None

    def _place(self, code: int) -> int | None:
        place = bisect_left(self._codes, code)
        return place if place < len(self._codes) and self._codes[place] == code else None

    def _children(self, place: int) -> array[int]:
        return self._below[self._start[place] : self._start[place + 1]]

    def below(self, top: int) -> Iterator[int]:
        """All codes below one, each once, not itself unless it stands in a circle."""
        place = self._place(top)
        seen: set[int] = set()
        stack = [] if place is None else [place]
        while stack:
            for child in self._children(stack.pop()):
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
                    yield self._codes[child]

    def nearest(self, anchors: Iterable[int]) -> tuple[Mapping[int, Nearest], list[int]]:
        """For every code at or below an anchor the nearest anchors; and the codes that stand in or below a circle, which get none.

        An anchor that is above another one of the same code's is not near.
        """
        marked = {place for code in anchors if (place := self._place(code)) is not None}
        waiting = array("I", self._open)
        near: dict[int, Nearest] = {}
        above: dict[int, Nearest] = {}
        ready = [place for place in range(len(self._codes)) if not waiting[place]]
        done = 0
        while ready:
            place = ready.pop()
            done += 1
            reached = near.get(place, _NONE)
            if place in marked:
                above[place] = frozenset().union(*(above[a] | {a} for a in reached))
                reached = near[place] = frozenset((place,))
            elif len(reached) > 1:
                reached = near[place] = reached - frozenset().union(*(above[a] for a in reached))
            for child in self._children(place):
                if reached:
                    known = near.get(child)
                    near[child] = reached if known is None or known == reached else known | reached
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        stuck = [] if done == len(self._codes) else [self._codes[p] for p in range(len(self._codes)) if waiting[p]]
        circle = {p for p in range(len(self._codes)) if waiting[p]} if stuck else set()
        codes_of: dict[Nearest, Nearest] = {}
        found: dict[int, Nearest] = {}
        while near:
            place, reached = near.popitem()
            if place not in circle:
                if reached not in codes_of:
                    codes_of[reached] = frozenset(self._codes[a] for a in reached)
                found[self._codes[place]] = codes_of[reached]
        return found, stuck
