"""`coverage`: what a release can say of a formulary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cds_service.audit.coverage import Coverage, coverage_of
from cds_service.cli.exits import sentences
from cds_service.errors import FormularyUnreadable
from cds_service.intake.formulary import read_formulary
from ontology.store.release import Release
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug

WIDTH = 160
REASONS = {
    "unknown": "not identified: no such name or code",
    "ambiguous": "not identified: may be",
    "conflict": "not identified: name and code differ,",
    "no-name": "not identified: no name",
}


@click.command()
@click.argument("formulary", metavar="FORMULARY.csv", type=click.Path(path_type=Path))
@click.option("--release", required=True, type=click.Path(path_type=Path), help="Folder of the released knowledge base.")
@click.option("--missing", is_flag=True, help="List only the lines that lack something.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@sentences
def coverage(formulary: Path, release: Path, missing: bool, as_json: bool) -> None:
    """Prints which drugs of a formulary are identified, labelled, have dose rules and are read by a person.

    The file is CSV in UTF-8 with a header: `name`, and where the site has them `rxnorm`, `ndc`, `nmpa`, `unii` or `code` (system:value),
    `route` and `form`.
    """
    try:
        read = read_formulary(formulary.read_bytes())
    except OSError as e:
        raise FormularyUnreadable(f"{formulary}: {e.strerror or e}") from e
    except FormularyUnreadable as e:
        raise FormularyUnreadable(f"{formulary}: {e}") from e
    with Release.open(release) as knowledge:
        rows = [coverage_of(line, knowledge, knowledge.terminology) for line in read.lines]
    if as_json:
        click.echo(
            json.dumps({"summary": summary(rows), "unread_columns": list(read.unread), "lines": [as_data(r) for r in rows]}, indent=2, ensure_ascii=False)
        )
        return
    if read.unread:
        click.echo(f"columns not read: {', '.join(read.unread)}", err=True)
    shown = [r for r in rows if not missing or not (r.labelled and r.dose_rules)]
    if shown:
        Console(width=WIDTH).print(table(shown))
    for what, count in summary(rows).items():
        click.echo(f"{what:<18} {count:>6} of {len(rows)}  {100 * count / len(rows):5.1f} %")


def summary(rows: Sequence[Coverage]) -> dict[str, int]:
    """How many lines have each kind of coverage."""
    return {
        "identified": sum(r.identified for r in rows),
        "labelled": sum(r.labelled for r in rows),
        "dose rules": sum(r.labelled and r.dose_rules > 0 for r in rows),
        "read by a person": sum(r.labelled and r.read > 0 for r in rows),
    }


def table(rows: Sequence[Coverage]) -> Table:
    """The lines as a table."""
    made = Table("line", "name", "identified as", "judged by", "statements", "on doses", "read by a person", box=None, header_style="bold")
    for r in rows:
        name = r.line.name or ", ".join(c.value for c in r.line.codes)
        made.add_row(*(as_written(cell) for cell in (str(r.line.number), name, identity(r.drug), judged_by(r), *counts(r))))
    return made


def as_written(text: str) -> Text:
    """The text as a cell: brackets are no markup, every kind of space is one, other control characters show as a question mark."""
    return Text("".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text))


def identity(drug: DrugIdentity | UnidentifiedDrug) -> str:
    """The ingredients, or why the drug is not identified."""
    if isinstance(drug, DrugIdentity):
        return drug.name
    return f"{REASONS[drug.reason]} {' or '.join(drug.candidates[:3])}".strip()


def judged_by(row: Coverage) -> str:
    """The label and its date, or why no label judges."""
    if not row.labels:
        return row.why_not
    named = [f"{label.title}, {label.effective.isoformat() if label.effective else 'label date unknown'}" for label in row.labels]
    return f"{'its parts: ' if row.by_parts else ''}{'; '.join(named)}"


def counts(row: Coverage) -> tuple[str, str, str]:
    """The numbers of a line as they are shown; none where no label judges."""
    return (str(row.statements), str(row.dose_rules), str(row.read)) if row.labelled else ("", "", "")


def as_data(row: Coverage) -> dict[str, Any]:
    """A line as plain data."""
    known = isinstance(row.drug, DrugIdentity)
    return {
        "line": row.line.number,
        "name": row.line.name,
        "codes": [f"{c.system}:{c.value}" for c in row.line.codes],
        "identified": known,
        "drug": identity(row.drug),
        "labelled": row.labelled,
        "by_parts": row.by_parts,
        "labels": [{"document": label.document, "version": label.version, "title": label.title} for label in row.labels],
        "why_not": row.why_not,
        "statements": row.statements,
        "dose_rules": row.dose_rules,
        "read_by_a_person": row.read,
    }
