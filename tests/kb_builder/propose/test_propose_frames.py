import tomllib
from importlib.resources import files

import pytest

from kb_builder.propose.reading.frames import find_frames, frame_book
from kb_builder.propose.reading.wording import wording


def load(name):
    package = "chinese" if name.endswith("_zh.toml") else "reading"
    return tomllib.loads(files(f"kb_builder.propose.{package}").joinpath(name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["actions.toml", "actions_zh.toml"])
def test_every_row_says_why(name):
    data = load(name)
    rows = [row for value in data.values() if isinstance(value, list) for row in value]
    assert rows
    assert all(row["why"].strip() for row in rows)


def test_frame_ids_are_unique():
    ids = [f.id for f in frame_book().frames]
    assert len(ids) == len(set(ids))


def test_every_word_list_says_why():
    assert all(row["why"] for row in load("wording.toml").values() if isinstance(row, dict))
    assert wording().canonical_name("agents known to lengthen the QTc interval") == "drugs that prolong the QT interval"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("avoid concomitant use with ketoconazole", ["avoid"]),
        ("concomitant use should be avoided", ["should-be-avoided"]),
        ("if use cannot be avoided, reduce the dose of zocor", ["change-dose"]),
        ("no dosage adjustment is needed", []),
        ("dose adjustment is not recommended", []),
        ("lipid-modifying doses of niacin", []),
        ("the recommended dose of detrol is 1 mg twice daily", ["different-dose"]),
        ("use with caution and monitor serum levels", ["caution", "monitor"]),
        ("reserve concomitant prescribing for others", ["reserve"]),
    ],
)
def test_frames_of_a_sentence(sentence, expected):
    assert [f.frame.id for f in find_frames(sentence)] == expected


def test_a_negated_frame_is_marked():
    (found,) = find_frames("use is not contraindicated")
    assert found.negated
