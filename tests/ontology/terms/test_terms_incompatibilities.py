"""The eighteen antagonisms and nineteen fears, pair by pair, each with the sentence a claim quotes."""

from __future__ import annotations

import pytest

from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.terms.entries import EdgeRow
from ontology.terms.tables import read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
ROWS = read_table("incompatibilities").rows
EDGES = {frozenset((e.subject, e.object)): e for e in TERMS.edge_rows() if e.predicate == "interacts_with"}

ACONITES = ["川乌", "制川乌", "草乌", "制草乌", "附子"]
AGAINST_ACONITES = [
    "半夏",
    "法半夏",
    "姜半夏",
    "清半夏",
    "瓜蒌",
    "瓜蒌皮",
    "瓜蒌子",
    "天花粉",
    "川贝母",
    "浙贝母",
    "平贝母",
    "伊贝母",
    "湖北贝母",
    "白蔹",
    "白及",
]
AGAINST_LICORICE = ["海藻", "京大戟", "红大戟", "甘遂", "芫花"]
AGAINST_VERATRUM = ["人参", "红参", "西洋参", "党参", "丹参", "玄参", "南沙参", "北沙参", "苦参", "细辛", "白芍", "赤芍"]
FEARS = ["硫黄-芒硝", "水银-砒霜", "狼毒-密陀僧", "巴豆-牵牛子", "丁香-郁金", "川乌-犀角", "草乌-犀角", "芒硝-三棱", "肉桂-赤石脂", "人参-五灵脂"]

PAIRS = [
    *((a, b) for a in ACONITES for b in AGAINST_ACONITES),
    *((a, b) for a in ("甘草", "炙甘草") for b in AGAINST_LICORICE),
    *((a, "藜芦") for a in AGAINST_VERATRUM),
    *(tuple(pair.split("-")) for pair in FEARS),
]


def herb(name: str) -> EntityId:
    (found,) = TERMS.lookup(name, (EntityType.HERB,))
    return found


def edge(one: str, other: str) -> EdgeRow:
    return EDGES[frozenset((herb(one), herb(other)))]


def quote(row: EdgeRow) -> str:
    text = next(f.text for f in TERMS.files() if f.key == row.file)
    return text[row.start : row.end]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_pair_of_the_verses_is_stated_in_a_sentence_that_names_both(one: str, other: str) -> None:
    said = quote(edge(one, other))
    assert one in said
    assert other in said
    assert "\t" not in said
    assert edge(one, other).action == "avoid"


def test_what_the_pharmacopoeia_does_not_say_is_only_to_be_considered() -> None:
    strengths = {row["strength"] for row in ROWS if "ChP-cautions" in row.items("source")}, {row["strength"] for row in ROWS if len(row.items("source")) == 1}
    assert strengths == ({"should"}, {"consider"})
    assert edge("水银", "砒霜").strength == "consider"
    assert "未载" in quote(edge("水银", "砒霜"))
    assert edge("附子", "半夏").strength == "should"
    assert {row["basis"] for row in ROWS} == {"reported"}


def test_a_pair_is_stated_once_and_never_of_one_drug() -> None:
    pairs = [frozenset((row["one"], row["other"])) for row in ROWS]
    assert len(pairs) == len(set(pairs))
    assert all(len(pair) == 2 for pair in pairs)
    assert frozenset((herb("附子"), herb("甘草"))) not in EDGES


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("附子（制）", "附子"),
        ("黑顺片", "附子"),
        ("甘草（蜜炙）", "炙甘草"),
        ("川贝", "川贝母"),
        ("川乌(制)", "制川乌"),
        ("醋甘遂", "甘遂"),
        ("白芨", "白及"),
        ("郁金（醋炙）", "郁金"),
    ],
)
def test_prepared_pieces_are_the_drug_they_are_made_of(printed: str, name: str) -> None:
    subject, _ = TERMS.subject_of([(printed, None, None)])
    assert subject == herb(name)


@pytest.mark.parametrize("name", ["贝母", "乌头", "大戟", "沙参", "芍药"])
def test_a_name_of_several_drugs_is_none_of_them(name: str) -> None:
    assert TERMS.lookup(name, (EntityType.HERB,)) == ()
