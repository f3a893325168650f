"""States of patients that a Chinese insert names: conditions with their degree and time, people of an age, pregnancy by trimester.

A phrase gives objects with their guards. What no axis holds stays as `Opaque` words, or in the name of the object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.chinese.lists import Member, split_list
from kb_builder.propose.chinese.names import BRACKET, CHILD_PUGH, OTHER_HISTORY, StateNames, bracketed, grades_of, without_lead
from kb_builder.propose.chinese.people import AMONG, PEOPLE, RELATIVE, VERBAL, guard_of, only_people, said_of_people
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import State
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import HasCondition, Interval, Opaque

_MARK = re.compile(r"(?:的)?(?:患者|病人|病患|(?<![或使])者|人群|(?<![老成年])人(?=[,、及和或与]|$))(?=\s*(?:[,、;()及和或与以]|并[^发]|尤|特别|应|$))")
_JOINS_ON = re.compile(r"[ ,、]*(?:以及|或者|或|和|与|(?<=[^白波累涉])及)$")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_AFTER_USE = re.compile(
    r"^(?:曾经?|既往|有|已知)*(?P<cause>(?:因|由于|在?(?:服用|使用|应用|接受))[^,]{1,50}?)(?:治疗)?(?:后|而|时)?(?:曾经?)?(?:诱发|引起|导致|引发|发生|出现)过?的?(?=.{2})"
)
_WITHIN = re.compile(
    r"^(?:在)?(?:近|最近|过去|既往|此前|新近)?\s*(?:[0-9一二两三四五六十]+|半)\s*个?(?:小时|天|日|周|月|年)(?:之?内|以内)?(?:曾|有)?(?:发生|出现|有|患|接受|进行|行|做)?过?的?"
)
_RECENTLY = re.compile(r"^(?:近期|新近|最近)(?:内)?(?:曾|有)?(?:发生|出现|患|接受|进行|行)?过?的?")
_SEVERE_TAIL = re.compile(r"(?<=[病症全碍史])(?P<how>严重|较重|明显|较严重)$")
_PAST = re.compile(r"^(?:(?:已知|对)?(?:有过?)?)?(?:曾|既往)|(?:病史|史)$|(?:发生|出现|患|接受|有)过(?!敏|多|速|缓|低|高|度|量)")
_BESIDE = re.compile(r"伴有?|合并有?|并发|同时(?:患|伴)?有|兼有?|并有")
_SHOWN = re.compile(r"[,、]?\s*(?P<shown>(?:症见|证见|症属|证属).*)$")
_WEEKS = re.compile(r"(?:妊娠|怀孕|孕)(?:的)?(?:第)?\s*\d+\s*(?:周|个月)(?:后|前|以后|以前|以上|以下|内)?")
_BOTH_ORGANS = re.compile(r"^(?P<lead>.*?)肝、?肾(?P<tail>功能(?:不全|障碍|损害|减退|衰竭|异常|低下)|衰竭|疾病|损害)$")
_NOTHING = re.compile(
    r"^(?:下列|以下|上述|此类|该类|这些|这类|此|该|本|其他?|有关|相关|用药|服药|某些|特殊|一般|部分|个别|少数|多数|大多数|绝大多数|所有|全部)?(?:患者|病人|者|人群|情况|疾病|药物?|本品|人|使用|应用|服用|给药|药品|病症)?$|^(?:本品|用药期间|服药期间|治疗期间|使用期间)$|尚不明确|未见|暂无|性状|过期|变质|破损"
)
_POSITIVE = re.compile(r"呈?阳性(?:反应)?")
_SKIN_TEST = re.compile(r"(?:做|作|进行|行)?(?P<test>[^,。;:做作行]{0,8}(?:皮试|皮肤试验|皮内试验|过敏试验))")
_LONGEST = 60


class ChineseStates:
    """Reads noun phrases of one section. Places are offsets in its folded text."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self._text = text
        self._lexicon = lexicon
        self._names = StateNames(lexicon)

    def read(self, start: int, end: int) -> Iterator[State]:
        """The states of a phrase, each group of them closed by a word for patients."""
        at = start
        for m in [*_MARK.finditer(self._text[start:end]), None]:
            until = start + m.start() if m is not None else end
            behind = _ASIDE.match(self._text, start + m.end(), end) if m is not None else None
            limits = tuple(bracketed(self._text, behind.start(), behind.end())) if behind is not None else ()
            if until - at > 0:
                yield from (self._tested(replace(s, limits=(*s.limits, *limits))) for s in self._group(*self._trim(at, until)))
            at = behind.end() if behind is not None else start + m.end() if m is not None else end

    def _tested(self, state: State) -> State:
        """A positive test by the name of the test that was asked for right before it ("须做青霉素皮试，阳性反应者")."""
        if _POSITIVE.fullmatch(state.target.words) is None:
            return state
        test = max(_SKIN_TEST.finditer(self._text, max(0, state.start - _LONGEST), state.start), key=lambda m: m.end(), default=None)
        return state if test is None else replace(state, target=uncoded(EntityType.CONDITION, test["test"] + state.target.words.removeprefix("呈")))

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        text = self._text
        while start < end and text[start] in " ,、:;":
            start += 1
        m = re.compile(r"(?:以及|或者|及|和|或|与|并)(?=[^,、])").match(text, start, end)
        start = m.end() if m is not None else start
        while end > start and text[end - 1] in " ,、:;的":
            end -= 1
        tail = _JOINS_ON.search(text, start, end)
        return start, tail.start() if tail is not None else end

    def _group(self, start: int, end: int) -> Iterator[State]:
        phrase = self._text[start:end]
        if not phrase:
            return
        relative = self._relative(phrase)
        if relative is not None:
            yield from self._people(start, end, relative)
            return
        among = AMONG.match(phrase)
        guard = guard_of(among["heads"]) if among is not None else None
        if among is not None:
            limit = Restriction(guard or Opaque(among["heads"]), start, start + among.end("heads"))
            yield from (replace(s, limits=(*s.limits, limit)) for s in self._group(*self._trim(start + among.end(), end)))
            return
        beside = _BESIDE.search(phrase)
        listed = beside is not None and re.search(r"[、,或]", phrase[beside.end() :]) is not None
        if (
            beside is not None
            and beside.start() > 0
            and not self._names.is_name(phrase)
            and beside[0][0] != "兼"
            and (listed or self._leads(phrase[: beside.start()]))
        ):
            yield from self._beside(start, end, beside)
            return
        tail = _SEVERE_TAIL.search(phrase)
        if tail is not None:
            severe = Restriction(Opaque(tail["how"]), start + tail.start(), end)
            yield from (replace(s, limits=(*s.limits, severe)) for s in self._group(*self._trim(start, start + tail.start())))
            return
        caused = _AFTER_USE.match(phrase)
        if caused is not None:
            yield from self._after_use(start, end, caused)
            return
        covered = [(start + m.start(), start + m.end()) for m in CHILD_PUGH.finditer(phrase)]
        covered += [(b.start + start, b.end + start) for b in find_chinese_bounds(phrase)]
        covered += [
            (start + m.start(), start + m.end()) for d in book().degrees if "、" in d or "或" in d or "和" in d or "及" in d for m in re.finditer(d, phrase)
        ]
        covered += [(start + m.start(), start + m.end()) for p, _ in book().trimesters for m in p.finditer(phrase)]
        members = split_list(self._text, start, end, self._names.known, covered, whole=True)
        for i, (before, here) in enumerate(pairwise(members), start=1):
            if here.words in ("家族史", "既往史") and (name := self._names.named(before.words)[1]):
                members[i] = replace(here, words=name + here.words, start=before.start)
        past = [m.words.endswith("史") and not OTHER_HISTORY.search(m.words) for m in members]
        for i, member in enumerate(members):
            yield from self._member(member, past=past[-1] or (member.example and any(past[:i])))

    def _relative(self, phrase: str) -> re.Match[str] | None:
        """People with a clause before them ("患水痘或流感的儿童和青少年"), else None."""
        people = PEOPLE.match(phrase)
        if people is None or self._names.known(phrase):
            return None
        mods = people["mods"]
        return people if mods.endswith("的") and (RELATIVE.match(mods) or not re.search(r"[、,]", mods)) else None

    def _people(self, start: int, end: int, people: re.Match[str], example: bool = False) -> Iterator[State]:
        """People of the words for them, with the conditions and bounds said before."""
        heads = (start + people.start("heads"), start + people.end("heads"))
        limits: list[Restriction] = []
        states: list[State] = []
        at = start
        bounds = find_chinese_bounds(self._text[start:end])
        limits += [Restriction(b.interval, start + b.start, start + b.end) for b in bounds]
        for part in re.split(r"(?<=的)", people["mods"]):
            words = part.removesuffix("的")
            until = at + len(words)
            if words.strip(" 、,"):
                rest = words
                for b in bounds:
                    a, z = max(0, start + b.start - at), max(0, start + b.end - at)
                    rest = rest[:a] + " " * len(rest[a:z]) + rest[z:]
                rest = rest.strip(" 、,")
                if VERBAL.match(rest) or re.match(r"矫正|胎龄|孕龄|出生体重|极?低出生", rest) or (bounds and rest and not self._conditions(words)):
                    limits.append(Restriction(Opaque(words.strip(" 、,")), at, until))
                elif rest:
                    states += self._group(*self._trim(at, until))
            at += len(part)
        group = guard_of(people["heads"])
        aged = any(isinstance(r.guard, Interval) and r.guard.axis is Axis.AGE and r.guard.high is not None for r in limits)
        if group is not None and not aged:
            limits.append(Restriction(group, *heads))
        if states:
            extra = () if group is not None or aged else (Restriction(Opaque(people["heads"]), *heads),)
            yield from (replace(s, limits=(*s.limits, *limits, *extra)) for s in states)
            return
        if not limits:
            limits.append(Restriction(Opaque(self._text[start:end]), start, end))
        words = self._text[start:end]
        names = (people["heads"], people["heads"] + "人") if not people["mods"] else ()
        found = next((f for n in names if (f := self._lexicon.lookup(n, frozenset({EntityType.POPULATION})))), ())
        yield State(Target(found[0], words) if found else uncoded(EntityType.POPULATION, without_lead(words)), start, end, tuple(limits), example)

    def _conditions(self, words: str) -> bool:
        return any(self._names.known(w) for w in re.split(r"[、,和或及与的]", words))

    def _beside(self, start: int, end: int, beside: re.Match[str]) -> Iterator[State]:
        """What accompanies a disease: the disease is a guard where it is known, else part of the name."""
        lead = self._text[start : start + beside.start()].removesuffix("患者").removesuffix("者")
        lead_start = start
        cut = max((m.end() for m in re.finditer(r"[、,]|以及|或(?!者)|和|及", lead)), default=0)
        if cut and not self._names.known(lead):
            yield from self._group(*self._trim(start, start + cut))
            lead, lead_start = lead[cut:], start + cut
        found = self._names.find(without_lead(lead))
        rest = self._trim(start + beside.end(), end)
        if found is None:
            yield State(uncoded(EntityType.CONDITION, self._text[lead_start:end]), lead_start, end)
            return
        limit = Restriction(HasCondition(found, lead, ConditionState.ACTIVE), lead_start, lead_start + len(lead))
        yield from (replace(s, limits=(limit, *s.limits)) for s in self._group(*rest))

    def _leads(self, words: str) -> bool:
        """True when the words before 伴有 are the name of one state."""
        return self._names.known(words.removesuffix("患者").removesuffix("者"))

    def _after_use(self, start: int, end: int, caused: re.Match[str]) -> Iterator[State]:
        """What patients had from a drug: each state in its history, with its cause as a guard."""
        cause = Restriction(Opaque(caused[0]), start, start + caused.end())
        for state in self._group(*self._trim(start + caused.end(), end)):
            known = any(isinstance(r.guard, HasCondition) and r.guard.concept == state.target.id for r in state.limits)
            history = () if known else (Restriction(HasCondition(state.target.id, state.target.words, ConditionState.HISTORY), state.start, state.end),)
            yield replace(state, limits=(*state.limits, *history, cause))

    def _member(self, member: Member, *, past: bool) -> Iterator[State]:
        start, end = member.start, member.end
        limits: list[Restriction] = []
        words = member.words
        shown = _SHOWN.search(words)
        if shown is not None and shown.start() > 0:
            limits.append(Restriction(Opaque(shown["shown"]), start + shown.start("shown"), end))
            words = words[: shown.start()]
        if not member.shared:
            limits += bracketed(self._text, start, end)
        words = BRACKET.sub("", words).strip()
        both = _BOTH_ORGANS.match(words)
        if both is not None and not self._names.is_name(words):
            yield from (s for organ in "肝肾" for s in self._member(replace(member, words=f"{both['lead']}{organ}{both['tail']}", shared=True), past=past))
            return
        if (_NOTHING.search(words) and not self._names.is_name(words)) or not re.search(r"[一-鿿A-Za-z]{2}", words) or len(words) > _LONGEST:
            return
        people = PEOPLE.match(words)
        if people is not None and not self._names.known(words) and not member.shared and said_of_people(people["mods"]):
            states = self._people(start, start + len(words), people, member.example)
            yield from (replace(s, limits=(*s.limits, *limits), member=member.example) for s in states)
            return
        yield from (replace(s, member=member.example) for s in self._condition(words, (start, end), limits, past=past))

    def _condition(self, words: str, place: tuple[int, int], limits: list[Restriction], *, past: bool) -> Iterator[State]:
        start, end = place
        trimester = next((c for p, c in book().trimesters if p.search(words)), None)
        pregnancy = self._names.find("妊娠")
        if pregnancy is not None and (trimester is not None or _WEEKS.search(words)):
            limits.append(Restriction(trimester or Opaque(words), start, end))
            yield State(Target(pregnancy, words), start, end, tuple(limits))
            return
        grade = CHILD_PUGH.search(words)
        if grade is not None:
            limits.append(Restriction(grades_of(grade), start, end))
            words = words[: grade.start()] + words[grade.end() :]
            words = words.strip(" ()、,") or "肝功能不全"
            words = "肝功能不全" if words in ("肝功能", "肝") else words
        bounds = find_chinese_bounds(words)
        limits += [Restriction(b.interval, start, end) for b in bounds]
        if only_people(words) and all(b.interval.axis is not Axis.LAB for b in bounds):
            yield State(uncoded(EntityType.POPULATION, without_lead(words)), start, end, tuple(limits))
            return
        recent = _RECENTLY.match(words)
        if recent is not None and (named := self._names.named(words[recent.end() :])[0]) is not None:
            limits.append(Restriction(HasCondition(named, words, ConditionState.RECENT), start, end))
            yield State(Target(named, words), start, end, tuple(limits))
            return
        within = _WITHIN.match(words)
        if within is not None and (named := self._names.named(words[within.end() :])[0]) is not None:
            limits += [Restriction(HasCondition(named, words, ConditionState.HISTORY), start, end), Restriction(Opaque(words), start, end)]
            yield State(Target(named, words), start, end, tuple(limits))
            return
        family = OTHER_HISTORY.search(words) is not None
        found, name, degree = self._names.named(words)
        if found is None and bounds and re.search(r"\d", words):
            yield State(uncoded(EntityType.CONDITION, without_lead(words)), start, end, tuple(limits))
            return
        if found is not None and found.type == EntityType.POPULATION:
            guard = guard_of(name)
            limits.append(Restriction(guard if guard is not None else Opaque(words), start, end))
            yield State(Target(found, words), start, end, tuple(limits))
            return
        target = Target(found, name) if found is not None else uncoded(EntityType.CONDITION, words if family else name)
        if family:
            yield State(uncoded(EntityType.CONDITION, words), start, end, tuple(limits))
            return
        if degree is not None and found is not None:
            limits.append(Restriction(degree, start, end))
        if past or _PAST.search(words) or words.endswith("史"):
            limits.append(Restriction(HasCondition(target.id, name, ConditionState.HISTORY), start, end))
        yield State(target, start, end, tuple(limits))
