"""Links: they open what they were made for, say apart why they do not, and tell nothing of a patient."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.answer.evidence_links import EvidenceLinks, derived_key
from cds_service.errors import LinkExpired, LinkForged, LinkMalformed, LinkRefused

LINKS = EvidenceLinks(b"site key of thirty-two bytes ....", "https://cds.example/base/")
NOW = datetime.now(UTC)


def test_a_link_opens_its_trace_and_card() -> None:
    link = LINKS.read(LINKS.token("trace-1", "card-1", NOW))
    assert (link.trace_id, link.card) == ("trace-1", "card-1")
    assert abs(link.expires - NOW - timedelta(days=30)) < timedelta(seconds=2)


def test_the_address_is_absolute_and_ends_at_the_quote() -> None:
    url = LINKS.url("trace-1", "card-1", NOW)
    assert url.startswith("https://cds.example/base/evidence/")
    assert url.endswith("#quote")


def test_the_same_inputs_give_the_same_link() -> None:
    assert LINKS.url("t", "c", NOW) == EvidenceLinks(b"site key of thirty-two bytes ....", "https://cds.example/base").url("t", "c", NOW)


def test_a_link_expires_after_its_days() -> None:
    short = EvidenceLinks(b"k" * 32, "http://h", days=1)
    short.read(short.token("t", "c", NOW - timedelta(hours=23)))
    with pytest.raises(LinkExpired):
        short.read(short.token("t", "c", NOW - timedelta(hours=25)))


def test_another_service_cannot_make_a_link() -> None:
    with pytest.raises(LinkForged):
        LINKS.read(EvidenceLinks(b"another key of thirty-two bytes!!", "https://cds.example").token("t", "c", NOW))


def test_an_expired_forgery_is_a_forgery() -> None:
    other = EvidenceLinks(b"x" * 32, "https://cds.example")
    with pytest.raises(LinkForged):
        LINKS.read(other.token("t", "c", NOW - timedelta(days=99)))


def test_an_unsigned_token_is_a_forgery() -> None:
    claims = {"t": "t", "c": "c", "aud": "evidence", "exp": int(time.time()) + 99}
    with pytest.raises(LinkForged):
        LINKS.read(jwt.encode(claims, None, algorithm="none"))


def test_a_token_of_another_purpose_under_the_same_site_key_is_a_forgery() -> None:
    token = jwt.encode({"t": "t", "c": "c", "aud": "evidence", "exp": int(time.time()) + 99}, derived_key(b"site key of thirty-two bytes ....", "demo page 1"))
    with pytest.raises(LinkForged):
        LINKS.read(token)


@pytest.mark.parametrize(
    "claims", [{}, {"t": "t", "c": "c", "aud": "evidence"}, {"t": 1, "c": "c", "aud": "evidence", "exp": 2**33}, {"aud": "evidence", "exp": 2**33}]
)
def test_a_token_that_names_no_card_is_malformed(claims: dict[str, object]) -> None:
    token = jwt.encode(claims, derived_key(b"site key of thirty-two bytes ....", "evidence link 1"), algorithm="HS256")
    with pytest.raises(LinkMalformed):
        LINKS.read(token)


@given(st.text(max_size=3000))
def test_any_text_is_refused_and_nothing_else_is_raised(text: str) -> None:
    with pytest.raises(LinkRefused):
        LINKS.read(text)


@given(st.integers(min_value=0), st.characters(codec="ascii", categories=("L", "N")))
def test_a_changed_character_never_opens(place: int, letter: str) -> None:
    token = LINKS.token("trace-1", "card-1", NOW)
    head, signature = token.rsplit(".", 1)
    at = place % (len(head))
    changed = f"{head[:at]}{letter}{head[at + 1 :]}.{signature}"
    if changed != token:
        with pytest.raises(LinkRefused):
            LINKS.read(changed)


def test_a_token_holds_trace_card_and_time_only() -> None:
    claims = jwt.decode(LINKS.token("trace-1", "card-1", NOW), options={"verify_signature": False})
    assert set(claims) == {"t", "c", "aud", "exp"}


def test_signing_takes_less_than_a_tenth_of_a_millisecond() -> None:
    LINKS.token("t", "c", NOW)
    rounds = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(200):
            LINKS.token("0e5c2c9a-1111-4222-8333-444455556666", "0e5c2c9a-1111-4222-8333-444455556666", NOW)
        rounds.append((time.perf_counter() - start) / 200)
    assert min(rounds) < 1e-4
