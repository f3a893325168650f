"""The command line `cds-service`."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS: tuple[str, ...] = ("serve", "audit", "fire", "explain", "coverage", "policy", "shadow-report", "work")
"""The commands, in the order of help: each is a function of its name in a module of its name (dashes as underscores), imported when it is called."""


class _Commands(click.Group):
    """A group that imports a command when it is needed: `fire` need not load what `serve` does."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"cds_service.cli.{name}"), name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pharmgraph-cds")
def main() -> None:
    """Audits prescriptions over CDS Hooks with a released knowledge base."""
