"""Guards: the condition a label puts on a statement, in three-valued logic.

A guard is a tree of all / any / not over leaves. Evaluation gives TRUE, FALSE or UNKNOWN with the data that would decide it (strong
Kleene logic). A phrase that restricts a statement and could not be parsed is an `Opaque` leaf, UNKNOWN for judgement: it is never
dropped. Bounds are kept as printed: `at least 40` is `low=40`, `above 40` is `low=40, low_open=True`; upper bounds of age are read in completed
years and months (`ontology.model.ages`).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.errors import InvalidGuard
from ontology.model.facts import (
    Axis,
    ConditionState,
    DoseBounds,
    ExposureState,
    Facts,
    Known,
    Unknown,
    UnknownReason,
    Whose,
    needs_of,
)
from ontology.model.identifiers import EntityId
from ontology.model.intervals import Interval
from ontology.model.outcomes import ALWAYS, Outcome, Truth, unknown
from ontology.model.quantities import Quantity

__all__ = [
    "ALWAYS", "SCALES", "AllOf", "AnyOf", "Category", "Exposure", "Guard", "HasCondition", "Interval", "Not", "Opaque", "Outcome", "Truth", "both", "evaluate", "leaves",
]  # fmt: skip

SCALES: dict[Axis, tuple[str, ...]] = {
    Axis.CHILD_PUGH: ("A", "B", "C"),
    Axis.HEPATIC: ("none", "mild", "moderate", "severe"),
    Axis.RENAL: ("none", "mild", "moderate", "severe", "esrd"),
    Axis.SEX: ("female", "male"),
    Axis.PREGNANCY: ("no", "yes", "first-trimester", "second-trimester", "third-trimester"),
    Axis.LACTATION: ("no", "yes"),
    Axis.DIALYSIS: ("no", "yes", "hemodialysis", "peritoneal", "crrt"),
}
"""Closed scales of category axes; other category axes (route, genotype, ancestry ...) take free words."""


@dataclass(frozen=True, slots=True)
class Category:
    """A leaf on a scale of words: the patient's word is one of `values`."""

    axis: Axis
    values: tuple[str, ...]
    detail: str | None = None

    def __post_init__(self) -> None:
        if not self.values:
            raise InvalidGuard(f"category on {self.axis.value} without a value")
        scale = SCALES.get(self.axis)
        strange = [v for v in self.values if scale is not None and v not in scale]
        if strange:
            raise InvalidGuard(f"{strange} is not on the scale of {self.axis.value}: {scale}")

    def evaluate(self, facts: Facts) -> Outcome:
        """TRUE when the patient's word is among the values; `yes` also stands for any finer word of the same scale but `no`.

        Where the word is not known but is one of several, they decide when all of them give the same answer.
        """
        fact = facts.value(self.axis, self.detail, None)
        if isinstance(fact, Unknown):
            answers = {self._met_by(word) for word in fact.among}
            if len(answers) != 1 or answers == {Truth.UNKNOWN}:
                return unknown(fact, needs_of(self.axis, self.detail))
            return Outcome(answers.pop(), used=(Known(" or ".join(sorted(fact.among)), None, fact.reference, approximated=True),))
        if isinstance(fact.value, Quantity):
            raise InvalidGuard(f"facts gave a number for the category axis {self.axis.value}")
        word = fact.value if isinstance(fact.value, str) else ("yes" if fact.value else "no")
        answers = {self._met_by(w) for w in (word, *fact.also)}
        if Truth.TRUE in answers:
            return Outcome(Truth.TRUE, used=(fact,))
        if Truth.UNKNOWN in answers:
            return Outcome(Truth.UNKNOWN, needs_of(self.axis, self.detail), frozenset({UnknownReason.TOO_BROAD}), (fact,))
        return Outcome(Truth.FALSE, used=(fact,))

    def _met_by(self, word: str) -> Truth:
        """Whether a word of the axis meets the values; UNKNOWN when only something narrower would."""
        if word in self.values or ("yes" in self.values and word not in ("no", "none")):
            return Truth.TRUE
        if word == "yes" and "no" not in self.values:
            return Truth.UNKNOWN
        if self.axis not in SCALES:
            # Free words narrow from the left: "severe deficiency" is a deficiency, a "deficiency" may be severe.
            if any(word.endswith(f" {value}") for value in self.values):
                return Truth.TRUE
            if any(value.endswith(f" {word}") for value in self.values):
                return Truth.UNKNOWN
        return Truth.FALSE


@dataclass(frozen=True, slots=True)
class Exposure:
    """A leaf on exposure to an ingredient, class or enzyme role, `minus` named members.

    `term` is the label's word where the window is not printed but that of the data file's row for it ("discontinue ... and start").
    """

    target: EntityId
    minus: tuple[EntityId, ...] = ()
    whose: Whose = Whose.PARTNER
    state: ExposureState = ExposureState.CURRENT
    within_days: Decimal | None = None
    dose: DoseBounds | None = None
    route: str | None = None
    term: str | None = None

    def __post_init__(self) -> None:
        windowed = self.state in (ExposureState.STARTED_WITHIN, ExposureState.STOPPED_WITHIN)
        if windowed and self.within_days is None:
            raise InvalidGuard(f"exposure {self.state.value} without its window in days")

    def evaluate(self, facts: Facts) -> Outcome:
        """TRUE when the patient is or was exposed as described."""
        fact = facts.exposure(self.target, self.minus, self.whose, self.state, self.within_days, self.dose, self.route)
        return _truth_of(fact, frozenset({"medications"}))


@dataclass(frozen=True, slots=True)
class HasCondition:
    """A leaf on a condition; `words` are the label's, shown where the concept is uncoded.

    `within_days` is the window of a RECENT condition that the label bounds ("stroke in the last 6 months").
    """

    concept: EntityId
    words: str
    state: ConditionState = ConditionState.ACTIVE
    within_days: Decimal | None = None

    def __post_init__(self) -> None:
        if self.within_days is not None and (self.state is not ConditionState.RECENT or self.within_days <= 0):
            raise InvalidGuard(f"a window of {self.within_days} days on the condition {self.words!r} in the state {self.state.value}")

    def evaluate(self, facts: Facts) -> Outcome:
        """TRUE when the record's code equals or descends from the concept, in the state the label asks for."""
        return _truth_of(facts.condition(self.concept, self.state, self.words, self.within_days), frozenset({"conditions"}))


@dataclass(frozen=True, slots=True)
class Opaque:
    """Words that restrict the statement and that no parser read: UNKNOWN until a person judges them."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidGuard("opaque guard without words")

    def evaluate(self, facts: Facts) -> Outcome:
        """Always UNKNOWN(judgement)."""
        return Outcome(Truth.UNKNOWN, reasons=frozenset({UnknownReason.JUDGEMENT}))


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conjunction."""

    parts: tuple[Guard, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidGuard("conjunction without parts; a statement without a condition has guard None")

    def evaluate(self, facts: Facts) -> Outcome:
        """FALSE if any part is FALSE; else UNKNOWN if any part is; else TRUE."""
        return _fold([part.evaluate(facts) for part in self.parts], decisive=Truth.FALSE, neutral=Truth.TRUE)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Disjunction."""

    parts: tuple[Guard, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidGuard("disjunction without parts")

    def evaluate(self, facts: Facts) -> Outcome:
        """TRUE if any part is TRUE; else UNKNOWN if any part is; else FALSE."""
        return _fold([part.evaluate(facts) for part in self.parts], decisive=Truth.TRUE, neutral=Truth.FALSE)


@dataclass(frozen=True, slots=True)
class Not:
    """Negation; UNKNOWN stays UNKNOWN."""

    part: Guard

    def evaluate(self, facts: Facts) -> Outcome:
        """The opposite of a known truth."""
        inner = self.part.evaluate(facts)
        flipped = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN}[inner.truth]
        return Outcome(flipped, inner.needs, inner.reasons, inner.used)


Guard = Interval | Category | Exposure | HasCondition | Opaque | AllOf | AnyOf | Not


def evaluate(guard: Guard | None, facts: Facts) -> Outcome:
    """The truth of a guard for a patient; a statement without a guard is always TRUE."""
    return ALWAYS if guard is None else guard.evaluate(facts)


def leaves(guard: Guard | None) -> tuple[Interval | Category | Exposure | HasCondition | Opaque, ...]:
    """All leaves of a guard, left to right."""
    if guard is None:
        return ()
    if isinstance(guard, AllOf | AnyOf):
        return tuple(leaf for part in guard.parts for leaf in leaves(part))
    return leaves(guard.part) if isinstance(guard, Not) else (guard,)


def both(first: Guard | None, second: Guard | None) -> Guard | None:
    """The conjunction of two guards, flat; None is the guard that always holds."""
    parts = [p for g in (first, second) if g is not None for p in (g.parts if isinstance(g, AllOf) else (g,))]
    unique = tuple(dict.fromkeys(parts))
    return None if not unique else unique[0] if len(unique) == 1 else AllOf(unique)


def _truth_of(fact: Known | Unknown, needs: frozenset[str]) -> Outcome:
    if isinstance(fact, Unknown):
        return unknown(fact, needs)
    if not isinstance(fact.value, bool):
        raise InvalidGuard(f"facts gave {fact.value!r} where a truth value was asked for")
    return Outcome(Truth.TRUE if fact.value else Truth.FALSE, used=(fact,))


def _fold(outcomes: list[Outcome], *, decisive: Truth, neutral: Truth) -> Outcome:
    decided = [o for o in outcomes if o.truth is decisive]
    if decided:
        return Outcome(decisive, used=tuple(k for o in decided for k in o.used))
    used = tuple(k for o in outcomes for k in o.used)
    open_parts = [o for o in outcomes if o.truth is Truth.UNKNOWN]
    if not open_parts:
        return Outcome(neutral, used=used)
    needs = frozenset(n for o in open_parts for n in o.needs)
    return Outcome(Truth.UNKNOWN, needs, frozenset(r for o in open_parts for r in o.reasons), used)
