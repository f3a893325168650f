"""Free-text instructions, read as the YAML files beside this one say."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sig_sentences import sentence

from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.sigs.lexicon import SECTIONS
from cds_service.intake.sigs.read import read_sig

HERE = Path(__file__).parent
CASES = [case for name in ("sigs_en.yaml", "sigs_zh.yaml") for case in yaml.safe_load((HERE / name).read_text("utf-8"))]
MICROGRAMS = {"mcg": Decimal(1), "mg": Decimal(1000), "g": Decimal(1000000)}

sig_words = st.lists(
    st.one_of(
        st.sampled_from([w for s in ("abbreviations", "patterns", "not_behind_a_number", "context") for w in SECTIONS[s]]),
        st.sampled_from(
            ["1", "2-3", "0.5", "1/2", "mg", "mL", "mg/kg", "tabs", "then", ",", ".", ";", "(", ")", "max", "for", "7 days", "every", "每日", "3次", "片"]
        ),
        st.text(max_size=6),
    ),
    max_size=16,
).map(" ".join)


@pytest.mark.parametrize("case", CASES, ids=[c["sig"] for c in CASES])
def test_an_instruction_is_read_as_its_case_says(case: dict[str, Any]) -> None:
    read = read_sig(case["sig"])
    assert [sentence(i) for i in read] == case["reads"]
    assert [words for i in read for words in i.unread] == case.get("unread", [])


@given(st.one_of(st.text(max_size=200), sig_words))
def test_no_text_raises_and_every_text_is_kept(text: str) -> None:
    read = read_sig(text)
    assert read
    assert all(i.text == (" ".join(text.split()) or None) for i in read)


@given(sig_words)
def test_what_is_unread_stands_in_the_text_as_received(text: str) -> None:
    assert all(words in text for i in read_sig(text) for words in i.unread)


@given(
    st.integers(1, 900), st.sampled_from(["mg", "g", "mcg"]), st.sampled_from(["mg", "g", "mcg"]), st.sampled_from(["bid", "q8h", "once a week", "q4-6h prn"])
)
def test_another_unit_of_the_same_amount_is_the_same_dose(number: int, one: str, other: str, often: str) -> None:
    converted = Decimal(number) * MICROGRAMS[one] / MICROGRAMS[other]
    first, second = (read_sig(f"take {format(n, 'f')} {unit} po {often}")[0] for n, unit in ((Decimal(number), one), (converted, other)))
    assert first.dose_high is not None
    assert second.dose_high is not None
    assert first.dose_high.value * first.dose_high.unit.factor == second.dose_high.value * second.dose_high.unit.factor
    assert (first.times_low, first.times_high, first.period_days) == (second.times_low, second.times_high, second.period_days)


@pytest.mark.parametrize("text", ["", "   ", "Discontinued, last dose 2026-10-04", "Replaced by 600 mg twice daily", "Flush line after each use", "see chart"])
def test_no_dose_is_made_up(text: str) -> None:
    (read,) = read_sig(text)
    assert (read.dose_high, read.day_high, read.times_high, read.count, read.rate) == (None, None, None, None, None)
    assert read.read_from == "words"


def test_a_text_beyond_any_sig_is_not_read_to_its_end() -> None:
    read = read_sig("1 tab daily. " + ". " * 2000)
    assert read[0].dose_high is not None
    assert read[-1].unread


def test_a_text_with_more_doses_than_any_sig_is_unread() -> None:
    (read,) = read_sig("1 tab, " * 60)
    assert read.dose_high is None
    assert read.unread


def test_words_say_where_they_come_from() -> None:
    assert read_sig("1 tab daily")[0] == DoseInstruction(
        text="1 tab daily",
        dose_low=read_sig("1 tablet")[0].dose_low,
        dose_high=read_sig("1 tablet")[0].dose_high,
        times_low=Decimal(1),
        times_high=Decimal(1),
        read_from="words",
    )
