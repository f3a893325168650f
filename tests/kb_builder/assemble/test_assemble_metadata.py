"""Claims that metadata and term files make: composition, classes, hand-kept edges, scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kb_builder.assemble.composition import metadata_claims, product_entity, substance_span
from kb_builder.assemble.edges import edge_claims
from kb_builder.assemble.scope import label_scope, scoped
from kb_builder.gate.gates import judge
from kb_builder.ingest.markdown import read_markdown
from kb_builder.ingest.openfda_record import read_record
from kb_builder.ingest.overlay import label_substances, product_rows
from kb_builder.ingest.terminology import term_documents
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, Provenance, Scope, edge_claim_id
from ontology.model.identifiers import EntityId
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

Make = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def shipped() -> Terminology:
    return Terminology.shipped()


def overlaid(shipped: Terminology, document: Document) -> tuple[Terminology, EntityId]:
    terminology = shipped.with_products(product_rows(document, ()))
    return terminology, terminology.subject_of(label_substances(document))[0]


def test_the_class_of_a_single_ingredient_is_a_claim_on_its_line(shipped: Terminology, record: Make) -> None:
    document, _ = read_record(record())
    terminology, subject = overlaid(shipped, document)
    made, claim = metadata_claims(document, subject, terminology)
    assert (str(made.subject), made.predicate, made.object) == (f"Drug:setid:{document.set_id}", "has_ingredient", subject)
    assert made.id == edge_claim_id(document.set_id, "has_ingredient", made.subject, subject)
    assert product_entity(document).id == made.subject
    assert (claim.predicate, claim.subject) == ("belongs_to", subject)
    assert (claim.statement.section, claim.statement.quote) == ("openfda.pharm_class_epc", "Nonsteroidal Anti-inflammatory Drug [EPC]")


def test_the_class_of_a_markdown_label_stands_in_its_block(shipped: Terminology, monograph: str) -> None:
    document, _ = read_markdown(monograph)
    terminology, subject = overlaid(shipped, document)
    made, claim = metadata_claims(document, subject, terminology)
    assert made.statement.section == "metadata"
    assert claim.statement.section == "metadata"
    assert terminology.name(claim.object).casefold().startswith("vitamin k antagonist")


def test_a_combination_has_its_ingredients_and_no_class(shipped: Terminology, record: Make) -> None:
    openfda = {
        "generic_name": ["LISINOPRIL AND HYDROCHLOROTHIAZIDE"],
        "substance_name": ["HYDROCHLOROTHIAZIDE", "LISINOPRIL"],
        "unii": ["0J48LPH2TH", "E7199S1YWR"],
        "pharm_class_epc": ["Angiotensin Converting Enzyme Inhibitor [EPC]", "Thiazide Diuretic [EPC]"],
    }
    document, _ = read_record(record(openfda=openfda))
    terminology, subject = overlaid(shipped, document)
    claims = list(metadata_claims(document, subject, terminology))
    assert subject.type == "Drug"
    assert [(c.predicate, c.statement.quote) for c in claims] == [("has_ingredient", "HYDROCHLOROTHIAZIDE"), ("has_ingredient", "LISINOPRIL")]
    assert all(judge(c, document, lambda e: terminology.entity(e) is not None).passed for c in claims)


def test_a_substance_is_found_as_a_whole_line_and_not_within_another_name(record: Make) -> None:
    openfda = {"generic_name": ["X"], "substance_name": ["SODIUM CHLORIDE", "CHLORIDE"]}
    document, _ = read_record(record(openfda=openfda))
    span = substance_span(document, "CHLORIDE")
    assert span is not None
    assert span.start == len("SODIUM CHLORIDE\n")
    assert substance_span(document, "LORID") is None


def test_hand_kept_edges_are_claims_on_their_rows(shipped: Terminology) -> None:
    files = list(term_documents(shipped))
    by_id = {document.set_id: document for document in files}
    claims = list(edge_claims(shipped, files))
    assert len(claims) == len(list(shipped.edge_rows())) > 50
    verdicts = [judge(c, by_id[c.document], lambda e: shipped.entity(e) is not None) for c in claims]
    assert all(v.passed for v in verdicts), [v.reason for v in verdicts if not v.passed][:3]


def test_a_claim_gets_the_scope_of_its_label_where_it_sets_none(shipped: Terminology, monograph: str) -> None:
    document, _ = read_markdown(monograph)
    terminology, subject = overlaid(shipped, document)
    scope = label_scope(document, (subject,), terminology)
    assert scope == Scope((subject,), ("oral",), ("tablet",))
    span = document.span("drug_interactions", 1, 16)
    open_claim = Claim("contraindicated_in", subject, subject, Advice((Step(Action.AVOID),)), (span,), Provenance("t", "1"))
    narrow = Claim("contraindicated_in", subject, subject, Advice((Step(Action.AVOID),)), (span,), Provenance("t", "1"), scope=Scope(routes=("topical",)))
    assert scoped(open_claim, scope).scope == scope
    assert scoped(narrow, scope).scope.routes == ("topical",)
    edge, *_ = metadata_claims(document, subject, terminology)
    assert scoped(edge, scope).scope == Scope()
