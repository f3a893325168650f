"""In what two facts differ; they agree where nothing differs that counts."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from kb_builder.learn.flat import Dose, FlatFact, Target
from ontology.text.mentions import singular


class Difference(StrEnum):
    """One respect in which a said fact is not the gold fact."""

    DOCUMENT = "document"
    KIND = "kind"
    DRUG = "drug"
    NAME = "name"
    POPULATION = "population"
    ACTION = "action"
    AMOUNT = "amount"
    UNIT = "unit"
    BASIS = "basis"
    WEEKLY = "weekly-or-daily"
    FREQUENCY = "frequency"
    INDICATION = "indication"
    CONDITION_MISSING = "condition-missing"
    CONDITION_AS_WORDS = "condition-as-words"
    CONDITION_EXTRA = "condition-extra"
    CONDITION_WORDS = "condition-words"


Differences = frozenset[Difference]
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")
_WORDS_ALONE = "other"
"""The axis of conditions that stand in the claim as words nobody has parsed."""

SHAPE: Differences = frozenset(
    {Difference.DOCUMENT, Difference.KIND, Difference.DRUG, Difference.NAME, Difference.POPULATION, Difference.AMOUNT, Difference.UNIT, Difference.BASIS}
)
"""What makes a fact another fact, not the same one said wrongly."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The data of `agreement.toml`."""

    dice: Decimal
    short: int
    longer_by: int
    empty: frozenset[str]
    telling: frozenset[str]
    empty_in_conditions: frozenset[str]
    soft_axes: frozenset[str]
    default_words: frozenset[str]
    default_ages: frozenset[Decimal]
    actions: dict[str, str]
    units: dict[str, str]
    mass: frozenset[str]


@cache
def rules() -> Rules:
    """The rules that ship with the package."""
    data = tomllib.loads(files("kb_builder.learn").joinpath("agreement.toml").read_text(encoding="utf-8"), parse_float=Decimal)
    names, default = data["names"], data["default_population"]
    return Rules(
        dice=names["dice"],
        short=names["short"],
        longer_by=names["longer_by"],
        empty=frozenset(data["empty"]["words"]),
        telling=frozenset(data["telling"]["words"]),
        empty_in_conditions=frozenset(data["empty_in_conditions"]["words"]),
        soft_axes=frozenset(data["soft_axes"]["words"]),
        default_words=frozenset(default["words"]),
        default_ages=frozenset(Decimal(age) for age in default["ages"]),
        actions={k: v for k, v in data["classes_of_action"].items() if k != "why"},
        units={k: v for k, v in data["units"].items() if k != "why"},
        mass=frozenset(data["mass"]["words"]),
    )


def agrees(gold: FlatFact, said: FlatFact) -> bool:
    """True when the said fact states the gold fact."""
    return not differences(gold, said)


def differences(gold: FlatFact, said: FlatFact) -> Differences:
    """All respects in which the said fact is not the gold one; two facts of different kinds differ in kind alone."""
    if gold.doc != said.doc:
        return frozenset({Difference.DOCUMENT})
    if gold.kind != said.kind:
        return frozenset({Difference.KIND})
    found = set() if content_words(gold.drug) & content_words(said.drug) else {Difference.DRUG}
    if gold.kind == "dosage":
        found |= _in_dose(gold, said) | _in_conditions(gold, said)
    else:
        found |= _in_advice(gold, said)
    return frozenset(found)


def action_class(action: str | None) -> str | None:
    """The class of an action: stop, adjust, watch, unknown, none."""
    return rules().actions.get(action, action) if action is not None else None


def unit_name(dose: Dose | None) -> str:
    """The one spelling of a dose's unit."""
    unit = (dose.unit or "").lower() if dose is not None else ""
    return rules().units.get(unit, unit)


def is_guarded(fact: FlatFact) -> bool:
    """True when a number or a word restricts the fact, the default population aside."""
    return bool(_numbers(fact) or _words(fact))


@lru_cache(maxsize=50_000)
def content_words(name: str) -> frozenset[str]:
    """The words of a name that tell it from others, in the singular; each Chinese character is a word."""
    return frozenset(singular(word) for word in _WORD.findall(name.lower()) if word not in rules().empty)


def same_name(gold: Target, said: Target) -> bool:
    """True when one of the gold's names and the said name are names of one thing."""
    return any(_is_same(name, said.name) for name in (gold.name, *gold.accept))


def _is_same(one: str, other: str) -> bool:
    if _telling(one) != _telling(other):
        return False
    book = rules()
    want, got = content_words(one), content_words(other)
    if not want or not got:
        return False
    contained = want <= got and len(want) <= book.short and len(got) <= len(want) + book.longer_by
    return contained or Decimal(2 * len(want & got)) >= book.dice * (len(want) + len(got))


@lru_cache(maxsize=50_000)
def _telling(name: str) -> frozenset[str]:
    return frozenset(w for w in re.findall(r"[a-z]+|[0-9]+|[\u4e00-\u9fff]", name.lower()) if w in rules().telling or w.isdigit())


def _in_advice(gold: FlatFact, said: FlatFact) -> set[Difference]:
    found: set[Difference] = set()
    if gold.kind == "population":
        found |= {Difference.POPULATION} if gold.axis != said.axis else _in_conditions(gold, said)
    elif gold.target is None or said.target is None or not same_name(gold.target, said.target):
        found.add(Difference.NAME)
    if gold.kind != "indication" and action_class(gold.action) != action_class(said.action):
        found.add(Difference.ACTION)
    return found


def _in_dose(gold: FlatFact, said: FlatFact) -> set[Difference]:
    want, got = gold.dose or Dose(), said.dose or Dose()
    if want.factor is not None and want.span == (None, None):
        return set() if want.factor == got.factor else {Difference.AMOUNT}
    same_unit = unit_name(want) == unit_name(got)
    if want.span == (None, None):
        offered = {*got.caps, *((got.span[1],) if got.phase == "maximum" else ())}
        found = set() if want.caps and set(want.caps) <= offered else {Difference.AMOUNT}
        return found if same_unit else found | {Difference.UNIT}
    found = set() if want.span == got.span else {Difference.AMOUNT}
    if not same_unit:
        found.add(Difference.UNIT)
    if want.basis != got.basis:
        found.add(Difference.BASIS)
    if want.per and got.per and (want.per == "week") is not (got.per == "week"):
        found.add(Difference.WEEKLY)
    if not _same_times(want, got):
        found.add(Difference.FREQUENCY)
    if gold.indication and said.indication and not content_words(gold.indication) & content_words(said.indication):
        found.add(Difference.INDICATION)
    return found


def _same_times(want: Dose, got: Dose) -> bool:
    asked, given = want.times_a_day, got.times_a_day
    if asked is None:
        return True
    return given is not None and all(round(a, 3) == round(b, 3) for a, b in zip(asked, given, strict=True))


def _in_conditions(gold: FlatFact, said: FlatFact) -> set[Difference]:
    """What the conditions differ in. An age that the section's scope gives may be added."""
    want, got = _numbers(gold), _numbers(said)
    want_words, got_words = _words(gold), _words(said)
    numbered_want, numbered_got = {axis for axis, _ in want}, {axis for axis, _ in got}
    found: set[Difference] = set()
    if want - got or set(want_words) - set(got_words) - numbered_got:
        kept = any(condition.axis == _WORDS_ALONE for condition in said.when)
        found.add(Difference.CONDITION_AS_WORDS if kept else Difference.CONDITION_MISSING)
    if any(axis != "age" for axis, _ in got - want) or set(got_words) - set(want_words) - numbered_want - {"age"}:
        found.add(Difference.CONDITION_EXTRA)
    if any(not want_words[axis] & got_words[axis] for axis in set(want_words) & set(got_words)):
        found.add(Difference.CONDITION_WORDS)
    return found


def _numbers(fact: FlatFact) -> set[tuple[str, Decimal]]:
    """The numbers of a fact's conditions by axis, without the lower bound of adult age."""
    ages = rules().default_ages
    sides = [(c.axis, c.low, True) for c in fact.when if c.low is not None] + [(c.axis, c.high, False) for c in fact.when if c.high is not None]
    return {(axis, number) for axis, number, low in sides if number is not None and not (low and axis == "age" and number in ages)}


def _words(fact: FlatFact) -> dict[str, set[str]]:
    """The words of a fact's conditions by axis, soft axes and the default population left out."""
    book = rules()
    out: dict[str, set[str]] = defaultdict(set)
    for condition in fact.when:
        if condition.value and condition.axis not in book.soft_axes and condition.value.lower() not in book.default_words:
            out[condition.axis] |= {singular(w) for w in _WORD.findall(condition.value.lower())} - book.empty_in_conditions
    return dict(out)
