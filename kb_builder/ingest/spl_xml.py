"""The bytes of an SPL file to an element tree, safely: nothing outside the file is read, no entity is expanded, nesting is bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

NAMESPACE = "urn:hl7-org:v3"
H = f"{{{NAMESPACE}}}"
"""Prefix of the names of all elements of an SPL document."""
_ARCHIVE = b"PK\x03\x04"
_PACKED = b"\x1f\x8b"
_TRUNCATED = re.compile(r"Premature end|Couldn't find end|EndTag", re.IGNORECASE)
_DEEP = re.compile(r"depth|too deep", re.IGNORECASE)
_HUGE = re.compile(r"huge|too long|too big|limit", re.IGNORECASE)
_ENTITY = re.compile(r"entit(?:y|ies).*(?:loop|amplif|not defined|reference)|amplification", re.IGNORECASE)
_ENCODING = re.compile(r"encod|not proper UTF-8|conversion", re.IGNORECASE)


class SplRefused(Exception):
    """An SPL file no document can be made of: the element at fault where there is one, and the reason."""

    def __init__(self, where: str | None, reason: str) -> None:
        super().__init__(reason)
        self.where = where
        self.reason = reason


def parse_spl(data: bytes) -> etree._Element:
    """The `document` element of an SPL file. Raises SplRefused for everything else, with the line where there is one."""
    if not data.strip():
        raise SplRefused(None, "the file is empty")
    if data.startswith(_ARCHIVE):
        raise SplRefused(None, "this is a zip archive, not XML; give it a name that ends in .zip")
    if data.startswith(_PACKED):
        raise SplRefused(None, "this is a gzip file, not XML; unpack it first")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as e:
        raise SplRefused(None, _explain(e)) from e
    except (ValueError, LookupError) as e:
        raise SplRefused(None, f"not readable XML: {e}") from e
    _refuse_entities(root)
    if root.tag != f"{H}document":
        name = etree.QName(root)
        raise SplRefused(
            None, f"no SPL document: its root is <{name.localname[:60]}> of the namespace {(name.namespace or 'none')[:80]!r}, not <document> of {NAMESPACE}"
        )
    return root


def _explain(error: etree.XMLSyntaxError) -> str:
    """The parser's complaint in one line, with its place."""
    line, column = error.position
    message = re.sub(r",? line \d+, column \d+.*$", "", (error.msg or "not well-formed").replace("\n", " ").strip())
    place = f"at line {line}, column {column}"
    if _ENTITY.search(message):
        return f"the XML uses entities, which are not read ({message}) {place}"
    if _DEEP.search(message):
        return f"the XML nests too deeply {place}"
    if _ENCODING.search(message):
        return f"the text is not in the encoding the XML declares {place} ({message})"
    if _HUGE.search(message):
        return f"a piece of the XML is longer than a label's can be {place} ({message})"
    if _TRUNCATED.search(message):
        return f"the XML breaks off {place} ({message})"
    return f"not well-formed XML {place} ({message})"


def _refuse_entities(root: etree._Element) -> None:
    doctype = root.getroottree().docinfo.internalDTD
    declared = next(doctype.iterentities(), None) if doctype is not None else None  # type: ignore[attr-defined]
    if declared is not None:
        raise SplRefused(None, f"the document type declares entities ({str(declared.name)[:40]}), which no label needs; remove them")
    used = next(root.iter(etree.Entity), None)
    if used is not None:
        raise SplRefused(None, f"line {used.sourceline}: the entity {str(used.text)[:40]} is not read; write the character itself")


def local_name(element: etree._Element) -> str:
    """The element's name without namespace."""
    return str(element.tag).rpartition("}")[2]


def children(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    """The child elements of these names, in document order."""
    return element.iterchildren(*(H + name for name in names))


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The element at the end of a path of first children, or None."""
    for name in path:
        if element is None:
            return None
        element = element.find(H + name)
    return element


def attribute(element: etree._Element | None, name: str) -> str | None:
    """An attribute without blanks around it; None where it is absent or blank."""
    value = element.get(name) if element is not None else None
    return value.strip() or None if value else None


def words_of(element: etree._Element | None) -> str:
    """All text of an element with its white space folded into single spaces."""
    return " ".join("".join(str(text) for text in element.itertext()).split()) if element is not None else ""
