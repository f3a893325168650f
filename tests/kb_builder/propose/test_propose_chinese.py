from decimal import Decimal

import pytest

from ontology.model.claims import Polarity
from ontology.model.facts import Axis
from ontology.model.guards import HasCondition, Interval


def said(label, text, key="drug_interactions"):
    return label(text, key, drug="amoxicillin", brand="阿莫仙").said()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("对阿莫西林或其他青霉素类药物过敏者禁用。", {("amoxicillin", "contraindicated"), ("penicillins", "contraindicated")}),
        ("1. 孕妇及哺乳期妇女禁用；", {("pregnancy", "contraindicated"), ("breastfeeding", "contraindicated")}),
        ("严重心衰患者禁用", {("严重心衰", "contraindicated")}),
    ],
)
def test_contraindications(label, text, expected):
    assert said(label, text, "contraindications") == expected


def test_the_disease_that_others_accompany_is_a_guard(label):
    claim = label("１型糖尿病患者伴有酮症酸中毒者禁用。", "contraindications", drug="amoxicillin", brand="阿莫仙").claim("diabetic ketoacidosis")
    assert isinstance(claim.guard, HasCondition)
    assert claim.guard.concept.code == "type-1-diabetes-mellitus"


def test_age(label):
    (proposal,) = label("18岁以下儿童禁用。", "contraindications", drug="amoxicillin", brand="阿莫仙").proposals()
    assert proposal.claim.guard == Interval(Axis.AGE, None, Decimal(18), "a", high_open=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("丙磺舒可使血药浓度升高，不推荐合用；", {("probenecid", "not-recommended")}),
        ("２．合用时应监测甲氨蝶呤的血药浓度", {("methotrexate", "monitor")}),
        ("禁止与华法林合用。", {("warfarin", "contraindicated")}),
        ("服药期间应避免饮酒；", {("alcohol", "avoid")}),
        ("本品可能减弱华法林的作用。", {("warfarin", "caution")}),
        ("与氯丙嗪合用时应慎用。", {("氯丙嗪", "caution")}),
        ("本品对华法林的临床意义尚不明确；", set()),
        ("华法林可增加毒性，其临床意义尚不明确；", set()),
    ],
)
def test_interactions(label, text, expected):
    assert said(label, text) == expected


def test_a_denial(label):
    claim = label("本品与对乙酰氨基酚之间未见有临床意义的相互作用。", drug="amoxicillin", brand="阿莫仙").claim("acetaminophen")
    assert claim.polarity is Polarity.NEGATIVE


def test_rows_of_a_table(label):
    text = "<table>\n<tr><th>合用药物</th><th>后果</th><th>处理</th></tr>\n<tr><td>华法林</td><td>出血</td><td>禁止合用</td></tr>\n</table>"
    assert label(text, tables=(text,), drug="amoxicillin", brand="阿莫仙").said() == {("warfarin", "contraindicated")}
