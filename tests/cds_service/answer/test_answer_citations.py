"""Quotes on cards: where they stand, and what is said of their reading."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from msgspec import structs

from cds_service.answer.citations import Citer
from cds_service.answer.section_titles import SectionTitles
from cds_service.audit.outcomes import EvidenceRef
from ontology.model.errors import StoreError
from ontology.model.spans import Span
from ontology.store.records import SectionRecord

QUOTE = "Avoid ibuprofen in patients who take warfarin or another anticoagulant."
UNREAD = EvidenceRef("c1", Span("doc", "1", "drug_interactions", 0, len(QUOTE), QUOTE), title="Ibuprofen", effective=date(2026, 10, 1))
READ = structs.replace(UNREAD, claim="c2", read_by_person=True)


def printed(_: Span) -> str:
    return "7 DRUG INTERACTIONS"


def test_a_card_nobody_has_read_says_so_once() -> None:
    citer = Citer.of([UNREAD, UNREAD], 300, printed)
    assert citer.inline(UNREAD) == f"“{QUOTE}” (Ibuprofen, 2026-10-01, 7 DRUG INTERACTIONS)"
    assert citer.footnote() == "*Not yet read by a person.*"


def test_where_some_were_read_the_others_are_marked_and_nothing_is_said_below() -> None:
    citer = Citer.of([UNREAD, READ], 300, printed)
    assert citer.block(UNREAD).endswith("7 DRUG INTERACTIONS, not yet read by a person)")
    assert citer.block(READ).endswith("7 DRUG INTERACTIONS)")
    assert citer.footnote() == ""
    assert Citer.of([], 300, printed).footnote() == ""


def test_a_section_without_a_known_title_is_called_by_its_key_in_words() -> None:
    assert Citer.of([UNREAD], 300, lambda _: None).inline(UNREAD).endswith("2026-10-01, Drug interactions)")


class Shelf:
    """Sections that count how often they are read."""

    def __init__(self) -> None:
        self.read = 0

    def section(self, set_id: str, version: str, key: str) -> SectionRecord | None:
        self.read += 1
        if set_id == "damaged":
            raise StoreError("the release cannot be read")
        return SectionRecord(key, "【药物相互作用】", None, "present", QUOTE) if set_id == "doc" else None


def test_titles_are_read_once_and_one_that_cannot_be_read_is_none() -> None:
    shelf = Shelf()
    titles = SectionTitles(shelf)
    assert [titles.of(UNREAD.span), titles.of(UNREAD.span)] == ["【药物相互作用】"] * 2
    assert shelf.read == 1
    assert titles.of(replace(UNREAD.span, document="other")) is None
    assert titles.of(replace(UNREAD.span, document="damaged")) is None


class PagedShelf:
    def section(self, set_id: str, version: str, key: str) -> SectionRecord:
        return SectionRecord(key, "" if set_id == "untitled" else "7 DRUG INTERACTIONS", None, "text", QUOTE, pages=((0, 7), (len(QUOTE), 8)))


def test_a_document_with_pages_is_cited_by_page() -> None:
    titles = SectionTitles(PagedShelf())
    assert titles.of(UNREAD.span) == "7 DRUG INTERACTIONS, page 7"
    assert titles.of(replace(UNREAD.span, document="untitled")) == "Drug interactions, page 7"
