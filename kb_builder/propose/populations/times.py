"""What a clause on a population says beside its people: sex, the time around birth, the uses in children."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.indications.reader import find_indications
from kb_builder.propose.indications.uses import Purpose
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Thing
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, HasCondition, Opaque

_FEMALE = re.compile(r"\b(?:females?|wom[ae]n)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:males?|men)\b", re.IGNORECASE)
_PARTNERS = re.compile(
    r"\b(?:females?|wom[ae]n)\s+(?:sexual\s+)?partners?\b|\b(?:contact|intercourse)\s+with\s+(?:\w+\s+)?(?:females?|wom[ae]n)\b|\bpartners?\s+who\s+are\s+(?:females?|wom[ae]n)",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    r"\b(?:near |at )term\b(?:\s*\([^()]*\))?(?:[^.;]{0,40}\b(?:labou?r|delivery)\b)*|(?:\b(?:one|two|\d+)\s+(?:months?|weeks?|days?)\s+)?(?:\b(?:prior to|before|during|immediately before)\s+)(?:the\s+|expected\s+|anticipated\s+)*(?:labou?r|delivery|parturition)\b(?:\s+(?:and|or)\s+delivery|\s+date)?",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\b(?:patients?|children|populations?|adolescents?|infants?|years(?: of age)?(?: and older)?)\s+for\s*:?\s+(?P<uses>[^.;\x01]{4,400})", re.IGNORECASE
)
_USES_BEFORE = re.compile(
    r"\b(?:for|in)\s+(?P<uses>(?:the\s+)?(?:prevention|treatment|management|prophylaxis|relief|reduction|maintenance)\s+of\s+(?:[^.;\x01]|(?<=\b[A-Z])\.(?=\s[a-z])){3,300}?)\s+(?:(?:has|have)\s+not\s+been\s+\w+\s+)?(?:in|among)\s+(?:the\s+)?(?:[\w-]+\s+){0,2}?(?:p(?:a)?ediatric|children|adolescents?|infants?|neonates?)\b",
    re.IGNORECASE,
)
_USES_WITH = re.compile(
    r"(?:^|(?<=[.;]\s))treatment\s+of\s+(?P<uses>(?!patients\b|children\b|p(?:a)?ediatric\b|infants\b)[^.;\x01]{3,120}?)\s+with\b"
    r"|\b(?:for|in)\s+(?:use\s+in\s+)?(?:treating|preventing|managing)\s+(?P<treating>[^.;,\x01]{3,80}?)\s+in\s+(?:the\s+)?(?:[\w-]+\s+)?(?:p(?:a)?ediatric|children|adolescents?|infants?)\b"
    r"|\bfor\s+(?P<this>this\s+(?:use|indication))\s+in\s+(?:p(?:a)?ediatric|children|adolescents?|infants?)\b",
    re.IGNORECASE,
)
_USE_FIRST = re.compile(
    r"\W*(?:for|in)\s+(?:the\s+treatment\s+of\s+)?(?P<use>(?:(?!these\b|such\b|other\b|all\b|any\b|patients\b|women\b|females\b|pregnan|nursing\b)[\w-]+\s+){1,5}(?:diseases?|disorders?|indications?|cancers?|malignanc\w+|tumou?rs))\s*,",
    re.IGNORECASE,
)
_USE_HEADING = re.compile(
    r"\W*(?:for|in)\s+(?P<use>(?:use\s+in\s+)?(?:the\s+)?(?:prevention|treatment|management|prophylaxis)\s+of\s+(?!patients\b|women\b)[^.;:,\x01]{3,100})[:,]",
    re.IGNORECASE,
)
_USE_FORBIDDEN = re.compile(
    r"\s*for\s+(?P<use>(?:the\s+)?(?:prevention|treatment|management|prophylaxis)\s+of\s+(?!patients\b|women\b)[^.;:,\x01]{3,100}?)\s+in\s+", re.IGNORECASE
)
_NOT_USING = re.compile(r"\b(?:who\s+are\s+)?not\s+using\s+(?:[\w-]+\s+){0,3}(?:contracepti\w+|birth control)", re.IGNORECASE)
_USES_BEHIND = re.compile(
    r"\bimpairment\s+for\s+(?P<uses>(?:the\s+)?(?:healing|prevention|treatment|management|prophylaxis|relief|reduction|maintenance)\s+of\s+(?:[^.;\x01]|(?<=\b[A-Z])\.(?=\s[a-z])){3,300})",
    re.IGNORECASE,
)
_YOUNG = re.compile(
    r"(?:,|\b(?:and/or|and|or))\s+(?P<who>(?:very\s+)?(?:young|small)\s+(?:children|infants)|toddlers)\b(?!\s+(?:with|who|under|less|aged|\())", re.IGNORECASE
)
_NEXT_USE = re.compile(r"\s+(?=(?:prevention|treatment|management|prophylaxis|relief|reduction|maintenance)\s+of\b)", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|and|or|any|other)\s+", re.IGNORECASE)
_TRAILING = re.compile(r"(?:[\s,:]|\b(?:and/or|and|or|for|the|in|of)\b)+$", re.IGNORECASE)


def sexes(text: str, clause: tuple[int, int]) -> list[Restriction]:
    """The sex that a clause speaks to; none where it speaks to both or to neither."""
    partners = [m.span() for m in _PARTNERS.finditer(text, *clause)]
    female = next((m for m in _FEMALE.finditer(text, *clause) if not any(s <= m.start() < e for s, e in partners)), None)
    male = _MALE.search(text, *clause)
    m = female or male
    if m is None or (female is not None and male is not None):
        return []
    return [Restriction(Category(Axis.SEX, ("female" if female is not None else "male",)), m.start(), m.end())]


def around_birth(text: str, clause: tuple[int, int]) -> Restriction | None:
    """The time around birth that a clause names: the last trimester, and of it only what the words say."""
    m = _BIRTH.search(text, *clause)
    if m is None:
        return None
    words = " ".join(m[0].split())
    return Restriction(AllOf((Category(Axis.PREGNANCY, ("third-trimester",), detail=words), Opaque(words))), m.start(), m.end())


def use_forbidden(text: str, at: int, end: int) -> Restriction | None:
    """The use right behind a prohibition at `at` ("contraindicated for prophylaxis of migraine in ..."), which holds for all whom its list names."""
    m = _USE_FORBIDDEN.match(text, at, end)
    return Restriction(Opaque(" ".join(m["use"].split())), *m.span("use")) if m is not None else None


def without_contraception(text: str, clause: tuple[int, int]) -> list[Restriction]:
    """The words that narrow women who may conceive to those without contraception."""
    m = _NOT_USING.search(text, *clause)
    return [Restriction(Opaque(" ".join(m[0].split())), *m.span())] if m is not None else []


def young_children(text: str, clause: tuple[int, int], own: Sequence[Restriction]) -> list[Restriction]:
    """Children whom a list names by a word of their age alone beside those of a given age ("neonates and young children")."""
    found = [m for m in _YOUNG.finditer(text, *clause) if not any(r.start < m.end("who") and m.start("who") < r.end for r in own)]
    return [Restriction(Opaque(" ".join(m["who"].split())), *m.span("who")) for m in found]


def use_named(text: str, clause: tuple[int, int]) -> Restriction | None:
    """The use that a clause opens with ("For neoplastic diseases, ...") or that stands behind an impairment, in its words; None without one."""
    first = _USE_FIRST.match(text, *clause) or _USE_HEADING.match(text, *clause)
    if first is not None:
        return Restriction(Opaque(" ".join(first["use"].split())), *first.span("use"))
    behind = _USES_BEHIND.search(text, *clause)
    return Restriction(Opaque(" ".join(behind["uses"].split())), *behind.span("uses")) if behind is not None else None


_ANY_USE = re.compile(r"(?:any|all|every|an)?\s*(?:other\s+)?indications?", re.IGNORECASE)  # no use in particular


def uses_of_children(
    text: str, clause: tuple[int, int], found: Sequence[Restriction], things: Sequence[Thing] = (), lexicon: Lexicon | None = None
) -> list[Restriction]:
    """The uses that a clause names behind "in pediatric patients for" or before its people; nothing where a restriction stands on them already.

    A use that the vocabulary has is that condition of the patient, any other its words.
    """
    place = uses_place(text, clause)
    if place is None or any(r.start < place[1] and place[0] < r.end for r in found):
        return []
    if _ANY_USE.fullmatch(text[slice(*place)].strip()):
        return []
    words = _in_words(text[slice(*place)])
    coded = _coded(text, place, things, lexicon)
    parts = coded if len(coded) >= len(words) else words
    return [Restriction(parts[0] if len(parts) == 1 else AnyOf(parts), *place)] if parts else []


def uses_place(text: str, clause: tuple[int, int]) -> tuple[int, int] | None:
    """Where a clause names the uses in children, or None."""
    m = _USES.search(text, *clause) or _USES_BEFORE.search(text, *clause) or _USES_WITH.search(text, *clause)
    return m.span(m.lastgroup or "uses") if m is not None else None


def _coded(text: str, place: tuple[int, int], things: Sequence[Thing], lexicon: Lexicon | None) -> tuple[Guard, ...]:
    """The uses as conditions where the vocabulary has every one of them and nothing restricts them, else none."""
    uses = find_indications(text, *place, things, lexicon) if lexicon is not None else []
    plain = all(u.target.entity is None and u.target.id.type == EntityType.CONDITION and not u.limits and u.purpose is Purpose.TREAT for u in uses)
    return tuple(dict.fromkeys(HasCondition(u.target.id, u.target.words) for u in uses)) if plain else ()


def _in_words(words: str) -> tuple[Guard, ...]:
    uses = [_TRAILING.sub("", _LEADING.sub("", " ".join(u.split()).strip(" ,:"))) for u in _NEXT_USE.split(words)]
    return tuple(Opaque(u) for u in dict.fromkeys(uses) if re.search(r"\w{4}", u))
