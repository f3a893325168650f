"""The words of which one stands in every match of a pattern, read off the pattern's own parse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

_PARSER: Any = import_module("re._parser")
"""The parser of the standard library's patterns. What is not understood of a parse gives no word, and a pattern without words is tried everywhere."""

_SHORTEST = 2
_MOST_WORDS = 60
_MOST_FORMS = 12
_FREQUENT = frozenset(
    [
        "in",
        "of",
        "to",
        "the",
        "and",
        "or",
        "for",
        "with",
        "is",
        "are",
        "be",
        "on",
        "at",
        "by",
        "an",
        "as",
        "not",
        "no",
        "do",
        "if",
        "it",
        "may",
        "can",
        "has",
        "have",
        "been",
        "was",
        "were",
        "that",
        "this",
        "from",
        "than",
        "all",
        "any",
        "other",
        "use",
        "used",
        "day",
        "dose",
        "should",
        "patient",
        "patients",
        "when",
        "treatment",
        "therapy",
        "drug",
        "drugs",
        "given",
    ]
)
"""Words that stand in most sentences of a label: to look for them spares nothing."""


@dataclass(frozen=True, slots=True)
class Needed:
    """The words, one of which every match holds; none where no such words are known. In lower case where `any_case`."""

    words: tuple[str, ...]
    any_case: bool


@cache
def needed_words(pattern: re.Pattern[str]) -> Needed:
    """The needed words of a compiled pattern."""
    parsed = _PARSER.parse(pattern.pattern, pattern.flags)
    any_case = bool(pattern.flags & re.IGNORECASE) or _turns_case_off(parsed)
    words = _of_sequence(parsed, any_case=any_case)
    return Needed(tuple(sorted(words)) if words else (), any_case)


def _turns_case_off(parsed: Any) -> bool:
    """True where a part of the pattern ignores case by a flag of its own."""
    return any((str(op) == "SUBPATTERN" and bool(value[1] & re.IGNORECASE)) or any(_turns_case_off(p) for p in _parts(op, value)) for op, value in parsed)


def _parts(op: Any, value: Any) -> Sequence[Any]:
    """The sequences within one node of a parse."""
    match str(op):
        case "SUBPATTERN":
            return (value[3],)
        case "BRANCH":
            return tuple(value[1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return (value[2],)
        case "ATOMIC_GROUP":
            return (value,)
        case "ASSERT" | "ASSERT_NOT":
            return (value[1],)
        case _:
            return ()


def _of_sequence(sequence: Any, *, any_case: bool) -> frozenset[str] | None:
    """The best words of what follows one another: those of its runs of letters and of its parts that must match."""
    found: list[frozenset[str]] = []
    run: tuple[str, ...] = ("",)
    for op, value in sequence:
        forms = _forms(op, value, any_case=any_case)
        if forms is not None and len(run) * len(forms) <= _MOST_FORMS:
            run = tuple(before + form for before in run for form in forms)
            continue
        found.append(_shortest(set(run)))
        run = forms if forms is not None else ("",)
        inner = _of_node(op, value, any_case=any_case) if forms is None else None
        if inner is not None:
            found.append(inner)
    found.append(_shortest(set(run)))
    good = [words for words in found if all(len(w) >= _SHORTEST for w in words)]
    return max(good, key=_worth, default=None)


def _of_node(op: Any, value: Any, *, any_case: bool) -> frozenset[str] | None:
    match str(op):
        case "SUBPATTERN" | "ATOMIC_GROUP":
            return _of_sequence(_parts(op, value)[0], any_case=any_case)
        case "BRANCH":
            branches = [_of_sequence(branch, any_case=any_case) for branch in value[1]]
            if any(branch is None for branch in branches):
                return None
            words = _shortest({w for branch in branches if branch is not None for w in branch})
            return words if len(words) <= _MOST_WORDS else None
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if value[0] > 0:
            return _of_sequence(value[2], any_case=any_case)
        case _:
            return None


def _forms(op: Any, value: Any, *, any_case: bool) -> tuple[str, ...] | None:
    """All strings that a node may be, where they are few; None where they are not."""
    match str(op):
        case "LITERAL":
            return _character(value, any_case=any_case)
        case "AT":
            return ("",)
        case "IN" if all(str(o) == "LITERAL" for o, _ in value):
            characters = [_character(v, any_case=any_case) for _, v in value]
            if len(characters) > 4 or any(c is None for c in characters):
                return None
            return tuple(dict.fromkeys(c[0] for c in characters if c is not None))
        case "SUBPATTERN":
            return _forms_of(value[3], any_case=any_case)
        case "BRANCH":
            branches = [_forms_of(branch, any_case=any_case) for branch in value[1]]
            if any(branch is None for branch in branches):
                return None
            forms = tuple(dict.fromkeys(f for branch in branches if branch is not None for f in branch))
            return forms if len(forms) <= _MOST_FORMS else None
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if value[0] == 0 and value[1] == 1:
            forms = _forms_of(value[2], any_case=any_case) or ()
            return ("", *forms) if forms else None
        case _:
            return None


def _forms_of(sequence: Any, *, any_case: bool) -> tuple[str, ...] | None:
    run: tuple[str, ...] = ("",)
    for op, value in sequence:
        forms = _forms(op, value, any_case=any_case)
        if forms is None or len(run) * len(forms) > _MOST_FORMS:
            return None
        run = tuple(before + form for before in run for form in forms)
    return run


def _character(code: int, *, any_case: bool) -> tuple[str] | None:
    """The character, in lower case where case does not matter; None for one beyond ASCII whose case would."""
    char = chr(code)
    if not any_case:
        return (char,)
    return (char.lower(),) if char.isascii() or char.lower() == char.upper() else None


def _shortest(words: set[str]) -> frozenset[str]:
    """The words without those that hold another one."""
    return frozenset(w for w in words if not any(o != w and o in w for o in words))


def _worth(words: frozenset[str]) -> tuple[int, int, int]:
    """How much a set spares: none of its words frequent, the shortest of them long, few."""
    return -sum(w.strip() in _FREQUENT for w in words), min(min(len(w.strip()) for w in words), 5), -len(words)
