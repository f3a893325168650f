"""Names of states in Chinese prose: the entity of a member's words without lead-ins, history and degree, and what those add as guards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Category, Guard, HasCondition, Opaque
from ontology.model.identifiers import EntityId

_LEAD = re.compile(
    r"^(?:患者|病人|已知的?|确诊的?|明确的?|怀疑有?|疑似有?|可疑|存在|伴有?|合并有?|并发|患有?|既往有?过?|既往|曾经?有?过?|曾患有?|具有|出现|发生过?|发生|有|任何|各种|其他|其它|所有|某些|以及|或者|或|及|和|与|且|是|为|当|如果?有?|若有?|对于?|在|的|本品|凡|伴|因)+"
)
OTHER_HISTORY = re.compile(r"家族史$|过敏史$|用药史$|接触史$|生育史$")
_DISEASE = re.compile(r"(?:心脏|糖尿|精神|溃疡|肝|肾|眼|血液|结核|性|疾|冠心|胃|脑血管|血管|白血|血友|肺心|痛风|牙周|皮肤|自身免疫)病$")
BRACKET = re.compile(r"\((?P<inside>[^()]+)\)")
_ADDS_NOTHING = re.compile(r"^(?:如|例如|比如|包括|含|尤其|特别|即|又称|也称|见|指|[A-Za-z0-9,\s/-]+$)")
CHILD_PUGH = re.compile(
    r"(?:肝功能)?\s*Child-?\s*Pugh\s*(?:分级|评分|分类)?\s*(?:为)?\s*(?P<first>[ABC])级?\s*(?:(?:和|或|、|~|-|至|及|/)\s*(?P<last>[ABC]))?\s*级?", re.IGNORECASE
)


_LONGEST = 300  # no name in Chinese is as long


class StateNames:
    """Looks the names of states up in a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        """`lexicon` holds the names."""
        self._lexicon = lexicon

    def find(self, words: str) -> EntityId | None:
        """The condition of this whole name, else another state of it."""
        found = self._lexicon.lookup(words, STATE_TYPES) if words else ()
        return next((f for f in found if f.type == EntityType.CONDITION), found[0] if found else None)

    def named(self, words: str) -> tuple[EntityId | None, str, Guard | None]:
        """The entity of a member, its name, and the guard of a degree that the entity does not hold."""
        if len(words) > _LONGEST:
            return None, words, None
        bare = without_lead(words)
        for name in dict.fromkeys((words, bare, *_without_history(bare, self.is_name), bare.replace("妇女", ""))):
            found = self.find(name)
            if found is not None:
                return found, name, None
        core = next(iter(_without_history(bare, self.is_name)), bare)
        for degree, grades in book().degrees.items():
            if core.startswith(degree) and (found := self.find(core[len(degree) :])) is not None:
                return found, core, _degree(core, grades)
        return None, core, None

    def known(self, words: str) -> bool:
        """True when the words, lead-ins and degree left out, name a state."""
        return self.named(words)[0] is not None

    def is_name(self, words: str) -> bool:
        """True when the words are the whole name of a state."""
        return self.find(words) is not None

    def guard_of_state(self, target: Target) -> Guard:
        """That a patient is in a state, as a guard: on its axis, by the record, or only for a person to judge."""
        for name, axis in (("妊娠", Axis.PREGNANCY), ("哺乳", Axis.LACTATION)):
            if target.id == self.find(name):
                return Category(axis, ("yes",))
        return HasCondition(target.id, target.words) if target.entity is None else Opaque(target.words)


def without_lead(words: str) -> str:
    """The words without what leads a member of a list in ("既往有", "其他")."""
    lead = _LEAD.match(words)
    return words[lead.end() :] if lead is not None and lead.end() < len(words) - 1 else words


def _without_history(words: str, known: Callable[[str], bool]) -> Iterator[str]:
    """The name before 史 or 病史, the likelier first."""
    if not words.endswith("史") or OTHER_HISTORY.search(words):
        return
    one = words.removesuffix("史")
    two = words.removesuffix("病史")
    yield from ((one, two) if _DISEASE.search(one) or known(one) else (two, one))


def _degree(words: str, grades: tuple[str, ...]) -> Guard:
    """The grade on the organ's scale where it has one, else the words."""
    organ = re.search(r"([肾肝])(?:脏)?(?:功能|损害|损伤|衰竭)", words)
    axis = {"肾": Axis.RENAL, "肝": Axis.HEPATIC}[organ[1]] if organ is not None else None
    if axis is None or not grades or (grades == ("esrd",) and axis is Axis.HEPATIC):
        return Opaque(words)
    return Category(axis, grades)


def grades_of(m: re.Match[str]) -> Category:
    """The Child-Pugh classes of a match of `CHILD_PUGH`."""
    first, last = m["first"].upper(), (m["last"] or m["first"]).upper()
    low, high = sorted(("ABC".index(first), "ABC".index(last)))
    return Category(Axis.CHILD_PUGH, tuple("ABC"[low : high + 1]))


def bracketed(text: str, start: int, end: int) -> list[Restriction]:
    """What brackets add to a state; examples, abbreviations and explanations add nothing."""
    out: list[Restriction] = []
    for m in BRACKET.finditer(text, start, end):
        inside, at = m["inside"].strip(), m.start("inside")
        bounds = find_chinese_bounds(inside)
        grade = CHILD_PUGH.search(inside)
        trimester = next((c for p, c in book().trimesters if p.search(inside)), None)
        out += [Restriction(b.interval, at + b.start, at + b.end) for b in bounds]
        if grade is not None:
            out.append(Restriction(grades_of(grade), at, m.end("inside")))
        elif trimester is not None:
            out.append(Restriction(trimester, at, m.end("inside")))
        elif not bounds and _ADDS_NOTHING.match(inside) is None:
            out.append(Restriction(Opaque(inside), at, m.end("inside")))
    return out
