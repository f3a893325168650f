"""What a Chinese insert says of taking its product together with another drug, food or herb.

A sentence is read in passages, one for each group of partners with its own instruction. Whom a passage speaks of ("新生儿...禁止与X合用") and under
which circumstances are guards; what it denies or calls unknown is never an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.chinese.book import book
from kb_builder.propose.chinese.bounds import number
from kb_builder.propose.chinese.names import StateNames
from kb_builder.propose.chinese.partners import ChinesePartners, Partner
from kb_builder.propose.chinese.patients import CO_USE
from kb_builder.propose.chinese.roles import find_chinese_roles
from kb_builder.propose.chinese.sentences import Sentence, clauses, sentences, split
from kb_builder.propose.chinese.states import ChineseStates
from kb_builder.propose.chinese.tables import TableRow, partner_rows
from kb_builder.propose.conditions.restrictions import Restriction, joined
from kb_builder.propose.drafts import Draft, Source
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.model.guards import AnyOf, Guard, HasCondition, Opaque, both, leaves

_OTHERWISE = re.compile(
    r"^(?:如果?|若|当)?(?:确|临床)?(?:必须|必需|需要?|不得不|一定要|无法避免|不能避免|有必要|确有必要)(?:同时|联合|要)?(?:合用|使用|联用|同用|应用|服用)"
)
_NEW_GROUP = re.compile(r"(?:与|和)[^,]{1,60}?(?:合用|同用|同服|联用|并用|同时|联合)|(?:同时|联合)(?:使用|服用|应用)(?!时)")
_WHO = re.compile(
    r"^(?:在|对于?|对)?(?P<who>[^,]{0,50}?(?:患者|病人|(?<![或使])者|新生儿|婴幼儿|婴儿|儿童|小儿|老年人|老人|孕妇|妇女|人群))(?:中|在?(?:使用|服用|应用)(?:本品|该药)?(?:期间|时)?|用药时?|服药时?)?(?=(?:应|须|需|禁|避免|不|慎|谨慎|与|和|同|使用|合用|联|停|,|:|$))"
)
_NO_GROUP = re.compile(
    r"^(?:两|二|前|后|两药|二药|长期用药|用药|服药|两种药|.{0,8}两)(?:者)?$|^(?:个别|少数|部分|多数|大多数|某些|有些|有的|健康|所有|全部|一般|该类?|此类?|这些|本品|使用本品的?|服用本品的?|接受本品治疗的?)?(?:患者|病人|者|受试者|志愿者|人群|使用者|服药者)$|使用者$|服用者$|受试者|志愿者|研究者|尤其|特别"
)
_RISK = re.compile(
    r"(?:风险|危险性?|毒性|发生率|可能性|几率)(?:可能|会|将)?(?:明显|显著|进一步)?(?:升高|增加|增高|增大|加重)|(?:增加|升高|加重|增大)[^,。;]{0,20}(?:风险|危险|毒性|可能性)"
)
"""Outside the section on interactions an effect counts where the label calls it a risk."""
_EATS = re.compile(r"(?:避免|不宜|不得|不要|不可|禁止|禁|勿|忌)(?:同时)?(?:饮用?|食用?|吃|喝|吸)")
"""What is not to be drunk or eaten is asked of that alone, whatever else the sentence named before."""
_TAKING = re.compile(r"(?:使用|服用|接受|应用)[^,。;]{2,40}?(?:治疗)?的(?P<who>[^,。;的]{2,40}?(?:患者|病人|(?<![或使])者|儿童|老年人|妇女))")
_WHEN = re.compile(r"^(?P<when>[^,]{2,40}?(?:(?<!小)时|期间|情况下))$")
_CO_TIME = re.compile(r"合用|同用|同服|联用|并用|同时|联合|一起|用药|服药|治疗期间|使用本品|服用本品|应用本品|本品(?:使用|治疗)|使用期间")
_HOURS = re.compile(r"(?P<n>\d+(?:\.\d+)?|[一二两三四六八十]+)\s*(?:(?:~|-|至|或)\s*(?P<m>\d+|[一二两三四六八十]+)\s*)?个?(?P<unit>小时|天|日|周|星期)")
_HOURS_OF = {"小时": 1, "天": 24, "日": 24, "周": 168, "星期": 168}
_LONG = re.compile(r"(?P<how>长期|大量|大剂量|反复|短期)(?:地)?(?=与|合用|同用|同服|联用|并用|同时|联合)")
_WATCH = re.compile(r"(?:监测|检测|检查|测定|观察)(?P<what>[^,。;]{2,30})")
_OWN_DOSE = re.compile(r"本品[^,。;]{0,4}(?:剂量|用量)|减少本品|调整本品|(?:减少|降低|增加|调整)本品")
_PARTNER_DOSE = re.compile(r"(?:调整|减少|增加|降低|减低|酌减)(?P<what>[^,。;]{1,24}?)的?(?:剂量|用量)")
_ANAPHOR = re.compile(r"^(?:应|须|需|必要时|合用|故|因此|因而|建议|如|若|避免|不宜|禁止合用|两药|二者|两者|同时|慎|联合|密切|并|不推荐|不建议|此时)")
_WHOLE_PHRASE = frozenset({Action.SEPARATE, Action.CONTRAINDICATED, Action.AVOID, Action.ADJUST_DOSE})
"""Actions whose words hold those of others ("不得与X混合", "剂量不应超过")."""
_STOPS = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a passage asks for: first, and where that is not possible."""

    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...]
    strength: Strength
    denied: bool


class ChinesePairs:
    """Reads one section."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._text = reading.blank
        self._partners = ChinesePartners(reading, lexicon)
        self._states = ChineseStates(reading.blank, lexicon)
        self._names = StateNames(lexicon)

    def own_section(self) -> Iterator[Draft]:
        """Rows of tables, and every sentence outside of them."""
        for table in self._reading.tables.placed:
            for row in partner_rows(table):
                yield from self._row(row)
        inside = [(t.start, t.end) for t in self._reading.tables.placed]
        inside += [(s.start, s.end) for b in self._reading.blocks if b.row for s in b.statements]
        notes = [(s.start, s.end) for b in self._reading.blocks if b.table and not b.row for s in b.statements]
        last: list[Partner] = []
        for sentence in sentences(self._reading):
            if any(s < sentence.end and sentence.start < e for s, e in inside) and not any(s <= sentence.start < e for s, e in notes):
                continue
            drafts = list(self._sentence(sentence, () if sentence.numbered else last))
            yield from drafts
            found = self._partners.find(sentence.start, sentence.end)
            last = found or ([] if sentence.numbered else last)

    def other_section(self) -> Iterator[Draft]:
        """Sentences that speak of taking two things together and say what to do."""
        for sentence in sentences(self._reading):
            said = (sentence.lead or (0, 0), (sentence.start, sentence.end))
            if any(CO_USE.search(self._text, *place) or self._taken(*place) for place in said):
                risky = _RISK.search(self._text, sentence.start, sentence.end) is not None
                yield from (d for d in self._sentence(sentence, ()) if d.source is Source.DIRECTIVE or risky)

    def _taken(self, start: int, end: int) -> bool:
        """True for patients who take a partner ("正在使用X的患者禁用")."""
        m = re.compile(r"(?:正在|同时|已|合并)(?:使用|服用|接受|应用)").search(self._text, start, end)
        if m is None:
            return False
        return bool(find_chinese_roles(self._text, m.end(), end)) or any(t.kind is Kind.PARTNER and not t.own for t in self._reading.things_in(m.end(), end))

    def _sentence(self, sentence: Sentence, before: Sequence[Partner]) -> Iterator[Draft]:
        for start, end, parts in self._passages(sentence):
            plan = self._plan(parts)
            if before and plan.steps and _OTHERWISE.match(self._text[start:end]):
                plan = replace(plan, steps=(), otherwise=plan.steps)
            partners = self._partners.find(start, end)
            if not partners and _ANAPHOR.match(self._text[start:end]) and (plan.steps or plan.otherwise):
                partners = list(before)
            if not plan.steps and not plan.otherwise and sentence.lead is not None and not plan.denied:
                lead = self._plan([sentence.lead])
                plan = lead
                partners = partners or self._partners.find(start, end, cell=True)
            yield from self._drafts(sentence, (start, end), parts, partners, plan)

    def _drafts(
        self, sentence: Sentence, place: tuple[int, int], parts: Sequence[tuple[int, int]], partners: Sequence[Partner], plan: _Plan
    ) -> Iterator[Draft]:
        steps, otherwise, strength, source, polarity = plan.steps, plan.otherwise, plan.strength, Source.DIRECTIVE, Polarity.POSITIVE
        if not steps and not otherwise:
            told = [c for c in parts if book().denials.search(self._text, *c) is None]
            if any(book().no_adjustment.search(self._text, *c) for c in parts):
                steps, strength, polarity = (Step(Action.NO_ADJUSTMENT, Whose.EITHER),), Strength.INFORMATIONAL, Polarity.NEGATIVE
            elif plan.denied or not any(book().effects.search(self._text, *c) for c in told):
                return
            else:
                steps, strength, source = (Step(Action.CAUTION, Whose.EITHER),), Strength.CONSIDER, Source.EFFECT
        limits = tuple(self._limits(parts, partners)) if source is Source.DIRECTIVE and polarity is Polarity.POSITIVE else ()
        for partner in partners:
            yield Draft(
                self._reading,
                "interacts_with",
                partner.target,
                (partner.start, partner.end),
                (sentence.start, sentence.end),
                _softened(steps, partner),
                otherwise,
                (*limits, *partner.limits),
                heading=sentence.lead,
                strength=strength,
                polarity=polarity,
                source=source,
            )

    def _passages(self, sentence: Sentence) -> list[tuple[int, int, list[tuple[int, int]]]]:
        """The sentence in passages: a new one where partners are named anew after an instruction."""
        out: list[list[tuple[int, int]]] = []
        asked = False
        for clause in clauses(self._text, sentence.start, sentence.end):
            anew = _NEW_GROUP.search(self._text, *clause) and self._partners.find(*clause)
            eats = bool(out) and _EATS.search(self._text, *clause) and self._partners.find(*clause)
            if not out or eats or (asked and anew and not _OTHERWISE.match(self._text[slice(*clause)])):
                out.append([])
                asked = False
            out[-1].append(clause)
            asked = asked or bool(self._plan([clause]).steps)
        return [(p[0][0], p[-1][1], p) for p in out]

    def _plan(self, parts: Sequence[tuple[int, int]]) -> _Plan:
        steps: dict[Action, Step] = {}
        otherwise: dict[Action, Step] = {}
        strengths: list[Strength] = []
        denied = second = False
        for start, end in parts:
            text = self._text[start:end]
            second = second or (bool(steps) and _OTHERWISE.match(text) is not None)
            if book().denials.search(text):
                denied = True
                text = book().no_adjustment.sub(lambda m: " " * len(m[0]), text)
                if not re.search(r"但|应|须", text) or book().denials.search(text):
                    continue
            for frame in book().frames:
                said = frame.pattern.search(text)
                if said is not None:
                    text = text[: said.start()] + "," * (said.end() - said.start()) + text[said.end() :] if frame.action in _WHOLE_PHRASE else text
                    (otherwise if second else steps).setdefault(frame.action, self._step(frame.action, self._text[start:end]))
                    strengths += [] if second else [frame.strength]
        for plan in (steps, otherwise):
            if len(plan) > 1:
                plan.pop(Action.CAUTION, None)
            if Action.SEPARATE in plan:
                for action in _STOPS:
                    plan.pop(action, None)
            if Action.CONTRAINDICATED in plan:
                plan.pop(Action.AVOID, None)
        strength = min(strengths, key=list(Strength).index, default=Strength.SHOULD)
        return _Plan(tuple(steps.values()), tuple(otherwise.values()), strength, denied)

    def _step(self, action: Action, text: str) -> Step:
        whose = Whose.EITHER
        if action is Action.SEPARATE:
            hours = [number(m["m"] or m["n"]) * _HOURS_OF[m["unit"]] for m in _HOURS.finditer(text)]
            return Step(action, whose, separate_hours=max(hours, default=None) if hours else None)
        if action is Action.MONITOR:
            watched = _WATCH.search(text)
            return Step(action, whose, monitor=(watched["what"].strip(),) if watched is not None else ())
        if action is Action.ADJUST_DOSE:
            named = _PARTNER_DOSE.search(text)
            if _OWN_DOSE.search(text):
                whose = Whose.EITHER if named is not None and re.search(r"和|或|及|与", named["what"]) else Whose.SUBJECT
            elif named is not None and re.search(r"其|该|[一-鿿]{2}", named["what"]):
                whose = Whose.PARTNER
        return Step(action, whose)

    def _limits(self, parts: Sequence[tuple[int, int]], partners: Sequence[Partner]) -> Iterator[Restriction]:
        """Whom the passage speaks of, and under which circumstances."""
        for index, (start, end) in enumerate(parts):
            text = self._text[start:end]
            asks = any(f.pattern.search(text) for f in book().frames)
            taking = _TAKING.search(text)
            if taking is not None and any(start <= p.start < start + taking.start("who") for p in partners):
                yield from self._whom(start + taking.start("who"), start + taking.end("who"), partners)
            elif index == 0 or asks:
                yield from self._whom(start, end, partners)
            when = _WHEN.match(text)
            if when is not None and _CO_TIME.search(text) is None and not any(start <= p.start < end for p in partners):
                yield Restriction(Opaque(when["when"]), start, end)
            long = _LONG.search(text)
            if long is not None:
                yield Restriction(Opaque(f"{long['how']}合用"), start + long.start(), start + long.end())
            unless = re.match(r"除非[^,。;]+", text)
            if unless is not None:
                yield Restriction(Opaque(unless[0]), start, start + unless.end())

    def _whom(self, start: int, end: int, partners: Sequence[Partner]) -> Iterator[Restriction]:
        text = self._text[start:end]
        lead = re.match(r"(?:故|因此|所以|但|尤其是?|特别是)*", text)
        at = start + (lead.end() if lead is not None else 0)
        m = _WHO.match(self._text[at:end])
        if m is None or re.search(r"尤|特别", text[: at - start + m.end()]):
            return
        who, place = m["who"], (at + m.start("who"), at + m.end("who"))
        if _NO_GROUP.search(who) or any(place[0] <= p.start < place[1] for p in partners) or re.search(r"[与和]本品", who):
            return
        guards: list[Guard] = []
        for state in self._states.read(*place):
            guard = joined(state.limits)
            named = any(isinstance(leaf, HasCondition) and leaf.concept == state.target.id for leaf in leaves(guard))
            if state.target.id.type in (EntityType.CONDITION, EntityType.SYMPTOM) and not named:
                guard = both(self._names.guard_of_state(state.target), guard)
            if guard is not None:
                guards.append(guard)
        unique = tuple(dict.fromkeys(guards)) or (Opaque(who),)
        yield Restriction(unique[0] if len(unique) == 1 else AnyOf(unique), *place)

    def _row(self, row: TableRow) -> Iterator[Draft]:
        """A table row: what its cells say of the partners it names, or of their group where it names none."""
        cells = [
            c for cell in row.says for piece in cell.pieces or ((cell.start, cell.end),) for s in split(self._text, *piece) for c in clauses(self._text, *s)
        ]
        plan = self._plan(cells)
        if not plan.steps and not plan.denied and row.head is not None and row.head.placed:
            plan = self._plan([(row.head.start, row.head.end)])
        said = [cell for cell in row.says if self._plan(clauses(self._text, cell.start, cell.end)).steps] or list(row.says)
        statement = (said[-1].start, said[-1].end)
        for naming in (row.names, row.groups):
            partners = [(p, c) for c in naming for p in self._partners.find(c.start, c.end, cell=True)]
            for partner, cell in partners:
                for draft in self._drafts(Sentence(*statement), statement, cells, [partner], plan):
                    yield replace(draft, heading=(cell.start, cell.end))
            if partners:
                return


def _softened(steps: tuple[Step, ...], partner: Partner) -> tuple[Step, ...]:
    """The plan; what is forbidden of food and drink is to be avoided."""
    if partner.target.id.type not in (EntityType.FOOD, EntityType.LIFESTYLE):
        return steps
    return tuple(replace(s, action=Action.AVOID) if s.action is Action.CONTRAINDICATED else s for s in steps)
