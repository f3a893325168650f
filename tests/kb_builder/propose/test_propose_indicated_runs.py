"""Flattened lists of uses: cut between names, never inside one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.indications.runs import split_run

KNOWN = {"osteoarthritis", "rheumatoid arthritis", "anxiety", "asthma"}


def items(text: str, *, consumer: bool = False) -> list[str]:
    return [text[s:e].strip() for s, e in split_run(text, 0, len(text), lambda words: words.lower() in KNOWN, consumer=consumer)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Osteoarthritis Rheumatoid arthritis", ["Osteoarthritis", "Rheumatoid arthritis"]),
        ("Anxiety Disorder episodes", ["Anxiety Disorder episodes"]),
        ("Asthma in adults", ["Asthma in adults"]),
        ("resistant prostate cancer (RPC) sensitive prostate cancer (SPC)", ["resistant prostate cancer (RPC)", "sensitive prostate cancer (SPC)"]),
        ("hypertension; and b) angina; c) shock", ["hypertension; and b)", "angina; c)", "shock"]),
    ],
)
def test_a_name_begins_behind_a_known_one_or_a_short_form(text, expected):
    assert items(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runny nose sneezing itchy, watery eyes itching of the nose", ["runny nose", "sneezing", "itchy, watery eyes", "itching of the nose"]),
        ("minor pain of arthritis toothache", ["minor pain of arthritis", "toothache"]),
        ("nasal congestion due to a cold", ["nasal congestion due to a cold"]),
    ],
)
def test_a_consumer_label_runs_on_in_small_letters(text, expected):
    assert items(text, consumer=True) == expected


@given(st.text(alphabet="abAB (),;:•pain in of with", max_size=60), st.booleans())
def test_the_items_cover_any_text_in_order(text, consumer):
    cuts = list(split_run(text, 0, len(text), lambda words: False, consumer=consumer))
    assert "".join(text[s:e] for s, e in cuts) == text
