"""Members of lists of patients and states: which of them speak of the population, and which only stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.conditions.words import condition_words
from kb_builder.propose.populations.book import population_book
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.facts import Axis
from ontology.model.guards import Category, Guard, HasCondition, Interval, Opaque, leaves

_SEPARATOR = re.compile(r"[,;\x01]|\b(?:and/or|and|or)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:with|following|after|who|whose|having|receiving|taking|undergoing|requiring|treated|if|when|unless|except)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_WEAK = re.compile(
    r"(?:(?:very|severely|critically|and|or)\s+)*(?:debilitated|acutely ill|malnourished|cachectic|infirm)(?:\s+(?:patients|individuals))?", re.IGNORECASE
)
_NEXT_GROUP = re.compile(
    r",?\s+(?:and|or)\s+(?=(?:in\s+)?(?:children|infants|neonates|patients|women|those|individuals|p(?:a)?ediatric|low[- ]birth)\b)", re.IGNORECASE
)
_NEXT_DEGREE = re.compile(r",?\s+and\s+in\s+(?=(?:patients with\s+)?(?:mild|moderate|severe)\b)", re.IGNORECASE)
_NARROWED = re.compile(r"\b(?:with|who|whose|known|under|below|less|younger|years?|months?|days?)\b|[<≤]", re.IGNORECASE)
_EXAMPLES = re.compile(r"\((?:e\.g\.?,?|for example,?|such as)\s[^()]*\)")
_RUN_ON = re.compile(r"\s+[A-Z][a-z]")
_FOLLOWING = re.compile(r"\b(?:the|these|of the|any of the) following\b[^:;.]{0,60}:?", re.IGNORECASE)
_LIKENED = re.compile(r"\b(?:similar|comparable|equivalent|equal|identical|as|relative|compared) (?:to|with|in)\b[^.;,]*$", re.IGNORECASE)
_COMPARED = 70  # characters before those with whom the population is compared
_LONG = 2  # separators from which a clause is a list of three
_NEAR = 24  # characters around a member in which its list goes on


def split_groups(text: str, items: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The items of a list, cut where "and" adds a further group behind one that is narrowed already."""
    for start, end in items:
        at = start
        for m in _NEXT_GROUP.finditer(text, start, end):
            if _NARROWED.search(text, at, m.start()) is not None:
                yield at, m.start()
                at = m.end()
        yield at, end


def degrees_apart(text: str, place: tuple[int, int], things: Sequence[Thing]) -> Iterator[tuple[int, int]]:
    """The clause in two where a further degree follows one that holds beside a partner ("in moderate impairment with X and in severe impairment")."""
    cut = _NEXT_DEGREE.search(text, *place)
    if cut is not None and any(t.kind is Kind.PARTNER and not t.own and place[0] <= t.start < cut.start() for t in things):
        yield place[0], cut.start()
        yield cut.end(), place[1]
    else:
        yield place


def without_examples(words: str) -> str:
    """The words with examples in brackets blanked: "the vulnerable (e.g., elderly patients)" speaks of the vulnerable."""
    return _EXAMPLES.sub(lambda m: " " * len(m[0]), words)


def without_asides(words: str) -> str:
    """The words with states that a pregnancy once brought blanked: "a history of jaundice in pregnancy" speaks of no pregnancy."""
    for m in population_book().aside.finditer(words):
        words = words[: m.start()] + " " * len(m[0]) + words[m.end() :]
    return words


def is_of_organ(guard: Guard, axis: str) -> bool:
    """True for words or a condition that name a state of the population's organ ("decompensated cirrhosis")."""
    state = population_book().states.get(axis)
    return state is not None and any(state.search(_words(leaf)) for leaf in leaves(guard))


def in_its_member(axis: str, text: str, place: tuple[int, int], own: Sequence[Restriction], other: Sequence[Restriction]) -> list[Restriction]:
    """The further restrictions that stand in the population's own member of a list of three states or more; all of them in a shorter clause."""
    places = _places(axis, text, place, own)
    if not places:
        return list(other)
    start, end = min(s for s, _ in places), max(e for _, e in places)
    if len(_SEPARATOR.findall(text[slice(*place)])) < _LONG and _RUN_ON.match(text, end, place[1]) is None:
        return list(other)
    return [r for r in other if not _is_state(r.guard) or _joined(text, r, start, end)]


def _places(axis: str, text: str, place: tuple[int, int], own: Sequence[Restriction]) -> list[tuple[int, int]]:
    """Where the population's bands stand, or the words that name it where it has none."""
    named = population_book().people[axis]
    return [(r.start, r.end) for r in own] or [(place[0] + m.start(), place[0] + m.end()) for m in named.finditer(text[slice(*place)].lower())]


def beside_no_state(axis: str, text: str, place: tuple[int, int], own: Sequence[Restriction], other: Sequence[Restriction]) -> list[Restriction]:
    """The further restrictions without states that a list of three or more only puts beside the organ's ("heart failure, hepatic impairment and gout")."""
    places = _places(axis, text, place, own)
    if not places:
        return list(other)
    start, end = min(s for s, _ in places), max(e for _, e in places)
    states = [r for r in other if _is_state(r.guard) and _beside(text, r, start, end)]
    opens, closes = min([start, *(r.start for r in states)]), max([end, *(r.end for r in states)])
    listed = _SEPARATOR.findall(text[opens:start]) + _SEPARATOR.findall(text[end:closes])
    return [r for r in other if r not in states] if len(listed) >= _LONG and "," in listed else list(other)


def _beside(text: str, one: Restriction, start: int, end: int) -> bool:
    """True where nothing but the members and separators of a list stand between a restriction and `[start, end)`."""
    between = text[one.end : start] if one.end <= start else text[end : one.start] if end <= one.start else ""
    return _SEPARATOR.search(between) is not None and _LINK.search(between) is None and ":" not in between


def in_following(text: str, clause: tuple[int, int], found: Sequence[Restriction], own: frozenset[Axis]) -> list[Restriction]:
    """The restrictions with what stands behind "the following" as alternatives, which flattened text runs into each other.

    Where the population's own band stands before, the words behind are one condition; where it is a member of the list, it alone is the condition.
    """
    lead = _FOLLOWING.search(text, *clause)
    if lead is None:
        return list(found)
    before, behind = [r for r in found if r.end <= lead.start()], [r for r in found if r.start >= lead.end()]
    if not behind:
        return list(found)
    if any(_on(r, own) for r in before) or not any(_on(r, own) for r in behind):
        return [*before, Restriction(Opaque(" ".join(text[lead.end() : clause[1]].split()).strip(" :,.")), lead.end(), clause[1])]
    bands = [(leaf, r) for r in behind for leaf in leaves(r.guard) if isinstance(leaf, Interval | Category) and leaf.axis in own]
    return [*before, *(Restriction(leaf, r.start, r.end) for leaf, r in bands)]


def _on(one: Restriction, own: frozenset[Axis]) -> bool:
    return any(isinstance(leaf, Interval | Category) and leaf.axis in own for leaf in leaves(one.guard))


def is_compared(one: Restriction, found: Sequence[Restriction], text: str, own: frozenset[Axis]) -> bool:
    """True for a band of the population with which another band is compared ("as in patients with moderate impairment")."""
    likened = _LIKENED.search(text[max(0, one.start - _COMPARED) : one.start]) is not None
    return likened and _on(one, own) and any(r is not one and r.end <= one.start and _on(r, own) for r in found)


def _joined(text: str, one: Restriction, start: int, end: int) -> bool:
    between = text[one.end : start] if one.end <= start else text[end : one.start] if end <= one.start else ""
    return bool(between.strip() == "" and one.start < end and start < one.end) or (_SEPARATOR.search(between) is None and _LINK.search(between) is not None)


def _is_state(guard: Guard) -> bool:
    return all(isinstance(leaf, HasCondition | Opaque) for leaf in leaves(guard))


def is_weak(one: Restriction, text: str) -> bool:
    """True for the weak whom labels list beside the elderly ("elderly or debilitated patients")."""
    words = " ".join(_words(leaf) for leaf in leaves(one.guard))
    around = text[max(0, one.start - _NEAR) : one.end + _NEAR]
    return _is_state(one.guard) and _WEAK.fullmatch(words.strip()) is not None and _SEPARATOR.search(around) is not None


def says_more(one: Restriction, others: Sequence[Restriction], text: str, things: Sequence[Thing]) -> bool:
    """False for words that say nothing beside the other restrictions within them and the label's own product ("ZOCOR is given with ritonavir")."""
    inside = [(r.start, r.end) for r in others if r is not one and one.start <= r.start and r.end <= one.end and not isinstance(r.guard, Opaque)]
    if not isinstance(one.guard, Opaque) or not inside:
        return True
    closed = [*inside, *((t.start, t.end) for t in things if t.own)]
    rest = [m[0].lower() for m in _WORD.finditer(text, one.start, one.end) if not any(s <= m.start() < e for s, e in closed)]
    return any(word not in condition_words().neutral and word not in _GIVING for word in rest)


_GIVING = frozenset({"treating", "treat", "prescribing", "prescribed", "co-administering", "coadministering"})


def _words(leaf: Guard) -> str:
    if isinstance(leaf, Opaque):
        return leaf.text.lower()
    if isinstance(leaf, HasCondition):
        return leaf.words.lower()
    return ""
