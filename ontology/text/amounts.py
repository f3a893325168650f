"""Numbers with a meaning in label prose: bounds on doses, windows of time, and hours between doses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ontology.model.quantities import Unit
from ontology.text.comparators import Side, comparison, side_of

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
_COMPARED = comparison(at_most="不超过|小于等于", at_least="大于等于", below="小于|低于", above="大于|高于|超过")
_WINDOW = re.compile(
    rf"\b(?:within|in the (?:last|past|previous)|for(?=\s+\S+\s+(?:days?|weeks?|months?)\s+after\s+(?:stopping|discontinu\w+|the\s+(?:last|final)\s+dose))|at least|less than|(?:a )?minimum of|during the)\s+(?:the\s+(?:last|past|previous|preceding)\s+|the\s+)?(?:approximately\s+|about\s+)?(?P<n>{_COUNT})\s*(?:\(\d+\)\s*)?-?\s*(?P<unit>hours?|hrs?|days?|weeks?|months?)\b|(?P<zh>{_NUMBER})\s*(?P<zhunit>小时|天|日|周|个月)(?:之?内|以内)",
    re.IGNORECASE,
)
_APART = re.compile(
    rf"\b(?:(?:at least|a minimum of|by|about|approximately|more than)\s+)*(?P<n>{_COUNT})\s*(?:(?:to|-|or)\s*(?P<m>{_COUNT})\s*)?(?:hours?|hrs?\.?|h)\b|间隔\s*(?P<zh>{_NUMBER})\s*(?:~\s*{_NUMBER}\s*)?小时",
    re.IGNORECASE,
)
_DOSE = re.compile(
    rf"(?:{_COMPARED}\s*|(?P<word>doses? (?:of|above|exceeding)\s+))(?P<n>{_NUMBER})\s*(?P<unit>mg|mcg|g|grams?|units?|µg|毫克|克)\s*(?:(?P<per>/|per|a|each|daily|once daily|每)\s*(?P<day>day|daily|d\b|日|天)?)?",
    re.IGNORECASE,
)


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
        number = _number(m["n"])
        side = side_of(m) or (Side.AT_LEAST if "of" in m["word"] else Side.ABOVE)
        low, high = (None, number) if side.is_upper else (number, None)
        unit = Unit.find(m["unit"].lower())
        if unit is not None:
            out.append(DoseBound(m.start(), m.end(), low, high, side is Side.ABOVE, side is Side.BELOW, unit.code, "day" if m["per"] else "dose"))
    return out


def _number(text: str) -> Decimal:
    return Decimal(_WORDS.get(text.lower(), text).replace(",", ""))
