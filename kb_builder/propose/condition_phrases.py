"""A phrase of conditions as guards: "or" lists are any of their members, further words narrow, and what no axis holds stays in its words.

"adults with severe renal impairment or ESRD on hemodialysis" is three things at once: the people before "with" hold for all that follows, the
members of the list are alternatives, and a member may have parts of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb_builder.propose.age_bounds import narrowed, united
from kb_builder.propose.condition_words import condition_words
from kb_builder.propose.leaves import axis_of, find_leaves, indifferent
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Thing
from ontology.model.entities import Entity
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, Interval, Not, Opaque, leaves

_CONNECTIVE = re.compile(r"\s*(?:;|,(?!\d{3}\b)|\b(?:and/or|or|and|as well as)\b|/(?=\s))(?:\s*(?:,|\b(?:and/or|or|and)\b))*\s*", re.IGNORECASE)
_NEW_PEOPLE = re.compile(
    r"^(?:also\s+)?(?:(?:in|for|of)\s+(?:the\s+|those\s+)?\w|those\b|patients\b|individuals\b|persons\b|who (?:are|have)\b|if\b|when\b)", re.IGNORECASE
)
_LINK = re.compile(
    r"\b(?:with|who|whose|whom|having|has|have|receiving|taking|on|undergoing|requiring|treated|using|suffering|weighing|given|aged|in|when|if)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\s*[,(]?\s*\b(?:unless|except(?:ing)?(?:\s+(?:for|in|when|with|as))?|other than|excluding|with the exception of|but not(?:\s+in)?)\s+", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z][\w'/-]*|\d[\d.,]*%?")
_BRACKET = re.compile(r"[(\[][^()\[\]]*[)\]]")
_EXPLAINS = re.compile(
    r"^[(\[]\s*(?:e\.?g\b|i\.?e\b|see\b|such as|including|for example|[A-Z][A-Za-z0-9-]{1,8}s?\s*[)\]]|\d+(?:\.\d+)*[\s,)\]]|estimated|as measured|based on|also|\s*[)\]])",
    re.IGNORECASE,
)
_UNION_AXES = frozenset(
    {Axis.AGE, Axis.RENAL, Axis.HEPATIC, Axis.GENOTYPE, Axis.CHILD_PUGH, Axis.ANCESTRY, Axis.SEX, Axis.PREGNANCY, Axis.LACTATION, Axis.DIALYSIS}
)
_PEOPLE_AXES = frozenset({Axis.AGE, Axis.SEX, Axis.ANCESTRY, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE, Axis.WEIGHT, Axis.BSA})


@dataclass(frozen=True, slots=True)
class _Term:
    """A leaf in its phrase: how it is joined to the one before ("or", "and", ",", "people" for a new group, "" for none) and the words between."""

    leaf: Restriction
    joint: str
    between: str


def read_phrase(text: str, start: int, end: int, things: Sequence[Thing], *, hint: Axis | None = None, assumed: bool = False) -> list[Restriction]:
    """The restrictions that the phrase `[start, end)` of folded text is; all of them must hold."""
    exception = next((m for m in _EXCEPTION.finditer(text, start, end) if m.start() > start and not _within_list_of_drugs(m, things)), None)
    if exception is None:
        return list(_flat(_phrase(text, start, end, things, hint, assumed=assumed)))
    out = list(_flat(_phrase(text, start, exception.start(), things, hint, assumed=assumed)))
    return [*out, spared(text, exception.start(), exception.end(), end, things)]


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
    terms = list(_terms(text, start, end, found))
    if not terms:
        return None
    groups: list[list[_Term]] = [[]]
    for term in terms:
        if term.joint in ("people", "also") and groups[-1]:
            groups.append([])
        groups[-1].append(term)
    read = [_group(g) for g in groups]
    if len(read) == 1 or all(g[0].joint == "also" for g in groups[1:]):
        return _Read(tuple(part for parts in read for part in parts))
    return _Read(_any_of([_one(parts) for parts in read], start=terms[0].leaf.start, end=terms[-1].leaf.end))


def _terms(text: str, start: int, end: int, found: Sequence[Restriction]) -> Iterator[_Term]:
    """The leaves in order with what joins them; words that no axis holds are leaves of their own."""
    either = indifferent(text, start, end)
    closed = [*((f.start, f.end) for f in found), *either]
    joints = [
        m
        for m in _CONNECTIVE.finditer(text, start, end)
        if not any(s < m.end() and m.start() < e for s, e in closed) and not _in_bracket(text, start, m.start())
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
        leaves_here = sorted([*inside, *_unread(text, a, b, inside, either)], key=lambda r: r.start)
        if not leaves_here:
            waiting = next((j for j in ("people", "also", "or") if j in (joined, waiting)), joined or waiting)
            continue
        joined = next((j for j in ("people", "also") if j in (joined, waiting)), joined if waiting in ("", ",") else waiting)
        waiting = ""
        last = a
        for index, leaf in enumerate(leaves_here):
            yield _Term(leaf, joined if index == 0 else "", text[last : leaf.start])
            last = leaf.end


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
        content = [m for m in _WORD.finditer(words) if m[0].lower().strip("'-/") not in condition_words().neutral and len(m[0]) > 1 and not m[0][0].isdigit()]
        if content:
            first, last = at + content[0].start(), at + content[-1].end()
            yield Restriction(Opaque(" ".join(text[first:last].split())), first, last)
        at = max(at, closes)


def _group(terms: Sequence[_Term]) -> list[Restriction]:
    """One group of people: those named first, and what holds of all of them."""
    cut = next((i for i in range(1, len(terms)) if _opens_tail(terms, i)), None)
    if cut is None or cut == 0:
        return _list(terms)
    return [*_list(terms[:cut]), *_list(terms[cut:])]


def _opens_tail(terms: Sequence[_Term], i: int) -> bool:
    """True where the terms before are people only and the words between say what else holds of them ("with", "receiving")."""
    before, here = terms[i - 1].leaf.guard, terms[i]
    if here.joint or _LINK.search(here.between) is None or not all(_is_people(t.leaf.guard) for t in terms[:i]):
        return False
    return not (isinstance(before, Interval) and isinstance(here.leaf.guard, Interval) and before.axis is here.leaf.guard.axis)


def _is_people(guard: Guard) -> bool:
    found = leaves(guard)
    return all(axis_of(leaf) in _PEOPLE_AXES or (isinstance(leaf, Opaque) and len(leaf.text.split()) == 1) for leaf in found)


def _list(terms: Sequence[_Term]) -> list[Restriction]:
    """The members of a list, each with its own parts, joined as the list joins them."""
    members: list[tuple[str, list[Restriction]]] = []
    for term in terms:
        if members and not term.joint:
            members[-1][1].append(term.leaf)
        else:
            members.append((term.joint, [term.leaf]))
    joints = [j for j, _ in members[1:]]
    for i in range(len(joints) - 1, -1, -1):
        if joints[i] == ",":
            joints[i] = joints[i + 1] if i + 1 < len(joints) else ","
    read = [_tight(parts) for _, parts in members]
    if len(read) == 1:
        return read[0]
    if _unites(read) and not _two_sided(read):
        return list(_any_of([_one(parts) for parts in read], start=terms[0].leaf.start, end=terms[-1].leaf.end))
    if "or" in joints:
        runs: list[list[Restriction]] = [list(read[0])]
        for joint, parts in zip(joints, read[1:], strict=True):
            if joint == "or":
                runs.append([])
            runs[-1] += parts
        return list(_any_of([_one(parts) for parts in runs], start=terms[0].leaf.start, end=terms[-1].leaf.end))
    return [part for parts in read for part in parts]


def _unites(read: Sequence[Sequence[Restriction]]) -> bool:
    """True where the members are on one axis, so that "and" adds people ("adults and adolescents")."""
    firsts = [axis_of(parts[0].guard) for parts in read]
    if {Axis.PREGNANCY, Axis.LACTATION} >= set(firsts):
        return True
    return firsts[0] in _UNION_AXES and len(set(firsts)) == 1


def _two_sided(read: Sequence[Sequence[Restriction]]) -> bool:
    """True for a lower and an upper bound on one value ("at least 12 years and less than 18 years")."""
    if len(read) != 2:
        return False
    first, second = read[0][0].guard, read[1][0].guard
    if not (isinstance(first, Interval) and isinstance(second, Interval)) or first.term or second.term or first.unit != second.unit:
        return False
    low, high = (first, second) if first.low is not None else (second, first)
    return low.high is None and high.low is None and low.low is not None and high.high is not None and low.low < high.high


def _tight(parts: Sequence[Restriction]) -> list[Restriction]:
    """The parts of one member, all of which hold; a printed age takes the place of the word beside it."""
    out: list[Restriction] = []
    for part in _whole_ranges(parts):
        last = out[-1] if out else None
        word, number = (last.guard, part.guard) if last is not None and _is_word(last.guard) else (part.guard, last.guard if last is not None else None)
        if last is not None and isinstance(word, Interval) and word.term and number is not None and {axis_of(leaf) for leaf in leaves(number)} == {word.axis}:
            out[-1] = Restriction(narrowed(word, number), last.start, part.end)
        elif last is not None and isinstance(part.guard, Category) and part.guard.axis is Axis.SEX and axis_of(last.guard) is Axis.PREGNANCY:
            continue
        else:
            out.append(part)
    return out


def _is_word(guard: Guard) -> bool:
    return isinstance(guard, Interval) and guard.term is not None


def _whole_ranges(parts: Sequence[Restriction]) -> Iterator[Restriction]:
    """The parts with both ends of a range over two units as one ("1 month to 2 years")."""
    waiting: Restriction | None = None
    for part in parts:
        if waiting is not None:
            joined = part.start == waiting.end and isinstance(part.guard, Interval) and part.guard.low is None and axis_of(waiting.guard) is part.guard.axis
            if joined:
                yield Restriction(AllOf((waiting.guard, part.guard)), waiting.start, part.end)
                waiting = None
                continue
            yield waiting
            waiting = None
        if isinstance(part.guard, Interval) and part.guard.low is not None and part.guard.high is None and part.guard.term is None:
            waiting = part
        else:
            yield part
    if waiting is not None:
        yield waiting


def _one(parts: Sequence[Restriction]) -> Restriction:
    guards = tuple(dict.fromkeys(p.guard for p in parts))
    flat = tuple(dict.fromkeys(q for g in guards for q in (g.parts if isinstance(g, AllOf) else (g,))))
    entities = tuple(dict.fromkeys(e for p in parts for e in p.entities))
    return Restriction(flat[0] if len(flat) == 1 else AllOf(flat), parts[0].start, parts[-1].end, entities)


def _any_of(parts: Sequence[Restriction], *, start: int, end: int) -> tuple[Restriction, ...]:
    """Any of the parts as one restriction; none where their ages together are all ages."""
    entities = tuple(dict.fromkeys(e for p in parts for e in p.entities))
    guards = [q for p in parts for q in (p.guard.parts if isinstance(p.guard, AnyOf) else (p.guard,))]
    guard = united(guards)
    return (Restriction(guard, start, end, entities),) if guard is not None else ()
