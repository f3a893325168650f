"""Kinds of patient data that were not retrieved, or only in part: what that leaves open is said, whatever else is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.outcomes import Category, DrugRef, Gap, NotEvaluated, NotEvaluatedReason, Result
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderRole, Retrieval

_NEEDS = {
    "patient": ("age", "sex"),
    "medications": ("medications",),
    "conditions": ("conditions",),
    "allergies": ("allergies",),
    "observations": ("observations",),
    "notes": ("notes",),
}
_CALLED = {
    "patient": "the patient's demographics",
    "medications": "the medication list",
    "conditions": "the problem list",
    "allergies": "the allergy list",
    "observations": "laboratory values and vital signs",
    "notes": "clinical notes",
}
_CATEGORY = {"medications": Category.INTERACTION, "allergies": Category.ALLERGY}
_MOST_ISSUES = 3


def missing_data(case: Case, results: Iterable[Result]) -> Iterator[Result]:
    """For each kind of data that is not known whole: a gap for every draft whose verdict it could change, else what was not evaluated."""
    named = {n for r in results if isinstance(r, Gap | NotEvaluated) for n in r.needs}
    for kind in _NEEDS:
        state = case.profile.retrieval(kind)
        if state not in (Retrieval.NOT_RETRIEVED, Retrieval.INCOMPLETE) or (kind == "notes" and state is Retrieval.NOT_RETRIEVED):
            continue
        drafts = [m for m in case.roster.drafts if m.order.selected]
        said = _said(case, kind, state)
        if kind in _CATEGORY and (depending := [m for m in drafts if _depends(m, kind)]):
            names = ", ".join(dict.fromkeys(m.called for m in depending))
            for medication in depending:
                yield Gap(_CATEGORY[kind].value, _CATEGORY[kind], drug_ref(medication), _NEEDS[kind], f"{said} Checked without it: {names}.")
        elif not named & set(_NEEDS[kind]) or state is Retrieval.INCOMPLETE:
            drug = drug_ref(drafts[0]) if drafts else _first_order(case)
            if drug is not None:
                yield NotEvaluated("data", Category.CONTRAINDICATION, drug, NotEvaluatedReason.UNAVAILABLE, said, _NEEDS[kind])


def _said(case: Case, kind: str, state: Retrieval) -> str:
    called = _CALLED[kind]
    if state is Retrieval.NOT_RETRIEVED:
        return f"{called[0].upper()}{called[1:]} did not come with the request."
    issues = [f"{i.where}: {i.what}" for i in case.prescription.issues if i.kind == kind]
    more = f" and {len(issues) - _MOST_ISSUES} more" if len(issues) > _MOST_ISSUES else ""
    why = f" ({'; '.join(issues[:_MOST_ISSUES])}{more})" if issues else ""
    return f"{called[0].upper()}{called[1:]} is incomplete{why}." if kind != "observations" else f"Laboratory values and vital signs are incomplete{why}."


def _depends(medication: Medication, kind: str) -> bool:
    """Whether what is missing could change the verdict on a draft."""
    return True if kind == "allergies" else any(v.partners for v in medication.views) or medication.systemic


def _first_order(case: Case) -> DrugRef | None:
    orders = case.prescription.orders_in(OrderRole.DRAFT)
    return DrugRef(orders[0].text or orders[0].reference, None, (orders[0].reference,)) if orders else None
