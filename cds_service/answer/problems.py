"""Problems: findings that are one hazard to the person at the screen, whichever check or label raised them.

A problem key is the hazard, the orders implicated and the patient's condition or allergen, each in a stable form, so that the same facts give
the same key in every request.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cds_service.answer.policy import Policy
from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import Finding


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with the indicator it is shown at."""

    finding: Finding
    indicator: Indicator


@dataclass(frozen=True, slots=True)
class Problem:
    """Findings of one key, the loudest first; `indicator` is their maximum."""

    key: str
    shown: tuple[Shown, ...]

    @property
    def indicator(self) -> Indicator:
        """The maximum."""
        return self.shown[0].indicator

    @property
    def lead(self) -> Finding:
        """The finding that the card is worded by."""
        return self.shown[0].finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the loudest first."""
        return tuple(s.finding for s in self.shown)


def problem_key(finding: Finding) -> str:
    """Hazard, sorted orders, patient condition or allergen."""
    return "|".join((finding.hazard, ",".join(sorted(set(finding.orders or finding.drug.orders))), finding.subject_key))


def problems_of(findings: Iterable[Finding], policy: Policy) -> tuple[Problem, ...]:
    """The problems that the policy shows, the loudest first and otherwise in the order of their findings."""
    groups: dict[str, list[Shown]] = {}
    for finding in findings:
        indicator = policy.indicator(finding)
        if indicator is not None:
            groups.setdefault(problem_key(finding), []).append(Shown(finding, indicator))
    made = [Problem(key, tuple(sorted(group, key=lambda s: (-s.indicator.rank, not s.finding.practice)))) for key, group in groups.items()]
    return tuple(sorted(made, key=lambda p: -p.indicator.rank))
