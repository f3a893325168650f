"""Parsing of replies and locating of words: on any text nothing raises, offsets stand, and time stays linear."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.model.exchange import Reply, Request, Unanswered, hold
from kb_builder.propose.model.locating import LONGEST_QUOTE, find_quote, find_words
from kb_builder.propose.model.methods import METHODS
from kb_builder.propose.model.passages import passages
from kb_builder.propose.model.replies import read_items
from kb_builder.propose.model.schema import mentions_schema, relations_schema
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.propose.model.slices import slices, whole_slice
from ontology.model.predicates import PREDICATES, Stratum
from ontology.text.offsets import fold

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = (
    "predicate",
    "object",
    "text",
    "type",
    "action",
    "whose",
    "polarity",
    "strength",
    "effect",
    "conditions",
    "quote",
    "doses",
    "sentence",
    "subject",
    "relation",
)
WORDS = st.sampled_from(
    [
        "interacts_with",
        "avoid",
        "Ingredient",
        "ketoconazole",
        "Avoid ketoconazole with ZOCOR.",
        "positive",
        "must",
        1,
        0,
        -1,
        "20",
        ["20"],
        [{"low": "20", "unit": "mg"}],
        None,
    ]
)
ITEMS = st.lists(st.dictionaries(st.sampled_from(MEMBERS), WORDS | PLAIN, max_size=9), max_size=4)


@given(st.text(max_size=300))
def test_any_reply_is_read_or_counted(text):
    items = read_items(Reply(text), "mentions")
    assert items.read or items.dropped or "[]" in text


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_answers_leave_a_conversation_whole(data, label):
    made = label("Avoid ketoconazole with ZOCOR. The usual dose is 20 mg once daily.", "dosage_and_administration")

    def answer(request: Request):
        kind = data.draw(st.integers(0, 3))
        if kind == 0:
            return Unanswered("no reason")
        text = json.dumps({request.step: data.draw(ITEMS)}) if kind > 1 else data.draw(st.text(max_size=60))
        return Reply(text, cut=data.draw(st.booleans()))

    for method in METHODS.values():
        for conversation in method(made.document, "simvastatin", ModelSettings("tiny")):
            found = hold(conversation, answer)
            assert isinstance(found.dropped, Counter)
            for relation in found.relations:
                text = relation.passage.shadow.text
                assert 0 <= relation.statement[0] < relation.statement[1] <= len(text)
                if relation.object is not None:
                    assert relation.statement[0] <= relation.object.start < relation.object.end <= relation.statement[1]


@given(st.text(max_size=200), st.text(max_size=60))
def test_words_that_are_found_stand_there(text, words):
    folded = fold(text).text
    for start, end in find_words(words, folded, 0, len(folded), 60):
        assert folded[start:end].lower().split() == fold(words).text.lower().split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("avoid  ketoconazole", "Avoid ketoconazole"),
        ('"Avoid ketoconazole."', "Avoid ketoconazole."),
        ("Avoid ketoconazole.", "Avoid ketoconazole."),
        ("Avoid keto", None),
        ("void ketoconazole", None),
        ("Monitor", None),
        ("", None),
        ("...", None),
        ("x" * 10_000, None),
    ],
)
def test_a_quote_stands_once_as_whole_words(words, found):
    text = "Avoid ketoconazole. Monitor A. Monitor B."
    place = find_quote(words, text, 0, len(text))
    assert (text[place[0] : place[1]] if place else None) == found


@pytest.mark.parametrize("text", ["a " * 50_000, "{" * 100_000, '{"mentions": [' + "{}, " * 30_000, '{"mentions": [' * 8_000, '"' * 100_000, "\\" * 100_000])
def test_hostile_sizes_take_no_time(text):
    began = time.monotonic()
    read_items(Reply(text), "mentions")
    find_words(text[:LONGEST_QUOTE], text, 0, len(text), LONGEST_QUOTE)
    find_quote("a a a a a a a a a b", text, 0, len(text))
    assert time.monotonic() - began < 2


def test_every_slice_is_of_the_registry():
    for part in (*slices().values(), whole_slice()):
        assert {p.name for p in part.predicates} <= set(PREDICATES)
        assert all(part.meanings[p.name] for p in part.predicates)
        assert {t for p in part.predicates for t in p.range} == set(part.types)


def test_every_statement_that_a_label_makes_of_its_drug_is_asked_for_somewhere():
    asked = {p.name for p in whole_slice().predicates}
    assert {p.name for p in PREDICATES.values() if p.stratum is Stratum.RELATIONAL} <= asked
    assert slices()["boxed_warning"].allows("has_boxed_warning")


def test_doses_are_asked_for_where_a_predicate_carries_them():
    dosing = relations_schema(slices()["dosage_and_administration"], 3)["properties"]["relations"]["items"]["properties"]
    assert "doses" in dosing
    assert "doses" not in relations_schema(slices()["drug_interactions"], 3)["properties"]["relations"]["items"]["properties"]
    assert "Condition" not in mentions_schema(slices()["drug_interactions"])["properties"]["mentions"]["items"]["properties"]["type"]["enum"]


def test_passages_are_whole_sentences_and_leave_nothing_out(label):
    text = " ".join(f"Avoid drug {n} with ZOCOR in the morning and at night." for n in range(60))
    shown = list(passages(label(text).document, 400))
    assert len(shown) > 5
    assert all(p.text.startswith("Avoid") and p.text.endswith("night.") for p in shown)
    assert max(len(p.text) for p in shown) <= 400
    assert " ".join(p.text for p in shown) == text


def test_highlights_unread_and_chinese_sections_are_not_shown(label):
    assert list(passages(label("避免与酮康唑合用。").document, 400)) == []
    assert list(passages(label("Avoid ketoconazole.", "spl_medguide").document, 400)) == []


def test_a_request_is_another_one_when_anything_it_depends_on_changes():
    base = Request("mentions", "here", "s", "u", {}, 10)
    keys = {base.key("m", "1"), base.key("n", "1"), base.key("m", "2"), Request("relations", "here", "s", "u", {}, 10).key("m", "1")}
    keys |= {Request("mentions", "here", "s", "v", {}, 10).key("m", "1"), Request("mentions", "here", "s", "u", {"a": 1}, 10).key("m", "1")}
    assert len(keys) == 6
    assert Request("mentions", "elsewhere", "s", "u", {}, 10).key("m", "1") == base.key("m", "1")
