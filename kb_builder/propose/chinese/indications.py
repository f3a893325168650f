"""Indications of a Chinese insert (【适应症】, 【功能主治】): what "用于" names, and the items of the lists that it opens.

"用于A、B等C感染" names three uses, "D所致的E、F" two under D, "预防G" a prevention; what is said of whom or with what stays as a restriction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.chinese.bounds import find_chinese_bounds
from kb_builder.propose.chinese.lists import split_list
from kb_builder.propose.chinese.names import StateNames
from kb_builder.propose.chinese.people import ADULTS, HEADS, guard_of
from kb_builder.propose.chinese.sentences import Sentence, sentences
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, USE_TYPES, Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque
from ontology.model.spans import SpanRole

_CUE = re.compile(r"(?:主要|亦|也|还|可|适|常|联合)*(?:用于|适用于|适应于|适合于|用作|主治)(?:治疗|缓解|改善|控制)?")
_DENIED = re.compile(r"(?:不|勿|禁|并非|不宜|不应|不能|不可|不推荐|不建议)(?:适)?(?:用于|适用于)|(?:尚未|未)(?:确立|确定|证实)")
_TOLD = re.compile(r"应(?:当|该|考虑|根据|进行|参考)|可能|研究|试验|耐药|培养|药敏|参见|详见|请仔细|见【|不良反应|数据|说明书")
_PURPOSE = re.compile(
    r"^(?:作为[^,、]{0,12}?(?:的)?(?:辅助|替代)?治疗|(?:短期|长期|对症|辅助|联合|维持|一线|二线|姑息|局部|全身)?(?:治疗|缓解|改善|控制|减轻|消除|根除|解除|抑制|纠正|诊断|补充|降低|减少)(?:由于|由)?)"
)
_PREVENT = re.compile(r"^(?:预防|防止|防治)(?:性治疗)?|(?:的)?(?:一级|二级)?预防$")
_RISK = re.compile(r"^(?:降低|减少)(?P<event>.+?)(?:疑似)?(?:患者)?(?:的)?(?:发生|发病|死亡)?(?:的)?(?:风险|危险(?:性)?|发生率|发生)$")
_CAUSED = re.compile(r"^(?:由|因|对)?(?P<cause>[^,;:]{1,60}?)(?:所致|所引起|引起|导致|所导致|造成|所造成|诱发)的?(?:各种|下列|以下)?(?=[一-鿿A-Za-z])")
_WITH = re.compile(
    r"^(?:与|联合|和)[^,;]{1,40}?(?:合用|联用|联合(?:使用|用药)?|并用)\s*,?|^(?:单独|单用)(?:或(?:与|联合)[^,;]{1,30}?(?:合用|联用|使用))?\s*,?|^在[^,;]{1,30}?(?:基础上|的情况下|时)\s*,?"
)
_WHOM = re.compile(
    r"^(?:对)?(?P<who>(?:\d[^,、的]{0,14}?(?:的)?)?(?:成年|成人|儿童|小儿|婴幼儿|新生儿|青少年|老年|女性|男性|绝经后)[^,、;]{0,10}?(?:患者|病人|妇女|人)?)的(?=[一-鿿])|^(?P<plain>成人|儿童|小儿|老年人?|青少年)(?=[一-鿿]{3})"
)
_PLAIN = re.compile(r"(?:成年?人|儿童|小儿|老年人?|青少年)(?=[一-鿿]{2})")
_THERAPY = re.compile(r"(?:的)?(?:添加|辅助|联合|单药|替代|维持|一线|二线|姑息|巩固|长期|短期|对症)+(?:治疗|用药)(?=$|[,、;])")
"""How it is treated, behind what is treated ("部分性癫痫发作的添加治疗")."""
_LIMIT = re.compile(
    r"\s*,?\s*(?:症见|证见|症属|证属|见|属(?=[一-鿿]{2,12}(?:证|者))|限于|仅(?:限)?(?:用)?于|尤其适用|特别适用|包括(?=在)|以[^,;]{1,20}为(?:特征|主))[^;。]*"
)
_END = re.compile(r"(?:的)?(?:患者|病人|者|妇女|人群)$")
_NOT_NAMES = re.compile(r"(?:下列|以下|上述|如下)(?:[一-鿿]{0,6})$|^(?:感染|疾病|症状|病症|治疗|患者|成人|儿童|其他|各种)$")
_LONGEST = 40


class ChineseIndications:
    """Reads one section."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        """`reading` is the section, `lexicon` holds the names."""
        self._reading = reading
        self._text = reading.blank
        self._lexicon = lexicon
        self._names = StateNames(lexicon)
        self._bare = _CUE.search(self._text) is None

    def drafts(self) -> Iterator[Draft]:
        """Every use that the section states or denies, in order of print."""
        for sentence in sentences(self._reading):
            text = self._text[sentence.start : sentence.end]
            denied = _DENIED.search(text)
            cue = next((m for m in _CUE.finditer(text) if not re.search(r"(?:尤其|特别|尤|更)$", text[: m.start()])), None)
            if denied is not None:
                yield from self._uses(sentence, sentence.start + denied.end(), Polarity.NEGATIVE) if "用于" in denied[0] else ()
            elif cue is not None and _TOLD.search(text[: cue.start()]) is None:
                yield from self._uses(sentence, sentence.start + cue.end(), Polarity.POSITIVE)
            elif (sentence.lead is not None or sentence.numbered or self._bare) and _TOLD.search(text) is None:
                yield from self._uses(sentence, sentence.start, Polarity.POSITIVE)

    def _uses(self, sentence: Sentence, start: int, polarity: Polarity) -> Iterator[Draft]:
        """The uses of a phrase that ends with the sentence."""
        end = sentence.end
        limits: list[Restriction] = []
        lead = sentence.lead
        if lead is not None and (cause := _CAUSED.match(self._text[lead[0] + _lead_cue(self._text[slice(*lead)]) : lead[1]])) is not None:
            at = lead[0] + _lead_cue(self._text[slice(*lead)])
            limits.append(self._caused(cause, at))
        limit = _LIMIT.search(self._text, start, end)
        if limit is not None and limit.start() > start:
            limits.append(_opaque(self._text, limit.start(), limit.end()))
            end = limit.start()
        start, prevention = self._opening(start, end, limits)
        limits += [Restriction(b.interval, start + b.start, start + b.end) for b in find_chinese_bounds(self._text[start:end])]
        risk = _RISK.match(self._text[start:end])
        if risk is not None:
            start, end = start + risk.start("event"), start + risk.end("event")
        for member in split_list(self._text, start, end, self._names.known, whole=True):
            said = f"降低{member.words.removeprefix('其')}的风险" if risk is not None else member.words
            yield from self._use(sentence, (member.start, member.end), said, tuple(limits), prevention=prevention, polarity=polarity)

    def _opening(self, start: int, end: int, limits: list[Restriction]) -> tuple[int, bool]:
        """Where the names begin behind partner, people, purpose and cause, which become restrictions; and whether it is a prevention."""
        prevention = False
        while start < end:
            text = self._text[start:end]
            space = len(text) - len(text.lstrip(" ,、:的"))
            if space:
                start += space
                continue
            if (m := _WITH.match(text)) is not None:
                limits.append(_opaque(self._text, start, start + m.end()))
            elif (m := _whom(text)) is not None:
                who = text[: m.end()].rstrip("的")
                bounds = find_chinese_bounds(who)
                limits += [Restriction(b.interval, start + b.start, start + b.end) for b in bounds] or [self._people(who, start)]
            elif (m := _PREVENT.match(text)) is not None and m.end() < len(text):
                prevention = "治" not in m[0]
            elif (m := _PURPOSE.match(text)) is not None and m.end() < len(text) and _RISK.match(text) is None:
                pass
            elif (m := _CAUSED.match(text)) is not None:
                limits.append(self._caused(m, start))
            else:
                break
            start += m.end()
        return start, prevention

    def _people(self, who: str, at: int) -> Restriction:
        """The people as their bound where words alone name them, else in words."""
        guard = ADULTS if who in ("成人", "成年人") else guard_of(who) if re.fullmatch(HEADS, who) else None
        return Restriction(guard, at, at + len(who)) if guard is not None else _opaque(self._text, at, at + len(who))

    def _caused(self, found: re.Match[str], at: int) -> Restriction:
        """That the cause is the patient's state, where it is a known one, else its words."""
        words = found["cause"]
        target = self._names.find(words)
        place = (at + found.start("cause"), at + found.end())
        guard = (
            self._names.guard_of_state(Target(target, words))
            if target is not None and target.type == EntityType.CONDITION
            else Opaque(re.sub(r"的?(?:各种|下列|以下)?$", "", found[0]))
        )
        return Restriction(guard, *place)

    def _use(
        self, sentence: Sentence, place: tuple[int, int], words: str, limits: tuple[Restriction, ...], *, prevention: bool, polarity: Polarity
    ) -> Iterator[Draft]:
        words = _END.sub("", words.strip(" ,、:;."))
        risk = _RISK.match(words)
        words_of = _THERAPY.sub("", words) or words
        core = risk["event"] if risk is not None else _PURPOSE.sub("", _PREVENT.sub("", words_of, count=1), count=1).strip("的 ") or words
        prevented = prevention or _PREVENT.search(words) is not None
        named = self._lexicon.lookup(core, USE_TYPES)
        if len(core) < 2 or len(core) > _LONGEST or _NOT_NAMES.search(core) or (self._lexicon.lookup(core, PARTNER_TYPES) and not named):
            return
        entity, _, degree = self._names.named(core)
        if entity is not None and entity.type in USE_TYPES:
            target = Target(entity, f"预防{core}" if prevented else words)
            more = (Restriction(degree, *place),) if degree is not None else ()
        else:
            target, more = uncoded(EntityType.CONDITION, f"预防{core}" if prevented else words), ()
        yield Draft(
            self._reading,
            "indicated_for",
            target,
            place,
            (sentence.start, sentence.end),
            (Step(Action.NOT_RECOMMENDED),) if polarity is Polarity.NEGATIVE else (),
            limits=(*limits, *more),
            polarity=polarity,
            cited=((sentence.lead, SpanRole.CONDITION),) if sentence.lead is not None else (),
        )


def _whom(text: str) -> re.Match[str] | None:
    """The people that open a phrase; of "成人X的添加治疗" only the people, since 的 leads the way of treatment there."""
    m = _WHOM.match(text)
    return m if m is None or not _THERAPY.match(text, m.end()) else _PLAIN.match(text)


def _lead_cue(words: str) -> int:
    """Where a lead goes on behind its cue ("用于敏感菌引起的下列感染")."""
    cue = _CUE.search(words)
    return cue.end() if cue is not None else 0


def _opaque(text: str, start: int, end: int) -> Restriction:
    return Restriction(Opaque(" ".join(text[start:end].split()).strip(" ,、;:")), start, end)
