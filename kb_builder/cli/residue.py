"""`kb-builder residue`: informative text that no claim used."""

from __future__ import annotations

from pathlib import Path

import click

from kb_builder.cli.evaluate import show
from kb_builder.cli.opening import RELEASE_OPTION, opened
from kb_builder.learn.residue import find_residue
from kb_builder.learn.residue_book import residue_book
from kb_builder.learn.residue_report import residue_data, residue_lines


@click.command("residue")
@RELEASE_OPTION
@click.option("--kind", "kinds", type=click.Choice(residue_book().kinds), multiple=True, help="Only sentences with this cue; may be given again.")
@click.option("--label", "labels", multiple=True, metavar="SETID", help="Only this label; may be given again.")
@click.option("--sample", type=click.IntRange(min=0), default=0, metavar="N", help="Also show N sentences that are left, drawn at random.")
@click.option("--top", type=click.IntRange(min=0), default=40, show_default=True, metavar="N", help="Wordings to show.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
def residue_command(release_path: Path, kinds: tuple[str, ...], labels: tuple[str, ...], sample: int, top: int, form: str) -> None:
    """Lists informative text of a release's English labels that no released claim used.

    A sentence is informative when it names a dose, an instruction, people, a prohibition, an indication or a partner with an effect. It is
    used where a span of a released claim overlaps it, dismissed with one of a closed list of reasons, or left. Needs no gold.
    """
    with opened(release_path) as release:
        found = find_residue(release, kinds=kinds, labels=labels, sample=sample)
    show(residue_data(found, top=top), residue_lines(found, top=top), form)
