"""How the conditions that a sentence about a pair names stand to each other and to the partner.

Those told by way of emphasis restrict nothing ("especially in renal impairment"), those joined by "or in patients" are alternatives, and one
behind the partner that opens a group of patients of its own ("with X, or in patients with Y") is an alternative to taking the partner at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.things import Thing
from ontology.model.guards import AnyOf, Exposure, HasCondition, Opaque, leaves

_PATIENTS = r"(?:patients?|those|individuals|persons|people|women|men|subjects|adults|children)"
_EMPHASIS = re.compile(r"\b(?:especially|particularly|in particular|notably|most often)\b[^.;,()]{0,50}$", re.IGNORECASE)
_DOSE_OF_SOME = re.compile(r"\((?:[^()]*\s)?\d[\d.]*\s*m?c?g\b[^()]*\b(?:in|for) (?:the )?[^()]*$", re.IGNORECASE)
"""A bracket with the dose of some of the patients: the instruction before it is for all."""
_PURPOSE = re.compile(
    r"\b(?:taking|receiving|using|on|given)\s(?:[\w-]+\s){0,3}(?:drugs?|medications?|medicines?|agents?|products?)\s+(?:used\s+)?(?:for|to treat)\s+(?:the\s+treatment\s+of\s+)?[\w -]+$",
    re.IGNORECASE,
)
"""What the other drug is taken for: whoever takes it is meant ("patients taking certain drugs for erectile dysfunction (...)")."""
_OR_IN = re.compile(
    rf"[^.;]{{0,60}}(?:;\s*(?:or\s+|and\s+)?(?:in\s+|for\s+)?|\b(?:or|and)\s+(?:in|for)\s+|\bor\s+){_PATIENTS}\b(?:[^.;,]|(?<=\d)[.,](?=\d)){{0,60}}",
    re.IGNORECASE,
)
_OR_IN_BEHIND = re.compile(rf"[^.;]{{0,40}}\b(?:or|and)\s+(?:in|for)\s+{_PATIENTS}\b[^.;]{{0,60}}", re.IGNORECASE)
_EXPLAINED = re.compile(r"\s*\((?:including|such as|e\.g\.,?|i\.e\.,?|for example,?)\s[^()]*", re.IGNORECASE)
"""Between words that no axis holds and a drug that is one of them ("other states that prolong QT (including ..., drugs ...)")."""
_CHANGE = re.compile(r"[^.;()]{0,20}%\s*\)?\s*(?:increases?|decreases?|reductions?|higher|lower|greater|rise)\b", re.IGNORECASE)
_BEGIN_OR_END = re.compile(r"\s+(?:or|and)\s+(?:upon\s+)?(?:discontinuation|cessation|withdrawal|stopping|termination)\b", re.IGNORECASE)
_NEAR = 80


def limiting(blank: str, found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions without those told by way of emphasis, changes in per cent, and times of both beginning and end."""
    return [r for r in found if not any(p.search(blank, max(0, r.start - _NEAR), r.start) for p in (_EMPHASIS, _DOSE_OF_SOME)) and not _is_none(blank, r)]


def _is_none(blank: str, found: Restriction) -> bool:
    if isinstance(found.guard, HasCondition) and _PURPOSE.search(blank[max(0, found.start - _NEAR) : found.end]) is not None:
        return True
    if isinstance(found.guard, Opaque):
        return _BEGIN_OR_END.match(blank, found.end) is not None
    return _CHANGE.match(blank, found.start) is not None


def beside(blank: str, found: Sequence[Restriction], thing: Thing) -> list[Restriction]:
    """The restrictions without those of another group of patients that a sentence names behind the partner, and those that a bracket with it explains."""
    found = [r for r in found if not (isinstance(r.guard, Opaque) and _EXPLAINED.fullmatch(blank, r.end, thing.start))]
    return [r for r in found if r.start < thing.end or _OR_IN_BEHIND.fullmatch(blank, thing.end, r.start) is None]


def joined_alternatives(blank: str, found: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions with those that are alternatives as one."""
    out: list[Restriction] = []
    for one in sorted(found, key=lambda r: r.start):
        last = out[-1] if out else None
        if last is None or not _are_alternatives(blank, last, one):
            out.append(one)
            continue
        parts = (*(last.guard.parts if isinstance(last.guard, AnyOf) else (last.guard,)), one.guard)
        out[-1] = Restriction(AnyOf(parts), last.start, one.end, (*last.entities, *one.entities))
    return out


def _are_alternatives(blank: str, first: Restriction, second: Restriction) -> bool:
    drugs = any(isinstance(leaf, Exposure) for r in (first, second) for leaf in leaves(r.guard))
    return not drugs and first.end <= second.start and _OR_IN.fullmatch(blank, first.end, second.start) is not None
