"""What gunicorn calls: a logger that leaves out addresses and headers, and the end of a worker."""

from __future__ import annotations

import logging
from typing import Any

from gunicorn.glogging import Logger
from prometheus_client import multiprocess


class QuietLogger(Logger):  # type: ignore[misc]
    """Gunicorn's messages through the handlers of the process, without an access log."""

    def setup(self, cfg: Any) -> None:
        """Leaves the handlers to `wire.logs`."""
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")
        self.error_log.handlers[:] = []
        self.access_log.handlers[:] = []
        self.access_log.disabled = True
        self.error_log.propagate = True
        self.cfg = cfg

    def reopen_files(self) -> None:
        """Nothing: there are no files."""

    def close_on_exec(self) -> None:
        """Nothing: there are no files."""


def child_exit(_server: Any, worker: Any) -> None:
    """Takes the gauges of a worker that ended out of the metrics."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def worker_exit(_server: Any, worker: Any) -> None:
    """Finishes the worker's background tasks."""
    runtime = getattr(worker.app.wsgi(), "extensions", {}).get("pharmgraph")
    if runtime is not None:
        runtime.submitter.close()
