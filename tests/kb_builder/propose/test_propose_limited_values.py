"""Limitations of use by a laboratory value, and prohibitions of a product as the only treatment."""

from decimal import Decimal

from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque, leaves
from ontology.model.spans import SpanRole

LEAD = "1 INDICATIONS AND USAGE ZOCOR is indicated for hyperkalemia. Limitations of Use: ZOCOR is not recommended to be initiated, unless the benefit outweighs the risk, in:"


def claims(made):
    return [p.claim for p in ContraindicationProposer().propose(made.document, made.subject, made.lexicon)]


def test_people_of_a_value_in_a_list_of_limitations_are_told_with_all_that_narrows_them(label):
    text = f"{LEAD} • adult females with CD4 + cell counts greater than 250 cells/mm3 or • adult males with CD4 + cell counts greater than 400 cells/mm3"
    found = claims(label(text, "indications_and_usage"))
    told = {(leaf.axis, getattr(leaf, "low", None) or getattr(leaf, "values", None)) for c in found for leaf in leaves(c.guard)}
    assert {(Axis.SEX, ("female",)), (Axis.SEX, ("male",)), (Axis.LAB, Decimal(250)), (Axis.LAB, Decimal(400))} <= told
    assert [c.payload.strictest.value for c in found] == ["not-recommended", "not-recommended"]
    assert all("not recommended to be initiated" in next(s.quote for s in c.evidence if s.role is SpanRole.HEADING) for c in found)


def test_an_item_without_a_value_or_with_words_that_nothing_holds_is_none(label):
    assert claims(label(f"{LEAD} • adult females with anuria", "indications_and_usage")) == []
    assert claims(label(f"{LEAD} • anxious adults with CD4 + cell counts greater than 250 cells/mm3", "indications_and_usage")) == []


def test_a_product_that_is_only_no_sole_treatment_is_not_forbidden_in_the_disease(label):
    (claim,) = claims(label("5.3 Resistance ZOCOR must not be used as a single agent to treat hyperkalemia.", "warnings_and_cautions"))
    assert Opaque("as a single agent") in leaves(claim.guard)
    assert not any(isinstance(leaf, Interval) for leaf in leaves(claim.guard))
