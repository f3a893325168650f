"""One openFDA record to a document: sections with their text as received, metadata sections, product, version."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from kb_builder.ingest.fields import loinc_of, state_of, title_of
from kb_builder.ingest.stated import NO_SET_ID, read_set_id
from kb_builder.ingest.substances import MAX_SUBSTANCES, split_names
from ontology.model.identifiers import Code, content_hash
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SectionState, SubstanceInfo

IDENTITY_FIELDS = frozenset({"set_id", "id", "version", "effective_time", "openfda"})
METADATA_FIELDS = (
    "substance_name",
    "unii",
    "generic_name",
    "brand_name",
    "pharm_class_epc",
    "pharm_class_moa",
    "nui",
    "route",
)
URL = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid="

Note = tuple[str | None, str, bool]
"""A field, what is said of it, and whether something of it was lost."""


class RecordRefused(Exception):
    """A record no document can be made of: the field at fault, and the reason."""

    def __init__(self, field: str | None, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


def read_record(record: dict[str, Any]) -> tuple[Document, tuple[Note, ...]]:
    """The document, and a note for each field that was left out or read with a reservation. Raises RecordRefused."""
    set_id = record.get("set_id")
    if not isinstance(set_id, str) or not set_id.strip():
        raise RecordRefused("set_id", "missing: a record without a set id has no identity")
    known = read_set_id(set_id.strip())
    if known is None:
        raise RecordRefused("set_id", f"{set_id.strip()[:40]!r} {NO_SET_ID}")
    set_id = known
    notes: list[Note] = []
    sections = _sections(record, notes)
    metadata = _metadata(record.get("openfda"), notes)
    product = _product(set_id, metadata, notes)
    if all(s.state is SectionState.EMPTY for s in sections):
        if product is None:
            raise RecordRefused(None, f"the label {set_id} is empty: no field holds text, and no metadata name a product")
        notes.append((None, f"the label {set_id} is empty: no field holds text; only its metadata were read", False))
    document = Document(
        set_id=set_id,
        version=_version(record, notes),
        title=_title(metadata) or set_id,
        kind="openfda",
        language="en",
        sections=(*sections, *(_metadata_section(field, metadata[field]) for field in METADATA_FIELDS if _names(metadata, field))),
        products=(product,) if product else (),
        product_type=_first(metadata, "product_type"),
        publisher=_first(metadata, "manufacturer_name"),
        url=URL + set_id,
    )
    return document, tuple(notes)


def _sections(record: dict[str, Any], notes: list[Note]) -> list[Section]:
    texts: dict[str, str] = {}
    tables: dict[str, tuple[str, ...]] = {}
    for field, value in record.items():
        if field in IDENTITY_FIELDS:
            continue
        strings = [value] if isinstance(value, str) else value
        if not isinstance(strings, list) or not all(isinstance(s, str) for s in strings):
            notes.append((field, "left out: not a string or a list of strings", True))
        elif field.endswith("_table"):
            tables[field.removesuffix("_table")] = tuple(strings)
        else:
            texts[field] = "\n".join(strings)
    for field in tables:
        texts.setdefault(field, "")
    return [Section(key, text, title_of(key), loinc_of(key), state_of(key, text), tables.get(key, ())) for key, text in texts.items()]


def _metadata(value: object, notes: list[Note]) -> dict[str, list[str]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        notes.append(("openfda", "left out: the metadata block is not an object", True))
        return {}
    found: dict[str, list[str]] = {}
    for field, entry in value.items():
        entries = [entry] if isinstance(entry, str) else entry
        if isinstance(entries, list):
            found[field] = [e for e in entries if isinstance(e, str)]
    return found


def _names(metadata: dict[str, list[str]], field: str) -> list[str]:
    """The field's strings without blanks around them, empty ones left out."""
    return [entry.strip() for entry in metadata.get(field, []) if entry.strip()]


def _metadata_section(field: str, lines: list[str]) -> Section:
    key = f"openfda.{field}"
    return Section(key, "\n".join(lines), title_of(key))


def _product(set_id: str, metadata: dict[str, list[str]], notes: list[Note]) -> ProductInfo | None:
    generic = _first(metadata, "generic_name")
    names, uniis = _names(metadata, "substance_name"), _names(metadata, "unii")
    if len(names) > MAX_SUBSTANCES:
        notes.append(("openfda.substance_name", f"{len(names)} substances in one product, more than {MAX_SUBSTANCES}: composition left out", True))
        return None
    if names:
        paired = uniis if len(uniis) == len(names) else [None] * len(names)
        substances = tuple(SubstanceInfo(name, unii) for name, unii in zip(names, paired, strict=True))
    elif generic:
        substances = tuple(SubstanceInfo(name) for name in split_names(generic))
    else:
        notes.append(("openfda", "no product in the metadata: which drug the label covers is unknown", False))
        return None
    codes = [Code("setid", set_id)]
    codes += [Code("rxnorm", code) for code in _names(metadata, "rxcui")]
    codes += [Code("ndc", code) for code in _names(metadata, "product_ndc")]  # package codes are these and a package number
    return ProductInfo(
        generic_name=generic or " / ".join(names),
        substances=substances,
        brand_names=tuple(dict.fromkeys(_names(metadata, "brand_name"))),
        codes=tuple(dict.fromkeys(codes)),
        routes=tuple(_names(metadata, "route")),
        form=None,
    )


def _version(record: dict[str, Any], notes: list[Note]) -> DocumentVersion:
    number = record.get("version")
    if isinstance(number, int) and not isinstance(number, bool):
        number = str(number)
    if number is not None and not (isinstance(number, str) and re.fullmatch(r"[A-Za-z0-9.]{1,20}", number)):
        notes.append(("version", f"{str(number)[:40]!r} is not a version number: left out", True))
        number = None
    return DocumentVersion(number, _effective(record.get("effective_time"), notes), content_hash(record))


def _effective(value: object, notes: list[Note]) -> date | None:
    if value is None:
        return None
    text = str(value)
    try:
        if not re.fullmatch(r"\d{8}", text):
            raise ValueError
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        notes.append(("effective_time", f"{text[:40]!r} is not a date YYYYMMDD: the label's date is unknown", True))
        return None


def _title(metadata: dict[str, list[str]]) -> str:
    brand, generic = _first(metadata, "brand_name"), _first(metadata, "generic_name")
    if brand and generic and brand.casefold() != generic.casefold():
        return f"{brand} ({generic.casefold()})"
    return brand or generic or ""


def _first(metadata: dict[str, list[str]], field: str) -> str | None:
    return next(iter(_names(metadata, field)), None)
