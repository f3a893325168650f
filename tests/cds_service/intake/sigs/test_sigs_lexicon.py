"""Phrases are found wherever they stand, although most texts are never searched for them."""

from __future__ import annotations

import pytest

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
