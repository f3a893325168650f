"""Plain data of guards and payloads: what goes in comes out."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Edge
from ontology.model.codec import CannotDecode, decode, encode, normal_guard
from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen
from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Whose
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Interval, Not, Opaque
from ontology.model.identifiers import mint

IDS = st.sampled_from([mint("DrugClass", "pharmgraph", "nsaid"), mint("Ingredient", "rxnorm", "11289")])
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=1000, places=2)
LEAVES = st.one_of(
    NUMBERS.map(lambda n: Interval(Axis.CRCL, n, None, "mL/min", low_open=True)),
    st.sampled_from(["A", "B", "C"]).map(lambda v: Category(Axis.CHILD_PUGH, (v,))),
    st.builds(
        Exposure,
        target=IDS,
        minus=st.lists(IDS, max_size=2).map(tuple),
        whose=st.sampled_from(Whose),
        state=st.just(ExposureState.STOPPED_WITHIN),
        within_days=NUMBERS,
        dose=st.none() | NUMBERS.map(lambda n: DoseBounds(n, None, "mg", low_open=True)),
    ),
    st.builds(HasCondition, concept=IDS, words=st.text(min_size=1), state=st.sampled_from(ConditionState)),
    st.text(min_size=1).filter(str.strip).map(Opaque),
)
TREES = st.recursive(LEAVES, lambda k: st.one_of(k.map(Not), st.lists(k, min_size=1, max_size=3).map(lambda p: AllOf(tuple(p))), st.lists(k, min_size=1, max_size=3).map(lambda p: AnyOf(tuple(p)))), max_leaves=6)  # fmt: skip


@given(TREES)
def test_a_guard_survives_json(guard: object) -> None:
    assert decode(json.loads(json.dumps(encode(guard)))) == guard


@given(TREES)
def test_the_normal_form_is_stable(guard: object) -> None:
    once = normal_guard(guard)  # type: ignore[arg-type]
    assert normal_guard(decode(once)) == once


@pytest.mark.parametrize(
    "payload",
    [
        Edge(),
        Edge("side chain R1"),
        Advice((Step(Action.SEPARATE, Whose.EITHER, separate_hours=Decimal(2)),), (Step(Action.MONITOR, monitor=("INR",)),), "bleeding"),
        Regimen(
            (
                Phase(PhaseKind.LOADING, (Amount(Decimal(15), Decimal(15), "mg"),), Frequency(Decimal(2), Decimal(2)), duration_days_high=Decimal(21)),
                Phase(PhaseKind.MAINTENANCE, (Amount(Decimal("7.5"), None, "mg", AmountBasis.PER_KG, PerWhat.DAY, cap=Decimal(500)),)),
                Phase(PhaseKind.USUAL, (Amount(None, None, "mg", choices=(Decimal(1000), Decimal(1250))),), Frequency(every_hours_low=Decimal(12))),
            ),
            partners=(mint("Ingredient", "rxnorm", "1191"),),
        ),
        Limit(Measure.DAY, LimitScope.INGREDIENT, Amount(None, Decimal(4000), "mg", per=PerWhat.DAY), overrides="c0", exception=Opaque("unless monitored")),
    ],
)
def test_a_payload_survives_json(payload: object) -> None:
    assert decode(json.loads(json.dumps(encode(payload)))) == payload


@pytest.mark.parametrize(
    "plain", [None, [], "x", {"is": "Nonsense"}, {}, {"is": "Interval", "axis": "mood", "low": "1", "high": None, "unit": "d"}, {"is": "Interval"}]
)
def test_what_no_type_fits_is_refused(plain: object) -> None:
    with pytest.raises(CannotDecode):
        decode(plain)


def test_what_is_not_of_the_model_is_not_encoded() -> None:
    with pytest.raises(TypeError):
        encode(object())
