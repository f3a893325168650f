"""Background work behind one interface: a thread of the process by default, Celery when a broker is set."""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from cds_service.state.site_key import SiteKey

log = logging.getLogger(__name__)

Run = Callable[[str, Mapping[str, Any]], None]
"""Runs the task of this name with its payload."""

PURPOSE = "queue 1"
TASK = "pharmgraph.run"


class Submitter(Protocol):
    """Takes work that no answer waits for."""

    def submit(self, task: str, payload: Mapping[str, Any]) -> bool:
        """True when the work was taken; False when the queue is full or the broker is away. Never raises, never waits long."""
        ...

    def close(self) -> None:
        """Finishes what was taken, as far as a few seconds reach, and stops."""
        ...


class ThreadSubmitter:
    """Runs tasks one after the other in a daemon thread, which starts with the first task of the process (so it survives a fork)."""

    def __init__(self, run: Run, *, size: int = 1000) -> None:
        self._run = run
        self._size = size
        self._pid = 0
        self._queue: queue.Queue[tuple[str, Mapping[str, Any]] | None] = queue.Queue(size)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, task: str, payload: Mapping[str, Any]) -> bool:
        """See Submitter."""
        self._start()
        try:
            self._queue.put_nowait((task, payload))
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        """See Submitter."""
        if self._thread is None or self._pid != os.getpid():
            return
        try:
            self._queue.put(None, timeout=1)
        except queue.Full:
            return
        self._thread.join(timeout=5)

    def _start(self) -> None:
        if self._pid == os.getpid():
            return
        with self._lock:
            if self._pid != os.getpid():
                self._queue = queue.Queue(self._size)
                self._thread = threading.Thread(target=self._work, args=(self._queue,), name="background", daemon=True)
                self._pid = os.getpid()
                self._thread.start()

    def _work(self, waiting: queue.Queue[tuple[str, Mapping[str, Any]] | None]) -> None:
        while (item := waiting.get()) is not None:
            try:
                self._run(*item)
            except Exception:
                # A task that breaks must not end the thread that runs the next one.
                log.exception("background task broke", extra={"task": item[0]})


class CelerySubmitter:
    """Sends tasks to a broker; the payload is encrypted with the site key, so that the broker holds no patient data in the clear."""

    def __init__(self, broker_url: str, key: SiteKey) -> None:
        self._app = celery_app(broker_url)
        self._cipher = key.cipher(PURPOSE)

    def submit(self, task: str, payload: Mapping[str, Any]) -> bool:
        """See Submitter."""
        from kombu.exceptions import KombuError

        try:
            self._app.send_task(TASK, args=(task, self._cipher.encrypt(msgspec.json.encode(payload)).decode("ascii")), ignore_result=True)
        except (KombuError, OSError) as e:
            log.warning("broker away", extra={"fault": type(e).__name__})
            return False
        return True

    def close(self) -> None:
        """See Submitter."""
        self._app.close()


def celery_app(broker_url: str) -> Any:
    """The Celery application of client and worker: JSON messages, no result backend, one short retry when the broker is away."""
    from celery import Celery

    app = Celery("pharmgraph", broker=broker_url)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_default_queue="pharmgraph",
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=1,
        broker_transport_options={"socket_connect_timeout": 1, "socket_timeout": 2},
        task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_max": 0.1},
    )
    return app


def open_payload(sealed: str, key: SiteKey) -> Mapping[str, Any]:
    """The payload of a message. Raises cryptography.fernet.InvalidToken when the worker has another site key than the service."""
    payload: Mapping[str, Any] = msgspec.json.decode(key.cipher(PURPOSE).decrypt(sealed.encode("ascii")))
    return payload
