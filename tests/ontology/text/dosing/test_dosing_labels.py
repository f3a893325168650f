"""The dose phrases of real labels stand in their text, number for number."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from ontology.model.dosing import AmountBasis
from ontology.text.doses import DosePhrase, read_doses
from ontology.text.dosing.numbers import COUNT, DIGITS, number_of
from ontology.text.offsets import fold

pytestmark = pytest.mark.shared

SCALES = (Decimal(1), Decimal(1000), Decimal("0.001"), Decimal(1000000), Decimal("0.000001"))
"""What units, and words as "million", multiply a printed number with."""


def dosing_texts(shared: Path, step: int) -> Iterator[str]:
    for archive in sorted((shared / "data/labels/openfda").glob("*.zip")):
        with zipfile.ZipFile(archive) as files:
            for name in files.namelist():
                for record in json.loads(files.read(name))["results"][::step]:
                    if "dosage_and_administration" in record:
                        yield fold("\n".join(record["dosage_and_administration"])).text


def printed(words: str) -> set[Decimal]:
    values = (number_of(m) for pattern in (DIGITS, COUNT) for m in re.findall(pattern, words, re.IGNORECASE))
    return {v * scale for v in values if v is not None for scale in SCALES}


def numbers(phrase: DosePhrase) -> Iterator[Decimal]:
    for amount in phrase.amounts:
        if amount.basis not in (AmountBasis.FRACTION, AmountBasis.FORMULA):
            yield from (abs(n) for n in (amount.low, amount.high, amount.cap, *amount.choices) if n is not None)


def test_every_number_of_an_amount_stands_in_its_phrase(shared: Path) -> None:
    count = 0
    for text in dosing_texts(shared, 40):
        for phrase in read_doses(text):
            words = text[phrase.start : phrase.end]
            count += 1
            assert [n for n in numbers(phrase) if n not in printed(words)] == [], words
    assert count > 100
