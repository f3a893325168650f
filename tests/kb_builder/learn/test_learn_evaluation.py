"""A label's gold against what is said of it: the counts, and the class of every error."""

import pytest

from kb_builder.learn.evaluation import Evaluation, LabelComparison, evaluate
from kb_builder.learn.evaluation_report import evaluation_data, evaluation_lines
from kb_builder.learn.harm import Harm
from kb_builder.learn.taxonomy import EXPLANATIONS, ErrorClass

E = ErrorClass
QUOTE = "Give 5 mg once daily in renal impairment."
DOSE = {"low": 5, "unit": "mg", "per": "dose", "times_low": 1}
RENAL = [{"axis": "crcl", "high": 30}]


@pytest.fixture
def compare(text):
    def run(gold, said):
        result = Evaluation()
        LabelComparison(gold, said, text).into(result)
        return result

    return run


def classes(result):
    return [(e.error, e.missed) for e in result.errors]


def test_found_and_right_facts_are_counted_one_to_one(fact, said, compare):
    gold = [fact("interaction", target="ibuprofen", action="avoid"), fact("interaction", target="aspirin", action="monitor", optional=True)]
    twice = [
        said(fact("interaction", target="ibuprofen", action="avoid")),
        said(fact("interaction", target="ibuprofen", action="contraindicated")),
        said(fact("interaction", target="aspirin", action="monitor")),
    ]
    result = compare(gold, twice)
    total = result.total
    assert (total.required, total.found, total.said, total.right) == (1, 1, 3, 3)
    assert (total.precision, total.recall, total.f1) == (1.0, 1.0, 1.0)
    assert result.repeated == 1
    assert result.errors == []


def test_one_claim_for_two_facts_finds_one_of_them(fact, said, compare):
    gold = [fact("interaction", target="ibuprofen", action="avoid"), fact("interaction", target={"name": "nsaids", "accept": ["ibuprofen"]}, action="avoid")]
    result = compare(gold, [said(fact("interaction", target="ibuprofen", action="avoid"))])
    assert (result.total.found, result.total.required) == (1, 2)
    assert classes(result) == [(E.FRAGMENTATION, True)]


@pytest.mark.parametrize(
    ("gold", "wrong", "error"),
    [
        (("interaction", {"target": "ibuprofen", "action": "avoid"}), ("interaction", {"target": "ibuprofen", "action": "monitor"}), E.MODALITY),
        (("dosage", {"dose": DOSE, "when": RENAL}), ("dosage", {"dose": DOSE}), E.GUARD_DROPPED),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": DOSE, "when": RENAL}), E.GUARD_ADDED),
        (("dosage", {"dose": DOSE, "when": RENAL}), ("dosage", {"dose": DOSE, "when": [{"axis": "crcl", "high": 60}]}), E.CONFLATION),
        (("dosage", {"dose": DOSE, "when": RENAL}), ("dosage", {"dose": DOSE, "when": [{"axis": "other", "value": "bad kidneys"}]}), E.SCHEMA),
        (("dosage", {"dose": DOSE, "indication": "gout"}), ("dosage", {"dose": DOSE, "indication": "stroke"}), E.CONFLATION),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": {**DOSE, "times_low": 2}}), E.TEMPORAL),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": {**DOSE, "per": "week"}}), E.TEMPORAL),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": {**DOSE, "unit": "g"}}), E.SCHEMA),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": {**DOSE, "basis": "per-kg"}}), E.SCHEMA),
        (("dosage", {"dose": {**DOSE, "high": 10}}), ("dosage", {"dose": DOSE}), E.FRAGMENTATION),
        (("population", {"axis": "renal", "action": "avoid"}), ("population", {"axis": "hepatic", "action": "avoid"}), E.CONFLATION),
        (
            ("contraindication", {"target": "severe renal impairment", "action": "contraindicated"}),
            ("contraindication", {"target": "renal failure", "action": "contraindicated"}),
            E.TARGET,
        ),
        (
            ("contraindication", {"target": "ibuprofen", "action": "contraindicated"}),
            ("interaction", {"target": "ibuprofen", "action": "contraindicated"}),
            E.SCHEMA,
        ),
    ],
)
def test_an_error_is_of_the_class_of_what_differs(fact, said, compare, gold, wrong, error):
    result = compare([fact(gold[0], quote=QUOTE, **gold[1])], [said(fact(wrong[0], **wrong[1]), QUOTE)])
    assert classes(result) == [(error, True), (error, False)]
    assert result.errors[0].said is not None
    assert result.errors[1].gold is not None


def test_what_has_no_neighbour_is_missing_or_spurious(fact, said, compare):
    result = compare([fact("interaction", target="ibuprofen", action="avoid")], [said(fact("interaction", target="digoxin", action="avoid"), QUOTE)])
    assert classes(result) == [(E.MISSING, True), (E.SPURIOUS, False)]


def test_a_name_in_part_in_another_place_is_no_neighbour(fact, said, compare):
    gold = fact("contraindication", target="severe renal impairment", action="contraindicated", quote=QUOTE)
    result = compare([gold], [said(fact("contraindication", target="renal failure", action="contraindicated"), "Avoid ibuprofen.")])
    assert classes(result) == [(E.MISSING, True), (E.SPURIOUS, False)]


def test_a_quote_that_does_not_stand_is_adrift_and_finds_nothing(fact, said, compare):
    one = fact("interaction", target="ibuprofen", action="avoid")
    result = compare([one], [said(one, stands=False)])
    assert classes(result) == [(E.MISSING, True), (E.ADRIFT, False)]
    assert (result.total.found, result.total.right, result.adrift) == (0, 0, 1)


def test_a_neighbour_that_is_right_for_another_fact_is_no_error_of_this_one(fact, said, compare):
    gold = [
        fact("contraindication", target="eclampsia", action="contraindicated", quote=QUOTE),
        fact("contraindication", target="eclampsia of the newborn twin child", action="contraindicated", quote=QUOTE),
    ]
    result = compare(gold, [said(fact("contraindication", target="eclampsia", action="contraindicated"), QUOTE)])
    assert classes(result) == [(E.MISSING, True)]


@pytest.mark.parametrize(
    ("gold", "wrong", "harm"),
    [
        (("dosage", {"dose": DOSE, "when": RENAL}), ("dosage", {"dose": DOSE}), Harm.CONDITION_DROPPED),
        (("dosage", {"dose": {**DOSE, "per": "week"}}), ("dosage", {"dose": DOSE}), Harm.DAY_FOR_WEEK),
        (("dosage", {"dose": {**DOSE, "unit": "mcg"}}), ("dosage", {"dose": DOSE}), Harm.UNIT),
        (("interaction", {"target": "ibuprofen", "action": "avoid"}), ("interaction", {"target": "ibuprofen", "action": "no-adjustment"}), Harm.SWAPPED),
        (("dosage", {"dose": DOSE}), ("dosage", {"dose": DOSE, "when": RENAL}), None),
        (("dosage", {"dose": DOSE, "when": RENAL}), ("dosage", {"dose": DOSE, "when": [{"axis": "crcl", "high": 60}]}), None),
        (("interaction", {"target": "ibuprofen", "action": "monitor"}), ("interaction", {"target": "ibuprofen", "action": "no-adjustment"}), None),
    ],
)
def test_a_false_claim_that_would_hurt_is_told(fact, said, compare, gold, wrong, harm):
    result = compare([fact(gold[0], **gold[1])], [said(fact(wrong[0], **wrong[1]))])
    assert [e.harm for e in result.errors if not e.missed] == [harm]


def test_what_must_not_be_missed_is_counted_apart(fact, said, compare):
    gold = [
        fact("interaction", target="ibuprofen", action="avoid"),
        fact("interaction", target="aspirin", action="monitor"),
        fact("dosage", dose={"max_daily": 10, "unit": "mg"}),
        fact("interaction", target="digoxin", action="contraindicated", optional=True),
    ]
    result = compare(gold, [said(fact("dosage", dose={"max_daily": 10, "unit": "mg"}))])
    assert (result.grave.required, result.grave.found) == (2, 1)
    assert set(result.predicates) == {"interacts_with", "has_limit"}


def test_an_error_is_shown_beside_its_text_and_its_claim(fact, said, compare):
    gold = fact("dosage", dose=DOSE, when=RENAL, quote="Give  5 mg\nonce daily")
    result = compare([gold], [said(fact("dosage", dose=DOSE, quote=QUOTE, start=37, end=78), QUOTE, claim="c-77")])
    shown = "\n".join(evaluation_lines(result, errors=True, confusions=True))
    assert "gold      dosage 5 mg per dose, 1 times a day when crcl <= 30" in shown
    assert f"sentence  {QUOTE}" in shown
    assert "claim     c-77, has_dose_rule, found by by-hand 1" in shown
    assert "harmful: condition dropped" in shown
    assert "differs: condition-missing" in shown
    data = evaluation_data(result, errors=True, confusions=True)
    assert data["errors"] == {"missed": {"guard-dropped": 1}, "false": {"guard-dropped": 1}}
    assert data["each"][1]["said"]["claim"] == "c-77"
    assert data["confusions"] == [{"gold": "dosage -", "said": "dosage -", "count": 2}]


def test_every_class_is_explained():
    assert set(EXPLANATIONS) == set(ErrorClass)


def test_labels_that_the_release_lacks_are_listed_and_their_facts_missed(fact, small_release):
    found = evaluate([fact("interaction", target="ibuprofen", action="avoid", doc="elsewhere")], small_release)
    assert found.absent == ["elsewhere"]
    assert (found.total.required, found.total.found) == (1, 0)
    assert any(line.startswith("not in the release") and "elsewhere" in line for line in evaluation_lines(found))


def test_a_release_is_compared_by_kind_and_label(fact, small_release):
    gold = [
        fact("interaction", target="ibuprofen", action="avoid", doc="test-warfarin"),
        fact("population", axis="renal", action="avoid", doc="test-warfarin"),
        fact("interaction", target="ibuprofen", action="avoid", doc="elsewhere"),
    ]
    found = evaluate(gold, small_release, kinds=("interaction",), labels=("test-warfarin",))
    assert (found.total.required, found.total.found) == (1, 1)
    assert list(found.kinds) == ["interaction"]
    assert found.absent == []
