"""Uses that a heading, a cell or a sentence names in the words of the label's indications, as the object of the dose and not as its condition.

"Newly diagnosed Ph+ CML in chronic phase" is one use: read apart, its disease would be the object and its other words conditions that no axis holds. The
whole phrase becomes the object, so no word of it is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.use_words import PART, Uses, joints
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import AllOf, AnyOf, Guard, HasCondition, Opaque, leaves
from ontology.text.mentions import singular

_Item = TypeVar("_Item")
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9'’+-]*|\d+")
_GAP = re.compile(r"[ \t\xa0/+*†‡()-]*,?[ \t\xa0/(]*")
"""What may stand between two words of one phrase."""
_DISEASE = re.compile(
    r"(?:itis|[^d]oma|emia|osis|asis|diseases?|syndromes?|cancer|tumou?rs?|disorders?|infections?|arthropathy|transplant(?:ation|s)?|spondyloarthritis|pneumonia)$",
    re.IGNORECASE,
)
"""The end of words, told by letters alone, that are a disease by themselves."""
_STATE = re.compile(r"\b(?:renal|hepatic|kidney|liver|impair\w*|pregnan\w+|breast-?feeding|lactation)\b")
_LIST = re.compile(r",|\bor\b|\band\b", re.IGNORECASE)
_CUT = 60  # characters beside a phrase in which a name may begin that it would cut
_LONGEST = 22  # words of a use
_SHORTEST = 2
_REACH = 160  # characters on either side
_NUMBERED = frozenset({"type", "stage", "class", "grade", "phase"})
_IN_COMPOUNDS = frozenset({"term", "positive"})
"""Words that end a name by themselves and not as a part of a compound ("short-term")."""


def restated(draft: Draft, uses: Uses, lexicon: Lexicon) -> Draft:
    """The draft with its use in full where opaque words of its conditions are part of that use's name; any other draft as it is."""
    if not uses.words or not any(isinstance(leaf, Opaque) for r in draft.limits for leaf in leaves(r.guard)):
        return draft
    draft = _without_held(draft)
    for limit in draft.limits:
        for place in _opaque_places(draft, limit):
            phrase = _phrase(draft, place, uses)
            whole = _with_phrase(draft, phrase, uses, lexicon) if phrase is not None else None
            if whole is not None:
                return restated(whole, uses, lexicon)
    return draft


def _without_held(draft: Draft) -> Draft:
    """The draft without words that its object holds already; words of an object of several uses may say which of them."""
    if draft.target.id.type != EntityType.CONDITION or _LIST.search(draft.target.words) is not None:
        return draft

    def held(limit: Restriction) -> bool:
        return (
            isinstance(limit.guard, Opaque)
            and any(p.lower() not in joints().joints for p in PART.findall(limit.guard.text))
            and _holds(draft.target.words, limit.guard.text)
        )

    return replace(draft, limits=tuple(r for r in draft.limits if not held(r)))


def _opaque_places(draft: Draft, limit: Restriction) -> Iterator[tuple[int, int]]:
    """Where the opaque words of a limit stand."""
    if isinstance(limit.guard, Opaque):
        yield limit.start, limit.end
        return
    text = draft.reading.blank
    for leaf in leaves(limit.guard):
        if isinstance(leaf, Opaque):
            at = re.compile(r"\s+".join(map(re.escape, leaf.text.split()))).search(text, limit.start, limit.end)
            if at is not None:
                yield at.span()


def _phrase(draft: Draft, place: tuple[int, int], uses: Uses) -> tuple[int, int] | None:
    """The longest stretch of words of the indications around a place; None where the place itself has others, or nothing in the stretch is a disease."""
    text, book = draft.reading.blank, joints()
    tokens = list(_TOKEN.finditer(text, *_around(draft, place)))
    inside = [i for i, m in enumerate(tokens) if place[0] <= m.start() and m.end() <= place[1]]
    named = [*_diseases(draft, uses, tokens[0].start(), tokens[-1].end())] if inside else []
    fits = [any(s <= m.start() and m.end() <= e for s, e in named) or _belongs(tokens, i, uses) for i, m in enumerate(tokens)]
    inside = _trimmed(inside, lambda i: tokens[i][0].lower() in book.edges | book.joints)
    if not inside or not all(fits[i] for i in inside):
        return None
    if not any(tokens[i][0].lower() not in book.joints for i in inside):
        return None
    first, last = inside[0], inside[-1]
    if any(not _joins(text, tokens[i], tokens[i + 1]) for i in range(first, last)):
        return None
    while first > 0 and fits[first - 1] and _joins(text, tokens[first - 1], tokens[first]):
        first -= 1
    while last + 1 < len(tokens) and fits[last + 1] and _joins(text, tokens[last], tokens[last + 1]):
        last += 1
    while first < inside[0] and _only_leads(tokens, first):
        first += 1
    while last > inside[-1] and tokens[last][0].lower() in book.joints | book.weak:
        last -= 1
    if tokens[first][0].lower() in book.joints or tokens[last][0].lower() in book.joints:
        return None
    least = 1 if _DISEASE.search(uses.letters.get(tokens[first][0], "")) else _SHORTEST
    if not least <= last - first + 1 <= _LONGEST:
        return None
    found = tokens[first].start(), tokens[last].end()
    if any(t.start < found[0] < t.end or t.start < found[1] < t.end for t in draft.reading.things_in(found[0] - _CUT, found[1] + _CUT)):
        return None
    return found if _names_disease(draft, found, uses) else None


def _around(draft: Draft, place: tuple[int, int]) -> tuple[int, int]:
    """Where a phrase around a place may reach: as far as the cell or heading that it stands in, else a sentence's length."""
    start, end = max(0, place[0] - _REACH), place[1] + _REACH
    held = [cited for cited, _ in draft.cited if cited[0] <= place[0] and place[1] <= cited[1]]
    return min(held, key=lambda c: c[1] - c[0], default=(start, end))


def _diseases(draft: Draft, uses: Uses, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The names of diseases in a stretch that the indications have; weakness of an organ and pregnancy are states of the patient."""
    for thing in draft.reading.things_in(start, end):
        words = " ".join(draft.reading.blank[thing.start : thing.end].lower().split())
        if thing.kind is Kind.STATE and thing.type == EntityType.CONDITION and words in uses.text and _STATE.search(words) is None:
            yield thing.start, thing.end


def _only_leads(tokens: Sequence[re.Match[str]], i: int) -> bool:
    """True for a word at the front of a name that is no part of it; "treatment and prophylaxis of X" is one whole."""
    word, behind = tokens[i][0].lower(), tokens[i + 1][0].lower()
    return word in joints().joints or (word in joints().weak and behind not in ("and", "or"))


def _belongs(tokens: Sequence[re.Match[str]], i: int, uses: Uses) -> bool:
    """True for a word that may stand in a use's name: one of the indications that says nothing of age, organ, dose or partner, or a joint."""
    word = tokens[i][0]
    lower = word.lower()
    if i + 1 < len(tokens) and tokens[i + 1][0].lower().startswith("transplant"):
        return uses.names(word)
    if lower in joints().ends or any(part in joints().ends - _IN_COMPOUNDS for part in lower.split("-")):
        return False
    if word.isdigit():
        return i > 0 and tokens[i - 1][0].lower() in _NUMBERED and word in uses.words
    return lower in joints().joints or uses.names(word.strip("'’+-"))


def _joins(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    start = before.end()
    if len(before[0]) == 1 and text[start : start + 1] == ".":  # "H. pylori"
        start += 1
    return _GAP.fullmatch(text, start, after.start()) is not None


def _names_disease(draft: Draft, place: tuple[int, int], uses: Uses) -> bool:
    """True where the phrase names a condition and no other drug."""
    things = draft.reading.things_in(*place)
    if any(t.own or t.kind is Kind.PARTNER for t in things):
        return False
    if any(t.kind is Kind.STATE and t.type == EntityType.CONDITION for t in things):
        return True
    words = draft.reading.blank[slice(*place)]
    if draft.target.id.type == EntityType.CONDITION and draft.target.words.lower() in words.lower():
        return True
    told = _TOKEN.sub(lambda m: uses.letters.get(m[0], m[0]), words)
    return any(" ".join(w.lower().split()) in uses.text for w in (words, told)) or any(
        _DISEASE.search(uses.letters.get(m[0], "")) for m in _TOKEN.finditer(words)
    )


def _with_phrase(draft: Draft, place: tuple[int, int], uses: Uses, lexicon: Lexicon) -> Draft | None:
    """The draft with the phrase as its object and without the conditions that stand in it; None where that would lose a word."""
    words = " ".join(draft.reading.blank[slice(*place)].split())
    target = draft.target
    if target.id.type == EntityType.CONDITION and not (_holds(words, target.words) or _is_member(words, target.words, uses)):
        return None
    kept: list[Restriction] = []
    for limit in draft.limits:
        left = _outside(draft, limit, place)
        if left is not None:
            kept.append(left)
    if tuple(kept) == draft.limits:
        return None
    known = lexicon.lookup(words, frozenset({EntityType.CONDITION}))
    return replace(draft, target=Target(known[0], words) if known else uncoded(EntityType.CONDITION, words), limits=tuple(kept))


def _holds(words: str, name: str) -> bool:
    told = {singular(p.lower()) for p in PART.findall(words)}
    return all(singular(p.lower()) in told or p.lower() in joints().joints for p in PART.findall(name))


def _is_member(words: str, name: str, uses: Uses) -> bool:
    """True for one of several uses that the object lists."""
    told = _spelled(name, uses)
    return _LIST.search(name) is not None and _spelled(words, uses) <= told


def _spelled(words: str, uses: Uses) -> set[str]:
    """The words, those of letters in full, without joints."""
    parts = [q for p in _TOKEN.findall(words) for q in PART.findall(uses.letters.get(p.strip("'’+-"), p))]
    full = [q for p in parts for q in PART.findall(uses.letters.get(p, p))]
    return {singular(w.lower()) for w in full} - joints().joints


def _outside(draft: Draft, limit: Restriction, place: tuple[int, int]) -> Restriction | None:
    """What a limit says besides the phrase: nothing where it stands in it, the limit as it is where it does not."""
    guard = limit.guard
    if isinstance(guard, Opaque) and _overlaps(limit, place) and _core(guard.text) in _core(draft.reading.blank[slice(*place)]):
        return None
    inside = place[0] <= limit.start and limit.end <= place[1]
    if inside and all(isinstance(leaf, Opaque) or (isinstance(leaf, HasCondition) and leaf.state is ConditionState.ACTIVE) for leaf in leaves(guard)):
        return None
    text = " ".join(draft.reading.blank[slice(*place)].split())
    apart = _overlaps(limit, place)
    if apart and isinstance(guard, AnyOf) and all(_is_told(leaf, text) for leaf in leaves(guard)):
        return None
    if isinstance(guard, AllOf) and apart:
        parts = tuple(p for p in guard.parts if not _is_told(p, text))
        if not parts:
            return None
        return limit if parts == guard.parts else replace(limit, guard=parts[0] if len(parts) == 1 else AllOf(parts))
    return limit


def _overlaps(limit: Restriction, place: tuple[int, int]) -> bool:
    return limit.start < place[1] and place[0] < limit.end


def _core(words: str) -> str:
    """The words on one line without those at the ends that name doses or lead to a use."""
    return " ".join(_trimmed(words.split(), lambda w: w.lower().strip("(),.:;*") in joints().edges | joints().joints)).strip("(),.:;* ")


def _trimmed(items: Sequence[_Item], gone: Callable[[_Item], bool]) -> list[_Item]:
    """The items without those at either end that are `gone`."""
    kept = [i for i, item in enumerate(items) if not gone(item)]
    return list(items[kept[0] : kept[-1] + 1]) if kept else []


def _is_told(guard: Guard, text: str) -> bool:
    """True for words or a present state that the phrase has too."""
    if isinstance(guard, HasCondition):
        return guard.state is ConditionState.ACTIVE and guard.words in text
    return isinstance(guard, Opaque) and guard.text in text
