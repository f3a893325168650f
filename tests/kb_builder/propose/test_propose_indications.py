"""Indications: which sentences state a use, what the uses are called, and what restricts them."""

from __future__ import annotations

import pytest

from kb_builder.propose.indications.proposer import IndicationProposer
from kb_builder.propose.protocol import Proposal
from ontology.model.claims import Polarity
from ontology.model.facts import Axis
from ontology.model.guards import Interval, leaves

KEY = "indications_and_usage"


def proposals(made) -> list[Proposal]:
    return list(IndicationProposer().propose(made.document, made.subject, made.lexicon))


def uses(label, text: str, **more) -> list[str]:
    return [p.claim.words for p in proposals(label(text, KEY, **more)) if p.claim.predicate == "indicated_for" and p.claim.polarity is Polarity.POSITIVE]


def restrictions(label, text: str) -> dict[str, str]:
    said = [p.claim for p in proposals(label(text, KEY)) if p.claim.predicate == "indicated_for"]
    return {c.words: "; ".join(getattr(leaf, "text", None) or str(leaf) for leaf in leaves(c.guard)) for c in said}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is indicated for the treatment of hypertension, to lower blood pressure.", ["hypertension"]),
        ("ZOCOR is indicated as an adjunct to diet to improve glycemic control in adults with type 2 diabetes mellitus.", ["type 2 diabetes mellitus"]),
        ("ZOCOR is indicated for the relief of the signs and symptoms of gout and asthma.", ["gout", "asthma"]),
        ("ZOCOR is indicated for the prevention of malaria.", ["prevention of malaria"]),
        ("ZOCOR is indicated for nausea and vomiting.", ["nausea and vomiting"]),
        ("ZOCOR is indicated to reduce the risk of stroke in patients with heart failure.", ["heart failure"]),
        ("ZOCOR is indicated for edema associated with heart failure and cirrhosis.", ["edema associated with heart failure", "edema associated with cirrhosis"]),
        ("ZOCOR is indicated for serious infections of the urinary tract, skin, and bone.", ["serious infections of the urinary tract", "serious infections of the skin", "serious infections of the bone"]),
        ("ZOCOR is indicated for advanced or metastatic gastric, esophageal, or junction cancer.", ["advanced or metastatic gastric, esophageal, or junction cancer"]),
        ("ZOCOR is indicated for infections caused by susceptible strains of the following organisms: Escherichia coli, Proteus mirabilis.", ["infections"]),
        ("Uses temporarily relieves these symptoms due to hay fever: sneezing, runny nose", ["sneezing", "runny nose"]),
        ("In patients with a history of asthma, ZOCOR is indicated to reduce the rate of stroke.", ["asthma"]),
    ],
)  # fmt: skip
def test_uses_by_their_names(label, text, expected):
    assert uses(label, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Lowering blood pressure reduces the risk of stroke and heart failure.",
        "To reduce the development of drug-resistant bacteria, ZOCOR should be used only to treat infections that are proven to be caused by bacteria.",
        "Specimens for culture should be obtained in infections of the skin.",
        "The efficacy of ZOCOR in asthma was established in two trials.",
        "If hypertension persists, treatment of anxiety is the treatment of choice.",
        "When statins are used in the treatment of gout, add another drug.",
    ],
)
def test_sentences_that_only_explain_state_no_use(label, text):
    assert uses(label, f"ZOCOR is indicated for epilepsy. {text}") == ["epilepsy"]


def test_items_of_a_list_take_the_purpose_and_the_people_of_their_lead(label):
    text = "ZOCOR is indicated for the prevention of: • Malaria • Stroke in children 6 years of age and older"
    found = restrictions(label, text)
    assert set(found) == {"prevention of Malaria", "prevention of Stroke"}
    assert "low=Decimal('6')" in found["prevention of Stroke"]


def test_a_lead_with_a_head_is_completed_by_its_items(label):
    text = "ZOCOR is indicated for the treatment of edema associated with: • heart failure • cirrhosis of the liver"
    assert uses(label, text) == ["edema associated with heart failure", "edema associated with cirrhosis of the liver"]


def test_items_that_only_restrict_narrow_the_use_of_their_lead(label):
    text = (
        "ZOCOR is indicated for the treatment of breast cancer: • In combination with cisplatin for first-line treatment. • As monotherapy after other drugs."
    )
    said = [p.claim for p in proposals(label(text, KEY)) if p.claim.predicate == "indicated_for"]
    assert [c.words for c in said] == ["breast cancer", "breast cancer"]
    assert all(c.guard is not None for c in said)


def test_what_restricts_a_use_stays_in_its_guard(label):
    text = "ZOCOR is indicated in combination with aspirin for the adjuvant treatment of adults with gout who have failed two other drugs."
    (guard,) = restrictions(label, text).values()
    assert "adjuvant treatment" in guard
    assert "who have failed two other drugs" in guard
    assert "in combination with aspirin" in guard or "exposure" in guard.lower()


def test_deleting_the_words_of_a_restriction_changes_the_claim(label):
    whole = "ZOCOR is indicated for the treatment of gout in patients who cannot take tablets."
    assert restrictions(label, whole)["gout"] != restrictions(label, whole.replace(" in patients who cannot take tablets", ""))["gout"]


def test_an_age_is_a_bound(label):
    (claim,) = (p.claim for p in proposals(label("ZOCOR is indicated for asthma in patients 12 years of age and older.", KEY)))
    assert any(isinstance(leaf, Interval) and leaf.axis is Axis.AGE and leaf.low == 12 for leaf in leaves(claim.guard))


def test_limitations_are_denials_and_end_with_the_next_statement_of_use(label):
    text = "ZOCOR is indicated for gout. Limitations of Use: ZOCOR is not indicated for the treatment of asthma. ZOCOR is a statin indicated for gout and epilepsy."
    said = {(p.claim.words, p.claim.polarity) for p in proposals(label(text, KEY))}
    assert said == {("gout", Polarity.POSITIVE), ("asthma", Polarity.NEGATIVE), ("epilepsy", Polarity.POSITIVE)}


def test_the_highlights_say_nothing_twice(label):
    text = "1 INDICATIONS AND USAGE ZOCOR is a statin indicated for gout in men ( 1.1 ) and asthma ( 1.2 ) 1.1 Gout ZOCOR is indicated for gout in adults. 1.2 Asthma ZOCOR is indicated for asthma."
    assert sorted(w.lower() for w in uses(label, text)) == ["asthma", "gout"]


def test_a_heading_is_the_use_where_its_text_names_none(label):
    text = "1 INDICATIONS AND USAGE 1.1 Hypertension ZOCOR lowers blood pressure over a day. 1.2 Asthma ZOCOR is indicated for asthma."
    assert uses(label, text) == ["Hypertension", "asthma"]


def test_preventing_pregnancy_is_no_use_for_the_pregnant(label):
    (claim,) = (p.claim for p in proposals(label("ZOCOR is indicated for use by women to prevent pregnancy.", KEY)))
    assert claim.words == "prevention of pregnancy"
    assert claim.object.code != "pregnancy"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is indicated for the management of hypertensive patients who do not tolerate diuretics.", ["hypertension"]),
        ("ZOCOR is indicated in asthmatic patients.", ["asthma"]),
        ("ZOCOR is indicated for idiopathic pulmonary hypertension.", ["idiopathic pulmonary hypertension"]),
        ("ZOCOR is indicated for adult patients with previously treated, unresectable cholangiocarcinoma.", ["previously treated, unresectable cholangiocarcinoma"]),
        ("ZOCOR is indicated for adults who have relapsed or refractory lymphoma.", ["relapsed or refractory lymphoma"]),
        ("ZOCOR is indicated as a component of first-line therapy in combination with lithium for patients with osteosarcoma.", ["osteosarcoma"]),
        ("ZOCOR is indicated for adult and pediatric (12 years and older) patients with plaque psoriasis.", ["plaque psoriasis"]),
        ("ZOCOR is indicated for both simple and complex seizures.", ["simple and complex seizures"]),
        ("ZOCOR is indicated for healing of all grades of erosive esophagitis.", ["erosive esophagitis"]),
        ("ZOCOR is indicated for the treatment of: Hypertension Acute Treatment of Asthma Adjunctive Treatment of Epilepsy", ["Hypertension", "Asthma", "Epilepsy"]),
        ("ZOCOR is indicated for the prevention of asthma and for the treatment of asthma.", ["prevention of asthma", "asthma"]),
    ],
)  # fmt: skip
def test_uses_that_their_form_hides(label, text, expected):
    assert uses(label, text) == expected


def test_a_prevention_and_a_treatment_of_one_disease_are_two_things(label):
    found = proposals(label("ZOCOR is indicated for the prevention of asthma and for the treatment of asthma.", KEY))
    assert len({p.claim.object for p in found}) == 2


def test_items_of_a_consumer_label_without_marks_are_uses_of_their_own(label):
    text = "Uses temporarily relieves minor aches and pains due to: headache the common cold toothache minor pain of arthritis"
    assert uses(label, text)[1:] == ["headache", "common cold", "toothache", "minor pain of arthritis"]


def test_a_mode_of_use_restricts_the_use_behind_it_alone(label):
    said = restrictions(label, "ZOCOR is indicated as monotherapy for hypertension and as an adjunct to lithium for asthma.")
    assert said == {"hypertension": "as monotherapy", "asthma": "as an adjunct to lithium"}


def test_a_condition_in_brackets_is_no_part_of_the_name_but_restricts(label):
    said = restrictions(label, "ZOCOR is indicated for hypertension (if accompanied by headaches).")
    assert said == {"hypertension": "if accompanied by headaches"}


def test_what_one_bullet_says_of_its_patients_does_not_restrict_the_next_bullet(label):
    text = "ZOCOR is indicated for the treatment of: • Adults with the following disorders: asthma, epilepsy. • Pediatric patients with hypertension."
    found = {p.claim.words: [leaf for leaf in leaves(p.claim.guard) if isinstance(leaf, Interval)] for p in proposals(label(text, KEY))}
    assert [leaf.low for leaf in found["asthma"]] == [18]
    assert 18 not in [leaf.low for leaf in found["hypertension"]]
    assert found["hypertension"]


def test_what_a_group_of_a_numbered_list_leads_ends_with_the_group(label):
    text = "ZOCOR is indicated in the following conditions: 1. Rheumatic Disorders As adjunctive therapy in: Gouty arthritis 2. Respiratory Diseases Asthma"
    said = restrictions(label, text)
    assert said["Gouty arthritis"] == "adjunctive therapy"
    assert said["Asthma"] == ""


def test_patients_of_a_list_restrict_the_use_that_leads_it_one_by_one(label):
    text = "ZOCOR is indicated for prevention of thrombosis: in patients undergoing hip surgery in patients undergoing knee surgery"
    said = [(c.claim.words, "; ".join(getattr(leaf, "text", "") for leaf in leaves(c.claim.guard))) for c in proposals(label(text, KEY))]
    assert [words for words, _ in said] == ["prevention of thrombosis"] * 2
    assert ["hip" in guard for _, guard in said] == [True, False]


def test_a_phrase_of_no_known_form_gives_the_one_state_it_names_under_all_its_words(label):
    said = restrictions(label, "ZOCOR is indicated as an aid in those whose heart failure is stable.")
    assert all("heart failure is stable" in guard for guard in said.values())
    assert list(said) == ["heart failure"]


@pytest.mark.parametrize(
    "text",
    [
        "ZOCOR is indicated for asthma. A diagnosis of epilepsy (by a specialist) implies that fits recur.",
        "ZOCOR is indicated in patients with asthma who have had two drugs, one of them for angina.",
        "ZOCOR is indicated as an adjunct to other lipid (LDL) lowering therapies for asthma.",
        "ZOCOR is indicated for asthma, risk category two, LDL above 160 mg/dL.",
        "ZOCOR is indicated for asthma and for the prevention of hip replacement surgery.",
    ],
)
def test_what_is_said_beside_a_use_is_no_use(label, text):
    assert uses(label, text) == ["asthma"]
