"""SPL documents, the XML that DailyMed publishes: one label a file.

Identity, version and products come from the document's own elements; the file's name says nothing. What else a document of this kind may be
(an establishment's registration, a label for animals) is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import date

from lxml import etree

from kb_builder.ingest.reader import Damaged, Item, Noted, Refused, SourceFile
from kb_builder.ingest.spl_products import Note, metadata_sections, product_infos, read_products
from kb_builder.ingest.spl_sections import SectionReader
from kb_builder.ingest.spl_xml import SplRefused, attribute, child, parse_spl, words_of
from kb_builder.ingest.stated import NO_SET_ID, plausible, read_set_id
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SectionState

URL = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid="


class SplReader:
    """Reads one SPL document a file."""

    kind = "spl"
    suffixes = (".xml",)

    def read(self, source: SourceFile) -> Iterator[Item]:
        """The file's document and what is to be said of it, or why there is none."""
        try:
            with source.open() as stream:
                data = stream.read()
            document, notes = read_spl(data)
        except Damaged as e:
            yield Refused(source.name, None, None, str(e))
        except SplRefused as e:
            yield Refused(source.name, None, e.where, e.reason)
        else:
            yield document
            yield from ((Refused if lost else Noted)(source.name, None, field, reason) for field, reason, lost in notes)


def read_spl(data: bytes) -> tuple[Document, tuple[Note, ...]]:
    """The document of an SPL file, and a note for each thing left out or read with a reservation. Raises SplRefused."""
    root = parse_spl(data)
    kind = attribute(child(root, "code"), "displayName") or ""
    if "animal" in kind.casefold() or "veterinary" in kind.casefold():
        raise SplRefused("code", f"{kind}: a label for animals says nothing about people")
    notes: list[Note] = []
    content = hashlib.sha256(data).hexdigest()
    set_id = _set_id(root, content, notes)
    listed = read_products(root)
    products = product_infos(set_id, listed, notes)
    sections = SectionReader(notes).read(root)
    if all(s.state is SectionState.EMPTY for s in sections):
        if not products:
            raise SplRefused(None, f"the document {set_id} is empty: no section holds text, and no product is listed ({kind or 'kind not given'})")
        notes.append((None, f"the label {set_id} is empty: no section holds text; only its products were read", False))
    if not products:
        notes.append(("products", "no product is listed: which drug the label covers is unknown", False))
    version = DocumentVersion(_number(root, notes), _effective(root, notes), content)
    return _document(root, set_id, version, (*sections, *metadata_sections(root, listed, products)), products), tuple(dict.fromkeys(notes))


def _document(root: etree._Element, set_id: str, version: DocumentVersion, sections: tuple[Section, ...], products: tuple[ProductInfo, ...]) -> Document:
    kind = attribute(child(root, "code"), "displayName")
    return Document(
        set_id=set_id,
        version=version,
        title=_title(products) or words_of(child(root, "title")) or set_id,
        kind=SplReader.kind,
        language=(attribute(child(root, "languageCode"), "code") or "en").partition("-")[0].casefold(),
        sections=sections,
        products=products,
        product_type=re.sub(r"\s+LABEL$", "", kind) if kind else None,
        publisher=words_of(child(root, "author", "assignedEntity", "representedOrganization", "name")) or None,
        url=None if set_id.startswith("text-") else URL + set_id,
    )


def _set_id(root: etree._Element, content: str, notes: list[Note]) -> str:
    set_id = attribute(child(root, "setId"), "root")
    if set_id is None:
        notes.append(("setId", "missing: the label is known by its content only, so no other version of it can be told", False))
        return f"text-{content[:16]}"
    known = read_set_id(set_id)
    if known is None:
        raise SplRefused("setId", f"{set_id[:40]!r} {NO_SET_ID}")
    return known


def _number(root: etree._Element, notes: list[Note]) -> str | None:
    number = attribute(child(root, "versionNumber"), "value")
    if number is not None and not re.fullmatch(r"[A-Za-z0-9.]{1,20}", number):
        notes.append(("versionNumber", f"{number[:40]!r} is not a version number: left out", True))
        return None
    return number


def _effective(root: etree._Element, notes: list[Note]) -> date | None:
    """The date of `effectiveTime`: `YYYYMMDD` with or without a time behind it, or the low end of an interval."""
    element = child(root, "effectiveTime")
    text = attribute(element, "value") or attribute(child(element, "low"), "value")
    if text is None:
        return None
    match = re.fullmatch(r"(\d{4})(\d{2})(\d{2})(?:\d{2,6}(?:\.\d+)?(?:[+-]\d{4})?)?", text)
    try:
        if match is None:
            raise ValueError
        return plausible(date(*(int(part) for part in match.groups())))
    except ValueError:
        notes.append(("effectiveTime", f"{text[:40]!r} is not a date YYYYMMDD of a label: the label's date is unknown", True))
        return None


def _title(products: tuple[ProductInfo, ...]) -> str:
    if not products:
        return ""
    brand, generic = next(iter(products[0].brand_names), ""), products[0].generic_name
    return f"{brand} ({generic.casefold()})" if brand and brand.casefold() != generic.casefold() else brand or generic
