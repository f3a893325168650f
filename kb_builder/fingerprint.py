"""What a build depends on, as one hash: the same hash gives the same release."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kb_builder.assemble.policy import ReleasePolicy
from kb_builder.ingest.sources import file_hash
from ontology.model.errors import ReleaseDamaged
from ontology.model.identifiers import content_hash
from ontology.store.manifest import check_files, read_manifest

_PACKAGES = ("ontology", "kb_builder")
_ENGINE = "ladybug"


def fingerprint(sources: Sequence[Path], policy: ReleasePolicy, loaded_terms: Path | None = None) -> str:
    """Hex SHA-256 over the sources' bytes, the policy, a site's loaded terms, the packages' own files (code, tables, policies) and the graph engine's version."""
    hashed = sorted((path.name, file_hash(path)) for path in sources)
    loaded = file_hash(loaded_terms) if loaded_terms else None
    return content_hash([hashed, repr(policy), loaded, _code_hash(), metadata.version(_ENGINE)])


def unchanged(path: Path, expected: str) -> dict[str, Any] | None:
    """The manifest of the release at a path when it was built from exactly this and is whole; None otherwise."""
    try:
        manifest = read_manifest(path)
        if manifest.get("inputs") != expected:
            return None
        check_files(path, manifest, hashes=True)
    except ReleaseDamaged:
        return None
    return manifest


def _code_hash() -> str:
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for name, data in _own_files(files(package), package):
            digest.update(name.encode())
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def _own_files(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.is_dir() and item.name != "__pycache__":
            yield from _own_files(item, f"{name}/{item.name}")
        elif item.is_file() and not item.name.endswith(".pyc"):
            yield f"{name}/{item.name}", item.read_bytes()
