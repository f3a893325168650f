"""`serve`: the service under gunicorn."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cds_service.cli.exits import PORT, sentences, stop
from cds_service.settings import Settings, load_settings

if TYPE_CHECKING:
    from flask import Flask

FIGURES = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus-client looks for the folder in which workers share their figures."""

SLACK = 30
"""Seconds a worker may be silent beyond a request's budget before it is replaced."""
GARBAGE = 10_000
"""Objects that are made before a worker looks for garbage in circles: an audit makes thousands that go without."""


@click.command()
@click.option("--release", type=click.Path(path_type=Path), help="Folder of the released knowledge base.")
@click.option("--port", type=int, help="Port to listen on (8080).")
@click.option("--host", help="Address to listen on (127.0.0.1).")
@click.option("--state", type=click.Path(path_type=Path), help="Folder for traces and feedback (./pharmgraph-state).")
@click.option("--policy", type=click.Path(path_type=Path), help="Folder of the site policy.")
@click.option(
    "--reference-time-from-request", is_flag=True, default=None, help="Take org.pharmgraph.reference-time of a request for now: evaluation and replay only."
)
@click.option("--workers", type=int, help="Worker processes (2).")
@click.option("--threads", type=int, help="Threads a worker (4).")
@click.option("--demo", type=click.Path(path_type=Path), help="Folder of synthetic patients for the demo page at /demo.")
@click.option("--base-url", help="The URL that clients reach the service at, when it is not http://HOST:PORT; links in cards begin with it.")
@click.option("--live", is_flag=True, default=None, help="Run the query templates for every audit instead of reading stored dossiers.")
@click.option("--broker", "broker_url", help="Broker URL; background work then runs in `cds-service work` through Celery.")
@sentences
def serve(**given: Any) -> None:
    """Serves CDS Hooks; /health answers 200 when it is ready to audit. Settings can also be given as PHARMGRAPH_<NAME> or in the TOML file PHARMGRAPH_SETTINGS names."""
    settings = load_settings(given, os.environ)
    listener = claim_port(settings.host, settings.port)
    settings = settings.model_copy(update={"port": listener.getsockname()[1]})
    master, figures = os.getpid(), tempfile.mkdtemp(prefix="pharmgraph-metrics-")
    os.environ[FIGURES] = figures
    try:
        _run(settings, listener)
    finally:
        # A worker that ends passes here too; the figures are the master's.
        if os.getpid() == master:
            listener.close()
            os.environ.pop(FIGURES, None)
            shutil.rmtree(figures, ignore_errors=True)


def claim_port(host: str, port: int) -> socket.socket:
    """A socket that listens there. Ends the command with a sentence when it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as e:
        listener.close()
        raise stop(f"{host}:{port} cannot be listened on ({e.strerror}): end the program that uses it, or choose another with --port or --host", PORT) from e
    listener.set_inheritable(True)
    return listener


def _run(settings: Settings, listener: socket.socket) -> None:
    """Opens everything once, forks workers, and serves until it is told to stop."""
    from gunicorn.app.base import BaseApplication

    from cds_service.wire.app import create_app
    from cds_service.wire.gunicorn_hooks import QuietLogger, child_exit, worker_exit
    from cds_service.wire.gunicorn_worker import PatientWorker
    from cds_service.wire.logs import configure_logs
    from cds_service.wire.rehearsal import rehearse

    configure_logs(settings.log_level)
    gc.disable()  # what is made here stays: looking through it for garbage takes half of the start
    try:
        app = create_app(settings)
        rehearse(app.extensions["pharmgraph"])
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 10, 10)
    handed_over = listener.detach()
    PatientWorker.read_seconds = settings.read_seconds

    class Server(BaseApplication):  # type: ignore[misc]
        """The gunicorn arbiter around the application that is already made."""

        def load_config(self) -> None:
            """Settings of ours; gunicorn's own files and environment are not read."""
            options = {
                "bind": f"fd://{handed_over}",
                "workers": settings.workers,
                "threads": settings.threads,
                "worker_class": PatientWorker,
                "timeout": settings.time_budget_ms // 1000 + SLACK,
                "graceful_timeout": settings.time_budget_ms // 1000 + 2,
                "keepalive": 30,
                "accesslog": None,
                "logger_class": QuietLogger,
                "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108
                "child_exit": child_exit,
                "worker_exit": worker_exit,
                "preload_app": True,
                "proc_name": "cds-service",
                "control_socket_disable": True,
            }
            for name, value in options.items():
                if name in self.cfg.settings:
                    self.cfg.set(name, value)

        def load(self) -> Flask:
            """The application."""
            return app

    Server().run()
