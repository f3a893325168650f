"""The manifest of a release folder: what it is made of, under which id, with the hash and size of every file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ontology.model.errors import ReleaseDamaged

FORMAT = "pharmgraph-release/2"
MANIFEST = "manifest.json"
DATABASE = "release.sqlite"

_BUILD_AGAIN = "copy the release again or build it again with `kb-builder build`"


def describe_files(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Name -> size and SHA-256 of each file of the folder."""
    return {name: {"bytes": (folder / name).stat().st_size, "sha256": file_hash(folder / name)} for name in sorted(names)}


def file_hash(path: Path) -> str:
    """Hex SHA-256 of a file."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Writes the manifest of a folder."""
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder whose format this version reads. Raises ReleaseDamaged saying what is wrong and what to do."""
    path = folder / MANIFEST
    if not folder.is_dir():
        raise ReleaseDamaged(f"release {folder} is not a folder; give the folder that `kb-builder build --out` wrote")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        raise ReleaseDamaged(f"{folder} holds no {MANIFEST}, so it is not a whole release; {_BUILD_AGAIN}") from e
    except (OSError, ValueError) as e:
        raise ReleaseDamaged(f"{path} cannot be read: {e}; {_BUILD_AGAIN}") from e
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else type(manifest).__name__
        raise ReleaseDamaged(f"{path} has format {found!r}, this version reads {FORMAT!r}; build the release again with this version")
    if not isinstance(manifest.get("id"), str) or not isinstance(manifest.get("files"), dict):
        raise ReleaseDamaged(f"{path} lacks the release's id or its list of files; {_BUILD_AGAIN}")
    return manifest


def damaged_files(folder: Path, manifest: Mapping[str, Any], *, hashes: bool) -> list[tuple[str, str]]:
    """(file, what is wrong) for each file that is missing, of another size or, with `hashes`, of another content."""
    faults: list[tuple[str, str]] = []
    for name, facts in sorted(manifest["files"].items()):
        path = folder / name
        if path.parent != folder:
            faults.append((name, "the manifest names a file outside the release"))
        elif not path.is_file():
            faults.append((name, "is missing"))
        elif path.stat().st_size != facts.get("bytes"):
            faults.append((name, f"has {path.stat().st_size} bytes, the manifest says {facts.get('bytes')}"))
        elif hashes and file_hash(path) != facts.get("sha256"):
            faults.append((name, "has another content than the manifest's SHA-256 says"))
    return faults


def check_files(folder: Path, manifest: Mapping[str, Any], *, hashes: bool = False) -> None:
    """Raises ReleaseDamaged naming the files that are missing, truncated or altered, and what to do."""
    faults = damaged_files(folder, manifest, hashes=hashes)
    if faults:
        told = "; ".join(f"{folder / name} {what}" for name, what in faults)
        raise ReleaseDamaged(f"release {manifest['id']} is damaged: {told}; {_BUILD_AGAIN}")
