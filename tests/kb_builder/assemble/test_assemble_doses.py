"""Limits and doses compared: the lower is the stricter, doses of one label are alternatives, bands that overlap are compared between labels."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.assemble.bands import overlap, split_bands
from kb_builder.assemble.contradict import LabelComparison, contradicted_within
from kb_builder.assemble.stances import stance_of
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, Provenance, Scope
from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Interval, Not
from ontology.model.identifiers import mint
from ontology.model.spans import Span

DRUG = mint("Ingredient", "rxnorm", "36567")
ALL = mint("Population", "pharmgraph", "all")
RENAL = mint("Population", "pharmgraph", "renal")
BELOW_30 = Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True)
BELOW_50 = Interval(Axis.CRCL, None, Decimal(50), "mL/min", high_open=True)
FROM_30 = Interval(Axis.CRCL, Decimal(30), Decimal(50), "mL/min")


def claim(payload: Limit | Regimen | Advice, document: str = "a", **parts: object) -> Claim:
    predicate = {Limit: "has_limit", Regimen: "has_dose_rule", Advice: "population_advice"}[type(payload)]
    members: dict[str, object] = {"object": RENAL if isinstance(payload, Advice) else ALL} | parts
    span = Span(document, "1", "dosage_and_administration", 0, 5, "words")
    return Claim(predicate=predicate, subject=DRUG, payload=payload, evidence=(span,), provenance=Provenance("t", "1"), **members)  # type: ignore[arg-type]


def limit(value: str, unit: str = "mg", measure: Measure = Measure.DAY, basis: AmountBasis = AmountBasis.FLAT) -> Limit:
    return Limit(measure, LimitScope.INGREDIENT, Amount(None, Decimal(value), unit, basis, PerWhat.DAY))


def dose(high: str, times: str | None = "1", kind: PhaseKind = PhaseKind.STARTING, **parts: object) -> Regimen:
    frequency = None if times is None else Frequency(Decimal(times), Decimal(times))
    amount = Amount(Decimal(high), Decimal(high), "mg", **parts)  # type: ignore[arg-type]
    return Regimen((Phase(kind, (amount,), frequency),))


def differences(*claims: Claim) -> dict[str, str | None]:
    comparison = LabelComparison()
    placed = [(c, stance) for c in claims if (stance := stance_of(c)) is not None]
    for document in dict.fromkeys(c.document for c in claims):
        comparison.add(document, [s for c, s in placed if c.document == document])
    return {c.document: comparison.difference(c, s) for c, s in placed}


def test_the_lower_limit_of_two_labels_is_marked_whatever_the_unit() -> None:
    found = differences(claim(limit("2", "g")), claim(limit("1500"), "b"))
    assert found == {"a": None, "b": "labels differ: a says at most 2 g (day)"}


@pytest.mark.parametrize(
    "other",
    [
        claim(limit("80", measure=Measure.SINGLE), "b"),
        claim(limit("80", basis=AmountBasis.PER_KG), "b"),
        claim(limit("80", "{tbl}"), "b"),
        claim(limit("80"), "b", scope=Scope(routes=("intravenous",))),
        claim(limit("80"), "b", scope=Scope(forms=("extended-release tablet",))),
        claim(limit("80"), "b", object=mint("Condition", "icd10cm", "I10")),
        claim(limit("80"), "b", guard=Category(Axis.SEX, ("female",))),
    ],
    ids=["measure", "basis", "unit", "route", "form", "indication", "guard"],
)
def test_another_measure_product_or_use_is_a_difference_and_no_contradiction(other: Claim) -> None:
    assert set(differences(claim(limit("40")), other).values()) == {None}


def test_ceilings_of_one_label_are_kept_together_and_say_no_single_word_beside_another_labels() -> None:
    low, high, other = claim(limit("40")), claim(limit("80")), claim(limit("60"), "b")
    assert contradicted_within((c, stance_of(c)) for c in (high, low)) == {}
    comparison = LabelComparison()
    for document, claims in (("a", (low, high)), ("b", (other,))):
        comparison.add(document, [s for c in claims if (s := stance_of(c)) is not None])
    said = [comparison.difference(c, s) for c in (low, high, other) if (s := stance_of(c)) is not None]
    assert said == [None, None, None]


def test_bands_of_a_label_that_gives_several_doses_for_them_are_not_compared() -> None:
    comparison = LabelComparison()
    mine = [claim(limit("5"), guard=BELOW_30), claim(limit("10"), guard=BELOW_30)]
    theirs = [claim(limit("20"), "b", guard=BELOW_50)]
    same_band = [claim(limit("10"), "c", guard=BELOW_30)]
    for document, claims in (("a", mine), ("b", theirs), ("c", same_band)):
        comparison.add(document, [s for c in claims if (s := stance_of(c)) is not None])
    said = [comparison.difference(c, s) for c in mine if (s := stance_of(c)) is not None]
    assert said == [None, None]


def test_doses_of_one_label_are_alternatives() -> None:
    assert contradicted_within((c, stance_of(c)) for c in (claim(dose("5")), claim(dose("10")))) == {}


def test_a_label_that_gives_several_doses_says_no_single_word_on_them() -> None:
    comparison = LabelComparison()
    one, two, other = claim(dose("5")), claim(dose("10")), claim(dose("20"), "b")
    comparison.add("a", [s for c in (one, two) if (s := stance_of(c)) is not None])
    comparison.add("b", [s for c in (other,) if (s := stance_of(c)) is not None])
    said = [comparison.difference(c, s) for c in (one, two, other) if (s := stance_of(c)) is not None]
    assert said == [None, None, None]


def test_starting_doses_of_two_labels_are_compared_by_the_day() -> None:
    assert set(differences(claim(dose("5", "2")), claim(dose("10", "1"), "b")).values()) == {None}
    found = differences(claim(dose("5", "1")), claim(dose("10", "1"), "b"))
    assert found["a"] == "labels differ: b says up to 10 mg a day"
    assert found["b"] is None


@pytest.mark.parametrize(
    "payload",
    [
        dose("5", None),
        Regimen((*dose("5").phases, *dose("10", kind=PhaseKind.MAINTENANCE).phases)),
        Regimen((Phase(PhaseKind.TITRATION, (Amount(Decimal(5), Decimal(5), "mg"),), Frequency(Decimal(1)), increment=True),)),
        dose("0.5", basis=AmountBasis.FRACTION),
        Limit(Measure.DURATION, LimitScope.PRODUCT, Amount(None, Decimal(5), "d")),
    ],
    ids=["no frequency", "two phases", "titration step", "fraction", "duration"],
)
def test_what_is_not_one_amount_a_day_is_not_compared(payload: Regimen | Limit) -> None:
    assert stance_of(claim(payload)) is None


def test_bands_that_overlap_are_compared_where_the_other_label_has_no_rule_for_the_very_band() -> None:
    found = differences(claim(limit("10"), guard=BELOW_30), claim(limit("20"), "b", guard=BELOW_50))
    assert found == {"a": "labels differ: b says at most 20 mg (day) for patients who stand in both bands", "b": None}


def test_a_label_that_also_has_the_narrower_band_does_not_differ() -> None:
    comparison = LabelComparison()
    mine = claim(limit("10"), guard=BELOW_30)
    theirs = [claim(limit("10"), "b", guard=BELOW_30), claim(limit("20"), "b", guard=BELOW_50)]
    for document, claims in (("a", [mine]), ("b", theirs)):
        comparison.add(document, [s for c in claims if (s := stance_of(c)) is not None])
    stance = stance_of(mine)
    assert stance is not None
    assert comparison.difference(mine, stance) is None


def test_bands_that_only_touch_at_an_open_end_do_not_overlap() -> None:
    assert set(differences(claim(limit("10"), guard=BELOW_30), claim(limit("20"), "b", guard=FROM_30)).values()) == {None}


@pytest.mark.parametrize(("low", "meets"), [("49.5", True), ("50", True), ("50.5", False)])
def test_bands_overlap_from_the_last_value_they_share(low: str, meets: bool) -> None:
    assert overlap(split_bands(FROM_30)[0], split_bands(Interval(Axis.CRCL, Decimal(low), Decimal(60), "mL/min"))[0]) is meets


def test_advice_on_overlapping_bands_is_compared_too() -> None:
    avoid, adjust = Advice((Step(Action.AVOID),)), Advice((Step(Action.ADJUST_DOSE),))
    found = differences(claim(avoid, guard=BELOW_30), claim(adjust, "b", guard=BELOW_50))
    assert found["a"] == "labels differ: b says adjust-dose for patients who stand in both bands"


def test_intervals_under_or_and_not_are_no_bands() -> None:
    either = AnyOf((BELOW_30, Category(Axis.DIALYSIS, ("yes",))))
    bands, rest = split_bands(AllOf((BELOW_50, either, Not(FROM_30))))
    assert [b.high for b in bands] == [Decimal(50)]
    assert rest == AllOf((either, Not(FROM_30)))


_side = st.one_of(st.none(), st.integers(0, 20).map(Decimal))


@given(_side, _side, st.booleans(), st.booleans(), _side, _side, st.booleans(), st.booleans(), st.integers(0, 40))
def test_bands_overlap_when_some_value_lies_in_both(
    low: Decimal | None, high: Decimal | None, lo: bool, ho: bool, low2: Decimal | None, high2: Decimal | None, lo2: bool, ho2: bool, half: int
) -> None:
    def valid(a: Decimal | None, b: Decimal | None) -> bool:
        return (a is not None or b is not None) and (a is None or b is None or a <= b)

    if not (valid(low, high) and valid(low2, high2)):
        return
    first = Interval(Axis.CRCL, low, high, "mL/min", lo, ho)
    second = Interval(Axis.CRCL, low2, high2, "mL/min", lo2, ho2)
    value = Decimal(half) / 2

    def inside(i: Interval) -> bool:
        above = i.low is None or value > i.low or (value == i.low and not i.low_open)
        below = i.high is None or value < i.high or (value == i.high and not i.high_open)
        return above and below

    if inside(first) and inside(second):
        assert overlap(split_bands(first)[0], split_bands(second)[0])
