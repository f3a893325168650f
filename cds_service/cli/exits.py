"""Exit codes, and errors as one sentence on standard error."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click

from cds_service.errors import (
    FormularyUnreadable,
    ReplayImpossible,
    RequestRefused,
    ServerUnreachable,
    ServiceError,
    SettingsError,
    StateBroken,
    TraceUnreadable,
)
from ontology.model.errors import OntologyError

DIFFERS = 1
RELEASE = 3
SETTINGS = 4
PORT = 5
REFUSED = 6
UNREACHABLE = 7
STATE = 8
FORMULARY = 9

CODES: tuple[tuple[type[Exception], int], ...] = (
    (OntologyError, RELEASE),
    (ReplayImpossible, RELEASE),
    (SettingsError, SETTINGS),
    (RequestRefused, REFUSED),
    (ServerUnreachable, UNREACHABLE),
    (FormularyUnreadable, FORMULARY),
    (StateBroken, STATE),
    (TraceUnreadable, STATE),
)
"""Error and exit code. 0 is success, 1 a replay that differs, 2 a wrong command line, 5 a busy port."""

P = ParamSpec("P")
T = TypeVar("T")


def sentences(command: Callable[P, T]) -> Callable[P, T]:
    """The command, with our errors as `Error: <sentence>` and a stable exit code instead of a traceback."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except (ServiceError, OntologyError) as e:
            raise stop(str(e), next((code for kind, code in CODES if isinstance(e, kind)), 1)) from e

    return run


def stop(sentence: str, code: int) -> SystemExit:
    """What to raise to end the command with the sentence on standard error and the code."""
    click.echo(f"Error: {sentence}", err=True)
    return SystemExit(code)
