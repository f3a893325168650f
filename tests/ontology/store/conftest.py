"""The small release of `small_release`, built once a session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the release is built by a module beside this one

from small_release import fill

from ontology.model.claims import Claim
from ontology.model.entities import Entity
from ontology.store.release import Release
from ontology.store.writer import ReleaseWriter


@pytest.fixture(scope="session")
def release_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release, built once; tests that change it copy it first."""
    with ReleaseWriter(tmp_path_factory.mktemp("store") / "release") as writer:
        fill(writer)
        return writer.finish({"builder": "test"})


@pytest.fixture
def release(release_folder: Path) -> Iterator[Release]:
    """The small release, opened."""
    with Release.open(release_folder) as opened:
        yield opened


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    """Builds a release of other claims, with further entities."""

    def make(claims: list[Claim], entities: Sequence[Entity] = ()) -> Path:
        with ReleaseWriter(tmp_path / "built") as writer:
            fill(writer, claims=claims)
            writer.add_entities(entities)
            return writer.finish({"builder": "test"})

    return make
