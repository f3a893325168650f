"""The conditions that a sentence puts on what it says, as guards.

What an axis holds becomes a leaf on it; what none holds becomes `Opaque` with the label's words. Nothing that restricts is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kb_builder.propose.conditions.people import find_people
from kb_builder.propose.reading.frames import frame_book
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import Entity, EntityType
from ontology.model.facts import DoseBounds, ExposureState, Whose
from ontology.model.guards import AnyOf, Exposure, Guard, Opaque, both
from ontology.model.identifiers import EntityId
from ontology.text.amounts import find_doses, find_windows
from ontology.text.bounds import find_bounds
from ontology.text.sought import sought

_ALTERNATIVE = re.compile(
    r"(?:\b(?:and/or|or|and)\s+(?:(?:in\s+|for\s+)?(?:those|patients|individuals|persons|who)|in combination|when (?:used|given|taken))|\bor\s+(?:by\s+)?(?:concurrent|concomitant)\s+(?:administration|use|treatment|therapy)|,\s+who\s+(?:are\s+)?(?:taking|receiving|on))\b(?:[^.;]|(?<=[eg])\.)*$",
    re.IGNORECASE,
)
_LAST_OF_LIST = re.compile(r"[^.;()]*,?\s+or\s+(?:prior\s+|chronic\s+)?", re.IGNORECASE)
_TAKEN = re.compile(r"\s+(?:use|therapy|treatment)\b", re.IGNORECASE)
"""An exposure as the last member of a list of states ("with bleeding diatheses, thrombocytopenia, or anticoagulant use"): the states are its alternatives."""
_EXCEPTION = re.compile(
    r"\b(?P<word>unless|except(?:\s+(?:for|in|when|during|where|with|as))?)\s+(?:[^.;\x01)]|\.(?=g\.|e\.|,)|(?<=[eg])\.){3,160}(?!\w)", re.IGNORECASE
)
_PHASE = re.compile(
    r"\b(?:at|during|upon)\s+(?:the\s+)?(?:initiation|ramp-?up|titration|induction|maintenance|up-?titration)\b(?:[^.;,()]{0,40}\bphases?\b)?", re.IGNORECASE
)
_WHERE = sought(r"\b(?:where|for which|in which|with which)\s+(?:minimal|minor|small|increased|elevated|decreased)[^.,;()\x01]{5,140}", re.IGNORECASE)
_LASTING = sought(
    r"\bfor\s+(?:more|longer|less|fewer|greater)\s+than\s+\w+\s+(?:consecutive\s+)?(?:days?|weeks?|months?)\b(?!\s+(?:after|before|prior|following|until|to))",
    re.IGNORECASE,
)
_WHOM = sought(r"\b(?:in|for)\s+whom\s+[^.,;()\x01]{5,140}(?!\w)", re.IGNORECASE)
AT_DOSES = sought(
    r"\bat\s+(?:\w+\s+){0,3}?(?:doses?|dosages?)\s+(?:of\s+)?(?:(?:above|greater|higher|more|exceeding|over|in excess|below|less|lower)\b|[≥≤<>])(?:[^.;,()\x01]|(?<=\d)[.,](?=\d)){1,60}",
    re.IGNORECASE,
)
_RESERVED = re.compile(r"\breserved?\b", re.IGNORECASE)  # whom the use is reserved for is whom the advice against it spares
_CLAUSE = re.compile(r"^\s*(?:if|when|whenever|where|in the event(?: that)?)\s+(?P<body>(?:[^,.;]|(?<=\d)[,.](?=\d)){4,160}),(?!\d)", re.IGNORECASE)
_CO_USE = re.compile(
    r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|combin\w*|together|simultaneous\w*|unavoidable|avoided|necessary|needed|required|used|taken|given|initiat\w*|start\w*|stop\w*|add\w*|discontinu\w*|prescrib\w*|receiv\w*|use|administer\w*|withdrawn?|chang\w*|treat\w*)\b",
    re.IGNORECASE,
)
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_STOPPING = re.compile(
    r"^\s*(?:of|after|following|before|prior to|from)\s+(?:\w+\s+){0,3}?(?:stopping|discontinu\w+|the last dose|last dose|withdrawal|cessation|completing|completion|treatment|therapy|starting|initiat\w+|use|administration|switching|taking|receiving)",
    re.IGNORECASE,
)
_STOPPED_BEFORE = re.compile(r"(?:have|has|had|been|received|taken|taking|used|stopped|discontinued|treated)\b[^.;]{0,80}$|\b(?:or|or have)\s*$", re.IGNORECASE)
_STOPPED = re.compile(
    r"^\s*(?:of|after|following)\s+(?:\w+\s+){0,3}?(?:stopping|discontinu\w+|the last dose|last dose|withdrawal|cessation|completing|completion|treatment)",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\bduring\b[^.;,]{0,40}\band\s+for\s+(?:at least\s+)?(?P<window>\w+\s+(?:hours?|days?|weeks?|months?))\s+(?:after|following)\s+(?:(?:the\s+)?(?:last|final)\s+dose|treatment|therapy|stopping|discontinu\w+|completi\w+|\w+\s+(?:treatment|therapy))",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"^\s*\((?P<inside>[^()]{1,60})\)")
_DOSE_WORDS = re.compile(
    r"\b(?:(?:high|higher|large|larger|low|lower|lipid[- ]modifying|therapeutic|anti-?inflammatory|chronic|long-term|excessive|immunosuppressive)[ -](?:daily\s+)?(?:dos(?:e|es|age|ages)|amounts?|use)(?:\s+of)?)\s+$",
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
    """A guard and the words it stands on, `[start, end)` of the folded text; `entities` are those of its leaves that the label's words alone name."""

    guard: Guard
    start: int
    end: int
    entities: tuple[Entity, ...] = ()


def restrictions(text: str, start: int, end: int, things: Sequence[Thing]) -> list[Restriction]:
    """The conditions on the patient that a sentence `[start, end)` states. `things` are those it names."""
    sentence = text[start:end]
    out = [Restriction(b.interval, start + b.start, start + b.end) for b in find_bounds(sentence)]
    reserved = m.start() if (m := _RESERVED.search(sentence)) is not None else len(sentence)
    out += [Restriction(*found) for found in find_people(sentence[:reserved], start, things)]
    out += _exceptions(sentence, start)
    out += [
        Restriction(Opaque(_clean(m[0])), start + m.start(), start + m.end())
        for p in (_PHASE, _WHERE, AT_DOSES, _LASTING)
        for m in p.finditer(sentence[:reserved])
    ]
    whom = [m for m in _WHOM.finditer(sentence[:reserved]) if not any(r.start <= start + m.start() < r.end for r in out)]
    if whom:
        at, until = whom[0].start(), whom[-1].end()
        out.append(Restriction(Opaque(_clean(sentence[at:until])), start + at, start + until))
    clause = _CLAUSE.match(sentence)
    if (
        clause is not None
        and frame_book().judgement.match(clause[0].lower().strip()) is None
        and (_CO_USE.search(clause["body"]) is None or find_doses(clause["body"]))
        and not any(t.kind is Kind.PARTNER and (not t.own or t.type in _GROUPS) and t.start < start + clause.end() for t in things)
    ):
        body = (start + clause.start("body"), start + clause.end("body"))
        out = [r for r in out if not (isinstance(r.guard, Opaque) and body[0] <= r.start and r.end <= body[1])]
        out.append(Restriction(Opaque(_clean(clause["body"])), *body))
    return _distinct(out)


def stop_window(text: str, start: int, end: int, target: EntityId, things: Sequence[Thing]) -> Restriction | None:
    """The guard of "taking, or within 14 days of stopping": exposure now or until so many days ago, or None without a window of the target.

    The window is of the drugs named behind it; where the product itself is (or "during and for 2 weeks after"), the patient's own use is meant.
    """
    sentence = text[start:end]
    own = next((t.targets[0].id for t in things if t.own and t.type not in _GROUPS), None)
    afterwards = _AFTERWARDS.search(sentence)
    if afterwards is not None and own is not None:
        days = next((w.days for w in find_windows(f"within {afterwards['window']}")), None)
        if days is not None and not any(not t.own for t in _named_behind(text, start + afterwards.end(), end, things)):
            return Restriction(_now_or_within(own, days, Whose.SUBJECT), start + afterwards.start(), start + afterwards.end())
    for window in find_windows(sentence):
        if _STOPPING.match(sentence[window.end :]) is None and _STOPPED_BEFORE.search(sentence[: window.start]) is None:
            continue
        if window.days < Decimal("0.01"):
            continue
        place = (start + window.start, start + window.end)
        behind = _named_behind(text, place[1], end, things)
        if any(t.own for t in behind[:1]) and own is not None and _STOPPED.match(sentence[window.end :]):
            return Restriction(_now_or_within(own, window.days, Whose.SUBJECT), *place)
        others = [t for t in behind if not t.own]
        if others and not any(target in t.ids for t in others):
            continue
        return Restriction(_now_or_within(target, window.days, Whose.PARTNER), *place)
    return None


def _now_or_within(drug: EntityId, days: Decimal, whose: Whose) -> Guard:
    return AnyOf((Exposure(drug, whose=whose), Exposure(drug, whose=whose, state=ExposureState.STOPPED_WITHIN, within_days=days)))


def _named_behind(text: str, at: int, end: int, things: Sequence[Thing]) -> list[Thing]:
    """The drugs named behind a window in the same clause, as far as a list goes on."""
    stop = re.search(r"[.;]\s|[.;]$", text[at:end])
    until = at + stop.start() if stop is not None else end
    return [t for t in things if t.kind is Kind.PARTNER and at <= t.start < until]


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
    """The restrictions without those that are the other branch of an "or" ("in patients with X, or patients taking the drug"); exceptions hold for both."""
    return [r for r in found if r.end > thing.start or _EXCEPTION.match(text, r.start) or not _is_alternative(text, r, thing)]


def _is_alternative(text: str, found: Restriction, thing: Thing) -> bool:
    between = text[found.end : thing.start]
    return _ALTERNATIVE.search(between) is not None or (_TAKEN.match(text, thing.end) is not None and _LAST_OF_LIST.fullmatch(between) is not None)


def joined(found: Sequence[Restriction]) -> Guard | None:
    """The conjunction of restrictions, None for none."""
    guard: Guard | None = None
    for one in found:
        guard = both(guard, one.guard)
    return guard


def _exceptions(sentence: str, start: int) -> Iterator[Restriction]:
    judged = [m.span() for m in frame_book().judgement.finditer(sentence.lower())]
    for m in _EXCEPTION.finditer(sentence):
        if any(s <= m.start() < e for s, e in judged):
            continue
        words = m[0] if sentence[: m.start()].strip() else m[0].split(", ")[0]
        yield Restriction(Opaque(_clean(words)), start + m.start(), start + m.start() + len(words))


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
