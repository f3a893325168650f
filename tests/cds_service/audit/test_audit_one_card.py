"""The advice to change a dose for a pair is told with the dose that was judged for this pair."""

from cds_service.answer.problems import problem_key
from cds_service.audit.outcomes import Category, Certainty, Counterpart, DrugRef, EvidenceRef, Finding, RiskType
from cds_service.audit.synthesise import synthesise
from ontology.model.advice import Action
from ontology.model.spans import Span

QUOTE = "With amiodarone at most 20 mg a day."


def finding(category: Category, risk: RiskType, drug: str, other: str, action: Action, orders: tuple[str, ...]) -> Finding:
    evidence = (EvidenceRef("c1", Span("simvastatin-tablets", "1", "drug_interactions", 0, len(QUOTE), QUOTE)),)
    hazard = "dose" if category is Category.DOSAGE else "combination"
    ref = DrugRef(drug, None, orders[:1])
    return Finding(category.value, category, risk, ref, Counterpart("drug", other), action, hazard, Certainty.CODED, evidence, (), orders=orders)


DOSE = finding(Category.DOSAGE, RiskType.DOSAGE_OVER, "simvastatin", "amiodarone", Action.ADJUST_DOSE, ("draft-1",))


def keys(other: Finding) -> set[str]:
    return {problem_key(f) for f in synthesise((DOSE, other)) if isinstance(f, Finding)}


def test_both_labels_advice_on_the_pair_joins_the_dose():
    for drug, other in (("simvastatin", "amiodarone"), ("amiodarone", "simvastatin")):
        advice = finding(Category.INTERACTION, RiskType.INTERACTION_DRUG_DRUG, drug, other, Action.ADJUST_DOSE, ("current-1", "draft-1"))
        assert len(keys(advice)) == 1


def test_what_forbids_the_pair_is_a_problem_of_its_own():
    forbids = finding(Category.INTERACTION, RiskType.INTERACTION_DRUG_DRUG, "simvastatin", "amiodarone", Action.CONTRAINDICATED, ("current-1", "draft-1"))
    assert len(keys(forbids)) == 2


def test_the_dose_for_another_partner_is_another_problem():
    advice = finding(Category.INTERACTION, RiskType.INTERACTION_DRUG_DRUG, "simvastatin", "diltiazem", Action.ADJUST_DOSE, ("current-1", "draft-1"))
    assert len(keys(advice)) == 2
