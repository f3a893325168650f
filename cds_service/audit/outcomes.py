"""What a check returns: Finding, Clear, Gap or NotEvaluated, with everything a card, a trace and an evidence page need."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from msgspec import Struct

from cds_service.intake.prescription import DoseInstruction, Source
from ontology.model.advice import Action
from ontology.model.claims import Basis, Strength
from ontology.model.facts import UnknownReason
from ontology.model.spans import Span


class Category(StrEnum):
    """Category of a finding on the wire and the topic of its card."""

    INDICATION = "indication"
    DOSAGE = "dosage"
    CONTRAINDICATION = "contraindication"
    SPECIAL_POPULATION = "special-population"
    INTERACTION = "interaction"
    ALLERGY = "allergy"
    DUPLICATE = "duplicate"


class RiskType(StrEnum):
    """The closed list of risks."""

    INDICATION_MISMATCH = "INDICATION_MISMATCH"
    DOSAGE_OVER = "DOSAGE_OVER"
    DOSAGE_UNDER = "DOSAGE_UNDER"
    FREQUENCY_ERROR = "FREQUENCY_ERROR"
    ROUTE_ERROR = "ROUTE_ERROR"
    DURATION_ERROR = "DURATION_ERROR"
    CONTRAINDICATION_CONDITION = "CONTRAINDICATION_CONDITION"
    DOSE_ADJUSTMENT_MISSED = "DOSE_ADJUSTMENT_MISSED"
    POPULATION_RISK = "POPULATION_RISK"
    INTERACTION_DRUG_DRUG = "INTERACTION_DRUG_DRUG"
    INTERACTION_DRUG_FOOD = "INTERACTION_DRUG_FOOD"
    INCOMPATIBILITY = "INCOMPATIBILITY"
    ANTAGONISM = "ANTAGONISM"
    ALLERGY_CONFLICT = "ALLERGY_CONFLICT"
    DUPLICATE_INGREDIENT = "DUPLICATE_INGREDIENT"
    DUPLICATE_CLASS = "DUPLICATE_CLASS"


class Certainty(StrEnum):
    """How sure the patient data behind a finding are."""

    CODED = "coded"  # a code decides
    STATED = "stated"  # a whole name decides
    TEXT = "text"  # free text or words of an uncoded concept match
    APPROXIMATED = "approximated"


class NotEvaluatedReason(StrEnum):
    """Why a check did not run."""

    DRUG_IDENTITY = "drug-identity"
    NO_KNOWLEDGE = "no-knowledge"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    OUT_OF_SCOPE = "out-of-scope"


class DrugRef(Struct, frozen=True):
    """The drug a result is about: ingredient name and RxCUI, and the orders that carry it; `shown` is a shorter name for cards."""

    name: str
    rxcui: str | None
    orders: tuple[str, ...]
    shown: str | None = None


class Counterpart(Struct, frozen=True):
    """The other side: `type` is drug, class, condition, allergen, population, lab or food; `name` as in the record, `label` as the label says it."""

    type: str
    name: str
    label: str | None = None
    shown: str | None = None


class EvidenceRef(Struct, frozen=True):
    """A claim's statement with the label it stands in. `conflicted` says that labels differ on the statement."""

    claim: str
    span: Span
    url: str | None = None
    title: str | None = None
    effective: date | None = None
    read_by_person: bool = False
    conflicted: bool = False
    context: tuple[str, ...] = ()  # headings, row and column headers and objects that the statement stands under, verbatim


class PathStep(Struct, frozen=True):
    """One hop of the argument for the picture on the evidence page: node, edge word, node, and the claim it rests on."""

    start: str
    relation: str
    end: str
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class SitePractice:
    """A practice rule of the site on a finding: its id, what stands beside the label's sentence, and the level it gives, None where it gives none."""

    id: str
    sentence: str
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A hazard with its evidence. `hazard` names it stably within the problem key; `action` is the label's strictest step."""

    check: str
    category: Category
    risk: RiskType
    drug: DrugRef
    other: Counterpart | None
    action: Action
    hazard: str
    certainty: Certainty
    evidence: tuple[EvidenceRef, ...]
    rules: tuple[str, ...]
    path: tuple[PathStep, ...] = ()
    data: tuple[Source, ...] = ()
    subject_key: str = ""  # sorted patient condition or allergen of the problem key; empty for drug pairs
    qualifiers: tuple[str, ...] = ()  # plain sentences the card adds: "topical product", "confirm still taking"
    cap: str | None = None  # `info` or `warning`: the most this finding may be shown as, and why is a qualifier
    excepted: bool = False  # the label excepts some patients, and this one may be among them
    strength: Strength = Strength.MUST
    basis: Basis = Basis.ESTABLISHED
    effect: str | None = None  # what the label says happens, in its words
    parameter: str | None = None  # the label's words for the change of dose or interval
    orders: tuple[str, ...] = ()  # all orders implicated, of the drug and of its counterpart
    ordered: str | None = None  # of a dose: what the order gives, in words
    allowed: str | None = None  # of a dose: what the label allows this patient, in words
    excess: Decimal | None = None  # ordered / allowed where a ceiling or a weekly schedule is broken; the policy's factor makes it critical
    patient: str = ""  # the patient's own values that meet the rule, each with its day: "eGFR 40 mL/min/1.73 m2 (2026-10-02)"
    corrected: DoseInstruction | None = None  # of a dose: the order's instruction with the one dose that the label allows this patient
    practice: tuple[SitePractice, ...] = ()

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError(f"finding of {self.check} on {self.drug.name} without evidence")


class Clear(Struct, frozen=True):
    """The check ran for these orders and found nothing."""

    check: str
    drug: DrugRef


@dataclass(frozen=True, slots=True)
class Gap:
    """A datum of the patient or the order would change the verdict; `question` says what it would decide, `reasons` why it is not known.

    `known` says what is known all the same: the numbers that disagree, the grades that are possible.
    """

    check: str
    category: Category
    drug: DrugRef
    needs: tuple[str, ...]
    question: str
    evidence: tuple[EvidenceRef, ...] = ()
    rules: tuple[str, ...] = ()
    reasons: tuple[UnknownReason, ...] = ()
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """A check that did not run: why, for which drug, and which data were missing (may be empty)."""

    check: str
    category: Category
    drug: DrugRef
    reason: NotEvaluatedReason
    message: str
    needs: tuple[str, ...] = ()


Result = Finding | Clear | Gap | NotEvaluated


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of the chain for `explain` and the evidence page: stage (plan, query, select, judge ...), what was done, with which ids."""

    stage: str
    what: str
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditResult:
    """All results of one audit, in a stable order, and the steps that led to them."""

    results: tuple[Result, ...]
    steps: tuple[TraceStep, ...] = field(default=())
