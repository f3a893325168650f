"""The command group, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import sys
from typing import Any

import click

from kb_builder.cli.build import build_command
from kb_builder.cli.check import check_command
from kb_builder.cli.evaluate import evaluate_command
from kb_builder.cli.export import export_command
from kb_builder.cli.residue import residue_command
from kb_builder.cli.terminology import terminology_group
from kb_builder.cli.why import why_command
from kb_builder.errors import BuilderError, Interrupted
from ontology.model.errors import OntologyError


class _Group(click.Group):
    """Prints the errors that the packages define, without a traceback; everything else is a defect and shows one."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (BuilderError, Interrupted) as e:
            click.echo(f"kb-builder: {e}", err=True)
            ctx.exit(e.exit_code)
        except OntologyError as e:
            click.echo(f"kb-builder: {e}", err=True)
            ctx.exit(6)
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(0)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="pharmgraph-cds", prog_name="kb-builder")
def main() -> None:
    """Builds knowledge bases from drug labels, and answers for what is in them."""


for command in (build_command, check_command, why_command, export_command, evaluate_command, residue_command, terminology_group):
    main.add_command(command)
