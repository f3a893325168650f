"""JSON logs to standard output, without patient data.

A line says what happened by its fixed message and by counts. Of an exception it keeps the kind and the places it passed through, never its
message, which may quote what a client sent; and the arguments of other programs' messages (addresses, headers) are left out likewise.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType

from pythonjsonlogger.json import JsonFormatter

OURS = ("cds_service", "ontology")
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class QuietFormatter(JsonFormatter):
    """One JSON object a line."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s %(message)s",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
            datefmt="%Y-%m-%dT%H:%M:%S%z",
            json_ensure_ascii=False,
        )

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        """The kinds of error, from the cause on, with the places of the last."""
        kinds: list[str] = []
        error = ei[1]
        while error is not None and len(kinds) < 10:
            kinds.append(type(error).__name__)
            error = error.__cause__ or error.__context__
        places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(ei[2])[-8:]]
        return f"{' <- '.join(kinds)} at {' > '.join(places)}"

    def format(self, record: logging.LogRecord) -> str:
        """The line; a record of another program that carries an exception or arguments keeps only its template."""
        if record.name.split(".")[0] not in OURS and (record.exc_info or record.name.startswith("gunicorn")):
            record = logging.makeLogRecord({**record.__dict__, "args": None, "msg": str(record.msg)[:200] if record.exc_info else record.getMessage()[:200]})
        return super().format(record)


def configure_logs(level: str) -> None:
    """Sends all logs of the process to standard output as JSON lines."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(QuietFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    logging.getLogger("celery").setLevel(logging.WARNING)
