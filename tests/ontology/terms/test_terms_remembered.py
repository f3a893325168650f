"""Answers that are kept: worked out once, never more than allowed."""

from __future__ import annotations

from ontology.terms.remembered import Remembered


def test_an_answer_is_worked_out_once() -> None:
    asked: list[str] = []
    kept: Remembered[str, int] = Remembered(3)
    for _ in range(2):
        assert kept.of("a", lambda: asked.append("a") or 1) == 1
    assert asked == ["a"]


def test_nothing_is_an_answer_too() -> None:
    asked: list[str] = []
    kept: Remembered[str, None] = Remembered(3)
    for _ in range(2):
        assert kept.of("a", lambda: asked.append("a")) is None
    assert asked == ["a"]


def test_full_it_starts_anew_and_still_answers() -> None:
    kept: Remembered[int, int] = Remembered(3)
    assert [kept.of(n, lambda n=n: n * n) for n in (1, 2, 3, 4, 1, 5, 6, 2)] == [1, 4, 9, 16, 1, 25, 36, 4]
    assert len(kept) <= 3
