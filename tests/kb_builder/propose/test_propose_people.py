"""Whom a sentence speaks of: lists of people stay whole, and people whom an advice spares restrict nothing."""

from decimal import Decimal

import pytest

from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, HasCondition, Interval, Opaque

AGED = Interval(Axis.AGE, Decimal(65), None, "a", term="elderly")
RENAL = Category(Axis.RENAL, ("mild", "moderate", "severe", "esrd"))


def guard(label, text, name="digoxin"):
    return label(f"7 DRUG INTERACTIONS {text}").claim(name).guard


def test_a_list_before_the_advice_is_any_of_its_members(label):
    read = guard(label, "In patients who are elderly, volume-depleted (including those on diuretics), or have renal impairment, avoid digoxin with ZOCOR.")
    assert read == AnyOf((AGED, Opaque("volume-depleted"), RENAL))


def test_what_people_in_brackets_are_on_is_no_partner(label):
    text = "7 DRUG INTERACTIONS In patients who are volume-depleted (including those on diuretics), avoid digoxin with ZOCOR."
    assert label(text).said() == {("digoxin", "avoid")}


def test_the_elderly_are_not_all_of_a_list(label):
    assert guard(label, "In the elderly, and in heart failure or renal impairment, monitor digoxin levels.").parts[0] == AGED
    assert guard(label, "Avoid digoxin in elderly or debilitated patients.") == AnyOf((AGED, Opaque("debilitated")))


def test_a_condition_no_axis_holds_stays_beside_the_one_that_does(label):
    read = guard(label, "Avoid digoxin in patients with severe renal impairment or long-term dialysis.")
    assert read == AnyOf((Category(Axis.RENAL, ("severe", "esrd")), Opaque("long-term dialysis")))


def test_conditions_beside_words_the_vocabulary_lacks(label):
    read = guard(label, "Avoid digoxin in patients with heart failure or high body mass index.")
    assert isinstance(read, AnyOf)
    assert isinstance(read.parts[0], HasCondition)
    assert read.parts[1] == Opaque("high body mass index")


def test_two_adjectives_of_one_condition_are_not_taken_apart(label):
    assert guard(label, "Avoid digoxin in patients with unresectable or metastatic heart failure.") == Opaque("unresectable or metastatic heart failure")


def test_grades_of_one_organ_are_joined(label):
    assert guard(label, "Avoid digoxin in patients with severe renal impairment or ESRD.") == Category(Axis.RENAL, ("severe", "esrd"))
    assert guard(label, "Avoid digoxin in patients with mild or moderate renal impairment.") == Category(Axis.RENAL, ("mild", "moderate"))


def test_both_sexes_are_no_restriction(label):
    assert guard(label, "Avoid digoxin in men and women with ZOCOR.") is None
    assert guard(label, "Avoid digoxin in men with ZOCOR.") == Category(Axis.SEX, ("male",))


def test_a_list_of_drugs_is_no_list_of_people(label):
    assert isinstance(guard(label, "In patients with asthma, warfarin, or digoxin, avoid use."), HasCondition)


def test_whom_a_use_is_reserved_for_is_not_whom_the_advice_is_for(label):
    read = guard(label, "Reserve concomitant prescribing of digoxin and ZOCOR for patients for whom alternative treatment options are inadequate.")
    assert read is None
    assert guard(label, "Reserve concomitant use of digoxin and ZOCOR for patients with heart failure.") is None


def test_in_whom_restricts(label):
    assert guard(label, "Avoid digoxin in patients in whom potassium cannot be measured.") == Opaque("in whom potassium cannot be measured")


@pytest.mark.parametrize(
    "words",
    ["or in combination with other drugs that are inhibitors of CYP3A4 (e.g., digoxin)", "or in persons who are using digoxin", "or who are taking digoxin"],
)
def test_the_other_branch_of_an_or_restricts_nothing(label, words):
    assert guard(label, f"Avoid ZOCOR in patients with heart failure {words}.") is None


def test_an_exception_that_opens_the_sentence_ends_at_its_comma_and_holds_for_both_branches(label):
    read = guard(label, "Unless patients are monitored, do not give ZOCOR to patients with heart failure or patients taking digoxin.")
    assert read == Opaque("Unless patients are monitored")


def test_the_dose_of_the_product_is_kept_whole(label):
    read = guard(label, "When more than 2,000 mg of ZOCOR a day is taken for longer than 3 days, monitor digoxin levels.")
    assert read == Opaque("more than 2,000 mg of ZOCOR a day is taken for longer than 3 days")
