"""How a server is asked: formats, retries, time-outs, budgets, keys; and what it answers never breaks a build."""

from __future__ import annotations

import logging
import socket
import threading
import time
from pathlib import Path

import pytest

from kb_builder.errors import Interrupted
from kb_builder.propose.model.asking import ask_all, check_model
from kb_builder.propose.model.errors import ModelError, ModelRefused
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.settings import KEY_VARIABLE, ModelSettings, endpoint

TEXT = "Avoid ketoconazole with ZOCOR. Monitor digoxin levels."
MENTIONS = {"mentions": [{"text": "ketoconazole", "type": "Ingredient", "sentence": "Avoid ketoconazole with ZOCOR."}]}
GOOD = {
    "relations": [
        {"predicate": "interacts_with", "object": 1, "action": "avoid", "whose": "either", "polarity": "positive", "strength": "must", "effect": "", "conditions": [], "quote": "Avoid ketoconazole with ZOCOR."}
    ]
}  # fmt: skip


def test_two_requests_make_a_claim(label, serve, read):
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    result = read(label(TEXT), server.url)
    (claim,) = result.passed
    assert (str(claim.object), claim.payload.strictest.value, claim.statement.quote) == (
        "Ingredient:pharmgraph:ketoconazole",
        "avoid",
        "Avoid ketoconazole with ZOCOR.",
    )
    assert (claim.provenance.extractor, claim.provenance.model, claim.provenance.prompt_version) == ("model", "tiny", "1")
    assert result.spent.counts() == {"requests": 2, "answered": 2, "prompt tokens": 200, "reply tokens": 20}
    assert [(a["step"], a["format"], a["path"]) for a in server.asked()] == [
        ("mentions", "json_schema", "/v1/chat/completions"),
        ("relations", "json_schema", "/v1/chat/completions"),
    ]


def test_the_schema_sent_holds_the_registrys_words_alone(label, serve, read):
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    read(label(TEXT), server.url)
    schema = server.asked()[1]["body"]["response_format"]["json_schema"]["schema"]["properties"]["relations"]["items"]
    assert schema["properties"]["predicate"]["enum"] == ["interacts_with"]
    assert "avoid" in schema["properties"]["action"]["enum"]
    assert schema["properties"]["object"] == {"type": "integer", "minimum": 1, "maximum": 1}
    assert "doses" not in schema["properties"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("accepted", "used"), [("json_object", ["json_schema", "json_object", "json_object"]), ("plain", ["json_schema", "json_object", "plain", "plain"])]
)
def test_a_refused_format_is_loosened_and_stays_so(label, serve, read, accepted, used):
    server = serve(mentions=[{"content": MENTIONS, "formats": [accepted]}], relations=[{"content": GOOD, "formats": [accepted]}])
    assert len(read(label(TEXT), server.url).passed) == 1
    assert [a["format"] for a in server.asked()] == used


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(label, serve, read, status):
    server = serve(mentions=[{"status": status}, {"content": MENTIONS}], relations=[{"content": GOOD}])
    result = read(label(TEXT), server.url, retries=1)
    assert len(result.passed) == 1
    assert (result.spent.calls, result.spent.retries) == (3, 1)


def test_the_pause_a_server_asks_for_is_kept(label, serve, read):
    server = serve(mentions=[{"status": 429, "headers": {"Retry-After": "2"}}, {"content": MENTIONS}], relations=[{"content": GOOD}])
    began = time.monotonic()
    assert len(read(label(TEXT), server.url, retries=1).passed) == 1
    assert time.monotonic() - began >= 2


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ({"status": 500}, "server: status 500"),
        ({"status": 418}, "server: status 418"),
        ({"status": 302, "headers": {"Location": "/elsewhere"}}, "server: status 302"),
        ({"wait": 3, "content": MENTIONS}, "server: no reply in time"),
        ({"content": MENTIONS, "missing": 5_000}, "server: connection broke off"),
        ({"raw": "<html>busy</html>"}, "answer that is no chat completion"),
        ({"raw": '{"choices": []}'}, "answer that is no chat completion"),
        ({"raw": '{"choices": [{"message": {"content": null}}]}'}, "empty reply"),
        ({"raw": "[" * 100_000}, "answer that is no chat completion"),
        ({"raw": "x" * 8_100_000}, "server: reply too large"),
    ],
)
def test_what_is_no_reply_is_counted_with_its_reason(label, serve, read, turn, reason):
    server = serve(mentions=[turn])
    result = read(label(TEXT), server.url, seconds=1.5)
    assert result.proposals == []
    assert result.spent.counts() == {"requests": 1, "answered": 0, "prompt tokens": 0, "reply tokens": 0, f"unanswered, {reason}": 1}
    assert result.dropped["request without a recorded reply"] == 1


@pytest.mark.parametrize(("status", "words"), [(401, "key is missing or wrong"), (403, "may not use"), (404, "no such address or model")])
def test_a_server_that_refuses_for_good_ends_the_asking(label, serve, read, status, words):
    server = serve(mentions=[{"status": status}])
    with pytest.raises(ModelRefused, match=words):
        read(label(TEXT), server.url)
    assert len(server.asked()) == 1


def test_a_server_that_is_not_there_ends_the_asking(label, read):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelRefused, match="does not answer"):
        read(label(TEXT, boxed_warning=TEXT, warnings=TEXT), f"http://127.0.0.1:{port}")


def test_a_server_that_dies_midway_leaves_the_rest_unasked(label, serve, read):
    server = serve(mentions=[{"content": {"mentions": []}}, {"status": 500}])
    text = " ".join(f"Avoid ketoconazole with ZOCOR in week {n}." + " Monitor the patient closely." * 5 for n in range(40))
    result = read(label(text), server.url, passage=200, at_once=1)
    assert result.spent.answered == 1
    assert result.spent.unanswered["server: status 500"] == 20
    assert result.spent.unanswered["not asked: the server failed too often"] > 0


def test_a_budget_of_calls_holds(label, serve, read):
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    result = read(label(TEXT, warnings=TEXT), server.url, max_calls=1, at_once=1)
    assert len(server.asked()) == 1
    assert result.spent.unanswered == {"not asked: the budget of calls is used up": 2}


def test_a_budget_of_tokens_holds(label, serve, read):
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    result = read(label(TEXT), server.url, max_tokens=100)
    assert len(server.asked()) == 1
    assert result.spent.unanswered == {"not asked: the budget of tokens is used up": 1}


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_requests_are_under_way_than_allowed(label, serve, read, at_once):
    text = " ".join(f"Avoid ketoconazole with ZOCOR in week {n}." + " Monitor the patient closely." * 5 for n in range(9))
    server = serve(mentions=[{"wait": 0.2, "content": {"mentions": []}}])
    read(label(text), server.url, passage=200, at_once=at_once)
    assert max(a["now"] for a in server.asked()) == at_once


def test_an_interrupt_ends_the_waiting_at_once(label, serve, tmp_path):
    server = serve(mentions=[{"wait": 30}])
    made = label(TEXT)

    def documents():
        yield made.document, "simvastatin"
        raise Interrupted("SIGTERM")

    began = time.monotonic()
    with pytest.raises(Interrupted):
        ask_all(documents(), ModelSettings("tiny", server.url), ReplyFolder(tmp_path / "replies"))
    assert time.monotonic() - began < 5


def test_the_key_is_sent_and_never_logged(label, serve, read, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(KEY_VARIABLE, "very-secret-1234")
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    read(label(TEXT), server.url)
    assert {a["key"] for a in server.asked()} == {"Bearer very-secret-1234"}
    assert "very-secret" not in caplog.text
    assert "ketoconazole" not in caplog.text


def test_the_key_is_in_no_recorded_reply(label, serve, read, monkeypatch, tmp_path):
    monkeypatch.setenv(KEY_VARIABLE, "very-secret-1234")
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    read(label(TEXT), server.url, cache=tmp_path / "kept")
    written = [p.read_text() for p in (tmp_path / "kept").rglob("*.json")]
    assert len(written) == 2
    assert not any("very-secret" in text or "127.0.0.1" in text for text in written)


def test_without_a_key_none_is_sent(label, serve, read, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    read(label(TEXT), server.url)
    assert {a["key"] for a in server.asked()} == {None}


def test_a_key_never_crosses_a_network_unencrypted(monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, "very-secret-1234")
    with pytest.raises(ModelError, match="unencrypted") as caught:
        check_model(ModelSettings("tiny", "http://models.example.org"))
    assert "very-secret" not in str(caught.value)
    check_model(ModelSettings("tiny", "https://models.example.org"))
    check_model(ModelSettings("tiny", "http://localhost:8000"))


@pytest.mark.parametrize("url", ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1/v1/chat/completions"])
def test_an_address_is_taken_in_every_spelling(url):
    assert endpoint(url) == "http://h:1/v1/chat/completions"


@pytest.mark.parametrize("url", ["ftp://h", "h:1", "", "http://", "https://user:word@h"])
def test_what_is_no_address_is_told(url):
    with pytest.raises(ModelError, match="--model-url"):
        endpoint(url)


def test_a_folder_that_cannot_be_written_ends_the_asking(label, serve, read, tmp_path):
    (tmp_path / "kept").write_text("a file in the way")
    server = serve(mentions=[{"content": MENTIONS}])
    with pytest.raises(ModelError, match="cannot be written"):
        read(label(TEXT), server.url, cache=tmp_path / "kept")


def test_asking_leaves_no_threads(label, serve, read):
    before = threading.active_count()
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    read(label(TEXT), server.url)
    assert threading.active_count() <= before + 1


def test_recorded_replies_are_not_asked_again(label, serve, read, tmp_path: Path):
    server = serve(mentions=[{"content": MENTIONS}], relations=[{"content": GOOD}])
    first = read(label(TEXT), server.url, cache=tmp_path / "kept")
    again = read(label(TEXT), server.url, cache=tmp_path / "kept")
    assert len(server.asked()) == 2
    assert (again.spent.calls, again.spent.reused, again.spent.counts()) == (0, 2, first.spent.counts())
    assert again.claims == first.claims
