"""The restrictions of a use: what the places of a phrase that name no use say, as guards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.parts import HALF, OPEN_END
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Thing
from ontology.model.facts import Axis
from ontology.model.guards import Category, Exposure, Guard, HasCondition, Opaque, leaves

_THE_FOLLOWING = re.compile(
    r"(?:\b(?:with|for|of|in)\s+)?(?:any\s+of\s+|one\s+of\s+)?(?:\bthe\s+)?\bfollowing\b\W*(?:[\w()-]+\W+){0,6}(?:conditions?|indications?|neoplasms|diseases|disorders|infections|types|subtypes|cancers|malignancies|settings|situations|circumstances|patients|uses)\W*$",
    re.IGNORECASE,
)
"""What only leads to the uses below it."""
_CONCEDES = re.compile(r"(?:al)?though\b", re.IGNORECASE)
"""What a clause concedes restricts nothing."""
_GOES_ON = re.compile(r"\s*(?:and/or|and|or|who|whose|which|that|but|to)\b|\s*(?:is|are)?\s*(?:not|inadequately)\b", re.IGNORECASE)

_MORE_PEOPLE = re.compile(r"\b(?:or|and)\s+(?:in\s+|for\s+)?(?:patients|those|individuals|adults)\s*$", re.IGNORECASE)
"""The end of a place whose last people are told of in the next one."""


def limits_of(text: str, contexts: Sequence[tuple[int, int]], things: Sequence[Thing], lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The restrictions that stand at places of the text; words that no axis holds stay as they are."""
    out: list[Restriction] = []
    for start, end in _joined_places(text, contexts):
        named = _THE_FOLLOWING.search(text, start, end)
        end = named.start() if named is not None else end
        words = " ".join(text[start:end].replace("\x01", " ").split()).strip(" ,.;:")
        if not re.search(r"\w{2}", words) or _CONCEDES.match(words) or words.lower() in indication_book().empty:
            continue
        inside = [t for t in things if start <= t.start and t.end <= end]
        read = [r for r in read_conditions(text, start, end, inside, lexicon) if not any(isinstance(leaf, Opaque) for leaf in leaves(r.guard))]
        if _unread(text, start, end, read):
            read = [r for r in read if not any(isinstance(leaf, HasCondition | Exposure) or (" or " in words and _is_organ(leaf)) for leaf in leaves(r.guard))]
            read.append(Restriction(Opaque(words), start, end))
        out += read
    return tuple({repr(r.guard): r for r in out}.values())


def _is_organ(leaf: Guard) -> bool:
    """True for a weak organ, which among alternatives that are not read is no condition of all of them."""
    return isinstance(leaf, Category) and leaf.axis in (Axis.RENAL, Axis.HEPATIC)


def _unread(text: str, start: int, end: int, read: Sequence[Restriction]) -> bool:
    """True where a place says more than what was read of it."""
    rest = list(text[start:end])
    for one in read:
        for i in range(max(start, one.start), min(end, one.end)):
            rest[i - start] = " "
    return any(w.lower() not in indication_book().plain_people for w in re.findall(r"[A-Za-z]{2,}", "".join(rest)))


def _joined_places(text: str, contexts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places in order, those that go on as one clause joined."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(set(contexts)):
        touches = bool(out) and not text[out[-1][1] : start].strip()
        if touches and (
            _GOES_ON.match(text, start)
            or _MORE_PEOPLE.search(text[out[-1][0] : out[-1][1]])
            or OPEN_END.search(text[out[-1][0] : out[-1][1]].rstrip(" ,"))
            or len(text[slice(*out[-1])].split()) < HALF
        ):
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out
