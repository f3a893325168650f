"""What stands in a sentence with the product as a part of the same treatment, or as what is not taken, is no partner; times of stopping are."""

import pytest

from ontology.model.facts import ExposureState, Whose
from ontology.model.guards import Exposure, Not, leaves


def pairs(made):
    return {(made.name(p), p.claim.payload.strictest.value) for p in made.proposals() if p.claim.predicate == "interacts_with"}


def guard_of(made, name):
    return next(p.claim.guard for p in made.proposals() if made.name(p) == name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Co-administration of ZOCOR/digoxin and warfarin is contraindicated.", {("warfarin", "contraindicated")}),
        ("7.1 Warfarin As co-administration with ZOCOR/digoxin has not been studied, co-administration is not recommended.", {("warfarin", "not-recommended")}),
        ("Use of warfarin in combination with ZOCOR plus digoxin is not recommended.", {("warfarin", "not-recommended")}),
        ("Avoid use with itraconazole/ritonavir.", {("itraconazole", "avoid")}),
    ],
)
def test_the_other_part_of_a_combination_is_no_partner(label, text, expected):
    assert pairs(label(f"7 DRUG INTERACTIONS {text}")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid ritonavir with ZOCOR.", {("ritonavir", "avoid")}),
        ("Avoid ZOCOR with digoxin plus warfarin.", {("digoxin", "avoid"), ("warfarin", "avoid")}),
        ("Concomitant use of ZOCOR plus digoxin is not recommended.", {("digoxin", "not-recommended")}),
    ],
)
def test_a_partner_stays_one(label, text, expected):
    assert pairs(label(f"7 DRUG INTERACTIONS {text}")) == expected


def test_a_drug_that_a_label_always_gives_with_its_own_is_part_of_the_treatment(label):
    often = " ".join(f"Avoid ZOCOR/digoxin with {drug}." for drug in ("warfarin", "phenytoin", "amiodarone", "verapamil", "diltiazem"))
    found = pairs(label(f"7 DRUG INTERACTIONS {often} Starting ZOCOR with digoxin in patients taking gemfibrozil: avoid gemfibrozil."))
    assert ("gemfibrozil", "avoid") in found
    assert not any(name == "digoxin" for name, _ in found)


def test_what_is_not_taken_restricts_the_statement_on_the_other(label):
    made = label("7 DRUG INTERACTIONS Use of ZOCOR with warfarin without coadministration of digoxin or phenytoin is not recommended.")
    assert pairs(made) == {("warfarin", "not-recommended")}
    guard = guard_of(made, "warfarin")
    assert isinstance(guard, Not)
    assert len([leaf for leaf in leaves(guard) if isinstance(leaf, Exposure)]) == 2


def test_with_or_without_takes_nobody_out(label):
    made = label("7 DRUG INTERACTIONS Avoid ZOCOR with warfarin, with or without digoxin.")
    assert guard_of(made, "warfarin") is None


def test_what_a_heading_excepts_is_not_what_it_is_about(label):
    made = label("7 DRUG INTERACTIONS 7.1 Fibrates Except Gemfibrozil Co-administration is not recommended.")
    assert pairs(made) == {("fibrates", "not-recommended")}
    guard = guard_of(made, "fibrates")
    assert isinstance(guard, Exposure)
    assert [drug.code for drug in guard.minus] == ["gemfibrozil"]


@pytest.mark.parametrize("purpose", ["", " intended to treat psychiatric disorders"])
def test_a_window_is_of_the_drug_that_was_stopped(label, purpose):
    made = label(f"4 CONTRAINDICATIONS The use of ZOCOR within 14 days of stopping MAOIs{purpose} is contraindicated.", "contraindications")
    windows = [leaf for leaf in leaves(guard_of(made, "mao inhibitors")) if leaf.state is ExposureState.STOPPED_WITHIN]
    assert [(leaf.whose, leaf.within_days) for leaf in windows] == [(Whose.PARTNER, 14)]


def test_a_heading_on_inhibitors_and_inducers_is_meant_as_the_sentence_before_says(label):
    made = label(
        "7 DRUG INTERACTIONS 7.1 Effect of P-gp Inhibitors and Inducers Concomitant taking of P-gp inhibitors with ZOCOR can increase exposure. Reduce the ZOCOR dose to 10 mg. "
        "Concomitant taking of P-gp inducers with ZOCOR can decrease exposure. Increase the ZOCOR dose to 40 mg."
    )
    doses = {(made.name(p), p.claim.payload.steps[0].parameter[:8].lower()) for p in made.proposals() if p.claim.predicate == "interacts_with"}
    assert ("p-gp inducer", "reduce t") not in doses
    assert ("p-gp inhibitor", "increase") not in doses
    assert {name for name, _ in doses} == {"p-gp inhibitor", "p-gp inducer"}


@pytest.mark.parametrize(
    "text",
    [
        "When ZOCOR is co-administered with digoxin, use of either warfarin or phenytoin is contraindicated.",
        "If ZOCOR is used with digoxin, then warfarin or phenytoin is contraindicated.",
        "ZOCOR is contraindicated with warfarin and phenytoin when co-administered with digoxin.",
    ],
)
def test_a_third_drug_is_forbidden_in_patients_on_the_second(label, text):
    made = label(f"7 DRUG INTERACTIONS {text}")
    assert pairs(made) == {("warfarin", "contraindicated"), ("phenytoin", "contraindicated")}
    guard = guard_of(made, "warfarin")
    assert isinstance(guard, Exposure)
    assert guard.target.code == "digoxin"


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is contraindicated when co-administered with digoxin.",
        "When ZOCOR is co-administered with digoxin, use of digoxin is not recommended.",
    ],
)
def test_the_second_drug_itself_stays_forbidden(label, text):
    made = label(f"7 DRUG INTERACTIONS {text}")
    assert {name for name, _ in pairs(made)} == {"digoxin"}
    assert guard_of(made, "digoxin") is None


def test_what_takes_an_effect_away_is_no_partner(label):
    made = label(
        "7 DRUG INTERACTIONS Digoxin reduced plasma concentrations of simvastatin, but the effect was mitigated by coadministration of warfarin or phenytoin."
    )
    assert {name for name, _ in pairs(made)} == {"digoxin"}


def test_what_is_said_of_one_booster_is_not_said_of_the_drug_with_another(label):
    made = label("7 DRUG INTERACTIONS Avoid use with itraconazole/cobicistat.")
    assert pairs(made) == {("itraconazole", "avoid")}
    guard = guard_of(made, "itraconazole")
    assert isinstance(guard, Exposure)
    assert guard.target.code == "cobicistat"


def test_those_who_do_not_take_a_drug_are_no_pair_with_it(label):
    assert pairs(label("7 DRUG INTERACTIONS ZOCOR is not recommended for patients who are not also receiving warfarin.")) == set()
    assert pairs(label("7 DRUG INTERACTIONS ZOCOR is not recommended for patients who are also receiving warfarin.")) == {("warfarin", "not-recommended")}
