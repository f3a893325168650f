"""Indication phrases: "for the adjuvant treatment of adults with stage III colon cancer in combination with ..." as uses with their restrictions.

A phrase is cut where a purpose, an aim, the people or a restriction begins. What a purpose names is the use; where only an aim is named ("to improve
glycemic control in adults with ..."), the state of the people is. The rest restricts the use and stays in its guard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import zip_longest

from kb_builder.propose.conditions import read_conditions
from kb_builder.propose.indicated_book import indication_book
from kb_builder.propose.indicated_names import Name, clean_name, split_names
from kb_builder.propose.indicated_parts import ALSO, HALF, OPEN_END, Part, cut_phrase
from kb_builder.propose.lexicon import PARTNER_TYPES, Lexicon
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, HasCondition, Opaque, leaves
from ontology.model.identifiers import EntityId

USE_TYPES: frozenset[EntityType] = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.PROCEDURE})


class Purpose(StrEnum):
    """What the product is to do about what the phrase names."""

    TREAT = "treat"
    PREVENT = "prevent"
    REACH = "reach"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class Indication:
    """One use in the label's words at `[start, end)` of the text, and what restricts it."""

    target: Target
    start: int
    end: int
    purpose: Purpose
    limits: tuple[Restriction, ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """What a lead sentence says of the items below it: purpose, restrictions, a head that the items complete ("vomiting associated with"), the places of
    what its patients have, and whether the items begin with a verb ("indicated to:").
    """

    purpose: Purpose = Purpose.TREAT
    contexts: tuple[tuple[int, int], ...] = ()
    head: str = ""
    states: tuple[tuple[int, int], ...] = ()
    verbs: bool = False


@dataclass(slots=True)
class _Use:
    """Uses that share their restrictions: phrases with their purposes, the places of what restricts them, and what the patients have beside it."""

    objects: list[tuple[int, int, Purpose]] = field(default_factory=list)
    contexts: list[tuple[int, int]] = field(default_factory=list)
    beside: tuple[int, int] | None = None

    @property
    def named(self) -> bool:
        """True when it names more than an aim."""
        return any(p is not Purpose.REACH for _, _, p in self.objects)

    @property
    def states(self) -> bool:
        """True when all that it names is what the patients have."""
        return all(p is Purpose.STATE for _, _, p in self.objects)


_PEOPLE_ALONE = re.compile(
    r"(?:only\s+)?(?:in|for|of|to|by|among)?\s*(?:the\s+|all\s+|those\s+|these\s+|selected\s+|appropriate\s+|certain\s+)*(?:patients|individuals|persons|people|those|subjects)\W*",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s*(?:and/or|and|or|who|whose|which|that|but|to)\b|\s*(?:is|are)?\s*(?:not|inadequately)\b", re.IGNORECASE)
_SHORT = 5
_LONGEST = 12
_GRADED = re.compile(r"\d|\b(?:mild|moderate|severe|type|no|not|without|other|i{1,3})\b", re.IGNORECASE)
_TO = re.compile(r"\bto\s*:?\s*$", re.IGNORECASE)
_PREGNANCY = re.compile(r"(?:an?\s+|unintended\s+)?pregnancy", re.IGNORECASE)
_OR_HISTORY = re.compile(r"with\s+(?:an?\s+)?history\s+of\s+", re.IGNORECASE)
_INCLUDING = re.compile(r"\bincluding\s+$", re.IGNORECASE)
_PREVENT = re.compile(r"prevent|prophyla", re.IGNORECASE)
_TREAT = re.compile(r"treat|manag|relie|control|therap|cure|eradicat|suppress|heal", re.IGNORECASE)
_REACH = re.compile(r"^(?:reduc|lower|improv|decreas|slow|delay|increas)", re.IGNORECASE)
_HEADS = re.compile(r"\b(?:associated\s+with|due\s+to|caused\s+by|resulting\s+from|secondary\s+to)\s*:?\s*$", re.IGNORECASE)


def find_indications(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon, lead: Lead | None = None) -> list[Indication]:
    """The uses that a phrase `[start, end)` of folded text names, in order of print. `lead` is what stands above it."""
    lead = lead or Lead()
    shared: list[tuple[int, int]] = list(lead.contexts)
    out: list[Indication] = []
    for use in _assemble(cut_phrase(text, start, end), text, lead, shared):
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
    return out


def _setting(text: str, beside: tuple[int, int] | None, lexicon: Lexicon) -> str:
    """What patients have whose other state is treated, where a few words name it: it belongs to the name of the use ("thrombocytopenia in liver disease")."""
    if beside is None:
        return ""
    names = split_names(text, *beside, lambda words: bool(lexicon.lookup(words, USE_TYPES)))
    words = names[0].words if len(names) == 1 else ""
    return words if words and len(words.split()) <= _SHORT and _GRADED.search(words) is None else ""


def read_lead(text: str, start: int, end: int) -> Lead:
    """What a sentence that opens a list says of its items."""
    shared: list[tuple[int, int]] = []
    uses = _assemble(cut_phrase(text, start, end), text, Lead(), shared)
    last = uses[-1] if uses else _Use()
    purpose = last.objects[-1][2] if last.objects else _purpose_of(text[start:end])
    link = _HEADS.search(text[start:end])
    head = ""
    if last.objects and link is not None:
        head = f"{clean_name(text[last.objects[-1][0] : start + link.start()])} {' '.join(link[0].split()).rstrip(' :')}"
    states = tuple((s, e) for u in uses for s, e, p in u.objects if p is Purpose.STATE)
    return Lead(purpose if purpose is Purpose.PREVENT else Purpose.TREAT, (*shared, *last.contexts), head, states, _TO.search(text[start:end]) is not None)


def _assemble(parts: Sequence[Part], text: str, lead: Lead, shared: list[tuple[int, int]]) -> list[_Use]:
    """The uses of a phrase; what restricts them all is added to `shared`."""
    uses = [_Use()]
    purpose = lead.purpose
    for before, part, following in zip_longest((None, *parts[:-1]), parts, parts[1:]):
        use = uses[-1]
        body = (part.body, part.end)
        if part.kind == "bare" and following is not None and following.kind == "purpose" and ALSO.search(text[slice(*body)]) is None:
            if text[slice(*body)].strip()[:1].islower():
                shared.append(body)  # "in combination with: capecitabine for the treatment of ..."
            continue  # a title before its phrase ("Colorectal Cancer adjuvant treatment of ...")
        if part.kind == "bare" and lead.verbs and (verb := indication_book().verb.match(text, *body)) is not None:
            purpose = _purpose_of(verb["verb"])
            body = (verb.end(), part.end)
        if part.kind in ("bare", "toward"):
            _add(text, use, body, purpose)
        elif part.kind in ("purpose", "gerund", "aim"):
            purpose = _purpose_of(part.word)
            if use.named and purpose is Purpose.REACH and part.kind != "purpose":
                continue
            if use.named:
                use = _Use()
                uses.append(use)
            limiting = indication_book().restricting.search(part.word)
            if limiting is not None and part.kind == "purpose":
                at = text.find(part.word, part.start)
                use.contexts.append((at, at + len(part.word)))
            _add(text, use, body, purpose)
        elif part.kind == "people":
            _people(text, part, use, shared)
        elif (history := _OR_HISTORY.match(text, part.start)) is not None and _is_of_patients(text, part, use, before):
            use.objects = [o for o in use.objects if o[2] is not Purpose.REACH]
            use.objects.append((history.end(), part.end, Purpose.STATE))
        else:
            (use.contexts if use.objects else shared).append((part.start, part.end))
    return [u for u in uses if u.objects or u.contexts]


def _is_of_patients(text: str, part: Part, use: _Use, before: Part | None) -> bool:
    """True where what patients have a history of is what the use is for: right behind the patients, or beside another of their states."""
    if use.named:
        return use.states and ALSO.search(text[max(0, part.start - 6) : part.start]) is not None
    return before is not None and before.kind == "people"


def _add(text: str, use: _Use, body: tuple[int, int], purpose: Purpose) -> None:
    if clean_name(text[slice(*body)]):
        reached = purpose is Purpose.TREAT and indication_book().measure.search(text[slice(*body)]) is not None
        use.objects.append((*body, Purpose.REACH if reached else purpose))


def _people(text: str, part: Part, use: _Use, shared: list[tuple[int, int]]) -> None:
    """Adds who they are to the restrictions, and what they have to the uses where no purpose has named any."""
    if _INCLUDING.search(text, max(0, part.start - 14), part.start):
        return
    link = indication_book().links.search(text, part.body, part.end)
    who = (part.start, link.start() if link else part.end)
    more = use.named and use.states and ALSO.search(text[max(0, part.start - 6) : part.start]) is not None
    if link is not None and (not use.named or more) and clean_name(text[link.end() : part.end]) and indication_book().risk_only.match(text, link.end()) is None:
        use.objects = [o for o in use.objects if o[2] is not Purpose.REACH]
        use.objects.append((link.end(), part.end, Purpose.STATE))
    elif link is not None:
        who = (part.start, part.end)
        use.beside = use.beside or (link.end(), part.end)
    if _PEOPLE_ALONE.fullmatch(text[slice(*who)]) is None:
        (use.contexts if use.objects else shared).append(who)


def _purpose_of(words: str) -> Purpose:
    if _PREVENT.search(words) and not _TREAT.search(words):
        return Purpose.PREVENT
    if _TREAT.search(words):
        return Purpose.TREAT
    reach = re.match(r"\s*(?:reduction|help|aid|" + _REACH.pattern.removeprefix("^") + ")", words, re.IGNORECASE)
    return Purpose.REACH if reach or _is_reach_verb(words) else Purpose.TREAT


def _is_reach_verb(words: str) -> bool:
    first = words.split()[:1]
    return bool(first) and first[0].lower() in indication_book().reach


def limits_of(text: str, contexts: Sequence[tuple[int, int]], things: Sequence[Thing], lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The restrictions that stand at places of the text; words that no axis holds stay as they are."""
    out: list[Restriction] = []
    for start, end in _joined_places(text, contexts):
        words = " ".join(text[start:end].replace("\x01", " ").split()).strip(" ,.;:")
        if not re.search(r"\w{2}", words) or words.lower() in indication_book().empty:
            continue
        inside = [t for t in things if start <= t.start and t.end <= end]
        read = [r for r in read_conditions(text, start, end, inside, lexicon) if not any(isinstance(leaf, Opaque) for leaf in leaves(r.guard))]
        if _unread(text, start, end, read):
            read = [r for r in read if not any(isinstance(leaf, HasCondition | Exposure) for leaf in leaves(r.guard))]
            read.append(Restriction(Opaque(words), start, end))
        out += read
    return tuple({repr(r.guard): r for r in out}.values())


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
            _GOES_ON.match(text, start) or OPEN_END.search(text[out[-1][0] : out[-1][1]].rstrip(" ,")) or len(text[slice(*out[-1])].split()) < HALF
        ):
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


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
        if purpose is not Purpose.PREVENT and _PREGNANCY.fullmatch(name.words):
            continue  # "in pregnancy when ..." says of whom, not for what
        at = _skip_space(text, name.start, name.end)
        until = name.start + len(text[name.start : name.end].rstrip(" ,;:.\x01\u2029\n"))
        if at >= until:
            continue
        target, more = _target(
            replace(name, words=f"{head} {name.words}") if head else name, purpose, lexicon, risk=risk is not None and purpose is Purpose.REACH
        )
        narrowed = (Restriction(Opaque(more), at, until),) if more else ()
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
