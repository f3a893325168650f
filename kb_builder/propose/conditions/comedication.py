"""What the patient takes beside the product, or took of the product itself, as a condition ("in patients taking strong CYP3A inhibitors other than ketoconazole").

A drug counts only where the words before it say that it is taken; what a bracket lists as examples of a class, and what is named with "with or
without", restricts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction, exposure
from kb_builder.propose.reading.things import Kind, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import DoseBounds, ExposureState, Whose
from ontology.model.guards import AllOf, AnyOf, Exposure, Guard, Not, Opaque
from ontology.model.quantities import Unit
from ontology.text.sought import sought

_TAKES = re.compile(
    r"\b(?:tak(?:e|es|ing|en)|receiv(?:e|es|ing|ed)|on|us(?:ing|ed|e of)|treated|given|administered|co-?\s?administ\w*|concomitant\w*|concurrent\w*|combin\w+|together|simultaneous\w*|adjunct\w*|add(?:ed|ing)|along|with|therapy|treatment|plus|prescribed|stabilized|maintained)\b"
    r"(?:[^.;]|\.(?=\d))*$",
    re.IGNORECASE,
)
_NOT_TAKEN = re.compile(
    r"\b(?:not|without|no|never|neither|nor|absence of)\s+(?:(?:currently|concomitant\w*|concurrent\w*|already|also|been|otherwise)\s+)*(?:(?:taking|receiving|using|on|treated with|given|being treated with|use of|administ\w+|a|an|any|the)\s+)*(?:of\s+|with\s+)?(?:an?\s+|any\s+|the\s+)?$",
    re.IGNORECASE,
)
_NO_USE = re.compile(
    r"\b(?:hypersensitiv\w+|allerg\w+|reactions?|intoleran\w+|intolerant|refractory|resistan\w+|respon\w+|fail\w*|inadequate\w*|levels?|concentrations?|clearance|switch\w*|convert\w*|transition\w*|instead|than|compared|like|similar)\b[^.;,]{0,60}$",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(r"\b(?:other than|except(?:ing)?(?:\s+for)?|excluding|with the exception of|but not)\s+(?:the\s+|for\s+)?$", re.IGNORECASE)
_EXAMPLES = re.compile(
    r"[(\[]\s*(?:e\.?g\.?,?|i\.?e\.?,?|such as|including|for example,?|like)?[^()\[\]]*$|\b(?:such as|including|for example|e\.g\.,?)\s[^.;()]*$", re.IGNORECASE
)
_CHAIN = re.compile(
    r"^(?P<bracket>\s*[(\[][^()\[\]]*[)\]])?[\s,/&]*(?:\b(?P<word>and/or|and|or|plus|nor|as well as)\b)?\s*(?:(?:with|either|both|the|other|another|an?|concomitant|oral|systemic|of)\s+)*$",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:together\s+)?with\s+(?:(?:an?|the|concomitant)\s+)*", re.IGNORECASE)
"""Between two drugs of which both are taken ("strong CYP2D6 inhibitors with strong CYP3A4 inhibitors")."""
_BEFORE_USE = re.compile(
    r"\b(?:previous(?:ly)?|prior|formerly|history of|ever|in the past|have received|had received|pre-?treated|failed)\b[^.;,]{0,70}$", re.IGNORECASE
)
_OWN_USE = re.compile(
    r"\b(?:(?P<past>have (?:previously )?(?:been )?(?:tak\w+|receiv\w+|treated|used)|had (?:been )?(?:tak\w+|receiv\w+)|previous(?:ly)?\s+(?:\w+\s+){0,3}?(?:tak\w+|receiv\w+|treated|used|tolerat\w+|exposed)|prior(?:\s+\w+){0,3}?)|(?P<now>already|currently|chronically|stabilized|maintained|taking|receiving|tolerating|on|treated|initiate|initiating))\b[^.;]{0,80}$",
    re.IGNORECASE,
)
_OWN_DOSE = re.compile(
    r"(?P<n>\d+(?:,\d{3})*(?:\.\d+)?)[ -]?(?P<unit>mg|mcg|g|units?)\b(?!\s*/\s*(?:kg|m2))[\s-]*(?P<day>(?:once |twice )?daily|(?:per|a|/)\s*day|/day)?",
    re.IGNORECASE,
)
_WITH_UNKNOWN = sought(
    r"\b(?:(?:in combination|combined|concomitant(?:ly)?|concurrently|co-?administered) with\s+(?:an?\s+|the\s+)?|(?<!in )combination\s+(?=chemotherapy regimen))(?P<name>(?!(?:or|other|another|this|these|those|the|an?|its?|without|food|use|and|chemotherapy or)\b)[a-z][\w-]{3,}(?:[\s-]+(?:based|containing|chemotherapy|therapy|regimens?|agents?|drugs?|inhibitors?|vaccines?)){0,3})(?=\s*(?:[.,;:)]|$|\b(?:and|or|for|in|is|are|until|at|on|as|to|followed|every|once|up|during|when|administered|given)\b|\s*\(\d))",
    re.IGNORECASE,
)
_TREATED = re.compile(r"-treated\b", re.IGNORECASE)
"""Behind a drug that the patients named next take."""
_NO_DRUG = re.compile(
    r"\b(?:radiation|radiotherapy|diet|exercise|surgery|food|meals?|water|psychotherapy|counsel\w*|phototherapy|dialysis|transfusions?|patients?|chemoradi\w+)\b",
    re.IGNORECASE,
)
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_NEAR = 160


@dataclass(frozen=True, slots=True)
class _Taken:
    thing: Thing
    guard: Guard
    start: int
    end: int
    joint: str | None  # the word before it in its list


def find_comedication(text: str, start: int, end: int, things: Sequence[Thing], *, assumed: bool) -> Iterator[Restriction]:
    """The exposures that `[start, end)` of folded text asks for or rules out, one restriction a list of drugs. `assumed`: named is taken, as in a cell."""
    run: list[_Taken] = []
    negated = False
    denied: re.Match[str] | None = None
    for thing in things:
        if thing.kind is not Kind.PARTNER or thing.start < start or thing.end > end:
            continue
        before = text[max(start, thing.start - _NEAR) : thing.start]
        if thing.own:
            if run:
                yield _listed(run, negated=negated)
                run = []
            yield from _own(text, start, end, thing)
            continue
        chain = _CHAIN.match(text[run[-1].end : thing.start]) if run else None
        if run and _EXCLUDES.search(text[run[-1].end : thing.start]):
            run[-1] = _without(run[-1], thing)
            continue
        if run and run[-1].thing.type in _GROUPS and chain is None and _EXAMPLES.search(text[run[-1].end : thing.start]):
            continue
        if chain is None or not run:
            if run:
                yield _listed(run, negated=negated)
                run = []
            treated = _TREATED.match(text, thing.end, end)
            if _NO_USE.search(before) or (not assumed and treated is None and _TAKES.search(before) is None):
                continue
            denied = _NOT_TAKEN.search(before)
            negated = denied is not None
        one = _taken(text, thing, before, (chain["word"] or ("plus" if _BESIDE.fullmatch(chain[0]) else None)) if chain else None)
        if not run and denied is not None:
            one = replace(one, start=thing.start - len(before) + denied.start())
        run.append(one)
    if run:
        yield _listed(run, negated=negated)
    yield from _unknown_partners(text, start, end, things)


def _unknown_partners(text: str, start: int, end: int, things: Sequence[Thing]) -> Iterator[Restriction]:
    """What stands right behind "in combination with" and is on no list of names: the label's words name it."""
    for m in _WITH_UNKNOWN.finditer(text, start, end):
        at, until = m.span("name")
        if any(t.start < until and at < t.end for t in things) or _NO_DRUG.search(m["name"]):
            continue
        target = uncoded(EntityType.DRUG_CLASS, m["name"])
        guard = Exposure(target.id)
        yield Restriction(guard, at, until, (target.entity,) if target.entity is not None else ())


def _taken(text: str, thing: Thing, before: str, joint: str | None) -> _Taken:
    past = _BEFORE_USE.search(before) is not None
    state = ExposureState.EVER if past else ExposureState.CURRENT
    parts: list[Guard] = [Exposure(t.id, state=state) for t in thing.targets]
    guard = parts[0] if len(parts) == 1 else (AllOf(tuple(parts)) if thing.joint else AnyOf(tuple(parts)))
    start, end = thing.start, thing.end
    narrowed = exposure(text, thing, thing.targets[0].id) if len(parts) == 1 and not past else None
    if narrowed is not None:
        guard = narrowed.guard if isinstance(narrowed.guard, Exposure) else AllOf((guard, narrowed.guard))
        start, end = min(start, narrowed.start), max(end, narrowed.end)
    return _Taken(thing, guard, start, end, joint)


def _without(taken: _Taken, thing: Thing) -> _Taken:
    """The member without what "other than" takes out."""
    minus = tuple(t.id for t in thing.targets)

    def less(guard: Guard) -> Guard:
        if isinstance(guard, Exposure):
            return Exposure(guard.target, (*guard.minus, *minus), guard.whose, guard.state, guard.within_days, guard.dose, guard.route)
        if isinstance(guard, AnyOf | AllOf):
            return type(guard)(tuple(less(p) for p in guard.parts))
        return guard

    return _Taken(taken.thing, less(taken.guard), taken.start, thing.end, taken.joint)


def _listed(run: Sequence[_Taken], *, negated: bool) -> Restriction:
    """A list of drugs as one restriction: all of them where "and" joins the last one, else any."""
    words = [t.joint.lower() for t in run[1:] if t.joint]
    every = bool(words) and all(w in ("and", "plus", "as well as") for w in words)
    parts = tuple(dict.fromkeys(t.guard for t in run))
    guard: Guard = parts[0] if len(parts) == 1 else AllOf(parts) if every and not negated else AnyOf(parts)
    entities = tuple(dict.fromkeys(t.entity for taken in run for t in taken.thing.targets if t.entity is not None))
    return Restriction(Not(guard) if negated else guard, run[0].start, run[-1].end, entities)


def _own(text: str, start: int, end: int, thing: Thing) -> Iterator[Restriction]:
    """The patient's own earlier or present use of the product."""
    before = text[max(start, thing.start - _NEAR) : thing.start]
    use = _OWN_USE.search(before)
    if use is None or thing.type in _GROUPS or _NOT_TAKEN.search(before):
        return
    past = use["past"] is not None
    at = thing.start - len(before) + use.start()
    until = min(end, thing.end + 40)
    dose = next((m for m in _OWN_DOSE.finditer(text, at, until)), None)
    unit = Unit.find(dose["unit"].lower()) if dose is not None else None
    if not past and dose is None:
        return
    bounds = None
    if dose is not None and unit is not None:
        amount = Decimal(dose["n"].replace(",", ""))
        daily = (
            dose["day"] is not None
            or re.search(r"\bdaily\b[^.;]{0,20}$", text[at : dose.start()]) is not None
            or re.match(r"[\s\w]{0,12}\bdaily\b", text[dose.end() : until])
        )
        bounds = DoseBounds(amount, amount, unit.code, per="day" if daily else "dose")
    last = max(thing.end, dose.end() if dose is not None else 0)
    yield Restriction(Exposure(thing.targets[0].id, whose=Whose.SUBJECT, state=ExposureState.EVER if past else ExposureState.CURRENT, dose=bounds), at, last)


def opaque(text: str, start: int, end: int) -> Restriction:
    """The words of `[start, end)` as a restriction that only a person can judge."""
    return Restriction(Opaque(" ".join(text[start:end].split()).strip(" ,.;:")), start, end)
