"""Streams that end a read that would go on too long, and call every library's error by one name."""

from __future__ import annotations

import zipfile
import zlib
from typing import IO

from kb_builder.ingest.reader import Damaged

MAX_RECORD_BYTES = 64 * 1024 * 1024
"""Longest single record; the longest of 1,075 real openFDA records has 1.1 MB, the longest of five real SPL files 0.4 MB."""


class BoundedStream:
    """A stream whose records may not be longer than the limit, and whose library errors are Damaged."""

    def __init__(self, raw: IO[bytes], limit: int = MAX_RECORD_BYTES) -> None:
        self._raw = raw
        self._limit = limit
        self._since_mark = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises Damaged."""
        try:
            data = self._raw.read(self._limit + 1 if size < 0 else size)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as e:
            raise Damaged(f"the archive is damaged here: {e}") from e
        except OSError as e:
            raise Damaged(f"cannot be read: {e.strerror or e}") from e
        self._since_mark += len(data)
        if self._since_mark > self._limit:
            raise Damaged(f"a record is longer than {self._limit // 1024 // 1024} MB")
        return data

    def mark(self) -> None:
        """Starts the count of the next record."""
        self._since_mark = 0
