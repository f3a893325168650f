"""People in Chinese prose: words for an age or a sex as guards, and where they stand ("患X的儿童和青少年", "老年患者有Y")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import find_chinese_bounds
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Guard, Interval

ADULTS = Interval(Axis.AGE, Decimal(18), None, "a", term="成人")
HEADS = "|".join(map(re.escape, book().people))
PEOPLE = re.compile(rf"(?P<mods>.*?)(?P<heads>(?:{HEADS})(?:(?:、|及|和|或|与|以及|,)\s*(?:{HEADS}))*)(?:患者|病人)?$")
RELATIVE = re.compile(r"^(?:[患有伴曾需]|合并|存在|正在|接受|处于|既往|已知|体重|年龄|出生|胎龄|矫正)")
AMONG = re.compile(rf"(?P<heads>{HEADS})(?:患者|病人)?中?(?:有|患有|伴有?|合并|并发|存在)(?!.*的$)")
VERBAL = re.compile(r"^(?:需|正在|接受|处于|使用|服用|应用|进行|从事)")


def guard_of(heads: str) -> Guard | None:
    """The guard of words for people: any of them; None where one of them has no bound."""
    words = re.findall(HEADS, heads)
    guards = [book().people[w] for w in words]
    if any(g is None for g in guards):
        return None
    known = [g for g in guards if g is not None]
    return any_of(known) if known else None


def any_of(guards: Sequence[Guard]) -> Guard:
    """Any of the guards, without those that another one holds already ("婴儿和儿童" are all below 18)."""
    unique = tuple(dict.fromkeys(guards))
    kept = tuple(g for g in unique if not any(_holds(other, g) for other in unique if other is not g))
    return kept[0] if len(kept) == 1 else AnyOf(kept)


def _holds(wide: Guard, narrow: Guard) -> bool:
    """True where the wide one is an upper bound of age in the same unit above the narrow one's."""
    if not isinstance(wide, Interval) or not isinstance(narrow, Interval) or not wide.axis is narrow.axis is Axis.AGE or wide.unit != narrow.unit:
        return False
    if wide.low is not None or wide.high is None or narrow.high is None:
        return False
    return wide.high > narrow.high or (wide.high == narrow.high and narrow.low is not None)


def said_of_people(mods: str) -> bool:
    """True for what stands before a word for people as a bound or a clause, not as another member of a list."""
    return re.fullmatch(r"[^,、]*", mods) is not None and (not mods or mods.endswith("的") or bool(find_chinese_bounds(mods)))


def only_people(words: str) -> bool:
    """True for a bound with or without a word for people ("18岁以下儿童"), and nothing else."""
    bounds = find_chinese_bounds(words)
    for b in reversed(bounds):
        words = words[: b.start] + words[b.end :]
    return bool(bounds) and not re.sub(rf"(?:{HEADS}|患者|病人|者|的|人群|人)", "", words).strip(" ,、")
