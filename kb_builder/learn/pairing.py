"""Facts paired one to one: as many gold facts as can be have a said fact of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def pair(candidates: Sequence[Sequence[int]]) -> dict[int, int]:
    """A largest pairing of rows with columns: `candidates[row]` are the columns that would do; the answer maps row to column."""
    owner: dict[int, int] = {}
    for row in range(len(candidates)):
        _place(row, candidates, owner)
    return {row: column for column, row in owner.items()}


def _place(row: int, candidates: Sequence[Sequence[int]], owner: dict[int, int]) -> None:
    """Finds a free column for the row, moving others along the shortest chain of moves that frees one."""
    came_from: dict[int, int] = {}
    queue = deque([row])
    while queue:
        at = queue.popleft()
        for column in candidates[at]:
            if column in came_from:
                continue
            came_from[column] = at
            if column in owner:
                queue.append(owner[column])
                continue
            _move(column, row, came_from, owner)
            return


def _move(column: int, row: int, came_from: dict[int, int], owner: dict[int, int]) -> None:
    held = {r: c for c, r in owner.items()}
    while True:
        mover = came_from[column]
        before = held.get(mover)
        owner[column] = mover
        if mover == row or before is None:
            return
        column = before
