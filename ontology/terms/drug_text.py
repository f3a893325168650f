"""What an order's text says when every word of it is accounted for.

A text is cut into segments (the main part and each bracket). In a segment the longest known names and the longest known by-words (forms,
routes, packaging, salts next to a name) are taken from left to right; numbers and units are by-words too. A word that is neither stays
`unread`, and a text with unread words names no drug: there is no near match anywhere.

Salt words that are drugs themselves (`potassium`, `zinc`, `lysine`) belong to a name only where the tables say that it has such a salt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ontology.terms.entries import Word
from ontology.terms.names import fold, name_key, plural_key, tokens, without_suffix
from ontology.terms.phrases import CLOSE, OPEN, Key, Phrases, phrase_key

BY_WORDS = frozenset({"form", "route", "release", "shape", "unit", "packaging", "quality", "use", "labeler"})
"""Tables of words that name no drug and may stand beside one; words of other tables are read like unknown ones."""

_BEFORE_CARRIER = frozenset({"ml", "l", "mg", "-", "of"})
_CLAUSE_ENDS = frozenset({",", ";", "，", "；"})
_JOINS = frozenset({"/", "+", "&", "and", "with", "plus", "-", ",", ";", "加", "和"})
_JOINING_WORDS = frozenset({"and", "with", "plus", "加", "和"})
_TIGHT = frozenset({"/", "-"})
_LOOSE = ","
_RELATION = "relation"
_VARIANTS = frozenset({"i", "ii", "iii", "iv", "v"})
_NUMBER = re.compile(r"(?:\d[\d,]*(?:\.\d+)?|%)$")
_DENOMINATOR = r"(?:ml|l|cc|dl|actuat\w*|act|puff|spray|inhal\w*|dose|hr|hour|h|patch|cm2|tablet|capsule|pen|vial)"
_UNIT = r"(?:mg|mcg|microgram\w*|[uµμ]g|gm?|ng|units?|iu|u|meq|mmol|ml|%|毫克|微克|克|单位)"
_VOLUMES = frozenset({"ml", "l"})
_AMOUNT = r"\d[\d,]*(?:\.\d+)?"
_STRENGTH = re.compile(
    rf"(?<![\w.])({_AMOUNT}(?:\s*[-/]\s*{_AMOUNT})*)\s*(?:million\s+)?({_UNIT})(?![a-z])"
    rf"(?:\s*/\s*({_AMOUNT})?\s*({_DENOMINATOR}|mg(?=\s*/?\s*[a-z]))(?![a-z]))?"
)
_ASIDE = re.compile(r"\(|\s(?:in|于)\s")


@dataclass(slots=True)
class Segment:
    """One part of a text: names in order (with the sign or word that joins each to the one before), by-words by table, words that stay unread."""

    bracket: str = ""
    names: list[Key] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    forms_behind: set[int] = field(default_factory=set)
    stopped: bool = False

    def lists_drugs(self, at: int) -> bool:
        """True when the name at the index stands beside the one before as in a list.

        The spellings of one product are `a/b` and `a-b`, and one dose form behind the last name (`a and b tablets`).
        """
        return self.joins[at] not in _TIGHT and self.forms_behind != {len(self.names)}

    @property
    def names_a_maker(self) -> bool:
        """True for a square bracket, which RxNorm keeps for brands, and for one with a word of company names; not where it stops the drug."""
        return not self.stopped and (self.bracket == "[" or any(w.table == "labeler" for w in self.words))


@dataclass(frozen=True, slots=True)
class DrugText:
    """A text as read: its segments (main part first) and its first strengths as written."""

    segments: tuple[Segment, ...]
    strength: str | None

    def values(self, table: str) -> tuple[str, ...]:
        """What the by-words of one table stand for, in order of appearance."""
        return tuple(w.value for s in self.segments for w in s.words if w.table == table)


class DrugTextReader:
    """Reads drug texts against a set of names and the closed tables of by-words."""

    def __init__(self, names: Iterable[Key], words: Iterable[Word], salts_of: Mapping[Key, frozenset[Key]]) -> None:
        self._salts_of = salts_of
        self._names = Phrases()
        for name in names:
            self._names.add_key(name)
        self._words = Phrases()
        self._word_of: dict[Key, list[Word]] = {}
        self._salts = Phrases()
        self._clauses = Phrases()
        self._stops = Phrases()
        self._carried: set[Key] = set()
        self._carriers = Phrases()
        self._vehicles = Phrases()
        self._minerals: set[str] = set()
        self._element: dict[str, str] = {}
        for word in words:
            if word.table == "salt":
                self._salts.add(word.text)
            elif word.table == "clause":
                key = self._clauses.add(word.text)
                if word.value == "carrier":
                    self._carried.add(key)
            elif word.table == "stop":
                self._stops.add(word.text)
            elif word.table == "carrier":
                self._carriers.add(word.text)
            elif word.table == "vehicle":
                self._vehicles.add(word.text)
            elif word.table == "mineral":
                self._minerals.add(word.text)
                self._element[word.text] = word.value or word.text
            elif word.table in BY_WORDS:
                for form in {phrase_key(word.text), phrase_key(plural_key(name_key(word.text)))}:
                    self._words.add_key(form)
                    self._word_of.setdefault(form, []).append(word)

    def add_name(self, name: Key) -> None:
        """Lets a further name be read."""
        self._names.add_key(name)

    def read(self, text: str) -> DrugText:
        """The text's segments and strength; never raises."""
        (_, main), *brackets = _parts(tokens(without_suffix(text)))
        first = self._segment(main, "", None)
        host = first.names[-1] if first.names else None
        segments = (first, *(self._segment(part, bracket, host) for bracket, part in brackets))
        if brackets and any(s.unread for s in segments) and self._names.has(key := phrase_key(text)):
            segments = (Segment(names=[key], joins=[""]),)
        return DrugText(segments, strength_in(text))

    def _segment(self, stream: tuple[str, ...], bracket: str, host: Key | None) -> Segment:
        """One part as read; `host` is the name that a bracket stands behind."""
        out = Segment(bracket)
        if stop := next((match[0] for at in range(len(stream)) if (match := self._stops.match(stream, at))), None):
            out.stopped = True
            out.unread.extend(stop)
        at, join, dangling, related = 0, "", "", False
        if bracket and stream[0] in _VARIANTS and len(stream) == 1:
            return out
        while at < len(stream):
            if end := self._clause_end(stream, at, out) or self._vehicle_end(stream, at, host, joined=bool(join)):
                at, dangling, host = end, "", None
                continue
            name, word = self._names.match(stream, at), self._words.match(stream, at)
            salt = self._salt(stream, at, host)
            if bracket and host and self._is_element_of(stream[at], host):
                at += 1
                continue
            if salt and name and salt[1] == name[1] and host and not join and self._minerals.isdisjoint(host):
                name = None
            end = max(match[1] if match else 0 for match in (name, salt, word))
            if name and name[1] == end:
                if related and not join:
                    out.unread.append(stream[at])
                out.names.append(name[0])
                out.joins.append(join)
                join, dangling, related, host = "", "", False, name[0]
            elif salt and salt[1] == end:
                pass
            elif word:
                meanings = self._word_of[word[0]]
                join = join and (_LOOSE if any(w.table == "unit" for w in meanings) else join)
                out.words.extend(meanings)
                out.forms_behind.update(len(out.names) for w in meanings if w.table == "form")
                related = related or (bool(out.names) and any(w.value == _RELATION for w in meanings))
            elif stream[at] in _JOINS:
                if not out.names and stream[at] in _JOINING_WORDS:
                    out.unread.append(stream[at])
                join, host, end = stream[at] if stream[at] in _TIGHT and join in {"", *_TIGHT} else _LOOSE, None, at + 1
                dangling = stream[at] if stream[at] in _JOINING_WORDS else dangling
            else:
                if _NUMBER.match(stream[at]):
                    dangling, join = "", join and _LOOSE
                elif stream[at] == "or" and at + 1 < len(stream) and _NUMBER.match(stream[at + 1]):
                    related = related or bool(out.names)
                elif not _is_ratio(stream, at):
                    out.unread.append(stream[at])
                end = at + 1
            at = end
        if dangling:
            out.unread.append(dangling)
        return out

    def _salt(self, stream: tuple[str, ...], at: int, host: Key | None) -> tuple[Key, int] | None:
        """The salt words at the position that belong to the name before them, or to the longest name behind them."""
        salt = self._salts.match(stream, at)
        if salt is None or self._takes(host, salt[0]):
            return salt
        before = [(behind[1] - s[1], s) for s in self._salts.matches(stream, at) if (behind := self._name_that_takes(stream, s))]
        return max(before)[1] if before else None

    def _name_that_takes(self, stream: tuple[str, ...], salt: tuple[Key, int]) -> tuple[Key, int] | None:
        behind = self._names.match(stream, salt[1]) if salt[1] < len(stream) else None
        return behind if behind and self._takes(behind[0], salt[0]) else None

    def _is_element_of(self, word: str, host: Key) -> bool:
        """True for the element whose amount a bracket gives: `ferrous sulfate 325 mg (65 mg iron)`."""
        element = self._element.get(word)
        return element is not None and any(self._element.get(token) == element for token in host)

    def _takes(self, name: Key | None, salt: Key) -> bool:
        if name is None:
            return False
        own = self._salts_of.get(salt)
        return name in own if own is not None else not (self._minerals.issuperset(salt) and self._minerals.intersection(name))

    def _vehicle_end(self, stream: tuple[str, ...], at: int, host: Key | None, *, joined: bool) -> int | None:
        """The end of the fluid that a ready-made infusion is named by behind its drug (`左氧氟沙星氯化钠注射液`), None when none begins here."""
        vehicle = self._vehicles.match(stream, at)
        if vehicle is None or host is None or joined or not self._minerals.isdisjoint(host):
            return None
        carried = self._carriers.match(host, 0)
        return None if carried and carried[1] == len(host) else vehicle[1]

    def _clause_end(self, stream: tuple[str, ...], at: int, so_far: Segment) -> int | None:
        """The end of a clause that speaks of something else (`in dextrose 5%`, `without epinephrine`), None when none begins here."""
        opener = self._clauses.match(stream, at)
        if opener is None or not (so_far.names or (so_far.bracket and at == 0)):
            return None
        if opener[0] in self._carried:
            position = opener[1]
            while position < len(stream) and (_NUMBER.match(stream[position]) or stream[position] in _BEFORE_CARRIER):
                position += 1
            if position >= len(stream) or not self._carriers.match(stream, position):
                return None
        end = opener[1]
        while end < len(stream) and stream[end] not in _CLAUSE_ENDS:
            end += 1
        return end


def _is_ratio(stream: tuple[str, ...], at: int) -> bool:
    """True for the `in` of `1 in 1,000`."""
    return stream[at] == "in" and 0 < at < len(stream) - 1 and bool(_NUMBER.match(stream[at - 1]) and _NUMBER.match(stream[at + 1]))


def _parts(stream: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """The text without brackets first, then the content of each bracket, innermost text kept with the outermost bracket."""
    main: list[str] = []
    parts: list[tuple[str, tuple[str, ...]]] = []
    depth, inner, bracket = 0, list[str](), ""
    for token in stream:
        if token in OPEN:
            if depth == 0:
                bracket, inner = token, []
            depth += 1
        elif token in CLOSE:
            depth = max(0, depth - 1)
            if depth == 0 and inner:
                parts.append((bracket, tuple(inner)))
                inner = []
        elif depth:
            inner.append(token)
        else:
            main.append(token)
    if inner:
        parts.append((bracket, tuple(inner)))
    return [("", tuple(main)), *parts]


def strength_in(text: str) -> str | None:
    """The strengths before any bracket or diluent, else those within; several are joined by ` / `, amounts of volume alone are none."""
    folded = fold(text)
    return _strengths_in(_ASIDE.split(folded)[0]) or _strengths_in(folded)


def _strengths_in(text: str) -> str | None:
    found: list[str] = []
    for amounts, unit, per, denominator in _STRENGTH.findall(text):
        if unit in _VOLUMES and not denominator:
            continue
        of = f"/{per + ' ' if per else ''}{denominator}" if denominator else ""
        found += [f"{amount.strip()} {unit}{of}" for amount in re.split(r"[-/]", amounts)]
    return " / ".join(found) or None
