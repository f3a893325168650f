"""Small dose rules, orders and patients for the tests of P-EST."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.verdict import Question
from ontology.model.advice import Advice
from ontology.model.claims import Basis, ClaimStatus, Polarity, Strength
from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, Phase, PhaseKind, Regimen
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Known, Unknown, UnknownReason, Whose, needs_of
from ontology.model.guards import Category, Guard, Interval, Outcome, Truth
from ontology.model.identifiers import EntityId
from ontology.model.quantities import Unit, quantity
from ontology.model.spans import Span
from ontology.store.records import ClaimRecord, Rule

D = Decimal
ALL = EntityId(EntityType.POPULATION, "pharmgraph", "all")
DRUG = EntityId(EntityType.INGREDIENT, "test", "drug")
PARTNER = EntityId(EntityType.INGREDIENT, "test", "partner")


def condition(code: str) -> EntityId:
    return EntityId(EntityType.CONDITION, "test", code)


def crcl(low: str | None = None, high: str | None = None, **open_: bool) -> Interval:
    return Interval(Axis.CRCL, None if low is None else D(low), None if high is None else D(high), "mL/min", **open_)


def age(low: str | None = None, high: str | None = None, unit: str = "a", **open_: bool) -> Interval:
    return Interval(Axis.AGE, None if low is None else D(low), None if high is None else D(high), unit, **open_)


def flat(amount: str, unit: str = "mg", **more: Any) -> Amount:
    low, _, high = amount.partition("-")
    return Amount(D(low), D(high or low), unit, **more)


def per_kg(amount: str, **more: Any) -> Amount:
    return flat(amount, basis=AmountBasis.PER_KG, **more)


def times(number: str, days: str = "1") -> Frequency:
    return Frequency(D(number), D(number), D(days))


def regimen(*amounts: Amount, often: Frequency | None = None, kind: PhaseKind = PhaseKind.USUAL, **more: Any) -> Regimen:
    return Regimen((Phase(kind, amounts, often, **more),))


def rule(key: str, payload: Regimen | Limit | Advice, guard: Guard | None = None, *, of: EntityId = ALL, words: str | None = None) -> Rule:
    span = Span("label", "1", "dosage", 0, 4, "said")
    claim = ClaimRecord(f"c-{key}", "label", "1", (span,), (), (), ClaimStatus.APPROVED, None, None)
    return Rule(key, "has_dose_rule", DRUG, of, of.code, words, guard, payload, Polarity.POSITIVE, Strength.MUST, Basis.ESTABLISHED, (claim,))


def statement(made: Rule) -> Statement:
    return Statement(made, cast(Any, None), cast(Any, None), made.claims)


def holding(made: Rule, truth: Truth = Truth.TRUE, *, use: Truth = Truth.TRUE, needs: tuple[str, ...] = (), judge: bool = False) -> Applied:
    """A rule with the truth of its guard."""
    reasons = frozenset({UnknownReason.JUDGEMENT if judge else UnknownReason.NOT_RECORDED}) if truth is Truth.UNKNOWN else frozenset()
    return Applied(statement(made), made.guard, Outcome(truth, frozenset(needs), reasons), use)


def given(single: str | None, daily: str | None, *, a_day: str | None = None, once: bool = False) -> Given:
    high, total = None if single is None else D(single), None if daily is None else D(daily)
    return Given(high, high, total, total, None if a_day is None else D(a_day), once, "")


def ordering(single: str | None, daily: str | None, *, dimension: str = "mass", a_day: str | None = None, once: bool = False, **more: Any) -> OrderedAmounts:
    members: dict[str, Any] = {"missing": frozenset(), "days": None, "as_needed": False, "schedule": None, "changing": False, **more}
    return OrderedAmounts({dimension: given(single, daily, a_day=a_day, once=once)}, **members)


def band(daily: str, *, single: str | None = None, period: str = "1", scaled: bool = False, needs: tuple[str, ...] = (), dimension: str = "mass") -> Band:
    low, _, high = daily.partition("-")
    one, _, most = (single or "").partition("-")
    return Band(
        dimension,
        D(one) if one else None,
        D(most or one) if one else None,
        D(low),
        D(high or low),
        D(period),
        scaled,
        PhaseKind.USUAL,
        None,
        frozenset(needs),
    )


def question(ordered: OrderedAmounts, bands: Mapping[str, list[Band]], *, starting: bool = False) -> Question:
    return Question(ordered, bands, D("0.10"), starting)


class Patient:
    """`Facts` of a few numbers and words; all else is not recorded."""

    def __init__(self, values: Mapping[Axis, tuple[str, str] | str] | None = None, *, exposed: frozenset[EntityId] = frozenset()) -> None:
        self._values = dict(values or {})
        self._exposed = exposed

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        found = self._values.get(axis)
        if found is None:
            return Unknown(UnknownReason.NOT_RECORDED, needs_of(axis, detail))
        if isinstance(found, str):
            return Known(found)
        number = quantity(D(found[0]), found[1])
        return Known(number.to(unit) if unit is not None else number)

    def exposure(
        self,
        target: EntityId,
        minus: tuple[EntityId, ...],
        whose: Whose,
        state: ExposureState,
        within_days: Decimal | None,
        dose: DoseBounds | None,
        route: str | None,
    ) -> Known | Unknown:
        return Known(target in self._exposed)

    def condition(self, concept: EntityId, state: ConditionState, words: str, within_days: Decimal | None = None) -> Known | Unknown:
        return Known(False)


def genotype(word: str) -> Category:
    return Category(Axis.GENOTYPE, (word,), "CYP2C19")
