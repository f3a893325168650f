"""Which section of a label an SPL section is: by its title where the title is a known heading, else by its code.

Codes and titles disagree in real labels, and most numbered subsections carry only the code "unclassified": a known heading decides there too,
if it stands where such a heading belongs (`parents` in `data/outline.tsv`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from lxml import etree

from kb_builder.ingest.fields import normal_heading, table_rows
from kb_builder.ingest.spl_xml import H, attribute, child, local_name, words_of

LOINC = "2.16.840.1.113883.6.1"
UNCLASSIFIED = "spl_unclassified_section"
_BOXED = "boxed_warning"
_WARNINGS = frozenset({"warnings", "warnings_and_cautions", "precautions", _BOXED})
_SAME = frozenset({_BOXED, "warnings"})
"""Over boxed and other warnings both print "WARNING" or "WARNINGS": there the code decides."""
_PATIENT_DOCUMENTS = frozenset({"spl_patient_package_insert", "spl_medguide", "instructions_for_use"})
"""What is written for patients has its own codes; its titles ("Patient Information") are those of a chapter of the label too."""
_EMPHASIS = re.compile(r"bold|underline|emphasis", re.IGNORECASE)
_LONGEST_HEADING = 120


@dataclass(frozen=True, slots=True)
class Reading:
    """What an SPL section is: its key (None: only a part of what it stands in), code and title as received, and what is to be said of it."""

    key: str | None
    code: str | None
    title: str
    note: str | None = None


@cache
def _key_of_code() -> dict[str, str]:
    keys: dict[str, str] = {}
    for row in table_rows("sections.tsv"):
        keys.setdefault(row["loinc"], row["key"])
    return keys


@cache
def _key_of_heading() -> dict[str, str]:
    return {normal_heading(row["heading"]): row["key"] for row in table_rows("headings.tsv")}


@cache
def _parents() -> dict[str, frozenset[str]]:
    return {row["key"]: frozenset(row["parents"].split()) for row in table_rows("outline.tsv")}


@cache
def _chapters() -> frozenset[str]:
    return frozenset(row["key"] for row in table_rows("outline.tsv") if row["number"] or not row["parents"])


def known_heading(text: str) -> str | None:
    """The key of a heading that the tables know, numbered or not; else None."""
    return _key_of_heading().get(normal_heading(text)) if text and len(text) <= _LONGEST_HEADING else None


def is_chapter(key: str) -> bool:
    """True for a heading that stands at the top of labels of the new format or the old."""
    return key in _chapters() or key not in _parents()


def belongs(key: str, home: str | None) -> bool:
    """True when a heading of this key may stand in a section of the key `home`, or at the top when that is None."""
    return home is None or home in _parents().get(key, frozenset())


def read_key(section: etree._Element, home: str | None, depth: int) -> Reading:
    """What a section is; `home` is the key of the section it stands in, `depth` is 1 at the top of the document."""
    element = child(section, "code")
    code = attribute(element, "code") if attribute(element, "codeSystem") in (LOINC, None) else None
    heading = words_of(child(section, "title")) or _first_heading(section)
    by_code, by_title = _of_code(code, element), known_heading(heading)
    if (
        by_code == _BOXED
        and by_title in (None, "warnings")
        and depth > 1
        and home not in _WARNINGS
        and "warning" not in (heading or _opening(section)).casefold()
    ):
        return Reading(
            None, code, heading, f"coded as a boxed warning inside {home or 'another section'}, but it gives no warning: a printed box of that section"
        )
    if by_code is None:
        return Reading(by_title if by_title and belongs(by_title, home) else UNCLASSIFIED if depth == 1 else None, code, heading)
    if by_title in (None, by_code) or by_code in _PATIENT_DOCUMENTS or {by_title, by_code} == _SAME:
        return Reading(by_code, code, heading)
    return Reading(by_title, code, heading, f"the code {code} says {by_code}, the heading {heading!r} says {by_title}: the heading is followed")


def _of_code(code: str | None, element: etree._Element | None) -> str | None:
    """The key of a code, made of its display name where no table holds it; None for "unclassified" and no code."""
    if code is None:
        return None
    key = _key_of_code().get(code)
    if key is None:
        shown = re.sub(r"\s*(?:sub)?section$", "", (attribute(element, "displayName") or "").casefold())
        key = re.sub(r"\W+", "_", shown).strip("_") or None
    return None if key == UNCLASSIFIED else key


def is_emphasised(block: etree._Element) -> bool:
    """True for a paragraph all of whose words are bold or underlined, or in capitals."""
    text = words_of(block)
    if not text or len(text) > _LONGEST_HEADING:
        return False
    marked = sum(len("".join(words_of(c).split())) for c in _outer_emphasis(block))
    return marked >= len("".join(text.split()).rstrip(":.")) or text.isupper()


def _outer_emphasis(block: etree._Element) -> list[etree._Element]:
    found = [c for c in block.iter(f"{H}content") if _EMPHASIS.search(c.get("styleCode") or "")]
    known = set(found)
    return [c for c in found if not any(a in known for a in c.iterancestors(f"{H}content"))]


def _first_heading(section: etree._Element) -> str:
    """The emphasised first paragraph of an untitled section: its printed heading."""
    text = child(section, "text")
    first = next(iter(text), None) if text is not None and not (text.text or "").strip() else None
    return words_of(first) if first is not None and local_name(first) == "paragraph" and is_emphasised(first) else ""


def _opening(section: etree._Element) -> str:
    return words_of(child(section, "text"))[:200]
