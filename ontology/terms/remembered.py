"""Answers that are asked for again and again, kept with whatever gave them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """Answers by what was asked, at most `most`: when they are full all are asked for anew. An answer must not hold its giver."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: dict[K, V] = {}

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._answers)

    def of(self, asked: K, work_out: Callable[[], V]) -> V:
        """The answer, worked out where it is not known yet."""
        try:
            return self._answers[asked]
        except KeyError:
            answer = work_out()
        if len(self._answers) >= self._most:
            self._answers.clear()
        self._answers[asked] = answer
        return answer
