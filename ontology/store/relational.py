"""The relational form of a release: R, the only truth, as SQLModel tables.

The tables are created and filled through SQLAlchemy; a running service reads them with plain `sqlite3` and never imports this module.
Lists and trees (guards, payloads, routes, paths) are JSON text in the canonical form of `ontology.model.codec`.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, Engine, Index, Table, create_engine, event
from sqlalchemy.orm import registry
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable
from sqlmodel import Field, SQLModel


class ReleaseTable(SQLModel, registry=registry()):
    """Root of the release's tables, with a registry of its own."""


class DocumentRow(ReleaseTable, table=True):
    """One version of one document."""

    __tablename__ = "document"
    set_id: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    title: str
    kind: str
    language: str
    number: str | None = None
    effective: str | None = None
    content_hash: str
    product_type: str | None = None
    publisher: str | None = None
    url: str | None = None


class SectionRow(ReleaseTable, table=True):
    """One section of one document version; `text` is the field as received."""

    __tablename__ = "section"
    set_id: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    position: int
    title: str
    loinc: str | None = None
    state: str
    text: str
    tables: str | None = None
    pages: str | None = None
    repeats: str | None = None


class EntityRow(ReleaseTable, table=True):
    """One entity; the vertices of the graph are exactly these rows."""

    __tablename__ = "entity"
    id: str = Field(primary_key=True)
    type: str
    name: str


class EntityCodeRow(ReleaseTable, table=True):
    """One code that denotes an entity."""

    __tablename__ = "entity_code"
    entity: str = Field(primary_key=True)
    system: str = Field(primary_key=True)
    value: str = Field(primary_key=True)


class EntityLabelRow(ReleaseTable, table=True):
    """One name of an entity, with its language and source."""

    __tablename__ = "entity_label"
    entity: str = Field(primary_key=True)
    text: str = Field(primary_key=True)
    language: str = Field(primary_key=True)
    source: str = Field(primary_key=True)
    preferred: bool


class ClaimRow(ReleaseTable, table=True):
    """One claim of any status; `released` is true for those the graph, closures and dossiers are made of."""

    __tablename__ = "claim"
    id: str = Field(primary_key=True)
    rule: str
    predicate: str
    stratum: str
    subject: str
    object: str
    words: str | None = None
    guard: str | None = None
    payload: str
    polarity: str
    strength: str
    basis: str
    ingredients: str
    routes: str
    forms: str
    brands: str
    document: str
    version: str
    valid_from: str | None = None
    valid_to: str | None = None
    recorded_from: str | None = None
    recorded_to: str | None = None
    status: str
    released: bool
    reason: str | None = None
    approved_by: str | None = None
    approval_method: str | None = None
    read_by_person: bool | None = None
    extractor: str
    extractor_version: str
    model: str | None = None
    prompt_version: str | None = None


class EvidenceRow(ReleaseTable, table=True):
    """One span of a claim."""

    __tablename__ = "evidence"
    claim: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    document: str
    version: str
    section: str
    start: int
    end: int
    role: str
    quote: str


class LabelSetRow(ReleaseTable, table=True):
    """One label that can judge orders of a subject."""

    __tablename__ = "label_set"
    subject: str = Field(primary_key=True)
    document: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    ingredients: str
    effective: str | None = None
    title: str
    routes: str
    forms: str
    product_type: str | None = None
    sections: str
    url: str | None = None


class LabelProductRow(ReleaseTable, table=True):
    """One product code that a label set covers."""

    __tablename__ = "label_product"
    subject: str = Field(primary_key=True)
    document: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    system: str = Field(primary_key=True)
    value: str = Field(primary_key=True)


class SubjectRow(ReleaseTable, table=True):
    """A drug the release can be asked about: what a dossier exists for."""

    __tablename__ = "subject"
    id: str = Field(primary_key=True)
    name: str
    ingredients: str


class ClosureTableRow(ReleaseTable, table=True):
    """One thing a subject reaches in the graph, with the claims on the way; derived, rebuilt with every release."""

    __tablename__ = "closure"
    subject: str = Field(primary_key=True)
    relation: str = Field(primary_key=True)
    target: str = Field(primary_key=True)
    path: str


class DossierRow(ReleaseTable, table=True):
    """One subject's dossier, encoded; derived, rebuilt with every release."""

    __tablename__ = "dossier"
    subject: str = Field(primary_key=True)
    body: bytes


class TermRow(ReleaseTable, table=True):
    """One row of the terminology, opaque to the store."""

    __tablename__ = "term_row"
    position: int = Field(primary_key=True)
    kind: str
    body: str


METADATA = ReleaseTable.metadata

INDICES: tuple[Index, ...] = (
    Index("claim_subject", METADATA.tables["claim"].c.subject, METADATA.tables["claim"].c.released),
    Index("claim_object", METADATA.tables["claim"].c.object),
    Index("claim_document", METADATA.tables["claim"].c.document, METADATA.tables["claim"].c.version),
)
"""Built when all rows are in: loading into an indexed table takes longer."""


def table(model: type[ReleaseTable]) -> Table:
    """The SQLAlchemy Core table of a model, for bulk inserts."""
    return METADATA.tables[str(model.__tablename__)]


def create_database(path: Path) -> Engine:
    """An engine on a new, empty release database that one process writes once.

    Nothing is journalled: the file is private until the whole release is renamed into place, and a failed build deletes it.
    """
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=StaticPool, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _unjournalled(connection: object, _record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "temp_store=MEMORY", "cache_size=-32000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    with engine.begin() as connection:
        for each in METADATA.sorted_tables:
            connection.execute(CreateTable(each))
    return engine
