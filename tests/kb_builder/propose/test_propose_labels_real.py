"""The proposers on real labels with the shipped terminology."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.registry import PROPOSERS
from ontology.model.claims import Polarity
from ontology.terms.terminology import Terminology
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SubstanceInfo

pytestmark = [pytest.mark.shared]
KEYS = ("contraindications", "drug_interactions", "boxed_warning", "warnings_and_cautions", "warnings", "precautions", "dosage_and_administration")
LABELS = 60


@pytest.fixture(scope="module")
def terminology() -> Terminology:
    return Terminology.shipped()


@pytest.fixture(scope="module")
def read(shared: Path, terminology: Terminology) -> list[tuple[Document, list[Proposal]]]:
    lexicon = Lexicon(terminology)
    out = []
    for record in records(shared):
        names = record["openfda"].get("substance_name") or []
        if names:
            document = document_of(record, names)
            subject, ingredients = terminology.subject_of([(n, None, None) for n in names])
            about = Subject(subject, terminology.name(subject), ingredients)
            out.append((document, [p for proposer in PROPOSERS for p in proposer.propose(document, about, lexicon)]))
    return out


def records(shared: Path) -> Iterator[dict]:
    with zipfile.ZipFile(shared / "data" / "labels" / "openfda" / "drug-label-full.json.zip") as archive:
        for name in archive.namelist():
            yield from json.loads(archive.read(name))["results"][:LABELS]


def document_of(record: dict, names: list[str]) -> Document:
    sections = tuple(Section(k, "\n".join(record[k]), tables=tuple(record.get(f"{k}_table") or ())) for k in KEYS if k in record)
    product = ProductInfo(record["openfda"]["generic_name"][0], tuple(SubstanceInfo(n) for n in names), tuple(record["openfda"].get("brand_name") or ()))
    return Document(record["set_id"], DocumentVersion(record["version"], None, "0" * 64), names[0], "openfda", "en", sections, (product,))


def test_every_quote_stands_at_its_place(read):
    checked = 0
    for document, proposals in read:
        for proposal in proposals:
            for span in proposal.claim.evidence:
                assert document.section(span.section).text[span.start : span.end] == span.quote
                checked += 1
    assert checked > 1000


def test_most_labels_that_list_contraindications_give_some(read):
    listing = [(d, p) for d, p in read if (s := d.section("contraindications")) is not None and len(s.text) > 120]
    silent = [d.title for d, proposals in listing if not any(p.claim.statement.section == "contraindications" for p in proposals)]
    assert len(silent) / len(listing) < 0.1, silent


def test_objects_are_short_names_not_sentences(read):
    long = [p.claim.words for _, proposals in read for p in proposals if len((p.claim.words or "").split()) > 22]
    assert long == []


def test_denials_carry_their_action(read):
    for _, proposals in read:
        for p in (p for p in proposals if p.claim.predicate == "interacts_with"):
            denied = p.claim.polarity is Polarity.NEGATIVE
            assert denied == (p.claim.payload.strictest.value == "no-adjustment")
