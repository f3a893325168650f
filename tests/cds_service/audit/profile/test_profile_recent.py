"""A condition within a time: events by their day, what lasts while it lasts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from audit_builders import listed, named, recorded

from cds_service.audit.profile.recent import had_within
from cds_service.intake.prescription import Retrieval
from ontology.model.facts import UnknownReason
from ontology.model.guards import Truth

TODAY = date(2026, 11, 1)
HALF_A_YEAR = Decimal(180)


@pytest.mark.parametrize(
    ("text", "icd10", "status", "truth"),
    [
        ("Ischemic stroke on 2 July 2026", "I63.9", "historical", Truth.TRUE),
        ("Ischemic stroke in March 2019", "I63.9", "active", Truth.FALSE),
        ("Ischemic stroke", "I63.9", "active", Truth.UNKNOWN),
        ("Ischemic stroke in May 2026", "I63.9", "historical", Truth.UNKNOWN),
        ("Heart failure since 2019", "I50.9", "active", Truth.TRUE),
        ("Heart failure in March 2019", "I50.9", "historical", Truth.UNKNOWN),
    ],
)
def test_an_event_counts_from_its_day_and_what_lasts_while_it_lasts(text: str, icd10: str, status: str, truth: Truth) -> None:
    concept = named("stroke") if icd10.startswith("I63") else named("heart failure")
    assert had_within(listed(recorded(text, icd10=icd10, status=status)), concept, HALF_A_YEAR, TODAY).truth is truth


def test_one_entry_in_time_is_enough_beside_an_old_one() -> None:
    problems = listed(recorded("Ischemic stroke in March 2019", icd10="I63.9"), recorded("Ischemic stroke on 2 July 2026", icd10="I63.9"))
    assert had_within(problems, named("stroke"), HALF_A_YEAR, TODAY).truth is Truth.TRUE


def test_nothing_on_the_list_is_no() -> None:
    assert had_within(listed(recorded("Gout", icd10="M10.9")), named("stroke"), HALF_A_YEAR, TODAY).truth is Truth.FALSE


@pytest.mark.parametrize(("retrieval", "reason"), [(Retrieval.NOT_RETRIEVED, UnknownReason.NOT_RETRIEVED), (Retrieval.INCOMPLETE, UnknownReason.INCOMPLETE)])
def test_an_old_event_is_no_answer_where_the_list_is_not_whole(retrieval: Retrieval, reason: UnknownReason) -> None:
    found = had_within(listed(recorded("Ischemic stroke in March 2019", icd10="I63.9"), retrieval=retrieval), named("stroke"), HALF_A_YEAR, TODAY)
    assert (found.truth, found.reason) == (Truth.UNKNOWN, reason)
