"""Gold files: what is read, and what is refused with file and line."""

import pytest

from kb_builder.errors import GoldError
from kb_builder.learn.gold import read_gold

GOOD = '{"doc": "d", "drug": "warfarin", "kind": "interaction", "target": {"name": "ibuprofen"}, "action": "avoid", "new_member": 1}'


def refused(tmp_path, *lines):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(GoldError) as e:
        read_gold([path])
    return str(e.value)


def test_files_and_folders_are_read_blank_lines_and_unknown_members_aside(tmp_path):
    (tmp_path / "a.jsonl").write_text(GOOD + "\n\n")
    (tmp_path / "b.jsonl").write_text(GOOD)
    assert [f.target.name for f in read_gold([tmp_path, tmp_path / "a.jsonl"])] == ["ibuprofen"] * 3


def test_a_line_that_is_no_json_is_named(tmp_path):
    assert "gold.jsonl, line 3: " in refused(tmp_path, GOOD, "", '{"doc": ')


def test_an_unknown_kind_is_named(tmp_path):
    message = refused(tmp_path, GOOD, GOOD.replace("interaction", "gossip"))
    assert "line 2" in message
    assert "'gossip'" in message
    assert "$.kind" in message


@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ('{"doc": "d", "drug": "x", "kind": "dosage"}', "without `dose`"),
        ('{"doc": "d", "drug": "x", "kind": "population"}', "without `axis`"),
        ('{"doc": "d", "drug": "x", "kind": "interaction"}', "an interaction without the name"),
        ('{"doc": "d", "drug": "x", "kind": "contraindication", "target": {"name": " "}}', "a contraindication without the name"),
        ('{"doc": "", "drug": "x", "kind": "population", "axis": "renal"}', "without `doc`"),
        ('{"drug": "x", "kind": "population", "axis": "renal"}', "doc"),
        ('{"doc": "d", "drug": "x", "kind": "dosage", "dose": {"low": "much"}}', "$.dose.low"),
    ],
)
def test_what_a_fact_lacks_is_named(tmp_path, line, lacks):
    message = refused(tmp_path, line)
    assert "line 1" in message
    assert lacks in message


def test_absent_files_and_empty_folders_are_refused(tmp_path):
    with pytest.raises(GoldError, match=r"nowhere\.jsonl: No such file"):
        read_gold([tmp_path / "nowhere.jsonl"])
    with pytest.raises(GoldError, match=r"holds no \.jsonl file"):
        read_gold([tmp_path])
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(GoldError, match="hold no fact"):
        read_gold([tmp_path])


def test_text_that_is_no_utf8_is_refused_by_line(tmp_path):
    (tmp_path / "gold.jsonl").write_bytes(GOOD.encode() + b'\n{"doc": "\xff"}')
    with pytest.raises(GoldError, match="line 2"):
        read_gold([tmp_path])


def test_numbers_are_kept_as_printed(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"doc": "d", "drug": "x", "kind": "dosage", "dose": {"low": 0.1, "unit": "mg"}}')
    assert str(read_gold([path])[0].dose.low) == "0.1"
