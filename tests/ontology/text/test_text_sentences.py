import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.text.context import blank_references
from ontology.text.offsets import fold
from ontology.text.sentences import split_units


def units(raw: str) -> list[str]:
    shadow = fold(raw)
    return [shadow.text[u.start : u.end] for u in split_units(blank_references(shadow.text))]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Avoid warfarin. Monitor INR.", ["Avoid warfarin.", "Monitor INR."]),
        ("Use drugs (e.g. St. John's wort) with care. Then stop.", ["Use drugs (e.g. St. John's wort) with care.", "Then stop."]),
        ("Give 2.5 mg daily. Avoid vitamin K. Monitor.", ["Give 2.5 mg daily.", "Avoid vitamin K.", "Monitor."]),
        ("contraindicated in: • Pregnancy • Anuria", ["contraindicated in:", "Pregnancy", "Anuria"]),
        ("Severe rash [see Warnings (5.1)] Active bleeding [see Warnings (5.2)]", ["Severe rash", "Active bleeding"]),
        ("No change [see Pharmacology (12.3)].7.3 Substrates Take care.", ["No change", "7.3 Substrates Take care."]),
        ("taking MAOIs [see Warnings (5.3)] . taking pimozide", ["taking MAOIs", "taking pimozide"]),
        ("increases exposure [see Pharmacology (12.3)] , which may harm.", ["increases exposure [see Pharmacology (12.3)] , which may harm."]),
        ("in:\n\n- a history of angioedema\n- hereditary angioedema\n", ["in:", "a history of angioedema", "hereditary angioedema"]),
        ("platelets <100 x 10 9 /L. For grade 3, stop.", ["platelets <100 x 10 9 /L.", "For grade 3, stop."]),
        ("who are pregnant except in\n\n\n\nwomen with valves. Do not.", ["who are pregnant except in\u2029women with valves.", "Do not."]),
        ("in patients with\n\nheart failure\n\nrenal failure", ["in patients with", "heart failure", "renal failure"]),
        ("- - Active ulcer", ["Active ulcer"]),
        ("１．孕妇禁用；２．有哮喘者慎用。儿童禁用", ["1.孕妇禁用;2.有哮喘者慎用。", "儿童禁用"]),
    ],
)
def test_sentences_and_items(raw, expected):
    assert units(raw) == expected


def test_items_are_marked():
    shadow = fold("in: • Pregnancy")
    assert [u.item for u in split_units(shadow.text)] == [False, True]


@given(st.text(alphabet=st.sampled_from("aB .;:•-()[]12\n。；\x01"), max_size=80))
def test_units_are_ordered_apart_and_inside(raw):
    text = fold(raw).text
    end = 0
    for unit in split_units(text):
        assert end <= unit.start < unit.end <= len(text)
        assert text[unit.start : unit.end].strip()
        end = unit.end


def test_a_stretch_without_an_end_is_cut_at_white_space():
    text = "word  " * 4000
    units = split_units(text)
    assert len(units) > 1
    assert max(u.end - u.start for u in units) < 7000
    assert [w for u in units for w in text[u.start : u.end].split()] == text.split()
    assert all(not text[u.start].isspace() and not text[u.end - 1].isspace() for u in units)


def test_a_lone_o_and_a_dash_behind_a_stop_open_items():
    text = "The doses are: o Adults: 9 mg daily. o Children: 3 - 6 mg daily. – Give with food. - Store cold."
    found = split_units(text)
    assert [text[u.start : u.end] for u in found] == ["The doses are:", "Adults: 9 mg daily.", "Children: 3 - 6 mg daily.", "Give with food.", "Store cold."]
    assert [u.item for u in found] == [False, True, True, True, True]
