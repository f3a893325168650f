"""A sought pattern answers as the pattern does; the words it looks for stand in every match."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kb_builder.propose
import ontology.text
from ontology.text.needed_words import needed_words
from ontology.text.sought import Sought, SoughtAmong, Stretches, lowered, sought

_SENTENCES = (
    "Avoid concomitant use with strong CYP3A4 inhibitors; reduce the dose by half in patients with severe renal impairment.",
    "Adults 65 years and older: 5 mg once daily, not to exceed 10 mg/day.",
    "WOMEN OF REPRODUCTIVE POTENTIAL should use effective contraception during treatment and for 6 months after the last dose.",
    "Monitor serum potassium periodically, e.g. monthly, unless the patient is on dialysis or has end-stage renal disease.",
    "It is not known whether this drug is excreted in human milk. Animal studies in rats and rabbits have shown no harm.",
)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bdialy\w+", {"dialy"}),
        (r"\b(?:renal|kidney)\s+(?:impairment|failure)\b", {"renal", "kidney"}),
        (r"co-?\s?administ\w*", {"administ"}),
        (r"(?:severe\s+)?hepat(?:ic|itis)", {"hepatic", "hepatitis"}),
        (r"dos(?:e|age)s?|amounts?", {"dose", "dosage", "amount"}),
        (r"(?:once|twice)+ daily", {" daily"}),
        (r"[µu]g per", {"µg per", "ug per"}),
    ],
)
def test_the_words_of_a_pattern_are_those_that_no_match_lacks(pattern: str, words: set[str]) -> None:
    assert set(needed_words(re.compile(pattern)).words) == words


@pytest.mark.parametrize("pattern", [r"\d+\s*mg?", r"(?:renal|\d+)", r"(?:renal)?\s*\w+", r"(?=renal)\w+", r"(?!renal)\w+", r"[a-z]+", r"renal|"])
def test_a_pattern_that_matches_without_any_certain_word_is_tried_everywhere(pattern: str) -> None:
    assert needed_words(re.compile(pattern)).words == ()
    assert Sought(re.compile(pattern)).may_stand("")


def test_a_part_that_may_repeat_joins_no_words() -> None:
    assert sought(r"renal(?:-ly)*ill").search("renal-ly-lyill") is not None
    assert sought(r"renal(?:-ly)+ill").search("renal-ly-lyill") is not None


def test_case_is_looked_past_where_the_pattern_looks_past_it() -> None:
    assert sought(r"\bCrCl\b", re.IGNORECASE).search("a CRCL of 30") is not None
    assert sought(r"a (?i:crcl) of").search("a CRCL of 30") is not None
    assert sought(r"\bCrCl\b").search("a CRCL of 30") is None


def test_letters_beyond_ascii_are_not_looked_for_where_case_does_not_matter() -> None:
    assert sought(r"[µμ]g|é", re.IGNORECASE).search("É") is not None
    assert sought(r"不超过|maximum", re.IGNORECASE).words == ("maximum", "不超过")


def test_words_outside_the_stretch_do_not_open_it() -> None:
    pattern = sought(r"\brenal\b")
    text = "renal and hepatic"
    assert not pattern.may_stand(text, 6)
    assert pattern.search(text, 6) is None
    assert [m.span() for m in pattern.finditer(text, 0, 5)] == [(0, 5)]
    assert pattern.match(text) is not None
    assert not pattern.may_stand("hepatic and renal", 0, 11)
    assert list(pattern.finditer(text, 6)) == list(pattern.finditer(text, 6)) == []


def _patterns() -> list[re.Pattern[str]]:
    """Every pattern that the readers of text hold at the top of a module."""
    found: dict[tuple[str, int], re.Pattern[str]] = {}
    for package in (ontology.text, kb_builder.propose):
        for info in walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(import_module(info.name)).values():
                compiled = value.compiled if isinstance(value, Sought) else value
                if isinstance(compiled, re.Pattern):
                    found.setdefault((compiled.pattern, compiled.flags), compiled)
    return list(found.values())


PATTERNS = _patterns()


@pytest.mark.parametrize("sentence", [*_SENTENCES, *(s.lower() for s in _SENTENCES), *(s.upper() for s in _SENTENCES), " ".join(_SENTENCES)])
def test_every_pattern_of_the_readers_finds_the_same_when_it_is_sought(sentence: str) -> None:
    assert len(PATTERNS) > 300
    for pattern in PATTERNS:
        assert [m.span() for m in Sought(pattern).finditer(sentence)] == [m.span() for m in pattern.finditer(sentence)], pattern.pattern


_PIECES = st.recursive(
    st.sampled_from(["dose", "Renal", "of", r"\s+", r"\d", ".", r"\b", "[ab]", "é", "µ", "[^x]"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{1,2}", "??"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
        inner.map(lambda p: f"(?={p})"),
        inner.map(lambda p: f"(?!{p})"),
        inner.map(lambda p: f"(?P<n>{p})" if "?P<n>" not in p else p),
    ),
    max_leaves=6,
)


@given(pattern=_PIECES, flags=st.sampled_from([0, re.IGNORECASE]), text=st.text(alphabet="doseRENALrenalf 1abéÉµ.x", max_size=40))
def test_any_pattern_finds_the_same_when_it_is_sought(pattern: str, flags: int, text: str) -> None:
    try:
        compiled = re.compile(pattern, flags)
    except re.error:
        return
    one = Sought(compiled)
    assert [m.span() for m in one.finditer(text)] == [m.span() for m in compiled.finditer(text)]
    assert (one.search(text) is None) == (compiled.search(text) is None)
    due = SoughtAmong([re.compile("renal"), compiled]).due(text)
    assert 1 in due or compiled.search(text) is None
    assert list(due) == sorted(due)


def test_of_many_patterns_those_are_due_whose_words_stand_there() -> None:
    among = SoughtAmong([re.compile("renal"), re.compile(r"\d+"), re.compile("Hepatic", re.IGNORECASE), re.compile("renal|hepatic")])
    assert list(among.due("HEPATIC impairment")) == [1, 2, 3]
    assert list(among.due("nothing")) == [1]
    assert list(SoughtAmong([re.compile("renal")]).due("Renal")) == []


_BREAKS = Stretches(re.compile(r"\b(?:cyp\w+|p-?gp)\b", re.IGNORECASE), ".;:")


def test_stretches_lie_between_breaks_around_the_words() -> None:
    text = "None here. Strong CYP3A inhibitors and P-gp inhibitors; none. Also: pgp."
    assert [text[a:b] for a, b in _BREAKS.of(text)] == [" Strong CYP3A inhibitors and P-gp inhibitors", " pgp"]


def test_a_pattern_that_needs_no_word_has_no_stretches() -> None:
    with pytest.raises(ValueError, match="no word is needed"):
        Stretches(re.compile(r"\w+", re.IGNORECASE), ".")


@given(st.text(alphabet="cypgCYPG3a .;:-İ", max_size=60))
def test_a_match_without_a_break_is_found_in_its_stretch(text: str) -> None:
    pattern = re.compile(r"(?:[\w-]+\s+)?(?:cyp\w+|p-?gp)\b", re.IGNORECASE)
    within = [m.span() for stretch in Stretches(pattern, ".;:").of(text) for m in pattern.finditer(text, *stretch)]
    assert within == [m.span() for m in pattern.finditer(text)]


@given(st.text(max_size=30))
def test_lower_case_keeps_every_place(text: str) -> None:
    assert len(lowered(text)) == len(text)
