"""Phrases are found wherever they stand, although most texts are never searched for them."""

from __future__ import annotations

import pytest

from cds_service.intake.sigs.amounts import quantities_of
from cds_service.intake.sigs.expand import expand
from cds_service.intake.sigs.lexicon import SECTIONS, Phrases, tokens_of

EYES = Phrases(("in the eye", "ophthalmic drops", "both eyes"))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("1 drop in the eye", "in the eye"),
        ("1 drop in the eye's corner", "in the eye"),
        ("1 drop IN THE EYE", "IN THE EYE"),
        ("1 drop in-the-eye", "in-the-eye"),
        ("Ophthalmic drops, in the eye", "Ophthalmic drops"),
        ("in water, the eye closed", None),
        ("1 tablet by mouth", None),
    ],
)
def test_a_phrase_is_found_whatever_stands_around_it(said: str, found: str | None) -> None:
    plain = expand(said)
    m = EYES.find(plain.text, plain.words, 0, len(plain.text))
    assert (m[0] if m else None) == found
    assert [m[0] for m in EYES.find_all(plain.text, plain.words)] == ([found, "in the eye"] if "," in said and found else [found] if found else [])


@pytest.mark.parametrize("route", list(SECTIONS["routes"]))
def test_every_phrase_of_a_route_is_found_by_itself(route: str) -> None:
    phrases = Phrases(SECTIONS["routes"][route])
    for phrase in SECTIONS["routes"][route]:
        words = frozenset(word for _, _, word in tokens_of(f"take {phrase} now"))
        assert phrases.find(phrase, words, 0, len(phrase)) is not None, phrase


@pytest.mark.parametrize(
    ("said", "amounts"),
    [
        ("Take 5mg twice daily", 1),
        ("10 U under the skin", 1),
        ("1 (250 mg) tablet", 1),
        ("{21 (ethinyl estradiol 0.03 MG Oral Tablet) } Pack", 1),
        ("50 µg daily", 1),
        ("See 86 Morris Avenue, NJ 07901 U.S.", 0),
    ],
)
def test_an_amount_is_looked_for_where_a_word_begins_a_unit(said: str, amounts: int) -> None:
    plain = expand(said)
    assert min(1, len(quantities_of(plain.text, plain.words))) == amounts
