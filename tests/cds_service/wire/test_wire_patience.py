"""Connections whose request does not come."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from cds_service.wire.gunicorn_worker import PatientWorker, refusal
from cds_service.wire.patience import Patience


class Clock:
    """Time that stands until it is told to go."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        here.settimeout(5)
        yield here, there


def test_reading_ends_when_the_time_is_over_and_writing_does_not(pair: tuple[socket.socket, socket.socket]) -> None:
    here, there = pair
    clock = Clock()
    patience = Patience(3, clock)
    with patience.with_client(here):
        assert patience.end_late() == 0
        clock.now = 3.0
        assert patience.end_late() == 1
        assert here.recv(10) == b""
        here.sendall(b"answer")
        assert there.recv(10) == b"answer"


def test_a_request_that_has_come_is_left_alone(pair: tuple[socket.socket, socket.socket]) -> None:
    here, there = pair
    clock = Clock()
    patience = Patience(3, clock)
    with patience.with_client(here):
        pass
    clock.now = 9.0
    assert patience.end_late() == 0
    there.sendall(b"more")
    assert here.recv(10) == b"more"


def test_a_closed_connection_is_no_fault() -> None:
    here, there = socket.socketpair()
    clock = Clock()
    patience = Patience(3, clock)
    with patience.with_client(here):
        here.close()
        there.close()
        clock.now = 4.0
        assert patience.end_late() == 1


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (errors.InvalidRequestLine("GET /?patient=Zaphod"), 400, "structure"),
        (errors.LimitRequestLine(9, 4), 414, "too-long"),
        (errors.LimitRequestHeaders("many"), 431, "too-long"),
        (errors.UnsupportedTransferCoding("x"), 501, "not-supported"),
        (RuntimeError("Zaphod"), 500, "exception"),
    ],
)
def test_a_request_that_is_not_http_hears_an_operation_outcome_and_the_log_nothing_of_it(
    pair: tuple[socket.socket, socket.socket], caplog: pytest.LogCaptureFixture, fault: Exception, status: int, code: str
) -> None:
    here, there = pair
    PatientWorker.handle_error(object.__new__(PatientWorker), None, there, ("10.1.2.3", 1), fault)
    head, body = here.recv(10_000).split(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"Access-Control-Allow-Origin: *" in head
    issue = json.loads(body)["issue"][0]
    assert (issue["severity"], issue["code"]) == ("error", code)
    assert "Zaphod" not in body.decode()
    assert not any("Zaphod" in r.getMessage() or "10.1.2.3" in r.getMessage() for r in caplog.records)


def test_the_announced_length_is_that_of_the_body() -> None:
    head, body = refusal(400, "Bad Request", "structure", "é").split(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}".encode() in head


@pytest.mark.parametrize(("workers", "held", "waited"), [(2, 0, 0), (2, 1, 0.0005), (2, 3, 0.0015), (2, 900, 0.002), (1, 3, 0)])
def test_beside_other_workers_a_new_connection_is_left_to_the_one_with_fewer(monkeypatch: pytest.MonkeyPatch, workers: int, held: int, waited: float) -> None:
    steps: list[object] = []
    monkeypatch.setattr(ThreadWorker, "accept", lambda _worker, listener: steps.append(listener))
    monkeypatch.setattr("cds_service.wire.gunicorn_worker.time.sleep", steps.append)
    worker = object.__new__(PatientWorker)
    worker.cfg, worker.nr_conns = SimpleNamespace(workers=workers), held
    worker.accept("listener")
    assert steps == [*([waited] if waited else []), "listener"]
