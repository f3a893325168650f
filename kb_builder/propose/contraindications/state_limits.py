"""What restricts a state that a label names: brackets and exceptions behind it, ages and times before it, a severity that its concept does not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.conditions.phrases import spared
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.genes import genotypes_of
from kb_builder.propose.reading.frames import frame_book
from kb_builder.propose.reading.things import Target, Thing
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AnyOf, Category, HasCondition, Not, Opaque
from ontology.text.amounts import find_windows
from ontology.text.bounds import find_bounds

_PLAIN_LEVELS = frozenset({"active", "confirmed", "suspected", "significant", "clinically significant"})
_SEVERITY = re.compile(
    r"(?:(?:or|and)\s+)?(?P<level>mild(?: (?:to|or) moderate)?|moderate(?:ly)?(?: (?:to|or) severe)?|severe(?:ly)?|significant|clinically significant|serious|advanced|end[- ]stage|uncontrolled|uncorrected|untreated|unstable"
    r"|(?:poorly|inadequately) (?:controlled|treated)|undertreated|controlled|decompensated|overt|uncompensated|acute|chronic|active|symptomatic|persistent|confirmed|suspected|major|marked(?:ly)?|complete|congenital|hereditary|progressive|prolonged|extensive|labile|unexplained|unresolved)(?:,\s*|\s+)",
    re.IGNORECASE,
)
_ORGANS = {"renal": Axis.RENAL, "kidney": Axis.RENAL, "hepatic": Axis.HEPATIC, "liver": Axis.HEPATIC}
_LEVELS = {
    "mild": ("mild",),
    "moderate": ("moderate",),
    "severe": ("severe",),
    "mild to moderate": ("mild", "moderate"),
    "mild or moderate": ("mild", "moderate"),
    "moderate to severe": ("moderate", "severe"),
    "moderate or severe": ("moderate", "severe"),
    "severely": ("severe",),
}
_EXCEPT = re.compile(
    r"\s*[,(]?\s*\b(?P<word>unless|if\s+no|except(?:\s+(?:for|in|when|during|where|with|as))?|other than|without|in the absence of|in an? \w+ setting)\s+[^();\x01]{3,160}(?!\w)\)?|\s*,?\s*\bas (?:the )?(?:sole|only|mono)[ -]?(?:therapy|treatment)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?P<inside>[^()\[\]]{2,200})\)")
_CHILD_PUGH = re.compile(
    r"child[- ]pugh(?:\s+(?:class|score|grade|category))?\s*(?P<grades>[ABC](?:\s*(?:,|and|or|to|-|/)\s*(?:class\s+)?[ABC])*)\b", re.IGNORECASE
)
_NO_LIMIT = re.compile(
    r"(?:risk of |because |due to |as in |gestational age\s*\+|e\.?g|i\.?e|for example|such as|including|includes|also |known as|see |formerly|[A-Z0-9]|\d|anaphyla|angioedema)",
    re.ASCII,
)
_EXPLAINS = re.compile(
    r"(?:patients|those|individuals|persons|people|women)\s+(?:in whom|who|with)\b(?!.*\b(?:taking|receiving|undergoing|treated)\b)"
    r"|(?:it|this|these|they)\b|[^,;]*\b(?:may|can|could|should|was|were)\b",
    re.IGNORECASE,
)
"""Says what the state is, why the label names it, or what else to do: it restricts nothing."""
_RESTRICTS = re.compile(r"\b(?:unless|except|if|when|only|not including|without|excluding|other than|until|during|despite)\b|\d", re.IGNORECASE)
_MEMBERS = re.compile(r",?\s+(?:or|and)\s+|,\s+")
_THAT_IS = re.compile(r"i\.e\.?,?\s+(?=[^()]*\d)", re.IGNORECASE)
_INSIDE_NAME = re.compile(r" (?!and\b|or\b|in\b|with\b|who\b|requiring\b)[a-z]{3,}")  # "narrow-angle (angle closure) glaucoma"
_AGED_LEAD = re.compile(r"[^,;()]{2,80}?\b(?:who (?:have|has|had) (?:had|undergone)|who undergo|undergoing|following|after|with)\s", re.IGNORECASE)


_IS_THERE = re.compile(
    r"(?:\b(?:in|with|by|of|the|an?|any|presence|patients?|these|those|who|have|has|when|used|conjunction|functioning|functional|artificial|ventricular|implanted|permanent|temporary|demand|cardiac|is|are|being|present|placed?)\b\s*)*",
    re.IGNORECASE,
)
_JUDGED = re.compile(r"\bjudge?ment\b|\bconsidered (?:to be )?medically\b|\bno alternative (?:management|treatment|therapy) is\b", re.IGNORECASE)
_CHILDREN = re.compile(r"\b(?:child(?:ren)?|p(?:a)?ediatric|infants?|neonates?|adolescents?)\b", re.IGNORECASE)
_LAST_TIME = re.compile(
    r"\W*(?:(?:in|patients|individuals|those|who|have|has|had)[\s:,]+)*?(?P<when>(?:with)?in\s+the\s+(?:last|past|previous|preceding)\s+(?:\d+\s+|\w+\s+)?(?:hours?|days?|weeks?|months?|years?))\s*,?\s*(?:(?:who|have|has|had|been|experienced|suffered|undergone|diagnosed|with|an?|the)\s+)*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\b(?:unless|if\s+no|except(?:\s+(?:for|in|when|during|where|with|as))?|other than|without|in the absence of)\s+", re.IGNORECASE)


def find_exception(text: str, start: int, end: int, things: Sequence[Thing]) -> Restriction | None:
    """The first exception of a phrase: not the people or case that it spares where an axis holds them, else its words."""
    m = _EXCEPT.search(text[start:end])
    if m is None:
        return None
    at, until = start + m.start(), start + m.end()
    word = _WORD.search(text, at, until)
    if word is not None:
        read = spared(text, word.start(), word.end(), until - (text[until - 1] == ")"), things)
        if isinstance(read.guard, Not):
            return Restriction(read.guard, at, until, read.entities)
        device = _only_thing(text, word.end(), until, things)
        if device is not None:
            return Restriction(Not(HasCondition(device.targets[0].id, text[device.start : device.end])), at, until)
    return Restriction(Opaque(" ".join(m[0].split()).strip(" ,().")), at, until)


def _only_thing(text: str, start: int, end: int, things: Sequence[Thing]) -> Thing | None:
    """The condition that is all an exception names, with words that only say that it is there ("unless a functioning demand pacemaker is present")."""
    named = [t for t in things if start <= t.start and t.end <= end and t.type == EntityType.CONDITION]
    if len(named) != 1:
        return None
    rest = text[start : named[0].start] + " " + text[named[0].end : end]
    return named[0] if _IS_THERE.fullmatch(rest.replace("(", " ").replace(")", " ").strip(" .,")) is not None else None


def left_to_prescriber(limit: Restriction) -> bool:
    """True for an exception that the label leaves to the prescriber: it is no condition of the patient."""
    return isinstance(limit.guard, Opaque) and (
        _JUDGED.search(limit.guard.text) is not None or frame_book().judgement.search(limit.guard.text.lower()) is not None
    )


def last_time(text: str, start: int, end: int) -> Restriction | None:
    """The time that opens a list and holds for each of its members ("in the last 6 months, have experienced a stroke or a transient ischemic attack")."""
    m = _LAST_TIME.match(text, start, end)
    return Restriction(Opaque(" ".join(m["when"].split())), m.start("when"), m.end()) if m is not None and m.end() < end else None


def in_time(limit: Restriction, state: Target) -> Restriction:
    """The restriction, as a window on the state itself where its words are a time ("in the last 6 months", "within 30 days") and the state has a concept."""
    if not isinstance(limit.guard, Opaque) or state.entity is not None or state.id.type != EntityType.CONDITION:
        return limit
    windows = find_windows(limit.guard.text)
    if len(windows) != 1 or (windows[0].start, windows[0].end) != (0, len(limit.guard.text)) or windows[0].days < 1:
        return limit
    return replace(limit, guard=HasCondition(state.id, state.words, ConditionState.RECENT, windows[0].days))


def ages_before(phrase: str, offset: int) -> tuple[Restriction, ...]:
    """The ages that hold for every member of a list of what they have ("younger than 18 years who have had tonsillectomy or adenoidectomy"), or the
    words where it is about children without a number.
    """
    lead = _AGED_LEAD.match(phrase)
    found = find_bounds(lead[0]) if lead is not None else []
    aged = tuple(Restriction(b.interval, offset + b.start, offset + b.end) for b in found if b.interval.axis is Axis.AGE)
    if aged or lead is None or _CHILDREN.search(lead[0]) is None:
        return aged
    return (Restriction(Opaque(" ".join(lead[0].split())), offset, offset + lead.end()),)


def stated_limits(text: str, start: int, end: int, known: Callable[[str], bool]) -> tuple[Restriction, ...]:
    """The numbers and genotypes of a state, then what its brackets add that is neither such a number nor a name of the state that is `known`."""
    if genes := () if known(text[start:end].strip()) else tuple(genotypes_of(text, start, end)):
        return genes
    bounds = tuple(Restriction(b.interval, start + b.start, start + b.end) for b in find_bounds(text[start:end]))
    added = [r for r in brackets(text, start, end) if not isinstance(r.guard, Opaque) or not _is_form(r.guard.text, known)]
    if (either := _either(text, bounds, added)) is not None:
        return (either,)
    return (*bounds, *(r for r in added if not isinstance(r.guard, Opaque) or not any(b.start < r.end and r.start < b.end for b in bounds)))


def _either(text: str, bounds: Sequence[Restriction], added: Sequence[Restriction]) -> Restriction | None:
    """A class of Child-Pugh or a value, where one bracket gives them as alternatives ("defined as Child-Pugh class C or bilirubin above 5 mg/dL")."""
    if len(bounds) != 1 or len(added) != 1 or not isinstance(added[0].guard, Category):
        return None
    within = added[0].start <= bounds[0].start < added[0].end
    if within and re.search(r"\bor\b", text[added[0].start : bounds[0].end]) is not None:
        return Restriction(AnyOf((added[0].guard, bounds[0].guard)), added[0].start, added[0].end)
    return None


def _is_form(words: str, known: Callable[[str], bool]) -> bool:
    """True for another name of the state, or a list of its forms ("angina pectoris, silent ischemia or infarction")."""
    members = _MEMBERS.split(words)
    return known(words) or (len(members) > 2 and _RESTRICTS.search(words) is None and known(members[0]))


def brackets(text: str, start: int, end: int) -> Iterator[Restriction]:
    """What brackets add to a state: Child-Pugh classes, or words that only a person can judge; abbreviations and examples add nothing."""
    grades: list[re.Match[str]] = []
    for m in _BRACKETED.finditer(text, start, end):
        inside = m["inside"].strip()
        if _CHILD_PUGH.search(inside):
            grades.append(m)
        elif _INSIDE_NAME.match(text, m.end(), end):
            continue
        elif (meant := _THAT_IS.match(inside)) is not None and not find_bounds(inside):
            yield Restriction(Opaque(inside[meant.end() :]), m.start("inside"), m.end("inside"))
        elif _EXPLAINS.match(inside) and not _RESTRICTS.search(inside):
            continue
        elif not _NO_LIMIT.match(inside) and not inside.endswith(("etc", "etc.")) and not find_bounds(inside) and len(inside.split()) > 1:
            yield Restriction(Opaque(inside), m.start("inside"), m.end("inside"))
    letters = sorted({g for m in grades for found in _CHILD_PUGH.finditer(m["inside"]) for g in re.findall(r"[ABC]", found["grades"].upper())})
    if letters:
        values = tuple("ABC"["ABC".index(letters[0]) : "ABC".index(letters[-1]) + 1])
        yield Restriction(Category(Axis.CHILD_PUGH, values), grades[0].start("inside"), grades[-1].end("inside"))


def graded(core: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The severities that open the words of a state, one more each time, with the name behind them ("severe, uncontrolled infections")."""
    levels: tuple[str, ...] = ()
    at = 0
    while (m := _SEVERITY.match(core, at)) is not None:
        levels, at = (*levels, m["level"].lower()), m.end()
        yield levels, core[at:]


def narrowing(levels: Sequence[str], core: str) -> Category | Opaque | None:
    """The guard of severities that the concept does not hold: on the organ's scale where there is one, else opaque."""
    told = [level for level in levels if level not in _PLAIN_LEVELS]
    if not told or set(told) == {"acute", "chronic"} or set(levels) == {"active", "chronic"}:
        return None
    axis = next((a for word, a in _ORGANS.items() if word in core.lower()), None)
    held = [_LEVELS.get(level) for level in told]
    values = None if None in held else tuple(dict.fromkeys(v for some in held for v in some or ()))
    if axis is not None and values is not None:
        return Category(axis, values)
    return Opaque(core)
