"""`work`: a Celery worker for the background tasks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from cds_service.cli.exits import sentences
from cds_service.settings import load_settings


@click.command()
@click.option("--release", type=click.Path(path_type=Path), help="Folder of the released knowledge base.")
@click.option("--state", type=click.Path(path_type=Path), help="State folder of the service.")
@click.option("--broker", "broker_url", help="Broker URL, for example redis://127.0.0.1:6379/0.")
@click.option("--concurrency", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes.")
@sentences
def work(concurrency: int, **given: Any) -> None:
    """Runs the background tasks that a service with --broker submits. Needs the extra `cluster`."""
    from cds_service.tasks import worker_app
    from cds_service.wire.logs import configure_logs

    settings = load_settings(given, os.environ)
    configure_logs(settings.log_level)
    pool = "solo" if concurrency == 1 else "prefork"
    worker_app(settings).worker_main(
        ["worker", "--loglevel", "warning", "--pool", pool, "--concurrency", str(concurrency), "--without-gossip", "--without-mingle"]
    )
