"""Numbers in Chinese inserts that bound a patient's value or a partner's dose, as printed.

"18岁以下" and "不足18岁" are below 18, "6个月以内" and "18岁及以下" at most, "65岁以上" at least.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kb_builder.propose.chinese.book import book
from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.model.quantities import Unit
from ontology.text.bounds import Bound, find_bounds

_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_N = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九半])"
_UNIT = r"(?:周岁|岁半?|个月|月龄|周龄|日龄|周|星期|天|日)"
_LT = r"(?:不足|未满|不满|小于|低于|少于|<)"
_LE = r"(?:≤|<=|不超过|不大于|小于或?等于|小于及等于|至多)"
_GT = r"(?:大于|高于|超过|>)"
_GE = r"(?:≥|>=|不低于|不小于|大于或?等于|至少|年满|满|达到?)"
_OP = rf"(?P<op>{_LE}|{_GE}|{_LT}|{_GT})"
_AFTER = r"(?P<after>(?:及|或|和|及其)以下|(?:及|或|和|及其)以上|(?:及|或)(?:更小|更大)|以内|之内|内|以下|以上|以前|以后)"
_UNITS = {"周岁": "a", "岁": "a", "个月": "mo", "月龄": "mo", "周龄": "wk", "日龄": "d", "周": "wk", "星期": "wk", "天": "d", "日": "d"}
_AGE = re.compile(rf"(?:年龄|出生(?:后)?|生后)?(?:为|在)?{_OP}?\s*(?P<n>{_N})\s*(?P<unit>{_UNIT})(?:龄)?{_AFTER}?")
_AGE_RANGE = re.compile(rf"(?P<low>{_N})\s*(?P<lowunit>{_UNIT})?\s*(?:~|-|至|到)\s*(?P<n>{_N})\s*(?P<unit>{_UNIT})")
_OF_AGE = re.compile(r"岁|月龄|周龄|日龄|年龄|出生|生后")
_YOUNG = re.compile(r"\s*(?:的)?[^,。;、]{0,6}?(?:新生儿|婴|幼儿|儿童|小儿|患儿|早产儿|少年)")
_GESTATION = re.compile(r"(?:胎龄|孕龄|孕周|妊娠|怀孕|近|过去|连续|疗程|停用|停药|治疗|用药)[^,。;、]{0,6}$")
_FLOW = r"(?P<unit>m[lL]\s*/\s*(?:min|分钟?)(?:\s*/\s*1\.73\s*(?:m2|m\^2|平方米))?)"
_CLEARANCE = re.compile(
    rf"(?P<name>(?:内生)?肌酐清除率|(?:估算的?)?肾小球滤过率|CrCl|CLcr|Ccr|e?GFR)(?:\s*\([^()]{{1,12}}\))?\s*(?:为|在)?\s*(?:{_OP}\s*(?P<n>\d+(?:\.\d+)?)|(?P<low_open>>)?(?P<low>\d+(?:\.\d+)?)\s*(?:~|-|至|到)\s*(?P<high_open><)?\s*(?P<high>\d+(?:\.\d+)?)|(?P<bare>\d+(?:\.\d+)?))\s*{_FLOW}(?P<after>(?:及|或)?以[上下])?",
    re.IGNORECASE,
)
_WEIGHT = re.compile(rf"体重(?:为|在)?\s*(?:{_OP}\s*)?(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>kg|公斤|千克)(?P<after>(?:及|或)?以[上下])?", re.IGNORECASE)
_WEIGHT_RANGE = re.compile(
    r"体重(?:为|在)?\s*(?P<low>\d+(?:\.\d+)?)\s*(?:kg|公斤|千克)?\s*(?:~|-|至|到)\s*(?P<open><)?\s*(?P<high>\d+(?:\.\d+)?)\s*(?:kg|公斤|千克)", re.IGNORECASE
)
_LAB = re.compile(
    rf"(?P<name>{'|'.join(map(re.escape, book().labs))})(?:水平|浓度|值)?(?:\([^()]{{1,12}}\))?\s*(?:为|在)?\s*{_OP}\s*(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>mmol/L|umol/L|μmol/L|mg/dL|g/dL|g/L|%|(?:[x×*]\s?)?10\s?\^?\s?9\s?/\s?L)",
    re.IGNORECASE,
)


def number(text: str) -> Decimal:
    """The number that digits or Chinese numerals up to 99 say."""
    if text[0].isdigit():
        return Decimal(text)
    if text == "半":
        return Decimal("0.5")
    tens, ten, ones = text.partition("十")
    if not ten:
        return Decimal(_DIGITS[text])
    return Decimal((_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0))


def find_chinese_bounds(text: str) -> list[Bound]:
    """The bounds on age, renal function, weight and laboratory values in folded Chinese text, left to right, none overlapping."""
    own = [*_clearances(text), *_weights(text), *_labs(text), *_ages(text)]
    other = [b for b in find_bounds(text) if b.interval.axis is not Axis.AGE]
    out: list[Bound] = []
    for bound in sorted([*own, *other], key=lambda b: (b.start, -b.end)):
        if not out or bound.start >= out[-1].end:
            out.append(bound)
    return out


def _ages(text: str) -> Iterator[Bound]:
    for m in _AGE_RANGE.finditer(text):
        if _is_age(text, m):
            low, high = number(m["low"]), number(m["n"])
            unit, lower = _UNITS[m["unit"].removesuffix("半")], _UNITS[(m["lowunit"] or m["unit"]).removesuffix("半")]
            if unit == lower and low < high:
                yield Bound(m.start(), m.end(), Interval(Axis.AGE, low, high, unit))
    for m in _AGE.finditer(text):
        sides = _sides(m["op"], m["after"])
        if sides is not None and _is_age(text, m) and not m["unit"].endswith("半"):
            yield _bound(m, Axis.AGE, _UNITS[m["unit"]], number(m["n"]), sides)


def _is_age(text: str, m: re.Match[str]) -> bool:
    """True when the span of time is an age: it says so, or the young stand right behind it."""
    if _GESTATION.search(text, 0, m.start()) is not None:
        return False
    return _OF_AGE.search(m[0]) is not None or _YOUNG.match(text, m.end()) is not None


def _clearances(text: str) -> Iterator[Bound]:
    for m in _CLEARANCE.finditer(text):
        indexed = "1.73" in m["unit"]
        filtration = "滤过" in m["name"] or "gfr" in m["name"].lower()
        axis = Axis.EGFR if filtration else Axis.CRCL_INDEXED if indexed else Axis.CRCL
        unit = "mL/min" if axis is Axis.CRCL else "mL/min/{1.73_m2}"
        if m["low"]:
            low, high = sorted((Decimal(m["low"]), Decimal(m["high"])))
            yield Bound(m.start(), m.end(), Interval(axis, low, high, unit, low_open=m["low_open"] is not None, high_open=m["high_open"] is not None))
            continue
        sides = _sides(m["op"], m["after"])
        if sides is not None:
            yield _bound(m, axis, unit, Decimal(m["n"] or m["bare"]), sides)


def _weights(text: str) -> Iterator[Bound]:
    for m in _WEIGHT_RANGE.finditer(text):
        low, high = Decimal(m["low"]), Decimal(m["high"])
        if low < high:
            yield Bound(m.start(), m.end(), Interval(Axis.WEIGHT, low, high, "kg", high_open=m["open"] is not None))
    for m in _WEIGHT.finditer(text):
        sides = _sides(m["op"], m["after"])
        if sides is not None:
            yield _bound(m, Axis.WEIGHT, "kg", Decimal(m["n"]), sides)


def _labs(text: str) -> Iterator[Bound]:
    for m in _LAB.finditer(text):
        printed = re.sub(r"\s|[x×](?=10)|\*(?=10)", "", m["unit"]).replace("μ", "u")
        unit = Unit.find(re.sub(r"10\^?9/L", "10*9/L", printed))
        sides = _sides(m["op"], None)
        if unit is not None and sides is not None:
            yield _bound(m, Axis.LAB, unit.code, Decimal(m["n"]), sides, book().labs[m["name"]])


def _bound(m: re.Match[str], axis: Axis, unit: str, value: Decimal, sides: tuple[bool, bool], detail: str | None = None) -> Bound:
    upper, is_open = sides
    if upper:
        return Bound(m.start(), m.end(), Interval(axis, None, value, unit, high_open=is_open, detail=detail))
    return Bound(m.start(), m.end(), Interval(axis, value, None, unit, low_open=is_open, detail=detail))


def _sides(op: str | None, after: str | None) -> tuple[bool, bool] | None:
    """Whether a bound is an upper one and whether it is open; None for a bare number."""
    if op is not None:
        for pattern, sides in ((_LE, (True, False)), (_GE, (False, False)), (_LT, (True, True)), (_GT, (False, True))):
            if re.fullmatch(pattern, op):
                return sides
    if after is None:
        return None
    if after.endswith(("上", "更大", "后")):
        return False, False
    return True, after in ("以下", "以前")
