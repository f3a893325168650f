"""Opening a release for a command, with errors a person can act on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kb_builder.errors import ReleaseUnusable
from ontology.model.errors import StoreError, TerminologyError
from ontology.store.release import Release

RELEASE_OPTION = click.option("--release", "release_path", type=click.Path(path_type=Path), required=True, metavar="RELEASE", help="Folder of the release.")


@contextmanager
def opened(path: Path) -> Iterator[Release]:
    """The release, closed afterwards. Raises ReleaseUnusable."""
    try:
        with Release.open(path) as release:
            yield release
    except (StoreError, TerminologyError) as e:
        raise ReleaseUnusable(str(e)) from e
