"""The real openFDA files through the readers: every record accounted for, every text as the benchmark's own reader has it."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.registry import read_sources
from kb_builder.workspace import Workspace
from ontology.text.document import Document

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "labels" / "openfda"


def test_every_record_is_a_document_and_empty_ones_are_told(folder: Path, tmp_path: Path) -> None:
    outcomes: Counter[str] = Counter()
    with Workspace(tmp_path, create=True) as workspace:
        for _, item in read_sources((folder,)):
            outcomes[type(item).__name__ if isinstance(item, Refused | Noted) else workspace.add(item).outcome] += 1
        judging, older = workspace.choose_judging()
    assert outcomes == {"new": 1_072, "duplicate": 3, "Noted": 2}
    assert (judging, older) == (1_009, 63)


def test_texts_are_those_that_spans_are_counted_in(folder: Path) -> None:
    received: dict[str, list[dict[str, object]]] = {}
    for path in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                for record in json.loads(archive.read(name))["results"]:
                    received.setdefault(record["set_id"], []).append(record)
    compared = 0
    for _, item in read_sources((folder,)):
        if not isinstance(item, Document):
            continue
        for section in item.sections:
            if section.key.startswith("openfda.") or not section.text:
                continue
            values = (record.get(section.key) for record in received[item.set_id])
            assert section.text in ["\n".join(v) if isinstance(v, list) else v for v in values], (item.set_id, section.key)
            compared += 1
    assert compared > 12_000
