"""Guards: three-valued logic, printed bounds, exposure and opaque leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.codec import decode, encode
from ontology.model.errors import InvalidGuard
from ontology.model.facts import (
    Axis,
    ConditionState,
    DoseBounds,
    ExposureState,
    Known,
    Unknown,
    UnknownReason,
    Whose,
)
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Interval, Not, Opaque, Outcome, Truth, both, evaluate, leaves
from ontology.model.identifiers import EntityId, mint
from ontology.model.quantities import Quantity, Unit, quantity

MAOI = mint("DrugClass", "pharmgraph", "mao-inhibitor")
LIVER = mint("Condition", "icd10cm", "K72")


@dataclass
class DictFacts:
    """Facts from a dictionary: what is not in it is unknown."""

    values: dict[Axis, Quantity | str | bool] = field(default_factory=dict)
    exposures: dict[tuple[EntityId, ExposureState], bool] = field(default_factory=dict)
    conditions: dict[EntityId, bool] = field(default_factory=dict)

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        if axis not in self.values:
            return Unknown(UnknownReason.NOT_RECORDED)
        found = self.values[axis]
        return Known(found.to(unit) if unit is not None and isinstance(found, Quantity) else found)

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
        found = self.exposures.get((target, state))
        return Unknown(UnknownReason.NOT_RETRIEVED) if found is None else Known(found)

    def condition(self, concept: EntityId, state: ConditionState, words: str, within_days: Decimal | None = None) -> Known | Unknown:
        found = self.conditions.get(concept)
        return Unknown(UnknownReason.NOT_RETRIEVED) if found is None else Known(found)


def crcl(low: str | None, high: str | None, *, low_open: bool = False, high_open: bool = False) -> Interval:
    return Interval(Axis.CRCL, Decimal(low) if low else None, Decimal(high) if high else None, "mL/min", low_open, high_open)


@pytest.mark.parametrize(
    ("guard", "value", "truth"),
    [
        (crcl("40", None), "40", Truth.TRUE),  # at least 40 includes 40
        (crcl("40", None, low_open=True), "40", Truth.FALSE),  # above 40 excludes it
        (crcl(None, "30", high_open=True), "30", Truth.FALSE),  # below 30
        (crcl(None, "30"), "30", Truth.TRUE),  # 30 or less
        (crcl("15", "50"), "14.99", Truth.FALSE),
        (crcl("15", "50"), "50.0", Truth.TRUE),
    ],
)
def test_bounds_hold_as_printed(guard: Interval, value: str, truth: Truth) -> None:
    assert guard.evaluate(DictFacts({Axis.CRCL: quantity(value, "mL/min")})).truth is truth


def test_a_missing_value_is_unknown_and_names_what_would_decide() -> None:
    outcome = crcl("30", None).evaluate(DictFacts())
    assert outcome.truth is Truth.UNKNOWN
    assert outcome.needs == {"renal-function"}
    assert outcome.reasons == {UnknownReason.NOT_RECORDED}


def test_a_lab_leaf_names_its_analyte() -> None:
    guard = Interval(Axis.LAB, Decimal("5.5"), None, "mmol/L", low_open=True, detail="potassium")
    assert guard.evaluate(DictFacts()).needs == {"lab:potassium"}


def test_units_convert_before_bounds_are_compared() -> None:
    guard = Interval(Axis.WEIGHT, None, Decimal(60), "kg", high_open=True)
    assert guard.evaluate(DictFacts({Axis.WEIGHT: quantity(3500, "g")})).truth is Truth.TRUE


def test_conjunction_is_false_when_one_part_is_false_whatever_is_unknown() -> None:
    guard = AllOf((crcl("30", None), HasCondition(LIVER, "hepatic failure")))
    assert evaluate(guard, DictFacts(conditions={LIVER: False})).truth is Truth.FALSE
    outcome = evaluate(guard, DictFacts(conditions={LIVER: True}))
    assert (outcome.truth, outcome.needs) == (Truth.UNKNOWN, {"renal-function"})


def test_disjunction_is_true_when_one_part_is_true_whatever_is_unknown() -> None:
    guard = AnyOf((crcl("30", None), HasCondition(LIVER, "hepatic failure")))
    assert evaluate(guard, DictFacts(conditions={LIVER: True})).truth is Truth.TRUE
    assert evaluate(guard, DictFacts(conditions={LIVER: False})).truth is Truth.UNKNOWN


def test_negation_keeps_unknown() -> None:
    assert evaluate(Not(crcl("30", None)), DictFacts()).truth is Truth.UNKNOWN
    assert evaluate(Not(crcl("30", None)), DictFacts({Axis.CRCL: quantity(20, "mL/min")})).truth is Truth.TRUE


def test_opaque_words_are_unknown_for_judgement_and_no_datum_would_decide_them() -> None:
    outcome = evaluate(Opaque("in selected patients"), DictFacts())
    assert (outcome.truth, outcome.needs, outcome.reasons) == (Truth.UNKNOWN, frozenset(), {UnknownReason.JUDGEMENT})


def test_exposure_asks_for_the_state_the_label_names() -> None:
    within = Exposure(MAOI, state=ExposureState.STOPPED_WITHIN, within_days=Decimal(14))
    facts = DictFacts(exposures={(MAOI, ExposureState.STOPPED_WITHIN): True})
    assert evaluate(within, facts).truth is Truth.TRUE
    assert evaluate(Exposure(MAOI), facts).truth is Truth.UNKNOWN
    assert evaluate(Exposure(MAOI), facts).needs == {"medications"}


def test_a_broader_category_word_does_not_decide_a_finer_one() -> None:
    third = Category(Axis.PREGNANCY, ("third-trimester",))
    assert evaluate(third, DictFacts({Axis.PREGNANCY: "yes"})).truth is Truth.UNKNOWN
    assert evaluate(third, DictFacts({Axis.PREGNANCY: "no"})).truth is Truth.FALSE
    assert evaluate(Category(Axis.PREGNANCY, ("yes",)), DictFacts({Axis.PREGNANCY: "third-trimester"})).truth is Truth.TRUE
    assert evaluate(Category(Axis.PREGNANCY, ("yes",)), DictFacts({Axis.PREGNANCY: False})).truth is Truth.FALSE


@pytest.mark.parametrize(
    "make",
    [
        lambda: crcl(None, None),
        lambda: crcl("50", "15"),
        lambda: Category(Axis.CHILD_PUGH, ("D",)),
        lambda: Exposure(MAOI, state=ExposureState.STOPPED_WITHIN),
        lambda: Opaque("  "),
        lambda: AllOf(()),
        lambda: AnyOf(()),
    ],
)
def test_a_guard_that_cannot_mean_anything_is_refused(make: object) -> None:
    with pytest.raises(InvalidGuard):
        make()  # type: ignore[operator]


def test_no_guard_always_holds() -> None:
    assert evaluate(None, DictFacts()) == Outcome(Truth.TRUE)


def test_both_joins_flat_and_without_doubles() -> None:
    a, b = crcl("30", None), Opaque("x")
    assert both(None, None) is None
    assert both(a, None) is a
    assert both(AllOf((a, b)), a) == AllOf((a, b))
    assert leaves(both(a, AnyOf((b, Not(a))))) == (a, b, a)


LEAVES = st.sampled_from([Opaque("p"), HasCondition(LIVER, "x"), crcl("30", None), Exposure(MAOI)])
TREES = st.recursive(
    LEAVES,
    lambda kids: st.one_of(
        kids.map(Not),
        st.lists(kids, min_size=1, max_size=3).map(lambda p: AllOf(tuple(p))),
        st.lists(kids, min_size=1, max_size=3).map(lambda p: AnyOf(tuple(p))),
    ),
    max_leaves=8,
)


@given(TREES, st.booleans(), st.booleans(), st.integers(0, 100))
def test_learning_more_never_flips_a_decided_guard(guard: object, liver: bool, exposed: bool, clearance: int) -> None:
    """Monotone: a verdict reached with less data stands with more."""
    full = DictFacts({Axis.CRCL: quantity(clearance, "mL/min")}, {(MAOI, ExposureState.CURRENT): exposed}, {LIVER: liver})
    for part in (DictFacts(), DictFacts(conditions={LIVER: liver}), DictFacts({Axis.CRCL: quantity(clearance, "mL/min")})):
        before, after = evaluate(guard, part).truth, evaluate(guard, full).truth  # type: ignore[arg-type]
        assert before is Truth.UNKNOWN or before is after


@pytest.mark.parametrize(
    ("state", "days"), [(ConditionState.ACTIVE, "30"), (ConditionState.HISTORY, "30"), (ConditionState.RECENT, "0"), (ConditionState.RECENT, "-1")]
)
def test_a_window_is_of_a_recent_condition_and_longer_than_nothing(state: ConditionState, days: str) -> None:
    with pytest.raises(InvalidGuard, match="window of"):
        HasCondition(LIVER, "hepatic failure", state, Decimal(days))


def test_a_window_is_asked_of_the_record() -> None:
    asked: list[object] = []

    class Asked(DictFacts):
        def condition(self, concept: EntityId, state: ConditionState, words: str, within_days: Decimal | None = None) -> Known | Unknown:
            asked.append((concept, state, within_days))
            return Known(True)

    guard = HasCondition(LIVER, "hepatic failure", ConditionState.RECENT, Decimal(180))
    assert guard.evaluate(Asked()).truth is Truth.TRUE
    assert asked == [(LIVER, ConditionState.RECENT, Decimal(180))]
    assert decode(encode(guard)) == guard
    assert "within_days" not in encode(HasCondition(LIVER, "hepatic failure"))
