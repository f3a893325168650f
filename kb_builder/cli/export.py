"""`kb-builder export`: a release on standard output."""

from __future__ import annotations

from pathlib import Path

import click

from kb_builder.cli.opening import RELEASE_OPTION, opened
from kb_builder.publish.export import FORMATS


@click.command("export")
@RELEASE_OPTION
@click.option("--format", "form", type=click.Choice(sorted(FORMATS)), required=True, help="facts: one JSON object a statement.")
def export_command(release_path: Path, form: str) -> None:
    """Writes what a release knows to standard output."""
    with opened(release_path) as release:
        for line in FORMATS[form](release):
            click.echo(line)
