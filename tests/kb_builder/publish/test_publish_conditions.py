"""Guards as flat conditions: one list a disjunct, negations on the leaves, nothing dropped."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.publish.conditions import MAX_DISJUNCTS, conditions_of
from kb_builder.publish.doses import doses_of
from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Whose
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque
from ontology.model.identifiers import EntityId, mint, mint_uncoded

ASPIRIN = mint("Ingredient", "rxnorm", "1191")
GOUT = mint_uncoded("Condition", "gout")


def name_of(entity: EntityId) -> str:
    return {ASPIRIN: "aspirin"}.get(entity, str(entity))


def flat(guard: Guard | None) -> list[list[dict[str, object]]]:
    return conditions_of(guard, name_of)


def test_no_guard_is_one_list_without_conditions() -> None:
    assert flat(None) == [[]]


@pytest.mark.parametrize(
    ("leaf", "condition"),
    [
        (Interval(Axis.CRCL, Decimal(15), Decimal(30), "mL/min", high_open=True), {"axis": "crcl", "low": 15, "high": 30, "high_open": True, "unit": "mL/min"}),
        (Interval(Axis.AGE, Decimal("0.5"), None, "a", low_open=True), {"axis": "age", "low": Decimal("0.5"), "low_open": True, "unit": "a"}),
        (
            Interval(Axis.LAB, None, Decimal("1.5"), "10*9/L", detail="neutrophils"),
            {"axis": "lab", "high": Decimal("1.5"), "unit": "10*9/L", "value": "neutrophils"},
        ),
        (Interval(Axis.WEIGHT_LEAN, Decimal(40), None, "kg"), {"axis": "weight", "low": 40, "unit": "kg"}),
        (Interval(Axis.DAILY_DOSE, Decimal(2), None, "g", low_open=True), {"axis": "other", "value": "daily-dose above 2 g"}),
        (Category(Axis.HEPATIC, ("moderate", "severe")), {"axis": "hepatic", "value": "moderate or severe hepatic impairment"}),
        (Category(Axis.RENAL, ("mild", "moderate", "severe", "esrd")), {"axis": "renal", "value": "renal impairment"}),
        (Category(Axis.PREGNANCY, ("yes",)), {"axis": "pregnancy", "value": "pregnant"}),
        (Category(Axis.GENOTYPE, ("poor metabolizer",), "CYP2C19"), {"axis": "genotype", "value": "CYP2C19 poor metabolizer"}),
        (Exposure(ASPIRIN), {"axis": "comedication", "value": "aspirin"}),
        (
            Exposure(ASPIRIN, dose=DoseBounds(Decimal(100), None, "mg", low_open=True), route="oral"),
            {"axis": "comedication", "value": "aspirin above 100 mg a day, oral"},
        ),
        (
            Exposure(ASPIRIN, state=ExposureState.STOPPED_WITHIN, within_days=Decimal(14), whose=Whose.SUBJECT),
            {"axis": "prior-dose", "value": "aspirin, stopped within 14 days"},
        ),
        (HasCondition(GOUT, "gout"), {"axis": "condition", "value": "gout"}),
        (HasCondition(GOUT, "gout", ConditionState.HISTORY), {"axis": "condition", "value": "history gout"}),
        (HasCondition(GOUT, "gout", ConditionState.RECENT, Decimal(180)), {"axis": "condition", "value": "recent gout within 180 days"}),
        (Opaque("when the risk outweighs"), {"axis": "other", "value": "when the risk outweighs"}),
    ],
)
def test_every_kind_of_leaf_keeps_what_it_says(leaf: Guard, condition: dict[str, object]) -> None:
    assert flat(leaf) == [[condition]]
    assert flat(Not(leaf)) == [[{**condition, "not": True}]]


def test_adults_and_children_are_no_condition() -> None:
    everybody = Interval(Axis.AGE, Decimal(0), None, "a", term="adults and pediatric patients")
    assert flat(everybody) == [[]]
    assert flat(AllOf((everybody, Opaque("a")))) == [[{"axis": "other", "value": "a"}]]


def test_a_disjunction_is_a_list_each_and_a_conjunction_one_list() -> None:
    a, b, c = Opaque("a"), Opaque("b"), Opaque("c")
    values = [[str(x["value"]) for x in one] for one in flat(AllOf((a, AnyOf((b, c)))))]
    assert values == [["a", "b"], ["a", "c"]]
    negated = flat(Not(AllOf((a, b))))
    assert [[(x["value"], x["not"]) for x in one] for one in negated] == [[("a", True)], [("b", True)]]


def test_a_guard_too_wide_to_write_out_is_said_and_not_dropped() -> None:
    wide = AllOf(tuple(AnyOf((Opaque(f"{n}a"), Opaque(f"{n}b"))) for n in range(7)))
    (only,) = flat(wide)
    assert only[0]["axis"] == "other"
    assert str(MAX_DISJUNCTS) in str(only[0]["value"])


leaves = st.builds(Opaque, st.sampled_from("abcd"))
trees = st.recursive(leaves, lambda inner: st.one_of(st.builds(Not, inner), *(st.lists(inner, min_size=1, max_size=3).map(lambda p, t=t: t(tuple(p))) for t in (AllOf, AnyOf))), max_leaves=8)  # fmt: skip


def holds(guard: Guard, true: set[str]) -> bool:
    if isinstance(guard, Opaque):
        return guard.text in true
    if isinstance(guard, Not):
        return not holds(guard.part, true)
    assert isinstance(guard, AllOf | AnyOf)
    return (all if isinstance(guard, AllOf) else any)(holds(part, true) for part in guard.parts)


@given(guard=trees, true=st.sets(st.sampled_from("abcd")))
def test_the_flat_form_says_the_same_as_the_tree(guard: Guard, true: set[str]) -> None:
    disjuncts = flat(guard)
    said = any(all((c["value"] in true) != bool(c.get("not")) for c in one) for one in disjuncts)
    assert said == holds(guard, true) or "combinations" in str(disjuncts)


# -- doses


def usual(amount: Amount, frequency: Frequency | None = None, kind: PhaseKind = PhaseKind.USUAL) -> Regimen:
    return Regimen((Phase(kind, (amount,), frequency),))


@pytest.mark.parametrize(
    ("payload", "doses"),
    [
        (
            usual(Amount(Decimal(20), Decimal(40), "mg"), Frequency(times_low=Decimal(1))),
            [{"low": 20, "high": 40, "unit": "mg", "basis": "flat", "per": "dose", "phase": "usual", "times_low": 1, "times_high": 1}],
        ),
        (
            usual(Amount(None, None, "ug", choices=(Decimal(1), Decimal(2))), Frequency(every_hours_low=Decimal(12))),
            [{"low": 1, "high": 2, "unit": "mcg", "basis": "flat", "per": "dose", "phase": "usual", "every_hours": 12}],
        ),
        (
            usual(Amount(Decimal("7.5"), None, "mg"), Frequency(times_low=Decimal(1), period_days=Decimal(7))),
            [
                {
                    "low": Decimal("7.5"),
                    "high": Decimal("7.5"),
                    "unit": "mg",
                    "basis": "flat",
                    "per": "week",
                    "phase": "usual",
                    "times_low": 1,
                    "times_high": 1,
                }
            ],
        ),
        (
            usual(Amount(Decimal(15), None, "mg", AmountBasis.PER_KG, PerWhat.DAY, cap=Decimal(500)), kind=PhaseKind.MAINTENANCE),
            [{"low": 15, "high": 15, "unit": "mg", "basis": "per-kg", "per": "day", "phase": "maintenance", "max_daily": 500}],
        ),
        (
            usual(Amount(Decimal(5), None, "mg"), Frequency(every_hours_low=Decimal(6), every_hours_high=Decimal(12))),
            [{"low": 5, "high": 5, "unit": "mg", "basis": "flat", "per": "dose", "phase": "usual", "times_low": 2, "times_high": 4}],
        ),
        (
            usual(Amount(Decimal(5), None, "mg"), Frequency(times_low=Decimal(1), times_high=Decimal(1), period_days=Decimal(2))),
            [{"low": 5, "high": 5, "unit": "mg", "basis": "flat", "per": "dose", "phase": "usual", "every_hours": 48}],
        ),
        (
            usual(Amount(Decimal(5), None, "mg"), Frequency(times_low=Decimal(1), times_high=Decimal(1), period_days=Decimal(30))),
            [{"low": 5, "high": 5, "unit": "mg", "basis": "flat", "per": "dose", "phase": "usual"}],
        ),
        (usual(Amount(Decimal("0.5"), None, "1", AmountBasis.FRACTION), kind=PhaseKind.ADJUSTED), [{"factor": Decimal("0.5"), "phase": "adjusted"}]),
        (usual(Amount(None, None, "mg", AmountBasis.FORMULA, formula="AUC x (GFR + 25)")), []),
        (
            Limit(Measure.DAY, LimitScope.INGREDIENT, Amount(None, Decimal(4), "g")),
            [{"unit": "g", "basis": "flat", "per": "day", "max_daily": 4, "phase": "maximum"}],
        ),
        (Limit(Measure.DURATION, LimitScope.INGREDIENT, Amount(None, Decimal(5), "d")), []),
    ],
)
def test_payloads_of_dosing_are_flat_doses(payload: Regimen | Limit, doses: list[dict[str, object]]) -> None:
    assert list(doses_of(payload)) == doses
