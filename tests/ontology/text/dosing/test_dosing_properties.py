from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.text.doses import DosePhrase, read_doses
from ontology.text.offsets import fold

PIECES = [
    "10 mg", "5 to 10 mg/kg", "1,250 mg/m2", "two 20 mg tablets", "500 mg/5 mL", "½ tablet", "half the usual dose", "by 50%", "dose", "twice daily", "every 8 hours", "q12h",
    "in 2 divided doses", "for 7 days", "until recovery", "do not exceed", "maximum", "(", ")", ",", ";", ". ", " or ", " and ", " to ", " up to ", "|", "on days 1 and 8 of a 21-day cycle",
    "0/0", "1/0", "day", "weekly", "mg", "0", "999,999,999", "patients taking", "increase by", "at 50 mg/min", "one", "each", "一次", "10mg", "每日3次", "不超过", "/kg", "减半", "分2次", "每0小时", "\n", "\u2029",
]  # fmt: skip
SENTENCES = [
    "Give 10 mg twice daily for 7 days.",
    "The maximum dose is 40 mg per day.",
    "Reduce the dose by 50%.",
    "Take 1 or 2 tablets every 6 hours as needed.",
    "Start at 5 mg/kg (maximum 200 mg) once daily.",
    "Nothing is known of children.",
    "Do not exceed 20 mg once daily.",
]


def within(text: str, phrases: list[DosePhrase]) -> None:
    for phrase in phrases:
        assert 0 <= phrase.start < phrase.end <= len(text)


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    within(text, read_doses(text))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join))
def test_any_order_of_dosing_words_is_read(text: str) -> None:
    folded = fold(text).text
    within(folded, read_doses(folded))


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5))
def test_sentences_are_read_as_if_alone(sentences: list[str]) -> None:
    whole, at = [], 0
    for sentence in sentences:
        whole += [replace(p, start=p.start + at, end=p.end + at) for p in read_doses(sentence)]
        at += len(sentence) + 1
    assert read_doses(" ".join(sentences)) == whole


@given(st.integers(1, 9999), st.sampled_from(["mg", "mcg", "g", "units", "mEq"]), st.sampled_from(["once daily", "every 6 hours", "weekly"]))
def test_the_numbers_of_a_dose_stand_in_its_phrase(number: int, unit: str, often: str) -> None:
    text = f"Adults: the dose is {number} {unit} {often} with food."
    (phrase,) = read_doses(text)
    assert str(number) in text[phrase.start : phrase.end]
    assert often in text[phrase.start : phrase.end]
    assert phrase.amounts[0].high == number


def test_a_part_of_a_text_is_read_on_its_own() -> None:
    text = "Give 10 mg daily. Give 20 mg daily."
    (phrase,) = read_doses(text, 18)
    assert text[phrase.start : phrase.end].startswith("20 mg")
    (first,) = read_doses(text, 0, 17)
    assert text[first.start : first.end].startswith("10 mg")


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "10 mg ",
        "one ",
        "(10 mg ",
        "10, ",
        "maximum ",
        "every ",
        "reduce dose ",
        "days 1, ",
        "until ",
        "10 mg/kg/day ",
        "not exceed ",
        "for 10 ",
        " ",
        "1/2",
        "每日",
        "10mg",
    ],
)
def test_repeated_words_take_time_in_proportion_to_their_number(unit: str) -> None:
    small, large = unit * (5_000 // len(unit)), unit * (40_000 // len(unit))
    read_doses(small)
    begun = monotonic()
    read_doses(small)
    first = monotonic() - begun
    begun = monotonic()
    read_doses(large)
    assert monotonic() - begun < 40 * first + 1.0


def test_every_number_word_of_the_grammar_has_a_value() -> None:
    from ontology.text.dosing.numbers import HAN, PART, WORD, number_of, part_of

    for pattern, value in ((WORD, number_of), (HAN, number_of), (PART, part_of)):
        words = [w for w in re.split(r"[|()]", pattern.replace("?:", "")) if w and w[0].isalpha()]
        assert words
        assert [w for w in words if value(w) is None] == []
