"""What stands before a dose of a Chinese insert: patients, uses and the route; words that are none of these restrict as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from html import unescape
from importlib.resources import files

from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.chinese.people import ADULTS, HEADS, any_of, guard_of
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, Interval, Opaque

_ORGAN = re.compile(r"(?:肝、?肾|肾、?肝|肾脏?|肝脏?)(?:功能|脏)?(?:功能)?(?:不全|损害|损伤|减退|衰竭|障碍|异常|受损)")
_DIALYSIS = re.compile(r"(?:血液|腹膜)?透析")
_ADULT = re.compile(r"成年?人")
_JOINED = re.compile(r"[、,]|以及|及|和|或|与")
_OR = re.compile(r"\s*(?:以及|及|和|或|与|、)\s*")
_HAN = re.compile(r"[一-鿿]{2,}")
_MARKS = re.compile(r"[\s,、:;()]+")
_TAILS = re.compile(r"[\s,、:;()]+$")
_AGES_APART = re.compile(r"(?P<low>\d+)\s*(?P<lowunit>日|天|周|个月|月)龄?\s*(?:至|到|~|-)\s*(?P<high>\d+)\s*(?P<unit>周|个月|月|岁)")
_AGE_UNITS = {"日": "d", "天": "d", "周": "wk", "个月": "mo", "月": "mo", "岁": "a"}
_CLEARED = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR})
"""Where the label bounds the clearance, "renal impairment" beside it only names what the numbers say."""
_LEVELS = {"轻度": ("mild",), "中度": ("moderate",), "重度": ("severe",), "严重": ("severe",)}


@dataclass(frozen=True, slots=True)
class DoseWords:
    """The word lists of Chinese dosing sections."""

    version: str
    routes: tuple[tuple[re.Pattern[str], str], ...]
    empty: re.Pattern[str]
    use: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a dose: restrictions, the uses, the route. `people` are those of the restrictions that say in whom."""

    limits: tuple[Restriction, ...] = ()
    uses: tuple[tuple[Target, tuple[int, int]], ...] = ()
    route: str | None = None


@cache
def dose_words() -> DoseWords:
    """The lists that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.dosage").joinpath("chinese_doses.toml").read_text(encoding="utf-8"))
    empty = sorted(data["empty"]["words"], key=len, reverse=True)
    routes = tuple((re.compile(pattern), route) for pattern, route in data["route"]["rows"])
    return DoseWords(data["version"], routes, re.compile("|".join(map(re.escape, empty))), re.compile(data["indication"]["pattern"]))


def read_before(reading: Reading, start: int, end: int, lexicon: Lexicon) -> Before:
    """The words before a dose, taken apart; every word is read, empty, a use, or restricts in words."""
    text = reading.blank[start:end]
    words = dose_words()
    route = next((name for pattern, name in words.routes if pattern.search(text)), None)
    limits, taken = _guards(text, start)
    uses: list[tuple[Target, tuple[int, int]]] = []
    for a, b in _unread(text, taken):
        lead = words.use.search(text, a, b)
        x, y = _bare(text, lead.end() if lead is not None else a, b)
        left = text[x:y]
        if not _HAN.search(left):
            continue
        if lead is not None or lexicon.lookup(left, STATE_TYPES):
            uses += [(_use(member, lexicon), (start + x, start + y)) for member in _JOINED.split(left) if _HAN.search(member)]
        else:
            limits.append(Restriction(Opaque(left), start + x, start + y))
    return Before(tuple(limits), tuple(uses), route)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without empty words and marks at its ends; empty where nothing else is in it."""
    empty = dose_words().empty
    while start < end:
        mark = _MARKS.match(text, start, end) or empty.match(text, start, end)
        if mark is None or mark.end() == start:
            break
        start = mark.end()
    changed = True
    while changed and start < end:
        changed = False
        for m in _TAILS.finditer(text, start, end):
            if m.end() == end and m.start() < end:
                end, changed = m.start(), True
                break
        last = next((m for m in empty.finditer(text, start, end) if m.end() == end), None)
        if last is not None:
            end, changed = last.start(), True
    return start, end


def _use(words: str, lexicon: Lexicon) -> Target:
    found = lexicon.lookup(words, STATE_TYPES)
    return Target(found[0], words) if found else uncoded(EntityType.CONDITION, words)


def _guards(text: str, start: int) -> tuple[list[Restriction], list[tuple[int, int]]]:
    """The bounds, people and organ functions of the words, and the places they take."""
    found = [(m.start(), m.end(), guard) for m in _AGES_APART.finditer(text) if (guard := _from_to(m)) is not None]
    found += [(b.start, b.end, b.interval) for b in find_chinese_bounds(text) if not any(s < b.end and b.start < e for s, e, _ in found)]
    bounded = bool(found)
    told: list[tuple[int, int]] = []
    cleared = any(isinstance(g, Interval) and g.axis in _CLEARED for _, _, g in found)
    for m in _ORGAN.finditer(text):
        level = next((values for word, values in _LEVELS.items() if text[max(0, m.start() - 3) : m.start()].rstrip("的").endswith(word)), None)
        for axis, organ in ((Axis.RENAL, "肾"), (Axis.HEPATIC, "肝")):
            if organ in m[0] and axis is Axis.RENAL and cleared and level is None:
                told.append(m.span())
            elif organ in m[0]:
                scale = ("mild", "moderate", "severe", *(("esrd",) if axis is Axis.RENAL else ()))
                found.append((m.start() - (3 if level else 0), m.end(), Category(axis, level or scale)))
    found += [(m.start(), m.end(), Category(Axis.DIALYSIS, ("yes",))) for m in _DIALYSIS.finditer(text)]
    found += [(m.start(), m.end(), ADULTS) for m in _ADULT.finditer(text)]
    for m in re.finditer(HEADS, text):
        guard = guard_of(m[0])
        covered = any(s <= m.start() < e for s, e, _ in found)
        if guard is not None and not bounded and not covered:
            found.append((m.start(), m.end(), guard))
        elif guard is not None and bounded:
            told.append((m.start(), m.end()))
    found.sort(key=lambda f: f[0])
    limits = [Restriction(guard, start + s, start + e) for s, e, guard in _alternatives(text, found)]
    return limits, [*told, *((s, e) for s, e, _ in found)]


def _from_to(m: re.Match[str]) -> Guard | None:
    """Ages from one unit to another ("15日至12岁"), each bound as printed."""
    low, high = _AGE_UNITS[m["lowunit"]], _AGE_UNITS[m["unit"]]
    if low == high:
        return None
    return AllOf((Interval(Axis.AGE, Decimal(m["low"]), None, low), Interval(Axis.AGE, None, Decimal(m["high"]), high)))


def _alternatives(text: str, found: list[tuple[int, int, Guard]]) -> list[tuple[int, int, Guard]]:
    """The guards, each once; neighbours that "and" or "or" joins ("adults and children from 12") are alternatives."""
    out: list[tuple[int, int, Guard]] = []
    for start, end, guard in found:
        if out and _OR.fullmatch(text[out[-1][1] : start]):
            parts = (*(out[-1][2].parts if isinstance(out[-1][2], AnyOf) else (out[-1][2],)), guard)
            out[-1] = (out[-1][0], end, any_of(parts))
        elif all(guard != g for _, _, g in out):
            out.append((start, end, guard))
        else:
            out[-1] = (out[-1][0], max(out[-1][1], end), out[-1][2])
    return [(s, e, g.parts[0] if isinstance(g, AnyOf) and len(g.parts) == 1 else g) for s, e, g in out]


def _unread(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches between commas that no guard covers."""
    at = 0
    for s, e in sorted(taken):
        if s > at:
            yield at, s
        at = max(at, e)
    if at < len(text):
        yield at, len(text)


def words_at(reading: Reading, start: int, end: int) -> str:
    """The folded words of a place on one line, the markup's entities as what they stand for ("30~&lt;60")."""
    return unescape(" ".join(reading.blank[start:end].split()))
