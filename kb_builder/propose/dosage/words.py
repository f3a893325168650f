"""The word lists that dosing sections are read with, from `dosage.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[A-Za-z][\w.'-]*")


@dataclass(frozen=True, slots=True)
class Aside:
    """A kind of sentence whose amounts are no instruction; one with the words of `keep` is an instruction all the same."""

    name: str
    pattern: re.Pattern[str]
    keep: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class DosageWords:
    """The lists. `topics` are kinds of matter that hold no doses of the label's own drug, or doses of a special kind, in order of precedence."""

    version: str
    generic: frozenset[str]
    topics: tuple[tuple[str, re.Pattern[str]], ...]
    routes: tuple[tuple[re.Pattern[str], str], ...]
    asides: tuple[Aside, ...]
    told: re.Pattern[str]
    made_ready: re.Pattern[str]
    cue: re.Pattern[str]
    continues: re.Pattern[str]
    sequence: re.Pattern[str]
    explains: re.Pattern[str]
    left_open: re.Pattern[str]
    response: re.Pattern[str]
    scrap: re.Pattern[str]
    how_given: re.Pattern[str]
    hedged: re.Pattern[str]
    practice: re.Pattern[str]
    ruled: re.Pattern[str]
    adjectives: dict[str, str]

    def topic(self, words: str) -> str | None:
        """What matter a heading announces, or None where it announces doses."""
        found = next((name for name, pattern in self.topics if pattern.search(words)), None)
        return None if found in ("technique", "monitoring") and self.told.search(words) and not self.made_ready.search(words) else found

    def aside(self, sentence: str) -> str | None:
        """The name of the kind of sentence that holds no instruction on a dose, or None for an instruction."""
        return next((a.name for a in self.asides if a.pattern.search(sentence) and (a.keep is None or not a.keep.search(sentence))), None)

    def routes_in(self, words: str) -> tuple[str, ...]:
        """The routes that the words name, in order of the list, each once."""
        return tuple(dict.fromkeys(route for pattern, route in self.routes if pattern.search(words)))

    def matter(self, words: str) -> str:
        """The words of a heading without its generic words at either end."""
        found = list(_WORD.finditer(words))
        told = [m for m in found if m[0].lower().strip(".'-") not in self.generic]
        return words[told[0].start() : told[-1].end()] if told else ""


@cache
def dosage_words() -> DosageWords:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("dosage.toml").read_text(encoding="utf-8"))
    topics = tuple((row["name"], re.compile(row["words"], re.IGNORECASE)) for row in data["topic"])
    routes = tuple(
        (re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w|\s+(?:{data['not_routes']['pattern']}))", re.IGNORECASE), route)
        for word, route in (w.split("|") for w in data["routes"]["words"])
    )
    asides = tuple(Aside(row["name"], _pattern(row["pattern"]), _pattern(row["keep"]) if "keep" in row else None) for row in data["aside"])
    adjectives = dict(w.split("|") for w in data["adjectives"]["words"])
    names = ("told", "made_ready", "cue", "continues", "sequence", "explains", "left_open", "response", "scrap", "how_given", "hedged", "practice", "ruled")
    patterns = {name: _pattern(data[name]["pattern"]) for name in names}
    return DosageWords(
        version=data["version"],
        generic=frozenset(data["generic"]["words"]),
        topics=topics,
        routes=routes,
        asides=asides,
        adjectives=adjectives,
        **patterns,
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
