"""A small knowledge base in memory and one replayed audit, for the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

import pytest
from flask import Flask

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.severity import Indicator
from cds_service.answer.wire_findings import finding_object, gap_object, unchecked_object
from cds_service.audit.outcomes import (
    AuditResult,
    Category,
    Certainty,
    Counterpart,
    DrugRef,
    EvidenceRef,
    Finding,
    Gap,
    NotEvaluated,
    NotEvaluatedReason,
    PathStep,
    RiskType,
    TraceStep,
)
from cds_service.intake.prescription import Patient, Prescription, Retrieval, Source
from cds_service.web import Replay, blueprint
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Approval, Claim, ClaimStatus, Provenance
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span, SpanRole
from ontology.store.records import DocumentRecord, SectionRecord

KEY = b"k" * 32
WARFARIN = EntityId("Ingredient", "rxnorm", "11289")
NSAIDS = EntityId("DrugClass", "epc", "N0000175722")
SENTENCE = "NSAIDs raise the risk of bleeding; avoid them with warfarin <b>tablets</b> & gels."
FILLER = "Measure the INR at set intervals in everyone who takes it. "
SECTION = "7.1 Drugs that raise bleeding\n\n" + FILLER * 60 + SENTENCE + " " + FILLER * 40
CHINESE = "本品与华法林合用时出血风险增加，应避免合用。"


@dataclass
class Shelf:
    """An evidence base in memory."""

    id: str = "rel-0123456789ab"
    manifest: Mapping[str, Any] = field(default_factory=lambda: {"created": "2026-11-30T04:00:00Z"})
    claims: dict[str, Claim] = field(default_factory=dict)
    documents: dict[tuple[str, str], DocumentRecord] = field(default_factory=dict)
    sections: dict[tuple[str, str, str], SectionRecord] = field(default_factory=dict)

    def claim(self, claim_id: str) -> Claim | None:
        return self.claims.get(claim_id)

    def document(self, set_id: str, version: str | None = None) -> DocumentRecord | None:
        return self.documents.get((set_id, version or ""))

    def section(self, set_id: str, version: str, key: str) -> SectionRecord | None:
        return self.sections.get((set_id, version, key))

    def add_document(self, set_id: str, version: str, title: str, language: str, effective: date | None, text: str, url: str | None = None) -> None:
        self.documents[set_id, version] = DocumentRecord(set_id, version, title, "markdown", language, effective, version, "h", url=url)
        self.sections[set_id, version, "drug_interactions"] = SectionRecord(
            "drug_interactions", "7 Drug interactions", "34073-7", "text", text, ("<table></table>",)
        )

    def add_claim(
        self, set_id: str, version: str, quote: str, *, status: ClaimStatus = ClaimStatus.APPROVED, reason: str | None = None, note: str = ""
    ) -> Claim:
        text = self.sections[set_id, version, "drug_interactions"].text
        start = text.index(quote)
        spans = (
            Span(set_id, version, "drug_interactions", start, start + len(quote), quote),
            Span(set_id, version, "drug_interactions", start, start + 6, quote[:6], SpanRole.OBJECT),
        )
        claim = Claim(
            "interacts_with",
            WARFARIN,
            NSAIDS,
            Advice((Step(Action.AVOID),), effect=note or None),
            spans,
            Provenance("interactions", "1"),
            status=status,
            reason=reason,
            approval=Approval("policy:default@1", "rule"),
        )
        self.claims[claim.id] = claim
        return claim


def evidence_of(claim: Claim) -> EvidenceRef:
    return EvidenceRef(claim.id, claim.statement)


def entry_of(result: Finding | Gap | NotEvaluated) -> dict[str, Any]:
    if isinstance(result, Finding):
        return finding_object(result, Indicator.WARNING)
    return gap_object(result) if isinstance(result, Gap) else unchecked_object(result)


def card_of(uuid: str, *results: Finding | Gap | NotEvaluated) -> dict[str, Any]:
    return {"uuid": uuid, "summary": "s", "indicator": "warning", "extension": {"org.pharmgraph.findings": [entry_of(r) for r in results]}}


@pytest.fixture(name="card_of")
def card_maker() -> Callable[..., dict[str, Any]]:
    return card_of


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    shelf.add_document("warfarin-label", "1", "Warfarin sodium tablets", "en", date(2026, 10, 1), SECTION, "https://labels.example/warfarin")
    shelf.add_document("ibuprofen-zh", "unversioned:abc", "布洛芬片", "zh", None, "【药物相互作用】\n" + CHINESE, "javascript:alert(1)")
    return shelf


@pytest.fixture
def finding(shelf: Shelf) -> Finding:
    first, second = shelf.add_claim("warfarin-label", "1", SENTENCE), shelf.add_claim("ibuprofen-zh", "unversioned:abc", CHINESE)
    return Finding(
        check="interaction",
        category=Category.INTERACTION,
        risk=RiskType.INTERACTION_DRUG_DRUG,
        drug=DrugRef("ibuprofen", "5640", ("MedicationRequest/d1",)),
        other=Counterpart("drug", "warfarin", "anticoagulants"),
        action=Action.AVOID,
        hazard="h",
        certainty=Certainty.CODED,
        evidence=(evidence_of(first), evidence_of(second)),
        rules=(first.id, second.id),
        path=(PathStep("warfarin", "interacts_with", "NSAIDs", first.id), PathStep("ibuprofen", "belongs_to", "NSAIDs", None)),
        data=(Source("MedicationRequest/secret-7", date(2026, 9, 2), "medications"), Source("MedicationRequest/d1", None, "orders")),
        qualifiers=("The warfarin order is old: confirm still taking.",),
    )


@pytest.fixture
def gap(shelf: Shelf) -> Gap:
    claim = shelf.add_claim("warfarin-label", "1", FILLER.strip(), note="gap")
    return Gap(
        "contraindication",
        Category.CONTRAINDICATION,
        DrugRef("warfarin", "11289", ("MedicationRequest/d2",)),
        ("conditions", "lab:potassium"),
        "is a bleeding ulcer on the problem list? It would contraindicate warfarin.",
        (evidence_of(claim),),
    )


@pytest.fixture
def unchecked() -> NotEvaluated:
    return NotEvaluated(
        "interaction", Category.INTERACTION, DrugRef("zorbamycin", None, ("MedicationRequest/d3",)), NotEvaluatedReason.DRUG_IDENTITY, "No drug has this name."
    )


@pytest.fixture
def replay(shelf: Shelf, finding: Finding, gap: Gap, unchecked: NotEvaluated) -> Replay:
    patient = Patient("Patient/p1", "1950-01-01", "male", "gender", (), (), ())
    states = {"patient": Retrieval.FOUND, "medications": Retrieval.FOUND, "conditions": Retrieval.INCOMPLETE, "allergies": Retrieval.NONE_FOUND}
    prescription = Prescription("order-sign", patient, (), {**states, "observations": Retrieval.NOT_RETRIEVED}, datetime(2026, 11, 30, tzinfo=UTC))
    steps = (
        TraceStep("plan", "5 checks for ibuprofen", ("MedicationRequest/d1",)),
        TraceStep("select", "label warfarin-label version 1 judges warfarin: newest of two", ("warfarin-label",)),
        TraceStep("plan", "5 checks for warfarin", ("MedicationRequest/d2",)),
    )
    return Replay(
        trace_id="t-1",
        service="order-sign",
        received=datetime(2026, 11, 30, 9, 5, tzinfo=UTC),
        prescription=prescription,
        result=AuditResult((finding, gap, unchecked), steps),
        cards=[card_of("c1", finding), card_of("c2", gap), card_of("c3", unchecked), card_of("c4", finding, gap)],
        knowledge=shelf,
    )


@pytest.fixture
def links() -> EvidenceLinks:
    return EvidenceLinks(KEY, "http://localhost")


@pytest.fixture
def reads() -> list[str]:
    return []


@pytest.fixture
def app(replay: Replay, links: EvidenceLinks, reads: list[str]) -> Flask:
    def recall(trace_id: str) -> Replay:
        reads.append(trace_id)
        return replay

    app = Flask("pages")
    app.register_blueprint(blueprint(links=links, recall=recall))
    return app
