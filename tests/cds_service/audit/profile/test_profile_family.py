"""What relatives had: asked for where the label says family history, never a fact about the patient elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_builders import prescribed, problem
from case_world import case_world

from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.record import ProblemList, RecordMatch
from cds_service.intake.prescription import ConditionFact
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import Truth

WANTED = "personal or family history of peptic ulcer"


def match(words: str, *, entries: tuple[str, ...] = (), status: str = "family", notes: tuple[str, ...] = ()) -> RecordMatch:
    terms = case_world().terminology
    listed: tuple[ConditionFact, ...] = tuple(replace(problem(t, status=status), concepts=terms.match_conditions((), t)) for t in entries)
    prescription = prescribed(conditions=listed, notes=notes)
    (ulcer,) = terms.lookup("peptic ulcer", (EntityType.CONDITION,))
    return ProblemList(prescription, Measurements.of(prescription), terms).match(ulcer, ConditionState.HISTORY, words)


def test_an_entry_on_the_family_meets_a_label_that_asks_for_it() -> None:
    found = match(WANTED, entries=("Family history of peptic ulcer (father)",))
    assert (found.truth, found.name, found.from_notes) == (Truth.TRUE, "Family history of peptic ulcer (father)", False)


def test_a_kind_of_it_in_the_family_counts_and_another_disease_does_not() -> None:
    assert match(WANTED, entries=("Family history of gastric ulcer",)).truth is Truth.TRUE
    assert match(WANTED, entries=("Family history of asthma",)).truth is Truth.FALSE


@pytest.mark.parametrize("note", ["Her father had a peptic ulcer at 40.", "Family history: peptic ulcer.", "One daughter with a peptic ulcer."])
def test_a_note_on_blood_relatives_meets_it(note: str) -> None:
    found = match(WANTED, notes=(note,))
    assert (found.truth, found.from_notes) == (Truth.TRUE, True)


@pytest.mark.parametrize(
    "note",
    ["Family history of peptic ulcer: none.", "No family history of peptic ulcer.", "Husband with a peptic ulcer.", "Counsel about risk of peptic ulcer."],
)
def test_a_note_that_denies_it_or_is_about_a_spouse_does_not(note: str) -> None:
    assert match(WANTED, notes=(note,)).truth is Truth.FALSE


def test_the_family_says_nothing_where_the_label_means_the_patient() -> None:
    assert match("history of peptic ulcer", entries=("Family history of peptic ulcer (father)",)).truth is Truth.FALSE


def test_the_patients_own_history_still_meets_it() -> None:
    assert match(WANTED, entries=("Peptic ulcer",), status="historical").truth is Truth.TRUE
