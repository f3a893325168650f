"""In whom a Chinese insert forbids its product: who is meant, and what restricts it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from ontology.model.entities import EntityType
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AllOf, Category, HasCondition, Interval, Opaque, leaves
from ontology.terms.identity import IngredientRef


@pytest.fixture
def read(label):
    def make(text, key="contraindications", drug="amoxicillin"):
        return label(text, key, drug=drug, brand="阿莫仙")

    return make


def names(made):
    return {name for name, _ in made.said("contraindicated_in")}


def below(years, unit="a"):
    return Interval(Axis.AGE, None, Decimal(years), unit, high_open=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("严重肝、肾功能不全者禁用。", {"hepatic impairment", "renal impairment"}),
        ("肝肾功能不全者禁用。", {"hepatic impairment", "renal impairment"}),
        ("肾上腺皮质或垂体前叶功能减退者慎用。", {"adrenal insufficiency", "hypopituitarism"}),
        ("本品含麻黄，高血压、哮喘和甲状腺功能亢进患者慎用，运动员慎用。", {"hypertension", "asthma", "hyperthyroidism", "运动员"}),
        ("高血压，癫痫，哮喘患者慎用。", {"hypertension", "epilepsy", "asthma"}),
        ("体质虚弱、高热，以及癫痫者慎用。", {"体质虚弱", "高热", "epilepsy"}),
        ("风热或痰热咳嗽者不适用。", {"风热或痰热咳嗽"}),
        ("急性胃肠炎、泄泻兼有大便不畅、肛门灼热者不宜使用。", {"急性胃肠炎", "泄泻兼有大便不畅、肛门灼热"}),
        ("哮喘患者可诱发支气管痉挛，应慎用。", {"asthma"}),
        ("孕妇及月经过多者忌服。", {"pregnancy", "月经过多"}),
        ("白及过敏者慎用。", {"白及"}),
        ("本品禁用于癫痫患者。", {"epilepsy"}),
        ("不推荐癫痫患者使用本品。", {"epilepsy"}),
        ("下列患者禁用：（1）癫痫患者；（2）哮喘患者。", {"epilepsy", "asthma"}),
        ("以下情况禁用本品：①癫痫；②妊娠。", {"epilepsy", "pregnancy"}),
        ("孕妇、肝肾功能不全及对本品过敏者禁用。", {"pregnancy", "hepatic impairment", "renal impairment", "amoxicillin"}),
        ("癫痫或哮喘患者。", {"epilepsy", "asthma"}),
        ("有活动性肠道溃疡或出血的患者禁用。", {"活动性肠道溃疡", "活动性肠道出血"}),
        ("心功能Ⅲ级或Ⅳ级的心脏病患者慎用。", {"心功能iii级或iv级的心脏病"}),
        ("甲糖不耐受、乙酶缺乏或丙糖吸收不良的患者不应服用本品。", {"甲糖不耐受", "乙酶缺乏", "丙糖吸收不良"}),
        ("慎用的患者：癫痫、哮喘。请放在儿童不能接触的地方。", {"epilepsy", "asthma"}),
        ("1. 有下列情况者慎用：癫痫、哮喘。2. 请放在儿童不能接触的地方。", {"epilepsy", "asthma"}),
        ("1. 下列患者禁用：（1）癫痫患者；（2）哮喘患者。2. 请放在阴凉的地方。", {"epilepsy", "asthma"}),
        ("交叉反应：癫痫患者禁用。", {"epilepsy"}),
        ("本品在18岁以下患者中的疗效尚未确立，不推荐使用。", {"18岁以下"}),
    ],
)
def test_who_is_named(read, text, expected):
    assert names(read(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["尚不明确。", "无已知禁忌。", "本品性状发生改变时禁止使用。", "儿童用药的安全性尚未确立。", "老年患者肾功能正常时无需调整剂量。", "癫痫患者不必禁用。"],
)
def test_what_forbids_nobody(read, text):
    assert names(read(text)) == set()


def test_a_frame_takes_only_the_patients_before_it(read):
    assert read("孕妇禁用，哮喘患者慎用。").said() == {("pregnancy", "contraindicated"), ("asthma", "caution")}


def test_an_allergy_to_what_is_named_only(label):
    made = label("对对乙酰氨基酚、氯苯那敏过敏者禁用。", "contraindications", drug="acetaminophen", brand="感冒灵")
    assert made.said() == {("acetaminophen", "contraindicated"), ("chlorpheniramine", "contraindicated")}


@pytest.mark.parametrize("text", ["对本品过敏者禁用。", "对本品及其任何成份过敏者禁用。", "已知对本品或对非甾体抗炎药过敏的患者禁用。"])
def test_an_allergy_to_the_product(read, text):
    assert "amoxicillin" in names(read(text))


def test_an_allergy_to_one_ingredient_of_a_combination(label):
    made = label("对氯苯那敏过敏者禁用。", "contraindications", drug="acetaminophen", brand="感冒灵")
    second = IngredientRef(made.lexicon.lookup("氯苯那敏", frozenset({EntityType.INGREDIENT}))[0], "氯苯那敏")
    both = replace(made, subject=replace(made.subject, ingredients=(*made.subject.ingredients, second)))
    assert names(both) == {"chlorpheniramine"}


def test_a_second_allergy_has_no_preposition_in_its_name(read):
    assert names(read("对本品或对某某剂过敏者禁用。")) == {"amoxicillin", "某某剂"}


def test_a_severe_reaction_to_another_drug_is_a_guard(read):
    assert read("曾因头孢菌素类发生过敏性休克者禁用。").claim("cephalosporins").guard == Opaque("过敏性休克")


def test_what_a_drug_caused_is_one_condition_in_its_history(read):
    claim = read("曾因非甾体抗炎药或阿司匹林诱发哮喘者禁用。").claim("asthma")
    assert HasCondition(claim.object, "哮喘", ConditionState.HISTORY) in leaves(claim.guard)
    assert any(isinstance(leaf, Opaque) and "非甾体抗炎药或阿司匹林" in leaf.text for leaf in leaves(claim.guard))


@pytest.mark.parametrize(
    ("text", "name", "state"),
    [
        ("有哮喘、癫痫病史者慎用。", "asthma", ConditionState.HISTORY),
        ("有哮喘、癫痫病史者慎用。", "epilepsy", ConditionState.HISTORY),
        ("近期发生心肌梗死者禁用。", "myocardial infarction", ConditionState.RECENT),
        ("有胃肠道疾病史，特别是消化性溃疡者慎用。", "peptic ulcer", ConditionState.HISTORY),
    ],
)
def test_the_time_of_a_condition(read, text, name, state):
    claim = read(text).claim(name)
    assert [leaf.state for leaf in leaves(claim.guard) if isinstance(leaf, HasCondition)] == [state]


def test_a_history_in_the_family_is_another_thing(read):
    assert names(read("有癫痫病史或家族史者慎用。")) == {"epilepsy", "癫痫家族史"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("肌酐清除率＜30ml/min者禁用。", Interval(Axis.CRCL, None, Decimal(30), "mL/min", high_open=True)),
        ("肾小球滤过率低于45ml/min/1.73m2的患者禁用。", Interval(Axis.EGFR, None, Decimal(45), "mL/min/{1.73_m2}", high_open=True)),
        ("肌酐清除率30～50ml/min者慎用。", Interval(Axis.CRCL, Decimal(30), Decimal(50), "mL/min")),
        ("未满18周岁者禁用。", below(18)),
        ("6个月以内的婴儿禁用。", Interval(Axis.AGE, None, Decimal(6), "mo")),
        ("18岁以下儿童及青少年禁用。", below(18)),
        ("儿童禁用。", below(18)),
        ("老年人慎用。", Interval(Axis.AGE, Decimal(65), None, "a")),
        ("妊娠最后三个月禁用。", Category(Axis.PREGNANCY, ("third-trimester",))),
        ("妊娠头三个月禁用。", Category(Axis.PREGNANCY, ("first-trimester",))),
        ("孕妇（妊娠中期）禁用。", Category(Axis.PREGNANCY, ("second-trimester",))),
        ("肝功能Child-Pugh C级患者禁用。", Category(Axis.CHILD_PUGH, ("C",))),
        ("严重肾功能不全者禁用。", Category(Axis.RENAL, ("severe",))),
        ("矫正胎龄不足41周的早产儿禁用。", Opaque("矫正胎龄不足41周")),
        ("孕妇禁用，除非获益大于风险。", Opaque("除非获益大于风险")),
        ("除非必要，孕妇不宜使用。", Opaque("除非必要")),
        ("癫痫患者（已安装起搏器者除外）禁用。", Opaque("已安装起搏器者除外")),
        ("癫痫患者大剂量使用可引起溶血，应慎用。", Opaque("大剂量使用")),
        ("脾胃虚寒，症见腹痛、喜暖、泄泻者慎用。", Opaque("症见腹痛、喜暖、泄泻")),
        ("有高血压、癫痫等慢性病严重者慎用。", Opaque("严重")),
        ("有高血压的新生儿禁用。", Interval(Axis.AGE, None, Decimal(28), "d")),
        ("老年患者有高血压者慎用。", Interval(Axis.AGE, Decimal(65), None, "a")),
        ("血清钾低于3.5mmol/L者禁用。", Interval(Axis.LAB, None, Decimal("3.5"), "mmol/L", high_open=True, detail="potassium")),
    ],
)
def test_what_restricts_it(read, text, expected):
    guards = {p.claim.guard for p in read(text).proposals()}
    assert guards == {expected}


def test_people_with_a_condition_are_the_guard_of_it(read):
    made = read("患水痘或流感等病毒感染的儿童和青少年使用本品可能发生瑞氏综合征，应避免使用。", "pediatric_use")
    assert names(made) == {"varicella", "influenza", "viral infection"}
    assert {p.claim.guard for p in made.proposals()} == {below(18)}


def test_what_people_need_and_their_age_hold_together(read):
    (proposal,) = read("需要静脉输注含钙溶液的28日以内的新生儿禁用。").proposals()
    assert proposal.claim.guard == AllOf((Interval(Axis.AGE, None, Decimal(28), "d"), Opaque("需要静脉输注含钙溶液")))


def test_what_people_need_is_a_guard_without_a_printed_age(read):
    (proposal,) = read("需要静脉输注含钙溶液的新生儿禁用。").proposals()
    assert Opaque("需要静脉输注含钙溶液") in leaves(proposal.claim.guard)


def test_a_printed_bound_stands_beside_the_words_for_people(read):
    (proposal,) = read("12岁以上儿童慎用。").proposals()
    assert set(leaves(proposal.claim.guard)) == {Interval(Axis.AGE, Decimal(12), None, "a"), below(18)}


def test_any_allergy_stays_a_caution_beside_the_shock_that_forbids(label):
    made = label("曾因华法林发生过敏性休克者禁用。", "contraindications", drug="amoxicillin", brand="阿莫仙", warnings="华法林过敏者应慎用。")
    found = [p.claim for p in made.proposals() if p.claim.predicate == "contraindicated_in"]
    assert {(c.payload.strictest.value, c.guard is None) for c in found} == {("contraindicated", False), ("caution", True)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("使用前应做青霉素皮试，阳性反应者禁用。", "青霉素皮试阳性反应"),
        ("用药前进行皮肤试验，呈阳性者禁用。", "皮肤试验阳性"),
        ("抗体阳性者禁用。", "抗体阳性"),
    ],
)
def test_a_positive_skin_test_has_the_name_of_its_test(read, text, words):
    assert names(read(text)) == {words}
