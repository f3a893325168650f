"""The request file that commands take."""

from __future__ import annotations

import sys
from pathlib import Path

from cds_service.errors import NotJson


def read_request_file(path: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises NotJson naming the file that cannot be read."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as e:
        raise NotJson(f"request {path} cannot be read: {e.strerror}") from e
