"""Partners that a Chinese sentence names, each with what restricts it: dose, route, exceptions, the time since it was stopped.

"含A、B的药物" means A and B, "一周15mg或更大剂量的甲氨蝶呤" the drug in that dose, "辛辣、生冷、油腻食物" three foods. A name that the vocabulary does
not know is taken where the sentence's form shows it to be a partner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from kb_builder.propose.chinese.bounds import number
from kb_builder.propose.chinese.lists import Member, split_list
from kb_builder.propose.chinese.roles import find_chinese_roles
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import DoseBounds, ExposureState
from ontology.model.guards import AnyOf, Exposure, Opaque
from ontology.model.quantities import Unit

_USED = r"(?:合并?用药?|同用|同服|联用|并用|伍用|配伍|混合|混用|同时(?:使用|服用|应用|给药|给予)|联合(?:使用|应用|用药)?|一起(?:使用|服用)|并行使用)"
_ANCHORS = (
    re.compile(rf"(?:与|和|同(?![一时用服类样])|跟)(?P<who>(?:[^,。;()]|\([^()]*\)){{1,90}}?)(?P<how>长期|大量|短期)?(?:之间)?{_USED}"),
    re.compile(r"与(?P<who>[^,。;]{1,60}?)(?:之间|有(?:配伍禁忌|交叉|协同|拮抗|相互)|(?:存在|发生)相互作用)"),
    re.compile(
        r"(?:避免|不宜|不应|不得|不可|不能|禁止|严禁|勿|不推荐|不建议|慎|如|若|当|需|须)(?:与本品)?(?:同时|合并|联合|一起)?(?:使用|服用|应用|合用|同服|联用|并用|饮用|食用|进食|饮|食|服)(?P<who>(?!本品|时|过|者|期间|于)[^,。;:]{2,60}?)(?:时|者|治疗)?$"
    ),
    re.compile(r"(?:同时|联合|合并)(?:使用|服用|应用|接受)(?P<who>(?!本品|时|过|者|期间|会|可|使|的)[^,。;:]{2,40}?)(?:时|者|治疗|的)?$"),
    re.compile(r"(?<![\u4e00-\u9fff])忌(?:食|服用?|饮)?(?P<who>[^,。;:]{1,40})$"),
    re.compile(r"(?:正在|同时|已|近期)?(?:使用|服用|接受|应用)(?P<who>[^,。;:]{2,40}?)(?:治疗)?(?:的)?(?:患者|病人|者)"),
    re.compile(
        r"停(?:用|止使用|服)(?P<who>(?!本品|药|后|的|未|满)[^,。;:]{2,30}?)(?<!\d)(?:后|的|未)?(?:至少|不足)?(?=[0-9一二两三四]+\s*(?:天|日|周|个月|小时))"
    ),
)
_HEAD = r"(?:药物|药品|制剂|中成药|中药|药材|产品|食物|食品|饮料|溶液|输液|注射液|抗酸药|抗酸剂|制酸剂|制酸药|药)(?![理效代])"
_CONTAINS = re.compile(
    rf"(?:其他|其它|任何|各种|同样)?含有?(?P<what>(?:[^,。;()的]|\([^()]*\)){{1,60}}?)(?:成分|成份)?的(?:其他|其它|任何|各种)?(?P<head>[^\W的]{{0,6}}?{_HEAD})"
    rf"|含(?P<what2>[^\W的、]{{1,4}}?)的?(?P<head2>{_HEAD})"
)
_GENERIC = re.compile(r"^(?:药物|药品|制剂|中成药|中药|药材|产品|药|食物|食品|饮料|复方制剂)$")
_LISTED_FIRST = re.compile(r"^(?P<who>[^,。;:可能会使与]{2,80}?)(?:均|都|也|亦)?(?:可|能|会|可能|与本品|对本品)")
_BEFORE_NAME = re.compile(r"(?:抗|拟|去甲|异丙|伪|甲基|双氢|二氢|羟|脱氧|去氧|非|类)$")
_BEHIND_NAME = re.compile(r"酶|受体|样(?!本)|抵抗|能神经|能药?|缺乏|转换|合成|再摄取|结合|代谢|试验|皮试|皮肤试验|检测")
_THERAPY = re.compile(r"(?:(?:可|宜|须|应|建议)(?:补充|加用|改用|换用|给予|选用)|代之以|补充|改用|换用)$")
_FOOD_TAIL = re.compile(r"(?:的)?(?:食物|食品|饮食|之品|之物|类食物|食)$")
_FILLER = re.compile(
    r"^其.{0,4}制剂$|^(?:其他|其它|任何|各种|下列|以下|上述|某些|此类|该类|两|二|这些|大剂量|高剂量|大量|含)*(?:药物?|药品|本品|本药|制剂|者|品|两者|二者|它们|其|类|食物|患者|食|人|之|时)?$"
)
_DOSE = re.compile(
    r"(?P<per>一周|每周|周|一日|每日|每天|日|一天|单次|一次|每次)?(?:的)?(?:总)?(?:剂量|用量)?(?:为|在|达到?)?\s*(?P<op>超过|大于|高于|>=|>|≥|不低于|不少于|至少)?\s*(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>mg|g|ug|μg|mcg|毫克|克|单位|IU|U)(?![a-zA-Z])\s*(?:/\s*(?P<slash>日|天|d|周|次))?\s*(?P<post>(?:或|及)?(?:更(?:大|多|高)(?:的)?(?:剂量)?|以上))?"
)
_LARGE = re.compile(r"(?:大剂量|高剂量|小剂量|低剂量|长期|大量|过量|治疗剂量)(?:使用|服用|应用)?(?:的)?$")
_ROUTE = re.compile(r"(?P<route>口服|静脉(?:注射|滴注|输注|给予|用)?|外用|局部(?:用|应用)?|吸入|肌内注射|肌注|注射用|鼻用|眼用)(?:的)?$")
_ROUTES = {
    "口": "oral",
    "静": "intravenous",
    "外": "topical",
    "局": "topical",
    "吸": "inhalation",
    "肌": "intramuscular",
    "注": "parenteral",
    "鼻": "nasal",
    "眼": "ophthalmic",
}
_SIMILAR = re.compile(r"与本品[^,。;]{0,6}?(?:相似|类似|相同)的(?:其他|其它)?[^,。;的]{1,12}?(?:药物|药品|药|制剂)")
_MINUS = re.compile(r"(?:除(?:了)?|\()(?P<x>[^,。;()]{1,30}?)(?:以外|之外|外|除外\))")
_STOPPED = re.compile(
    r"停(?:用|药|止使用|服)[^,。;]{0,30}?(?P<n>\d+|[一二两三四]|十四|二十一)\s*(?:个)?(?P<unit>小时|天|日|周|星期|月)(?:之?内|以内)|停(?:用|药|止使用|服)[^,。;]{0,30}?(?:未满|不足|不到|未超过|少于|未达)(?P<n2>\d+|[一二两三四]|十四|二十一)\s*(?:个)?(?P<unit2>小时|天|日|周|星期|月)"
)
_OWN_STOP = re.compile(r"(?:用药|服药|治疗|(?:使用|服用|应用|接受)?(?:本品|该药)(?:治疗)?)(?:期间)?(?:及|和|或|以及)(?:停药|停用)|停用?本品")
"""It is the product that was stopped."""
_DAYS = {"小时": Decimal(1) / 24, "天": Decimal(1), "日": Decimal(1), "周": Decimal(7), "星期": Decimal(7), "月": Decimal(30)}
_UNITS = {"毫克": "mg", "克": "g", "单位": "[USP'U]", "μg": "ug", "mcg": "ug"}
_METALS = {"镁", "铝", "铁", "锌", "钙", "钾", "铋", "碘"}


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner at `[start, end)` with the restrictions on it."""

    target: Target
    start: int
    end: int
    limits: tuple[Restriction, ...] = ()


class ChinesePartners:
    """Finds the partners in sentences and cells of one section."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._text = reading.blank
        self._lexicon = lexicon

    def find(self, start: int, end: int, *, cell: bool = False) -> list[Partner]:
        """The partners of `[start, end)`, left to right; in the cell that names them every member counts."""
        found: dict[tuple[int, str], Partner] = {}
        taken: list[tuple[int, int]] = []
        for place, partners in self._contained(start, end):
            taken.append(place)
            found |= {(p.start, str(p.target.id)): p for p in partners}
        for role in find_chinese_roles(self._text, start, end):
            taken.append((role.start, role.end))
            for one in role.roles:
                entity = self._lexicon.role(one)
                target = Target(entity, one.name) if entity is not None else uncoded(EntityType.ENZYME_ROLE, one.name)
                found[(role.start, str(target.id))] = Partner(target, role.start, role.end)
        things = [t for t in self._reading.things_in(start, end) if self._counts(t) and not any(s <= t.start < e for s, e in taken)]
        excluded = [m.span("x") for m in _MINUS.finditer(self._text, start, end)]
        outside = [t for t in things if not any(s <= t.start < e for s, e in excluded)]
        minus = tuple(i.id for t in things if t not in outside for i in t.targets)
        for thing in outside:
            for target in thing.targets:
                limits = [*self._limits(thing, target)]
                if minus and thing.type == EntityType.DRUG_CLASS:
                    limits.append(Restriction(Exposure(target.id, minus=minus), thing.start, thing.end))
                found[(thing.start, str(target.id))] = Partner(target, thing.start, thing.end, tuple(limits))
        spans = [(t.start, t.end) for t in self._reading.things_in(start, end) if t.kind is Kind.PARTNER]
        for a, b in [(start, end)] if cell else self._where(start, end):
            for partner in self._unknown(a, b, spans, taken + excluded):
                found.setdefault((partner.start, str(partner.target.id)), partner)
        for m in _SIMILAR.finditer(self._text, start, end):
            target = uncoded(EntityType.DRUG_CLASS, m[0])
            found[(m.start(), str(target.id))] = Partner(target, m.start(), m.end())
        window = self._window(start, end)
        out = sorted(found.values(), key=lambda p: p.start)
        return out if window is None else [replace(p, limits=(*p.limits, _since(window, p))) for p in out]

    def _counts(self, thing: Thing) -> bool:
        """False for the product itself, for a part of another word ("抗胆碱") and for what is given as a remedy."""
        if thing.kind is not Kind.PARTNER or (thing.own and not self._is_other_class(thing)):
            return False
        before, behind = self._text[max(0, thing.start - 12) : thing.start], self._text[thing.end : thing.end + 6]
        if _BEFORE_NAME.search(before) and not re.search(r"(?:等|种)类$", before):
            return False
        if thing.type in (EntityType.INGREDIENT, EntityType.HERB) and _BEHIND_NAME.match(behind):
            return False
        if thing.type == EntityType.FOOD and self._text[thing.start : thing.end] in ("食物", "食品", "饮食", "进食"):
            return re.search(r"(?:^|[,、与和随同或及])$", before) is not None
        return _THERAPY.search(before) is None or thing.type == EntityType.LIFESTYLE

    def _is_other_class(self, thing: Thing) -> bool:
        return thing.type == EntityType.DRUG_CLASS and self._text[max(0, thing.start - 2) : thing.start].endswith(("等", "其他", "其它"))

    def _contained(self, start: int, end: int) -> Iterator[tuple[tuple[int, int], list[Partner]]]:
        """What "含A或B的药物" means: its contents, or the narrower class where the head is a class."""
        for m in _CONTAINS.finditer(self._text, start, end):
            if re.search(r"(?:本品|该药|中)$", self._text[max(start, m.start() - 2) : m.start()]):
                continue
            group = "what" if m["what"] else "what2"
            head = m["head"] or m["head2"]
            at, until = m.span(group)
            whole = uncoded(EntityType.FOOD if re.search(r"食|饮", head) else EntityType.DRUG_CLASS, m[0].removeprefix("其他").removeprefix("其它"))
            covered = [(t.start, t.end) for t in self._reading.things_in(at, until)]
            named = self._lexicon.lookup(m[0], PARTNER_TYPES)
            if named:
                yield m.span(), [Partner(Target(named[0], m[0]), m.start(), m.end())]
                continue
            partners: list[Partner] = []
            for member in split_list(self._text, at, until, lambda w: bool(self._lexicon.lookup(w, PARTNER_TYPES)), covered):
                partners += self._content(member, head, whole, m.span())
            yield m.span(), partners

    def _content(self, member: Member, head: str, whole: Target, place: tuple[int, int]) -> list[Partner]:
        words = re.sub(r"\([^()]*\)|^有", "", member.words)
        inside = (member.start, member.end)
        things = [t for t in self._reading.things_in(*inside) if t.kind is Kind.PARTNER]
        if any(t.own and t.type != EntityType.DRUG_CLASS for t in things):
            return [Partner(whole, *place)]
        forms = (
            (f"含{words}{head}", f"含{words}的{head}")
            if not _GENERIC.match(head)
            else (f"含{words}药物", f"含{words}制剂", f"{words}剂", f"{words}盐", f"{words}制剂", f"含{words}溶液")
        )
        for name in forms if words in _METALS or not _GENERIC.match(head) else ():
            found = self._lexicon.lookup(name, PARTNER_TYPES)
            if found:
                return [Partner(Target(found[0], words), *inside)]
        if _GENERIC.match(head) and words not in _METALS:
            if things:
                return [Partner(target, t.start, t.end) for t in things for target in t.targets]
            known = self._lexicon.lookup(words, PARTNER_TYPES)
            if known:
                return [Partner(Target(known[0], words), *inside)]
            herbs = "中" in head or "材" in head or self._among_herbs(*place)
            return [Partner(uncoded(EntityType.HERB if herbs else EntityType.INGREDIENT, words), *inside)]
        if words in _METALS and _GENERIC.match(head):
            return [Partner(uncoded(EntityType.DRUG_CLASS, f"含{words}{head}"), *inside)]
        return [Partner(whole, *place)]

    def _where(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where names stand that the vocabulary need not know."""
        for pattern in _ANCHORS:
            for clause in re.finditer(r"(?:[^,()]|\([^()]*\))+", self._text[start:end]):
                for m in pattern.finditer(self._text, start + clause.start(), start + clause.end()):
                    yield m.span("who")
        first = _LISTED_FIRST.match(self._text[start:end])
        if first is not None and any(self._counts(t) for t in self._reading.things_in(start + first.start("who"), start + first.end("who"))):
            yield start + first.start("who"), start + first.end("who")

    def _unknown(self, start: int, end: int, spans: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]]) -> Iterator[Partner]:
        food = _FOOD_TAIL.search(self._text, start, end)
        doses = [m.span() for m in _DOSE.finditer(self._text, start, end)]
        for member in split_list(self._text, start, end, lambda w: bool(self._lexicon.lookup(w, PARTNER_TYPES)), [*spans, *taken, *doses]):
            words = re.sub(r"\([^()]*\)", "", member.words).strip()
            words = re.sub(r"^(?:正在|同时)?(?:使用|服用|应用|接受|本品与|与|同|大剂量|高剂量|其他|其它)+(?=.{2})", "", words)
            words = re.sub(r"(?:等|类)?(?:的)?(?:治疗|时|者)$", "", words) or words
            touched = any(s < member.end and member.start < e for s, e in [*spans, *taken, *doses])
            if touched or _FILLER.match(words) or not 1 <= len(words) <= 16 or not re.search(r"[一-鿿A-Za-z]", words):
                continue
            if re.search(r"患者|治疗|血药|浓度|作用|风险|本品|可能|使用|剂量|期间|功能|天内|日内|必要|须|应|谨慎|管路|容器|输液器|注射器|之后|之前", words):
                continue
            known = self._lexicon.lookup(words, PARTNER_TYPES)
            if known:
                yield Partner(Target(known[0], words), member.start, member.start + len(member.words))
            elif words in ("烟", "烟草"):
                smoking = self._lexicon.lookup("吸烟", PARTNER_TYPES)
                yield Partner(Target(smoking[0], words) if smoking else uncoded(EntityType.LIFESTYLE, "吸烟"), member.start, member.end)
            elif words == "烟酒":
                for name, at in (("吸烟", 0), ("饮酒", 1)):
                    found = self._lexicon.lookup(name, PARTNER_TYPES)
                    yield Partner(Target(found[0], words[at]) if found else uncoded(EntityType.LIFESTYLE, name), member.start + at, member.start + at + 1)
            elif len(words) >= 2 or food is not None:
                kind = EntityType.HERB if self._among_herbs(start, end) else self._kind(words, food=food is not None)
                yield Partner(uncoded(kind, words), member.start, member.end)

    def _among_herbs(self, start: int, end: int) -> bool:
        return any(t.type == EntityType.HERB for t in self._reading.things_in(start, end))

    def _kind(self, words: str, *, food: bool) -> EntityType:
        if food or re.search(r"食物|食品|饮料|果汁|汁$|奶|茶$|之品$", words):
            return EntityType.FOOD
        return EntityType.DRUG_CLASS if re.search(r"(?:类|剂|药物|药品|药|疫苗|抗生素)$", words) else EntityType.INGREDIENT

    def _limits(self, thing: Thing, target: Target) -> Iterator[Restriction]:
        """Dose and route in the words around a partner."""
        before = self._text[max(0, thing.start - 30) : thing.start]
        near = re.split(r"[、,;。]|与(?!一|每)|和|及", before)[-1]
        at = thing.start - len(near)
        behind = re.match(
            r"\((?P<in>[^()]{1,40})\)|,\s*(?P<cell>[^,、;。]{2,24})$|,\s*(?P<c2>(?:一周|每周|一日|每日|单次)[^,、;。]{2,24})",
            self._text[thing.end : self._stop(thing.end)],
        )
        for words, begin in ((near, at), *(((behind[g]), thing.end + behind.start(g)) for g in ("in", "cell", "c2") if behind and behind[g])):
            dose = next((m for m in _DOSE.finditer(words) if m["op"] or m["post"]), None)
            if dose is not None and (words is not near or re.match(r"\s*的?\s*$", words[dose.end() :])):
                yield self._dosed(dose, begin, target)
                break
        large = _LARGE.search(near)
        if large is not None and _DOSE.search(near) is None:
            yield Restriction(Opaque(large[0] + self._text[thing.start : thing.end]), at + large.start(), thing.end)
        route = _ROUTE.search(near)
        if route is not None:
            yield Restriction(Exposure(target.id, route=_ROUTES[route["route"][0]]), at + route.start(), thing.end)

    def _stop(self, at: int) -> int:
        m = re.compile(r"[。;\n\u2029]|\s{5,}").search(self._text, at)
        return m.start() if m is not None else len(self._text)

    def _dosed(self, m: re.Match[str], begin: int, target: Target) -> Restriction:
        """The exposure at that daily or single dose; a weekly dose stays in the words."""
        place = (begin + m.start(), begin + m.end())
        per = (m["per"] or "") + (m["slash"] or "")
        unit = Unit.find(_UNITS.get(m["unit"], m["unit"]))
        if "周" in per or unit is None:
            return Restriction(Opaque(m[0].strip()), *place)
        is_open = m["op"] in ("超过", "大于", "高于", ">")
        basis = "day" if re.search(r"日|天|d", per) else "dose"
        return Restriction(Exposure(target.id, dose=DoseBounds(number(m["n"]), None, unit.code, low_open=is_open, per=basis)), *place)

    def _window(self, start: int, end: int) -> re.Match[str] | None:
        """The time after stopping a partner in which the sentence still holds, None where it is the product that was stopped."""
        m = _STOPPED.search(self._text, start, end)
        if m is None or "本品" in m[0] or _OWN_STOP.search(self._text, start, end):
            return None
        return m


def _since(window: re.Match[str], partner: Partner) -> Restriction:
    """The guard of "使用X期间或停用后14天内": exposed now or until so many days ago."""
    days = (number(window["n"] or window["n2"]) * _DAYS[window["unit"] or window["unit2"]]).quantize(Decimal("0.0001")).normalize()
    guard = AnyOf((Exposure(partner.target.id), Exposure(partner.target.id, state=ExposureState.STOPPED_WITHIN, within_days=days)))
    return Restriction(guard, window.start(), window.end())
