"""The sentences made to mislead: every one that ships holds, and the runner tells a trap from a pass."""

from __future__ import annotations

import re

import pytest

from kb_builder.errors import GoldError
from kb_builder.learn.adversarial import Case, Trap, TrapRunner, read_traps, shipped_traps
from kb_builder.learn.adversarial_report import adversarial_data, adversarial_lines
from kb_builder.learn.pattern import ConditionPattern, DosePattern, FactPattern

FILE = """
family: made-up
why: to try the reader
section: drug_interactions
drug: warfarin
brand: Coumadin
cases:
  - {id: one, text: "Avoid ibuprofen.", says: [{kind: interaction, target: ibuprofen}]}
"""


@pytest.fixture(scope="module")
def runner():
    return TrapRunner()


@pytest.mark.parametrize("trap", shipped_traps(), ids=lambda trap: trap.id)
def test_the_extraction_holds_against(trap, runner):
    assert list(runner.run(trap).faults) == []


def test_there_are_many_of_every_family():
    families = {}
    for trap in shipped_traps():
        families.setdefault(trap.family, []).append(trap)
    assert len(shipped_traps()) >= 120
    assert len({trap.id for trap in shipped_traps()}) == len(shipped_traps())
    assert {"negation", "hypothetical", "reported", "other-subject", "exceptions", "numbers", "scope", "conditions"} <= set(families)
    assert min(len(traps) for traps in families.values()) >= 10


def trap(**members):
    return Trap(
        "made-up",
        Case("one", members.pop("text", "7 DRUG INTERACTIONS Avoid ibuprofen with Coumadin."), **members),
        "drug_interactions",
        "warfarin",
        "Coumadin",
    )


AVOIDED = FactPattern(kind="interaction", target="ibuprofen", action="avoid")


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"says": (AVOIDED,)}, None),
        ({"says": (AVOIDED,), "only": True}, None),
        ({"never": (AVOIDED,)}, "said: interaction 'ibuprofen' avoid"),
        ({"silent": True}, "said: interaction 'ibuprofen' avoid"),
        ({"says": (FactPattern(kind="interaction", target="digoxin"),)}, "not said: {'kind': 'interaction', 'target': 'digoxin'}"),
        ({"says": (FactPattern(kind="interaction", target="digoxin|ibuprofen"),)}, None),
        ({"says": (FactPattern(kind="interaction", target="ibuprofen", action="monitor"),), "only": True}, "not said"),
        ({"text": "7 DRUG INTERACTIONS Avoid ibuprofen and digoxin with Coumadin.", "says": (AVOIDED,), "only": True}, "said: interaction 'digoxin' avoid"),
    ],
)
def test_a_trap_fails_on_what_is_said_wrongly_and_on_what_is_not_said(runner, members, fault):
    outcome = runner.run(trap(**members))
    assert outcome.passed is (fault is None)
    assert fault is None or any(fault in each for each in outcome.faults)


def test_a_drug_that_nobody_knows_is_a_fault_not_a_pass(runner):
    unknown = Trap("made-up", Case("one", "Avoid ibuprofen.", silent=True), "drug_interactions", "xyzzyvir", "Xyzzy")
    assert runner.run(unknown).faults == ("the terminology does not know xyzzyvir",)


def test_outcomes_are_shown_by_family(runner):
    outcomes = list(runner.run_all([trap(says=(AVOIDED,)), trap(never=(AVOIDED,))]))
    lines = list(adversarial_lines(outcomes))
    assert lines[0].startswith("adversarial sentences: 1 of 2 passed, 0 of them")
    assert re.search(r"made-up +1 of 2", lines[1])
    data = adversarial_data(outcomes)
    assert (data["passed"], data["families"]) == (1, {"made-up": {"sentences": 2, "passed": 1}})
    assert data["failed"][0]["facts"][0]["target"]["name"] == "ibuprofen"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("target: ibuprofen", "taget: ibuprofen"), "taget"),
        (("kind: interaction", "kind: gossip"), "gossip"),
        (("says: [{kind: interaction, target: ibuprofen}]", "why: nothing asked"), "one ask for nothing"),
        (("cases:", "cases:\n  - {id: one, text: x, silent: true}"), "one stand more than once"),
        (("family: made-up", "family: [made-up"), "made-up"),
    ],
)
def test_a_file_with_a_mistake_is_refused(tmp_path, change, problem):
    path = tmp_path / "traps.yaml"
    path.write_text(FILE)
    assert [t.id for t in read_traps(path)] == ["made-up/one"]
    path.write_text(FILE.replace(*change))
    with pytest.raises(GoldError, match=problem):
        read_traps(path)


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (FactPattern(dose=DosePattern(amount=5, unit="mg")), True),
        (FactPattern(dose=DosePattern(amount=6)), False),
        (FactPattern(dose=DosePattern(high=5, times=1)), True),
        (FactPattern(dose=DosePattern(times=2)), False),
        (FactPattern(dose=DosePattern(cap=40)), True),
        (FactPattern(dose=DosePattern(cap=5)), False),
        (FactPattern(dose=DosePattern(unit="mcg")), False),
        (FactPattern(dose=DosePattern(per="week")), False),
        (FactPattern(when=(ConditionPattern("crcl", high=30),)), True),
        (FactPattern(when=(ConditionPattern("any", value="kidneys"),)), True),
        (FactPattern(when=(ConditionPattern("crcl", high=31),)), False),
        (FactPattern(when=(ConditionPattern("age"),)), False),
        (FactPattern(unguarded=True), False),
        (FactPattern(indication="gout"), True),
        (FactPattern(indication="stroke"), False),
        (FactPattern(axis="renal"), False),
    ],
)
def test_a_pattern_matches_what_it_states_and_no_more(fact, pattern, matches):
    dose = {"low": 5, "high": 5, "unit": "mg", "per": "dose", "times_low": 1, "max_daily": 40}
    one = fact("dosage", dose=dose, when=[{"axis": "crcl", "high": 30, "value": "weak kidneys"}], indication="acute gout")
    assert pattern.matches(one) is matches
