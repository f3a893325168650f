"""Kinds of sentences about pairs: what is offered instead, what is denied in other words, groups told by the harm they do, what is stopped first."""

import pytest


def said(label, text, key="drug_interactions", **more):
    return label(f"7 DRUG INTERACTIONS {text}" if key == "drug_interactions" else text, key, **more).said()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "As an alternative to fibrates, use antacids and separate their dosing by more than 2 hours from ZOCOR.",
            {("fibrates", "avoid"), ("antacids", "separate")},
        ),
        ("Use antacids as an alternative to fibrates.", {("fibrates", "avoid")}),
        ("7.1 Fibrates Avoid use with ZOCOR; use antacids.", {("fibrates", "avoid")}),
        ("Avoid drugs like digoxin.", {("digoxin", "avoid")}),
    ],
)
def test_what_is_offered_instead_is_not_what_is_to_be_avoided(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "An interaction between digoxin and ZOCOR is unlikely.",
        "ZOCOR did not exaggerate the effects of alcohol.",
        "Follow labels: the dosing recommendations given for digoxin should be followed.",
    ],
)
def test_a_denial_or_a_pointer_is_no_caution(label, text):
    assert said(label, text) == set()


def test_less_exposure_after_a_dose_is_no_change_of_dose(label):
    assert said(label, "Digoxin showed a 40% decrease in exposure one week after a single dose of ZOCOR.") == {("digoxin", "caution")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid drugs known to cause bradycardia.", {("drugs known to cause bradycardia", "avoid")}),
        (
            "Avoid medicines associated with hepatotoxicity, nephrotoxicity, and ototoxicity.",
            {(f"medicines associated with {harm}", "avoid") for harm in ("hepatotoxicity", "nephrotoxicity", "ototoxicity")},
        ),
        ("Monitor for bradycardia with other agents that have this potential.", set()),
        ("Use caution with drugs whose efficacy is impaired by phenytoin.", {("phenytoin", "caution")}),
    ],
)
def test_groups_are_told_by_the_harm_they_do(label, text, expected):
    assert said(label, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop aspirin at the time of, or prior to, ZOCOR administration.", {("aspirin", "avoid")}),
        ("Aspirin should be discontinued prior to initiation of ZOCOR.", {("aspirin", "avoid")}),
        ("Advise patients to abstain from alcohol while taking ZOCOR.", {("alcohol", "avoid")}),
    ],
)
def test_what_is_stopped_or_left_is_to_be_avoided(label, text, expected):
    assert said(label, text) == expected
