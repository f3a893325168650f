"""The day of the last dose, where a note tells it."""

from __future__ import annotations

from datetime import date

import pytest

from cds_service.audit.profile.last_use import told_last_use
from cds_service.audit.profile.passages import cut
from cds_service.intake.prescription import Source

NOTE = Source("DocumentReference/1", date(2026, 10, 30), "notes")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Last disulfiram tablet taken on 2026-09-27, stopped by his own wish.", date(2026, 9, 27)),
        ("Disulfiram tapered, last dose 4 October 2026, doing well.", date(2026, 10, 4)),
        ("Six months of disulfiram finished on 12 Sep 2026.", date(2026, 9, 12)),
        ("Disulfiram stopped on October 25th, 2026.", date(2026, 10, 25)),
        ("Disulfiram was discontinued two weeks ago.", date(2026, 10, 16)),
        ("Last disulfiram tablet yesterday evening.", date(2026, 10, 29)),
        ("disulfiram 于2026年10月3日停用。", date(2026, 10, 3)),
        ("Disulfiram started on 2026-09-27.", None),
        ("Disulfiram stopped.", None),
        ("Brother stopped disulfiram on 2026-09-27.", None),
        ("Disulfiram to be stopped if a rash occurs on 2026-10-20.", None),
        ("Warfarin stopped on 2026-09-27.", None),
        ("Disulfiram stopped on 2026-12-24.", None),
    ],
)
def test_a_sentence_with_the_drug_its_end_and_a_day(text: str, day: date | None) -> None:
    assert told_last_use(tuple(cut(text, NOTE)), ["disulfiram"]) == day
