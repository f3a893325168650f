"""What a Chinese insert says of taking its product together with something else."""

from decimal import Decimal

import pytest

from ontology.model.advice import Action
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, DoseBounds, ExposureState, Whose
from ontology.model.guards import AnyOf, Category, Exposure, HasCondition, Interval, Opaque, leaves


@pytest.fixture
def read(label):
    def make(text, key="drug_interactions", drug="amoxicillin"):
        return label(text, key, drug=drug, brand="阿莫仙")

    return make


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("禁止与一周１５ｍｇ或更大剂量的甲氨蝶呤合用。", {("methotrexate", "contraindicated")}),
        ("不宜与含半夏、藜芦、白及的药物同用。", {("pinellia", "avoid"), ("veratrum", "avoid"), ("bletilla", "avoid")}),
        ("不宜与半夏、藜芦、大戟同服。", {("pinellia", "avoid"), ("veratrum", "avoid"), ("大戟", "avoid")}),
        ("华法林与本品有配伍禁忌，应分开给药。", {("warfarin", "separate")}),
        ("不得与华法林在同一容器中混合。", {("warfarin", "separate")}),
        ("抗酸药可减少本品的吸收，应在服用本品前或后至少２小时服用。", {("antacids", "separate")}),
        (
            "忌烟酒及辛辣、油腻食物，不宜同时服用滋补性中药。",
            {("吸烟", "avoid"), ("alcohol", "avoid"), ("spicy food", "avoid"), ("greasy food", "avoid"), ("滋补性中药", "avoid")},
        ),
        ("不宜与抗酸药同服，应间隔2小时。", {("antacids", "separate")}),
        ("本品可增强华法林的作用，用药期间应避免饮酒。", {("warfarin", "caution"), ("alcohol", "avoid")}),
        ("与其他解热、镇痛、抗炎药物同用时可增加出血。", {("解热、镇痛、抗炎药物", "caution")}),
        ("与地高辛合用时应慎用，禁止与华法林合用。", {("digoxin", "caution"), ("warfarin", "contraindicated")}),
        ("本品的抗胆碱作用增强华法林的作用，应慎用。", {("warfarin", "caution")}),
        ("不应与本品同时应用氯苯那敏。", {("chlorpheniramine", "avoid")}),
        ("禁止与下列药物合用：（1）华法林；（2）地高辛。", {("warfarin", "contraindicated"), ("digoxin", "contraindicated")}),
        ("本品可增强华法林的作用。合用时应监测INR。", {("warfarin", "monitor")}),
        ("与强效CYP3A4抑制剂（如酮康唑）合用时应减量。", {("strong cyp3a4 inhibitor", "adjust-dose"), ("ketoconazole", "adjust-dose")}),
        ("不能同时服用与本品成份相似的其他抗感冒药。", {("与本品成份相似的其他抗感冒药", "contraindicated")}),
        ("服药期间不得饮酒。", {("alcohol", "avoid")}),
        ("与地高辛合用时，本品的日剂量不应超过10mg。", {("digoxin", "adjust-dose")}),
        ("本品不影响地高辛的药代动力学。", set()),
        ("尚无与其他药物相互作用的资料。", set()),
        ("与华法林合用一般不需调整剂量，但应监测INR。", {("warfarin", "monitor")}),
        ("与地高辛合用时无需调整剂量。", {("digoxin", "no-adjustment")}),
    ],
)
def test_the_partners_and_what_is_asked(read, text, expected):
    assert read(text).said("interacts_with") == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("新生儿在使用本品期间禁止与葡萄糖酸钙等钙剂合用。", "calcium gluconate", Interval(Axis.AGE, None, Decimal(28), "d")),
        ("18岁以下患者禁止与华法林合用。", "warfarin", Interval(Axis.AGE, None, Decimal(18), "a", high_open=True)),
        ("孕妇不宜与华法林合用。", "warfarin", Category(Axis.PREGNANCY, ("yes",))),
        ("布洛芬可减弱本品的作用，有心血管风险者应避免合用。", "ibuprofen", Opaque("心血管风险")),
        ("禁止与一周15mg或更大剂量的甲氨蝶呤合用。", "methotrexate", Opaque("一周15mg或更大剂量")),
        ("禁止与甲氨蝶呤（一周剂量为15mg或更多）合用。", "methotrexate", Opaque("一周剂量为15mg或更多")),
        ("与大剂量阿司匹林合用时应慎用。", "aspirin", Opaque("大剂量阿司匹林")),
        ("与甲氨蝶呤长期合用时应监测肝功能。", "methotrexate", Opaque("长期合用")),
        ("与华法林合用时出血增加，老年患者尤应慎用。", "warfarin", None),
        ("与华法林合用时出血增加，尤其是老年患者应慎用。", "warfarin", None),
        ("与华法林合用时，患者应监测INR。", "warfarin", None),
        ("与华法林合用时，个别患者出血，应监测INR。", "warfarin", None),
    ],
)
def test_what_restricts_it(read, text, name, expected):
    assert read(text).claim(name).guard == expected


def test_a_condition_of_the_patient_is_a_guard(read):
    claim = read("肾功能不全患者与地高辛合用时应减少地高辛的剂量。").claim("digoxin")
    assert [leaf.words for leaf in leaves(claim.guard) if isinstance(leaf, HasCondition)] == ["肾功能不全"]
    assert [s.whose for s in claim.payload.steps] == [Whose.PARTNER]


def test_a_daily_dose_of_the_partner_is_an_exposure(read):
    claim = read("每日剂量超过100mg的阿司匹林可增加出血，应避免合用。").claim("aspirin")
    assert claim.guard == Exposure(claim.object, dose=DoseBounds(Decimal(100), None, "mg", low_open=True, per="day"))


def test_the_route_of_the_partner_is_an_exposure(read):
    claim = read("禁止与静脉钙剂合用。").claim("calcium salts")
    assert claim.guard == Exposure(claim.object, route="intravenous")


@pytest.mark.parametrize("text", ["停用单胺氧化酶抑制剂未满14天的患者禁用。", "在停用单胺氧化酶抑制剂14天内不得使用本品。"])
def test_the_time_since_the_partner_was_stopped(read, text):
    claim = read(text, "contraindications").claim("mao inhibitors")
    stopped = Exposure(claim.object, state=ExposureState.STOPPED_WITHIN, within_days=Decimal(14))
    assert claim.guard == AnyOf((Exposure(claim.object), stopped))


def test_patients_who_take_a_partner_are_its_interaction(read):
    made = read("正在接受华法林治疗的高血压患者禁用。", "contraindications")
    assert made.said() == {("warfarin", "contraindicated")}
    assert [leaf.words for leaf in leaves(made.claim("warfarin").guard)] == ["高血压"]


def test_an_exception_is_taken_out_of_its_class(read):
    claim = read("除阿司匹林外，不宜与其他非甾体抗炎药合用。", drug="warfarin").claim("nonsteroidal anti-inflammatory drugs")
    assert [len(leaf.minus) for leaf in leaves(claim.guard)] == [1]


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("与抗酸药应间隔2～3小时服用。", 3),
        ("应在服用抗酸药前1小时或后6小时服用本品。", 6),
        ("与抗酸药合用应间隔两小时。", 2),
        ("与抗酸药合用应间隔14天。", 336),
    ],
)
def test_the_hours_to_keep_apart(read, text, hours):
    assert [s.separate_hours for s in read(text).claim("antacids").payload.steps] == [Decimal(hours)]


@pytest.mark.parametrize("text", ["应避免与华法林合用，如必须合用，应监测INR。", "不推荐与华法林合用。如需合用，应监测INR。"])
def test_the_plan_where_it_cannot_be_avoided(read, text):
    assert [s.action for s in read(text).claim("warfarin").payload.otherwise] == [Action.MONITOR]


def test_food_as_a_whole_is_not_what_kinds_of_food_are(read):
    assert "food" not in {name for name, _ in read("忌生冷、辛辣食物。").said()}


def test_what_the_product_itself_contains_is_the_other_products_with_it(label):
    made = label("禁止与其他含对乙酰氨基酚的解热镇痛药合用。", drug="acetaminophen", brand="感冒灵")
    (proposal,) = made.proposals()
    assert proposal.claim.object.type == EntityType.DRUG_CLASS
    assert made.name(proposal) == "含对乙酰氨基酚的解热镇痛药"


TABLE = """<table>
<caption>表１ 与阿莫西林合用需注意的药物</caption>
<tr><th>类别</th><th>药物</th><th>后果</th><th>处理</th></tr>
<tr><td rowspan="2">抗心律失常药</td><td>胺碘酮</td><td>QT间期延长</td><td>禁止合用</td></tr>
<tr><td>地高辛</td><td>血药浓度升高</td><td>避免合用；如需合用应监测心电图</td></tr>
<tr><td>他汀</td><td>辛伐他汀，每日剂量超过20 mg</td><td>肌病</td><td>避免合用</td></tr>
<tr><td>抗凝药</td><td>华法林</td><td>无影响</td><td>无需调整剂量</td></tr>
<tr><td>抗酸药</td><td>－</td><td>吸收减少</td><td>间隔2小时服用</td></tr>
<tr><td>其他</td><td>甲氨蝶呤，一周15 mg或更多</td><td>毒性增加</td><td>禁止合用</td></tr>
</table>"""


@pytest.fixture
def table(label):
    return label(TABLE, tables=(TABLE,), drug="amoxicillin", brand="阿莫仙")


def test_the_column_that_names_drugs_names_the_partners(table):
    assert table.said() == {
        ("amiodarone", "contraindicated"), ("digoxin", "avoid"), ("simvastatin", "avoid"), ("warfarin", "no-adjustment"), ("antacids", "separate"), ("methotrexate", "contraindicated"),
    }  # fmt: skip


def test_a_dose_in_the_naming_cell_is_a_guard(table):
    statin = table.claim("simvastatin")
    assert statin.guard == Exposure(statin.object, dose=DoseBounds(Decimal(20), None, "mg", low_open=True, per="day"))
    assert table.claim("methotrexate").guard == Opaque("一周15 mg或更多")
