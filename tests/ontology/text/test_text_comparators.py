"""One reading of comparators: every wording names one side, and a reader's own come beside the shared ones."""

from __future__ import annotations

import re

import pytest

from ontology.text.comparators import Side, comparison, side_of


@pytest.mark.parametrize(
    ("words", "side"),
    [
        ("<", Side.BELOW),
        ("<=", Side.AT_MOST),
        ("=<", Side.AT_MOST),
        ("less than", Side.BELOW),
        ("less than or equal to", Side.AT_MOST),
        ("no more than", Side.AT_MOST),
        (">", Side.ABOVE),
        (">=", Side.AT_LEAST),
        ("Greater than or equal to", Side.AT_LEAST),
        ("greater than", Side.ABOVE),
        ("not less than", Side.AT_LEAST),
        ("not more than", Side.AT_MOST),
        ("exceeding", Side.ABOVE),
    ],
)
def test_a_comparator_names_its_side(words: str, side: Side) -> None:
    m = re.compile(comparison(), re.IGNORECASE).match(words)
    assert m is not None
    assert m[0] == words
    assert side_of(m) is side


def test_sides_say_whether_the_number_is_the_highest_and_whether_it_counts() -> None:
    assert [(s.is_upper, s.is_open) for s in (Side.AT_MOST, Side.BELOW, Side.AT_LEAST, Side.ABOVE)] == [
        (True, False),
        (True, True),
        (False, False),
        (False, True),
    ]


def test_a_reader_adds_its_own_wordings() -> None:
    assert re.compile(comparison()).match("younger than") is None
    m = re.compile(comparison(below="younger than")).match("younger than 5")
    assert m is not None
    assert side_of(m) is Side.BELOW
    without = re.compile(rf"(?:{comparison()} |aged )\d").match("aged 5")
    assert without is not None
    assert side_of(without) is None
