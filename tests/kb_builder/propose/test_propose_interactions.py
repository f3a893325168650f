from decimal import Decimal

import pytest

from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.facts import Axis, ExposureState, Whose
from ontology.model.guards import AnyOf, Category, Exposure, Opaque, leaves
from ontology.model.spans import SpanRole


def said(label, text, **more):
    return label(f"7 DRUG INTERACTIONS {text}", **more).said()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid concomitant use of ketoconazole.", {("ketoconazole", "avoid")}),
        ("Concomitant use of ZOCOR with gemfibrozil is contraindicated.", {("gemfibrozil", "contraindicated")}),
        ("For patients taking verapamil, do not exceed ZOCOR 10 mg daily.", {("verapamil", "adjust-dose")}),
        ("Monitor digoxin levels in patients taking digoxin.", {("digoxin", "monitor")}),
        ("Administer ZOCOR at least 4 hours before bile acid sequestrants.", {("bile acid sequestrants", "separate")}),
        ("Grapefruit juice may increase ZOCOR levels.", {("grapefruit juice", "caution")}),
        ("Concomitant use of fibrates is not recommended.", {("fibrates", "not-recommended")}),
        ("Monitor phenytoin levels and adjust the phenytoin dose when ZOCOR is used with phenytoin.", {("phenytoin", "monitor+adjust-dose")}),
        ("Avoid strong or moderate CYP3A4 inducers.", {("strong cyp3a4 inducer", "avoid"), ("moderate cyp3a4 inducer", "avoid")}),
        ("Avoid azole antifungals (e.g., itraconazole, ketoconazole).", {("azole antifungals", "avoid"), ("itraconazole", "avoid"), ("ketoconazole", "avoid")}),
        ("Avoid drugs known to prolong the QT interval.", {("drugs that prolong the qt interval", "avoid")}),
        ("Monitor patients given nephrotoxic drugs.", {("nephrotoxic drugs", "monitor")}),
        ("Avoid alcohol and St. John's wort.", {("alcohol", "avoid"), ("st. john's wort", "avoid")}),
        ("Reserve concomitant use of midazolam for patients without an alternative.", {("midazolam", "avoid")}),
        ("Reduce digoxin dose; avoid warfarin.", {("digoxin", "adjust-dose"), ("warfarin", "avoid")}),
    ],
)
def test_actions_of_one_sentence(label, text, expected):
    assert said(label, text) == expected


def test_an_effect_waits_for_the_instruction_of_its_block(label):
    assert said(label, "7.1 Digoxin ZOCOR increases digoxin levels. Monitor patients. 7.2 Aspirin Aspirin may increase bleeding.") == {
        ("digoxin", "monitor"),
        ("aspirin", "caution"),
    }


def test_inline_headings_give_their_sentences_a_partner(label):
    assert said(label, "Warfarin Changes of INR have been seen. Monitor INR. Digoxin Levels may rise. Caution is advised.") == {
        ("warfarin", "monitor"),
        ("digoxin", "caution"),
    }


def test_a_lead_gives_its_items_an_action(label):
    assert said(label, "Avoid the following drugs: • warfarin • digoxin") == {("warfarin", "avoid"), ("digoxin", "avoid")}


def test_pronouns_point_back(label):
    assert said(label, "ZOCOR may potentiate warfarin and phenytoin. When such drugs are given, the patient should be closely observed.") == {
        ("warfarin", "monitor"),
        ("phenytoin", "monitor"),
    }


def test_rows_of_a_table_and_their_cells(label):
    html = "<table><tr><td colspan='2'>Niacin</td></tr><tr><td>Clinical Impact:</td><td>Myopathy has been seen with niacin.</td></tr><tr><td>Intervention:</td><td>Avoid niacin with ZOCOR [see Warnings (5.1)].</td></tr></table>"
    made = label(
        "7 DRUG INTERACTIONS Niacin Clinical Impact: Myopathy has been seen with niacin. Intervention: Avoid niacin with ZOCOR [see Warnings (5.1)].",
        tables=(html,),
    )
    claim = made.claim("niacin")
    assert claim.payload.strictest is Action.AVOID
    assert claim.statement.quote == "Avoid niacin with ZOCOR"


def test_a_table_that_only_lists_takes_the_sentence_above(label):
    html = "<table><tr><td>Anticoagulants</td><td>heparin</td></tr><tr><td>Others</td><td>aspirin, ibuprofen</td></tr></table>"
    made = label(
        "7 DRUG INTERACTIONS 7.1 Bleeding Closely monitor patients given any such drug with ibuprofen. Anticoagulants heparin Others aspirin, ibuprofen",
        tables=(html,),
    )
    assert {("heparin", "monitor"), ("aspirin", "monitor"), ("anticoagulants", "monitor")} <= made.said()
    cell = [s for s in made.claim("heparin").evidence if s.role is SpanRole.CELL]
    assert [s.quote for s in cell] == ["heparin"]


def test_highlights_do_not_double_the_full_text(label):
    made = label("7 DRUG INTERACTIONS CYP3A4 inhibitors: reduce dose. ( 7.1 ) Digoxin: monitor. ( 7.2 ) 7.1 Inhibitors Avoid strong CYP3A4 inhibitors.")
    assert made.said() == {("strong cyp3a4 inhibitor", "avoid"), ("digoxin", "monitor")}


def test_what_to_do_when_it_cannot_be_avoided_is_the_second_plan(label):
    claim = label("7 DRUG INTERACTIONS Avoid ketoconazole. If ketoconazole cannot be avoided, reduce the ZOCOR dose.").claim("ketoconazole")
    assert [s.action for s in claim.payload.steps] == [Action.AVOID]
    assert [(s.action, s.whose) for s in claim.payload.otherwise] == [(Action.ADJUST_DOSE, Whose.SUBJECT)]


def test_whose_dose_changes(label):
    assert label("7 DRUG INTERACTIONS Reduce the dose of digoxin with ZOCOR.").claim("digoxin").payload.steps[0].whose is Whose.PARTNER
    assert label("7 DRUG INTERACTIONS With digoxin, reduce the dose of ZOCOR.").claim("digoxin").payload.steps[0].whose is Whose.SUBJECT


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("For patients taking verapamil, do not exceed ZOCOR 10 mg daily.", "do not exceed 10 mg daily."),
        ("For patients taking verapamil, do not exceed simvastatin tablets 10 mg daily.", "do not exceed 10 mg daily."),
        ("When verapamil is started, reduce the dose of ZOCOR by 50%.", "reduce the dose of this drug by 50%."),
    ],
)
def test_the_change_is_worded_without_the_products_name(label, text, asked):
    assert label(f"7 DRUG INTERACTIONS {text}").claim("verapamil").payload.steps[0].parameter == asked


def test_hours_apart(label):
    assert label("7 DRUG INTERACTIONS Give ZOCOR 4 hours apart from colestipol.").claim("colestipol").payload.steps[0].separate_hours == Decimal(4)


def test_an_exception_left_to_the_prescriber_lowers_the_strength_only(label):
    claim = label("7 DRUG INTERACTIONS Avoid digoxin unless the benefit outweighs the risk.").claim("digoxin")
    assert (claim.strength, claim.guard) == (Strength.SHOULD, None)


def test_other_than_is_an_exception_of_the_exposure(label):
    claim = label("7 DRUG INTERACTIONS Avoid strong CYP3A4 inhibitors other than ketoconazole.").claim("strong cyp3a4 inhibitor")
    assert isinstance(claim.guard, Exposure)
    assert [m.code for m in claim.guard.minus] == ["ketoconazole"]


def test_within_days_of_stopping(label):
    claim = label("7 DRUG INTERACTIONS Do not use ZOCOR in patients taking, or within 14 days of stopping, MAOIs.").claim("mao inhibitors")
    assert isinstance(claim.guard, AnyOf)
    assert [(p.state, p.within_days) for p in claim.guard.parts] == [(ExposureState.CURRENT, None), (ExposureState.STOPPED_WITHIN, Decimal(14))]


def test_dose_and_route_of_the_partner(label):
    claim = label("7 DRUG INTERACTIONS Monitor patients given furosemide (> 80 mg IV).").claim("furosemide")
    assert isinstance(claim.guard, Exposure)
    assert (claim.guard.dose.low, claim.guard.dose.low_open, claim.guard.route) == (Decimal(80), True, "intravenous")


@pytest.mark.parametrize(
    ("words", "leaf"),
    [
        ("in patients with severe renal impairment", Category(Axis.RENAL, ("severe", "esrd"))),
        ("in Chinese patients", Opaque("Chinese")),
        ("except during transition", Opaque("except during transition")),
        ("at initiation", Opaque("at initiation")),
        ("in pregnant patients", Category(Axis.PREGNANCY, ("yes",))),
    ],
)
def test_what_restricts_is_in_the_guard(label, words, leaf):
    claim = label(f"7 DRUG INTERACTIONS Avoid digoxin {words}.").claim("digoxin")
    assert leaf in leaves(claim.guard)
    assert any(words.split()[-1] in s.quote or words.split()[1] in s.quote for s in claim.evidence if s.role is SpanRole.CONDITION)


def test_patients_of_the_other_branch_restrict_nothing(label):
    claim = label("7 DRUG INTERACTIONS Monitor patients with diabetes, or patients taking digoxin.").claim("digoxin")
    assert claim.guard is None


def test_contraindicated_together_is_an_interaction_in_any_section(label):
    made = label("4 CONTRAINDICATIONS ZOCOR is contraindicated with gemfibrozil. Concomitant use of pimozide ( 4 )", "contraindications")
    assert made.said("contraindicated_in") == set()
    assert ("gemfibrozil", "contraindicated") in made.said("interacts_with")


def test_old_labels_keep_interactions_in_precautions(label):
    made = label("PRECAUTIONS General Take care. Information for Patients Patients should be advised not to use antacids while taking ZOCOR.", "precautions")
    assert ("antacids", "avoid") in made.said()


def test_scope_and_spans(label):
    claim = label("7 DRUG INTERACTIONS 7.1 Warfarin Monitor INR.").claim("warfarin")
    assert claim.scope.routes == ("oral",)
    assert {s.role for s in claim.evidence} >= {SpanRole.STATEMENT, SpanRole.HEADING}
    assert claim.words == "Warfarin"


def test_items_of_a_contraindications_list_forbid(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients: taking, or within 14 days of stopping, MAOIs [see Warnings (5.3)] . taking pimozide because of QT prolongation [see Warnings (5.4)] . with anuria.",
        "contraindications",
    )
    assert made.said("interacts_with") == {("mao inhibitors", "contraindicated"), ("pimozide", "contraindicated")}
    assert made.said("contraindicated_in") == {("anuria", "contraindicated")}


def test_the_line_over_a_table_holds_for_its_rows(label):
    html = "<table><tr><td colspan='2'>Potential impact: these drugs increase ZOCOR requirements; monitor patients.</td></tr><tr><td>Phenytoin</td><td>Seen in reports.</td></tr><tr><td>Rifampin</td><td>Seen in reports.</td></tr></table>"
    text = (
        "7 DRUG INTERACTIONS Potential impact: these drugs increase ZOCOR requirements; monitor patients. Phenytoin Seen in reports. Rifampin Seen in reports."
    )
    assert {(n, "monitor" in a) for n, a in label(text, tables=(html,)).said()} == {("phenytoin", True), ("rifampin", True)}


@pytest.mark.parametrize(
    ("said", "adjusts"),
    [
        ("Digoxin may be useful with ZOCOR provided the load does not exceed the competence of the kidney.", False),
        ("Digoxin may be given with ZOCOR at a dose that does not exceed doses comparable with 0.25 mg once daily.", True),
        ("With digoxin do not exceed the maximum dose of ZOCOR.", True),
    ],
)
def test_what_does_not_exceed_something_else_than_a_dose_is_no_ceiling(label, said, adjusts):
    actions = {s.action.value for p in label(f"7 DRUG INTERACTIONS {said}").proposals() for s in p.claim.payload.steps}
    assert ("adjust-dose" in actions) is adjusts
