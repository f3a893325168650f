"""Indication phrases on their own: any text is read without an error, and every place lies in it."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.indications.reader import find_indications
from kb_builder.propose.indications.uses import Purpose, read_lead

WORDS = st.sampled_from(
    ["for", "the", "treatment of", "prevention of", "patients with", "adults", "who have", "in", "and", ",", ";", ":", "(", ")", "heart failure", "pain",
     "to reduce the risk of", "as an adjunct to", "in combination with", "caused by", "including", "50 mg", "\x01", "\u2029", "é", "ALL", "-", "•"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(words=st.lists(WORDS, max_size=25))
def test_any_phrase_is_read_and_every_place_lies_in_it(lexicon, words):
    text = " ".join(words)
    for found in find_indications(text, 0, len(text), (), lexicon):
        assert 0 <= found.start < found.end <= len(text)
        assert found.target.words.strip()
        assert all(0 <= r.start < r.end <= len(text) for r in found.limits)


def test_a_heading_names_its_use_and_people(lexicon):
    text = "Adults with Heart Failure"
    (found,) = find_indications(text, 0, len(text), (), lexicon)
    assert (found.target.words, found.purpose) == ("Heart Failure", Purpose.STATE)
    assert found.limits


def test_a_lead_gives_purpose_head_and_restrictions():
    text = "in adults for the prevention of vomiting associated with:"
    lead = read_lead(text, 0, len(text))
    assert (lead.purpose, lead.head) == (Purpose.PREVENT, "vomiting associated with")
    assert [text[s:e].strip() for s, e in lead.contexts] == ["in adults"]


def test_long_repetitions_take_linear_time(lexicon):
    text = "treatment of adult patients with pain, and fever or in combination with drugs for the " * 1200
    started = time.perf_counter()
    find_indications(text[:20_000], 0, 20_000, (), lexicon)
    short = time.perf_counter() - started
    find_indications(text[:80_000], 0, 80_000, (), lexicon)
    assert time.perf_counter() - started < 12 * short + 2
