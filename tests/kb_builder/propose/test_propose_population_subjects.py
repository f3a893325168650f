"""Whom advice for populations is about, and what of its words is no condition of theirs."""

from __future__ import annotations

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.publish.conditions import conditions_of

USE = "use_in_specific_populations"


def told(made):
    """Every claim as (population, action, guard): the guard's disjuncts as words or bounds of each axis."""
    out = set()
    for claim in (p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)):
        disjuncts = conditions_of(claim.guard, str) if claim.guard is not None else []
        guard = " | ".join(" & ".join(f"{c['axis']} {'not ' if c.get('not') else ''}{c.get('value') or bounds(c)}" for c in d) for d in disjuncts)
        out.add((claim.object.code, claim.payload.strictest.value, guard))
    return out


def bounds(condition):
    return f"{condition.get('low', '')}..{condition.get('high', '')}"


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        (
            USE,
            "8 USE IN SPECIFIC POPULATIONS Pregnancy: May harm the fetus. ( 8.1 ) Geriatric patients: Monitor for falls. ( 8.5 ) 8.1 Pregnancy ZOCOR can cause fetal harm.",
            {("pregnancy", "avoid", ""), ("pregnancy", "caution", ""), ("geriatric", "monitor", "")},
        ),
        (USE, "8.1 Pregnancy Women who discontinue antidepressants during pregnancy relapse more often than others.", set()),
        (USE, "8.1 Pregnancy Untreated depression may result in poor nutrition in pregnant women.", set()),
        ("warnings", "Nobody should give blood after ZOCOR, because women who are pregnant must not receive blood that holds it.", set()),
        ("precautions", "Caution is needed in patients with a history of jaundice associated with oral estrogens or with pregnancy.", set()),
        (
            "warnings",
            "Slow Breathing in Patients with Lung Disease or in Elderly, Cachectic, or Debilitated Patients The use of ZOCOR in severe asthma is contraindicated.",
            set(),
        ),
    ],
)
def test_the_population_is_that_of_the_sentence(label, key, text, expected):
    assert told(label(text, key)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8.2 Lactation Monitor infants exposed to ZOCOR through breast milk for diarrhea and vomiting.", ("lactation", "monitor", "")),
        ("8.1 Pregnancy Advise pregnant women of the risk of neonatal opioid withdrawal syndrome.", ("pregnancy", "caution", "")),
        ("8.4 Pediatric Use Reserve the use of ZOCOR in pediatric patients for emergencies or when no vein is accessible.", ("pediatric", "caution", "")),
        ("8.5 Geriatric Use No meaningful differences in efficacy were seen between older and younger patients in HORIZON.", ("geriatric", "no-adjustment", "")),
        ("8.6 Renal Impairment As a drug that the kidney clears, patients with moderate renal impairment should be monitored.", ("renal", "monitor", "renal moderate renal impairment")),
        ("8.4 Pediatric Use The safety of ZOCOR in children other than those with diabetes has not been established.", ("pediatric", "not-studied", "condition not diabetes")),
    ],
)  # fmt: skip
def test_outcomes_studies_and_reasons_are_no_condition(label, text, expected):
    assert told(label(text, USE)) == {expected}


@pytest.mark.parametrize(
    ("key", "text", "axis", "guard"),
    [
        ("warnings", "Debilitated patients, elderly patients, acutely ill patients, and pediatric patients should be given reduced doses of ZOCOR.", "pediatric", ""),
        ("contraindications", "History of stroke During or within 14 days after warfarin Hyperthyroidism Glaucoma Pregnancy Known hypersensitivity to ZOCOR", "pregnancy", ""),
        (
            "warnings",
            "Patients with glucose-6-phosphate dehydrogenase deficiency, lung disease, infants under 6 months of age, and those exposed to nitrates are at risk. In these patients, ZOCOR should be used with caution.",
            "pediatric",
            "age ..6",
        ),
        (
            "warnings",
            "Patients with glucose-6-phosphate dehydrogenase deficiency, inborn or acquired anemia, heart or lung disease, infants under 6 months of age, and exposure to nitrates are at risk. If ZOCOR must be used in these patients, monitor them.",
            "pediatric",
            "age ..6",
        ),
        ("warnings", "ZOCOR should not be used in immunocompromised adults and children, including patients on cyclosporine.", "pediatric", "other immunocompromised"),
    ],
)  # fmt: skip
def test_the_other_members_of_a_list_are_no_condition_of_this_one(label, key, text, axis, guard):
    assert {g for a, _, g in told(label(text, key)) if a == axis} == {guard}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8.6 Hepatic Impairment Patients with moderate hepatic impairment may require dose reduction.", ("hepatic", "adjust-dose", "hepatic moderate hepatic impairment")),
        ("8.6 Hepatic Impairment The recommended dose of ZOCOR is 10 mg in patients with mild (Child-Pugh score (C-P) A) or moderate (C-P B) hepatic impairment.", ("hepatic", "adjust-dose", "hepatic mild hepatic impairment & child-pugh A | hepatic moderate hepatic impairment & child-pugh B")),
        ("8.6 Renal Impairment The maximum dose is 10 mg daily in severe renal impairment (eGFR 15 to 29 mL min/1.73 m2).", ("renal", "adjust-dose", "egfr 15..29")),
        ("8.2 Lactation A lactating woman may consider pumping and discarding breast milk for a day after ZOCOR.", ("lactation", "caution", "")),
        ("8.3 Infertility Consider stopping ZOCOR in women who have trouble conceiving.", ("reproductive", "stop", "sex female")),
        ("8.3 Females of Childbearing Potential Thought should be given to the hazards of ZOCOR in women of childbearing age.", ("reproductive", "caution", "sex female")),
        ("8.1 Pregnancy Avoid it from 28 weeks on in pregnant women.", ("pregnancy", "avoid", "pregnancy from 28 weeks third trimester")),
        ("8.7 Poor Metabolizers Start CYP2C9 poor metabolizers at half the lowest recommended dose.", ("genotype", "adjust-dose", "genotype CYP2C9 poor metabolizer")),
        ("8.7 Poor Metabolizers Limited data showed 4-fold higher levels in CYP2D6 poor metabolizers.", None),
        ("8.1 Pregnancy It is not known whether ZOCOR can cause fetal harm; some pregnant women may experience a longer effect.", ("pregnancy", "caution", "")),
        ("8.4 Pediatric Use In a trial in pediatric patients, doses were reduced and children were titrated to 20 mg.", None),
        ("2.3 Genotype Reduce the starting dose in patients who are compound heterozygous for the UGT1A1*28 and *6 alleles.", ("genotype", "adjust-dose", "genotype UGT1A1 compound heterozygous *28 and *6")),
    ],
)  # fmt: skip
def test_wordings_and_their_patients(label, text, expected):
    assert told(label(text, USE)) == ({expected} if expected is not None else set())


def test_the_usual_dose_at_full_renal_function_is_no_adjustment(label):
    text = "2.2 Dose The recommended dose of ZOCOR in patients with creatinine clearance of 90 mL/min or more is 15 mg daily. Reduce the dose in patients with creatinine clearance below 90 mL/min."
    assert told(label(text, "dosage_and_administration")) == {("renal", "adjust-dose", "crcl ..90")}


def test_degrees_one_by_one_leave_end_stage_disease_to_its_own_words(label):
    every = "8.6 Hepatic Impairment No dose adjustment of ZOCOR is needed in patients with any degree of hepatic impairment (mild, moderate, or severe)."
    assert told(label(every, USE)) == {("hepatic", "no-adjustment", "")}
    listed = "8.6 Renal Impairment No dose adjustment of ZOCOR is needed in mild, moderate, or severe renal impairment. Avoid ZOCOR in end-stage renal disease."
    guards = "renal mild renal impairment | renal moderate renal impairment | renal severe or esrd renal impairment"
    assert told(label(listed, USE)) == {("renal", "no-adjustment", guards), ("renal", "avoid", "renal esrd renal impairment")}


def test_what_is_not_known_of_one_degree_is_no_caution_for_it(label):
    made = label("8.6 Hepatic Impairment ZOCOR has not been studied in liver dysfunction, and caution should be used in severe hepatic disease.", USE)
    assert told(made) == {("hepatic", "not-studied", ""), ("hepatic", "caution", "hepatic severe hepatic impairment")}
