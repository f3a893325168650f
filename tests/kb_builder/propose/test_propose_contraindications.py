from decimal import Decimal

import pytest

from ontology.model.claims import Basis, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AnyOf, Category, HasCondition, Interval, Not, Opaque, leaves
from ontology.model.spans import SpanRole


def names(label, text, **more):
    return {n for n, _ in label(f"4 CONTRAINDICATIONS {text}", "contraindications", **more).said("contraindicated_in")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is contraindicated in patients with anuria, hyperkalemia, or bradycardia.", {"anuria", "hyperkalemia", "bradycardia"}),
        ("Anuria or hyperkalemia are contraindications.", {"anuria", "hyperkalemia"}),
        ("ZOCOR is contraindicated in: • Pregnancy • Anuria [see Warnings (5.1)] • Hyperkalemia", {"pregnancy", "anuria", "hyperkalemia"}),
        (
            "ZOCOR is contraindicated in patients with: Anuria [see Warnings (5.1)] Hyperkalemia [see Warnings (5.2)] Active liver disease",
            {"anuria", "hyperkalemia", "active liver disease"},
        ),
        ("in: 1) anuria; 2) hyperkalemia; and 3) bradycardia", {"anuria", "hyperkalemia", "bradycardia"}),
        ("ZOCOR should not be given to patients with anuria.", {"anuria"}),
        ("Hypersensitivity to the drug.", {"simvastatin"}),
        ("Known hypersensitivity to simvastatin, niacin or other fibrates.", {"simvastatin", "niacin", "fibrates"}),
        ("Hypersensitivity to simvastatin or any excipients in ZOCOR.", {"simvastatin", "excipients in zocor"}),
        ("ZOCOR is contraindicated in women who are pregnant.", {"pregnancy"}),
        ("ZOCOR is contraindicated in the setting of surgery.", {"surgery"}),
        ("Anuria. ZOCOR may harm. Signs have been reported. Hyperkalemia.", {"anuria", "hyperkalemia"}),
        ("ZOCOR is contraindicated in patients with asthma such as exercise asthma.", {"asthma", "exercise asthma"}),
    ],
)
def test_objects(label, text, expected):
    assert names(label, text) == expected


def test_uncoded_states_carry_the_labels_words(label):
    (proposal,) = label("4 CONTRAINDICATIONS Dissecting aorta.", "contraindications").proposals()
    assert proposal.claim.object.system == "uncoded"
    assert (proposal.entities[0].type, proposal.claim.words) == (EntityType.CONDITION, "Dissecting aorta")


def test_severity_that_the_concept_does_not_hold_is_a_guard(label):
    made = label("4 CONTRAINDICATIONS Severe hepatic impairment. Severe bradycardia.", "contraindications")
    assert made.claim("hepatic impairment").guard == Category(Axis.HEPATIC, ("severe",))
    assert made.claim("bradycardia").guard == Opaque("Severe bradycardia")


def test_renal_function_as_a_number(label):
    claim = label("4 CONTRAINDICATIONS Renal impairment (creatinine clearance below 60 mL/min).", "contraindications").claim("renal impairment")
    assert claim.guard == Interval(Axis.CRCL, None, Decimal(60), "mL/min", high_open=True)


def test_people_of_an_age(label):
    (proposal,) = label("4 CONTRAINDICATIONS Children under 2 years of age.", "contraindications").proposals()
    assert proposal.claim.object.type == EntityType.POPULATION
    assert proposal.claim.guard == Interval(Axis.AGE, None, Decimal(2), "a", high_open=True)


def test_history_and_planned(label):
    made = label("4 CONTRAINDICATIONS History of angioedema. Recent or planned surgery.", "contraindications")
    assert [leaf.state for leaf in leaves(made.claim("angioedema").guard)] == [ConditionState.HISTORY]
    planned = made.claim("surgery" if ("surgery", "contraindicated") in made.said() else "recent or planned surgery")
    assert isinstance(planned.guard, AnyOf)


def test_unless_is_kept(label):
    claim = label("4 CONTRAINDICATIONS Bradycardia (unless a pacemaker is in place).", "contraindications").claim("bradycardia")
    assert claim.guard == Opaque("unless a pacemaker is in place")


def test_a_limit_printed_before_the_cue_is_kept(label):
    claim = label("4 CONTRAINDICATIONS ZOCOR at doses >5 mg/kg is contraindicated in patients with heart failure.", "contraindications").claim("heart failure")
    assert isinstance(claim.guard, Opaque)
    assert "5 mg/kg" in claim.guard.text


def test_a_shared_cause_is_kept(label):
    made = label("4 CONTRAINDICATIONS A history of angioedema or hypersensitivity related to earlier treatment with an ACE inhibitor.", "contraindications")
    guard = made.claim("angioedema").guard
    assert any(isinstance(leaf, Opaque) and "ACE inhibitor" in leaf.text for leaf in leaves(guard))
    assert any(isinstance(leaf, HasCondition) and leaf.state is ConditionState.HISTORY for leaf in leaves(guard))


def test_examples_of_a_state_are_members(label):
    made = label("4 CONTRAINDICATIONS Active bleeding such as peptic ulcer.", "contraindications")
    assert made.claim("peptic ulcer").basis is Basis.CLASS_MEMBER


def test_warnings_that_advise_against(label):
    made = label(
        "5 WARNINGS AND PRECAUTIONS Avoid ZOCOR in patients with congenital long QT syndrome or heart failure. Use with caution in patients with a seizure disorder.",
        "warnings_and_cautions",
    )
    assert made.said("contraindicated_in") == {("congenital long qt syndrome", "avoid"), ("heart failure", "avoid"), ("seizure disorder", "caution")}
    assert made.claim("heart failure").strength is Strength.MUST


def test_the_highlights_give_way_to_the_full_text(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with dissecting aortic aneurysm [see Warnings (5.1)] . Dissecting aneurysm ( 4 )",
        "contraindications",
    )
    assert made.said() == {("dissecting aortic aneurysm", "contraindicated")}


def test_do_not_give_is_a_contraindication_where_it_is_printed_as_one(label):
    text = "Do not give ZOCOR to patients with anuria. Do not give aliskiren with ZOCOR."
    assert label(f"4 CONTRAINDICATIONS {text}", "contraindications").said() == {("anuria", "contraindicated"), ("aliskiren", "contraindicated")}
    assert label(f"5 WARNINGS AND PRECAUTIONS {text}", "warnings_and_cautions").said("contraindicated_in") == {("anuria", "avoid")}


def test_brackets_restrict(label):
    made = label("4 CONTRAINDICATIONS Hepatic impairment (Child-Pugh B or C). Asthma (needing daily oxygen). Heart failure (CHF).", "contraindications")
    assert made.claim("hepatic impairment").guard == Category(Axis.CHILD_PUGH, ("B", "C"))
    assert made.claim("asthma").guard == Opaque("needing daily oxygen")
    assert made.claim("heart failure").guard is None


def test_states_listed_behind_an_allergy_are_states(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with hypersensitivity to ZOCOR, peptic ulcer, and when surgery is undesirable.",
        "contraindications",
    )
    assert made.said() == {("simvastatin", "contraindicated"), ("peptic ulcer", "contraindicated")}
    assert made.claim("peptic ulcer").object.type == EntityType.CONDITION


def test_a_reaction_with_an_example_before_its_cause(label):
    made = label("4 CONTRAINDICATIONS Patients with serious hypersensitivity reactions, including anaphylaxis, to ZOCOR.", "contraindications")
    assert made.said() == {("simvastatin", "contraindicated")}


def test_an_aside_behind_an_item_is_no_item(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in:\n\n- Patients with asthma; fatal attacks have followed in such patients\n- Patients with anuria",
        "contraindications",
    )
    assert made.said() == {("asthma", "contraindicated"), ("anuria", "contraindicated")}


def test_an_exception_belongs_to_its_item(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with: asthma unless stable [see Warnings (5.1)] bradycardia [see Warnings (5.2)] anuria",
        "contraindications",
    )
    assert made.claim("asthma").guard == Opaque("unless stable")
    assert made.claim("bradycardia").guard is None
    assert made.claim("anuria").guard is None
    made = label("4 CONTRAINDICATIONS Asthma unless stable [see Warnings (5.1)] or bradycardia.", "contraindications")
    assert made.claim("bradycardia").guard is None


def test_half_a_coordination_is_no_state(label):
    made = label("4 CONTRAINDICATIONS Patients with untreated or inadequately treated asthma.", "contraindications")
    assert {name for name, _ in made.said()} == {"asthma"}
    assert made.claim("asthma").words == "untreated or inadequately treated asthma"


def test_a_drug_is_no_state(label):
    made = label("4 CONTRAINDICATIONS Strong CYP3A inhibitors (e.g., ketoconazole, itraconazole). Anuria.", "contraindications")
    assert made.said("contraindicated_in") == {("anuria", "contraindicated")}


def test_an_item_of_a_list_carries_the_sentence_it_stands_under(label):
    made = label(
        "4 CONTRAINDICATIONS\nZOCOR is contraindicated in patients with:\n- anuria\n- hyperkalemia\nZOCOR is contraindicated in asthma.", "contraindications"
    )
    under = {n: [s.quote for s in made.claim(n).evidence if s.role is SpanRole.HEADING] for n in ("hyperkalemia", "asthma")}
    assert under["hyperkalemia"] == ["ZOCOR is contraindicated in patients with:"]
    assert "ZOCOR is contraindicated in patients with:" not in under["asthma"]


def test_a_bracketed_exception_is_of_the_member_before_it(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with anuria, bradycardia, AV block (unless a wire is in place), and hypertension.",
        "contraindications",
    )
    assert [p.claim.guard for p in made.proposals()] == [None, None, Opaque("unless a wire is in place"), None]


def test_an_exception_that_an_axis_holds_is_its_negation(label):
    made = label("4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with bradycardia except in patients with hypertension.", "contraindications")
    guard = made.claim("bradycardia").guard
    assert isinstance(guard, Not)
    assert guard.part.concept.code == "hypertension"


def test_a_time_that_opens_a_list_holds_for_its_members(label):
    text = (
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients who: In the last 6 months, have experienced a myocardial infarction, anuria, or angioedema."
    )
    made = label(text, "contraindications").proposals()
    assert [p.claim.object.code for p in made] == ["myocardial-infarction", "anuria", "angioedema"]
    guards = [p.claim.guard for p in made]
    assert all((g.concept, g.state, g.within_days) == (p.claim.object, ConditionState.RECENT, 180) for g, p in zip(guards, made, strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is contraindicated in patients with Class III or IV heart failure.", {"class iii or iv heart failure"}),
        (
            "ZOCOR is contraindicated in patients with unresolved serious Neisseria meningitidis infection.",
            {"unresolved serious neisseria meningitidis infection"},
        ),
        ("ZOCOR is contraindicated in women of childbearing potential without contraception.", {"women of childbearing potential"}),
        ("ZOCOR is contraindicated in patients with anuria, a disease characterized by a low output.", {"anuria"}),
        ("ZOCOR is contraindicated in patients with anuria, particularly at risk of a fall.", {"anuria"}),
        ("ZOCOR is contraindicated in patients with hypersensitivity to the active substance.", {"simvastatin"}),
        ("ZOCOR is contraindicated in patients who are unable to notice and report bleeding.", {"unable to notice and report bleeding"}),
        (
            "ZOCOR is contraindicated in patients with hypersensitivity to niacin, a history of peptic ulcer, or patients with anuria.",
            {"niacin", "peptic ulcer", "anuria"},
        ),
        ("ZOCOR is contraindicated in: 1. Viral infection 2. Quiet sinus 3. Anuria", {"viral infection", "quiet sinus", "anuria"}),
    ],
)
def test_names_of_states_are_whole(label, text, expected):
    made = label(f"4 CONTRAINDICATIONS {text}", "contraindications")
    assert {made.name(p) for p in made.proposals()} == expected


def test_harm_that_another_drug_did_is_no_prohibition_of_taking_both(label):
    assert (
        label("4 CONTRAINDICATIONS ZOCOR is contraindicated in: • Lung injury related to the previous use of amiodarone", "contraindications").said(
            "interacts_with"
        )
        == set()
    )
