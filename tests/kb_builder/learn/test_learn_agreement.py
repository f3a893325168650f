"""In what two facts differ."""

import pytest

from kb_builder.learn.agreement import Difference, agrees, differences, same_name
from kb_builder.learn.flat import Target

D = Difference
DOSE = {"low": 20, "high": 40, "unit": "mg", "per": "dose", "times_low": 1}


def test_a_fact_agrees_with_itself(fact):
    weekly = fact("dosage", dose={**DOSE, "per": "week"})
    for one in (weekly, fact("dosage", dose=DOSE), fact("interaction", target="ibuprofen", action="avoid"), fact("population", axis="renal", action="monitor")):
        assert agrees(one, one)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"low": 10}, {D.AMOUNT}),
        ({"unit": "mcg"}, {D.UNIT}),
        ({"basis": "per-kg"}, {D.BASIS}),
        ({"per": "week"}, {D.WEEKLY}),
        ({"times_low": 2}, {D.FREQUENCY}),
        ({"times_low": None}, {D.FREQUENCY}),
        ({"unit": "milligram"}, set()),
        ({"every_hours": 24, "times_low": None}, set()),
        ({"phase": "loading"}, set()),
    ],
)
def test_a_dose_differs_in_what_was_changed(fact, change, found):
    dose = {k: v for k, v in {**DOSE, **change}.items() if v is not None}
    assert differences(fact("dosage", dose=DOSE), fact("dosage", dose=dose)) == found


def test_a_frequency_that_gold_leaves_open_may_be_said(fact):
    bare = {k: v for k, v in DOSE.items() if k != "times_low"}
    assert agrees(fact("dosage", dose=bare), fact("dosage", dose=DOSE))


@pytest.mark.parametrize(
    ("want", "got", "found"),
    [
        ([{"axis": "crcl", "high": 30}], [], {D.CONDITION_MISSING}),
        ([{"axis": "crcl", "high": 30}], [{"axis": "other", "value": "poor kidneys"}], {D.CONDITION_AS_WORDS}),
        ([], [{"axis": "crcl", "high": 30}], {D.CONDITION_EXTRA}),
        ([{"axis": "crcl", "high": 30}], [{"axis": "crcl", "high": 50}], {D.CONDITION_MISSING, D.CONDITION_EXTRA}),
        ([{"axis": "hepatic", "value": "mild hepatic impairment"}], [{"axis": "hepatic", "value": "severe hepatic impairment"}], set()),
        ([{"axis": "child-pugh", "value": "A"}], [{"axis": "child-pugh", "value": "C"}], {D.CONDITION_WORDS}),
        ([{"axis": "age", "low": 18}], [], set()),
        ([], [{"axis": "age", "low": 65}], set()),
        ([{"axis": "age", "low": 65}], [], {D.CONDITION_MISSING}),
        ([{"axis": "condition", "value": "asthma"}], [], set()),
    ],
)
def test_conditions_differ_by_number_and_axis_the_adult_default_and_loose_words_aside(fact, want, got, found):
    assert differences(fact("dosage", dose=DOSE, when=want), fact("dosage", dose=DOSE, when=got)) == found


def test_a_ceiling_is_met_by_a_ceiling_or_a_maximum_amount(fact):
    gold = fact("dosage", dose={"max_daily": 40, "unit": "mg"})
    assert agrees(gold, fact("dosage", dose={"max_single": 40, "unit": "mg"}))
    assert agrees(gold, fact("dosage", dose={"low": 40, "unit": "mg", "phase": "maximum"}))
    assert differences(gold, fact("dosage", dose={"low": 40, "unit": "mg", "phase": "usual"})) == {D.AMOUNT}
    assert differences(gold, fact("dosage", dose={"max_daily": 40, "unit": "mcg"})) == {D.UNIT}


def test_a_fraction_is_met_by_the_same_fraction(fact):
    gold = fact("dosage", dose={"factor": 0.5})
    assert agrees(gold, fact("dosage", dose={"factor": 0.50}))
    assert differences(gold, fact("dosage", dose={"factor": 0.25})) == {D.AMOUNT}


def test_indications_that_share_no_word_are_two(fact):
    gold = fact("dosage", dose=DOSE, indication="gout")
    assert differences(gold, fact("dosage", dose=DOSE, indication="kidney stones")) == {D.INDICATION}
    assert agrees(gold, fact("dosage", dose=DOSE, indication="acute gout"))
    assert agrees(gold, fact("dosage", dose=DOSE))


@pytest.mark.parametrize(
    ("gold", "said", "same"),
    [
        ("strong CYP3A4 inhibitors", "strong CYP3A4 inhibitor", True),
        ("strong CYP3A4 inhibitors", "moderate CYP3A4 inhibitors", False),
        ("strong CYP3A4 inhibitors", "CYP3A4 inhibitors", False),
        ("nonsteroidal anti-inflammatory drugs", "NSAIDs", False),
        ("type 1 diabetes", "type 2 diabetes", False),
        ("liver disease", "active liver disease", True),
        ("active liver disease", "kidney disease", False),
        ("ibuprofen", "ibuprofen in a dose above the usual one at night", False),
    ],
)
def test_names_are_one_when_most_words_and_all_telling_words_are(gold, said, same):
    assert same_name(Target(gold), Target(said)) is same


def test_accepted_names_count():
    assert same_name(Target("nonsteroidal anti-inflammatory drugs", accept=("NSAIDs",)), Target("nsaids"))


def test_actions_agree_by_what_they_ask_for(fact):
    gold = fact("interaction", target="ibuprofen", action="avoid")
    assert agrees(gold, fact("interaction", target="ibuprofen", action="contraindicated"))
    assert differences(gold, fact("interaction", target="ibuprofen", action="monitor")) == {D.ACTION}
    assert agrees(fact("indication", target="gout"), fact("indication", target="gout", action="avoid"))


def test_kind_document_and_drug_must_be_the_same(fact):
    gold = fact("interaction", target="ibuprofen", action="avoid")
    assert differences(gold, fact("contraindication", target="ibuprofen", action="avoid")) == {D.KIND}
    assert differences(gold, fact("interaction", target="ibuprofen", action="avoid", doc="label-2")) == {D.DOCUMENT}
    assert differences(gold, fact("interaction", target="ibuprofen", action="avoid", drug="heparin")) == {D.DRUG}
    assert agrees(gold, fact("interaction", target="ibuprofen", action="avoid", drug="warfarin sodium"))


def test_population_facts_are_of_one_axis(fact):
    gold = fact("population", axis="renal", action="avoid")
    assert differences(gold, fact("population", axis="hepatic", action="avoid")) == {D.POPULATION}


@pytest.mark.parametrize(
    ("gold", "said", "same"),
    [
        ("带状疱疹后神经痛", "带状疱疹后神经痛", True),
        ("解热镇痛药", "其他解热镇痛药", True),
        ("严重肝功能不全", "肝功能不全", False),
        ("甲状腺功能亢进", "甲状腺功能减退", False),
        ("高血压", "系统性红斑狼疮", False),
    ],
)
def test_chinese_names_are_compared_by_their_characters(gold, said, same):
    assert same_name(Target(gold), Target(said)) is same
