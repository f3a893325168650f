"""Numbers with a meaning in label prose: bounds on age, weight, renal function and laboratory values, doses, and windows of time.

Bounds are kept as printed: "under 2 years" is `(None, 2)` open above, "2 years and older" is `(2, None)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.model.quantities import Unit

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_WORDS = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "twelve": "12",
    "fourteen": "14",
    "eighteen": "18",
}
_COUNT = rf"(?:{_NUMBER}|{'|'.join(_WORDS)})"
_LE = r"(?:≤|<=|less than or equal to|at most|up to|no more than|not (?:more|greater) than|不超过|小于等于)"
_LT = r"(?:<|less than|lower than|below|under|younger than|小于|低于)"
_GE = r"(?:≥|>=|greater than or equal to|more than or equal to|at least|not less than|no less than|from the age of|大于等于)"
_GT = r"(?:>|greater than|more than|higher than|above|over|older than|in excess of|exceed(?:s|ing)|大于|高于|超过)"
_COMPARE = rf"(?P<op>{_LE}|{_LT}|{_GE}|{_GT})"
_TIME = r"(?P<unit>years?|yrs?\.?|months?|mos?\.?|weeks?|days?|岁|个?月|周|天)"
_TIME_CODES = {"y": "a", "m": "mo", "w": "wk", "d": "d", "岁": "a", "月": "mo", "个": "mo", "周": "wk", "天": "d"}

_AGE_COMPARED = re.compile(
    rf"(?:aged?\s+|ages?\s+(?:of\s+)?)?{_COMPARE}\s*(?:the age of\s+|age\s+|ages\s+)?(?P<n>{_COUNT})\s*-?\s*{_TIME}(?:\s+(?:of age|old))?", re.IGNORECASE
)
_AGE_UP = re.compile(
    rf"(?P<n>{_COUNT})\s*-?\s*{_TIME}(?:\s+of\s+age|\s+old)?\s+(?:and|or|of age and|of age or)\s+(?P<way>older|above|over|younger|under|less)|(?P<zh>{_NUMBER})\s*(?P<zhunit>岁|个月|月)(?P<zhway>以下|以上)",
    re.IGNORECASE,
)
_AGE_RANGE = re.compile(
    rf"(?:aged?\s+|ages\s+|between\s+|from\s+)?(?P<low>{_NUMBER})\s*(?:{_TIME.replace('unit', 'lowunit')}\s*)?(?:to|-|through|and|~)\s*(?P<n>{_NUMBER})\s*{_TIME}(?:\s+of\s+age|\s+old)",
    re.IGNORECASE,
)
_AGE_CUE = re.compile(
    r"\b(?:age|aged|old|older|younger|child|children|pediatric|paediatric|infants?|neonates?|newborns?|adolescents?|patients?|elderly)\b|儿童|婴儿|岁",
    re.IGNORECASE,
)
_CLEARANCE = re.compile(
    rf"(?P<name>creatinine clearance(?:\s*[\[(](?:CrCl|CLcr|Ccr)[\])])?|CrCl|CLcr|Clcr|Ccr|(?:estimated )?glomerular filtration rate(?:\s*[\[(]e?GFR[\])])?|e?GFR|肌酐清除率)\s*(?:\([^)]{{0,12}}\)\s*)?(?:of\s+|is\s+|values?\s+(?:of\s+)?)?"
    rf"{_COMPARE}\s*(?P<n>{_NUMBER})\s*(?P<unit>mL\s*(?:/|per)\s*min(?:ute)?\.?(?:\s*(?:/|per)\s*1\.73\s*m\s*2)?)",
    re.IGNORECASE,
)
_CLEARANCE_RANGE = re.compile(
    rf"(?P<name>creatinine clearance(?:\s*[\[(](?:CrCl|CLcr|Ccr)[\])])?|CrCl|CLcr|e?GFR)\s*(?:of\s+|from\s+|between\s+|is\s+)?(?P<low>{_NUMBER})\s*(?:mL/min\s*)?(?:to|-|and)\s*(?:<\s*)?(?P<n>{_NUMBER})\s*(?P<unit>mL\s*(?:/|per)\s*min(?:ute)?(?:\s*(?:/|per)\s*1\.73\s*m\s*2)?)",
    re.IGNORECASE,
)
_WEIGHT = re.compile(rf"(?:body\s+)?weigh(?:t|ing|s)\s*(?:of\s+|is\s+)?{_COMPARE}\s*(?P<n>{_NUMBER})\s*(?P<unit>kg|lbs?|g(?:rams?)?)\b", re.IGNORECASE)
_LAB_NAMES = r"(?:serum |plasma |blood |baseline |fasting |total |absolute )*(?:potassium|sodium|calcium|magnesium|triglycerides?|TG|creatinine|bilirubin|neutrophil(?: count)?s?|ANC|platelet(?: count)?s?|h(?:a)?emoglobin|QTc?F?(?: interval)?|uric acid|glucose|INR|phosphate|phosphorus|albumin|LVEF|ferritin|CD4\+?(?: cell)?(?: count)?|white blood cell(?: count)?s?|WBC)"
_LAB = re.compile(
    rf"(?P<name>{_LAB_NAMES})(?:\s+(?:levels?|concentrations?|counts?|values?|measurements?))?\s*(?:\([^)]{{0,12}}\)\s*)?(?:of\s+|is\s+|are\s+)?{_COMPARE}\s*(?P<n>{_NUMBER})\s*(?P<unit>mEq/L|mmol/L|mg/dL|g/dL|g/L|ms(?:ec)?|%|cells/mm3|/mm3|[x×]\s?10\s?\^?\s?9\s?/\s?L|µmol/L|umol/L|ng/mL)?",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    rf"\b(?:within|in the (?:last|past|previous)|for (?:at least )?|at least|less than|(?:a )?minimum of|during the)\s+(?:the\s+(?:last|past|previous|preceding)\s+|the\s+)?(?:approximately\s+|about\s+)?(?P<n>{_COUNT})\s*(?:\(\d+\)\s*)?-?\s*(?P<unit>hours?|hrs?|days?|weeks?|months?)\b|(?P<zh>{_NUMBER})\s*(?P<zhunit>小时|天|日|周|个月)(?:之?内|以内)",
    re.IGNORECASE,
)
_APART = re.compile(
    rf"\b(?:(?:at least|a minimum of|by|about|approximately|more than)\s+)*(?P<n>{_COUNT})\s*(?:(?:to|-|or)\s*(?P<m>{_COUNT})\s*)?(?:hours?|hrs?\.?|h)\b|间隔\s*(?P<zh>{_NUMBER})\s*(?:~\s*{_NUMBER}\s*)?小时",
    re.IGNORECASE,
)
_DOSE = re.compile(
    rf"(?:{_COMPARE}\s*|(?P<word>doses? (?:of|above|exceeding)\s+))(?P<n>{_NUMBER})\s*(?P<unit>mg|mcg|g|grams?|units?|µg|毫克|克)\s*(?:(?P<per>/|per|a|each|daily|once daily|每)\s*(?P<day>day|daily|d\b|日|天)?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on a patient's value, at `[start, end)` of the folded text."""

    start: int
    end: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Window:
    """A window of time before or after something ("within 14 days"): its length in days."""

    start: int
    end: int
    days: Decimal


@dataclass(frozen=True, slots=True)
class DoseBound:
    """A bound on a dose ("more than 2 g a day") as printed; `per` is `day` or `dose`."""

    start: int
    end: int
    low: Decimal | None
    high: Decimal | None
    low_open: bool
    high_open: bool
    unit: str
    per: str


def find_bounds(text: str) -> list[Bound]:
    """The bounds on age, renal function, weight and laboratory values in folded text, left to right, none overlapping."""
    found = [*_clearances(text), *_weights(text), *_labs(text), *(_ages(text) if _AGE_CUE.search(text) else ())]
    found.sort(key=lambda b: (b.start, -b.end))
    out: list[Bound] = []
    for bound in found:
        if not out or bound.start >= out[-1].end:
            out.append(bound)
    return out


def find_windows(text: str) -> list[Window]:
    """The windows of time in folded text."""
    days = {
        "h": Decimal(1) / Decimal(24),
        "d": Decimal(1),
        "w": Decimal(7),
        "m": Decimal(30),
        "小": Decimal(1) / Decimal(24),
        "天": Decimal(1),
        "日": Decimal(1),
        "周": Decimal(7),
        "个": Decimal(30),
    }
    return [
        Window(m.start(), m.end(), (_number(m["n"] or m["zh"]) * days[(m["unit"] or m["zhunit"])[0].lower()]).quantize(Decimal("0.0001")).normalize())
        for m in _WINDOW.finditer(text)
    ]


def separation_hours(text: str) -> Decimal | None:
    """The hours that two doses are to be kept apart, the largest that the words name, or None."""
    hours = [_number(m["m"] or m["n"] or m["zh"]) for m in _APART.finditer(text)]
    return max(hours) if hours else None


def find_doses(text: str) -> list[DoseBound]:
    """The bounds on doses in folded text. A bare amount ("80 mg") is none."""
    out: list[DoseBound] = []
    for m in _DOSE.finditer(text):
        low, high, low_open, high_open = _sides(m["op"], _number(m["n"])) if m["op"] else (_number(m["n"]), None, "of" not in m["word"], False)
        unit = Unit.find(m["unit"].lower())
        if unit is not None:
            out.append(DoseBound(m.start(), m.end(), low, high, low_open, high_open, unit.code, "day" if m["per"] else "dose"))
    return out


def _ages(text: str) -> Iterator[Bound]:
    for m in _AGE_RANGE.finditer(text):
        if _in_cue(text, m):
            yield Bound(
                m.start(), m.end(), Interval(Axis.AGE, min(_number(m["low"]), _number(m["n"])), max(_number(m["low"]), _number(m["n"])), _time_code(m["unit"]))
            )
    for m in _AGE_UP.finditer(text):
        number, unit = _number(m["n"] or m["zh"]), _time_code(m["unit"] or m["zhunit"])
        if (m["way"] or "").lower() in ("older", "above", "over") or m["zhway"] == "以上":
            yield Bound(m.start(), m.end(), Interval(Axis.AGE, number, None, unit))
        else:
            yield Bound(m.start(), m.end(), Interval(Axis.AGE, None, number, unit, high_open=m["zhway"] == "以下"))
    for m in _AGE_COMPARED.finditer(text):
        if _in_cue(text, m):
            yield _bound(m, Axis.AGE, _time_code(m["unit"]))


def _in_cue(text: str, m: re.Match[str]) -> bool:
    """True when the number is an age: it says so itself, or people of an age stand close by."""
    return re.search(r"\b(?:age|aged|ages|old)\b|岁", m[0], re.IGNORECASE) is not None or (
        re.search(r"(?:infants?|neonates?|newborns?)\s*\(\s*$", text[: m.start()], re.IGNORECASE) is not None
        or (
            m["unit"][0].lower() in "ym岁个月"
            and re.search(
                r"child|pediatric|paediatric|infant|neonate|newborn|adolescent|adults?\b|patients?(?: who are)? $",
                text[max(0, m.start() - 30) : m.start()],
                re.IGNORECASE,
            )
            is not None
        )
    )


def _clearances(text: str) -> Iterator[Bound]:
    for m in _CLEARANCE.finditer(text):
        axis, unit = _renal(m)
        yield _bound(m, axis, unit)
    for m in _CLEARANCE_RANGE.finditer(text):
        axis, unit = _renal(m)
        low, high = sorted((_number(m["low"]), _number(m["n"])))
        yield Bound(m.start(), m.end(), Interval(axis, low, high, unit))


def _renal(m: re.Match[str]) -> tuple[Axis, str]:
    indexed = "1.73" in m["unit"]
    if "gfr" in m["name"].lower() or "filtration" in m["name"].lower():
        return Axis.EGFR, "mL/min/{1.73_m2}"
    return (Axis.CRCL_INDEXED, "mL/min/{1.73_m2}") if indexed else (Axis.CRCL, "mL/min")


def _weights(text: str) -> Iterator[Bound]:
    for m in _WEIGHT.finditer(text):
        unit = Unit.find(m["unit"].lower())
        if unit is not None:
            yield _bound(m, Axis.WEIGHT, unit.code)


def _labs(text: str) -> Iterator[Bound]:
    for m in _LAB.finditer(text):
        name = re.sub(r"^(?:serum|plasma|blood|baseline|fasting|absolute)\s+", "", re.sub(r"\s+", " ", m["name"].lower()))
        printed = re.sub(r"\s|[x×]", "", m["unit"] or "").replace("109/L", "10*9/L").replace("10^9/L", "10*9/L")
        unit = Unit.find(printed) or (Unit.find("{INR}") if name == "inr" else None)
        if unit is not None:
            yield _bound(m, Axis.LAB, unit.code, detail=re.sub(r"\s*counts?$|s$", "", name) or name)


def _bound(m: re.Match[str], axis: Axis, unit: str, detail: str | None = None) -> Bound:
    low, high, low_open, high_open = _sides(m["op"], _number(m["n"]))
    return Bound(m.start(), m.end(), Interval(axis, low, high, unit, low_open, high_open, detail))


def _sides(op: str, number: Decimal) -> tuple[Decimal | None, Decimal | None, bool, bool]:
    word = op.lower()
    matches: Callable[[str], bool] = lambda pattern: re.fullmatch(pattern, word, re.IGNORECASE) is not None  # noqa: E731
    if matches(_LE):
        return None, number, False, False
    if matches(_LT):
        return None, number, False, True
    return (number, None, False, False) if matches(_GE) else (number, None, True, False)


def _number(text: str) -> Decimal:
    return Decimal(_WORDS.get(text.lower(), text).replace(",", ""))


def _time_code(unit: str) -> str:
    return _TIME_CODES[unit[0].lower()]
