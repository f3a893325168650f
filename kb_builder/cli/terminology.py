"""`kb-builder terminology load | show`: terminologies that a site holds under licences of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kb_builder.cli.build import stoppable
from kb_builder.errors import OutputError
from kb_builder.ingest.site_terms import load_terms, open_terms, refusals, term_sources
from kb_builder.progress import reporter_for
from kb_builder.report import listed

_PATHS = click.Path(exists=True, path_type=Path)


def _source(name: str, metavar: str, told: str) -> Callable[[Any], Any]:
    return click.option(f"--{name}", name, type=_PATHS, multiple=True, metavar=metavar, help=told)


@click.group("terminology")
def terminology_group() -> None:
    """Loads terminologies a site is licensed for, and shows what was loaded."""


@terminology_group.command("load")
@_source("rxnorm", "RRF", "Folder or zip archive of an RxNorm release.")
@_source("ndc", "PRODUCT", "Product file of the NDC directory, or its zip archive.")
@_source("atc", "FILE", "Table of ATC codes and names, or an RxNorm release with rows of source ATC.")
@_source("snomed", "RF2", "Folder or zip archive of a SNOMED CT release (RF2 snapshot).")
@_source("codes", "MAP.csv", "The site's own codes: system,code,means and optionally kind.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="TERMS", help="File to write.")
@click.option("--strict", is_flag=True, help="Write nothing when anything is refused.")
@click.option("--json", "as_json", is_flag=True, help="Print what was read as JSON.")
def load_command(out: Path, strict: bool, as_json: bool, **paths: tuple[Path, ...]) -> None:
    """Reads the licence's own files into one file that `build --terms` takes. It holds licensed content: keep it inside the site.

    Lines that cannot be read are refused with their numbers, the rest lands. Exit code 0: the file stands; 3: nothing could be read;
    4: refused under --strict; 5: the file cannot be written.
    """
    sources = term_sources(dict(paths))
    if not sources:
        raise click.UsageError("name at least one source: --rxnorm, --ndc, --atc, --snomed or --codes")
    for source in sources:
        if not source.path.is_file() and not source.path.is_dir():
            raise click.UsageError(f"{source.path} is a pipe or a device; give a file, an archive or a folder, which can be read twice")
    if not out.absolute().parent.is_dir():
        raise OutputError(f"{out.absolute().parent} is no folder; make it first, or choose another place")
    with stoppable():
        manifest = load_terms(sources, out, reporter_for(), strict=strict)
    _show(manifest, out, as_json=as_json)


@terminology_group.command("show")
@click.argument("terms", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def show_command(terms: Path, as_json: bool) -> None:
    """Shows what a file of loaded terminologies holds: sources, versions, hashes, counts, refusals, licences."""
    _show(open_terms(terms).manifest, terms, as_json=as_json)


def _show(manifest: dict[str, Any], path: Path, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(manifest, indent=2, ensure_ascii=False))
        return
    counts = ", ".join(f"{number:,} {kind}" for kind, number in manifest["counts"].items() if number)
    click.echo(f"{path}: {counts}")
    for source in manifest["sources"]:
        records = ", ".join(f"{number:,} {kind}" for kind, number in source["records"].items()) or "nothing"
        click.echo(f"{source['title']}, version {source['version']}, {source['name']}, sha256 {source['sha256'][:16]}: {records}")
        for reason, number in source["left out"].items():
            click.echo(f"  left out: {number:,} {reason}")
        for line in listed("refused", refusals(source)):
            click.echo(f"  {line}")
        if source["refused"] > len(source["refusals"]):
            click.echo(f"  {source['refused']:,} refused in all")
    for title, licence in manifest["licences"].items():
        click.echo(f"licence of {title}: {licence}")
