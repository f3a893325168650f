"""Sentences of notes: whose they are, what they affirm, deny, plan or place in the past."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from audit_builders import prescribed

from cds_service.audit.profile.passages import cut, passages_of, stated
from cds_service.intake.prescription import Source

NOTE = Source("DocumentReference/1", date(2026, 10, 30), "notes")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Ascites. Mother has diabetes. Dialysis planned for spring.", ["patient", "others", "open"]),
        ("HbA1c 7.4 %. Stable.", ["patient", "patient"]),
        ("否认腹水。母亲有糖尿病。", ["patient", "others"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences_with_their_kind(text: str, kinds: list[str]) -> None:
    assert [p.kind for p in cut(text, NOTE)] == kinds


def test_a_decimal_point_ends_no_sentence() -> None:
    assert [p.text for p in cut("Potassium 5.9 mmol/L. Repeat tomorrow.", NOTE)] == ["Potassium 5.9 mmol/L", "Repeat tomorrow"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Large ascites.", True),
        ("No ascites.", False),
        ("No edema, but ascites.", True),
        ("Ascites ruled out.", False),
        ("History of ascites.", None),
        ("In 2019 ascites.", None),
        ("Risk of ascites.", None),
        ("Sister with ascites.", None),
        ("Nothing of note.", None),
        ("He had ascites.", None),
        ("Ascites as a child.", None),
        ("He has had ascites for a year.", True),
        ("No fever, jaundice or ascites.", False),
        ("No fever, ascites or jaundice.", False),
        ("No evidence of decompensated chronic obstructive pulmonary disease of any kind or ascites.", False),
        ("No fever, large ascites.", True),
        ("No jaundice or fever but ascites.", True),
        ("Counselled that the drug may cause ascites.", None),
    ],
)
def test_a_word_is_affirmed_denied_or_left_open(text: str, answer: bool | None) -> None:
    found = stated(tuple(cut(text, NOTE)), ("ascites",))
    assert (found[0] if found else None) is answer


def test_the_past_counts_where_it_is_asked_for() -> None:
    found = stated(tuple(cut("Hysterectomy in 2014.", NOTE)), ("hysterectomy",), past=True)
    assert found is not None
    assert found[0]


def test_the_newest_note_comes_first_and_an_old_one_is_left_out() -> None:
    base = prescribed()
    notes = tuple(
        (text, Source(text, day, "notes")) for text, day in (("Older.", date(2026, 5, 1)), ("Newest.", date(2026, 10, 30)), ("Ancient.", date(2020, 1, 1)))
    )
    found = passages_of(replace(base, patient=replace(base.patient, notes=notes)))
    assert [p.text for p in found] == ["Newest", "Older"]
