"""The conditions that a sentence puts on what it says, as guards.

What an axis holds becomes a leaf on it; what none holds becomes `Opaque` with the label's words. Nothing that restricts is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kb_builder.propose.frames import frame_book
from kb_builder.propose.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState
from ontology.model.guards import AnyOf, Category, Exposure, Guard, HasCondition, Interval, Opaque, both
from ontology.model.identifiers import EntityId
from ontology.text.amounts import find_bounds, find_doses, find_windows

_PEOPLE = re.compile(
    r"\b(?:in|for|to|among|if|when)\s+(?:the\s+)?(?P<mod>(?:(?!patients?\b|subjects\b|in\b|with\b)[\w'/-]+\s+){0,6}?)(?P<head>patients?|subjects|individuals|persons|people|women|men|females|males|children|infants|neonates|newborns|adolescents|adults|elderly)\b"
    r"(?:\s+(?P<link>with|who have|having|who are|whose|undergoing|requiring|at (?:increased |high )?risk (?:of|for)|on|receiving|taking|treated with|using|who|in|previously)\s+(?P<tail>[^.;()\x01]{2,140}))?",
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
    ]
)
_TAIL_END = re.compile(
    r",\s|\s+(?:should|must|may|can|could|will|is|are|was|were|has|have|because|due to|unless|during|when|while|for signs|for the|and monitor|and adjust|concomitantly|concurrently|to avoid|avoid|monitor|reduce|if|since|after|before|prior|within|receiving|taking)\b|\s+or\s+(?:in\s+)?(?:patients|those)\b|\s+and\s+(?:in\s+)?(?:patients|those)\b"
)
_ALTERNATIVE = re.compile(r"\b(?:or|and)\s+(?:in\s+|for\s+)?(?:those|patients|individuals|who)\b[^.;]*$", re.IGNORECASE)
_EXPOSED = re.compile(
    r"\b(?:receiving|taking|treated|on|using|given|currently|concomitant\w*|concurrent\w*|prescribed|co-?administ\w*|stabilized|maintained)\b", re.IGNORECASE
)
_CLAUSAL = re.compile(
    r"\b(?:are|is|be|was|were|to|administered|given|drugs?|withdrawn|monitor|decided|known|history|use|treatment|avoid|should|may|used|taken|risk|effects?|of)\b",
    re.IGNORECASE,
)
_HEALTHY = re.compile(r"\b(?:healthy|volunteers?|participants|study|trial)\b", re.IGNORECASE)
_RENAL = re.compile(
    r"\b(?:(?P<level>mild(?: to moderate)?|moderate(?: to severe| or severe)?|severe|severely|end[- ]stage)\s+)?(?:renal(?:ly)?|kidney)\s+(?:(?:or|and|and/or)\s+hepatic\s+)?(?:impairment|impaired|insufficiency|failure|dysfunction|disease|function)|(?:impaired|reduced|decreased|compromised)\s+(?:renal|kidney)\s+function",
    re.IGNORECASE,
)
_HEPATIC = re.compile(
    r"\b(?:(?P<level>mild(?: to moderate)?|moderate(?: to severe| or severe)?|severe|severely)\s+)?(?:hepatic(?:ally)?|liver)\s+(?:(?:or|and|and/or)\s+(?:renal|kidney)\s+)?(?:impairment|impaired|insufficiency|failure|dysfunction|disease|function)|(?:impaired|reduced|decreased|compromised)\s+(?:hepatic|liver)\s+function",
    re.IGNORECASE,
)
_NORMAL = re.compile(r"\bnormal\s+(?:renal|kidney|hepatic|liver)", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"\b(?P<word>unless|except(?:\s+(?:for|in|when|during|where|with|as))?)\s+(?:[^.;\x01)]|\.(?=g\.|e\.|,)|(?<=[eg])\.){3,160}", re.IGNORECASE
)
_PHASE = re.compile(
    r"\b(?:at|during|upon)\s+(?:the\s+)?(?:initiation|ramp-?up|titration|induction|maintenance|up-?titration)\b(?:[^.;,()]{0,40}\bphases?\b)?", re.IGNORECASE
)
_WHERE = re.compile(r"\b(?:where|for which|in which|with which)\s+(?:minimal|minor|small|increased|elevated|decreased)[^.,;()\x01]{5,140}", re.IGNORECASE)
_CLAUSE = re.compile(r"^\s*(?:if|when|whenever|where|in the event(?: that)?)\s+(?P<body>[^,.;]{4,160}),", re.IGNORECASE)
_CO_USE = re.compile(
    r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|combin\w*|together|simultaneous\w*|unavoidable|avoided|necessary|needed|required|used|taken|given|initiat\w*|start\w*|stop\w*|add\w*|discontinu\w*|prescrib\w*|receiv\w*|use|administer\w*|withdrawn?|chang\w*|treat\w*)\b",
    re.IGNORECASE,
)
_STOPPING = re.compile(
    r"^\s*(?:of|after|following|before|prior to|from)\s+(?:\w+\s+){0,3}?(?:stopping|discontinu\w+|the last dose|last dose|withdrawal|cessation|completing|completion|treatment|therapy|starting|initiat\w+|use|administration|switching|taking|receiving)",
    re.IGNORECASE,
)
_STOPPED_BEFORE = re.compile(r"(?:have|has|had|been|received|taken|taking|used|stopped|discontinued|treated)\b[^.;]{0,80}$|\b(?:or|or have)\s*$", re.IGNORECASE)
_BRACKET = re.compile(r"^\s*\((?P<inside>[^()]{1,60})\)")
_DOSE_WORDS = re.compile(
    r"\b(?:(?:high|higher|large|larger|low|lower|lipid[- ]modifying|therapeutic|anti-?inflammatory|chronic|long-term|excessive|immunosuppressive)\s+(?:daily\s+)?(?:dos(?:e|es|age|ages)|amounts?|use)(?:\s+of)?)\s+$",
    re.IGNORECASE,
)
_ROUTES = {
    "iv": "intravenous",
    "intravenous": "intravenous",
    "oral": "oral",
    "topical": "topical",
    "intravaginal": "vaginal",
    "vaginal": "vaginal",
    "inhaled": "inhalation",
    "ophthalmic": "ophthalmic",
    "intramuscular": "intramuscular",
    "parenteral": "parenteral",
}


@dataclass(frozen=True, slots=True)
class Restriction:
    """A guard and the words it stands on, `[start, end)` of the folded text."""

    guard: Guard
    start: int
    end: int


def restrictions(text: str, start: int, end: int, things: Sequence[Thing]) -> list[Restriction]:
    """The conditions on the patient that a sentence `[start, end)` states. `things` are those it names."""
    sentence = text[start:end]
    out = [Restriction(b.interval, start + b.start, start + b.end) for b in find_bounds(sentence)]
    out += _people(sentence, start, things)
    out += _exceptions(sentence, start)
    out += [Restriction(Opaque(_clean(m[0])), start + m.start(), start + m.end()) for p in (_PHASE, _WHERE) for m in p.finditer(sentence)]
    clause = _CLAUSE.match(sentence)
    if clause is not None and not _CO_USE.search(clause["body"]) and not any(t.kind is Kind.PARTNER and t.start < start + clause.end() for t in things):
        out.append(Restriction(Opaque(_clean(clause["body"])), start + clause.start("body"), start + clause.end("body")))
    return _distinct(out)


def stop_window(text: str, start: int, end: int, target: EntityId) -> Restriction | None:
    """The guard of "taking, or within 14 days of stopping": exposure now or until so many days ago, or None without a window."""
    sentence = text[start:end]
    for window in find_windows(sentence):
        if _STOPPING.match(sentence[window.end :]) is None and _STOPPED_BEFORE.search(sentence[: window.start]) is None:
            continue
        if window.days < Decimal("0.01"):
            continue
        guard = AnyOf((Exposure(target), Exposure(target, state=ExposureState.STOPPED_WITHIN, within_days=window.days)))
        return Restriction(guard, start + window.start, start + window.end)
    return None


def exposure(text: str, thing: Thing, target: EntityId) -> Restriction | None:
    """The dose or route that the words around a partner restrict it to ("furosemide (> 80 mg IV)", "high doses of niacin"), or None."""
    bracket = _BRACKET.match(text[thing.end : thing.end + 80])
    if bracket is not None:
        inside = bracket["inside"]
        doses = find_doses(inside)
        route = next((_ROUTES[w] for w in re.findall(r"[a-z]+", inside.lower()) if w in _ROUTES), None)
        at = thing.end + bracket.start("inside")
        if doses:
            d = doses[0]
            bounds = DoseBounds(d.low, d.high, d.unit, d.low_open, d.high_open, d.per)
            return Restriction(Exposure(target, dose=bounds, route=route), at, at + len(inside))
        if route is not None and len(inside.split()) <= 2:
            return Restriction(Exposure(target, route=route), at, at + len(inside))
    trailing = find_doses(text[thing.end : thing.end + 24])
    if trailing and trailing[0].start <= 1:
        d = trailing[0]
        return Restriction(Exposure(target, dose=DoseBounds(d.low, d.high, d.unit, d.low_open, d.high_open, d.per)), thing.end + d.start, thing.end + d.end)
    before = _DOSE_WORDS.search(text[max(0, thing.start - 50) : thing.start])
    if before is not None:
        at = max(0, thing.start - 50) + before.start()
        return Restriction(Opaque(_clean(text[at : thing.end])), at, thing.end)
    return None


def not_alternative(text: str, found: Sequence[Restriction], thing: Thing) -> list[Restriction]:
    """The restrictions without those that are the other branch of an "or" ("in patients with X, or patients taking the drug")."""
    return [r for r in found if r.end > thing.start or _ALTERNATIVE.search(text[r.end : thing.start]) is None]


def joined(found: Sequence[Restriction]) -> Guard | None:
    """The conjunction of restrictions, None for none."""
    guard: Guard | None = None
    for one in found:
        guard = both(guard, one.guard)
    return guard


def _people(sentence: str, start: int, things: Sequence[Thing]) -> Iterator[Restriction]:
    for m in _PEOPLE.finditer(sentence):
        if _HEALTHY.search(m[0]) or _CLAUSAL.search(m["mod"]):
            continue
        head = m["head"].lower()
        tail = m["tail"] or ""
        stop = _TAIL_END.search(tail)
        tail = tail[: stop.start()] if stop else tail
        end = (m.start("tail") + len(tail)) if m["tail"] else m.end("head")
        words = [w for w in re.findall(r"[\w'/-]+", m["mod"]) if w.lower() not in _EMPTY_MODIFIERS]
        at, until = start + m.start(), start + end
        yield from _of_head(head, at, until)
        if words and not any(t.kind is Kind.PARTNER and start + m.start("mod") <= t.start < start + m.end("mod") for t in things):
            yield from _of_words(" ".join(words), start + m.start("mod"), start + m.start("head"), things, head)
        if tail and not _EXPOSED.match(m["link"] or "") and not any(t.kind is Kind.PARTNER and start + m.start("tail") <= t.start < until for t in things):
            yield from _of_words(tail, start + m.start("tail"), until, things, head)
        elif tail and re.search(r"\d", tail) and any(t.own and start + m.start("tail") <= t.start < until + 40 for t in things):
            yield Restriction(Opaque(_clean(f"{m['link']} {tail}")), start + m.start("link"), until)


def _of_head(head: str, start: int, end: int) -> Iterator[Restriction]:
    if head in ("women", "females"):
        yield Restriction(Category(Axis.SEX, ("female",)), start, end)
    elif head in ("men", "males"):
        yield Restriction(Category(Axis.SEX, ("male",)), start, end)
    elif head == "elderly":
        yield Restriction(Interval(Axis.AGE, Decimal(65), None, "a"), start, end)
    elif head in ("children", "infants", "neonates", "newborns", "adolescents"):
        yield Restriction(Opaque(f"in {head}"), start, end)


def _of_words(words: str, start: int, end: int, things: Sequence[Thing], head: str) -> Iterator[Restriction]:
    """The guard of the words before or behind "patients": organ function, pregnancy, age, conditions, else opaque."""
    lower = words.lower()
    if find_bounds(words):
        return
    if _NORMAL.search(lower):
        yield Restriction(Opaque(_clean(words)), start, end)
        return
    parts: list[Guard] = []
    if (m := _RENAL.search(lower)) is not None:
        parts.append(Category(Axis.RENAL, _levels(m["level"], esrd=True)))
    if (m := _HEPATIC.search(lower)) is not None:
        parts.append(Category(Axis.HEPATIC, _levels(m["level"], esrd=False)))
    if re.search(r"\bpregnan", lower):
        parts.append(Category(Axis.PREGNANCY, ("yes",)))
    if re.search(r"\b(?:elderly|geriatric)\b", lower):
        parts.append(Interval(Axis.AGE, Decimal(65), None, "a"))
    conditions = [t for t in things if t.kind is Kind.STATE and t.type == EntityType.CONDITION and start <= t.start < end]
    if not parts and conditions:
        state = (
            ConditionState.HISTORY
            if re.search(r"\bhistory\b|\bprior\b|\bprevious", lower)
            else ConditionState.RECENT
            if "recent" in lower
            else ConditionState.ACTIVE
        )
        parts += [HasCondition(t.targets[0].id, t.targets[0].words, state) for t in conditions]
    if parts:
        joined_by_and = len(parts) > 1 and " and " in lower and " or " not in lower and not any(isinstance(p, HasCondition) for p in parts)
        guard: Guard | None = parts[0] if len(parts) == 1 else None
        for part in parts if joined_by_and else ():
            guard = both(guard, part)
        yield Restriction(guard or AnyOf(tuple(parts)), start, end)
    elif re.search(r"[a-z]{3}", lower) and lower not in ("adult", "adults", "pediatric and adult"):
        yield Restriction(Opaque(_clean(words if head in ("patient", "patients") else f"{words} {head}")), start, end)


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


def _exceptions(sentence: str, start: int) -> Iterator[Restriction]:
    judged = [m.span() for m in frame_book().judgement.finditer(sentence.lower())]
    for m in _EXCEPTION.finditer(sentence):
        if not any(s <= m.start() < e for s, e in judged):
            yield Restriction(Opaque(_clean(m[0])), start + m.start(), start + m.end())


def _distinct(found: list[Restriction]) -> list[Restriction]:
    """Restrictions in order, without those whose words lie within an earlier one of an axis, and without doubles."""
    out: list[Restriction] = []
    for one in found:
        inside = any(o.start <= one.start and one.end <= o.end for o in out)
        if any(o.guard == one.guard for o in out) or (inside and isinstance(one.guard, Opaque)):
            continue
        out.append(one)
    return out


def _clean(words: str) -> str:
    return re.sub(r"\s+", " ", words).strip(" ,.;:")
