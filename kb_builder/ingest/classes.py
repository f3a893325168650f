"""Pharmacologic classes that a document's metadata states, with the place each stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_builder.ingest.front_matter import FrontMatterError, read_front_matter
from kb_builder.ingest.markdown import METADATA
from ontology.text.document import Document

_OPENFDA = (("openfda.pharm_class_epc", "EPC"), ("openfda.pharm_class_moa", "MoA"))


@dataclass(frozen=True, slots=True)
class StatedClass:
    """A class name as printed, `EPC` or `MoA`, and its place: section and half-open offsets."""

    name: str
    kind: str
    section: str
    start: int
    end: int


def classes_of(document: Document) -> tuple[StatedClass, ...]:
    """All classes that the metadata states, in printed order."""
    stated: list[StatedClass] = []
    for key, kind in _OPENFDA:
        section = document.section(key)
        if section is not None:
            stated += [StatedClass(m.group(), kind, key, m.start(), m.end()) for m in re.finditer(r"[^\n]*\S[^\n]*", section.text)]
    block = document.section(METADATA)
    if block is not None and document.kind == "markdown":
        stated += _in_block(block.text)
    return tuple(stated)


def nui_of(document: Document) -> str | None:
    """The NUI of a document's one class; None when it has several, since openFDA does not say which belongs to which."""
    nuis = document.section("openfda.nui")
    if nuis is None or len(nuis.text.split()) != 1 or len(classes_of(document)) != 1:
        return None
    return nuis.text.strip()


def _in_block(text: str) -> list[StatedClass]:
    try:
        front = read_front_matter(f"---\n{text}---\n")
    except FrontMatterError:
        return []
    key = re.search(r"^classes:", text, re.MULTILINE)
    found, position = [], key.end() if key else 0
    for name, kind in front.classes:
        start = text.find(name, position)
        if start >= 0:
            position = start + len(name)
            found.append(StatedClass(name, {"epc": "EPC", "moa": "MoA"}[kind], METADATA, start, position))
    return found
