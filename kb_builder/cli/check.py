"""`kb-builder check`: proves a release."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kb_builder.cli.opening import RELEASE_OPTION
from kb_builder.errors import ReleaseFaulty, ReleaseUnusable
from ontology.model.errors import StoreError
from ontology.store.check import check_release

_SHOWN = 50


@click.command("check")
@RELEASE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the faults as JSON.")
def check_command(release_path: Path, as_json: bool) -> None:
    """Proves that spans are verbatim, that the graph is the projection of the claims, and that every reference resolves.

    Exit code 0: it is whole; 1: faults were found; 6: it cannot be opened.
    """
    try:
        faults = check_release(release_path)
    except StoreError as e:
        raise ReleaseUnusable(str(e)) from e
    if as_json:
        click.echo(json.dumps([{"kind": f.kind, "where": f.where, "what": f.what} for f in faults], indent=2, ensure_ascii=False))
    else:
        for fault in faults[:_SHOWN]:
            click.echo(str(fault))
    if faults:
        more = f" ({len(faults) - _SHOWN:,} more not shown)" if len(faults) > _SHOWN and not as_json else ""
        raise ReleaseFaulty(f"{release_path}: {len(faults):,} fault{'s' if len(faults) > 1 else ''}{more}; build the release again")
    if not as_json:
        click.echo(f"{release_path}: whole")
