"""What an order is for, and which dose rules are for that."""

from __future__ import annotations

from typing import Any

import pytest
from case_orders import dosing, man

from cds_service.audit.pest.indications import LISTED, STATED
from ontology.model.guards import Truth

CELECOXIB: dict[str, Any] = {"text": "celecoxib 200 mg oral capsule", "route": "oral", "dose": "200 mg", "times_a_day": 1}
ARTHRITIS, OSTEO = {"text": "Rheumatoid arthritis", "icd10": "M06.9"}, {"text": "Osteoarthritis", "icd10": "M19.90"}


def uses(reason: Any = None, *problems: Any, **more: Any) -> tuple[str, bool, dict[str, Truth]]:
    """How the use is known, whether it stays open, and the truth of each use of the label."""
    draft = CELECOXIB if reason is None else {**CELECOXIB, "reason": reason}
    found = dosing(draft, who=man(conditions=list(problems)), **more)
    truths = {a.rule.object_name: a.use for a in found.rules if a.rule.object.type == "Condition"}
    return found.uses.how, found.uses.open_, truths


@pytest.mark.parametrize("reason", [ARTHRITIS, "Rheumatoid arthritis", {"icd10": "M06.9"}, {"text": "Seropositive rheumatoid arthritis", "icd10": "M05.9"}])
def test_the_stated_reason_tells(reason: Any) -> None:
    how, open_, truths = uses(reason)
    assert (how, open_, list(truths.values())) == (STATED, False, [Truth.TRUE])
    assert "rheumatoid" in next(iter(truths)).casefold()


def test_the_stated_reason_goes_before_the_problem_list() -> None:
    assert list(uses(OSTEO, ARTHRITIS)[2]) == ["osteoarthritis"]


def test_the_problem_list_tells_where_nothing_is_stated() -> None:
    how, open_, truths = uses(None, ARTHRITIS)
    assert (how, open_, len(truths)) == (LISTED, False, 1)


def test_a_problem_that_is_no_use_leaves_all_open() -> None:
    how, open_, truths = uses(None, {"text": "Essential hypertension", "icd10": "I10"})
    assert (how, open_, set(truths.values()), len(truths)) == (LISTED, True, {Truth.UNKNOWN}, 2)


def test_nothing_leaves_all_open() -> None:
    assert uses()[:2] == ("", True)


def test_a_resolved_problem_tells_nothing() -> None:
    assert uses(None, {**ARTHRITIS, "status": "resolved"})[:2] == ("", True)


def test_what_would_tell_the_use() -> None:
    assert dosing(CELECOXIB).uses.needs == {"indication"}
    assert dosing(CELECOXIB, who={k: v for k, v in man().items() if k != "conditions"}).uses.needs == {"indication", "conditions"}
