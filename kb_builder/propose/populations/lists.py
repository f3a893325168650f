"""Members of lists of patients and states: which of them speak of the population, and which only stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.conditions.words import condition_words
from kb_builder.propose.populations.book import population_book
from kb_builder.propose.reading.things import Thing
from ontology.model.guards import Guard, HasCondition, Opaque, leaves

_SEPARATOR = re.compile(r"[,;\x01]|\b(?:and|or|and/or)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:with|who|whose|having|receiving|taking|undergoing|requiring|treated|if|when|unless|except)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_WEAK = re.compile(
    r"(?:(?:very|severely|critically|and|or)\s+)*(?:debilitated|acutely ill|malnourished|cachectic|infirm)(?:\s+(?:patients|individuals))?", re.IGNORECASE
)
_NEXT_GROUP = re.compile(
    r",?\s+(?:and|or)\s+(?=(?:in\s+)?(?:children|infants|neonates|patients|women|those|individuals|p(?:a)?ediatric|low[- ]birth)\b)", re.IGNORECASE
)
_NARROWED = re.compile(r"\b(?:with|who|whose|known|under|below|less|younger|years?|months?|days?)\b|[<≤]", re.IGNORECASE)
_EXAMPLES = re.compile(r"\((?:e\.g\.?,?|for example,?|such as)\s[^()]*\)")
_RUN_ON = re.compile(r"\s+[A-Z][a-z]")
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
    places = [(r.start, r.end) for r in own] or [
        (place[0] + m.start(), place[0] + m.end()) for m in population_book().people[axis].finditer(text[slice(*place)].lower())
    ]
    if not places:
        return list(other)
    start, end = min(s for s, _ in places), max(e for _, e in places)
    if len(_SEPARATOR.findall(text[slice(*place)])) < _LONG and _RUN_ON.match(text, end, place[1]) is None:
        return list(other)
    return [r for r in other if not _is_state(r.guard) or _joined(text, r, start, end)]


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
