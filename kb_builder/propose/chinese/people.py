"""People in Chinese prose: words for an age or a sex as guards, and where they stand ("患X的儿童和青少年", "老年患者有Y")."""

from __future__ import annotations

import re

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import find_chinese_bounds
from ontology.model.guards import AnyOf, Guard

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
    unique = tuple(dict.fromkeys(g for g in guards if g is not None))
    return None if not unique else unique[0] if len(unique) == 1 else AnyOf(unique)


def said_of_people(mods: str) -> bool:
    """True for what stands before a word for people as a bound or a clause, not as another member of a list."""
    return re.fullmatch(r"[^,、]*", mods) is not None and (not mods or mods.endswith("的") or bool(find_chinese_bounds(mods)))


def only_people(words: str) -> bool:
    """True for a bound with or without a word for people ("18岁以下儿童"), and nothing else."""
    bounds = find_chinese_bounds(words)
    for b in reversed(bounds):
        words = words[: b.start] + words[b.end :]
    return bool(bounds) and not re.sub(rf"(?:{HEADS}|患者|病人|者|的|人群|人)", "", words).strip(" ,、")
