"""The leaves that a stretch of words holds: what each axis reads of it, none overlapping, left to right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from kb_builder.propose.conditions.comedication import find_comedication
from kb_builder.propose.conditions.genotypes import find_genotypes
from kb_builder.propose.conditions.organ_function import find_organ_function
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import Category, HasCondition, Interval, Not, Opaque
from ontology.terms.people import people_words
from ontology.text.bounds import Bound, find_bounds
from ontology.text.sought import sought

_PREMATURE = sought(
    r"\b(?:premature|preterm|pre-term|full-?\s?term|term|low[- ]birth[- ]?weight|critically ill)(?:\s*(?:,|\b(?:and|or|and/or)\b)\s*(?:premature|preterm|full-?\s?term|term|low[- ]birth[- ]?weight))?\s+(?=(?:neonat|infant|newborn))",
    re.IGNORECASE,
)
_SEX = sought(
    r"\b(?P<both>(?:men|women|males|females|boys|girls|male|female)\s+(?:and|or|and/or)\s+(?:men|women|males|females|boys|girls|male|female)\b)|\b(?P<female>women|woman|females?|girls|mothers)\b|\b(?P<male>men|males?|boys)\b",
    re.IGNORECASE,
)
_POTENTIAL = sought(
    r"\b(?:of|with)\s+(?:reproductive|child-?\s?bearing)\s+(?:potential|age)\b|\bwho (?:may|could|can|plan to) become pregnant\b|\bpost-?menopausal\b|\bpre-?/?(?:peri)?menopausal\b",
    re.IGNORECASE,
)
_ANCESTRY = sought(
    r"\b(?P<who>(?:(?:east|south|southeast)[\s/-]+){0,2}asian|chinese|japanese|korean|taiwanese|thai|indian|black|african[- ]american|caucasian|white|hispanic|ashkenazi jewish)s?(?:\s+(?:or|and)\s+(?P<more>asian|chinese|japanese|korean|black|caucasian)s?)?\s+(?=(?:adult |pediatric )?(?:patients?|subjects|individuals|people|persons|ancestry|descent|origin|race|population|women|men|children)\b)(?:ancestry|descent|origin|race)?"
    r"|\b(?:of|with)\s+(?P<of>(?:east |south |southeast )?(?:asian|chinese|japanese|korean|african|black|taiwanese|thai|han chinese|ashkenazi jewish))\s+(?:ancestry|descent|origin|race)",
    re.IGNORECASE,
)
_OPERATED = sought(
    r"\b(?:following|after|undergoing|undergo|undergone)\s+(?:an?\s+|recent\s+)?[a-z]*(?:ectomy|ostomy|otomy|plasty)\b(?:\s*(?:,|\band/or\b|\band\b|\bor\b)\s*[a-z]*(?:ectomy|ostomy|otomy|plasty)\b)*",
    re.IGNORECASE,
)
"""An operation that the patient has or had, with its alternatives."""

_HISTORY = re.compile(r"\b(?:history of|prior(?! to\b)|previous(?:ly)?|past)\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)
_OF_HISTORY = re.compile(r"^(?:(?:a|prior|previous|past|known)\s+)*history of\s+", re.IGNORECASE)
_RECENT = re.compile(r"\brecent(?:ly)?\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:without|no|not|do(?:es)? not have|free of|free from|absence of|non)\b[\s-]*(?:(?:any|known|evidence of|have|having|having had|a|an|the|history of|signs of|concomitant|current|currently|prior|clinical|clinically significant|underlying|other|to have|with|be|are|also)\s+)*$",
    re.IGNORECASE,
)
_EITHER_WAY = sought(
    r"\b(?:with (?:or|and) without|with/without|regardless of|irrespective of|without regard to|whether or not|in combination with other agents,?\s+or as an?|alone or in combination with|alone or with)\s+(?:(?!\b(?:in|for|who|patients|aged|weighing|with)\b)[^.,;:()]){1,80}",
    re.IGNORECASE,
)
_EXAMPLES = sought(r"[(\[]\s*(?:e\.?g\.?|such as|for example|including)\b[^()\[\]]*[)\]]", re.IGNORECASE)
_STATES = (EntityType.CONDITION, EntityType.SYMPTOM)


def indifferent(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches that say that something makes no difference ("with or without food")."""
    return [m.span() for m in _EITHER_WAY.finditer(text, start, end)]


def find_leaves(text: str, start: int, end: int, things: Sequence[Thing], *, hint: Axis | None = None, assumed: bool = False) -> list[Restriction]:
    """The leaves in `[start, end)` of folded text; `hint` is the axis of bare numbers, `assumed` that a named drug is taken."""
    either = indifferent(text, start, end)
    inside = [t for t in things if start <= t.start and t.end <= end]
    bounds = [Bound(start + b.start, start + b.end, b.interval) for b in find_bounds(text[start:end], hint)]
    found: list[Restriction] = []
    _keep(found, find_organ_function(text, start, end, bounds))
    _keep(found, (Restriction(b.interval, _named_from(text, start, b), b.end) for b in bounds))
    _keep(found, find_genotypes(text, start, end))
    _keep(found, find_comedication(text, start, end, inside, assumed=assumed))
    _keep(found, _people(text, start, end))
    _keep(found, _conditions(text, start, inside))
    _keep(found, (Restriction(Opaque(" ".join(m[0].split())), m.start(), m.end()) for m in _OPERATED.finditer(text, start, end)))
    either += [m.span() for m in _EXAMPLES.finditer(text, start, end)]
    found = sorted((f for f in found if not any(s <= f.start < e for s, e in either)), key=lambda r: r.start)
    return [_signed(text, max(start, found[i - 1].end if i else start), one) for i, one in enumerate(found)]


def _keep(found: list[Restriction], more: Iterable[Restriction]) -> None:
    """Adds what does not overlap an earlier find."""
    found += [r for r in more if not any(f.start < r.end and r.start < f.end for f in found)]


def _named_from(text: str, start: int, bound: Bound) -> int:
    """Where the name of a value begins that stands right before its number."""
    if bound.interval.axis in (Axis.AGE, Axis.WEIGHT):
        return bound.start
    named = re.search(
        r"(?:creatinine clearance|\bCr ?Cl\b|\bCL ?[Cc][Rr]\b|\bC[Cc]r\b|\be?GFR\b|glomerular filtration rate|child[\s-]*pugh[\w\s-]{0,12}|body surface area|\bBSA\b|gestational age|post-?natal age|serum creatinine|\bINR\b|[\w-]+(?: counts?| levels?)?)\s*(?:[(\[][^()\[\]]{0,40}[)\]]\s*)?(?:of|is|:|=|between|from|values?|levels?|\s)*$",
        text[max(start, bound.start - 70) : bound.start],
        re.IGNORECASE,
    )
    return max(start, bound.start - 70) + named.start() if named is not None else bound.start


def _signed(text: str, floor: int, one: Restriction) -> Restriction:
    """The leaf, negated where the words right before it deny it."""
    before = text[floor : one.start]
    if isinstance(one.guard, Not | Opaque) or (isinstance(one.guard, Category) and one.guard.values == ("no",)):
        return one
    denied = _NEGATED.search(before)
    return one if denied is None else Restriction(Not(one.guard), floor + denied.start(), one.end, one.entities)


@cache
def _people_pattern() -> re.Pattern[str]:
    words = sorted(people_words(), key=lambda w: (-len(w), w))
    return re.compile(rf"\b(?P<word>{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)


def _people(text: str, start: int, end: int) -> Iterator[Restriction]:
    """Ages by words, sex and ancestry."""
    for m in _PREMATURE.finditer(text, start, end):
        yield Restriction(Opaque(m[0].strip()), m.start(), m.start() + len(m[0].rstrip()))
    for m in _people_pattern().finditer(text, start, end):
        yield Restriction(people_words()[m["word"].lower()], m.start(), m.end())
    for m in _POTENTIAL.finditer(text, start, end):
        yield Restriction(Opaque(" ".join(m[0].split())), m.start(), m.end())
    for m in _ANCESTRY.finditer(text, start, end):
        named = tuple(dict.fromkeys(w.lower() for w in (m["who"], m["more"], m["of"]) if w))
        yield Restriction(Category(Axis.ANCESTRY, named), m.start(), m.start() + len(m[0].rstrip()))
    for m in _SEX.finditer(text, start, end):
        if not m["both"]:
            yield Restriction(Category(Axis.SEX, ("female" if m["female"] else "male",)), m.start(), m.end())


def _conditions(text: str, start: int, things: Sequence[Thing]) -> Iterator[Restriction]:
    for thing in things:
        if thing.kind is not Kind.STATE or thing.type not in _STATES:
            continue
        before = text[max(start, thing.start - 60) : thing.start]
        history, recent = _HISTORY.search(before), _RECENT.search(before)
        state = ConditionState.HISTORY if history else ConditionState.RECENT if recent else ConditionState.ACTIVE
        said = history or recent
        target = thing.targets[0]
        at = max(start, thing.start - 60) + said.start() if said else thing.start
        words = _OF_HISTORY.sub("", " ".join((target.words or text[thing.start : thing.end]).split()))
        yield Restriction(HasCondition(target.id, words, state), at, thing.end, (target.entity,) if target.entity is not None else ())


def axis_of(guard: object) -> Axis | None:
    """The axis of a leaf that has one."""
    return guard.axis if isinstance(guard, Interval | Category) else None
