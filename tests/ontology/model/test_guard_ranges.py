"""What is known of a fact although the fact is not: a range of numbers, several possible words, words that hold together."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from ontology.model.facts import Axis, Known, Range, Unknown, UnknownReason
from ontology.model.guards import Category, Interval, Truth, evaluate
from ontology.model.quantities import Quantity, Unit

ML_MIN = Unit.of("mL/min")


@dataclass
class Answers:
    """Facts that answer every question alike."""

    fact: Known | Unknown

    def value(self, axis: Axis, detail: str | None, unit: Unit | None) -> Known | Unknown:
        return self.fact

    def exposure(self, *asked: Any) -> Known | Unknown:
        raise NotImplementedError

    def condition(self, *asked: Any) -> Known | Unknown:
        raise NotImplementedError


def between(low: str | None, high: str | None, *, low_open: bool = False, high_open: bool = False) -> Answers:
    ends = [Quantity(Decimal(n), ML_MIN) if n is not None else None for n in (low, high)]
    within = Range(ends[0], ends[1], low_open, high_open, "somewhere", None, "Observation/1")
    return Answers(Unknown(UnknownReason.TOO_BROAD, frozenset({"renal-function"}), within))


@pytest.mark.parametrize(
    ("range_", "band", "truth"),
    [
        (("31", "65"), (None, "30"), Truth.FALSE),
        (("31", "65"), (None, "80"), Truth.TRUE),
        (("31", "65"), (None, "50"), Truth.UNKNOWN),
        (("31", "65"), ("30", "70"), Truth.TRUE),
        (("31", "65"), ("70", None), Truth.FALSE),
        (("31", "65"), ("31", "65"), Truth.TRUE),
        ((None, "15"), (None, "30"), Truth.TRUE),
        ((None, "15"), ("15", None), Truth.UNKNOWN),
        (("90", None), ("60", None), Truth.TRUE),
        (("90", None), (None, "60"), Truth.FALSE),
        (("90", None), (None, "100"), Truth.UNKNOWN),
        ((None, None), (None, "100"), Truth.UNKNOWN),
    ],
)
def test_a_range_decides_where_all_of_it_gives_one_answer(range_: tuple[str | None, str | None], band: tuple[str | None, str | None], truth: Truth) -> None:
    low, high = (Decimal(b) if b is not None else None for b in band)
    outcome = evaluate(Interval(Axis.CRCL, low, high, "mL/min"), between(*range_))
    assert outcome.truth is truth
    if truth is Truth.UNKNOWN:
        assert outcome.needs == {"renal-function"}
    else:
        assert outcome.used == (Known("somewhere", None, "Observation/1", approximated=True),)


@pytest.mark.parametrize(
    ("range_open", "band_open", "truth"),
    [(True, False, Truth.FALSE), (False, False, Truth.UNKNOWN), (False, True, Truth.FALSE)],
)
def test_open_ends_count_on_both_sides(range_open: bool, band_open: bool, truth: Truth) -> None:
    band = Interval(Axis.CRCL, Decimal(15), None, "mL/min", low_open=band_open)
    assert evaluate(band, between("0", "15", high_open=range_open)).truth is truth


@pytest.mark.parametrize(
    ("among", "asked", "truth"),
    [
        ({"mild", "moderate", "severe"}, ("mild", "moderate", "severe"), Truth.TRUE),
        ({"mild", "moderate", "severe"}, ("none",), Truth.FALSE),
        ({"mild", "moderate", "severe"}, ("severe",), Truth.UNKNOWN),
        (set(), ("severe",), Truth.UNKNOWN),
    ],
)
def test_several_possible_words_decide_where_all_of_them_agree(among: set[str], asked: tuple[str, ...], truth: Truth) -> None:
    fact = Unknown(UnknownReason.NOT_RECORDED, frozenset({"hepatic-function"}), among=frozenset(among))
    outcome = evaluate(Category(Axis.HEPATIC, asked), Answers(fact))
    assert outcome.truth is truth
    assert (outcome.needs == {"hepatic-function"}) is (truth is Truth.UNKNOWN)


@pytest.mark.parametrize(
    ("fact", "asked", "truth"),
    [
        (Known("*2/*2", also=("poor metabolizer",)), ("poor metabolizer",), Truth.TRUE),
        (Known("*2/*2", also=("poor metabolizer",)), ("*2/*2",), Truth.TRUE),
        (Known("*1/*1", also=("extensive metabolizer",)), ("poor metabolizer",), Truth.FALSE),
        (Known("severe deficiency"), ("deficiency",), Truth.TRUE),
        (Known("deficiency"), ("severe deficiency",), Truth.UNKNOWN),
        (Known("deficiency"), ("positive",), Truth.FALSE),
    ],
)
def test_words_that_hold_together_and_words_that_narrow(fact: Known, asked: tuple[str, ...], truth: Truth) -> None:
    assert evaluate(Category(Axis.GENOTYPE, asked, "G"), Answers(fact)).truth is truth
