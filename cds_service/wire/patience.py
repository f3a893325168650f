"""How long a client may take to send a request: a thread that waits for bytes is a thread that no order gets."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK = 0.5
"""Seconds between two looks at the clock; a slow client may be given that much more."""


class Patience:
    """Ends the reading of connections that take longer than so many seconds; what was read by then is answered. Safe for threads, started on first use."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._waiting: dict[int, tuple[float, socket.socket]] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    @contextmanager
    def with_client(self, connection: socket.socket) -> Iterator[None]:
        """Within it the connection is watched."""
        key = id(connection)
        with self._lock:
            self._waiting[key] = (self._clock() + self._seconds, connection)
            if self._watch is None:
                self._watch = threading.Thread(target=self._run, name="patience", daemon=True)
                self._watch.start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(key, None)

    def end_late(self) -> int:
        """Ends the reading of every connection whose time is over; returns how many."""
        now = self._clock()
        with self._lock:
            late = [key for key, (end, _) in self._waiting.items() if end <= now]
            for key in late:
                _, connection = self._waiting.pop(key)
                # Only reading ends: an answer that is under way is still sent.
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RD)
        return len(late)

    def _run(self) -> None:
        while True:
            time.sleep(TICK)
            self.end_late()
