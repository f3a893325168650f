"""The worker class: threads that do not wait for slow clients for ever, and refusals of broken HTTP that look like all others."""

from __future__ import annotations

import logging
import socket
import time
from typing import Any, ClassVar

import msgspec
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from cds_service.wire.outcomes import JSON, outcome_body
from cds_service.wire.patience import Patience

log = logging.getLogger(__name__)

_FAULTS: tuple[tuple[type[Exception], int, str, str], ...] = (
    (errors.LimitRequestLine, 414, "URI Too Long", "too-long"),
    (errors.LimitRequestHeaders, 431, "Request Header Fields Too Large", "too-long"),
    (errors.UnsupportedTransferCoding, 501, "Not Implemented", "not-supported"),
    (errors.ExpectationFailed, 417, "Expectation Failed", "not-supported"),
)
"""What HTTP gives a status of its own; any other fault of the request's form is 400."""


_STEP_BACK = 0.0005
"""Seconds that a worker leaves a new connection to the others for each one that it has."""
_MOST_STEPS = 4


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Gunicorn's threaded worker. `read_seconds` is the time in which a request must arrive whole; it is set before the first worker starts."""

    read_seconds: ClassVar[float] = 10.0

    def init_process(self) -> None:
        """Starts the worker; its patience is its own, made after the fork."""
        self.patience = Patience(self.read_seconds)
        super().init_process()

    def accept(self, listener: Any) -> None:
        """Takes a new connection; beside other workers the later, the more connections it has, so that clients which keep theirs spread over all."""
        if self.cfg.workers > 1 and self.nr_conns:
            time.sleep(min(self.nr_conns, _MOST_STEPS) * _STEP_BACK)
        super().accept(listener)

    def handle(self, conn: Any) -> Any:
        """Handles a request on a connection whose reading ends in time."""
        with self.patience.with_client(conn.sock):
            return super().handle(conn)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answers a request that is not HTTP with an OperationOutcome; the log has the kind of fault and nothing of the request."""
        if isinstance(exc, errors.ParseException):
            status, reason, code = next(((s, r, c) for kind, s, r, c in _FAULTS if isinstance(exc, kind)), (400, "Bad Request", "structure"))
            said = f"the request is not readable as HTTP ({type(exc).__name__})"
            log.warning("request refused", extra={"fault": type(exc).__name__, "status": status})
        else:
            status, reason, code, said = 500, "Internal Server Error", "exception", "the request could not be processed"
            log.error("request broke", exc_info=exc)
        try:
            client.sendall(refusal(status, reason, code, said))
        except OSError:
            log.debug("client left before its refusal")


def refusal(status: int, reason: str, code: str, said: str) -> bytes:
    """An HTTP answer with an OperationOutcome, after which the connection closes."""
    body = msgspec.json.encode(outcome_body(code, said))
    head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: {JSON}\r\nContent-Length: {len(body)}\r\nAccess-Control-Allow-Origin: *\r\n\r\n"
    return head.encode("ascii") + body
