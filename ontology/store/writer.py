"""Writes a release, once: rows are streamed in, then graph, closures and dossiers are derived from them.

Everything is written into a hidden folder beside the target, and that folder gets the target's name only when it is whole and on disk. A
failure, `abandon()`, or leaving the `with` block before `finish` leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.sql.expression import func

from ontology.model.claims import Claim
from ontology.model.entities import Entity
from ontology.model.errors import StoreError
from ontology.model.identifiers import EntityId
from ontology.store.claim_loader import ClaimLoader
from ontology.store.connections import Connections
from ontology.store.derive import derive
from ontology.store.graph_ladybug import LOAD_POOL_BYTES, LadybugGraph, storage_version
from ontology.store.manifest import DATABASE, FORMAT, describe_files, write_manifest
from ontology.store.relational import (
    INDICES,
    DocumentRow,
    EntityCodeRow,
    EntityLabelRow,
    EntityRow,
    LabelProductRow,
    LabelSetRow,
    SectionRow,
    TermRow,
    create_database,
    table,
)
from ontology.store.rows import document_row, section_row, to_json
from ontology.store.templates import TEMPLATE_HASHES
from ontology.text.document import Document, ProductInfo

CHECKED_SECTIONS: frozenset[str] = frozenset(
    {
        "boxed_warning",
        "indications_and_usage",
        "dosage_and_administration",
        "contraindications",
        "warnings",
        "warnings_and_cautions",
        "precautions",
        "general_precautions",
        "drug_interactions",
        "drug_and_or_laboratory_test_interactions",
        "use_in_specific_populations",
        "pregnancy",
        "lactation",
        "nursing_mothers",
        "pediatric_use",
        "geriatric_use",
        "do_not_use",
        "ask_doctor",
        "ask_doctor_or_pharmacist",
        "when_using",
        "stop_use",
        "pregnancy_or_breast_feeding",
    }
)
"""The sections that audit checks rest on: their state is part of a label set, so that "absent" and "none" stay apart."""

Progress = Callable[[int, int], None]


class ReleaseWriter:
    """The one writer of a release folder. Not for several threads."""

    def __init__(self, folder: Path, *, replace: bool = False) -> None:
        """Starts a release that will appear at `folder`. Raises StoreError when that exists (unless `replace`) or cannot be written."""
        self._target = Path(folder).absolute()
        self._replace = replace
        self._done = False
        if self._target.exists() and not replace:
            raise StoreError(f"{self._target} exists; a release is never written over: choose another name, or remove it first")
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix=f".{self._target.name}.", suffix=".partial", dir=self._target.parent))
        except OSError as e:
            raise StoreError(f"cannot write a release at {self._target}: {e}; choose a folder that can be written") from e
        self._folder.chmod(0o755)
        with self._guarded():
            self._engine = create_database(self._folder / DATABASE)
        self._claims = ClaimLoader()
        self._files: list[str] = []
        self._terms = 0

    def add_document(self, document: Document) -> None:
        """Stores a document version with all its sections. Raises StoreError when the version was added before."""
        with self._transaction() as db:
            try:
                db.execute(insert(table(DocumentRow)), [document_row(document)])
                sections = [section_row(document, n, s) for n, s in enumerate(document.sections)]
                if sections:
                    db.execute(insert(table(SectionRow)), sections)
            except IntegrityError as e:
                raise StoreError(f"document {document.set_id} version {document.version.key}: it, or one of its sections, was added twice") from e

    def add_entities(self, entities: Iterable[Entity]) -> None:
        """Stores entities. One that comes again adds its codes and names; of two preferred names the first in code point order stays."""
        rows: dict[str, dict[str, Any]] = {}
        codes: dict[tuple[str, str, str], dict[str, Any]] = {}
        labels: dict[tuple[str, str, str, str], dict[str, Any]] = {}
        for entity in entities:
            key = str(entity.id)
            known = rows.get(key)
            rows[key] = {"id": key, "type": entity.type.value, "name": min(known["name"], entity.name) if known else entity.name}
            for code in entity.codes:
                codes[key, code.system, code.value] = {"entity": key, "system": code.system, "value": code.value}
            for label in entity.labels:
                name = {"entity": key, "text": label.text, "language": label.language, "source": label.source, "preferred": label.preferred}
                row = labels.setdefault((key, label.text, label.language, label.source), name)
                row["preferred"] = row["preferred"] or label.preferred
        if not rows:
            return
        upsert = insert(table(EntityRow))
        upsert = upsert.on_conflict_do_update(index_elements=["id"], set_={"name": func.min(table(EntityRow).c.name, upsert.excluded.name)})
        with self._transaction() as db:
            db.execute(upsert, list(rows.values()))
            if codes:
                db.execute(insert(table(EntityCodeRow)).on_conflict_do_nothing(), list(codes.values()))
            if labels:
                again = insert(table(EntityLabelRow))
                keep = func.max(table(EntityLabelRow).c.preferred, again.excluded.preferred)
                again = again.on_conflict_do_update(index_elements=["entity", "text", "language", "source"], set_={"preferred": keep})
                db.execute(again, list(labels.values()))

    def add_claims(self, claims: Iterable[Claim]) -> None:
        """Stores claims of any status with their evidence; see ClaimLoader for a claim that comes again."""
        with self._transaction() as db:
            self._claims.add(db, claims)

    def add_label_set(self, document: Document, subject: EntityId, ingredients: Sequence[EntityId], *, products: Sequence[ProductInfo] | None = None) -> None:
        """Stores that a document judges orders of a subject; for `products` of the document, all of them by default.

        Routes and forms are stored as given: pass products with canonical ones.
        """
        listed = document.products if products is None else tuple(products)
        key = {"subject": str(subject), "document": document.set_id, "version": document.version.key}
        row = {
            **key,
            "ingredients": to_json([str(i) for i in ingredients]),
            "effective": document.version.effective.isoformat() if document.version.effective else None,
            "title": document.title,
            "routes": to_json(sorted({route for p in listed for route in p.routes})),
            "forms": to_json(sorted({p.form for p in listed if p.form})),
            "product_type": document.product_type,
            "sections": to_json([[s.key, s.state.value] for s in document.sections if s.key in CHECKED_SECTIONS]),
            "url": document.url,
        }
        codes = sorted({(code.system, code.value) for p in listed for code in p.codes})
        with self._transaction() as db:
            try:
                db.execute(insert(table(LabelSetRow)), [row])
            except IntegrityError as e:
                raise StoreError(f"document {document.set_id} version {document.version.key} was added twice as a label of {subject}") from e
            if codes:
                db.execute(insert(table(LabelProductRow)), [{**key, "system": system, "value": value} for system, value in codes])

    def add_terms(self, rows: Iterable[tuple[str, str]]) -> None:
        """Stores the terminology's rows, (kind, JSON), in the given order."""
        with self._transaction() as db:
            for batch in _batches(rows, 1_000):
                numbered = [{"position": self._terms + n, "kind": kind, "body": body} for n, (kind, body) in enumerate(batch)]
                db.execute(insert(table(TermRow)), numbered)
                self._terms += len(numbered)

    def add_file(self, source: Path, name: str) -> None:
        """Takes a finished file into the release; the manifest keeps its hash."""
        with self._guarded():
            shutil.copyfile(source, self._folder / name)
            self._files.append(name)

    def finish(self, manifest: dict[str, Any], *, progress: Progress | None = None) -> Path:
        """The finished release's folder: graph, closures and dossiers made, hashed, on disk, under its name.

        `manifest` is what the builder has to say (builder, sources, stages ...); the store adds format, id, counts, files, templates.
        `progress` is called with (dossiers made, of how many). Raises StoreError when a released claim names an entity nobody added.
        """
        with self._guarded():
            with self._engine.begin() as db:
                for index in INDICES:
                    index.create(db)
            graph_name = f"graph-ladybug-{storage_version()}.lbug"
            graph = LadybugGraph(self._folder / graph_name, buffer_pool_bytes=LOAD_POOL_BYTES)
            reader = Connections(self._folder / DATABASE, immutable=False)
            try:
                derived = derive(self._engine, reader, graph, progress)
            finally:
                graph.close()
                reader.close()
            self._engine.dispose()
            write_manifest(
                self._folder,
                {
                    "created": datetime.now(UTC).isoformat(timespec="seconds"),
                    **manifest,
                    "format": FORMAT,
                    "id": derived.id,
                    "graph": graph_name,
                    "counts": derived.counts,
                    "templates": TEMPLATE_HASHES,
                    "files": describe_files(self._folder, (DATABASE, graph_name, *self._files)),
                },
            )
            self._publish()
        return self._target

    def abandon(self) -> None:
        """Removes what was written; safe to call again, and after `finish` it does nothing."""
        if self._done:
            return
        self._done = True
        if hasattr(self, "_engine"):
            self._engine.dispose()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()

    def _publish(self) -> None:
        """Syncs every file, then renames the folder to the target; an old release makes room in the same step."""
        for path in [*self._folder.iterdir(), self._folder]:
            _sync(path)
        retired: Path | None = None
        if self._target.exists():
            if not self._replace:
                raise StoreError(f"{self._target} appeared while the release was built; choose another name")
            retired = Path(tempfile.mkdtemp(prefix=f".{self._target.name}.", suffix=".old", dir=self._target.parent)) / "release"
            self._target.rename(retired)
        self._folder.rename(self._target)
        self._done = True
        _sync(self._target.parent)
        if retired is not None:
            shutil.rmtree(retired.parent, ignore_errors=True)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A transaction that commits when the block ends well."""
        with self._guarded(), self._engine.begin() as db:
            yield db

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Whatever fails in the block removes the unfinished release; a failure to write says where and what to do."""
        if self._done:
            raise StoreError(f"the release {self._target} is finished or abandoned; start a new one")
        try:
            yield
        except (OSError, sqlite3.Error, DBAPIError) as e:
            self.abandon()
            cause = e.orig if isinstance(e, DBAPIError) and e.orig else e
            raise StoreError(
                f"cannot write the release {self._target}: {cause}; make room on that disk or choose another place. Nothing was left behind"
            ) from e
        except UnicodeEncodeError as e:
            self.abandon()
            raise StoreError(f"cannot write the release {self._target}: {e.object[e.start - 20 if e.start > 20 else 0 : e.end]!r} is no Unicode text") from e
        except BaseException:
            self.abandon()
            raise


def _batches(items: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    batch: list[tuple[str, str]] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
