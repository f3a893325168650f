"""States of an organ in facts about that organ."""

from __future__ import annotations

import pytest

from kb_builder.publish.organ_states import with_organ_states


@pytest.mark.parametrize(
    ("condition", "axis", "expected"),
    [
        ({"axis": "condition", "value": "decompensated cirrhosis"}, "hepatic", "hepatic"),
        ({"axis": "other", "value": "anuria"}, "renal", "renal"),
        ({"axis": "condition", "value": "chronic renal failure"}, "renal", "condition"),
        ({"axis": "condition", "value": "history of liver disease"}, "hepatic", "condition"),
        ({"axis": "condition", "value": "asthma"}, "hepatic", "condition"),
        ({"axis": "comedication", "value": "liver extract"}, "hepatic", "comedication"),
        ({"axis": "condition", "value": "decompensated cirrhosis"}, "pregnancy", "condition"),
    ],
)
def test_a_state_stands_on_the_axis_of_its_organ(condition: dict[str, str], axis: str, expected: str) -> None:
    assert with_organ_states([condition], axis) == [{**condition, "axis": expected}]


def test_a_degree_of_the_organ_beside_the_state_keeps_its_axis_alone() -> None:
    when = [{"axis": "child-pugh", "value": "A"}, {"axis": "condition", "value": "compensated cirrhosis"}]
    assert with_organ_states(when, "hepatic") == when
