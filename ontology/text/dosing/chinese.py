"""Doses in Chinese: the quantities, timing, ceilings, phases and fractions of 用法用量 sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from ontology.model.dosing import AmountBasis, FractionOf, Frequency, PerWhat, PhaseKind
from ontology.text.dosing.fractions import Fraction
from ontology.text.dosing.numbers import DIGITS, HAN, number_of
from ontology.text.dosing.pieces import Kind, Piece
from ontology.text.dosing.quantities import Quantified, Role, converted
from ontology.text.dosing.words import HAN_PHASES, HAN_ROUTES, HAN_UNITS, alternatives

_HAN = re.compile(r"[一-鿿]")
_TO = r"\s*(?:~|-|至|到)\s*"
_UNIT = alternatives(HAN_UNITS, loose=False)
_QUANTITY = re.compile(
    rf"(?<![\d.,/])(?P<low>{HAN})\s*(?:(?P<unit1>{_UNIT})\s*)?(?:(?P<to>{_TO})(?P<to_high>{HAN})|(?:或|、)\s*(?P<or_high>{HAN}))?\s*(?P<scale>万|亿)?\s*(?P<unit>{_UNIT})(?![A-Za-z])(?P<over>(?:\s*/\s*(?:kg|公斤|千克|m2|平方米|日|天|d|次|小时|h|分钟|分|min|周|mL|ml|L|l|dL|支|片|粒|瓶|袋)(?:体重|体表面积)?)*)",
    re.IGNORECASE,
)
_PER_KG_BEFORE = re.compile(r"每\s*(?:公斤|千克|1?\s*kg)(?:体重)?(?:给予|给药|用|服用|为|:)?\s*$", re.IGNORECASE)
_PER_M2_BEFORE = re.compile(r"每\s*(?:平方米|m2)(?:体表面积)?(?:给予|给药|为|:)?\s*$", re.IGNORECASE)
_DAY_BEFORE = re.compile(
    r"(?:一日|每日|每天|1日|日|24小时)(?:内)?(?:的)?(?:总)?(?:剂量|用量|量)?(?:为|是|:|约|口服|服用|服|最大|最高|极量|应?不(?:得|应|宜|可)?超过|给予|用|按体重|按体表面积|[:,]|\s){0,4}(?:每\s*(?:公斤|千克|1?kg)(?:体重)?)?\s*$"
)
_DAY_BEHIND = re.compile(r"\s*(?:一日|每日|每天)(?!\s*(?:[0-9一二两三四五六七八九十]|分|早|晚|总|剂|用|量|最|不))")
_WEEK_BEFORE = re.compile(r"(?:每周|一周|1周)(?:总量|剂量|用量)?(?:为|:|约|不(?:得|应|宜)?超过)?\s*$")
_OVER = {
    "kg": "kg", "公斤": "kg", "千克": "kg", "m2": "m2", "平方米": "m2", "日": "day", "天": "day", "d": "day", "次": "dose", "小时": "hour", "h": "hour", "分钟": "minute", "分": "minute", "min": "minute", "周": "week",
    "ml": "volume", "l": "volume", "dl": "volume", "支": "item", "片": "item", "粒": "item", "瓶": "item", "袋": "item",
}  # fmt: skip
_TIMES = re.compile(
    rf"(?P<period>一日|每日|每天|1日|日|一周|每周|1周|每月)\s*(?:口服|服用|服|给药|用药|涂|注射|滴)?\s*(?P<low>{HAN})(?:(?:{_TO}|或)(?P<high>{HAN}))?\s*次(?:或(?:一日|每日|每天|1日)?\s*(?P<more>{HAN})\s*次)?"
)
_EVERY = re.compile(
    rf"(?P<apart>每隔|每|间隔)\s*(?P<low>{HAN})?(?:(?:{_TO})(?P<high>{HAN}))?\s*(?P<unit>小时|日|天|周|个?月)(?:重复)?(?:给药|服用|口服|服|用药|使用|注射)?\s*(?:一次|1次|1\s*次)"
)
_EVERY_HOURS = re.compile(rf"每(?:隔)?\s*(?P<low>{HAN})(?:(?:{_TO})(?P<high>{HAN}))?\s*小时")
_WORDS = (
    (re.compile(r"隔日(?:一次|1次)?|隔天(?:一次|1次)?"), Frequency(Decimal(1), Decimal(1), Decimal(2))),
    (re.compile(r"(?:每日|每天)?早[、,]?晚(?:各)?(?:(?:服)?(?:一次|1次))?"), Frequency(Decimal(2), Decimal(2))),
    (re.compile(r"(?:每晚|临睡前?|睡前)(?:一次|1次|服用|顿服|服)?"), Frequency(Decimal(1), Decimal(1), event="at bedtime")),
    (re.compile(r"(?:每日|每天)?清晨|每早|晨起"), Frequency(Decimal(1), Decimal(1), event="in the morning")),
    (re.compile(r"单次(?:给药|服用|口服|静脉|肌内|使用)?|一次性"), Frequency(Decimal(1), Decimal(1), event="single dose")),
    (re.compile(r"顿服"), Frequency(Decimal(1), Decimal(1))),
    (re.compile(r"必要时|按需|需要时"), Frequency(as_needed=True)),
    (re.compile(r"透析后"), Frequency(event="after dialysis")),
)
_DIVIDED = re.compile(rf"(?:等)?分(?:为|成|作)?\s*(?P<low>{HAN})(?:(?:{_TO}|或)(?P<high>{HAN}))?\s*次(?:或(?:分)?\s*(?P<more>{HAN})\s*次)?")
_DURATION = re.compile(
    rf"(?:疗程|连用|连续(?:服用|用药|使用|应用|给药)?|连服|共用?|用药|持续|服用)(?:一般|通常|时间|至少)*(?:为|:)?\s*(?P<limit>不(?:得|应|宜|可)?超过|最多|至多)?\s*(?P<low>{HAN})(?:{_TO}(?P<high>{HAN}))?\s*(?P<unit>日|天|周|个?月|年)(?!次)"
)
_CEILING = re.compile(
    r"(?:(?:一日|每日|每天|日|单次|每次|一次)?(?:的)?(?:最大|最高)(?:推荐|允许|单次|一次|每次|每日|一日|日)*(?:给药)?(?:剂量|用量|量)|极量|不(?:得|应|宜|能|可|要)?超过|不(?:得|应|宜)?(?:多于|大于|高于)|最多|上限)(?:一般)?(?:均)?(?:为|是|:)?(?:不(?:得|应|宜|可)?超过)?"
)
_PHASE = re.compile(alternatives(HAN_PHASES, loose=False))
_ROUTE = re.compile(alternatives(HAN_ROUTES, loose=False))
_FRACTION = re.compile(
    rf"(?P<half>(?:剂量|用量|量)?(?:应|需|可|宜|须|均)?(?:减半|减少一半|减至一半|减为一半|半量))|(?P<double>(?P<first>首剂|首次剂量|首次)?(?:剂量)?(?:可|应|需)?加倍)|减(?:少|量|低)(?:至)?\s*(?P<cut>{DIGITS})\s*%|(?P<whole>常用量|常用剂量|正常(?:剂)?量|成人(?:剂)?量|推荐剂量|原剂量|正常用量|成人用量)的?\s*(?:(?P<num>\d)/(?P<den>\d)|(?P<share>{DIGITS})\s*%|(?P<halfof>一半|半量)|(?P<hden>[二三四])分之(?P<hnum>[一二三]))"
)
_BESIDE = re.compile(
    r"(?:每[片粒袋支瓶丸](?:中)?(?:含|约含|相当于)|内含|主要成[分份])[^,。;:]{0,20}$|(?:含|规格|相当于|等于|约合|每[片粒袋支瓶丸]|加入|溶于|溶解于|稀释于|稀释至|稀释到|加至)(?:为|有|本品|:)?\s*$"
)
_DILUENT_BEHIND = re.compile(r"\s*(?:的)?(?:\d|灭菌|注射用水|氯化钠|葡萄糖|生理盐水|温水|温开水|水中|液体|溶液中|灭菌注射)")
_DAYS = {"日": Decimal(1), "天": Decimal(1), "周": Decimal(7), "月": Decimal(30), "个": Decimal(30), "年": Decimal(365)}
_DIGIT_COUNTED = frozenset({"mg", "ug", "g", "[USP'U]", "mmol", "meq", "mL"})


def has_han(text: str, start: int, end: int) -> bool:
    """True when Chinese characters stand in `[start, end)`."""
    return _HAN.search(text, start, end) is not None


def find_han_quantities(text: str, start: int, end: int) -> list[Quantified]:
    """The quantities of Chinese text in order."""
    out: list[Quantified] = []
    for m in _QUANTITY.finditer(text, start, end):
        quantity = _quantified(text, m, start)
        if quantity is not None:
            out.append(quantity)
    return out


def _quantified(text: str, m: re.Match[str], start: int) -> Quantified | None:
    unit, low = HAN_UNITS[m["unit"].lower()], number_of(m["low"])
    printed_high = m["to_high"] or m["or_high"]
    high = number_of(printed_high) if printed_high else low
    numerals = not m["low"][0].isdigit() or (printed_high is not None and not printed_high[0].isdigit())
    if low is None or high is None or (numerals and unit in _DIGIT_COUNTED) or text[max(0, m.start() - 1) : m.start()] == "第":
        return None
    if m["unit1"]:
        bottom = converted(low, HAN_UNITS[m["unit1"].lower()], unit)
        if bottom is None or printed_high is None:
            return None
        low = bottom
    scale = {"万": Decimal(10000), "亿": Decimal(100000000)}.get(m["scale"] or "", Decimal(1))
    if low > high:
        return None
    choices = (low * scale, high * scale) if m["or_high"] and low < high else ()
    over = tuple(
        _OVER[w.lower()]
        for w in re.findall(
            r"kg|公斤|千克|m2|平方米|分钟|小时|min|mL|dL|[日天次分周支片粒瓶袋dhlL]",
            (m["over"] or "").replace("体重", "").replace("体表面积", ""),
            re.IGNORECASE,
        )
    )
    whole = Quantified(m.start(), m.end(), low * scale, high * scale, unit, choices=choices, over=over)
    before = text[max(start, m.start() - 34) : m.start()]
    if "kg" in over or _PER_KG_BEFORE.search(before):
        whole = replace(whole, basis=AmountBasis.PER_KG)
    elif "m2" in over or _PER_M2_BEFORE.search(before):
        whole = replace(whole, basis=AmountBasis.PER_M2)
    per = PerWhat.DAY if "day" in over else PerWhat.WEEK if "week" in over else PerWhat.DOSE if "dose" in over else None
    if per is None and not over:
        per = PerWhat.DAY if _DAY_BEFORE.search(before) or _DAY_BEHIND.match(text, m.end()) else PerWhat.WEEK if _WEEK_BEFORE.search(before) else None
    elif per is None and over in (("kg",), ("m2",)) and (_DAY_BEFORE.search(before) or _DAY_BEHIND.match(text, m.end())):
        per = PerWhat.DAY
    role = Role.RATE if {"hour", "minute"} & set(over) else Role.CONCENTRATION if "volume" in over else Role.STRENGTH if "item" in over else Role.DOSE
    return replace(whole, per=per, role=role)


def find_han_timing(text: str, start: int, end: int) -> Iterator[Piece]:
    """The pieces of Chinese text that say how often and how long; they may overlap."""
    for m in _TIMES.finditer(text, start, end):
        low, high = number_of(m["low"]), number_of(m["high"] or m["more"] or m["low"])
        if low is not None and high is not None and low <= high:
            period = Decimal(7) if "周" in m["period"] else Decimal(30) if "月" in m["period"] else Decimal(1)
            yield Piece(m.start(), m.end(), Kind.FREQUENCY, Frequency(low, high, period))
    for pattern in (_EVERY, _EVERY_HOURS):
        for m in pattern.finditer(text, start, end):
            frequency = _every(m)
            if frequency is not None:
                yield Piece(m.start(), m.end(), Kind.FREQUENCY, frequency)
    for words, frequency in _WORDS:
        yield from (Piece(m.start(), m.end(), Kind.FREQUENCY, frequency) for m in words.finditer(text, start, end))
    for m in _DIVIDED.finditer(text, start, end):
        low, high = number_of(m["low"]), number_of(m["high"] or m["more"] or m["low"])
        if low is not None and high is not None and low <= high:
            yield Piece(m.start(), m.end(), Kind.DIVIDED, Frequency(low, high))
    for m in _DURATION.finditer(text, start, end):
        low, high = number_of(m["low"]), number_of(m["high"] or m["low"])
        if low is not None and high is not None and low <= high:
            days = _DAYS[m["unit"][0]]
            yield Piece(m.start(), m.end(), Kind.DURATION, days_low=None if m["limit"] else low * days, days_high=high * days)


def _every(m: re.Match[str]) -> Frequency | None:
    low = number_of(m["low"]) if m["low"] else Decimal(1)
    high = number_of(m["high"]) if m["high"] else low
    if not low or not high or low > high:
        return None
    unit = m.groupdict().get("unit") or "小时"
    if unit == "小时":
        return Frequency(every_hours_low=low, every_hours_high=high)
    return Frequency(Decimal(1), Decimal(1), low * _DAYS[unit[0]])


def find_han_ceilings(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The places of Chinese ceiling words, in order."""
    return [m.span() for m in _CEILING.finditer(text, start, end)]


def find_han_fractions(text: str, start: int, end: int) -> list[Fraction]:
    """The fractions of doses of Chinese text, in order."""
    out: list[Fraction] = []
    for m in _FRACTION.finditer(text, start, end):
        value, of = _share(m)
        if value is not None and value > 0:
            out.append(Fraction(m.start(), m.end(), value, value, of))
    return out


def _share(m: re.Match[str]) -> tuple[Decimal | None, FractionOf]:
    if m["half"]:
        return Decimal("0.5"), FractionOf.CURRENT
    if m["double"]:
        return Decimal(2), FractionOf.USUAL
    if m["cut"]:
        cut = number_of(m["cut"])
        return (1 - cut / 100 if cut is not None else None), FractionOf.CURRENT
    of = FractionOf.CURRENT if m["whole"] == "原剂量" else FractionOf.USUAL
    if m["num"]:
        return ((Decimal(m["num"]) / Decimal(m["den"])).quantize(Decimal("0.0001")).normalize() if m["den"] != "0" else None), of
    if m["share"]:
        share = number_of(m["share"])
        return (share / 100 if share is not None else None), of
    if m["halfof"]:
        return Decimal("0.5"), of
    above, below = number_of(m["hnum"]), number_of(m["hden"])
    return ((above / below).quantize(Decimal("0.0001")).normalize() if above and below else None), of


def han_phase(text: str, start: int, at: int) -> PhaseKind | None:
    """The phase that the Chinese words right before an amount name."""
    begin = max(start, at - 18, *(text.rfind(mark, start, at) + 1 for mark in ",;"))
    found = list(_PHASE.finditer(text, begin, at))
    return PhaseKind(HAN_PHASES[found[-1][0]]) if found else None


def han_route(text: str, start: int, at: int, end: int) -> str | None:
    """The route that Chinese words before or right behind an amount name; the nearest before wins."""
    behind = _ROUTE.search(text, at, min(end, at + 24))
    found = list(_ROUTE.finditer(text, max(start, at - 60), at))
    word = found[-1][0] if found else behind[0] if behind is not None else None
    return HAN_ROUTES[word] if word is not None else None


def is_han_beside(text: str, start: int, at: int, behind: int, end: int) -> bool:
    """True for what a product contains or something is dissolved in."""
    return _BESIDE.search(text, max(start, at - 30), at) is not None or _DILUENT_BEHIND.match(text, behind, end) is not None
