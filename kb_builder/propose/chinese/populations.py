"""Advice for special populations in Chinese inserts: 【孕妇及哺乳期妇女用药】【儿童用药】【老年用药】 and what other sections say of these people.

A clause without people of its own speaks of those before it in the sentence, and in a section about one population of that population. What
stands beside the people and has no axis stays in the guard with its words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.chinese.sentences import clauses, sentences
from kb_builder.propose.conditions.axes import OWN_AXES
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Reading
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque

_SECTIONS = {"pregnancy": ("pregnancy", "lactation"), "pediatric_use": ("pediatric",), "geriatric_use": ("geriatric",), "nursing_mothers": ("lactation",)}
_SCALE = {"renal": Axis.RENAL, "hepatic": Axis.HEPATIC}
_HAN = re.compile(r"[一-鿿]{2,}")
_DIALYSIS = re.compile(r"(?:血液|腹膜)?透析")
_MOTHERS = frozenset({"pregnancy", "lactation", "reproductive"})


@dataclass(frozen=True, slots=True)
class ChineseAdvice:
    """What a clause asks for: the population, the action, where it stands and what restricts it."""

    axis: str
    action: Action
    strength: Strength
    place: tuple[int, int]
    sentence: tuple[int, int]
    limits: tuple[Restriction, ...]


@dataclass(frozen=True, slots=True)
class _Wording:
    axes: frozenset[str]
    action: Action
    strength: Strength
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Book:
    version: str
    people: dict[str, re.Pattern[str]]
    wordings: tuple[_Wording, ...]
    not_advice: re.Pattern[str]
    fillers: re.Pattern[str]
    reasons: re.Pattern[str]


@cache
def _data() -> _Book:
    data = tomllib.loads(files("kb_builder.propose.chinese").joinpath("populations_zh.toml").read_text(encoding="utf-8"))
    return _Book(
        data["version"],
        {row["axis"]: re.compile(row["pattern"]) for row in data["people"]},
        tuple(
            _Wording(frozenset(row["axes"]) - {"*"}, Action(row["action"]), Strength(row["strength"]), re.compile(row["pattern"])) for row in data["wording"]
        ),
        re.compile(data["not_advice"]["pattern"]),
        re.compile(data["fillers"]["pattern"]),
        re.compile(data["reasons"]["pattern"]),
    )


def version() -> str:
    """The version of the wordings: part of a proposer's own."""
    return _data().version


def chinese_advice(reading: Reading) -> Iterator[ChineseAdvice]:
    """What a Chinese section advises for each population, in order of print."""
    text = reading.blank
    default = _SECTIONS.get(reading.key, ())
    for sentence in sentences(reading):
        if _data().not_advice.search(text, sentence.start, sentence.end):
            continue
        carried, opened = default, sentence.start
        for start, end in clauses(text, sentence.start, sentence.end):
            named = tuple(axis for axis, pattern in _data().people.items() if pattern.search(text, start, end))
            if named:
                carried, opened = named, start
            for wording, m in _asked(text, start, end) if not text.startswith("除非", start) else ():
                for axis in carried:
                    if not wording.axes or axis in wording.axes:
                        limits = _limits(text, opened, m.start(), axis)
                        yield ChineseAdvice(axis, wording.action, wording.strength, m.span(), (sentence.start, sentence.end), limits)


def _asked(text: str, start: int, end: int) -> list[tuple[_Wording, re.Match[str]]]:
    """The wordings of a clause, none over another; earlier rows of the data win."""
    out: list[tuple[_Wording, re.Match[str]]] = []
    for wording in _data().wordings:
        for m in wording.pattern.finditer(text, start, end):
            if not any(o.start() < m.end() and m.start() < o.end() for _, o in out):
                out.append((wording, m))
    return sorted(out, key=lambda f: f[1].start())


def _limits(text: str, start: int, end: int, axis: str) -> tuple[Restriction, ...]:
    """What the words before the advice add to the population."""
    out: list[Restriction] = []
    taken: list[tuple[int, int]] = []
    for bound in find_chinese_bounds(text[start:end]):
        place = (start + bound.start, start + bound.end)
        taken.append(place)
        if not (isinstance(bound.interval, Interval) and bound.interval.axis is Axis.AGE and axis in _MOTHERS):
            out.append(Restriction(bound.interval, *place))
    if axis == "pregnancy":
        for pattern, guard in book().trimesters:
            for m in pattern.finditer(text, start, end):
                taken.append(m.span())
                out.append(Restriction(guard, *m.span()))
    dialysis = _DIALYSIS.search(text, start, end) if axis == "renal" else None
    if dialysis is not None:
        taken.append(dialysis.span())
        out.append(Restriction(Category(Axis.DIALYSIS, ("yes",)), *dialysis.span()))
    if axis == "genotype":
        for m in _data().people[axis].finditer(text, start, end):
            taken.append(m.span())
            out.append(Restriction(Category(Axis.GENOTYPE, (m[0],)), *m.span()))
    scale = _SCALE.get(axis)
    degrees = _degrees(text, start, end, axis) if scale is not None else []
    if scale is not None and degrees:
        values = tuple(dict.fromkeys(v for _, found in degrees for v in found))
        taken += [place for place, _ in degrees]
        if not any(isinstance(r.guard, Interval) and r.guard.axis in OWN_AXES[axis] for r in out):
            out.append(Restriction(Category(scale, (*values, "esrd") if scale is Axis.RENAL and "severe" in values else values), *degrees[0][0]))
    rest = _rest(text, start, end, taken)
    if rest:
        out.append(Restriction(Opaque(" ".join(text[start:end].split()).strip(" ,:、")), start, end))
    return tuple(out)


def _degrees(text: str, start: int, end: int, axis: str) -> list[tuple[tuple[int, int], tuple[str, ...]]]:
    """The degrees that stand right before the population's words."""
    out: list[tuple[tuple[int, int], tuple[str, ...]]] = []
    for people in _data().people[axis].finditer(text, start, end):
        before = text[start : people.start()].rstrip("的 ")
        word = next((w for w, values in book().degrees.items() if values and before.endswith(w)), None)
        if word is not None:
            at = start + len(before) - len(word)
            out.append(((at, at + len(word)), book().degrees[word]))
    return out


def _rest(text: str, start: int, end: int, taken: list[tuple[int, int]]) -> str:
    """The Chinese words left of a stretch without its people, fillers and what has been read; "" for none of two characters or more."""
    kept = "".join(c if not any(s <= start + i < e for s, e in taken) else " " for i, c in enumerate(text[start:end]))
    kept = _data().reasons.sub(" ", kept)
    for pattern in (*(w.pattern for w in _data().wordings), *_data().people.values(), _data().fillers):
        kept = pattern.sub(" ", kept)
    for degree, values in book().degrees.items():
        kept = kept.replace(degree, " ") if values else kept
    m = _HAN.search(kept)
    return m[0] if m is not None else ""
