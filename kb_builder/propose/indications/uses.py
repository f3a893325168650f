"""The uses of an indication phrase: which of its parts name what the product is for, and which restrict which use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest

from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.names import clean_name
from kb_builder.propose.indications.parts import ALSO, MODE, Part, cut_phrase

_PEOPLE_ALONE = re.compile(
    r"(?:only\s+)?(?:in|for|of|to|by|among)?\s*(?:the\s+|all\s+|those\s+|these\s+|selected\s+|appropriate\s+|certain\s+)*(?:patients|individuals|persons|people|those|subjects)\W*",
    re.IGNORECASE,
)
_TO = re.compile(r"\bto\s*:?\s*$", re.IGNORECASE)
_OR_HISTORY = re.compile(r"with\s+(?:an?\s+)?history\s+of\s+", re.IGNORECASE)
_INCLUDING = re.compile(r"\bincluding\s+$", re.IGNORECASE)
_PREVENT = re.compile(r"prevent|prophyla", re.IGNORECASE)
_TREAT = re.compile(r"treat|manag|relie|control|therap|cure|eradicat|suppress|heal", re.IGNORECASE)
_REACH = re.compile(r"^(?:reduc|lower|improv|decreas|slow|delay|increas)", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|or)\s*$", re.IGNORECASE)
_HEADS = re.compile(r"\b(?:associated\s+with|due\s+to|caused\s+by|resulting\s+from|secondary\s+to)\s*:?\s*$", re.IGNORECASE)


class Purpose(StrEnum):
    """What the product is to do about what the phrase names."""

    TREAT = "treat"
    PREVENT = "prevent"
    REACH = "reach"
    STATE = "state"


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
class Use:
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


def read_lead(text: str, start: int, end: int) -> Lead:
    """What a sentence that opens a list says of its items."""
    shared: list[tuple[int, int]] = []
    uses = assemble(cut_phrase(text, start, end), text, Lead(), shared)
    last = uses[-1] if uses else Use()
    purpose = last.objects[-1][2] if last.objects else _purpose_of(text[start:end])
    link = _HEADS.search(text[start:end])
    head = ""
    if last.objects and link is not None:
        head = f"{clean_name(text[last.objects[-1][0] : start + link.start()])} {' '.join(link[0].split()).rstrip(' :')}"
    states = tuple((s, e) for u in uses for s, e, p in u.objects if p is Purpose.STATE)
    return Lead(purpose if purpose is Purpose.PREVENT else Purpose.TREAT, (*shared, *last.contexts), head, states, _TO.search(text[start:end]) is not None)


def assemble(parts: Sequence[Part], text: str, lead: Lead, shared: list[tuple[int, int]]) -> list[Use]:
    """The uses of a phrase; what restricts them all is added to `shared`."""
    uses = [Use()]
    purpose = lead.purpose
    modes: list[tuple[int, int]] = []
    for before, part, following in zip_longest((None, *parts[:-1]), parts, parts[1:]):
        use = uses[-1]
        body = (part.body, part.end)
        if part.kind in ("toward", "purpose", "people") and use.objects and _is_own_mode(text, before, part):
            own = (before.start, before.end) if before is not None else body
            uses[0].contexts += [m for m in modes if m in shared]
            shared[:] = [c for c in shared if c not in modes]
            use.contexts = [c for c in use.contexts if c != own]
            use = Use(contexts=[own])
            uses.append(use)
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
                use = Use()
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
            modes += [(part.start, part.end)] if not use.objects and MODE.match(text, part.start) is not None else []
    return [u for u in uses if u.objects or u.contexts]


def _is_own_mode(text: str, before: Part | None, part: Part) -> bool:
    """True behind a mode of use that begins another use ("... and as an adjunct to lithium for ..."); patients have their own mode only "adjunctively"."""
    if before is None or before.kind != "context" or MODE.match(text, before.start) is None:
        return False
    mode = text[before.start : before.body].lower()
    return (part.kind != "people" or "adjunctively" in mode) and (
        mode.startswith(("and ", "or ")) or _AND.search(text, max(0, before.start - 6), before.start) is not None
    )


def _is_of_patients(text: str, part: Part, use: Use, before: Part | None) -> bool:
    """True where what patients have a history of is what the use is for: right behind the patients, or beside another of their states."""
    if use.named:
        return use.states and ALSO.search(text[max(0, part.start - 6) : part.start]) is not None
    return before is not None and before.kind == "people"


def _add(text: str, use: Use, body: tuple[int, int], purpose: Purpose) -> None:
    if clean_name(text[slice(*body)]):
        reached = purpose is Purpose.TREAT and indication_book().measure.search(text[slice(*body)]) is not None
        use.objects.append((*body, Purpose.REACH if reached else purpose))


def _people(text: str, part: Part, use: Use, shared: list[tuple[int, int]]) -> None:
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
