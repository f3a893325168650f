"""A part of a fact, as a set of sentences states it: what must be said, or must not."""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from kb_builder.learn.agreement import action_class, content_words, unit_name
from kb_builder.learn.flat import Condition, Dose, FlatFact, Kind


class ConditionPattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition; members left out may be anything. `value` are words that must all be in it."""

    axis: str
    low: Decimal | None = None
    high: Decimal | None = None
    unit: str | None = None
    value: str | None = None
    denied: bool | None = msgspec.field(default=None, name="not")


class DosePattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An amount; members left out may be anything. `amount` is both ends, `cap` either ceiling, `times` a day."""

    amount: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    unit: str | None = None
    basis: str | None = None
    per: str | None = None
    times: Decimal | None = None
    cap: Decimal | None = None
    factor: Decimal | None = None
    phase: str | None = None


class FactPattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact in part. `target` are words that must all be in its name, or one of several such wordings apart by `|`; `unguarded` asks for a fact without any condition; `when` for conditions it has."""

    kind: Kind | None = None
    target: str | None = None
    axis: str | None = None
    action: str | None = None
    dose: DosePattern | None = None
    when: tuple[ConditionPattern, ...] = ()
    unguarded: bool = False
    indication: str | None = None

    def matches(self, fact: FlatFact) -> bool:
        """True when the fact has all that the pattern states."""
        if (self.kind is not None and fact.kind != self.kind) or (self.axis is not None and fact.axis != self.axis):
            return False
        if self.action is not None and action_class(fact.action) != action_class(self.action):
            return False
        if self.target is not None and (fact.target is None or not _names(self.target, fact.target.name)):
            return False
        if self.indication is not None and not _names(self.indication, fact.indication or ""):
            return False
        if self.dose is not None and (fact.dose is None or not _has_dose(self.dose, fact.dose)):
            return False
        if self.unguarded and fact.when:
            return False
        return all(any(_has_condition(wanted, condition) for condition in fact.when) for wanted in self.when)

    def __str__(self) -> str:
        """The members that it states, for people."""
        return str(_stated(msgspec.to_builtins(self, builtin_types=(Decimal,))))


def _has_dose(wanted: DosePattern, dose: Dose) -> bool:
    low, high = dose.span
    if wanted.amount is not None and (low, high) != (wanted.amount, wanted.amount):
        return False
    if (wanted.low is not None and low != wanted.low) or (wanted.high is not None and high != wanted.high):
        return False
    if wanted.unit is not None and unit_name(Dose(unit=wanted.unit)) != unit_name(dose):
        return False
    if wanted.times is not None and (dose.times_a_day is None or wanted.times not in dose.times_a_day):
        return False
    if wanted.cap is not None and wanted.cap not in dose.caps:
        return False
    same = ((wanted.basis, dose.basis), (wanted.per, dose.per), (wanted.factor, dose.factor), (wanted.phase, dose.phase))
    return all(want is None or want == got for want, got in same)


def _has_condition(wanted: ConditionPattern, condition: Condition) -> bool:
    if wanted.axis not in (condition.axis, "any"):
        return False
    same = ((wanted.low, condition.low), (wanted.high, condition.high), (wanted.unit, condition.unit), (wanted.denied, condition.denied))
    if any(want is not None and want != got for want, got in same):
        return False
    return wanted.value is None or _names(wanted.value, condition.value or "")


def _names(wanted: str, name: str) -> bool:
    """True when all words of one of the wordings stand in the name."""
    return any(_words(wording) <= _words(name) for wording in wanted.split("|"))


def _words(text: str) -> frozenset[str]:
    return content_words(text) or frozenset(re.findall(r"\w+", text.lower()))


def _stated(value: object) -> object:
    if isinstance(value, dict):
        return {key: _stated(each) for key, each in value.items() if each not in (None, [], (), False)}
    if isinstance(value, list | tuple):
        return [_stated(each) for each in value]
    return str(value) if isinstance(value, Decimal) else value
