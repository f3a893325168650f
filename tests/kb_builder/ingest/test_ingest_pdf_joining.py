"""Joining of printed lines, and the reading order of boxes: what holds for all of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.ingest.pdf_columns import EVERYWHERE, reading_order
from kb_builder.ingest.pdf_glyphs import Box
from kb_builder.ingest.pdf_headings import heading_level
from kb_builder.ingest.pdf_joining import document_words, glue, join_lines
from kb_builder.ingest.pdf_lines import Line

WORDS = st.lists(st.sampled_from(["dose", "of", "anti-", "co-", "5", "mg/", "10–", "(2.1)", "禁用", "x"]), min_size=1, max_size=6)


def printed(text: str, at: int = 0, right: float = 200.0) -> Line:
    return Line(text, 0.0, right, 12.0 * at, 12.0 * at + 10, 10.0, bold=False, first_word=40.0)


@settings(deadline=None)
@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=8), st.floats(50, 300))
def test_joining_loses_and_adds_no_character(texts: list[str], right: float) -> None:
    lines = [printed(text, n) for n, text in enumerate(texts)]
    assert "".join("".join(join_lines(lines, right, frozenset())).split()) == "".join("".join(texts).split())


def test_a_hyphen_is_dropped_only_where_the_document_writes_the_word_without_it() -> None:
    assert glue("hypo-", "tension is", document_words(["no hypotension here"])) == ("hypo", "")
    assert glue("hypo-", "tension is", document_words(["other words"])) == ("hypo-", "")
    assert glue("anti-", "inflammatory", document_words(["antiinflammatory and anti-inflammatory"])) == ("anti-", "")


def test_a_hyphen_of_a_range_or_a_number_is_kept_without_a_space() -> None:
    assert glue("NDC 12345-", "678", frozenset()) == ("NDC 12345-", "")
    assert glue("take 5 –", "10 mg", frozenset()) == ("take 5 –", " ")
    assert glue("5 mg/", "kg", frozenset()) == ("5 mg/", "")


def test_a_word_cut_at_a_line_end_is_no_evidence_of_itself() -> None:
    assert "hypo" not in document_words(["severe hypo-"])


def test_ideographs_are_joined_without_a_space() -> None:
    assert glue("患者禁", "用。", frozenset()) == ("患者禁", "")


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 500), st.floats(1, 100), st.integers(0, 60)), max_size=4), st.integers(5, 20), st.integers(5, 20))
def test_every_box_is_in_exactly_one_region(places: list[tuple[float, float, int]], left: int, right: int) -> None:
    boxes = [Box(x, x + wide, 12.0 * row, 12.0 * row + 10, "some words of a line") for x, wide, row in places]
    boxes += [Box(0, 240, 12.0 * row + 800, 12.0 * row + 810, "a line of the left column") for row in range(left)]
    boxes += [Box(260, 500, 12.0 * row + 805, 12.0 * row + 815, "a line of the right column") for row in range(right)]
    boxes += [Box(0, 500, 1100, 1110, "a line over both columns, under them"), Box(0, 120, 1120, 1130, "a short line under it")]
    regions = reading_order(boxes, EVERYWHERE)
    for box in boxes:
        assert sum(region.holds((box.x0 + box.x1) / 2, box.middle) for region in regions) == 1


def test_a_caption_a_sentence_and_a_date_are_no_headings() -> None:
    for text in ("Table 2: Doses", "See full prescribing information for complete boxed warning.", "Revised: 1/2026", "表1 剂量"):
        assert heading_level(text, bold=True, large=False) is None


def test_levels_follow_the_number_and_capitals() -> None:
    assert heading_level("5 WARNINGS AND PRECAUTIONS", bold=True, large=False) == 1
    assert heading_level("2.1 Usual Dosage", bold=True, large=False) == 2
    assert heading_level("Hepatic Impairment", bold=True, large=False) == 3
    assert heading_level("【禁忌】", bold=False, large=False) == 1
    assert heading_level("2.1 Usual Dosage", bold=False, large=False) is None
