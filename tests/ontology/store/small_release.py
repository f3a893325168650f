"""A small release that holds one of everything: two labels of one ingredient, a combination, classes, roles, cross-reactivity."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Approval, Claim, ClaimStatus, Edge, Payload, Polarity, Provenance, Scope, Strength
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, Exposure, Guard, HasCondition, Interval, Opaque
from ontology.model.identifiers import Code, EntityId, mint
from ontology.model.periods import ValidPeriod
from ontology.store.writer import ReleaseWriter
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SectionState, SubstanceInfo

WARFARIN = mint("Ingredient", "rxnorm", "11289")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
AMOXICILLIN = mint("Ingredient", "rxnorm", "723")
CLAVULANATE = mint("Ingredient", "rxnorm", "48203")
AUGMENTIN = mint("Drug", "pharmgraph", "48203-723")
VKA = mint("DrugClass", "pharmgraph", "vitamin-k-antagonists")
ANTICOAGULANTS = mint("DrugClass", "pharmgraph", "anticoagulants")
NSAIDS = mint("DrugClass", "pharmgraph", "nsaids")
PENICILLINS = mint("DrugClass", "pharmgraph", "penicillins")
CEPHALOSPORINS = mint("DrugClass", "pharmgraph", "cephalosporins")
ROLE = mint("EnzymeRole", "pharmgraph", "cyp2c9-substrate-sensitive")
PLAIN_ROLE = mint("EnzymeRole", "pharmgraph", "cyp2c9-substrate")
PREGNANCY = mint("Condition", "snomed", "77386006")
BLEEDING = mint("Condition", "uncoded", "0123456789abcdef")

NAMES: dict[EntityId, str] = {
    WARFARIN: "warfarin",
    IBUPROFEN: "ibuprofen",
    AMOXICILLIN: "amoxicillin",
    CLAVULANATE: "clavulanate",
    AUGMENTIN: "amoxicillin / clavulanate",
    VKA: "vitamin K antagonists",
    ANTICOAGULANTS: "anticoagulants",
    NSAIDS: "NSAIDs",
    PENICILLINS: "penicillins",
    CEPHALOSPORINS: "cephalosporins",
    ROLE: "sensitive CYP2C9 substrate",
    PLAIN_ROLE: "CYP2C9 substrate",
    PREGNANCY: "pregnancy",
    BLEEDING: "active pathological bleeding",
}

CONTRAINDICATIONS = "4 CONTRAINDICATIONS\nDo not give it in pregnancy. It is contraindicated in active pathological bleeding \U0001f489 of any kind."
INTERACTIONS = "7 DRUG INTERACTIONS\nNSAIDs raise the risk of bleeding; monitor closely. Ibuprofen above 1200 mg a day: avoid."
TERMS = "warfarin\tVKA\nVKA\tanticoagulants\nwarfarin\trole\nrole\tplain role\namoxicillin\tpenicillins\npenicillins\tcephalosporins\nibuprofen\tNSAIDs\n"
APPROVAL = Approval("policy:default@1", "rule")
BY = Provenance("pattern", "1")


def make_document(set_id: str, effective: date | None, sections: dict[str, str], *, kind: str = "openfda", substances: tuple[str, ...] = ()) -> Document:
    """A document with these sections and one product."""
    product = (
        ProductInfo(substances[0], tuple(SubstanceInfo(s) for s in substances), codes=(Code("ndc", f"{set_id}-01"),), routes=("oral",), form="tablet")
        if substances
        else None
    )
    return Document(
        set_id=set_id,
        version=DocumentVersion("3" if effective else None, effective, f"{set_id:0>64}"),
        title=f"Label {set_id}",
        kind=kind,
        language="en",
        sections=tuple(Section(k, t, title=k.title(), state=SectionState.TEXT if t else SectionState.EMPTY) for k, t in sections.items()),
        products=(product,) if product else (),
        product_type="HUMAN PRESCRIPTION DRUG",
        url=f"https://labels.example/{set_id}",
    )


LABEL_SECTIONS = {"contraindications": CONTRAINDICATIONS, "drug_interactions": INTERACTIONS, "pregnancy": ""}
LABEL_A = make_document("label-a", date(2024, 5, 1), LABEL_SECTIONS, substances=("warfarin",))
LABEL_B = make_document("label-b", date(2025, 1, 1), LABEL_SECTIONS, substances=("warfarin",))
LABEL_C = make_document("label-c", None, {"description": "Amoxicillin and clavulanate potassium in one tablet."}, substances=("amoxicillin", "clavulanate"))
TERM_FILE = make_document("terms", None, {"rows": TERMS}, kind="terminology")
DOCUMENTS = (LABEL_A, LABEL_B, LABEL_C, TERM_FILE)


def make_claim(
    document: Document,
    key: str,
    quote: str,
    predicate: str,
    subject: EntityId,
    object_: EntityId,
    payload: Payload | None = None,
    *,
    guard: Guard | None = None,
    status: ClaimStatus = ClaimStatus.APPROVED,
    polarity: Polarity = Polarity.POSITIVE,
    strength: Strength = Strength.MUST,
    reason: str | None = None,
) -> Claim:
    """A claim that stands on a quote of a section."""
    section = document.section(key)
    assert section is not None
    start = section.text.index(quote)
    return Claim(
        predicate=predicate,
        subject=subject,
        object=object_,
        payload=payload if payload is not None else Edge(),
        evidence=(document.span(key, start, start + len(quote)),),
        provenance=BY,
        guard=guard,
        polarity=polarity,
        strength=strength,
        scope=Scope(routes=("oral",)),
        valid=ValidPeriod(document.version.effective),
        status=status,
        approval=APPROVAL if status in (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED) else None,
        reason=reason,
        words=quote.split(" ")[0],
    )


def edge(row: str, predicate: str, subject: EntityId, object_: EntityId) -> Claim:
    """A hand-kept edge on a row of the term file."""
    return make_claim(TERM_FILE, "rows", row, predicate, subject, object_)


def make_claims() -> list[Claim]:
    """The release's claims: all payload and guard kinds that a release stores, and every relation of the closure."""
    contraindicated = Advice((Step(Action.CONTRAINDICATED),))
    monitor = Advice((Step(Action.MONITOR, monitor=("INR",)),), effect="bleeding")
    avoid = Advice((Step(Action.AVOID),), otherwise=(Step(Action.SEPARATE, separate_hours=Decimal("2.5")),))
    dose = AllOf((Exposure(IBUPROFEN), Interval(Axis.DAILY_DOSE, Decimal(1200), None, "mg", low_open=True), Opaque("in the label's judgement")))
    claims = []
    for label in (LABEL_A, LABEL_B):
        claims += [
            make_claim(label, "contraindications", "Do not give it in pregnancy.", "contraindicated_in", WARFARIN, PREGNANCY, contraindicated),
            make_claim(label, "drug_interactions", "NSAIDs raise the risk of bleeding; monitor closely.", "interacts_with", WARFARIN, NSAIDS, monitor),
        ]
    claims += [
        make_claim(
            LABEL_A,
            "contraindications",
            "contraindicated in active pathological bleeding \U0001f489 of any kind",
            "contraindicated_in",
            WARFARIN,
            BLEEDING,
            contraindicated,
            guard=HasCondition(BLEEDING, "active pathological bleeding"),
            status=ClaimStatus.CONFLICTED,
            reason="labels differ",
        ),
        make_claim(
            LABEL_B,
            "drug_interactions",
            "Ibuprofen above 1200 mg a day: avoid.",
            "interacts_with",
            WARFARIN,
            IBUPROFEN,
            avoid,
            guard=dose,
            strength=Strength.SHOULD,
        ),
        make_claim(
            LABEL_B,
            "drug_interactions",
            "Ibuprofen",
            "interacts_with",
            WARFARIN,
            CLAVULANATE,
            avoid,
            status=ClaimStatus.REJECTED,
            reason="object not in the quote",
        ),
        make_claim(LABEL_C, "description", "Amoxicillin", "has_ingredient", AUGMENTIN, AMOXICILLIN),
        make_claim(LABEL_C, "description", "clavulanate potassium", "has_ingredient", AUGMENTIN, CLAVULANATE),
        edge("warfarin\tVKA", "belongs_to", WARFARIN, VKA),
        edge("VKA\tanticoagulants", "subclass_of", VKA, ANTICOAGULANTS),
        edge("warfarin\trole", "has_role", WARFARIN, ROLE),
        edge("role\tplain role", "is_a", ROLE, PLAIN_ROLE),
        edge("amoxicillin\tpenicillins", "belongs_to", AMOXICILLIN, PENICILLINS),
        edge("penicillins\tcephalosporins", "cross_reacts_with", PENICILLINS, CEPHALOSPORINS),
        edge("ibuprofen\tNSAIDs", "belongs_to", IBUPROFEN, NSAIDS),
    ]
    return claims


def make_entities() -> list[Entity]:
    """The entities that the claims name."""
    return [
        Entity(i, EntityType(i.type), name, codes=(Code(i.system, i.code),) if i.system != "uncoded" else (), labels=(Label(name, "en", "test", True),))
        for i, name in NAMES.items()
    ]


def fill(writer: ReleaseWriter, *, claims: list[Claim] | None = None, backwards: bool = False) -> None:
    """Adds everything, in one order or the other."""
    step = -1 if backwards else 1
    for document in DOCUMENTS[::step]:
        writer.add_document(document)
    writer.add_entities(make_entities()[::step])
    writer.add_claims((make_claims() if claims is None else claims)[::step])
    for label in (LABEL_A, LABEL_B)[::step]:
        writer.add_label_set(label, WARFARIN, (WARFARIN,))
    writer.add_label_set(LABEL_C, AUGMENTIN, (AMOXICILLIN, CLAVULANATE))
    writer.add_terms([("ingredient", '{"name":"warfarin"}'), ("route", '{"name":"oral"}')])
