"""The file that loaded terminologies are kept in: a zip archive with `manifest.json` and one `<kind>.jsonl` for each kind of record.

A line is a record as JSON, in the order its source gave it. The manifest says the format, what was read (name, version, hash, counts), what
was refused, and what the licences ask. Equal input gives an equal file.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Self

import msgspec

from ontology.model.errors import TerminologyError
from ontology.terms.readers.records import RECORDS, TermRecord

FORMAT = "pharmgraph-terms/1"
MANIFEST = "manifest.json"
_DATE = (1980, 1, 1, 0, 0, 0)
_KIND_OF = {shape: kind for kind, shape in RECORDS.items()}
_AGAIN = "load the terminologies again with `kb-builder terminology load`"
_BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError)


class TermsWriter:
    """Writes one file; it appears under its name only when `finish` has made it whole."""

    def __init__(self, path: Path) -> None:
        self._path = Path(path)
        self._folder = tempfile.TemporaryDirectory(prefix=f".{self._path.name}.", dir=self._path.absolute().parent)
        self._spools: dict[str, IO[bytes]] = {kind: (Path(self._folder.name) / kind).open("wb") for kind in RECORDS}
        self._encode = msgspec.json.Encoder().encode
        self.counts: Counter[str] = Counter()

    def add(self, record: TermRecord) -> None:
        """Takes a record."""
        kind = _KIND_OF[type(record)]
        self._spools[kind].write(self._encode(record) + b"\n")
        self.counts[kind] += 1

    def finish(self, manifest: Mapping[str, Any]) -> Path:
        """The finished file; format and counts are added to the manifest."""
        whole = Path(self._folder.name) / "whole"
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            said = {**manifest, "format": FORMAT, "counts": {kind: self.counts[kind] for kind in RECORDS}}
            archive.writestr(_member(MANIFEST), json.dumps(said, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
            for kind, spool in self._spools.items():
                spool.close()
                with Path(spool.name).open("rb") as source, archive.open(_member(f"{kind}.jsonl"), "w", force_zip64=True) as target:
                    shutil.copyfileobj(source, target)
        whole.replace(self._path)
        self.close()
        return self._path

    def close(self) -> None:
        """Removes what is not finished."""
        for spool in self._spools.values():
            spool.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TermsFile:
    """A finished file, read in a stream."""

    def __init__(self, path: Path) -> None:
        """Reads the manifest. Raises TerminologyError when the file is none, or of another format."""
        self.path = Path(path)
        try:
            with zipfile.ZipFile(self.path) as archive:
                manifest = json.loads(archive.read(MANIFEST))
        except (*_BROKEN, ValueError) as e:
            raise TerminologyError(f"{self.path}: is no file of loaded terminologies: {e}; {_AGAIN}") from e
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            found = manifest.get("format") if isinstance(manifest, dict) else None
            raise TerminologyError(f"{self.path}: has format {found!r}, this version reads {FORMAT!r}; {_AGAIN}")
        self.manifest: dict[str, Any] = manifest

    def count(self, kind: str) -> int:
        """How many records of a kind the file holds."""
        return int(self.manifest.get("counts", {}).get(kind, 0))

    def records(self, kind: str) -> Iterator[Any]:
        """The records of a kind. Raises TerminologyError where the file is damaged, or holds fewer than it says."""
        decoder = msgspec.json.Decoder(RECORDS[kind])
        number = 0
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(f"{kind}.jsonl") as lines:
                for line in lines:
                    number += 1
                    yield decoder.decode(line)
        except (*_BROKEN, msgspec.DecodeError) as e:
            raise TerminologyError(f"{self.path}!{kind}.jsonl, line {number}: {e}; {_AGAIN}") from e
        if number != self.count(kind):
            raise TerminologyError(f"{self.path}!{kind}.jsonl: holds {number:,} records, its manifest says {self.count(kind):,}; {_AGAIN}")


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
