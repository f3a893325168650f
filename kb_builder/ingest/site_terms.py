"""Terminologies a site loads: from the licence's own files to one file, and from that file into a release's terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from kb_builder.errors import NothingReadable, OutputError, SourcesRefused
from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.sources import file_hash
from kb_builder.progress import Reporter
from ontology.model.errors import TerminologyError
from ontology.terms.readers.records import LeftOut, LineRefused, SourceVersion
from ontology.terms.readers.registry import SOURCE_KINDS, SourceKind
from ontology.terms.terminology import Terminology
from ontology.terms.terms_file import TermsFile, TermsWriter

KEPT = 200
"""Refusals of one source that the file keeps; all are counted."""
_STEP = 1_000


@dataclass(frozen=True, slots=True)
class TermSource:
    """One file, folder or archive of a kind of source."""

    kind: SourceKind
    path: Path


def term_sources(paths: dict[str, Sequence[Path]]) -> tuple[TermSource, ...]:
    """The sources by option, in the order of the registry."""
    return tuple(TermSource(kind, path) for kind in SOURCE_KINDS for path in paths.get(kind.key, ()))


def load_terms(sources: Sequence[TermSource], out: Path, reporter: Reporter, *, strict: bool = False) -> dict[str, Any]:
    """The manifest of the file written at `out`. A source that cannot be read is told and the others land.

    Raises NothingReadable when no source gave a record, SourcesRefused under `strict` when anything was refused, OutputError.
    """
    told: list[dict[str, Any]] = []
    try:
        with TermsWriter(out) as writer:
            for source in sources:
                told.append(_load(source, writer, reporter))
            if not writer.counts.total():
                raise NothingReadable("\n".join(["no source gave a record; nothing was written", *(line for s in told for line in refusals(s))]))
            if strict and any(s["refused"] for s in told):
                raise SourcesRefused("\n".join(["under --strict nothing may be refused; nothing was written", *(line for s in told for line in refusals(s))]))
            writer.finish({"sources": told, "licences": {s.kind.title: s.kind.licence for s in sources}})
    except OSError as e:
        raise OutputError(f"cannot write {out}: {e.strerror or e}; make room on that disk or choose another place. Nothing was left behind") from e
    return TermsFile(out).manifest


def refusals(source: dict[str, Any]) -> list[str]:
    """What a source refused, as lines."""
    return [f"{source['name']}: {r['place']}: {r['reason']}" for r in source["refusals"]]


def _load(source: TermSource, writer: TermsWriter, reporter: Reporter) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    refused = 0
    kept: list[dict[str, str]] = []
    version = "unknown"
    line: str | None = None
    before = Counter(writer.counts)
    reporter.start(source.kind.key, None)
    try:
        for number, item in enumerate(_items(source), start=1):
            if isinstance(item, LineRefused):
                refused += 1
                if len(kept) < KEPT:
                    kept.append({"place": item.place, "reason": item.what})
            elif isinstance(item, LeftOut):
                left_out[item.reason] += 1
            elif isinstance(item, SourceVersion):
                version = item.text
            else:
                writer.add(item)
            if number % _STEP == 0:
                reporter.advance(_STEP)
        counts = writer.counts - before
        line = ", ".join([*(f"{n:,} {kind}" for kind, n in counts.items()), *([f"{refused:,} refused"] if refused else [])]) or "nothing"
    finally:
        reporter.end(line)
    return {
        "kind": source.kind.key,
        "title": source.kind.title,
        "name": source.path.name,
        "version": version,
        "sha256": file_hash(source.path),
        "records": dict(counts),
        "left out": dict(sorted(left_out.items())),
        "refused": refused,
        "refusals": kept,
    }


def _items(source: TermSource) -> Iterator[Any]:
    """The reader's items; a source that breaks off is refused from there on, what came before stands."""
    try:
        yield from source.kind.reader()(source.path)
    except TerminologyError as e:
        yield LineRefused(source.path.name, str(e))


class _Told(msgspec.Struct):
    """What the manifest says of one source."""

    kind: str
    title: str
    name: str
    version: str
    sha256: str
    records: dict[str, int]
    left_out: dict[str, int] = msgspec.field(name="left out")
    refused: int
    refusals: list[dict[str, str]]


class _Manifest(msgspec.Struct):
    counts: dict[str, int]
    sources: list[_Told]
    licences: dict[str, str]


@dataclass(frozen=True, slots=True)
class SiteTerms:
    """Loaded terms compiled for one release: the terminology with their classes, and the table of codes and names."""

    terminology: Terminology
    counts: dict[str, int]
    refused: tuple[Refused, ...]
    noted: tuple[Noted, ...]


def open_terms(path: Path) -> TermsFile:
    """The file of loaded terms. Raises NothingReadable when it is none, or its manifest is damaged."""
    try:
        file = TermsFile(path)
        msgspec.convert(file.manifest, _Manifest)
    except TerminologyError as e:
        raise NothingReadable(str(e)) from e
    except msgspec.ValidationError as e:
        raise NothingReadable(f"{path}: its manifest is damaged: {e}; load the terminologies again with `kb-builder terminology load`") from e
    return file


def loaded_sources(path: Path | None) -> dict[str, Any] | None:
    """What a release says of the terms loaded into it: their sources with versions and hashes, and what their licences ask."""
    if path is None:
        return None
    manifest = open_terms(path).manifest
    told = ("kind", "title", "name", "version", "sha256", "records")
    return {"sources": [{key: source[key] for key in told} for source in manifest["sources"]], "licences": manifest["licences"]}


def compile_terms(path: Path, terminology: Terminology, target: Path, advance: Callable[[int], None]) -> SiteTerms:
    """Compiles a file of loaded terms for a terminology, its table at `target`. Raises NothingReadable when the file is damaged."""
    file = open_terms(path)
    try:
        grown = terminology.with_site_terms(file, file_hash(path))
        report = grown.compile_site_terms(file, target, advance)
    except TerminologyError as e:
        raise NothingReadable(str(e)) from e
    name = path.name
    return SiteTerms(
        grown,
        {f"loaded {what}": number for what, number in sorted(report.counts.items())},
        tuple(Refused(name, None, None, f"{r.place}: {r.what}") for r in report.refused),
        tuple(Noted(name, None, None, f"not taken, the tables and labels win: {said}") for said in report.contradictions),
    )
