"""What a policy makes of a result, problem by problem: compared between two policies, or counted before a check is switched on."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cds_service.answer.compose import NAMESPACE, calm_problems
from cds_service.answer.policy import Policy
from cds_service.answer.problems import Problem, problems_of
from cds_service.answer.severity import Indicator
from cds_service.answer.wire_findings import risk_of
from cds_service.audit.outcomes import AuditResult, Category, Finding, Gap, NotEvaluated

GAP = "gap"
UNCHECKED = "not-evaluated"
LEVELS = (Indicator.CRITICAL.value, Indicator.WARNING.value, Indicator.INFO.value, GAP, UNCHECKED)
"""Every level, the loudest first."""


class ChangeKind(StrEnum):
    """What a change of policy does to what is shown."""

    APPEARS = "appears"
    VANISHES = "vanishes"
    LOUDER = "louder"
    CALMER = "calmer"


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that is shown: of which check, at which level."""

    check: str
    level: str


@dataclass(frozen=True, slots=True)
class Change:
    """Something that two policies show differently; a level is None where it is not shown."""

    key: str
    check: str
    kind: ChangeKind
    before: str | None
    after: str | None


def shown_problems(result: AuditResult, policy: Policy) -> tuple[Problem, ...]:
    """The problems that a policy shows on cards, acknowledgements left aside."""
    problems = problems_of((r for r in result.results if isinstance(r, Finding)), policy)
    return (*(p for p in problems if p.indicator is not Indicator.INFO), *calm_problems(problems, policy))


def outlook(result: AuditResult, policy: Policy) -> Mapping[str, Shown]:
    """All that a policy shows of a result, by a key that is the same under every policy."""
    found = {p.key: Shown(p.lead.check, p.indicator.value) for p in shown_problems(result, policy)}
    for r in result.results:
        if isinstance(r, Gap | NotEvaluated) and policy.says_missing(r.check, risk_of(r.check)):
            level, what = (GAP, ",".join(r.needs)) if isinstance(r, Gap) else (UNCHECKED, r.reason.value)
            found.setdefault("|".join((level, r.check, r.drug.name, ",".join(r.drug.orders), what)), Shown(r.check, level))
    return found


def changes(before: Mapping[str, Shown], after: Mapping[str, Shown]) -> tuple[Change, ...]:
    """What differs between two outlooks on one request, in the order of their keys."""
    found = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old is None and new is not None:
            found.append(Change(key, new.check, ChangeKind.APPEARS, None, new.level))
        elif old is not None and new is None:
            found.append(Change(key, old.check, ChangeKind.VANISHES, old.level, None))
        elif old is not None and new is not None and old.level != new.level:
            louder = LEVELS.index(new.level) < LEVELS.index(old.level)
            found.append(Change(key, new.check, ChangeKind.LOUDER if louder else ChangeKind.CALMER, old.level, new.level))
    return tuple(found)


def shadow_uuid(card: str) -> str:
    """The uuid of a card as it would be were no check silent; its link opens though the answer had no such card."""
    return str(uuid.uuid5(NAMESPACE, f"{card}|shadow"))


def safe_summary(f: Finding) -> str:
    """A finding in a line, in the label's and the product's words: what the patient's record says in its own words stays out."""
    drug, asked = f.drug.name, f.action.value.replace("-", " ")
    if f.category is Category.DUPLICATE:
        return f"{drug}: {f.other.label or 'the same ingredient' if f.other else 'the same ingredient'} in more than one order"
    if f.category is Category.DOSAGE and f.ordered and f.allowed:
        return f"{drug}: {f.ordered} ordered, the label says {f.allowed}{f' ({f.other.label})' if f.other and f.other.label else ''}"
    if f.other is None:
        return f"{drug}: {asked}"
    if f.category is Category.INTERACTION:
        return f"{drug} with {f.other.name if f.other.type in ('drug', 'class', 'food') else f.other.label or f.other.type}: {asked}"
    return f"{drug}: {asked}, {f.other.type} {f.other.label}" if f.other.label else f"{drug}: {asked}, {f.other.type} of the record"
