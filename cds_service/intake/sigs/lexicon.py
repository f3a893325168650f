"""The words of sigs, read from `words.toml`, and matchers made of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

_TOKEN = re.compile(r"\{[^}]+\}|(?:[A-Za-z]\.){2,}[A-Za-z]?\.?|\d+(?:[.,/]\d+)*|[A-Za-z]+(?:'[a-z]+)?|[一-鿿]|\S")
_HAN = re.compile(r"[一-鿿]")

SECTIONS: dict[str, Any] = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


def tokens_of(text: str) -> Iterator[tuple[int, int, str]]:
    """The words, numbers and signs of a text as (start, end, word in lower case without dots)."""
    for m in _TOKEN.finditer(text):
        word = m[0].lower()
        yield m.start(), m.end(), word.replace(".", "") if word[0].isalpha() else word


@cache
def phrase_pattern(*path: str) -> re.Pattern[str]:
    """A matcher of any of the phrases at this place of the table, the longest first; whole words, white space and hyphens alike."""
    words: Any = SECTIONS
    for step in path:
        words = words[step]
    return re.compile(any_of(words), re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """A group that matches any of the phrases as whole words, the longest first."""
    return "(?:" + "|".join(_bounded(w) for w in sorted(set(words), key=lambda w: (-len(w), w))) + ")"


def _bounded(word: str) -> str:
    body = re.escape(word).replace(r"\ ", r"[\s-]+")
    if _HAN.match(word):
        return body
    return (r"(?<![\w-])" if word[0].isalnum() else "") + body + (r"(?![\w])" if word[-1].isalnum() else "")
