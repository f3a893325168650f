"""Which drug a label covers, as its own words say: products, codes, version and dates. Nothing is taken from a file's name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from kb_builder.ingest.inserts import read_insert
from kb_builder.ingest.label_dates import latest_revision
from kb_builder.ingest.label_identity_names import named_products
from kb_builder.ingest.label_identity_products import PRODUCT_DATA, labeler_of, product_type_of, tabled_products
from kb_builder.ingest.outline import Outline
from ontology.text.document import ProductInfo


@dataclass(frozen=True, slots=True)
class Identity:
    """What a label says of itself; `notes` are (field, reservation) pairs."""

    language: str
    set_id: str | None = None
    version: str | None = None
    effective: date | None = None
    title: str | None = None
    product_type: str | None = None
    publisher: str | None = None
    products: tuple[ProductInfo, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


NO_PRODUCT = ("products", "nothing in the text names the product and its substances: which drug the label covers is unknown")
CHINESE_FROM = 0.3
"""A label with at least this share of its letters Chinese is a Chinese label."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
_SET_ID = re.compile(r"^[^\w\n]{0,20}set[ -]?id[^\w\n]{0,20}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b", re.IGNORECASE | re.MULTILINE)
_VERSION = re.compile(r"^[^\w\n]{0,20}version[^\w\n]{1,20}(\d{1,4})[^\w\n]{0,20}$", re.IGNORECASE | re.MULTILINE)
_NOT_OF_THE_LABEL = frozenset({"recent_major_changes", "spl_medguide", "spl_patient_package_insert", "instructions_for_use", "references"})
"""Sections whose dates are not the label's own."""


def read_identity(text: str, outline: Outline) -> Identity:
    """What the label's own words say of its identity."""
    sections = {p.section.key: p.section for p in outline.placed}
    if language_of(text) == "zh":
        insert = read_insert(text, sections)
        notes = insert.notes if insert.products else (*insert.notes, NO_PRODUCT)
        return Identity("zh", insert.set_id, None, insert.effective, insert.title, None, insert.publisher, insert.products, notes)
    data = sections.get(PRODUCT_DATA)
    products = tabled_products(text, outline) or named_products(outline)
    set_id, version = _SET_ID.search(text), _VERSION.search(text)
    effective, notes = latest_revision(_without(text, outline, _NOT_OF_THE_LABEL))
    return Identity(
        language="en",
        set_id=set_id[1].lower() if set_id else None,
        version=version[1] if version else None,
        effective=effective,
        title=_title(products),
        product_type=product_type_of(data.text) if data else None,
        publisher=labeler_of(data.text) if data else None,
        products=products,
        notes=notes if products else (*notes, NO_PRODUCT),
    )


def language_of(text: str) -> str:
    """`zh` for a text whose letters are Chinese in good part, else `en`."""
    letters = len(_LETTER.findall(text))
    return "zh" if letters and len(_HAN.findall(text)) >= CHINESE_FROM * letters else "en"


def _without(text: str, outline: Outline, keys: frozenset[str]) -> str:
    """The text with some sections left out."""
    kept, at = [], 0
    for placed in sorted((p for p in outline.placed if p.section.key in keys), key=lambda p: p.start):
        kept.append(text[at : max(placed.start, at)])
        at = max(placed.end, at)
    return "\n".join((*kept, text[at:]))


def _title(products: tuple[ProductInfo, ...]) -> str | None:
    if not products:
        return None
    brand, generic = next(iter(products[0].brand_names), ""), products[0].generic_name
    return f"{brand} ({generic.casefold()})" if brand and brand.casefold() != generic.casefold() else generic
