"""The contraindication check: what an exception in the label's words makes of a finding."""

from __future__ import annotations

from functools import cache

import pytest
from case_orders import labels_of, man, told
from case_world import World

from cds_service.audit.checks.contraindication import ContraindicationCheck
from cds_service.audit.outcomes import Finding


@cache
def labels() -> tuple[World, dict[str, str]]:
    said = {"says": "Contraindicated in peptic ulcer, unless it has healed.", "contraindicated_in": "peptic ulcer"}
    return labels_of({
        "excepting": ({**said, "when": {"judge": "unless it has healed"}},),
        "limited": ({**said, "says": "Contraindicated in large peptic ulcer.", "when": {"judge": "large"}},),
        "plain": ({**said, "says": "Contraindicated in peptic ulcer."},),
    })  # fmt: skip


@pytest.mark.parametrize(("label", "excepted"), [("excepting", True), ("limited", False), ("plain", False)])
def test_a_finding_says_that_the_label_excepts_patients_whom_nobody_told_apart(label: str, excepted: bool) -> None:
    world, drugs = labels()
    (found,) = told(ContraindicationCheck(), {"text": f"{drugs[label]} 10 mg oral tablet"}, who=man(conditions=["Peptic ulcer"]), world=world)
    assert isinstance(found, Finding)
    assert found.excepted is excepted
