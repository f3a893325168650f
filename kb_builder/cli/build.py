"""`kb-builder build`: from label files to a release."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click

from kb_builder.assemble.policy import load_policy
from kb_builder.cli.model import model_options, model_settings
from kb_builder.errors import Interrupted
from kb_builder.pipeline import build
from kb_builder.plan import BuildPlan
from kb_builder.progress import reporter_for
from kb_builder.workers import available_cores

_EXISTING = click.Path(exists=True, path_type=Path)


@click.command("build")
@click.option(
    "--source", "sources", type=_EXISTING, multiple=True, required=True, metavar="PATH...", help="Label files, folders, zip archives; more may follow."
)
@click.argument("more_sources", type=_EXISTING, nargs=-1, metavar="[PATH]...")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="RELEASE", help="Folder the release appears as, when it is whole.")
@click.option("--jobs", type=click.IntRange(min=1), default=available_cores, show_default="all cores", help="Worker processes.")
@click.option("--policy", default="default", show_default=True, metavar="P", help="Release policy: default, strict, or a TOML file.")
@click.option("--ledger", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Folder that keeps every claim across builds.")
@click.option(
    "--terms", "terms", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="TERMS", help="File that `terminology load` wrote, for this site."
)
@click.option("--accept-changed", is_flag=True, help="Build although a source shrank or changed its shape since the ledger's last run.")
@click.option("--strict", is_flag=True, help="Make no release when anything is refused.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@model_options
def build_command(
    sources: tuple[Path, ...],
    more_sources: tuple[Path, ...],
    out: Path,
    jobs: int,
    policy: str,
    ledger: Path | None,
    terms: Path | None,
    accept_changed: bool,
    strict: bool,
    as_json: bool,
    **model: Any,
) -> None:
    """Builds a release from labels: openFDA .json, SPL .xml, .md, .txt, .pdf; folders and .zip archives of them.

    What cannot be read is listed with the reason and the rest is built; --strict makes no release then. Exit code 0: a release stands;
    3: nothing could be read; 4: refused under --strict; 5: the output cannot be written; 8: a source is not what it was; 10: the model cannot be asked or a
    replay lacks a reply; 130, 143: stopped by a signal.
    """
    inputs = (*sources, *more_sources)
    plan = BuildPlan(
        inputs,
        out,
        load_policy(policy),
        jobs=jobs,
        strict=strict,
        ledger=ledger,
        accept_changed=accept_changed,
        loaded_terms=terms,
        model=model_settings(**model),
    )
    with stoppable():
        report = build(plan, reporter_for())
    if as_json:
        click.echo(json.dumps(report.as_json(), indent=2, ensure_ascii=False))
        return
    for line in report.lines():
        click.echo(line)
    for failure in report.failed[:1]:
        click.echo(failure.traceback, err=True)


@contextmanager
def stoppable() -> Iterator[None]:
    """Turns SIGINT and SIGTERM into an exception, so that a stopped run cleans up after itself."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Interrupted(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
