"""Findings, gaps and what was not evaluated as the extension `org.pharmgraph.findings` carries them; nothing is null or empty."""

from __future__ import annotations

from typing import Any

from cds_service.answer.severity import Indicator
from cds_service.audit.outcomes import DrugRef, EvidenceRef, Finding, Gap, NotEvaluated, RiskType

_RISK_OF_CHECK = {
    "interaction": RiskType.INTERACTION_DRUG_DRUG,
    "allergy": RiskType.ALLERGY_CONFLICT,
    "contraindication": RiskType.CONTRAINDICATION_CONDITION,
    "special-population": RiskType.POPULATION_RISK,
    "prerequisite": RiskType.POPULATION_RISK,
    "indication": RiskType.INDICATION_MISMATCH,
    "dosage": RiskType.DOSAGE_OVER,
    "duplicate": RiskType.DUPLICATE_INGREDIENT,
}


def finding_object(f: Finding, indicator: Indicator) -> dict[str, Any]:
    """A finding."""
    return compact({
        "kind": "finding",
        "category": f.category.value,
        "risk_type": f.risk.value,
        "drug": _drug(f.drug),
        "with": compact({"type": f.other.type, "name": f.other.name, "label": f.other.label}) if f.other else None,
        "indicator": indicator.value,
        "rules": list(f.rules),
        "practice": [p.id for p in f.practice],
        "evidence": [_evidence(e) for e in f.evidence],
    })  # fmt: skip


def gap_object(g: Gap) -> dict[str, Any]:
    """A datum that would change the verdict."""
    return compact({
        "kind": "gap",
        "category": g.category.value,
        "risk_type": risk_of(g.check),
        "drug": _drug(g.drug),
        "indicator": Indicator.INFO.value,
        "needs": list(g.needs),
        "rules": list(g.rules),
        "evidence": [_evidence(e) for e in g.evidence],
    })  # fmt: skip


def unchecked_object(n: NotEvaluated) -> dict[str, Any]:
    """A check that did not run."""
    return compact({
        "kind": "not-evaluated",
        "category": n.category.value,
        "risk_type": risk_of(n.check),
        "drug": _drug(n.drug),
        "indicator": Indicator.INFO.value,
        "needs": list(n.needs),
        "reason": n.reason.value,
    })  # fmt: skip


def compact(members: dict[str, Any]) -> dict[str, Any]:
    """The members that say something: no null, no empty string, list or object."""
    return {k: v for k, v in members.items() if v is not None and v != "" and v != [] and v != {}}


def risk_of(check: str) -> str | None:
    """The risk that a check stands for where it names none, None for what is no check."""
    risk = _RISK_OF_CHECK.get(check)
    return risk.value if risk else None


def _drug(d: DrugRef) -> dict[str, Any]:
    return compact({"name": d.name, "rxcui": d.rxcui, "orders": list(d.orders)})


def _evidence(e: EvidenceRef) -> dict[str, Any]:
    span = e.span
    return compact({
        "claim": e.claim,
        "document": span.document,
        "version": span.version,
        "section": span.section,
        "start": span.start,
        "end": span.end,
        "quote": span.quote,
        "url": e.url,
    })  # fmt: skip
