"""A phrase of conditions as guards: "or" lists are any of their members, further words narrow, and what no axis holds stays in its words.

"adults with severe renal impairment or ESRD on hemodialysis" is three things at once: the people before "with" hold for all that follows, the
members of the list are alternatives, and a member may have parts of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.leaves import find_leaves, indifferent
from kb_builder.propose.conditions.lists import Term, any_of, every_of, read_group
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.conditions.words import condition_words
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import Entity
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Exposure, Guard, Not, Opaque, leaves
from ontology.text.sought import sought

_CONNECTIVE = re.compile(r"\s*(?:;|,(?!\d{3}\b)|\b(?:and/or|or|and|as well as)\b|/(?=\s))(?:\s*(?:,|\b(?:and/or|or|and)\b))*\s*", re.IGNORECASE)
_NEW_PEOPLE = re.compile(r"^(?:also\s+)?(?:(?:in|for|of)\s+(?:the\s+|those\s+)?\w|those\b|patients\b|individuals\b|persons\b|who\b|if\b|when\b)", re.IGNORECASE)
_EXCEPTION = sought(
    r"\s*[,(]?\s*\b(?:unless|except(?!\s+that\b)(?:ing)?(?:\s+(?:for|in|when|with|as))?|other than|excluding|with the exception of|but not(?:\s+in)?)\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w'/-]*|\d[\d.,]*%?")
_NUMBERED = re.compile(
    r"\b(?:groups?|class(?:es)?|grades?|stages?|types?|categor(?:y|ies)|cohorts?)\s+(?:\d+|[IVX]+)\b(?:\s*(?:,|or|and|to|-)\s*(?:\d+|[IVX]+)\b)*", re.IGNORECASE
)
"""Kinds of patients that only a number tells apart: unread it restricts all the same."""
_BRACKET = re.compile(r"[(\[][^()\[\]]*[)\]]")
_ALL_IN_BRACKET = re.compile(r"(?P<before>[^()]{0,60})\((?P<inside>[^()]*)\)[\s.:;,]*")
_EXPLAINS = re.compile(
    r"^[(\[]\s*(?:e\.?g\b|i\.?e\b|see\b|such as|including|for example|[A-Z][A-Za-z0-9-]{1,8}s?\s*[)\]]|\d+(?:\.\d+)*[\s,)\]]|estimated|as measured|based on|also|\s*[)\]])",
    re.IGNORECASE,
)

_PREDICATE = re.compile(r"(?<!who)(?<!that)(?<!which)\s+(?:have|has|had|is|are|was|were) not\b")
"""What a sentence goes on to say of those it has excepted some from."""

_KNOWN = r"(?:known|suspected|confirmed|documented|proven|presumed|possible|probable|diagnosed)"
_KNOWN_OR_NOT = re.compile(rf"\b{_KNOWN}(?:,\s*{_KNOWN})*,?\s+(?:and/or|or|and)\s+{_KNOWN}\b", re.IGNORECASE)
"""How sure a state is: its "or" joins no patients."""

_LIST = 2  # commas from which a run is a list


def read_phrase(text: str, start: int, end: int, things: Sequence[Thing], *, hint: Axis | None = None, assumed: bool = False) -> list[Restriction]:
    """The restrictions that the phrase `[start, end)` of folded text is; all of them must hold."""
    exception = next((m for m in _EXCEPTION.finditer(text, start, end) if m.start() > start and not _within_list_of_drugs(m, things)), None)
    if exception is None:
        return list(_flat(_phrase(text, start, end, things, hint, assumed=assumed)))
    out = list(_flat(_phrase(text, start, exception.start(), things, hint, assumed=assumed)))
    said = _PREDICATE.search(text, exception.end(), end)
    return [*out, spared(text, exception.start(), exception.end(), said.start() if said is not None else end, things)]


def spared(text: str, start: int, inner: int, end: int, things: Sequence[Thing]) -> Restriction:
    """The exception `[start, end)` whose people or case begin at `inner`: not them where an axis holds all of it, else the words."""
    inside = _phrase(text, inner, end, things, None, assumed=False)
    held = inside is not None and inside.guard is not None and not any(isinstance(leaf, Opaque) for leaf in leaves(inside.guard))
    if held and inside is not None and inside.guard is not None:
        return Restriction(Not(inside.guard), start, end, inside.entities)
    return Restriction(Opaque(" ".join(text[start:end].split()).strip(" ,.;:(")), start, end)


def _within_list_of_drugs(m: re.Match[str], things: Sequence[Thing]) -> bool:
    """True where the exception takes a drug out of a class of drugs."""
    return m[0].strip(" ,(").lower().startswith(("other", "except", "exclud", "with the", "but")) and any(
        0 <= t.start - m.end() <= 4 and t.kind == "partner" for t in things
    )


_SUCH_AS = re.compile(r"\s*,?\s*(?:such as|including|like|for example,?|e\.g\.,?)\s+", re.IGNORECASE)
_MEMBER_JOINT = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+)?|and\s+|or\s+)(?!\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Read:
    """What a phrase reads as: the conjunction's parts with their places."""

    parts: tuple[Restriction, ...]

    @property
    def guard(self) -> Guard | None:
        """The parts as one guard."""
        guards = tuple(dict.fromkeys(p.guard for p in self.parts))
        return None if not guards else guards[0] if len(guards) == 1 else AllOf(guards)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that the parts name."""
        return tuple(dict.fromkeys(e for p in self.parts for e in p.entities))


def _flat(read: _Read | None) -> Iterator[Restriction]:
    yield from read.parts if read is not None else ()


def _phrase(text: str, start: int, end: int, things: Sequence[Thing], hint: Axis | None, *, assumed: bool) -> _Read | None:
    found = find_leaves(text, start, end, things, hint=hint, assumed=assumed)
    own = [(t.start, t.end) for t in things if t.own and start <= t.start and t.end <= end]
    terms = list(_terms(text, start, end, found, own, list(_members_named(text, found, things))))
    if not terms:
        return None
    groups: list[list[Term]] = [[]]
    for term in terms:
        if term.joint in ("people", "also") and groups[-1]:
            groups.append([])
        groups[-1].append(term)
    read = [read_group(_alternatives(g)) for g in groups[:-1]] + [read_group(groups[-1])]
    if len(read) == 1 or all(g[0].joint == "also" for g in groups[1:]):
        return _Read(tuple(part for parts in read for part in parts))
    return _Read(any_of([every_of(parts) for parts in read if parts], start=terms[0].leaf.start, end=terms[-1].leaf.end))


def _alternatives(group: list[Term]) -> list[Term]:
    """A group with a further one behind it: three members or more between commas are alternatives ("with A, B, infants, and those exposed to C")."""
    joints = [t.joint for t in group[1:] if t.joint]
    if len(joints) < _LIST or set(joints) != {","}:
        return group
    last = max(i for i, t in enumerate(group) if t.joint)
    return [replace(t, joint="or") if i == last else t for i, t in enumerate(group)]


def _terms(text: str, start: int, end: int, found: Sequence[Restriction], own: Sequence[tuple[int, int]], members: Sequence[tuple[int, int]]) -> Iterator[Term]:
    """The leaves in order with what joins them; words that no axis holds are leaves of their own."""
    either = [*indifferent(text, start, end), *members]
    sure = [m.span() for m in _KNOWN_OR_NOT.finditer(text, start, end)]
    inside_from = _whole_bracket(text, start, end)
    closed = [*((f.start, f.end) for f in found), *either, *sure]
    joints = [
        m
        for m in _CONNECTIVE.finditer(text, start, end)
        if not any(s < m.end() and m.start() < e for s, e in closed) and not _in_bracket(text, inside_from, m.start())
    ]
    pieces: list[tuple[int, int, str]] = []
    at, joint = start, ""
    for m in joints:
        pieces.append((at, m.start(), joint))
        at, joint = m.end(), _joint(m[0], text[m.end() : end])
    pieces.append((at, end, joint))
    added = "people" if any(joint == "people" for _, _, joint in pieces) else "also"
    pieces = [(a, b, added if joint == ",people" else joint) for a, b, joint in pieces]
    waiting = ""
    for a, b, said in pieces:
        joined = said
        inside = [f for f in found if a <= f.start and f.end <= b]
        leaves_here = sorted([*inside, *_unread(text, a, b, inside, [*either, *own])], key=lambda r: r.start)
        if not leaves_here:
            waiting = next((j for j in ("people", "also", "or") if j in (joined, waiting)), joined or waiting)
            continue
        joined = next((j for j in ("people", "also") if j in (joined, waiting)), joined if waiting in ("", ",") else waiting)
        waiting = ""
        last = a
        for index, leaf in enumerate(leaves_here):
            yield Term(leaf, joined if index == 0 else "", text[last : leaf.start])
            last = leaf.end


def _members_named(text: str, found: Sequence[Restriction], things: Sequence[Thing]) -> Iterator[tuple[int, int]]:
    """The drugs named as examples right behind their class ("inhibitors such as X, Y or Z"): the class holds them."""
    drugs = {t.start: t.end for t in things if t.kind is Kind.PARTNER}
    for leaf in found:
        led = _SUCH_AS.match(text, leaf.end) if all(isinstance(part, Exposure) for part in leaves(leaf.guard)) else None
        end = drugs.get(led.end()) if led is not None else None
        while end is not None and (joint := _MEMBER_JOINT.match(text, end)) is not None and joint.end() in drugs:
            end = drugs[joint.end()]
        if end is not None:
            yield leaf.end, end


def _whole_bracket(text: str, start: int, end: int) -> int:
    """Where the bracket begins that is all that a phrase says of whom ("patients (adults and children from 6 years)"), else the phrase's start."""
    m = _ALL_IN_BRACKET.fullmatch(text, start, end)
    neutral = m is not None and all(w[0].lower() in condition_words().neutral for w in _WORD.finditer(m["before"]))
    return m.start("inside") if m is not None and neutral else start


def _in_bracket(text: str, start: int, at: int) -> bool:
    before = text[start:at]
    return before.count("(") + before.count("[") > before.count(")") + before.count("]")


def _joint(printed: str, behind: str) -> str:
    """What a connective does: "people" where a new group of patients begins behind it, else "or", "and" or the comma of a list."""
    word = re.sub(r"\s+", " ", printed.strip().lower())
    words = re.findall(r"[a-z/]+", word)
    clause = re.match(r"who\b|when\b|if\b", behind, re.IGNORECASE) is not None
    if _NEW_PEOPLE.match(behind) is not None and not (clause and words == ["and"]):
        return "people" if words or behind.lower().startswith(("patients", "those", "individuals", "persons")) else ",people"
    if "or" in words or "and/or" in words or "/" in words:
        return "or"
    return "and" if words else ","


def _unread(text: str, start: int, end: int, inside: Sequence[Restriction], either: Sequence[tuple[int, int]]) -> Iterator[Restriction]:
    """The stretches of a piece that hold words of content which no leaf covers."""
    at = start
    closed = sorted([*((f.start, f.end) for f in inside), *((max(s, start), min(e, end)) for s, e in either if s < end and start < e)])
    for opens, closes in [*closed, (end, end)]:
        until = opens
        words = _BRACKET.sub(lambda m: " " * len(m[0]) if _EXPLAINS.match(m[0]) else m[0], text[at:until])
        numbered = list(_NUMBERED.finditer(words))
        content = [m for m in _WORD.finditer(words) if m[0].lower().strip("'-/") not in condition_words().neutral and len(m[0]) > 1 and not m[0][0].isdigit()]
        if content or numbered:
            first, last = at + min(m.start() for m in (*content, *numbered)), at + max(m.end() for m in (*content, *numbered))
            yield Restriction(Opaque(" ".join(text[first:last].split())), first, last)
        at = max(at, closes)
