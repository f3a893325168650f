"""A release opened for reading: the only knowledge a service has.

Opening reads the manifest and the terminology. SQLite connections are opened by each thread of each process on first use and the graph
only when a template runs, so a server may open a release, preload its terminology, and fork.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from ontology.model.claims import Claim, ClaimStatus
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.errors import ReleaseDamaged, StoreError
from ontology.model.identifiers import Code, EntityId
from ontology.store.connections import Connections
from ontology.store.dossier_codec import decode_dossier
from ontology.store.dossiers import TemplateRunner, build_dossier
from ontology.store.graph import GraphStore
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.manifest import DATABASE, check_files, read_manifest
from ontology.store.records import DocumentRecord, Dossier, SectionRecord
from ontology.store.rows import read_claim, read_document, read_id, read_section, read_span
from ontology.terms.loaded import LOADED, LoadedTerms
from ontology.terms.terminology import Terminology

DOSSIERS_IN_MEMORY = 2_000
_BATCH = 500


class Release:
    """A read-only release. Safe for threads; a dossier is decoded once and kept until newer ones push it out."""

    def __init__(self, path: Path, manifest: dict[str, Any], *, live: bool, graph: GraphStore | None, keep: int) -> None:
        self.path = path
        self.manifest = manifest
        self.live = live
        self._connections = Connections(path / DATABASE)
        self._loaded = Connections(path / LOADED) if LOADED in manifest["files"] else None
        self._graph: GraphStore = graph if graph is not None else LadybugGraph(path / str(manifest["graph"]))
        self._runner = TemplateRunner(self._connections.connection, self._graph)
        self._keep = keep
        self._dossiers: OrderedDict[EntityId, Dossier | None] = OrderedDict()
        self._lock = threading.Lock()
        self._terminology: Terminology | None = None
        self._terminology_lock = threading.Lock()

    @classmethod
    def open(cls, path: Path, *, live: bool = False, verify: bool = False, graph: GraphStore | None = None, keep: int = DOSSIERS_IN_MEMORY) -> Self:
        """The release in a folder. Raises ReleaseDamaged saying which file is missing, truncated or of another format, and what to do.

        `live` runs the templates for every dossier instead of reading the stored ones; `verify` also compares file hashes; `graph` is
        used in place of the release's own graph file (a server that the same release was loaded into); `keep` bounds the dossiers in memory.
        """
        folder = Path(path)
        manifest = read_manifest(folder)
        check_files(folder, manifest, hashes=verify)
        release = cls(folder, manifest, live=live, graph=graph, keep=keep)
        release._read_head()
        return release

    @property
    def id(self) -> str:
        """The release's id, a hash of its content."""
        return str(self.manifest["id"])

    @property
    def terminology(self) -> Terminology:
        """The terminology stored with the release, loaded once."""
        if self._terminology is not None:
            return self._terminology
        with self._terminology_lock:
            if self._terminology is None:
                loaded = LoadedTerms(self._loaded.connection) if self._loaded else None
                self._terminology = Terminology.from_rows(self.term_rows(), loaded)
            return self._terminology

    @property
    def graph(self) -> GraphStore:
        """The graph that templates run on."""
        return self._graph

    def term_rows(self) -> Iterator[tuple[str, str]]:
        """The terminology's rows, (kind, JSON), in stored order."""
        for row in self._query("SELECT kind, body FROM term_row ORDER BY position"):
            yield row["kind"], row["body"]

    def dossier(self, subject: EntityId) -> Dossier | None:
        """All the release knows of a subject, or None when it knows nothing."""
        if self.live:
            return self.live_dossier(subject)
        with self._lock:
            if subject in self._dossiers:
                self._dossiers.move_to_end(subject)
                return self._dossiers[subject]
        found = self.stored_dossier(subject)
        with self._lock:
            self._dossiers[subject] = found
            while len(self._dossiers) > self._keep:
                self._dossiers.popitem(last=False)
        return found

    def stored_dossier(self, subject: EntityId) -> Dossier | None:
        """The dossier as it was published."""
        row = self._first("SELECT body FROM dossier WHERE subject = ?", str(subject))
        return None if row is None else decode_dossier(row["body"])

    def live_dossier(self, subject: EntityId) -> Dossier | None:
        """The dossier as the templates give it now."""
        return build_dossier(subject, self._runner)

    def subjects(self) -> Iterator[EntityId]:
        """Every subject that has a dossier, sorted by id."""
        for row in self._query("SELECT id FROM subject ORDER BY id"):
            yield read_id(row["id"])

    def claim(self, claim_id: str) -> Claim | None:
        """The claim with this id, of any status, or None."""
        return next(self._claims(self._query("SELECT * FROM claim WHERE id = ?", claim_id)), None)

    def known_claims(self, claim_ids: Collection[str]) -> frozenset[str]:
        """Those of the ids that are claims of the release, of any status."""
        places = ", ".join("?" * len(claim_ids))
        return frozenset(row["id"] for row in self._query(f"SELECT id FROM claim WHERE id IN ({places})", *claim_ids))  # noqa: S608

    def claims(
        self,
        status: ClaimStatus | Iterable[ClaimStatus] | None = None,
        *,
        subject: EntityId | None = None,
        predicate: str | None = None,
        object: EntityId | None = None,
        document: str | None = None,
    ) -> Iterator[Claim]:
        """The claims that fit all given members, by document and id; all of them without any."""
        statuses = None if status is None else [status] if isinstance(status, ClaimStatus) else list(status)
        members = {"subject": subject, "predicate": predicate, "object": object, "document": document}
        where = [f"{name} = ?" for name, value in members.items() if value is not None]
        values = [str(value) for value in members.values() if value is not None]
        if statuses is not None:
            where.append(f"status IN ({', '.join('?' * len(statuses))})")
            values += [s.value for s in statuses]
        condition = f" WHERE {' AND '.join(where)}" if where else ""
        return self._claims(self._query(f"SELECT * FROM claim{condition} ORDER BY document, id", *values))  # noqa: S608

    def documents(self) -> Iterator[DocumentRecord]:
        """All documents, by set id, oldest version first."""
        rows = [read_document(row) for row in self._query("SELECT * FROM document")]
        yield from sorted(rows, key=lambda d: (d.set_id, _precedence(d)))

    def document(self, set_id: str, version: str | None = None) -> DocumentRecord | None:
        """A version of a document, the newest when none is asked for, or None."""
        rows = [read_document(row) for row in self._query("SELECT * FROM document WHERE set_id = ?", set_id)]
        fitting = [d for d in rows if version is None or d.version == version]
        return max(fitting, key=_precedence, default=None)

    def section(self, set_id: str, version: str, key: str) -> SectionRecord | None:
        """A section as received, or None."""
        row = self._first("SELECT * FROM section WHERE set_id = ? AND version = ? AND key = ?", set_id, version, key)
        return None if row is None else read_section(row)

    def sections(self, set_id: str, version: str) -> Iterator[SectionRecord]:
        """The sections of a document version, in printed order."""
        for row in self._query("SELECT * FROM section WHERE set_id = ? AND version = ? ORDER BY position", set_id, version):
            yield read_section(row)

    def entity(self, entity: EntityId) -> Entity | None:
        """An entity with its codes and names, or None."""
        row = self._first("SELECT * FROM entity WHERE id = ?", str(entity))
        if row is None:
            return None
        codes = self._query("SELECT system, value FROM entity_code WHERE entity = ? ORDER BY system, value", str(entity))
        labels = self._query("SELECT * FROM entity_label WHERE entity = ? ORDER BY language, text, source", str(entity))
        return Entity(
            id=entity,
            type=EntityType(row["type"]),
            name=row["name"],
            codes=tuple(Code(c["system"], c["value"]) for c in codes),
            labels=tuple(Label(n["text"], n["language"], n["source"], bool(n["preferred"])) for n in labels),
        )

    def entities(self) -> Iterator[EntityId]:
        """The ids of all entities, sorted."""
        for row in self._query("SELECT id FROM entity ORDER BY id"):
            yield read_id(row["id"])

    def query(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        """The rows of a reading SQL statement on the relational part."""
        return self._query(sql, *values)

    def close(self) -> None:
        """Closes the connections of this process and the graph; the release is not usable afterwards."""
        self._connections.close()
        if self._loaded is not None:
            self._loaded.close()
        self._graph.close()
        with self._lock:
            self._dossiers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _claims(self, rows: Iterator[sqlite3.Row]) -> Iterator[Claim]:
        for row in rows:
            spans = [read_span(s) for s in self._query("SELECT * FROM evidence WHERE claim = ? ORDER BY position", row["id"])]
            yield read_claim(row, spans)

    def _first(self, sql: str, *values: object) -> sqlite3.Row | None:
        return next(self._query(sql, *values), None)

    def _query(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        try:
            cursor = self._connections.connection().execute(sql, values)
            while rows := cursor.fetchmany(_BATCH):
                yield from rows
        except sqlite3.DatabaseError as e:
            raise ReleaseDamaged(f"{self.path / DATABASE}: {e}; copy the release again or build it again") from e

    def _read_head(self) -> None:
        """Fails now, not at the first order, when the database is not the manifest's."""
        row = self._first("SELECT (SELECT count(*) FROM claim) AS claims, (SELECT count(*) FROM dossier) AS dossiers")
        counts = self.manifest.get("counts", {})
        if row is None or any(counts.get(name) != row[name] for name in ("claims", "dossiers")):
            raise StoreError(f"release {self.id}: {DATABASE} does not hold the claims and dossiers that the manifest counts; build the release again")


def _precedence(document: DocumentRecord) -> tuple[str, int, str]:
    number = int(document.number) if document.number and document.number.isdigit() else -1
    return (document.effective.isoformat() if document.effective else "", number, document.content_hash)
