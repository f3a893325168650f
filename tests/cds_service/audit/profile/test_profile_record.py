"""What the record says of a concept: one way up the hierarchy, words only as words, notes with care."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from audit_builders import listed, measured, named, prescribed, record, recorded
from case_world import case_world

from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.notes import noted_conditions
from cds_service.audit.profile.record import content_words, specific_words
from cds_service.intake.prescription import Retrieval, Source
from ontology.model.facts import ConditionState, UnknownReason
from ontology.model.guards import Truth
from ontology.model.identifiers import mint_uncoded

ACTIVE, HISTORY = ConditionState.ACTIVE, ConditionState.HISTORY


def test_a_code_below_the_concept_is_it() -> None:
    found = listed(recorded("Gastric ulcer", icd10="K25.9")).match(named("peptic ulcer"), ACTIVE, "peptic ulcer")
    assert found.truth is Truth.TRUE
    assert found.certainty in (Certainty.CODED, Certainty.STATED)


def test_a_broader_code_leaves_it_open() -> None:
    found = listed(recorded("Glaucoma", icd10="H40.9")).match(named("narrow-angle glaucoma"), ACTIVE, "narrow-angle glaucoma")
    assert (found.truth, found.reason) == (Truth.UNKNOWN, UnknownReason.TOO_BROAD)


def test_a_resolved_entry_is_history_and_not_active() -> None:
    ulcer = listed(recorded("Peptic ulcer", icd10="K27.9", status="historical"))
    assert ulcer.match(named("peptic ulcer"), ACTIVE, "").truth is Truth.FALSE
    assert ulcer.match(named("peptic ulcer"), HISTORY, "").truth is Truth.TRUE


@pytest.mark.parametrize("status", ["refuted", "family", "unconfirmed"])
def test_entries_that_are_no_fact_do_not_count(status: str) -> None:
    assert listed(recorded("Peptic ulcer", icd10="K27.9", status=status)).match(named("peptic ulcer"), HISTORY, "").truth is Truth.FALSE


@pytest.mark.parametrize(("state", "why"), [(Retrieval.NOT_RETRIEVED, UnknownReason.NOT_RETRIEVED), (Retrieval.INCOMPLETE, UnknownReason.INCOMPLETE)])
def test_a_list_that_is_not_whole_leaves_absence_open(state: Retrieval, why: UnknownReason) -> None:
    assert listed(retrieval=state).match(named("peptic ulcer"), ACTIVE, "").reason is why
    assert listed(recorded("Peptic ulcer", icd10="K27.9"), retrieval=state).match(named("peptic ulcer"), ACTIVE, "").truth is Truth.TRUE


def test_an_uncoded_concept_matches_by_all_its_specific_words() -> None:
    concept = mint_uncoded("Condition", "functioning carotid body tumor")
    wide = listed(recorded("Large functioning carotid body tumors, left"))
    assert wide.match(concept, ACTIVE, "functioning carotid body tumor").certainty is Certainty.TEXT
    assert listed(recorded("Carotid stenosis")).match(concept, ACTIVE, "functioning carotid body tumor").truth is Truth.FALSE


@pytest.mark.parametrize("text", ["No carotid body tumor", "Family history of carotid body tumor (mother)", "Carotid body tumor ruled out"])
def test_a_denied_or_foreign_entry_is_no_match(text: str) -> None:
    concept = mint_uncoded("Condition", "carotid body tumor")
    assert listed(recorded(text)).match(concept, ACTIVE, "carotid body tumor").truth is Truth.FALSE


def test_general_words_carry_no_match() -> None:
    assert specific_words("severe acute disease") == frozenset()
    assert specific_words("patients with active bleeding") == frozenset()
    assert "myasthenia" in specific_words("myasthenia gravis")


def test_words_are_compared_in_the_singular_and_chinese_in_pairs() -> None:
    assert content_words("Peptic Ulcers") == {"peptic", "ulcer"}
    assert content_words("消化性溃疡") == {"消化", "化性", "性溃", "溃疡"}


def test_a_current_value_decides_what_it_measures() -> None:
    high = record(prescribed(measurements=(measured("2823-3", "5.8", "mmol/L"),)))
    found = high.match(named("hyperkalemia"), ACTIVE, "hyperkalemia")
    assert (found.truth, found.name, found.certainty) == (Truth.TRUE, "potassium 5.8 mmol/L", Certainty.CODED)
    assert high.match(named("hypokalemia"), ACTIVE, "hypokalemia").truth is Truth.FALSE


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("ECG today: peptic ulcer suspected", False),
        ("Known peptic ulcer, bleeding again.", True),
        ("Denies peptic ulcer.", False),
        ("No heart failure, but a peptic ulcer was found.", True),
        ("Peptic ulcer: ruled out.", False),
        ("Wife has a peptic ulcer.", False),
        ("History of peptic ulcer.", False),
        ("Plan: exclude peptic ulcer.", False),
        ("消化性溃疡活动期。", True),
        ("否认消化性溃疡。", False),
        ("", False),
    ],
)
def test_a_note_states_a_condition_only_when_it_affirms_it_of_the_patient_now(text: str, stated: bool) -> None:
    base = prescribed()
    noted = replace(base, patient=replace(base.patient, notes=((text, Source("DocumentReference/1", date(2026, 10, 30), "notes")),)))
    ulcer = {named("peptic ulcer")}
    found = {m.id for c in noted_conditions(noted, case_world().terminology) if c.status == "active" for m in c.concepts}
    assert bool(found & ulcer) is stated


def test_an_old_note_states_nothing_now() -> None:
    base = prescribed()
    noted = replace(base, patient=replace(base.patient, notes=(("Known peptic ulcer.", Source("DocumentReference/1", date(2020, 1, 1), "notes")),)))
    assert noted_conditions(noted, case_world().terminology) == ()


@pytest.mark.parametrize("text", ["Past peptic ulcer.", "In 2019 she had a peptic ulcer.", "Peptic ulcer healed under omeprazole."])
def test_what_a_note_places_in_the_past_is_history(text: str) -> None:
    base = prescribed()
    noted = replace(base, patient=replace(base.patient, notes=((text, Source("DocumentReference/1", date(2026, 10, 30), "notes")),)))
    assert {c.status for c in noted_conditions(noted, case_world().terminology)} == {"historical"}
    assert record(noted).match(named("peptic ulcer"), HISTORY, "").from_notes
    assert record(noted).match(named("peptic ulcer"), ACTIVE, "").truth is Truth.FALSE
