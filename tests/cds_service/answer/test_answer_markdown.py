"""Text of labels and records in cards shows as itself: no markup, no HTML, no links."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cds_service.answer.markdown import SUMMARY_LIMIT, clip, escape, plain, summary


def test_html_is_shown_and_not_rendered() -> None:
    assert escape('<img src=x onerror="alert(1)">') == '&lt;img src=x onerror="alert(1)">'
    assert escape("a & b") == "a &amp; b"


def test_an_entity_in_the_text_stays_text() -> None:
    assert escape("&lt;script&gt;") == "&amp;lt;script&amp;gt;"


def test_markdown_marks_are_escaped() -> None:
    assert escape("[click](x) **bold** `code` _it_ ~~no~~ | cell") == r"\[click\](x) \*\*bold\*\* \`code\` \_it\_ \~\~no\~\~ \| cell"


def test_bare_addresses_do_not_become_links() -> None:
    assert "https://" not in escape("see https://evil.example")
    assert "www." not in escape("see www.evil.example")
    assert "mailto:x" not in escape("mailto:x@evil.example")
    assert r"\@" in escape("a@b.example")


def test_lines_and_control_characters_become_one_line() -> None:
    assert plain("a\n\n# b\t\x00c\u202ed") == "a # b c d"


def test_a_long_text_is_cut_at_a_word() -> None:
    assert clip("one two three four", 12) == "one two…"
    assert clip("short", 12) == "short"


@given(st.text(max_size=400))
def test_a_summary_is_one_short_line(text: str) -> None:
    made = summary(text)
    assert len(made) <= SUMMARY_LIMIT
    assert "\n" not in made


@given(st.text(max_size=200))
def test_no_text_opens_a_tag_a_link_or_emphasis(text: str) -> None:
    made = escape(text)
    assert "<" not in made
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]*_`|~]", made)
    assert "://" not in made.replace("\u2060", "") or not re.search(r"(?i)https?:/", made)
