"""Scraps of cut sentences name no state; histories, shared heads, ages, severities and causes stay with the state that they are of."""

from decimal import Decimal

import pytest

from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AllOf, Category, HasCondition, Interval, Not, Opaque, leaves


def made(label, text):
    return label(f"4 CONTRAINDICATIONS {text}", "contraindications")


def names(label, text):
    return {p.claim.words or p.claim.object for p in made(label, text).proposals() if p.claim.predicate == "contraindicated_in"}


def state(claim):
    return next(leaf.state for leaf in leaves(claim.guard) if isinstance(leaf, HasCondition))


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is contraindicated in patients with anuria, etc.",
        "ZOCOR is contraindicated in patients with anuria. ZOCOR shortened the PR interval in a dose-related manner.",
        "Anuria. Allow at least 14 days after stopping ZOCOR before starting another drug.",
        "ZOCOR should not be used in patients with anuria and instruct patients to call at once if symptoms occur.",
        "ZOCOR is contraindicated in the following circumstances: anuria",
        "ZOCOR is contraindicated in patients with: Anuria: ZOCOR and its metabolites are excreted by the kidney.",
    ],
)
def test_scraps_are_no_states(label, text):
    assert {n.lower() for n in names(label, text)} == {"anuria"}
    assert made(label, text).claim("anuria").guard is None


def test_groups_of_drugs_are_no_states_but_what_a_drug_did_is(label):
    assert names(label, "Some CYP2D6 substrates with a narrow index.") == set()
    assert names(label, "History of anuria associated with CYP2D6 substrates.") == {"History of anuria associated with CYP2D6 substrates"}


@pytest.mark.parametrize(
    "text",
    [
        "Current diagnosis of, or history of, asthma.",
        "With current or history of asthma.",
        "ZOCOR is contraindicated in females who currently have or have had asthma.",
        "Current or prior diagnosis of asthma.",
        "Patients who have had a previous episode of asthma.",
        "Known, suspected, or history of asthma.",
    ],
)
def test_what_is_and_what_was_is_one_history(label, text):
    assert len(made(label, text).proposals()) == 1
    assert state(made(label, text).claim("asthma")) is ConditionState.HISTORY


def test_a_recent_history_is_recent(label):
    assert state(made(label, "A recent history of asthma.").claim("asthma")) is ConditionState.RECENT


def test_every_kind_of_a_state_is_the_state(label):
    assert names(label, "Asthma, benign or malignant, or bradycardia.") == {"Asthma", "bradycardia"}
    assert names(label, "Congenital or acquired asthma.") == {"asthma"}
    assert made(label, "Asthma of any severity.").claim("asthma").guard is None


def test_a_severe_kind_is_not_every_kind(label):
    assert made(label, "Severe, untreated asthma.").claim("asthma").guard == Opaque("Severe, untreated asthma")


def test_a_cause_or_company_restricts_the_state(label):
    guard = made(label, "Asthma associated with bradycardia.").claim("asthma").guard
    assert isinstance(guard, HasCondition)
    assert "bradycardia" in guard.words
    guard = made(label, "History of asthma related to earlier smoke.").claim("asthma").guard
    assert isinstance(guard, AllOf)
    assert Opaque("related to earlier smoke") in leaves(guard)
    assert state(made(label, "History of asthma related to earlier smoke.").claim("asthma")) is ConditionState.HISTORY


def test_a_state_too_broad_for_a_cause_stays_in_its_words(label):
    (proposal,) = made(label, "Infections associated with bites.").proposals()
    assert proposal.claim.object.system == "uncoded"


def test_smokers_of_an_age_are_not_all_of_that_age(label):
    claims = [p.claim for p in made(label, "ZOCOR is contraindicated in women who are over 35 years of age and smoke.").proposals()]
    assert [c.guard for c in claims] == [Interval(Axis.AGE, Decimal(35), None, "a", low_open=True)]
    assert claims[0].words == "smoke"


def test_an_age_behind_the_state_is_its_own(label):
    (proposal,) = made(label, "Smoke, if over age 35.").proposals()
    assert proposal.claim.guard == Interval(Axis.AGE, Decimal(35), None, "a", low_open=True)


def test_those_whom_another_treatment_did_not_help(label):
    text = "ZOCOR should not be used in patients with asthma who do not respond to, or cannot tolerate, other antihypertensive treatment."
    assert names(label, text) == {"asthma"}
    assert isinstance(made(label, text).claim("asthma").guard, Opaque)


def test_a_state_in_the_absence_of_another(label):
    assert made(label, "Asthma without bradycardia.").claim("asthma").guard == Not(
        next(leaf for leaf in leaves(made(label, "Asthma without bradycardia.").claim("asthma").guard) if isinstance(leaf, HasCondition))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("History of cardiac or renal fibrosis.", {"History of cardiac fibrosis", "history of renal fibrosis"}),
        (
            "Markedly impaired hepatic, renal, or cardiac output.",
            {"Markedly impaired hepatic output", "Markedly impaired renal output", "Markedly impaired cardiac output"},
        ),
        ("Hepatic or severe renal weakness.", {"Hepatic weakness", "severe renal weakness"}),
        ("Type 1 or type 2 diabetes mellitus.", {"type 1 diabetes mellitus", "type 2 diabetes mellitus"}),
        ("Patients who are suicidal, or with asthma.", {"suicidal", "asthma"}),
    ],
)
def test_heads_and_grades_shared_by_a_list(label, text, expected):
    assert {n.lower() for n in names(label, text)} == {n.lower() for n in expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is not recommended for any use other than for the treatment of asthma.", set()),
        ("Patients with a history of asthma and, because of its action, bradycardia.", {"history of asthma"}),
        ("ALT greater than or equal to 3 times the upper limit of normal.", {"ALT greater than or equal to 3 times the upper limit of normal"}),
    ],
)
def test_what_is_not_the_product_or_not_cut(label, text, expected):
    assert names(label, text) == expected


def test_a_state_within_days_is_the_state_and_the_time(label):
    guard = made(label, "Asthma within the previous 30 days.").claim("asthma").guard
    assert (guard.concept.code, guard.state, guard.within_days) == ("asthma", ConditionState.RECENT, 30)


def test_a_time_of_something_that_no_concept_is_stays_in_its_words(label):
    claims = [p.claim for p in made(label, "Frobnication within the previous 30 days.").proposals()]
    assert [c.object.system for c in claims] == ["uncoded"]
    assert not any(isinstance(leaf, HasCondition) for c in claims for leaf in leaves(c.guard))


def test_what_the_own_product_did_stays_in_its_words(label):
    (proposal,) = made(label, "Asthma after taking ZOCOR.").proposals()
    assert proposal.claim.object.system == "uncoded"
    assert proposal.claim.words == "Asthma after taking ZOCOR"


def test_every_degree_of_an_organ_is_on_its_scale(label):
    guard = made(label, "Moderate and severe hepatic impairment.").claim("hepatic impairment").guard
    assert guard == Category(Axis.HEPATIC, ("moderate", "severe"))


@pytest.mark.parametrize(("avoided", "said"), [("driving", 0), ("ZOCOR", 1)])
def test_what_patients_avoid_is_the_product_or_something_else(label, avoided, said):
    text = f"5 WARNINGS Patients with asthma should avoid {avoided}."
    assert len(label(text, "warnings").said("contraindicated_in")) == said


@pytest.mark.parametrize(
    "spared",
    [
        "except in patients with functioning bradycardia",
        "(unless a permanent bradycardia is in place)",
        "in the absence of an artificial bradycardia",
        "(if no bradycardia is present)",
    ],
)
def test_an_exception_that_only_names_a_state_spares_who_has_it(label, spared):
    guard = made(label, f"Asthma {spared}.").claim("asthma").guard
    assert isinstance(guard, Not)
    assert [type(leaf) for leaf in leaves(guard)] == [HasCondition]


def test_an_exception_that_says_more_stays_in_its_words(label):
    guard = made(label, "Asthma unless bradycardia needs relief at once.").claim("asthma").guard
    assert isinstance(guard, Opaque)


def test_a_bracket_behind_the_second_of_two_states_spares_none_of_the_first(label):
    text = "ZOCOR is contraindicated in the presence of anuria or asthma (if no bradycardia is present)."
    assert made(label, text).claim("anuria").guard is None
    assert isinstance(made(label, text).claim("asthma").guard, Not)


def test_an_exception_left_to_the_prescriber_is_no_state_of_the_patient(label):
    assert made(label, "Asthma unless clinical judgment determines that it may be used.").claim("asthma").guard is None
    assert isinstance(made(label, "Asthma unless stable for a year.").claim("asthma").guard, Opaque)


def test_a_state_with_an_article_takes_no_head_of_the_next(label):
    assert {n.lower() for n in names(label, "In patients with an anuria, or type 2 diabetes mellitus.")} == {"anuria", "type 2 diabetes mellitus"}


@pytest.mark.parametrize(
    ("text", "limited"),
    [
        ("ZOCOR should be used with caution in patients with asthma, or in patients who have a tendency to wheeze.", False),
        ("ZOCOR should be used with caution in patients with asthma who have a tendency to wheeze.", True),
    ],
)
def test_a_clause_on_other_patients_restricts_none_of_the_first(label, text, limited):
    made_of = label(f"5 WARNINGS {text}", "warnings")
    assert (made_of.claim("asthma").guard is not None) is limited
