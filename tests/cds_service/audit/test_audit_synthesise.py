"""From single results to what is told: one finding a hazard, nothing twice, nothing that no longer matters."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from cds_service.audit.outcomes import (
    Category,
    Certainty,
    Clear,
    Counterpart,
    DrugRef,
    EvidenceRef,
    Finding,
    Gap,
    NotEvaluated,
    NotEvaluatedReason,
    Result,
    RiskType,
)
from cds_service.audit.synthesise import synthesise
from ontology.model.advice import Action
from ontology.model.spans import Span

CHECKS = {
    Category.CONTRAINDICATION: "contraindication",
    Category.SPECIAL_POPULATION: "special-population",
    Category.INTERACTION: "interaction",
    Category.DOSAGE: "dosage",
}


def drug(name: str = "drug", *orders: str) -> DrugRef:
    return DrugRef(name, None, orders or ("MedicationRequest/1",))


def quoted(text: str, start: int = 0) -> tuple[EvidenceRef, ...]:
    return (EvidenceRef(f"c-{text}", Span("label", "1", "contraindications", start, start + len(text), text)),)


def finding(category: Category, action: Action = Action.AVOID, *, says: str = "said", start: int = 0, about: DrugRef | None = None, **more: Any) -> Finding:
    ref = about or drug()
    members: dict[str, Any] = {
        "check": CHECKS[category],
        "category": category,
        "risk": RiskType.POPULATION_RISK,
        "drug": ref,
        "other": None,
        "action": action,
        "hazard": category.value,
        "certainty": Certainty.CODED,
        "evidence": quoted(says, start),
        "rules": (f"c-{says}",),
        "path": (),
        "data": (),
        "subject_key": "",
        "orders": ref.orders,
        **more,
    }
    return Finding(**members)


def gap(check: str, *needs: str, category: Category = Category.DOSAGE, about: DrugRef | None = None, question: str = "it depends") -> Gap:
    return Gap(check, category, about or drug(), needs, question)


def findings(*results: Result) -> list[Finding]:
    return [r for r in synthesise(results) if isinstance(r, Finding)]


def gaps(*results: Result) -> list[Gap]:
    return [r for r in synthesise(results) if isinstance(r, Gap)]


FORBIDDEN = finding(Category.CONTRAINDICATION, Action.CONTRAINDICATED, other=Counterpart("condition", "pregnancy", "pregnancy"))
ADVISED = finding(
    Category.SPECIAL_POPULATION, Action.AVOID, subject_key="pregnancy", says="advised", start=50, other=Counterpart("population", "pregnancy", None)
)


def test_a_contraindication_and_advice_for_the_same_patients_are_told_once() -> None:
    (told,) = findings(FORBIDDEN, ADVISED)
    assert (told.category, told.action) == (Category.CONTRAINDICATION, Action.CONTRAINDICATED)
    assert [e.span.quote for e in told.evidence] == ["said", "advised"]


def test_a_sentence_that_two_checks_read_is_told_once() -> None:
    (told,) = findings(finding(Category.CONTRAINDICATION, Action.CONTRAINDICATED), finding(Category.SPECIAL_POPULATION, subject_key="renal"))
    assert len(told.evidence) == 1


def test_advice_for_other_patients_is_told_beside() -> None:
    other = finding(Category.SPECIAL_POPULATION, subject_key="geriatric", says="old", start=90, other=Counterpart("population", "age", None))
    assert len(findings(FORBIDDEN, other)) == 2


def test_advice_on_another_order_is_told_beside() -> None:
    other = finding(Category.SPECIAL_POPULATION, subject_key="pregnancy", says="advised", start=50, about=drug("other", "MedicationRequest/2"))
    assert len(findings(FORBIDDEN, other)) == 2


def test_an_exception_that_holds_a_prohibition_back_holds_back_the_advice_for_the_same_patients() -> None:
    pregnant = Counterpart("condition", "pregnancy", "pregnancy")
    capped = finding(Category.CONTRAINDICATION, Action.CONTRAINDICATED, cap="info", excepted=True, other=pregnant)
    (told,) = findings(capped, ADVISED)
    assert (told.action, told.cap) == (Action.CONTRAINDICATED, "info")


def test_a_doubtful_statement_does_not_lower_a_sure_one_for_the_same_patients() -> None:
    pregnant = Counterpart("condition", "pregnancy", "pregnancy")
    doubtful = finding(Category.CONTRAINDICATION, Action.CONTRAINDICATED, cap="info", other=pregnant)
    (told,) = findings(doubtful, ADVISED)
    assert (told.action, told.cap) == (ADVISED.action, None)
    sure = finding(Category.CONTRAINDICATION, Action.AVOID, other=pregnant)
    (told,) = findings(sure, replace(ADVISED, action=Action.CONTRAINDICATED, cap="info"))
    assert (told.action, told.cap) == (Action.AVOID, None)


def test_one_hazard_of_two_orders_of_a_drug_names_both() -> None:
    first, second = (finding(Category.DOSAGE, about=drug("drug", f"MedicationRequest/{i}")) for i in (1, 2))
    (told,) = findings(first, second)
    assert (told.drug.orders, told.orders) == (("MedicationRequest/1", "MedicationRequest/2"), ("MedicationRequest/1", "MedicationRequest/2"))


def test_the_stricter_of_two_statements_on_a_pair_leads() -> None:
    one = finding(Category.INTERACTION, Action.MONITOR, other=Counterpart("drug", "b"), about=drug("a"))
    two = finding(Category.INTERACTION, Action.CONTRAINDICATED, says="never", start=30, other=Counterpart("drug", "a"), about=drug("b", "MedicationRequest/2"))
    (told,) = findings(one, two)
    assert (told.action, len(told.evidence)) == (Action.CONTRAINDICATED, 2)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (gap("dosage", "renal-function"), False),
        (gap("special-population", "pregnancy-status", category=Category.SPECIAL_POPULATION), False),
        (gap("dosage", "renal-function", about=drug("other", "MedicationRequest/2")), True),
        (gap("interaction", "medications", category=Category.INTERACTION), True),
        (gap("dosage", "conditions"), True),
    ],
)
def test_what_only_a_forbidden_order_asks_for_is_moot(asked: Gap, kept: bool) -> None:
    assert bool(gaps(FORBIDDEN, asked)) is kept


@pytest.mark.parametrize("shown", [finding(Category.CONTRAINDICATION, Action.CONTRAINDICATED, cap="warning"), finding(Category.CONTRAINDICATION, Action.AVOID)])
def test_a_doubtful_prohibition_makes_nothing_moot(shown: Finding) -> None:
    assert gaps(shown, gap("dosage", "renal-function"))


def test_equal_gaps_are_one_over_their_orders() -> None:
    (told,) = gaps(gap("dosage", "weight"), gap("dosage", "weight", about=drug("drug", "MedicationRequest/2")))
    assert told.drug.orders == ("MedicationRequest/1", "MedicationRequest/2")


def test_clear_is_said_only_where_nothing_else_is() -> None:
    kept = synthesise([Clear("dosage", drug()), gap("dosage", "weight"), Clear("interaction", drug())])
    assert [r.check for r in kept if isinstance(r, Clear)] == ["interaction"]


def test_what_was_not_evaluated_is_said_once() -> None:
    told = NotEvaluated("dosage", Category.DOSAGE, drug(), NotEvaluatedReason.NO_KNOWLEDGE, "no dose")
    assert len(synthesise([told, told])) == 1


def test_the_order_of_checks_does_not_matter() -> None:
    parts: list[Result] = [FORBIDDEN, ADVISED, finding(Category.DOSAGE, Action.ADJUST_DOSE), gap("dosage", "renal-function")]
    told = {tuple((type(r), r.check) for r in synthesise(order)) for order in itertools.permutations(parts)}
    assert len(told) == 1
