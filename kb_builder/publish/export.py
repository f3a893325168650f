"""The formats a release can be exported in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kb_builder.publish.facts import export_facts
from ontology.store.release import Release

FORMATS: dict[str, Callable[[Release], Iterator[bytes]]] = {"facts": export_facts}
"""Name -> lines of the export."""
