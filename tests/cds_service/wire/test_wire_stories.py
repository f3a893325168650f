"""What a pharmacist reads first for each synthetic patient when all of their orders are signed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cds_service.web.demo_exchange import order_sign
from cds_service.web.demo_patients import read_patients

STORIES = {
    "warfarin-knee-pain": ["Clarithromycin with simvastatin: contraindicated", "Ibuprofen with warfarin: avoid"],
    "penicillin-anaphylaxis": ["Amoxicillin: allergy to Penicillin on record"],
    "statin-and-antibiotic": ["Clarithromycin with simvastatin: contraindicated"],
    "heart-failure-hyperkalemia": [
        "Spironolactone: contraindicated in Hyperkalemia",
        "Spironolactone with eplerenone: contraindicated",
        "Spironolactone: 50 mg a day ordered, the label says 25 mg every 2 days (eGFR 46 mL/min/1.73 m2)",
    ],
    "diabetes-xiaoke": [
        "消渴丸 (glyburide) with glyburide: contraindicated",
        "Duplicate ingredient: glyburide in 格列本脲片 2.5mg as well",
    ],
    "depression-maoi-stopped": ["Citalopram with phenelzine: contraindicated"],
    "child-nothing-retrieved": [],
    "quiet": [],
}


@pytest.fixture
def cards(sign: Callable[[Any], Any], repository: Path) -> Callable[[str], list[dict[str, Any]]]:
    def fire(patient: str) -> list[dict[str, Any]]:
        who = next(p for p in read_patients(repository / "fixtures" / "patients") if p.id == patient).on(datetime.now(UTC).date())
        found: list[dict[str, Any]] = sign(order_sign(who, who.orders, "a2f6bd4c-0e62-4d44-9b6f-1fbd8ad3d1f4")).get_json()["cards"]
        return found

    return fire


@pytest.mark.parametrize("patient", STORIES)
def test_the_loud_cards_of_a_patient(cards: Callable[[str], list[dict[str, Any]]], patient: str) -> None:
    answer = cards(patient)
    assert [c["summary"] for c in answer if c["indicator"] != "info"] == STORIES[patient]
    for card in answer:
        detail = card.get("detail", "")
        assert detail.count("read by a person") <= 1
        assert not re.search(r"drug_interactions|, section ", detail)
        lines = [line for line in detail.splitlines() if line.strip("> ") and not line.startswith("> (")]
        assert len(lines) == len(set(lines)), "a card says something twice"


def test_a_wash_out_names_the_day_the_drug_ended(cards: Callable[[str], list[dict[str, Any]]]) -> None:
    detail = cards("depression-maoi-stopped")[0]["detail"]
    assert re.search(r"phenelzine was stopped on \d{4}-\d\d-\d\d; the label asks for an interval", detail)
    assert "within 14 days" in detail


def test_what_did_not_arrive_is_one_line_a_kind_of_data(cards: Callable[[str], list[dict[str, Any]]]) -> None:
    gaps = cards("child-nothing-retrieved")[0]["detail"]
    assert gaps.count("allergy list did not come") == 1
    assert "Checked without it: acetaminophen, amoxicillin." in gaps
