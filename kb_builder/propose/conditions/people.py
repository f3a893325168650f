"""The people that a sentence speaks of ("in elderly patients with renal impairment"), as guards.

Members of a list that no axis holds stay in it with the label's words, so that the guard is never narrower than the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AnyOf, Category, Guard, HasCondition, Interval, Opaque, both
from ontology.text.bounds import find_bounds
from ontology.text.sought import sought

Found = tuple[Guard, int, int]
"""A guard and the place in the text that it stands on."""

_PEOPLE = re.compile(
    r"\b(?:in|for|to|among|if|when)\s+(?:the\s+)?(?P<mod>(?:(?!patients?\b|subjects\b|in\b|with\b)[\w'/-]+\s+){0,6}?)(?P<head>patients?|subjects|individuals|persons|people|women|men|females|males|children|infants|neonates|newborns|adolescents|adults|elderly(?!\s+(?:(?:or|and|and/or)\s+(?:[\w-]+\s+){1,3})?(?:patients|subjects|individuals|persons|people|women|men|females|males|adults)\b))\b"
    r"(?:\s+(?P<link>with|who have|having|who are|whose|undergoing|requiring|at (?:increased |high )?risk (?:of|for)|on|receiving|taking|treated with|using|who|in|previously)\s+(?P<tail>(?:[^.;()\x01]|\([A-Z]{2,6}\)){2,140}))?",
    re.IGNORECASE,
)
_EMPTY_MODIFIERS = frozenset(
    [
        "these",
        "those",
        "such",
        "all",
        "any",
        "certain",
        "some",
        "most",
        "many",
        "other",
        "both",
        "the",
        "a",
        "an",
        "your",
        "each",
        "treated",
        "as",
        "in",
        "of",
        "who",
        "same",
        "following",
        "that",
        "this",
        "treatment",
        "concomitant",
        "taking",
        "receiving",
        "given",
        "treating",
        "prescribing",
    ]
)
_TAIL_END = re.compile(
    r",\s|\s+(?:should|must|may|can|could|will|is|are|was|were|has|have|because|due to|unless|during|when|while|for signs|for the|and monitor|and adjust|concomitantly|concurrently|to avoid|avoid|monitor|reduce|if|since|after|before|prior|within|receiving|taking)\b|\s+(?:resulted|results|experienced|showed|had|that|which)\b|\s+(?:and/or|or|and)\s+(?:(?:in\s+)?(?:patients|those|persons|individuals)|who|in combination|when)\b"
)
_EXPOSED = re.compile(
    r"\b(?:receiving|taking|treated|on|using|given|currently|concomitant\w*|concurrent\w*|prescribed|co-?administ\w*|stabilized|maintained)\b", re.IGNORECASE
)
_CLAUSAL = re.compile(
    r"\b(?:are|is|be|was|were|to|administered|given|drugs?|withdrawn|monitor|decided|known|history|use|treatment|avoid|should|may|used|taken|risk|effects?|of)\b",
    re.IGNORECASE,
)
_HEALTHY = re.compile(r"\b(?:healthy|volunteers?|participants|study|trial)\b", re.IGNORECASE)
_RENAL = sought(
    r"\b(?:(?P<level>mild(?: (?:to|or) moderate)?|moderate(?: to severe| or severe)?|severe|severely|end[- ]stage)\s+)?(?:renal(?:ly)?|kidney)\s+(?:(?:or|and|and/or)\s+hepatic\s+)?(?:impairment|impaired|insufficiency|failure|dysfunction|disease|function)|(?:impaired|reduced|decreased|compromised)\s+(?:renal|kidney)\s+function|\b(?P<esrd>esrd)\b",
    re.IGNORECASE,
)
_HEPATIC = sought(
    r"\b(?:(?P<level>mild(?: (?:to|or) moderate)?|moderate(?: to severe| or severe)?|severe|severely)\s+)?(?:hepatic(?:ally)?|liver)\s+(?:(?:or|and|and/or)\s+(?:renal|kidney)\s+)?(?:impairment|impaired|insufficiency|failure|dysfunction|disease|function)|(?:impaired|reduced|decreased|compromised)\s+(?:hepatic|liver)\s+function",
    re.IGNORECASE,
)
_PREGNANT = sought(r"\bpregnan\w*", re.IGNORECASE)
_OLD = sought(r"\b(?:elderly|geriatric)\b", re.IGNORECASE)
_MEMBER = re.compile(r"(?:(?!\s*,\s|\s+(?:and/or|or|and)\s).)+")
_JOINT = re.compile(r"^[\s,]*(?:(?:and/or|or|and)\s+)?")
_ALSO = re.compile(
    r"(?:,\s+(?!(?:and|or)\s)[\w-]+(?:\s+[\w-]+){0,3}(?:\s*\([^()]*\))?)*,?\s+(?:or|and)\s+[^,.;()\x01]{3,60}(?:\([^()]*\)\s*)?(?=,\s)", re.IGNORECASE
)
_ALSO_LEAD = re.compile(r"^(?:(?:with|have|having|has|who|are|in|those|patients|the|an?)\s+)+", re.IGNORECASE)
_UP_TO = re.compile(r"[\w-]+(?:\s+[\w-]+)? to (?:a maximum of |no more than |at most )?\d", re.IGNORECASE)
"""The product and the limit that another drug is then kept to ("limit X in patients on Y to 10 mg")."""
_BOTH_SEXES = re.compile(r"\s+(?:and|or|and/or)\s+(?:women|men|females|males)\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\s*\([^()]*\)")
_AGED = Decimal(65)
_SHORTEST = 4
_LEAST_WORDS = 3  # a shorter member may be half of the next one ("new onset or worsening heart failure")
_EVERYONE = frozenset(
    {
        "adult",
        "adults",
        "pediatric and adult",
        "is already",
        "are already",
        "already",
        "also",
        "is also",
        "are also",
        "is",
        "are",
        "was",
        "were",
        "were also",
        "cannot",
        "can not",
    }
)
_INTOLERANT = re.compile(r"(?:may not|might not|cannot|can not|do not|did not|does not|are unable to|are not able to)\s+tolerate\b", re.IGNORECASE)
_NORMAL = re.compile(r"\bnormal\s+(?:renal|kidney|hepatic|liver)", re.IGNORECASE)


def find_people(sentence: str, start: int, things: Sequence[Thing]) -> Iterator[Found]:
    """The people of a sentence that begins at `start` of its text. `things` are those it names."""
    for m in _PEOPLE.finditer(sentence):
        if _HEALTHY.search(m[0]) or _CLAUSAL.search(m["mod"]):
            continue
        tail = m["tail"] or ""
        stop = _TAIL_END.search(tail)
        tail = tail[: stop.start()] if stop else tail
        end = (m.start("tail") + len(tail)) if m["tail"] else m.end("head")
        found = list(_of_people(start, things, m, tail, start + end))
        opens = not sentence[: m.start()].strip() and (m["tail"] is not None or m["head"].lower() == "elderly")
        exposed = _EXPOSED.match(m["link"] or "") or _partner(things, start + m.start(), start + end)
        more, until = _also(sentence, end, [t for t in things if t.start >= start + end]) if found and not exposed and opens else ([], end)
        if more:
            every: Guard | None = None
            for guard, _, _ in found:
                every = both(every, guard)
            yield _one([every or found[0][0], *more], every=False), found[0][1], start + until
        else:
            yield from found


def _of_people(start: int, things: Sequence[Thing], m: re.Match[str], tail: str, until: int) -> Iterator[Found]:
    """What one mention of people holds: who they are, the words before and the words behind."""
    head = m["head"].lower()
    words = [w for w in re.findall(r"[\w'/-]+", m["mod"]) if w.lower() not in _EMPTY_MODIFIERS]
    if _BOTH_SEXES.match(m.string, m.end("head")) is None:
        yield from _of_head(head, start + m.start(), until)
    if words and not _partner(things, start + m.start("mod"), start + m.end("mod")):
        yield from _of_words(" ".join(words), start + m.start("mod"), start + m.start("head"), things, head, behind=False)
    if tail and _INTOLERANT.match(tail):
        yield Opaque(_clean(tail)), start + m.start("tail"), until
    elif tail and not _EXPOSED.match(m["link"] or "") and not _partner(things, start + m.start("tail"), until):
        yield from _of_words(tail, start + m.start("tail"), until, things, head, behind=True)
    elif tail and re.search(r"\d", tail) and _UP_TO.match(tail) is None and any(t.own and start + m.start("tail") <= t.start < until + 40 for t in things):
        yield Opaque(_clean(f"{m['link']} {tail}")), start + m.start("link"), until


def _partner(things: Sequence[Thing], start: int, end: int) -> bool:
    return any(t.kind is Kind.PARTNER and start <= t.start < end for t in things)


def _of_head(head: str, start: int, end: int) -> Iterator[Found]:
    if head in ("women", "females"):
        yield Category(Axis.SEX, ("female",)), start, end
    elif head in ("men", "males"):
        yield Category(Axis.SEX, ("male",)), start, end
    elif head == "elderly":
        yield _aged(head), start, end
    elif head in ("children", "infants", "neonates", "newborns", "adolescents"):
        yield Opaque(f"in {head}"), start, end


def _of_words(words: str, start: int, end: int, things: Sequence[Thing], head: str, *, behind: bool) -> Iterator[Found]:
    """The guard of the words before or behind "patients": organ function, pregnancy, age, conditions, else opaque."""
    lower = words.lower()
    if find_bounds(words):
        return
    if _NORMAL.search(lower):
        yield Opaque(_clean(words)), start, end
        return
    conditions = [t for t in things if t.kind is Kind.STATE and t.type == EntityType.CONDITION and start <= t.start < end]
    parts, read = _axes(lower)
    if parts:
        for a, b in _unread(lower, read):
            named = [t for t in conditions if t.targets[0].words.lower() in lower[a:b]]
            parts += [_condition(t, lower[a:b]) for t in named] or [Opaque(_clean(words[a:b]))]
    elif conditions:
        parts = [_condition(t, lower) for t in conditions]
        read = [(at, at + len(name)) for t in conditions if (at := lower.find(name := t.targets[0].words.lower())) >= 0]
        rest = [lower[a:b] for a, b in _unread(lower, read)] if " or " in lower else []
        halves = any(len(member.split()) < _LEAST_WORDS or re.search(r"\d", member) for member in rest)
        parts = [] if halves else [*parts, *(Opaque(_clean(member)) for member in rest)]
    if parts:
        yield _one(parts, every=behind and " and " in lower and " or " not in lower), start, end
    elif re.search(r"[a-z]{3}", lower) and lower not in _EVERYONE:
        yield Opaque(_clean(words if head in ("patient", "patients") else f"{words} {head}")), start, end


def _unread(lower: str, read: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The members of a list that none of the places read touches."""
    for member in _MEMBER.finditer(lower):
        lead = _JOINT.match(member[0])
        a, b = member.start() + (lead.end() if lead else 0), member.end()
        if b - a >= _SHORTEST and not any(a < until and at < b for at, until in read):
            yield a, b


def _axes(lower: str) -> tuple[list[Guard], list[tuple[int, int]]]:
    """The leaves on organ function, pregnancy and age that words hold, with the places they stand on."""
    parts: list[Guard] = []
    read: list[tuple[int, int]] = []
    for pattern, axis in ((_RENAL, Axis.RENAL), (_HEPATIC, Axis.HEPATIC), (_PREGNANT, Axis.PREGNANCY), (_OLD, Axis.AGE)):
        found = list(pattern.finditer(lower))
        read += [m.span() for m in found]
        if found and axis in (Axis.RENAL, Axis.HEPATIC):
            values = [v for m in found for v in _levels("end" if m.groupdict().get("esrd") else m["level"], esrd=axis is Axis.RENAL)]
            parts.append(Category(axis, tuple(dict.fromkeys(values))))
        elif found:
            parts.append(_aged(found[0][0]) if axis is Axis.AGE else Category(axis, ("yes",)))
    return parts, read


def _aged(word: str) -> Interval:
    """The age that a word for the aged means."""
    return Interval(Axis.AGE, _AGED, None, "a", term=word)


def _condition(thing: Thing, lower: str) -> Guard:
    target = thing.targets[0]
    if re.search(r"\bhistory\b|\bprior\b|\bprevious", lower):
        return HasCondition(target.id, target.words, ConditionState.HISTORY)
    return HasCondition(target.id, target.words, ConditionState.RECENT if "recent" in lower else ConditionState.ACTIVE)


def _one(parts: list[Guard], *, every: bool) -> Guard:
    """All of the parts where the words ask for every one, else any of them."""
    parts = list(dict.fromkeys(parts))
    if len(parts) == 1:
        return parts[0]
    if not every or any(isinstance(p, HasCondition) for p in parts):
        return AnyOf(tuple(parts))
    guard: Guard | None = None
    for part in parts:
        guard = both(guard, part)
    return guard or parts[0]


def _also(sentence: str, at: int, things: Sequence[Thing]) -> tuple[list[Guard], int]:
    """The further members of a list of people that a sentence opens with ("..., volume-depleted, or have renal impairment, "); none in a list of drugs."""
    more = _ALSO.match(sentence, at)
    if more is None:
        return [], at
    out: list[Guard] = []
    for member in _MEMBER.finditer(_BRACKETED.sub("", more[0])):
        words = _ALSO_LEAD.sub("", _JOINT.sub("", member[0], count=1), count=1).strip()
        if len(words) < _SHORTEST:
            continue
        lower = words.lower()
        named = [t for t in things if t.targets[0].words and t.targets[0].words.lower() in lower]
        if any(t.kind is Kind.PARTNER for t in named):
            return [], at
        parts = _axes(lower)[0] or [_condition(t, lower) for t in named if t.type == EntityType.CONDITION]
        out.append(_one(parts, every=False) if parts else Opaque(_clean(words)))
    return out, more.end()


def _levels(level: str | None, *, esrd: bool) -> tuple[str, ...]:
    word = (level or "").lower()
    if "end" in word:
        return ("esrd",)
    if word == "mild":
        return ("mild",)
    if word.startswith("mild"):
        return ("mild", "moderate")
    if word == "moderate":
        return ("moderate",)
    tail = ("esrd",) if esrd else ()
    if word.startswith("moderate"):
        return ("moderate", "severe", *tail)
    return ("severe", *tail) if word.startswith("severe") else ("mild", "moderate", "severe", *tail)


def _clean(words: str) -> str:
    return re.sub(r"\s+", " ", words).strip(" ,.;:")
