"""Lists in Chinese prose: members with their places, what a shared tail completes, and which members are only examples.

"肾上腺皮质或垂体前叶功能减退" is two failures, "水痘或流感等病毒感染" three infections of which two are examples, and "因A或B诱发哮喘" one thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.chinese.book import book

_SEPARATOR = re.compile(
    r"(?P<example>(?:[,(]|^)?\s*(?:特别是|尤其是|尤其|例如|比如|诸如|(?<=[,(])如(?![果需有])))|(?P<etc>(?<![中平同高初对均劣相])等(?![待渗张于级效位])(?:其他|其它|各种)?)"
    r"|[、,]\s*(?:以及|或者|并且|及|和|或|与)?|以及|或者|及其|(?<![涉波危累普白])及(?![的时其]|$)|(?<![中温饱缓柔总])和(?!胃|解|中)|或(?!许)|(?<![参给])与(?!否)|(?<=[一-鿿)])/(?=[一-鿿(])"
)
_BRACKET = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_ATOMIC = re.compile(
    r"解热、?镇痛(?:[、及和]?抗炎)?|(?:[IVX1-4一二三四]{1,3}|[①-④])\s*[级度期型]?\s*(?:或|、|和|及|至|~|-)\s*[IVX1-4一二三四]{1,3}\s*[级度期型]|(?:曾|既往|曾经)?(?:因|由|在?(?:服用|使用|应用|接受))[^,]{1,50}?(?:诱发|引起|导致|引发|所致|发生|出现)|[,、]?\s*(?:症见|证见|症属|证属)[^;。]*|(?:兼有?|兼见)[^;。]*|(?:需要?|正在|接受)[^,、]*?的"
)
_LEADING_OTHER = re.compile(r"^(?:其他|其它|各种|任何|某些|所有|的)+")
_TAIL = re.compile(
    r"(?:功能(?:不全|障碍|损害|减退|衰竭|异常|亢进|低下)|衰竭|疾病|疾患|病变|溃疡|出血|肿瘤|感染|狭窄|梗阻|穿孔|损伤|损害|缺乏症?|传导阻滞|综合征|过速|过缓|升高|降低|减少|增多|水肿|炎|癌|病)$"
)
_OR = ("或", "和", "及", "与", "以及", "或者")
_WHOLE = re.compile(
    r"(?:病|症|炎|瘤|癌|疾|不全|障碍|衰竭|减退|亢进|不良|不耐受|缺乏|缺陷|出血|溃疡|梗死|梗塞|栓塞|血栓|综合征|过敏|休克|昏迷|夹层|骨折|手术|术|损伤|损害|咳嗽|咳|发热|热病|水肿|肿|狭窄|梗阻|穿孔|增生|肥大|减少|减低|降低|低下|升高|增高|增多|延长|过速|过缓|阻滞|中毒|感染|体质|虚弱|失常|不齐|心悸|疼痛|痛|史|者|人|妇|员|儿|期|岁|周|月|病人|素|物|药|剂|类|酸|钠|钾|林|平|汀|唑|星|酮|醇|碱|胺|肽|酶|苷|油|粉|蛋白)$"
)
_SIGN = re.compile(r"(?:溃疡|出血|穿孔|梗阻|狭窄|坏死|血栓|水肿|糜烂|感染)$")
_GRADE = re.compile(r"(?:[IVX1-4一二三四]+[度级型期]|急性|慢性|轻度|中度|重度|先天性|获得性|原发性|继发性|陈旧性|活动性|复发性)")
_GRADE_ONLY = re.compile(rf"(?:^|[^一-鿿]){_GRADE.pattern}$|^{_GRADE.pattern}$")
_INCOMPLETE = re.compile(
    r"^(?:.{0,6}?)(?:心|肝|肾|肺|脑|胃|脾|胆道?|肠道?|胰|骨|眼|皮肤|黏膜|粘膜|血管|消化道|尿道|泌尿道|呼吸道|(?:[I1-4一二三四]|II|III|IV)[度级型期]|急性?|慢性?|轻度|中度|重度|先天性?|原发性?|继发性?|男性?|女性?|陈旧性?|活动性|遗传性|获得性|药物性|酒精性|高|低)$"
)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a list: what it says in full, and the place it stands on. `shared` when words of another member complete it."""

    start: int
    end: int
    words: str
    example: bool = False
    shared: bool = False


def split_list(text: str, start: int, end: int, known: Callable[[str], bool], covered: Sequence[tuple[int, int]] = (), *, whole: bool = False) -> list[Member]:
    """The members of the list at `[start, end)`. No cut falls inside `covered` places, brackets, or a phrase that is one thing.

    With `whole`, an "or" between words that only their common head makes a name ("风热或痰热咳嗽") does not part them.
    """
    out = _completed(list(_cut(text, start, end, covered)), known)
    for i in range(len(out) - 1, 0, -1) if whole else ():
        first, second = out[i - 1], out[i]
        between = text[first.end : second.start].strip()
        if between in _OR and not first.shared and not known(first.words) and not known(second.words) and not _WHOLE.search(first.words):
            out[i - 1 : i + 1] = [replace(first, words=text[first.start : second.end], end=second.end)]
    return out


def _cut(text: str, start: int, end: int, covered: Sequence[tuple[int, int]]) -> Iterator[Member]:
    piece = text[start:end]
    shut = [(s - start, e - start) for s, e in covered] + [m.span() for m in _BRACKET.finditer(piece)]
    shut += [m.span() for m in _ATOMIC.finditer(piece)]
    at, example = 0, False
    pending: list[Member] = []
    for m in [*_SEPARATOR.finditer(piece), None]:
        if m is not None and (any(s < m.end() and m.start() < e for s, e in shut)):
            continue
        member = _member(piece, at, m.start() if m else len(piece), start, example=example)
        if member is not None:
            pending.append(member)
        if m is None:
            break
        if m["example"]:
            yield from pending
            pending, example = [], True
        elif m["etc"]:
            rest = piece[m.end() :].strip(" ,、")
            last = bool(rest) and not re.match(r"[,、和或及与]", rest)
            yield from (replace(p, example=last or p.example) for p in pending)
            pending = []
        at = m.end()
    yield from pending


def _member(piece: str, at: int, until: int, offset: int, *, example: bool) -> Member | None:
    words = piece[at:until]
    at += len(words) - len(words.lstrip(" ,、:"))
    words = words.strip(" ,、:")
    lead = _LEADING_OTHER.match(words)
    if lead is not None and lead.end() < len(words):
        at, words = at + lead.end(), words[lead.end() :]
    return Member(offset + at, offset + at + len(words), words, example) if words else None


def _completed(members: list[Member], known: Callable[[str], bool]) -> list[Member]:
    """The members with a tail that the next one carries for both, and a degree that the first one carries for both."""
    out = list(members)
    for i in range(len(out) - 2, -1, -1):
        first, second = out[i], out[i + 1]
        if known(first.words) or first.example != second.example:
            continue
        tail = _shared_tail(first.words, second.words, known)
        if tail:
            out[i] = replace(first, words=first.words + tail, end=second.end, shared=True)
    for i in range(1, len(out)):
        out[i] = _with_site(out[i - 1], out[i])
        before, here = out[i - 1], out[i]
        degree = next((d for d in book().degrees if before.words.startswith(d)), None)
        if before.shared and degree is not None and not any(here.words.startswith(d) for d in book().degrees):
            out[i] = replace(here, words=degree + here.words, start=before.start)
    return out


def _with_site(first: Member, second: Member) -> Member:
    """The second member with the words that the first one sets before both, where each ends in a sign that says nothing alone
    ("活动性消化道溃疡或出血" is also a bleeding of the digestive tract).
    """
    tail = _SIGN.search(first.words)
    if tail is None or tail.start() < 2 or _SIGN.fullmatch(second.words) is None or second.words == tail[0]:
        return second
    return replace(second, words=first.words[: tail.start()] + second.words, start=first.start, shared=True)


def _shared_tail(first: str, second: str, known: Callable[[str], bool]) -> str:
    for at in range(1, len(second) - 1):
        if known(first + second[at:]):
            return second[at:]
    grade = _GRADE.match(second)
    if grade is not None and grade.end() < len(second) and _GRADE_ONLY.search(first):
        return second[grade.end() :]
    tail = _TAIL.search(second)
    return tail[0] if tail is not None and tail.start() > 0 and _INCOMPLETE.match(first) else ""
