"""Abbreviations in plain words, and the way back to the text as received."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.intake.sigs.expand import expand
from cds_service.intake.sigs.lexicon import SECTIONS
from ontology.text.offsets import fold

ABBREVIATIONS = [w for s in ("abbreviations", "patterns", "not_behind_a_number", "context") for w in SECTIONS[s]]
texts = st.one_of(
    st.text(max_size=120),
    st.lists(st.one_of(st.sampled_from(ABBREVIATIONS), st.text(max_size=5), st.sampled_from(["½", "２", "  ", "mg"])), max_size=12).map(" ".join),
)


@pytest.mark.parametrize(
    ("received", "plain"),
    [
        ("1 tab po bid", "1 tablet by mouth twice daily"),
        ("1 TAB P.O. B.I.D.", "1 tablet by mouth twice daily"),
        ("q4-6h", "every 4 to 6 hours"),
        ("q 8 hrs", "every 8 hours"),
        ("x7d", "for 7 days"),
        ("ii tabs", "2 tablets"),
        ("2 tsp", "10 mL"),
        ("2 and a half tabs", "2.5 tablets"),
        ("1 gtt OD", "1 drops in the right eye"),
        ("1 OD", "1 once daily"),
        ("1 tab am", "1 tablet in the morning"),
        ("at 9 am", "at 9 am"),
        ("take 2 (two) caps", "take 2 capsules"),
        ("½ tab", "1/2 tablet"),
        ("stable", "stable"),
        ("D5W", "D5W"),
        ("1 tab daily, refill x 3", "1 tablet daily, "),
    ],
)
def test_abbreviations_in_plain_words(received: str, plain: str) -> None:
    assert expand(received).text == plain


@given(texts)
def test_what_was_not_swapped_maps_to_itself(raw: str) -> None:
    expanded = expand(raw)
    folded = fold(raw).text
    for at, start, end, same, following in zip(
        expanded._at, expanded._from, expanded._to, expanded._same, [*expanded._at, len(expanded.text)][1:], strict=True
    ):
        if same:
            assert expanded.text[at:following] == folded[start:end]
        for place in range(at, following):
            low, high = expanded.folded_span(place, place + 1)
            assert start <= low < high <= end


@given(texts)
def test_places_keep_their_order_and_cover_the_text(raw: str) -> None:
    expanded = expand(raw)
    spans = list(zip(expanded._from, expanded._to, strict=True))
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    low, high = expanded.raw_span(0, len(expanded.text))
    assert 0 <= low <= high <= len(raw)


def test_an_abbreviation_is_found_where_it_stands() -> None:
    expanded = expand("Take  ½ tab PO bid!")
    at = expanded.text.index("twice")
    assert "Take  ½ tab PO bid!"[slice(*expanded.raw_span(at, at + 5))] == "bid"


def test_every_abbreviation_expands_alone() -> None:
    for short, words in SECTIONS["abbreviations"].items():
        assert expand(short).text.split() == words.split(), short
