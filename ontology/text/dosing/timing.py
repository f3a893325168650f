"""How often: times a day or a week, intervals, days of a cycle, events, as needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ontology.model.dosing import Frequency
from ontology.text.dosing.numbers import COUNT, number_of
from ontology.text.dosing.pieces import Kind, Piece

_PERIOD_DAYS = {"day": Decimal(1), "d": Decimal(1), "week": Decimal(7), "wk": Decimal(7), "month": Decimal(30), "year": Decimal(365), "yr": Decimal(365)}
_ONCE = {"once": 1, "single": 1, "twice": 2, "thrice": 3}
_LATIN = {"qd": 1, "od": 1, "bid": 2, "tid": 3, "qid": 4, "qhs": 1, "hs": 1, "qam": 1, "qpm": 1}
_ORDINAL = {"other": 2, "second": 2, "alternate": 2, "third": 3, "fourth": 4, "fifth": 5}

_TIMES = re.compile(
    rf"\b(?:(?P<once>once|twice|thrice)(?:\s*(?:-|to|or)\s*(?P<once2>twice|three\s+times|thrice))?|(?P<low>{COUNT})\s*(?:(?:-|to|or)\s*(?P<high>{COUNT})\s*)?(?:times|doses|x))"
    r"(?P<or>\s+or\s+(?:twice|three times))?(?:\s*,)?[\s-]*(?:(?:a|per|each|every|in|/|in\s+(?:any|a)|(?:during|in|within)\s+the\s+first)\s*)?(?P<period>daily|weekly|monthly|yearly|annually|day|d\b|week|wk|month|year|24[\s-]*h(?:ou)?rs?(?:\s+period)?)\b",
    re.IGNORECASE,
)
_MULTIPLES = re.compile(r"times|doses|once|twice|thrice|(?<![a-z])x")
_EVERY = re.compile(
    rf"\b(?:(?P<spaced>(?:at\s+)?intervals\s+of\s+(?:at\s+least\s+|not\s+less\s+than\s+|no\s+less\s+than\s+|approximately\s+)?)|(?:once\s+|one\s+dose\s+|a\s+single\s+dose\s+)?(?:every|each|q\.?))\s*(?:(?P<low>{COUNT})\s*(?:(?P<u1>hours?|days?|weeks?)\s*)?(?:-|to|or|–)\s*)?(?P<high>{COUNT})[\s-]*(?P<unit>hours?|hrs?|h|days?|d|weeks?|wks?|months?|years?|minutes?|min)\b",
    re.IGNORECASE,
)
_INTERVALS = re.compile(
    rf"\b(?:at\s+)?(?:(?:(?P<low>{COUNT})\s*(?:-|to)\s*)?(?P<high>{COUNT})[\s-]*(?:to\s*)?(?P<unit>hour|hr|day|week|month)|(?P<word>weekly|monthly|daily))[\s-]+intervals\b",
    re.IGNORECASE,
)
_HOURLY = re.compile(rf"\b(?P<n>{COUNT})[\s-]+hourly\b|(?P<one>\bevery\s+hour\b|\bhourly\b)", re.IGNORECASE)
_LATIN_WORD = re.compile(
    r"(?<![\w.])(?P<code>[bBtTqQ]\.?[iI]\.?[dD]\.?|[qQ]\.?[dD]\.?|QHS|qhs|q\.h\.s\.|h\.s\.|HS|QAM|qam|QPM|qpm|[qQ]\.?[oO]\.?[dD]\.?|BIW|TIW|QW|QOW|Q(?P<week>\d{1,2})W)(?![\w/])"
)
_ORDINAL_DAYS = re.compile(
    rf"\b(?:(?:every|each)\s+(?P<nth>{'|'.join(_ORDINAL)})|(?:on\s+)?(?P<alternate>alternate|alternating|alternative))\s+(?P<unit>days?|weeks?|months?)\b",
    re.IGNORECASE,
)
_EACH_DAY = re.compile(
    r"\b(?:(?:once|one\s+time)[\s-]+)?(?:(?P<day>daily(?!\s+(?:[\w-]+\s+)?(?:doses?|dosages?|dosing|amount|intake|requirement|limit|maximum|total)\b)|nightly|(?:every|each)\s+(?:day|morning|evening|night)|per\s+night)|(?P<week>weekly(?!\s+(?:doses?|dosages?|intervals?|basis|total)\b)|(?:every|each|per|(?<!for )(?<!over )(?<!within )a)\s+week|once-weekly)|(?P<month>(?<!bi)monthly(?!\s+intervals?)|every\s+month|each\s+month)|(?P<year>yearly|annually|every\s+year)"
    r"|(?P<biweekly>bi-?weekly|fortnightly))\b",
    re.IGNORECASE,
)
_PART_OF_DAY = re.compile(
    r"\b(?:(?:in|with)\s+the\s+morning\s+and\s+(?:in\s+the\s+)?(?:evening|at\s+(?:bedtime|night))|(?:in\s+the\s+)?(?P<two>morning\s+and\s+(?:evening|night|bedtime))|(?P<one>(?:at|before)\s+(?:bedtime|night)|in\s+the\s+(?:morning|evening)|with\s+(?:the|their)\s+(?:morning|evening)\s+meal|(?:with|before|after)\s+(?:breakfast|dinner|supper)(?!\s+(?:and|or)\b)|at\s+dinner))\b"
    r"|\b(?P<meals>(?:with|before|after)\s+breakfast\s+and\s+(?:(?:with|before|after)\s+)?(?:dinner|supper|(?:the\s+)?evening\s+meal))\b",
    re.IGNORECASE,
)
_AS_NEEDED = re.compile(r"\b(?:as\s+(?:needed|required|necessary)|when\s+needed|if\s+needed|prn|p\.r\.n\.?)(?!\w)", re.IGNORECASE)
_SINGLE = re.compile(
    r"\b(?:(?:as\s+)?(?:a|one)\s+(?:one-time\s+)?single\b(?:[\s-]+(?:[A-Za-z]+[\s-]+){0,2}?(?:dose|infusion|injection|bolus))?|single[\s-]+dose|one-time\s+dose|in\s+one\s+dose|as\s+one\s+dose)\b",
    re.IGNORECASE,
)
_DAYS = re.compile(
    r"\b(?:on\s+|for\s+)?(?:(?:the\s+)?first\s+(?P<first>\d{1,2})\s+(?:consecutive\s+)?days|days?\s+(?P<days>\d{1,2}(?!\w|-[A-Za-z]|\s*[x×])(?:\s*(?:,|-|to|through|and|&|,\s*and)\s*(?:days?\s+)?\d{1,2}(?!\w|-[A-Za-z]|\s*(?:mg|mcg|g|%))){0,9}))(?:\s+(?:of|in|every|q)\s*(?:each|a|every|the|an)?\s*(?:(?P<cycle>\d{1,2})[\s-]*(?:days?|d)(?:\s+(?:treatment\s+)?(?:cycle|course|period))?|(?P<weeks>\d{1,2})[\s-]*weeks?(?:\s+cycle)?|(?:each\s+|every\s+)?(?P<bare>(?:treatment\s+)?cycle|week)))?(?!\s*(?:of age|of life|old|after birth))\b",
    re.IGNORECASE,
)
_DAYS_A_WEEK = re.compile(rf"\b(?:for\s+|on\s+)?(?P<n>{COUNT})\s+days\s+(?:per|a|each|every|of\s+each|of\s+every)\s+week\b", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?:(?P<before>(?:immediately\s+|shortly\s+)?(?:after|following|before|prior to|during|at the end of|on completion of|upon completion of))\s+(?:each|every|a|the)?\s*(?P<what>(?:session of\s+|treatment of\s+)?(?:ha?emo)?dialysis(?:\s+(?:session|treatment|period)s?)?|loose stool|bowel movement|fraction of radiotherapy)"
    r"|(?P<weeks>(?:at|on)\s+weeks?\s+\d{1,2}(?:(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+)\d{1,2}){0,8}(?!\s*(?:mg|mcg|g)\b))"
    r"|(?P<meal>(?:with|before|after|at)\s+(?:each|every|all)?\s*(?:main\s+)?meals?(?:\s+and\s+at\s+bedtime)?))\b",
    re.IGNORECASE,
)
_BEFORE_EVENT = re.compile(
    rf"\b(?:{COUNT}\s*(?:to|-)\s*)?{COUNT}\s*(?:hours?|hrs?|minutes?|min)\s+(?:before|prior\s+to)\s+(?:the\s+)?(?:(?:start|initiation|beginning|administration|induction)\s+of\s+)?(?:(?!each|every)[\w-]+\s+){{0,4}}?(?:surgery|procedure|operation|incision|an(?:a)?esthesia|chemotherapy|radiotherapy|intercourse|sexual\s+activity|exposure|travel|dialysis|infusion|examination)\b",
    re.IGNORECASE,
)
_DIVIDED = re.compile(
    rf"\b(?:(?:(?:in|as|into|given in|administered in|administered as)\s+)?(?:(?P<single>(?:a\s+)?single(?:\s+(?:daily\s+)?dose)?\s+or\s+(?:in\s+)?)?(?:(?P<low>{COUNT})\s*(?:-|to|or)\s*)?(?P<high>{COUNT})\s+(?:equally[\s-]+)?(?P<kind>divided|equal|equally divided|separate|evenly divided)(?:\s+(?:daily\s+)?(?:doses|portions|administrations|injections|infusions|applications))?|equally\s+divided\s+doses|(?:equally\s+)?divided\s+(?:daily\s+)?doses)|divided(?:\s+equally)?(?=\s+(?:every|q\s?\d|into|bid|tid|qid|twice|two|three|four|in)\b)(?:\s+(?:in|into)\s+(?:(?P<l2>{COUNT})\s*(?:-|to|or)\s*)?(?P<h2>{COUNT})\s+(?:equal\s+|daily\s+)?doses)?)(?:\s+(?:a|per)\s+day|\s+daily)?\b",
    re.IGNORECASE,
)


def find_timing(text: str, start: int, end: int) -> Iterator[Piece]:
    """The pieces that say how often, in no order; they may overlap."""
    said = text[start:end].lower()
    if "da" in said or "week" in said or "month" in said or "year" in said or "24" in said or "night" in said:
        yield from _counted(text, start, end, said)
    if "ever" in said or "each" in said or "q" in said or "interval" in said or "hourly" in said:
        for m in _EVERY.finditer(text, start, end):
            every = _every(m)
            if every is not None:
                yield Piece(m.start(), m.end(), Kind.SPACING if m["spaced"] and every.every_hours_low is None else Kind.FREQUENCY, every)
        for m in _INTERVALS.finditer(text, start, end):
            spacing = _spacing(m)
            if spacing is not None:
                yield Piece(m.start(), m.end(), Kind.SPACING if spacing.every_hours_low is None else Kind.FREQUENCY, spacing)
    if "hour" in said:
        for m in _HOURLY.finditer(text, start, end):
            hours = Decimal(1) if m["one"] else number_of(m["n"])
            if hours:
                yield _frequency(m, Frequency(every_hours_low=hours, every_hours_high=hours))
    for m in _LATIN_WORD.finditer(text, start, end):
        yield _frequency(m, _latin(m))
    if "morning" in said or "night" in said or "bedtime" in said or "evening" in said or "breakfast" in said or "dinner" in said or "supper" in said:
        for m in _PART_OF_DAY.finditer(text, start, end):
            count = Decimal(1) if m["one"] else Decimal(2)
            yield _frequency(m, Frequency(count, count, event=_words(m[0])))
    if "before" in said or "prior" in said:
        for m in _BEFORE_EVENT.finditer(text, start, end):
            yield _frequency(m, Frequency(Decimal(1), Decimal(1), event=_words(m[0])))
    if "need" in said or "prn" in said or "p.r.n" in said or "requir" in said or "necessary" in said:
        for m in _AS_NEEDED.finditer(text, start, end):
            yield _frequency(m, Frequency(as_needed=True))
    if "single" in said or "one" in said:
        for m in _SINGLE.finditer(text, start, end):
            yield _frequency(m, Frequency(Decimal(1), Decimal(1), event="single dose"))
    if "dialysis" in said or "meal" in said or "week" in said or "stool" in said or "bowel" in said or "fraction" in said:
        for m in _EVENT.finditer(text, start, end):
            yield _frequency(m, Frequency(event=_words(m[0])))
    if "divided" in said or "equal" in said or "separate" in said:
        for m in _DIVIDED.finditer(text, start, end):
            high = number_of(m["high"] or m["h2"] or "")
            low = Decimal(1) if m["single"] else number_of(m["low"] or m["l2"] or "") or high
            if high is None or (low is not None and low <= high):
                yield Piece(m.start(), m.end(), Kind.DIVIDED, Frequency(low, high) if high is not None else None)


def _counted(text: str, start: int, end: int, said: str) -> Iterator[Piece]:
    """Times a day, week or month, and days of a cycle; `said` is the text in lower case."""
    for m in _TIMES.finditer(text, start, end) if _MULTIPLES.search(said) else ():
        low, high = _times(m)
        if low is not None and high is not None and low <= high:
            yield _frequency(m, Frequency(low, high, _period(m["period"])))
    for m in _ORDINAL_DAYS.finditer(text, start, end) if "ever" in said or "each" in said or "alternat" in said else ():
        count = Decimal(_ORDINAL[m["nth"].lower()]) if m["nth"] else Decimal(2)
        yield _frequency(m, Frequency(Decimal(1), Decimal(1), count * _PERIOD_DAYS[m["unit"].lower().rstrip("s")]))
    for m in _EACH_DAY.finditer(text, start, end):
        period = {"day": 1, "week": 7, "month": 30, "year": 365, "biweekly": 14}[next(k for k, v in m.groupdict().items() if v)]
        yield _frequency(m, Frequency(Decimal(1), Decimal(1), Decimal(period)))
    for m in _DAYS_A_WEEK.finditer(text, start, end) if "days" in said and "week" in said else ():
        number = number_of(m["n"])
        if number is not None and 0 < number < 8:
            yield Piece(m.start(), m.end(), Kind.DAYS_OF_CYCLE, Frequency(number, number, Decimal(7), event=_words(m[0])), words=_words(m[0]))
    for m in _DAYS.finditer(text, start, end) if "day" in said else ():
        days = _days_of_cycle(m)
        if days is not None:
            yield days


def _frequency(m: re.Match[str], frequency: Frequency) -> Piece:
    return Piece(m.start(), m.end(), Kind.FREQUENCY, frequency)


def _times(m: re.Match[str]) -> tuple[Decimal | None, Decimal | None]:
    if m["once"]:
        low = Decimal(_ONCE[m["once"].lower()])
        second = (m["once2"] or (m["or"] or "").strip()[3:]).lower()
        return low, Decimal(3) if second.startswith(("three", "thrice")) else Decimal(2) if "twice" in second else low
    high = number_of(m["high"]) if m["high"] else number_of(m["low"])
    return number_of(m["low"]), high


def _period(word: str) -> Decimal:
    key = word.lower()
    if key.startswith(("24", "dai")):
        return Decimal(1)
    return _PERIOD_DAYS.get(key) or {"weekly": Decimal(7), "monthly": Decimal(30)}.get(key, Decimal(365))


def _every(m: re.Match[str]) -> Frequency | None:
    high = number_of(m["high"])
    low = number_of(m["low"]) if m["low"] else high
    if not high or low is None or not low or low > high:
        return None
    unit = m["unit"].lower()
    if unit.startswith("h"):
        return Frequency(every_hours_low=low, every_hours_high=high)
    if unit.startswith("mi"):
        return Frequency(every_hours_low=_part(low, 60), every_hours_high=_part(high, 60))
    if m["u1"] and m["u1"][0].lower() != unit[0]:
        return None
    return Frequency(Decimal(1), Decimal(1), low * _PERIOD_DAYS.get(unit.rstrip("s"), Decimal(1)))


def _spacing(m: re.Match[str]) -> Frequency | None:
    if m["word"]:
        return Frequency(Decimal(1), Decimal(1), _period(m["word"]))
    high = number_of(m["high"])
    low = number_of(m["low"]) if m["low"] else high
    if not high or not low or low > high:
        return None
    unit = m["unit"].lower()
    return Frequency(every_hours_low=low, every_hours_high=high) if unit.startswith("h") else Frequency(Decimal(1), Decimal(1), low * _PERIOD_DAYS[unit])


def _part(value: Decimal, of: int) -> Decimal:
    return (value / of).quantize(Decimal("0.0001")).normalize()


def _latin(m: re.Match[str]) -> Frequency:
    code = m["code"].lower().replace(".", "")
    if m["week"]:
        return Frequency(Decimal(1), Decimal(1), Decimal(7) * Decimal(m["week"]) or Decimal(7))
    weekly = {"biw": (2, 7), "tiw": (3, 7), "qw": (1, 7), "qow": (1, 14), "qod": (1, 2)}.get(code)
    if weekly is not None:
        return Frequency(Decimal(weekly[0]), Decimal(weekly[0]), Decimal(weekly[1]))
    times = Decimal(_LATIN[code])
    return Frequency(times, times, event="at bedtime" if code.endswith("hs") else None)


def _days_of_cycle(m: re.Match[str]) -> Piece | None:
    """Days of a cycle: how many, and as a frequency once on each of them in a cycle of known length."""
    numbers = [int(n) for n in re.findall(r"\d{1,2}", m["days"] or "")]
    if m["first"] and not (m["cycle"] or m["weeks"] or m["bare"]):
        whole = Decimal(m["first"])
        return Piece(m.start(), m.end(), Kind.DURATION, days_low=whole, days_high=whole) if whole else None
    if m["first"]:
        count = int(m["first"])
    elif re.search(r"-|to|through", m["days"]) and len(numbers) == 2:
        count = numbers[1] - numbers[0] + 1
    elif re.search(r"-|to|through", m["days"]):
        return None
    else:
        count = len(numbers)
    length = int(m["cycle"]) if m["cycle"] else int(m["weeks"]) * 7 if m["weeks"] else 7 if (m["bare"] or "").lower() == "week" else None
    if count < 1 or (length is not None and count > length):
        return None
    frequency = Frequency(Decimal(count), Decimal(count), Decimal(length), event=_words(m[0])) if length else Frequency(event=_words(m[0]))
    run = Decimal(count) if m["first"] or (len(numbers) == 2 and "-" in re.sub(r"to|through", "-", m["days"])) else None
    return Piece(m.start(), m.end(), Kind.DAYS_OF_CYCLE, frequency, days_low=run, days_high=run, words=_words(m[0]))


def _words(printed: str) -> str:
    return " ".join(printed.split())
