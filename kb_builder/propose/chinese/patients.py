"""In whom a Chinese insert forbids its product, advises against it, or asks for caution.

A sentence may ask several things ("孕妇禁用, 儿童慎用"): every frame takes the patients before it back to the frame before. What a clause tells
("患者易出现皮疹") is reason and not part of the patients; circumstances ("大剂量使用时", "除非...") are guards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.chinese.allergens import ChineseAllergens, find_allergies
from kb_builder.propose.chinese.book import Frame, book
from kb_builder.propose.chinese.roles import find_chinese_roles
from kb_builder.propose.chinese.sentences import Sentence, clauses, sentences
from kb_builder.propose.chinese.states import ChineseStates
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import State
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target
from ontology.model.advice import Action, Step
from ontology.model.claims import Strength
from ontology.model.facts import Whose
from ontology.model.guards import Opaque

CO_USE = re.compile(
    r"合用|同用|同服|联用|并用|伍用|配伍|混合|同时(?:使用|服用|应用|给药|给予|接受)|联合(?:使用|应用|用药)|一起(?:使用|服用)|停用[^,。;]{0,30}(?:天|日|周|月)|忌(?:食|烟|酒|服用?[^,。;]{0,10}(?:食|茶|饮))|饮酒|酒精|饮用"
)
_PATIENT = re.compile(r"患者|病人|者(?!和)|人群|妇女|孕妇|儿童|婴|幼儿|新生儿|老年|老人|小儿|青少年|妊娠|女性|男性|运动员|哺乳期|病史")
_TELLS = re.compile(
    r"(?:使用|服用|应用)?(?:本品|该药)|用药|服药|可(?!逆)|会|容?易(?!感)|常(?!见|染)|应(?!激)|须|需(?!要)|能(?![力量障减不亢异低衰])|将|致(?!癌|敏)|引起|导致|浓度|作用|风险|危险|发生(?!过)|出现(?!过)|缺乏足够|尚(?:未|无|不)|未(?:确立|进行)|没有|对[^,]{1,12}(?:敏感|耐受)"
)
_CONTINUES = re.compile(r"^(?:以及|或者|或|及|和|与|并且|特别是|尤其|包括|症见|证见|伴|兼|且|并有|同时(?:有|患))")
_CIRCUMSTANCE = re.compile(r"^(?P<when>除非[^,]+|[^,]{2,40}?(?:(?<!小)时|期间|情况下|的情况下))$")
_EMPTY_TIME = re.compile(r"^(?:本品)?(?:用药|服药|治疗|使用|服用|应用)(?:本品)?(?:期间|时|过程中)$|^(?:一般|通常)?情况下$")
_EXCEPT = re.compile(r"^\s*[,(]?\s*(?P<words>除非[^,。;)]+|但[^,。;]*(?:除外|例外|不受此限)|[^,。;]{2,30}(?:除外|例外))")
_SO = re.compile(
    r"^(?:故|因此|因而|所以|则|均|也|亦|应|宜|须|需|当|应当|必须|一律|原则上|绝对|尽量|最好|,|\s|仍|更|尤|特别|尤其|建议|一般|通常|并|且|而|者|对于?|对|都|即|下)+"
)
_BEFORE_FRAME = re.compile(
    r"(?:应当|应该|应|均|一律|亦|也|宜|须|需|必须|尤应|尤|更应|绝对|原则上|一般|建议|尽量|最好|都|请|更|要|当|尤其应|特别应|故|因此|立即|,?在?(?:使用|服用|应用)(?:本品|该药)(?:时|期间)?|用药时|服药时|者?对本品|本品)+$"
)
_NEGATED = re.compile(r"(?:并?非|不是|不属|无需|不必|不需|并不|(?:无|没有|未见)(?:已知|明确|绝对|特殊|其他)?的?)$")
_NOMINAL = re.compile(
    r"(?:者|患者|病人|人群|妇女|儿童|婴儿|新生儿|人|史|期|症|病|炎|溃疡|出血|不全|障碍|衰竭|综合征|休克|过敏|过缓|阻滞|昏迷|周|月|岁|以下|以上)$"
)
_NO_MATTER = re.compile(r"尚不明确|尚无|暂无|未见|^无|没有已知|不明确|见【|参见|详见")
_TITLE = re.compile(r"\s*[^,。;:]{2,14}:")
"""What an item is about, before its sentence ("交叉过敏反应: 对...")."""
_LONGEST_NOMINAL = 60


@dataclass(frozen=True, slots=True)
class _Ask:
    """A frame and the region in which its patients stand."""

    frame: Frame
    start: int
    end: int
    after: int


class ChinesePatients:
    """Reads one section."""

    def __init__(self, reading: Reading, own: Sequence[Target], lexicon: Lexicon, *, own_section: bool) -> None:
        """`own` are the label's ingredients; in its own section a bare list forbids."""
        self._reading = reading
        self._text = reading.blank
        self._states = ChineseStates(reading.blank, lexicon)
        self._allergens = ChineseAllergens(reading, own, lexicon)
        self._own_section = own_section

    def drafts(self) -> Iterator[Draft]:
        """One draft for every state of patients and what is asked in it."""
        for sentence in sentences(self._reading):
            asks = list(self._asks(sentence))
            for ask in asks:
                yield from self._ask(sentence, ask)
            if not asks:
                yield from self._bare(sentence)

    def _asks(self, sentence: Sentence) -> Iterator[_Ask]:
        text, start, end = self._text, sentence.start, sentence.end
        found: list[tuple[int, int, Frame, tuple[int, int] | None]] = []
        for frame in book().around:
            for m in frame.pattern.finditer(text, start, end):
                groups = m.re.groupindex
                place = next(m.span(g) for g in ("who", "inside") if g in groups and m[g])
                found.append((m.start(), m.end(), frame, place))
        for frame in book().patient_frames:
            found += [(m.start(), m.end(), frame, None) for m in frame.pattern.finditer(text, start, end) if not _NEGATED.search(text, start, m.start())]
        found.sort(key=lambda f: (f[0], f[3] is None))
        at = start
        for begin, until, frame, who in found:
            if begin < at:
                continue
            yield _Ask(frame, *(who or (at, begin)), until)
            at = until

    def _ask(self, sentence: Sentence, ask: _Ask) -> Iterator[Draft]:
        limits = self._exceptions(ask, sentence)
        for state in self._patients(ask.start, ask.end):
            yield self._draft(sentence, state, ask.frame.action, ask.frame.strength, limits)

    def _bare(self, sentence: Sentence) -> Iterator[Draft]:
        """An item without a frame: its list's, or in the section of contraindications the section's own."""
        text = self._text[sentence.start : sentence.end]
        frame = self._lead(sentence)
        forbids = self._own_section and (_NOMINAL.search(text.rstrip(" )")) is not None) and _TELLS.search(text) is None
        if (frame is None and not forbids) or len(text) > _LONGEST_NOMINAL or CO_USE.search(text) or _NO_MATTER.search(text):
            return
        for state in self._read(sentence.start, sentence.end):
            yield self._draft(sentence, state, frame.action if frame else Action.CONTRAINDICATED, frame.strength if frame else Strength.MUST, ())

    def _lead(self, sentence: Sentence) -> Frame | None:
        if sentence.lead is None or CO_USE.search(self._text, *sentence.lead):
            return None
        return next((f for f in book().patient_frames if re.search(f.pattern.pattern.replace("$", ""), self._text[slice(*sentence.lead)])), None)

    def _draft(self, sentence: Sentence, state: State, action: Action, strength: Strength, limits: tuple[Restriction, ...]) -> Draft:
        place = (state.start, state.end)
        steps = (Step(action, Whose.SUBJECT),)
        return Draft(
            self._reading,
            "contraindicated_in",
            state.target,
            place,
            (sentence.start, sentence.end),
            steps,
            limits=(*state.limits, *limits),
            heading=sentence.lead,
            strength=strength,
        )

    def _exceptions(self, ask: _Ask, sentence: Sentence) -> tuple[Restriction, ...]:
        m = _EXCEPT.match(self._text[ask.after : sentence.end])
        if m is None:
            return ()
        return (Restriction(Opaque(m["words"]), ask.after + m.start("words"), ask.after + m.end("words")),)

    def _patients(self, start: int, end: int) -> Iterator[State]:
        """The states in the region before a frame."""
        cut = _BEFORE_FRAME.search(self._text, start, end)
        end = cut.start() if cut is not None else end
        title = _TITLE.match(self._text, start, end)
        start = title.end() if title is not None and _PATIENT.search(title[0]) is None else start
        parts = clauses(self._text, start, end)
        subject: tuple[int, int] | None = None
        if parts and self._text[end - 1] != ",":
            subject = parts.pop()
            subject = subject if _SO.sub("", self._text[slice(*subject)], count=1) else None
        if subject is not None and CO_USE.search(self._text, *subject):
            return
        limits: list[Restriction] = []
        if subject is None:
            told = next((c for c in reversed(parts) if self._told(c)), None)
            if told is None or any(CO_USE.search(self._text, *c) for c in parts):
                return
            parts = parts[: parts.index(told)]
            subject, limit = self._subject_of(told)
            limits += limit
        first = subject[0]
        while parts and self._listed(parts[-1], subject if first == subject[0] else (first, subject[1])):
            first = parts.pop()[0]
        limits += [r for c in parts for r in self._circumstance(c)]
        yield from (replace(s, limits=(*s.limits, *limits)) for s in self._read(first, subject[1]))

    def _told(self, clause: tuple[int, int]) -> bool:
        text = self._text[slice(*clause)]
        return _PATIENT.search(text) is not None and not re.match(r"如|若|当|个别|少数|部分", text)

    def _subject_of(self, clause: tuple[int, int]) -> tuple[tuple[int, int], list[Restriction]]:
        """The patients at the head of a clause that tells something, and what restricts the telling ("大剂量使用")."""
        start, end = clause
        marks = list(re.finditer(r"患者|病人|(?<!或)者|人群|妇女|儿童|婴儿|新生儿|青少年|老年人|老人|小儿", self._text[start:end]))
        tells = next(
            (
                m
                for m in marks
                if _TELLS.match(self._text[start + m.end() : end]) or m is marks[-1] or re.match(r"[^、,及和或与的]", self._text[start + m.end() : end])
            ),
            None,
        )
        if tells is None:
            return clause, []
        until = start + tells.end()
        rest = self._text[until:end]
        how = re.match(r"(?P<how>(?:大|小|高|低)剂量|长期|长期大量|静脉|连续)(?:使用|服用|应用|用药|给药)?", rest)
        return (start, until), [Restriction(Opaque(how[0]), until, until + how.end())] if how is not None else []

    def _listed(self, clause: tuple[int, int], following: tuple[int, int]) -> bool:
        """True when a clause is a member of the list that the following one goes on with."""
        text = self._text[slice(*clause)]
        if CO_USE.search(text) or re.search(r"^(?:本品|由于|因为|如|若|当|除)|^因(?!.*者)", text) or _CIRCUMSTANCE.match(text):
            return False
        if _CONTINUES.match(self._text[slice(*following)]):
            return True
        return _TELLS.search(text) is None or re.search(r"(?:者|患者|史|过敏)$", text) is not None

    def _circumstance(self, clause: tuple[int, int]) -> Iterator[Restriction]:
        text = self._text[slice(*clause)]
        m = _CIRCUMSTANCE.match(text)
        if m is not None and _EMPTY_TIME.match(text) is None and not re.match(r"本品", text):
            yield Restriction(Opaque(m["when"]), *clause)

    def _read(self, start: int, end: int) -> Iterator[State]:
        """The allergies and the other states of a phrase."""
        at = start
        for allergy in find_allergies(self._text, start, end):
            if self._is_partner_free(at, allergy.start()):
                yield from self._states.read(at, allergy.start())
            yield from self._allergens.read(allergy)
            at = allergy.end()
            tail = re.compile(r"(?:的)?(?:患者|病人|者|人群|人)?").match(self._text, at, end)
            at = tail.end() if tail is not None else at
        if self._is_partner_free(at, end):
            yield from self._states.read(at, end)

    def _is_partner_free(self, start: int, end: int) -> bool:
        """False for what patients take: that is an interaction ("正在使用X的患者")."""
        taking = re.search(r"(?:正在|同时|已|合并)?(?:使用|服用|接受|应用)", self._text[start:end])
        if taking is not None and find_chinese_roles(self._text, start + taking.end(), end):
            return False
        return (
            taking is None
            or not any(t.kind is Kind.PARTNER and not t.own for t in self._reading.things_in(start + taking.end(), end))
            or re.search(r"诱发|后(?:曾)?(?:发生|出现|引起)", self._text[start:end]) is not None
        )
