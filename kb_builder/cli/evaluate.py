"""`kb-builder evaluate`: what the extraction of a release is worth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from kb_builder.cli.opening import opened
from kb_builder.learn.adversarial import TrapRunner, shipped_traps
from kb_builder.learn.adversarial_report import adversarial_data, adversarial_lines
from kb_builder.learn.evaluation import evaluate
from kb_builder.learn.evaluation_report import evaluation_data, evaluation_lines
from kb_builder.learn.flat import KINDS, FlatFact
from kb_builder.learn.gold import read_gold
from kb_builder.learn.grounding import ground
from kb_builder.learn.grounding_report import grounding_data, grounding_lines
from kb_builder.learn.proposals import outcome_data, outcome_lines, proposal_outcomes

_PATH = click.Path(path_type=Path)


@click.command("evaluate")
@click.argument("gold", nargs=-1, type=_PATH, metavar="[GOLD]...")
@click.option("--release", "release_path", type=_PATH, metavar="RELEASE", help="Folder of the release to measure.")
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only facts of this kind; may be given again.")
@click.option("--label", "labels", multiple=True, metavar="SETID", help="Only this label; may be given again.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("--adversarial", is_flag=True, help="Also run the sentences made to mislead; needs neither gold nor a release.")
@click.option("--proposers", is_flag=True, help="Show what each proposer's claims came to: passed, held, released, true by gold.")
@click.option("--misses", is_flag=True, help="Show every missed and every false fact beside its text.")
@click.option("--confusions", is_flag=True, help="Show what is taken for what.")
def evaluate_command(
    gold: tuple[Path, ...],
    release_path: Path | None,
    kinds: tuple[str, ...],
    labels: tuple[str, ...],
    form: str,
    adversarial: bool,
    proposers: bool,
    misses: bool,
    confusions: bool,
) -> None:
    """Compares a release with gold facts (files or folders of JSON Lines), and looks at every claim of it without gold.

    With GOLD: precision, recall and F1 by kind, predicate and label, what must not be missed, harmful claims, and the class of every error.
    With or without: the share of its released claims that say what their text does not. Exit code 0: measured, whatever the figures;
    6: the release cannot be opened; 9: a gold file cannot be read.
    """
    if release_path is None and (gold or not adversarial):
        raise click.UsageError("say what to measure: --release RELEASE, or --adversarial")
    facts = read_gold(gold) if gold else []
    data: dict[str, Any] = {}
    lines: list[Iterable[str]] = []
    if release_path is not None:
        _measure(release_path, facts, kinds, labels, misses, confusions, data, lines)
        if proposers:
            with opened(release_path) as release:
                found = proposal_outcomes(release, facts, labels)
            data["proposers"] = outcome_data(found)
            lines.append(outcome_lines(found))
    if adversarial:
        outcomes = list(TrapRunner().run_all(shipped_traps()))
        data["adversarial"] = adversarial_data(outcomes)
        lines.append(adversarial_lines(outcomes))
    show(data, (line for part in lines for line in part), form)


def _measure(
    path: Path,
    facts: list[FlatFact],
    kinds: tuple[str, ...],
    labels: tuple[str, ...],
    misses: bool,
    confusions: bool,
    data: dict[str, Any],
    lines: list[Iterable[str]],
) -> None:
    """Adds what is found of a release."""
    with opened(path) as release:
        if facts:
            found = evaluate(facts, release, kinds=kinds, labels=labels)
            data["gold"] = evaluation_data(found, errors=misses, confusions=confusions)
            lines.append(evaluation_lines(found, errors=misses, confusions=confusions))
        grounding = ground(release, labels)
        data["hallucination"] = grounding_data(grounding)
        lines.append(grounding_lines(grounding))


def show(data: dict[str, Any], lines: Iterator[str], form: str) -> None:
    """Prints the data as JSON, or the lines."""
    if form == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False, default=str))
        return
    for line in lines:
        click.echo(line)
