"""Term files as documents, so that hand-kept edges have verbatim spans like every other claim."""

from __future__ import annotations

from collections.abc import Iterator

from ontology.model.identifiers import content_hash
from ontology.terms.entries import TermFile
from ontology.terms.terminology import Terminology
from ontology.text.document import Document, DocumentVersion, Section

KIND = "terminology"
SECTION = "rows"


def term_document(file: TermFile) -> Document:
    """One term file as a document with the single section `rows`."""
    return Document(
        set_id=document_id(file.key),
        version=DocumentVersion(file.version, None, content_hash(file.text)),
        title=file.title,
        kind=KIND,
        language="en",
        sections=(Section(SECTION, file.text, file.title),),
        publisher=file.source,
    )


def term_documents(terminology: Terminology) -> Iterator[Document]:
    """All term files, in their own order."""
    return (term_document(file) for file in terminology.files())


def document_id(file_key: str) -> str:
    """The set id under which a term file is kept."""
    return f"terms.{file_key}"
