"""The command line `cds-service`."""

from __future__ import annotations

import click

from cds_service.cli.audit import audit
from cds_service.cli.explain import explain
from cds_service.cli.fire import fire
from cds_service.cli.serve import serve
from cds_service.cli.work import work


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pharmgraph-cds")
def main() -> None:
    """Audits prescriptions over CDS Hooks with a released knowledge base."""


for command in (serve, audit, fire, explain, work):
    main.add_command(command)
