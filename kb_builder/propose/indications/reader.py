"""Indication phrases: "for the adjuvant treatment of adults with stage III colon cancer in combination with ..." as uses with their restrictions.

A phrase is cut where a purpose, an aim, the people or a restriction begins. What a purpose names is the use; where only an aim is named ("to improve
glycemic control in adults with ..."), the state of the people is. The rest restricts the use and stays in its guard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.limits import limits_of
from kb_builder.propose.indications.names import Name, split_names
from kb_builder.propose.indications.parts import Part, cut_phrase
from kb_builder.propose.indications.uses import Lead, Purpose, assemble
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, USE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.guards import Category, Interval, Opaque
from ontology.model.identifiers import EntityId


@dataclass(frozen=True, slots=True)
class Indication:
    """One use in the label's words at `[start, end)` of the text, and what restricts it."""

    target: Target
    start: int
    end: int
    purpose: Purpose
    limits: tuple[Restriction, ...] = ()


_SHORT = 5
_LONGEST = 12
_GRADED = re.compile(r"\d|\b(?:mild|moderate|severe|type|no|not|without|other|i{1,3})\b", re.IGNORECASE)
_CONDITIONAL = re.compile(r"\s*\(((?:if|when|only|unless|provided)\b[^()]*)\)", re.IGNORECASE)
_PREGNANCY = re.compile(r"(?:an?\s+|unintended\s+)?pregnancy", re.IGNORECASE)


def find_indications(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon, lead: Lead | None = None) -> list[Indication]:
    """The uses that a phrase `[start, end)` of folded text names, in order of print. `lead` is what stands above it."""
    lead = lead or Lead()
    shared: list[tuple[int, int]] = list(lead.contexts)
    out: list[Indication] = []
    parts = cut_phrase(text, start, end)
    for use in assemble(parts, text, lead, shared):
        limits = limits_of(text, [*shared, *use.contexts], things, lexicon)
        for at, until, purpose in use.objects:
            if purpose is Purpose.REACH and use.named:
                continue
            found = _named(text, at, until, purpose, limits, things, lexicon, lead.head)
            setting = _setting(text, use.beside, lexicon) if purpose is Purpose.TREAT else ""
            out += [
                replace(i, target=replace(i.target, words=f"{i.target.words} in {setting}")) if setting and len(i.target.words.split()) <= _LONGEST else i
                for i in found
            ]
    return out or _of_adjectives(text, parts, shared, things, lexicon)


def _of_adjectives(text: str, parts: Sequence[Part], contexts: Sequence[tuple[int, int]], things: Sequence[Thing], lexicon: Lexicon) -> list[Indication]:
    """The state that an adjective gives the patients, where the phrase names no other use ("schizophrenic patients who ...")."""
    for part in parts:
        for adjective, state in indication_book().adjectives if part.kind == "people" else ():
            found = adjective.search(text, part.start, part.body)
            if found is None:
                continue
            places = [c for c in (*contexts, *((p.start, p.end) for p in parts if p.kind == "context")) if c[0] != part.start]
            behind = [(part.body, part.end)] if re.search(r"\w{3}", text[part.body : part.end]) else []
            who = [r for r in read_conditions(text, part.start, part.body, (), lexicon) if isinstance(r.guard, Interval | Category)]
            target, _ = _target(Name(state, *found.span()), Purpose.STATE, lexicon, risk=False)
            return [Indication(target, *found.span(), Purpose.STATE, (*who, *limits_of(text, [*behind, *places], things, lexicon)))]
    return []


def _setting(text: str, beside: tuple[int, int] | None, lexicon: Lexicon) -> str:
    """What patients have whose other state is treated, where a few words name it: it belongs to the name of the use ("thrombocytopenia in liver disease")."""
    if beside is None:
        return ""
    names = split_names(text, *beside, lambda words: bool(lexicon.lookup(words, USE_TYPES)))
    words = names[0].words if len(names) == 1 else ""
    if words.lower().startswith(("this ", "these ")):
        return ""
    return words if words and len(words.split()) <= _SHORT and _GRADED.search(words) is None else ""


def _named(
    text: str, start: int, end: int, purpose: Purpose, limits: tuple[Restriction, ...], things: Sequence[Thing], lexicon: Lexicon, head: str
) -> list[Indication]:
    """The uses of one noun phrase."""
    book = indication_book()
    risk = book.risk.match(text, _skip_space(text, start, end), end) if purpose in (Purpose.REACH, Purpose.PREVENT) else None
    start = risk.end() if risk is not None else start
    verb = book.next_verb.search(text, start, end) if purpose is not Purpose.STATE else None
    end = verb.start() if verb is not None else end

    def known(words: str) -> bool:
        return bool(lexicon.lookup(words, USE_TYPES))

    out: list[Indication] = []
    for name in split_names(text, start, end, known):
        if any(t.own and name.start <= t.start < name.end for t in things) or _is_drug(name.words, lexicon):
            continue
        if purpose is Purpose.PREVENT and book.operation.match(name.words):
            continue
        if purpose is not Purpose.PREVENT and _PREGNANCY.fullmatch(name.words):
            continue  # "in pregnancy when ..." says of whom, not for what
        at = _skip_space(text, name.start, name.end)
        until = name.start + len(text[name.start : name.end].rstrip(" ,;:.\x01\u2029\n"))
        if at >= until:
            continue
        aside = _CONDITIONAL.search(name.words)
        condition = aside[1] if aside is not None else None
        name = replace(name, words=_CONDITIONAL.sub("", name.words))
        target, more = _target(
            replace(name, words=f"{head} {name.words}") if head else name, purpose, lexicon, risk=risk is not None and purpose is Purpose.REACH
        )
        narrowed = tuple(Restriction(Opaque(words), at, until) for words in (more, condition) if words)
        out.append(Indication(target, at, until, purpose, (*limits, *narrowed)))
    return out


def _is_drug(words: str, lexicon: Lexicon) -> bool:
    return bool(lexicon.lookup(words, PARTNER_TYPES)) and not lexicon.lookup(words, USE_TYPES)


def _target(name: Name, purpose: Purpose, lexicon: Lexicon, *, risk: bool) -> tuple[Target, str | None]:
    """The entity of a use in the label's words, and the words of a severity that a known entity does not hold."""
    words = name.words
    said = f"prevention of {words}" if purpose is Purpose.PREVENT else f"risk of {words}" if risk else words
    if purpose is Purpose.PREVENT and _PREGNANCY.fullmatch(words):
        found = lexicon.lookup("contraception", USE_TYPES)
        return (Target(found[0], said) if found else uncoded(EntityType.PROCEDURE, said)), None
    book = indication_book()
    bare = re.sub(r"\s*\([^()]*\)", "", words)
    for candidate in dict.fromkeys((words, bare, book.plain.sub("", bare, count=1))):
        found = lexicon.lookup(candidate, USE_TYPES)
        if found:
            return Target(_condition_first(found), said), None
    grade = book.narrow.match(bare)
    if grade is not None and (found := lexicon.lookup(bare[grade.end() :], USE_TYPES)):
        return Target(_condition_first(found), said), words
    kind = EntityType.PROCEDURE if book.procedure.search(words) and purpose is not Purpose.PREVENT and not risk else EntityType.CONDITION
    return uncoded(kind, said), None


def _condition_first(found: Sequence[EntityId]) -> EntityId:
    return next((f for f in found if f.type == EntityType.CONDITION), found[0])


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and (text[start].isspace() or text[start] in ",;:.•-–\x01"):
        start += 1
    return start
