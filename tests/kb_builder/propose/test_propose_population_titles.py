"""Titles that flattened text runs into its sentences: where one may open, and where its words are only text."""

from __future__ import annotations

import re

import pytest

from kb_builder.propose.populations.titles import find_titles

TITLE = re.compile(r"(?P<title>Geriatric Use|Pregnancy)[.:]?\s*")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Pregnancy Women should know.", 1),
        ("8.5 Geriatric Use Of all patients", 1),
        ("Of all. Geriatric Use: none.", 1),
        ("by line\nGeriatric Use", 1),
        ("in the end; Pregnancy. Geriatric Use", 2),
        ("Pregnancy: Geriatric Use", 1),
        ("See the Geriatric Use of it", 0),
        ("the number 8 Pregnancy", 0),
    ],
)
def test_titles_open_behind_a_mark_a_number_or_the_text(text, titles):
    assert len(list(find_titles(TITLE, text, 0, len(text)))) == titles


def test_titles_are_looked_for_within_the_offsets_alone():
    text = "Pregnancy. Geriatric Use. Pregnancy"
    assert [m["title"] for m in find_titles(TITLE, text, 11, 26)] == ["Geriatric Use"]
