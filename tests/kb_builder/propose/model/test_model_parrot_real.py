"""A model that copies real labels word for word and says anything about what it copied: what is released of it is only what code reads as well."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from kb_builder.assemble.policy import load_policy
from kb_builder.assemble.promote import promote
from kb_builder.extraction import Extractor
from kb_builder.ingest.overlay import product_rows
from kb_builder.ingest.registry import read_sources
from kb_builder.propose.model.proposer import ModelProposer
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.settings import ModelSettings
from ontology.model.claims import ClaimStatus
from ontology.model.predicates import RiskTier
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

sys.path.insert(0, str(Path(__file__).parent))
from parrot import Parrot

pytestmark = pytest.mark.shared

MODEL_LABELS = 5


@pytest.fixture(scope="module")
def labels(shared: Path) -> list[Document]:
    """The first labels of the sections file that hold enough prose to say much about."""
    source = shared / "data" / "labels" / "openfda" / "drug-label-sections.json.zip"
    out: list[Document] = []
    for _, item in read_sources([source]):
        if isinstance(item, Document) and 3_000 < sum(len(s.text) for s in item.sections) < 30_000 and item.products and item.section("drug_interactions"):
            out.append(item)
        if len(out) == MODEL_LABELS:
            break
    return out


def test_thousands_of_statements_by_chance_release_nothing_that_code_does_not_read(labels, monkeypatch):
    parrot = Parrot(1)
    monkeypatch.setattr(ModelProposer, "_answer", lambda self, request: parrot.answer(request))
    terms = Terminology.shipped().with_products([row for d in labels for row in product_rows(d, [])])
    extractor = Extractor(terms, (ModelProposer(ModelSettings("parrot"), ReplyFolder(Path("nowhere"))),))
    policy = load_policy("default")
    counts: Counter[str] = Counter()
    for label in labels:
        extraction = extractor.extract(label)
        assert extraction.failed == []
        for claim in (promote(g.claim, policy, None) for g in extraction.gated if g.claim.provenance.model is not None):
            counts[claim.status.value] += 1
            if claim.status is ClaimStatus.APPROVED:
                assert claim.spec.tier is not RiskTier.HIGH
                assert claim.object.system != "uncoded" or claim.predicate == "indicated_for"
    assert counts["rejected"] > 200
    assert counts["approved"] <= counts["rejected"] / 100
