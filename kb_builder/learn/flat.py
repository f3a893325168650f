"""Flat facts, typed: one shape for what a gold file states and for what a release says."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

import msgspec

Kind = Literal["indication", "dosage", "contraindication", "population", "interaction"]

KINDS: tuple[Kind, ...] = ("indication", "dosage", "contraindication", "population", "interaction")
Number = Decimal | None


class Target(msgspec.Struct, frozen=True):
    """The other side of a fact; `accept` are further names that count."""

    name: str
    type: str | None = None
    accept: tuple[str, ...] = ()


class Condition(msgspec.Struct, frozen=True):
    """One condition of a fact: numbers in `low` and `high`, words in `value`."""

    axis: str
    low: Number = None
    high: Number = None
    unit: str | None = None
    low_open: bool = False
    high_open: bool = False
    value: str | None = None
    denied: bool = msgspec.field(default=False, name="not")


class Dose(msgspec.Struct, frozen=True):
    """An amount with its timing; `factor` is the share of another dose."""

    low: Number = None
    high: Number = None
    unit: str | None = None
    basis: str = "flat"
    per: str | None = None
    times_low: Number = None
    times_high: Number = None
    every_hours: Number = None
    max_single: Number = None
    max_daily: Number = None
    phase: str | None = None
    factor: Number = None
    duration_days: Number = None

    @property
    def span(self) -> tuple[Number, Number]:
        """The two ends of the amount; a single number is both."""
        return (self.low if self.low is not None else self.high, self.high if self.high is not None else self.low)

    @property
    def caps(self) -> tuple[Decimal, ...]:
        """The ceilings it states."""
        return tuple(cap for cap in (self.max_daily, self.max_single) if cap is not None)

    @property
    def is_cap(self) -> bool:
        """True for a ceiling without an amount to give."""
        return self.span == (None, None) and self.factor is None and bool(self.caps)

    @property
    def times_a_day(self) -> tuple[Decimal, Decimal] | None:
        """How often a day, lowest and highest; None where nothing says so."""
        if self.every_hours:
            often = Decimal(24) / self.every_hours
            return often, often
        low = self.times_low if self.times_low is not None else self.times_high
        high = self.times_high if self.times_high is not None else self.times_low
        return None if low is None or high is None else (low, high)


class FlatFact(msgspec.Struct, frozen=True):
    """One fact as gold files and exports hold it. Gold has no offsets; `optional` facts may be said and need not be."""

    doc: str
    drug: str
    kind: Kind
    section: str = ""
    target: Target | None = None
    axis: str | None = None
    when: tuple[Condition, ...] = ()
    action: str | None = None
    dose: Dose | None = None
    indication: str | None = None
    route: str | None = None
    quote: str = ""
    start: int | None = None
    end: int | None = None
    optional: bool = False

    @property
    def predicate(self) -> str:
        """The predicate whose claims state such a fact."""
        if self.kind == "dosage":
            return "has_limit" if self.dose is not None and self.dose.is_cap else "has_dose_rule"
        return PREDICATE_OF[self.kind]

    @property
    def meaning(self) -> tuple[object, ...]:
        """What it says, without where."""
        return (self.doc, self.kind, self.target, self.axis, self.when, self.action, self.dose, self.indication, self.route)


PREDICATE_OF = {
    "indication": "indicated_for",
    "contraindication": "contraindicated_in",
    "population": "population_advice",
    "interaction": "interacts_with",
}


def flat_fact(data: dict[str, Any]) -> FlatFact:
    """The typed form of an exported fact. Raises msgspec.ValidationError naming the member that is not of its shape."""
    return msgspec.convert(data, FlatFact)


def fact_data(fact: FlatFact) -> dict[str, Any]:
    """The fact as plain data without members that say nothing."""
    data: dict[str, Any] = msgspec.to_builtins(fact, builtin_types=(Decimal,))
    return {key: pruned for key, value in data.items() if (pruned := _pruned(value)) not in (None, "", [], {}, False)}


def fact_line(fact: FlatFact) -> str:
    """The fact in one line for people: kind, target or dose, action, conditions."""
    parts: list[str] = [fact.kind]
    if fact.target is not None:
        parts.append(f"{fact.target.name!r}")
    parts += [part for part in (fact.axis, dose_words(fact.dose), fact.action) if part]
    if fact.indication:
        parts.append(f"for {fact.indication!r}")
    if fact.when:
        parts.append("when " + " and ".join(condition_words(c) for c in fact.when))
    return " ".join(parts)


def condition_words(condition: Condition) -> str:
    """A condition in words: "crcl >= 15, < 30 mL/min"."""
    bounds = []
    if condition.low is not None:
        bounds.append(f"{'>' if condition.low_open else '>='} {condition.low}")
    if condition.high is not None:
        bounds.append(f"{'<' if condition.high_open else '<='} {condition.high}")
    words = " ".join(part for part in (", ".join(bounds), condition.unit if bounds else None, condition.value) if part)
    return f"{'not ' if condition.denied else ''}{condition.axis} {words}".strip()


def dose_words(dose: Dose | None) -> str:
    """A dose in words: "20-40 mg per day, 1 times a day, maintenance"."""
    if dose is None:
        return ""
    low, high = dose.span
    parts = []
    if dose.factor is not None:
        parts.append(f"x {dose.factor}")
    if low is not None:
        basis = "" if dose.basis == "flat" else f" {dose.basis}"
        parts.append(f"{low}{'' if low == high else f'-{high}'} {dose.unit or '?'}{basis}{f' per {dose.per}' if dose.per else ''}")
    if dose.caps:
        parts.append(
            "at most " + ", ".join(f"{v} {dose.unit or '?'} {n}" for v, n in ((dose.max_daily, "a day"), (dose.max_single, "at once")) if v is not None)
        )
    if (often := dose.times_a_day) is not None:
        times = f"{often[0]:.3g}" if often[0] == often[1] else f"{often[0]:.3g}-{often[1]:.3g}"
        parts.append(f"{times} times a {'week' if dose.per == 'week' else 'day'}")
    parts += [dose.phase] if dose.phase else []
    return ", ".join(parts)


def _pruned(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: p for k, v in value.items() if (p := _pruned(v)) not in (None, "", [], {}, False)}
    return [_pruned(v) for v in value] if isinstance(value, list | tuple) else value
