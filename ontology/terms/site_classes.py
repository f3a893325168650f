"""Loaded class hierarchies as content of a terminology: classes, and edges that quote the row they are from.

Only what leads from a substance of the release to the top is taken. A class keeps its code in its name, so that no text is ever read as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ontology.model.entities import Entity, EntityType, Label
from ontology.model.identifiers import Code, EntityId, mint
from ontology.terms.drugs import SUBSTANCES
from ontology.terms.entries import EdgeRow, TermData, TermFile, Word
from ontology.terms.known import Known
from ontology.terms.readers.records import ClassRecord
from ontology.terms.terms_file import TermsFile

MARK = "loaded-terms"
"""The table of the word that holds the hash of the loaded file: releases with other loaded terms have another id."""


def add_site_classes(data: TermData, file: TermsFile, known: Known, content: str) -> TermData:
    """The content with the file's classes and members, and with the mark of the file, whose hash is `content`."""
    marked = replace(data, words=(*data.words, Word(MARK, content)))
    classes: Mapping[tuple[str, str], ClassRecord] = {(r.system, r.code): r for r in file.records("class")}
    members: dict[tuple[str, str, EntityId], str] = {}
    for record in file.records("member"):
        entity = known.by_code("rxnorm", record.rxcui) or known.by_name(record.name)
        if entity and entity.type in SUBSTANCES and (record.system, record.class_code) in classes:
            members.setdefault((record.system, record.class_code, entity), record.name)
    wanted = _with_parents({(system, code) for system, code, _ in members}, classes)
    if not wanted:
        return marked
    entities = [_class_entity(classes[key]) for key in sorted(wanted)]
    lines: list[str] = []
    edges: list[EdgeRow] = []
    at = 0
    for (system, code, entity), name in sorted(members.items()):
        at = _add_row(f"{name}\tbelongs to\t{classes[system, code].name}\t{system}:{code}", "belongs_to", entity, _class_id(system, code), at, lines, edges)
    for system, code in sorted(wanted):
        own = classes[system, code]
        if (system, own.parent) in wanted:
            parent = classes[system, own.parent]
            line = f"{own.name}\tis a kind of\t{parent.name}\t{system}:{code}\t{system}:{parent.code}"
            at = _add_row(line, "subclass_of", _class_id(system, code), _class_id(system, own.parent), at, lines, edges)
    sources = [s for s in file.manifest.get("sources", ()) if s.get("kind") in {system for system, _ in wanted}]
    version = ", ".join(dict.fromkeys(str(s.get("version", "unknown")) for s in sources)) or "unknown"
    titles = ", ".join(dict.fromkeys(str(s.get("title", "classes")) for s in sources)) or "classes"
    term_file = TermFile("loaded-classes", f"Classes loaded by the site: {titles}", "\n".join(lines), version, titles)
    return replace(marked, files=(*data.files, term_file), entities=(*data.entities, *entities), edges=(*data.edges, *edges))


def _with_parents(codes: set[tuple[str, str]], classes: Mapping[tuple[str, str], ClassRecord]) -> set[tuple[str, str]]:
    """The classes and everything above them; a circle of parents ends where it began."""
    found: set[tuple[str, str]] = set()
    stack = sorted(codes)
    while stack:
        key = stack.pop()
        if key in classes and key not in found:
            found.add(key)
            stack.append((key[0], classes[key].parent))
    return found


def _class_id(system: str, code: str) -> EntityId:
    return mint(EntityType.DRUG_CLASS, system, code)


def _class_entity(record: ClassRecord) -> Entity:
    name = f"{record.name} [{record.system.upper()} {record.code}]"
    return Entity(
        _class_id(record.system, record.code),
        EntityType.DRUG_CLASS,
        name,
        (Code(record.system, record.code),),
        (Label(name, "en", record.system, preferred=True),),
    )


def _add_row(line: str, predicate: str, subject: EntityId, object_: EntityId, at: int, lines: list[str], edges: list[EdgeRow]) -> int:
    """Adds a row and its edge; the offset of the next row."""
    lines.append(line)
    edges.append(EdgeRow(predicate, subject, object_, "loaded-classes", at, at + len(line)))
    return at + len(line) + 1
