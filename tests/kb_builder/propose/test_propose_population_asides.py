"""Advice for populations: what of a sentence is a condition of the patient, and what is its verb, its reason, its comparison or another patient's matter."""

from __future__ import annotations

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.populations.scraps import is_scrap, restricts
from kb_builder.publish.conditions import conditions_of

USE, WARNINGS, DOSING = "use_in_specific_populations", "warnings_and_cautions", "dosage_and_administration"
OLD_WARNINGS, BARS, CHILDREN, OLD_AGE, PREGNANCY = "warnings", "contraindications", "pediatric_use", "geriatric_use", "pregnancy"


def told(made):
    """(population, action, guard) of every claim, the guard as its disjuncts in words."""
    out = set()
    for proposal in PopulationProposer().propose(made.document, made.subject, made.lexicon):
        claim = proposal.claim
        said = " | ".join(
            " & ".join(f"{'not ' if c.get('not') else ''}{c['axis']} {c.get('value') or ''}{_bounds(c)}".strip() for c in disjunct)
            for disjunct in conditions_of(claim.guard, lambda e: e.code)
        )
        out.add((claim.object.code, claim.payload.strictest.value, said))
    return out


def _bounds(condition):
    return f"{condition.get('low', '')}..{condition.get('high', '')}" if "low" in condition or "high" in condition else ""


@pytest.mark.parametrize(
    ("text", "section", "expected"),
    [
        # the operation stays with those whom it narrows
        ("ZOCOR is contraindicated in children younger than 12 years of age and in children younger than 18 years of age following tonsillectomy and/or adenoidectomy.", OLD_WARNINGS, {("pediatric", "contraindicated", "age ..12"), ("pediatric", "contraindicated", "age ..18 & other following tonsillectomy and/or adenoidectomy")}),
        ("ZOCOR is contraindicated in all children who undergo tonsillectomy and/or adenoidectomy.", OLD_WARNINGS, {("pediatric", "contraindicated", "other undergo tonsillectomy and/or adenoidectomy")}),
        ("Avoid the use of ZOCOR in adolescents 12 to 18 years of age who have other risk factors that may increase their sensitivity to its effects.", OLD_WARNINGS, {("pediatric", "avoid", "age 12..18 & other risk factors that may increase their sensitivity to its effects")}),
        ("There are no data in pediatric patients younger than 1 year with serum creatinine results above the 90th percentile; therefore, avoid the use of ZOCOR in these patients.", CHILDREN, {("pediatric", "avoid", "age ..1 & other results above the 90th percentile")}),
        ("ZOCOR is not recommended in children less than 4 months of age with any of the following: Less than 36 weeks of gestation at birth Body weight of less than 2.1 kg.", CHILDREN, {("pediatric", "not-recommended", "age ..4 & other Less than 36 weeks of gestation at birth Body weight of less than 2.1 kg")}),
        ("Monitoring is needed in patients with the following risk factors: Age Children <2 years Elderly (>70 years) Concurrent Diseases Congestive heart failure Hypertension.", OLD_WARNINGS, {("pediatric", "monitor", "age ..2"), ("geriatric", "monitor", "age 70..")}),
        # degrees, partners, other members of a list
        ("ZOCOR is contraindicated in patients with severe heart or kidney disease.", OLD_WARNINGS, {("renal", "contraindicated", "renal severe or esrd renal impairment")}),
        ("Caution should be exercised in patients with heart failure, hepatic impairment and hyperkalemia.", OLD_WARNINGS, {("hepatic", "caution", "")}),
        ("2.2 Renal Reduce the dose in moderate renal impairment with concomitant ketoconazole and in severe renal impairment.", DOSING, {("renal", "adjust-dose", "renal moderate renal impairment & comedication ketoconazole"), ("renal", "adjust-dose", "renal severe or esrd renal impairment")}),
        ("Reduce the dose in patients with hepatic impairment (Child-Pugh A, B, or C).", DOSING, {("hepatic", "adjust-dose", "child-pugh A | child-pugh B | child-pugh C")}),
        ("Dosage adjustments are not necessary for elderly patients or patients with altered hepatic or renal function.", DOSING, {("geriatric", "no-adjustment", ""), ("renal", "no-adjustment", ""), ("hepatic", "no-adjustment", "")}),
        ("ZOCOR should not be used in pregnant women, neonates, and young children.", OLD_WARNINGS, {("pregnancy", "avoid", ""), ("pediatric", "avoid", "age ..28 | other young children")}),
        ("In premature infants and the elderly, greater dosage reductions than expected may be necessary because of decreased renal function.", OLD_WARNINGS, {("pediatric", "adjust-dose", "age ..24 & other premature"), ("geriatric", "adjust-dose", "")}),
        # comparisons, outcomes, studies
        ("The efficacy of ZOCOR in the elderly (65 years or older) was similar to that seen in patients younger than 65 years.", OLD_AGE, {("geriatric", "no-adjustment", "age 65..")}),
        ("8.6 Renal Impairment Patients with CrCl <25 mL/min were not studied, but concentrations are expected to be similar to those in patients with moderate renal impairment.", USE, {("renal", "not-studied", "crcl ..25")}),
        ("Patients aged 65 years or older are more likely to experience adverse reactions including hypertension, decreased platelet count, and bradycardia.", OLD_AGE, {("geriatric", "caution", "age 65..")}),
        ("Of the 88 patients with hypertension who received ZOCOR at a starting dose of 40 mg, 15% were 65 years and older.", OLD_AGE, set()),
        ("The bioequivalence of two forms of ZOCOR has not been investigated in a pediatric population.", CHILDREN, set()),
        # amounts and courses
        ("2.1 Renal For patients with moderate renal impairment doses greater than 40 mg are not recommended.", DOSING, {("renal", "adjust-dose", "renal moderate renal impairment")}),
        ("In pregnant patients, the one-day course of therapy should not be used.", PREGNANCY, {("pregnancy", "adjust-dose", "")}),
        # the exception of a prohibition, its reason, what it concedes
        ("ZOCOR should not be used in adolescents 12 to 17 years of age unless the benefits outweigh the risks.", OLD_WARNINGS, {("pediatric", "avoid", "age 12..17 & other unless the benefits outweigh the risks")}),
        ("ZOCOR is not recommended for use by women during labor and delivery because it may cause respiratory depression in the newborn.", PREGNANCY, None),
        ("While ZOCOR is contraindicated during pregnancy, its benefits may outweigh the risks for pregnant women with heart failure.", OLD_WARNINGS, {("pregnancy", "caution", "condition heart failure")}),
        ("4 CONTRAINDICATIONS ZOCOR is contraindicated in patients with: Pregnancy Bradycardia ( 5.2 ). ZOCOR exposure during pregnancy causes a pattern of major malformations and fatal fetal bradycardia.", BARS, {("pregnancy", "contraindicated", "")}),
        # the use that a clause is about
        ("For non-neoplastic diseases, ZOCOR is contraindicated in pregnancy.", PREGNANCY, {("pregnancy", "contraindicated", "other non-neoplastic diseases")}),
        ("For non-neoplastic diseases, ZOCOR is contraindicated in pregnancy.", BARS, {("pregnancy", "contraindicated", "other non-neoplastic diseases")}),
        ("ZOCOR is contraindicated in pregnant women with non-neoplastic diseases.", BARS, {("pregnancy", "contraindicated", "other non-neoplastic diseases")}),
        ("The dosage is reduced in patients with severe hepatic impairment for the healing of ulcers, H. pylori eradication, and hypersecretory states.", DOSING, {("hepatic", "adjust-dose", "hepatic severe hepatic impairment & other the healing of ulcers, H. pylori eradication, and hypersecretory states")}),
        # whose matter it is
        ("Pregnancy ZOCOR can cause fetal harm. Breastfeeding is not recommended during treatment.", PREGNANCY, {("pregnancy", "avoid", ""), ("lactation", "not-recommended", "")}),
        ("PRECAUTIONS Pregnancy ZOCOR may harm the fetus. Nursing: ZOCOR passes into milk. It is not recommended in this period.", "precautions", {("pregnancy", "caution", ""), ("lactation", "not-recommended", "")}),
        ("PRECAUTIONS Pediatric Use See DOSAGE AND ADMINISTRATION: Pediatric Patients . Leukopenia and Neutropenia In trials such events have been reported. Patients with a preexisting low WBC should have their blood count monitored frequently.", "precautions", set()),
        ("Infants born of mothers who have received substantial doses of ZOCOR during pregnancy should be carefully observed.", OLD_WARNINGS, {("pregnancy", "monitor", "")}),
        ("Monitor liver function when combined with therapy known to be associated with liver dysfunction.", OLD_WARNINGS, set()),
        ("Screening for HLA-B*58:01 is not recommended in patients from populations in which HLA-B*58:01 is rare.", OLD_WARNINGS, set()),
        ("Avoid ZOCOR in patients with renal impairment unless the benefits justify it. Creatinine should be closely monitored in these patients.", OLD_WARNINGS, {("renal", "avoid", "other unless the benefits justify it"), ("renal", "monitor", "")}),
        ("Hepatotoxicity in Patients with Severe Pre-existing Hepatic Impairment Because ZOCOR may be toxic in patients with severe pre-existing hepatic impairment, caution is needed in patients with liver disease.", OLD_WARNINGS, {("hepatic", "caution", "")}),
        ("ZOCOR should not be used on pregnant women, on premature infants, or on newborn infants.", OLD_WARNINGS, {("pregnancy", "avoid", ""), ("pediatric", "avoid", "age ..28 | other premature & age ..24")}),
        ("No dose adjustment is necessary for patients with mild (CLcr: 60 to 89 mL/min) to moderate (CLcr: 30 to 59 mL/min) renal impairment.", DOSING, {("renal", "no-adjustment", "crcl 60..89 | crcl 30..59")}),
        ("There was no difference in response rate between patients aged less than 65 years and those greater than or equal to 65 years.", OLD_AGE, {("geriatric", "no-adjustment", "age 65..")}),
        ("The most frequently observed adverse reactions in pediatric trials were headache and nausea.", CHILDREN, set()),
        ("Treatment should be monitored by a pediatric gastroenterologist.", OLD_WARNINGS, set()),
        ("Dispense in containers with child-resistant closures. If adverse effects occur, dosage should be reduced.", "precautions", set()),
        ("Oral contraceptives must be used with caution in women with heart failure.", OLD_WARNINGS, set()),
        ("High dose levels induced death of pregnant females, while lower dose levels caused maternal toxicity.", PREGNANCY, set()),
        ("ZOCOR should not be used in children with known serious rhythm abnormalities, or other serious problems that may place them at increased risk of its effects.", OLD_WARNINGS, {("pediatric", "avoid", "other serious rhythm abnormalities | other serious problems that may place them at increased risk of its effects")}),
        ("4 CONTRAINDICATIONS For use in prophylaxis of headaches: ZOCOR is contraindicated in women who are pregnant and in women of childbearing potential who are not using effective contraception.", BARS, {("pregnancy", "contraindicated", "other use in prophylaxis of headaches"), ("reproductive", "contraindicated", "other use in prophylaxis of headaches & sex female & other who are not using effective contraception")}),
        ("ZOCOR is contraindicated for prophylaxis of headaches in pregnant women and in women of childbearing potential who are not using effective contraception.", OLD_WARNINGS, {("pregnancy", "contraindicated", "other prophylaxis of headaches"), ("reproductive", "contraindicated", "other prophylaxis of headaches & sex female & other who are not using effective contraception")}),
        ("Treatment of juvenile arthritis with ZOCOR is not recommended.", CHILDREN, {("pediatric", "not-recommended", "other juvenile arthritis")}),
        ("ZOCOR is not approved for use in treating sadness in the pediatric population.", OLD_WARNINGS, {("pediatric", "not-recommended", "other sadness")}),
        ("Obesity Not recommended for this use in children under 12 years of age.", OLD_WARNINGS, {("pediatric", "not-recommended", "age ..12 & other this use")}),
        ("Diluent that holds benzyl alcohol should not be used when ZOCOR is made up for pediatric patients.", CHILDREN, set()),
        ("Discontinue ZOCOR when pregnancy is recognized unless the benefits of therapy outweigh the potential risks to the fetus.", PREGNANCY, {("pregnancy", "stop", "other unless the benefits of therapy outweigh the potential risks to the fetus")}),
        ("ZOCOR is not indicated in patients with severe hepatic impairment, although levels were modestly increased; the safety in children was derived from a cohort of 7 patients who were not recommended it.", OLD_WARNINGS, {("hepatic", "not-recommended", "hepatic severe hepatic impairment")}),
        # everybody, the premature, lists of groups
        ("Monitor renal function in all patients, especially patients with underlying renal impairment, and patients receiving a drug known to be nephrotoxic.", OLD_WARNINGS, {("renal", "monitor", "")}),
        ("In premature infants, lower doses may be necessary; ZOCOR dosage should be reduced in premature infants.", OLD_WARNINGS, {("pediatric", "adjust-dose", "age ..24 & other premature")}),
        ("The dosages recommended for adults require no modification in elderly patients, up to 2 g per day, provided there is no severe renal impairment.", DOSING, {("geriatric", "no-adjustment", "not renal severe or esrd renal impairment")}),
        ("8.3 Females and Males of Reproductive Potential Females of reproductive potential should discuss pregnancy planning with their physician.", USE, {("reproductive", "caution", "sex female")}),
        ("Older patients experience increased gastrointestinal toxicity due to ZOCOR compared to younger patients.", OLD_AGE, {("geriatric", "caution", "")}),
        ("Therefore, initiate therapy at doses lower than those recommended for a given indication in patients with impaired hepatic function.", DOSING, {("hepatic", "adjust-dose", "")}),
        ("Blood counts should be monitored weekly in patients who receive ZOCOR, particularly in those who receive ZOCOR for longer than two weeks, those with pre-existing disease of the marrow, those with severe renal impairment or moderate hepatic impairment, or those with a chronic infection.", OLD_WARNINGS, {("renal", "monitor", "renal severe or esrd renal impairment"), ("hepatic", "monitor", "hepatic moderate hepatic impairment")}),
    ],
)  # fmt: skip
def test_what_is_a_condition_of_the_patient(label, text, section, expected):
    said = told(label(text, section))
    if expected is None:
        assert {action for _, action, _ in said} == {"not-recommended"}
    else:
        assert said == expected


@pytest.mark.parametrize(
    ("title", "sentence", "expected"),
    [
        ("Use in Pregnant Women with Heart Failure", "ZOCOR can cause fetal harm when given to a pregnant woman.", {("pregnancy", "avoid", "")}),
        (
            "Risk of Toxicity in Patients with Hepatic Impairment",
            "Because such drugs are metabolized by the liver, consider reduced dosing in patients with moderate hepatic impairment.",
            {("hepatic", "adjust-dose", "hepatic moderate hepatic impairment")},
        ),
    ],
)
def test_a_title_restricts_nothing(label, title, sentence, expected):
    assert told(label(f"5 WARNINGS AND PRECAUTIONS 5.4 {title} {sentence} 5.5 Other Effects Nausea was seen.", WARNINGS)) == expected


def test_a_route_that_advice_is_restricted_to(label):
    made = label("8.6 Renal Impairment No adjustment is necessary for intravenous dosing in patients with mild renal impairment.", USE)
    claim = next(p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon))
    assert set(claim.scope.routes) == {"intravenous"}


@pytest.mark.parametrize(
    "words", ["under", "low end", "titrating", "reductions than expected", "similar to that seen", "seen in TRIAL4", "to assure adequate levels"]
)
def test_words_of_the_advice_are_scraps(words):
    assert is_scrap(words)


@pytest.mark.parametrize("words", ["bilirubin results above 2", "risk factors for bleeding effects", "unless the benefits outweigh the risks"])
def test_values_and_exceptions_restrict(words):
    assert restricts(words)


@pytest.mark.parametrize("words", ["serious infection", "rapidly growing", "postoperative pain", "unsupervised"])
def test_words_about_the_patient_are_no_scraps(words):
    assert not is_scrap(words)
