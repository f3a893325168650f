import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.reading.coordination import Conjunct, split_conjuncts, split_run

KNOWN = {"cirrhosis", "cardiogenic shock", "eclampsia", "anuria", "hypokalemia", "ileus"}


def members(phrase):
    return [c.words for c in split_conjuncts(phrase, lambda w: w.lower() in KNOWN)]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (
            "severe bradycardia, second or third degree heart block, cardiogenic shock",
            ["severe bradycardia", "second or third degree heart block", "cardiogenic shock"],
        ),
        ("pyloric or duodenal obstruction", ["pyloric obstruction", "duodenal obstruction"]),
        ("severe renal or hepatic impairment", ["severe renal impairment", "severe hepatic impairment"]),
        ("Major regional or lumbar block anesthesia", ["Major regional block anesthesia", "lumbar block anesthesia"]),
        ("surgery of the central nervous system or eye", ["surgery of the central nervous system", "surgery of the eye"]),
        (
            "Active ulceration or overt bleeding of the gastric or respiratory tract",
            ["Active ulceration of the gastric or respiratory tract", "overt bleeding of the gastric or respiratory tract"],
        ),
        ("diabetic ketoacidosis, with or without coma", ["diabetic ketoacidosis, with or without coma"]),
        ("serum calcium or magnesium levels below normal", ["serum calcium levels below normal", "magnesium levels below normal"]),
        ("states in which sodium and/or potassium levels are low", ["states in which sodium levels are low", "potassium levels are low"]),
        ("ileus or potassium levels above normal", ["ileus", "potassium levels above normal"]),
        ("gout or potassium levels above normal", ["gout", "potassium levels above normal"]),
        ("hereditary or idiopathic angioedema", ["hereditary or idiopathic angioedema"]),
        ("renal failure (clearance under 30 or high creatinine)", ["renal failure (clearance under 30 or high creatinine)"]),
        ("liver dysfunction or disease", ["liver dysfunction", "liver disease"]),
    ],
)
def test_members_of_a_phrase(phrase, expected):
    assert members(phrase) == expected


@given(st.text(alphabet=st.sampled_from("abcic of the or and,()-"), max_size=60))
def test_members_stand_inside_the_phrase(phrase):
    for c in split_conjuncts(phrase, lambda _: False):
        assert 0 <= c.start < c.end <= len(phrase)
        assert c.words.strip()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Pediatric Patients under one month of age", ["Pediatric Patients under one month of age"]),
        ("Anuria Pediatric Patients under one month of age", ["Anuria", "Pediatric Patients under one month of age"]),
        ("Pediatric Ileus", ["Pediatric", "Ileus"]),
    ],
)
def test_items_that_ran_together_are_cut_between_names_and_not_inside_one(words: str, expected: list[str]) -> None:
    names = KNOWN | {"pediatric", "pediatric patients"}
    assert [c.words for c in split_run(Conjunct(words, 0, len(words)), lambda w: w.lower() in names)] == expected
