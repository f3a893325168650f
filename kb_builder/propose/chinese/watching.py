"""What Chinese inserts ask to measure before or during treatment: "用药期间应定期检查血常规和肝肾功能".

Only named measurements count. What is watched because of another drug, or once a reaction has come about, is left alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.chinese.sentences import sentences
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import Ask, MeasuredThing
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import LABS, STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.guards import Guard, HasCondition, Opaque

_SEPARATOR = re.compile(r"以及|[、和及与或,]|并且?")
_STOP = re.compile(
    r"[。;:()(]|,(?!\s*(?:[^,。;]{1,8}(?:功能|常规|血象|血压|血糖)))|(?:的)?(?:变化|改变|情况)|以(?!及)|是否|有无|,?并?(?:根据|调整|及时|必要)|至少|\d"
)
_CLAUSE = re.compile(r"[,。;:]")
_LEAD = re.compile(r"^(?:患者的?|病人的?|其|血清中?的?|相关|有关|进行|做|作|的)+")
_ORGANS = {"肝": "肝功能", "肾": "肾功能", "心": "心功能", "肺": "肺功能"}
_BOTH = re.compile(r"(?P<organs>[肝肾心肺]{2,3})(?:脏)?功能$")
_LONGEST = 14


@dataclass(frozen=True, slots=True)
class _Book:
    version: str
    asks: re.Pattern[str]
    measurable: re.Pattern[str]
    before: re.Pattern[str]
    during: re.Pattern[str]
    not_of: re.Pattern[str]
    whom: re.Pattern[str]
    everyone: re.Pattern[str]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    when: re.Pattern[str]
    empty: re.Pattern[str]


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.propose.chinese").joinpath("watching_zh.toml").read_text(encoding="utf-8"))
    words = {key: re.compile(data[key]["pattern"]) for key in ("asks", "measurable", "before", "during", "not_of", "whom")}
    people = {key: re.compile(data["whom"][key]) for key in ("everyone", "lead", "tail", "when", "empty")}
    return _Book(data["version"], **words, **people)


def version() -> str:
    """The version of the Chinese wording: part of a proposer's own."""
    return _book().version


def read_chinese_asks(reading: Reading, lexicon: Lexicon) -> Iterator[Ask]:
    """The requests of a Chinese section, one a measurement."""
    book, text = _book(), reading.blank
    for sentence in sentences(reading):
        words = text[sentence.start : sentence.end]
        if book.not_of.search(words):
            continue
        for m in book.asks.finditer(words):
            clause = max((c.end() for c in _CLAUSE.finditer(words, 0, m.start())), default=0)
            things = list(_behind(text, sentence.start + m.end(), sentence.end, lexicon)) or list(
                _things(text, sentence.start + clause, sentence.start + m.start(), lexicon)
            )
            early, late = book.before.search(words, 0, m.end()), book.during.search(words)
            for thing in things:
                yield Ask(
                    statement=(sentence.start, sentence.end),
                    thing=thing,
                    before=early is not None,
                    during=late is not None or early is None,
                    before_words=early[0] if early else None,
                    during_words=late[0] if late else None,
                    limits=_whom(words, sentence.start, m.start(), lexicon),
                    strength=Strength.MUST
                    if re.search(r"必须|须", m["cue"])
                    else Strength.CONSIDER
                    if re.search(r"建议|宜|推荐|最好", m["cue"])
                    else Strength.SHOULD,
                    highlight=False,
                    heading=None,
                )


def _behind(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[MeasuredThing]:
    stop = _STOP.search(text, start, end)
    return _things(text, start, stop.start() if stop is not None else end, lexicon)


def _things(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[MeasuredThing]:
    """The measurements that a list names."""
    at = start
    cuts = [*_SEPARATOR.finditer(text, start, end)]
    for begin, until in zip([start, *(c.end() for c in cuts)], [*(c.start() for c in cuts), end], strict=True):
        at = begin
        lead = _LEAD.match(text[at:until].lstrip())
        at += len(text[at:until]) - len(text[at:until].lstrip()) + (lead.end() if lead is not None else 0)
        words = text[at:until].strip()
        for name in _names(words):
            thing = _thing(name, at, at + len(words), lexicon)
            if thing is not None:
                yield thing


def _names(words: str) -> list[str]:
    """What words name: one organ of a list stands for its function, "肝肾功能" for two."""
    both = _BOTH.search(words)
    if both is not None:
        return [_ORGANS[c] for c in both["organs"]]
    return [_ORGANS.get(words, words)]


def _thing(words: str, start: int, end: int, lexicon: Lexicon) -> MeasuredThing | None:
    if not 1 < len(words) <= _LONGEST or start >= end:
        return None
    name = "肌酐" if words == "肾功能" else words
    for spelling in dict.fromkeys((name, re.sub(r"(?:水平|浓度|检查|监测|值)$", "", name))):
        found = lexicon.lookup(spelling, LABS) if len(spelling) > 1 else ()
        if found:
            return MeasuredThing(start, end, Target(found[0], words), measured=True)
    return MeasuredThing(start, end, uncoded(EntityType.LAB_TEST, words), measured=True) if _book().measurable.search(words) else None


def _whom(words: str, offset: int, before: int, lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The patients named before a request: a known condition, ages, else the insert's words."""
    book = _book()
    out: list[Restriction] = []
    for m in book.whom.finditer(words, 0, min(len(words), before + 3)):
        who = m["who"]
        if book.everyone.search(who):
            continue
        name = book.tail.sub("", book.lead.sub("", who))
        found = lexicon.lookup(name, STATE_TYPES) if name else ()
        condition = next((f for f in found if f.type == EntityType.CONDITION), None)
        guard: Guard = HasCondition(condition, name) if condition is not None else Opaque(who)
        bounds = list(find_chinese_bounds(who))
        start = offset + m.start("who")
        out += [Restriction(b.interval, start, offset + m.end("who")) for b in bounds] or [Restriction(guard, start, offset + m.end("who"))]
    for m in book.when.finditer(words, 0, before):
        if book.empty.fullmatch(m["when"]) is None and not any(r.start < offset + m.end("when") and offset + m.start("when") < r.end for r in out):
            out.append(Restriction(Opaque(m["when"]), offset + m.start("when"), offset + m.end("when")))
    return tuple(out)
