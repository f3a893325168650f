"""Drugs that a section names as parts of what it speaks of, and drugs that are not taken: neither is a partner of the product.

A part is the other drug of a pair that holds the label's own ("BRAND/ritonavir with X", "X in combination with BRAND plus Y"), and what boosts a
partner ("atazanavir/ritonavir").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise

from kb_builder.propose.interactions.bystanders import boosters, told_apart
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId

_SLASH = re.compile(r"\s?/\s?")
_PLUS = re.compile(r"\s+plus\s+(?:low-dose\s+)?", re.IGNORECASE)
_WITH_OWN = re.compile(r"\b(?:in combination with|combined with|added to|together with|co-?administered with)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_ALONGSIDE = re.compile(
    r",?\s+(?:(?:must be |is |are )?(?:co-?administered|boosted|given|combined|in combination)\s+)?(?:with|plus|and|\+)\s+(?:(?:low-dose|\d+\s?mg(?:\s+of)?)\s+)*",
    re.IGNORECASE,
)
_HOLDING = re.compile(r"\s?-\s?(?:containing|boosted|based)\b|\s+(?:full\s+)?(?:prescribing information|contraindications)\b", re.IGNORECASE)
_WITHOUT = re.compile(
    r"(?<!\bor )(?<!\band )(?<!/)\b(?:without|in the absence of)\s+(?:(?:the|an?|any|additional|concomitant(?:ly)?|concurrent(?:ly)?|simultaneous|co-?\s?administ\w+|use|addition|low-?\s?dose|of|inhaled|oral"
    r"|taking|adding|potent|strong|moderate)\s+)*$"
    r"|\bwho\s+are\s+not\s+(?:also\s+|concomitantly\s+|concurrently\s+|already\s+)?(?:receiving|taking|using|on|treated\s+with)\s+(?:(?:a|an|any|the|concomitant|effective|highly|active)\s+)*$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[\s,/]*(?:\b(?:and|or|and/or)\s+)?(?:\((?:e\.g\.|such as|including|i\.e\.),?\s*)?", re.IGNORECASE)
_GIVEN_WITH = re.compile(
    r"\b(?:if|when)\s[^.;,]{1,100}?\b(?:co-?\s?administered|used|taken|given|combined|administered)\s(?:[^.;,]{0,30}\s)?with\s", re.IGNORECASE
)
_WHEN_WITH = re.compile(
    r"\b(?:contraindicated|not\s+recommended)\s+with\s+(?P<drugs>[^.;]{3,120}?)\s+when\s+(?:co-?\s?administered|used|given|taken)\s+(?:together\s+)?with\s+",
    re.IGNORECASE,
)
_IN_PRESENCE = re.compile(r"\b(?:with|of)\s[^.;,()]{3,60}?\sin (?:the )?presence of\s+(?:an?\s+|the\s+|other\s+|concomitant\s+)?", re.IGNORECASE)
_TILL_COMMA = re.compile(r"(?:[^(),.;]|\([^()]*\))*")
_COMMA = re.compile(r",\s+(?:then\s+)?", re.IGNORECASE)
_LONGEST = 200
_USE_OF = re.compile(r"(?:(?:the\s+)?(?:concomitant\s+)?(?:use|co-?\s?administration|administration)\s+of\s+)?(?:either\s+|the\s+)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\s+(?:(?:is|are)\s+(?:contraindicated|not\s+recommended)|(?:should|must)\s+not\s+be)\b", re.IGNORECASE)
_IN_BRACKET = re.compile(r"\s*\((?:e\.g\.|such as|including|i\.e\.|for example)[^()]*", re.IGNORECASE)
_DRUGS = (EntityType.INGREDIENT, EntityType.DRUG)
_NEAR = 60
_OFTEN = 5
"""So many times a section writes another drug together with its own before the two count as one treatment wherever they stand together."""


def treatments(sections: Iterable[tuple[str, Sequence[Thing]]]) -> frozenset[EntityId]:
    """The drugs that a label so often writes together with its own ("BRAND/ritonavir") that the two count as one treatment. Each section with its things."""
    counted: Counter[EntityId] = Counter()
    for text, things in sections:
        taken = _taken(things)
        counted.update(t.targets[0].id for before, t in pairwise(taken) if _is_pair(text, before, t))
    return frozenset(drug for drug, times in counted.items() if times >= _OFTEN)


def companions(text: str, things: Sequence[Thing], with_own: Container[EntityId] = ()) -> frozenset[int]:
    """Where the things of a section begin that are parts of a pair and no partners. `with_own` are the drugs that are one treatment with the product."""
    taken = _taken(things)
    parts = {t.start for t in _parts(text, taken)}
    for before, thing in zip([None, *taken], taken, strict=False):
        if thing.own or thing.targets[0].id not in with_own:
            continue
        beside = before is not None and _is_own(before) and _ALONGSIDE.fullmatch(text, before.end, thing.start) is not None
        if beside or _HOLDING.match(text, thing.end) is not None:
            parts.add(thing.start)
    return frozenset(parts)


def _taken(things: Sequence[Thing]) -> list[Thing]:
    return [t for t in things if t.own or t.kind is Kind.PARTNER]


def _is_pair(text: str, before: Thing, thing: Thing) -> bool:
    return _is_own(before) and not thing.own and thing.type in _DRUGS and _SLASH.fullmatch(text, before.end, thing.start) is not None


def _parts(text: str, taken: Sequence[Thing]) -> Iterator[Thing]:
    """The things that stand behind the product, or behind another part of it, as one word with it; what boosts the drug before it."""
    last: Thing | None = None
    for before, thing in pairwise(taken):
        if thing.own or thing.type not in _DRUGS:
            continue
        slashed = _SLASH.fullmatch(text, before.end, thing.start) is not None
        with_own = slashed and (_is_own(before) or before is last)
        joined = (
            before.own and _PLUS.fullmatch(text, before.end, thing.start) is not None and _WITH_OWN.search(text, max(0, before.start - _NEAR), before.start)
        )
        boosts = slashed and before.type in _DRUGS and text[thing.start : thing.end].lower() in boosters()
        if with_own or joined or boosts:
            last = thing if with_own else last
            yield thing


def _is_own(thing: Thing) -> bool:
    return thing.own and thing.type in _DRUGS


def booster_behind(text: str, thing: Thing, things: Sequence[Thing]) -> Thing | None:
    """The booster that is written as one word with a drug and on which the statement depends ("darunavir/cobicistat"), or None."""
    behind = next((t for t in things if t.start >= thing.end), None)
    if behind is None or thing.type not in _DRUGS or text[behind.start : behind.end].lower() not in told_apart():
        return None
    return behind if _SLASH.fullmatch(text, thing.end, behind.start) is not None else None


def not_taken(text: str, start: int, things: Sequence[Thing]) -> list[Thing]:
    """The things of a sentence that begins at `start` of which it says that they are not taken ("without coadministration of X or Y")."""
    out: list[Thing] = []
    for thing in things:
        if thing.own or thing.kind is not Kind.PARTNER or thing.start < start:
            continue
        listed = bool(out) and (
            _LISTED.fullmatch(text, out[-1].end, thing.start) is not None or _IN_BRACKET.fullmatch(text, out[0].end, thing.start) is not None
        )
        if listed or _WITHOUT.search(text, max(start, thing.start - 2 * _NEAR), thing.start) is not None:
            out.append(thing)
    return out


def given_besides(text: str, start: int, end: int, things: Sequence[Thing]) -> list[Thing]:
    """The drugs that patients take besides in a sentence `[start, end)` that then forbids a third one.

    "When BRAND is co-administered with X, use of Y is contraindicated", and "BRAND is contraindicated with Y when co-administered with X", are on Y in
    patients on X; so is "BRAND with Y in the presence of X". Empty for other sentences.
    """
    named = [t for t in things if (t.own or t.kind is Kind.PARTNER) and start <= t.start < end]
    when = _WHEN_WITH.search(text, start, end)
    if when is not None and any(not t.own and when.start("drugs") <= t.start < when.end("drugs") for t in named):
        return [t for t in named if t.start >= when.end() and not t.own]
    presence = _IN_PRESENCE.search(text, start, end)
    if presence is not None and any(not t.own and presence.start() <= t.start < presence.end() for t in named):
        until = _TILL_COMMA.match(text, presence.end(), end)
        return [t for t in named if not t.own and until is not None and presence.end() <= t.start < until.end()]
    clause = _GIVEN_WITH.search(text, start, end)
    if clause is None or not any(_is_own(t) for t in named if t.start < clause.end()):
        return []
    for comma in _COMMA.finditer(text, clause.end(), min(end, clause.end() + _LONGEST)):
        given = [t for t in named if clause.end() <= t.start < comma.start()]
        behind = [t for t in named if t.start >= comma.end()]
        if given and behind and _are_forbidden(text, comma.end(), behind) and not any(t.own or t.ids & b.ids for t in given for b in behind):
            return given
    return []


def _are_forbidden(text: str, at: int, drugs: Sequence[Thing]) -> bool:
    """True when the words from `at` on say of the drugs, the first of which stands there, that they are not to be used."""
    if drugs[0].own or _USE_OF.fullmatch(text, at, drugs[0].start) is None:
        return False
    last = drugs[0]
    for thing in drugs[1:]:
        if _LISTED.fullmatch(text, last.end, thing.start) is None:
            break
        last = thing
    return _FORBIDDEN.match(text, last.end) is not None
