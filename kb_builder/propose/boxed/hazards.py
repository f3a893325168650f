"""What a phrase of a boxed warning names as hazards: a known condition, or words whose end shows one ("embryo-fetal toxicity")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kb_builder.propose.boxed.book import boxed_book
from kb_builder.propose.reading.coordination import Conjunct, split_conjuncts
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType

_STATES = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.EFFECT})
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_WORD = re.compile(r"[a-z]+")
_OPENS = re.compile(r"[\s,.;:|•\x01\d-]+")
_LOOSE_S = re.compile(r"(?<=\w) s$")
_SHORT_NAME = re.compile(r"\s\((?P<short>[A-Z][A-Z-]{1,7})s?\)")
_STEM = 6
_LONGEST = 8  # words of a hazard's name
_SHORTEST = 4  # characters of one


@dataclass(frozen=True, slots=True)
class Hazard:
    """A hazard named at `[start, end)`; `stems` tell which other words mean the same one."""

    start: int
    end: int
    target: Target
    stems: frozenset[str]

    def is_like(self, other: Hazard) -> bool:
        """True where both are about one thing, if not the same hazard of it: "hepatotoxicity" and "hepatic decompensation"."""
        return self.is_same(other) or bool(self.stems & other.stems)

    def is_same(self, other: Hazard) -> bool:
        """True where both name one hazard."""
        return self.target.id == other.target.id or (bool(self.stems) and self.stems == other.stems)


def read_hazards(
    text: str, start: int, end: int, lexicon: Lexicon, names: Mapping[str, str] | None = None, *, cut: bool = True, some: bool = False
) -> list[Hazard]:
    """The hazards that the phrase `[start, end)` lists, in order; with `cut` it ends where the sentence goes on.

    `names` are those of `short_names`; with `some` the patients are told, so that "toxicity" says enough.
    """
    stop = boxed_book().cut.search(text, start + 1, end) if cut else None
    phrase = text[start : stop.start() if stop is not None else end]
    opens = _OPENS.match(phrase)
    at = opens.end() if opens is not None else 0
    phrase = phrase[at:].rstrip(" ,.;:•")
    if phrase.count("(") > phrase.count(")"):
        phrase = phrase[: phrase.rindex("(")].rstrip(" ,")
    return [
        h for one in _joined(split_conjuncts(phrase, lambda w: _known(w, lexicon))) if (h := _hazard(one, start + at, lexicon, names, some=some)) is not None
    ]


def _joined(conjuncts: list[Conjunct]) -> Iterator[Conjunct]:
    """The members, with what only completes the one before it ("suicidal thoughts and behaviors") left to that one."""
    kept: list[Conjunct] = []
    for one in conjuncts:
        if kept and boxed_book().joined.fullmatch(_BRACKETS.sub("", one.words).strip()):
            before = kept.pop()
            kept.append(Conjunct(f"{before.words} and {_BRACKETS.sub('', one.words).strip()}", before.start, one.end))
        else:
            kept.append(one)
    yield from kept


def _known(words: str, lexicon: Lexicon) -> bool:
    return bool(lexicon.lookup(_BRACKETS.sub("", words).strip(), _STATES))


def _hazard(one: Conjunct, offset: int, lexicon: Lexicon, names: Mapping[str, str] | None, *, some: bool) -> Hazard | None:
    book = boxed_book()
    words = _LOOSE_S.sub("s", " ".join(_BRACKETS.sub("", one.words).split()).strip(" ,.;:•-"))
    long = (names or {}).get(words.split(" ")[-1]) if words else None
    if long is not None:
        target = Target(found[0], long) if (found := lexicon.lookup(long, _STATES)) else uncoded(EntityType.EFFECT, long.lower())
        return Hazard(offset + one.start, offset + one.end, Target(target.id, words.split(" ")[-1], target.entity), stems_of(long))
    lead = book.lead.match(words)
    bare = words[lead.end() :] if lead is not None and lead.end() < len(words) else words
    bare = bare.strip(" ,")
    if len(bare) < _SHORTEST or book.setting.fullmatch(bare) or len(bare.split()) > _LONGEST:
        return None
    if book.vague.fullmatch(bare) and not (some and book.of_some.fullmatch(bare)):
        if book.vague_ok.fullmatch(words) is None:
            return None
        bare = words
    found = lexicon.lookup(bare, _STATES) or lexicon.lookup(words, _STATES)
    if not found and book.ends.search(bare) is None:
        return None
    target = Target(found[0], bare) if found else uncoded(EntityType.EFFECT, bare.lower())
    return Hazard(offset + one.start, offset + one.end, Target(target.id, bare, target.entity), stems_of(bare))


def stems_of(words: str) -> frozenset[str]:
    """What the words of a hazard have in common with other names of it."""
    book = boxed_book()
    out = set()
    for word in _WORD.findall(words.lower()):
        if len(word) < _SHORTEST - 1 or book.generic.fullmatch(word):
            continue
        out.add(next((row[0] for row in book.same if any(word.startswith(stem) for stem in row)), word[:_STEM]))
    return frozenset(out)


def short_names(text: str) -> dict[str, str]:
    """The short names that a text gives in brackets behind the long ones, with the long ones: "cytokine release syndrome (CRS)"."""
    out: dict[str, str] = {}
    for m in _SHORT_NAME.finditer(text):
        letters = m["short"].replace("-", "").lower()
        words = re.findall(r"[\w]+|[^\w\s]", text[max(0, m.start() - 120) : m.start()])
        last: list[str] = []
        for word in reversed(words):
            if word != "-" and not word.isalnum():
                break
            last.insert(0, word)
            initials = "".join(w[0] for w in last if w != "-").lower()
            if initials == letters:
                out.setdefault(m["short"], " ".join(last).replace(" - ", "-"))
                break
            if len(initials) > len(letters):
                break
    return out
