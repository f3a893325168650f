"""Values worked out once a terminology and gone with it, so that a replaced release leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
V = TypeVar("V")
P = ParamSpec("P")

MOST_KEPT = 1024
"""Values of one terminology; beyond them all are worked out anew."""


def kept_with(compute: Callable[Concatenate[T, P], V]) -> Callable[Concatenate[T, P], V]:
    """The function, its values kept by its further arguments for as long as the first one lives. A value must not hold the first argument."""
    kept: WeakKeyDictionary[Any, dict[Any, V]] = WeakKeyDictionary()

    @wraps(compute)
    def get(terms: T, /, *args: P.args, **kwargs: P.kwargs) -> V:
        mine = kept.setdefault(terms, {})
        key = (args, tuple(sorted(kwargs.items()))) if kwargs else args
        try:
            return mine[key]
        except KeyError:
            value = compute(terms, *args, **kwargs)
        if len(mine) >= MOST_KEPT:
            mine.clear()
        mine[key] = value
        return value

    return get
