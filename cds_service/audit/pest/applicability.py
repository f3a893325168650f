"""Whether a rule applies to this patient and order: its population, its indication and its guard, in three-valued logic.

A rule that names no age is for adults. What an order is for is its stated reason, else what the problem list offers; where neither matches any
indication of the label, every indication stays possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from cds_service.audit.evidence import Statement
from cds_service.audit.judgement import BY_PERSON, borne_out
from cds_service.audit.pest.age_ranges import beginnings, until_the_next
from cds_service.audit.pest.guards import names_age
from cds_service.audit.pest.indications import Uses
from cds_service.audit.profile import PatientProfile
from ontology.model.facts import Axis, Facts, Known
from ontology.model.guards import Guard, Interval, Outcome, Truth, both, evaluate
from ontology.store.records import Rule

ADULT = Interval(Axis.AGE, Decimal(18), None, "a", term="adults")
"""Whom label dosing is for where it does not say."""


class Applied(Struct, frozen=True):
    """A statement with its truth for this patient and order. `use` is the truth of its indication alone, `guard` what was evaluated."""

    statement: Statement
    guard: Guard | None
    outcome: Outcome
    use: Truth
    borne_out: bool = False

    @property
    def rule(self) -> Rule:
        """The rule."""
        return self.statement.rule

    @property
    def truth(self) -> Truth:
        """The guard's truth and the indication's together; a use that only may be meant leaves it UNKNOWN."""
        pair = (self.outcome.truth, self.use)
        return Truth.FALSE if Truth.FALSE in pair else Truth.TRUE if pair == (Truth.TRUE, Truth.TRUE) else Truth.UNKNOWN

    @property
    def judged(self) -> bool:
        """True when the patient's data leave nothing open, and only words that a person must judge or the order's use do."""
        return self.outcome.truth is Truth.TRUE or (self.outcome.truth is Truth.UNKNOWN and self.outcome.reasons <= BY_PERSON)

    @property
    def sure(self) -> bool:
        """True when the data say that it applies, or the record bears out the words that a person would judge."""
        return self.outcome.truth is Truth.TRUE or (self.judged and self.borne_out)

    @property
    def needs(self) -> frozenset[str]:
        """The data of the patient that would decide the guard."""
        return self.outcome.needs if self.outcome.truth is Truth.UNKNOWN and not self.outcome.reasons <= BY_PERSON else frozenset()

    @property
    def used(self) -> tuple[Known, ...]:
        """The facts that decided it."""
        return self.outcome.used


def applied(statements: Iterable[Statement], facts: Facts, profile: PatientProfile, uses: Uses, *, everybody: bool = False) -> list[Applied]:
    """The statements that are not FALSE. With `everybody`, one that names no age holds for all ages."""
    found: list[Applied] = []
    asked = list(statements)
    begun = beginnings((s.rule for s in asked), lambda rule: effective(rule.guard, everybody=everybody))
    for statement in asked:
        guard = until_the_next(effective(statement.rule.guard, everybody=everybody), statement.rule, begun)
        outcome = evaluate(guard, facts)
        use = uses.truth(statement.rule)
        if outcome.truth is not Truth.FALSE and use is not Truth.FALSE:
            out = outcome.truth is Truth.UNKNOWN and outcome.reasons <= BY_PERSON and borne_out(guard, profile)
            found.append(Applied(statement, guard, outcome, use, out))
    return found


def effective(guard: Guard | None, *, everybody: bool = False) -> Guard | None:
    """The guard with the population that label dosing has where it names none."""
    return guard if everybody or names_age(guard) else both(ADULT, guard)


def unread(a: Applied) -> bool:
    """True when words of the rule stay for a person to judge."""
    return bool(BY_PERSON & a.outcome.reasons)
