"""How labels word what a product is for, from `indicated.toml`, as compiled patterns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_ALSO_NOUNS = frozenset({"control", "stop", "delay", "increase", "decrease", "limit", "aid", "support", "help", "supplement"})


@dataclass(frozen=True, slots=True)
class IndicationBook:
    """The wordings, ready to search. `starts` finds where a new part of an indication phrase begins; its group names the part."""

    version: str
    cue: re.Pattern[str]
    otc: re.Pattern[str]
    otc_symptoms: re.Pattern[str]
    starts: re.Pattern[str]
    restricting: re.Pattern[str]
    risk: re.Pattern[str]
    links: re.Pattern[str]
    skip: re.Pattern[str]
    denial: re.Pattern[str]
    limitations: re.Pattern[str]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    aside: re.Pattern[str]
    symptoms: re.Pattern[str]
    protected: re.Pattern[str]
    whole: re.Pattern[str]
    shared: re.Pattern[str]
    risk_only: re.Pattern[str]
    measure: re.Pattern[str]
    procedure: re.Pattern[str]
    narrow: re.Pattern[str]
    plain: re.Pattern[str]
    generic: frozenset[str]
    empty: frozenset[str]
    plain_people: frozenset[str]
    reach: frozenset[str]
    purpose_only: re.Pattern[str]
    next_verb: re.Pattern[str]
    verb: re.Pattern[str]
    heads: frozenset[str]
    never: re.Pattern[str]
    operation: re.Pattern[str]
    adjectives: tuple[tuple[re.Pattern[str], str], ...]


@cache
def indication_book() -> IndicationBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.indications").joinpath("indicated.toml").read_text(encoding="utf-8"))
    names = data["names"]
    return IndicationBook(
        version=data["version"],
        cue=_any(data["cues"]["patterns"]),
        otc=_of(rf"^[\W\d]*{data['otc']['pattern']}"),
        otc_symptoms=_of(data["otc"]["these"]),
        starts=_starts(data),
        restricting=_of(rf"\b(?:{_words(data['modifiers']['restricting'])})\b"),
        risk=_of(data["risk"]["pattern"]),
        links=_of(rf"\s+{data['people']['links']}\b\s*:?"),
        skip=_any(data["skip"]["patterns"]),
        denial=_any(data["denial"]["patterns"]),
        limitations=_of(data["denial"]["limitations"]),
        lead=_of(rf"^{names['lead']}"),
        tail=_of(names["tail"]),
        aside=_of(names["aside"]),
        symptoms=_of(names["symptoms"]),
        protected=_any(names["protected"]),
        whole=_of(rf"(?:{names['endings']}|\b{names['nouns']})\W*$"),
        shared=_of(names["shared"]),
        measure=_of(names["measure"]),
        risk_only=_of(names["risk_only"]),
        procedure=_of(names["procedure"]),
        narrow=_of(rf"^(?:{_words(data['grades']['narrow'])})(?:(?:,|-|\s+)(?:(?:to|or|and)[\s-]+)?(?:{_words(data['grades']['narrow'])}))*,?\s+"),
        plain=_of(rf"^(?:{_words(data['grades']['plain'])})\s+"),
        empty=frozenset(data["empty"]["words"]),
        plain_people=frozenset(data["empty"]["people"]),
        generic=frozenset(names["generic"]),
        reach=frozenset(data["aims"]["reach"]),
        purpose_only=_of(rf"(?:{_modifier(data)}\s+)*{_noun(data)}(?:\s+(?:and|or)\s+(?:{_modifier(data)}\s+)*{_noun(data)})*"),
        verb=_of(rf"\W*(?P<verb>{_words(v for kind in ('treat', 'prevent', 'reach') for v in data['aims'][kind])})\b"),
        never=_of(names["never"]),
        operation=_of(names["operation"]),
        heads=frozenset(names["heads"]),
        adjectives=tuple((_of(rf"\b{re.escape(word)}\b"), state) for word, state in data["adjectives"].items() if word != "why"),
        next_verb=_of(
            rf"\s+(?:and|or|and/or)\s+(?:to\s+)?(?:{_words(v for kind in ('treat', 'prevent', 'reach') for v in data['aims'][kind] if v not in _ALSO_NOUNS)})\s"
        ),
    )


def _starts(data: dict[str, dict[str, list[str]]]) -> re.Pattern[str]:
    """One pattern for all parts: purposes before people before restrictions, because their words overlap."""
    modifier, noun = _modifier(data), _noun(data)
    verb = f"(?:{_words(v for kind in ('treat', 'prevent', 'reach') for v in data['aims'][kind])})"
    head = _words(data["people"]["heads"])
    joined = r"(?:,\s*|\s+)(?:and/or\s+|and\s+|or\s+)?"
    purpose = (
        rf"(?:(?:for|in|as|to)\s+)?(?:(?:use\s+in|use\s+as|the|an?)\s+){{0,3}}"
        rf"(?P<purpose>(?:{modifier},?\s+){{0,5}}{noun}(?:{joined}(?:the\s+)?(?:{modifier},?\s+){{0,3}}{noun})*)"
        r"(?:\s+(?:of|for|in(?!\s+(?:combination|conjunction|addition))|against|from)\b|(?=\s*:))"
    )
    gerund = rf"(?:(?:for|in|by)\s+)?(?P<gerund>(?:{modifier}\s+){{0,2}}(?:treat|manag|reliev|controll|prevent|reduc|lower|improv|decreas|slow|delay|increas)ing(?:\s+(?:and|or)\s+\w+ing)?)\b(?!\s+(?:therap|agents?|drugs?|medic|effect))"
    aim = rf"(?:in\s+order\s+)?to\s+(?:help\s+|further\s+|temporarily\s+)?(?P<aim>{verb}(?:{joined}{verb})*)\b"
    before = r"(?:(?!(?:in|for|of|to|with|by|and|or|who|the|including|from|as|at|on|whose|that|which|is|are)\b)[\w/≥≤+'-]+\s+|\w+-\w+,\s+|(?:selected|refractory|appropriate|certain),\s+|and\s+|or\s+|the\s+|and/or\s+|\(_+\)\s+(?=(?:patients|individuals|persons|subjects)\b)){0,7}?"
    people = rf"(?:(?:only\s+)?(?:in|for|of|to|by|among)\s+)?(?P<people>{before}(?:{head}))\b(?![-'])"
    context = "|".join(data["contexts"]["patterns"])
    toward = r"(?P<toward>(?:for|in|as|to)\s+(?:the\s+|an?\s+)?(?=\w))"
    return re.compile(rf"(?<![\w-])(?:{purpose}|{gerund}|{aim}|(?P<context>{context})|{people}|{toward})", re.IGNORECASE)


def _modifier(data: dict[str, dict[str, list[str]]]) -> str:
    return rf"(?:{_words([*data['modifiers']['plain'], *data['modifiers']['restricting']])}|\(_+\))"


def _noun(data: dict[str, dict[str, list[str]]]) -> str:
    return f"(?:{_words(n for kind in ('treat', 'name', 'prevent', 'aim') for n in data['purposes'][kind])})"


def _words(words: Iterable[str]) -> str:
    return "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in sorted(words, key=lambda w: (-len(w), w)))


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return _of("|".join(f"(?:{p})" for p in patterns))


def _of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
