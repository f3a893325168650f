"""Doses of Chinese inserts: who, for what, how much, how often; words that restrict stay, tables are read with their columns."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import joined
from kb_builder.propose.dosage.chinese_doses import chinese_dose_drafts
from kb_builder.propose.dosage.standing import EVERYONE
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder
from kb_builder.publish.conditions import conditions_of
from kb_builder.publish.doses import doses_of


def drafts(label, text: str, tables: tuple[str, ...] = ()) -> list[Draft]:
    made = label(text, "dosage_and_administration", tables=tables)
    finder = thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients)
    return list(chinese_dose_drafts(read_section(made.document.sections[0], finder), made.lexicon, EVERYONE))


def doses(label, text: str, tables: tuple[str, ...] = ()) -> list[tuple[str, list[list[str]], str]]:
    """(use, the guard's disjuncts as words, amount and how often) of every dose."""
    return [(d.target.words, guard(label, d), amount(d)) for d in drafts(label, text, tables)]


def guard(label, draft: Draft) -> list[list[str]]:
    lexicon = label("", "x").lexicon
    return [
        [" ".join(f"{k} {v}" if k in ("low", "high") else str(v) for k, v in c.items() if v is not True) for c in part]
        for part in conditions_of(joined(draft.limits), lexicon.name)
    ]


def amount(draft: Draft) -> str:
    (dose,) = doses_of(draft.payload)
    named = [
        f"{k}={v}" for k, v in dose.items() if k in ("low", "high", "unit", "basis", "per", "times_low", "every_hours", "max_daily", "max_single", "phase")
    ]
    return " ".join(named)


def test_adults_and_children_have_their_own_doses_and_ceiling(label):
    found = doses(label, "口服。成人一次10mg，一日2次，一日剂量不超过40mg；儿童按体重一日5mg/kg，分3次服用。")
    assert found == [
        ("all patients", [["age low 18 a"]], "low=10 high=10 unit=mg basis=flat per=dose phase=usual times_low=2"),
        ("all patients", [["age low 18 a"]], "unit=mg basis=flat per=day max_daily=40 phase=maximum"),
        ("all patients", [["age high 18 a"]], "low=5 high=5 unit=mg basis=per-kg per=day phase=usual times_low=3"),
    ]


def test_a_new_sentence_ends_what_the_last_one_said_of_patients(label):
    found = doses(label, "成人一次10mg，一日2次。每次不超过20mg。")
    assert [g for _, g, _ in found] == [[["age low 18 a"]], [[]]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一次5～10毫克／公斤，一日3次。", "low=5 high=10 unit=mg basis=per-kg per=dose phase=usual times_low=3"),
        ("用60mg/kg一日即可。", "low=60 high=60 unit=mg basis=per-kg per=day phase=usual"),
        ("每日150mg，分2次或3次服用。", "low=150 high=150 unit=mg basis=flat per=day phase=usual times_low=2"),
        ("剂量加倍，每次10mg，一日2次。", "low=10 high=10 unit=mg basis=flat per=dose phase=usual times_low=2"),
    ],
)
def test_an_amount_is_counted_as_its_words_say(label, text, expected):
    assert [a for _, _, a in doses(label, text)] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("婴儿和儿童一次5mg，一日2次。", [[["age high 18 a"]]]),
        ("肾功能不全：肌酐清除率10～20ml/min者一次5mg，一日2次。", [[["crcl low 10 high 20 mL/min"]]]),
        ("儿童一次5mg，一日2次，大多数感染用8mg，一日2次。", [[["age high 18 a"]], [["age high 18 a", "other 大多数感染"]]]),
        ("疼痛未得到缓解的患者，一次5mg，一日2次。", [[["other 疼痛未得到缓解"]]]),
    ],
)
def test_whom_a_dose_is_for_stays_with_it(label, text, expected):
    assert [g for _, g, _ in doses(label, text)] == expected


def test_a_line_of_its_own_is_the_use_or_the_patients_of_the_doses_below(label):
    text = "高血压\n一次5mg，一日1次。最大剂量为每日40mg。\n停药\n一次2mg，一日1次。\n肾功能不全患者\n一次1mg，一日1次。"
    found = doses(label, text)
    assert [(use, g) for use, g, _ in found] == [
        ("高血压", [[]]),
        ("高血压", [[]]),
        ("all patients", [[]]),
        ("all patients", [["renal renal impairment"]]),
    ]


def test_a_bare_number_has_the_words_and_the_unit_of_its_column(label):
    head = "<tr><th>{}</th><th>{}</th><th>给药方案</th></tr>"
    row = "<tr><td>{}</td><td>{}</td><td>每日2次或每日3次</td></tr>"
    table = f"<table>{head.format('肌酐清除率（ml/min）', '最大剂量（mg/日）')}{row.format('30～&lt;60', '300')}</table>"
    text = "肌酐清除率（ml/min） 最大剂量（mg/日） 给药方案 30～<60 300 每日2次或每日3次"
    assert doses(label, text, (table,)) == [
        ("all patients", [["crcl low 30 high 60 mL/min"]], "unit=mg basis=flat per=day max_daily=300 phase=maximum"),
    ]


def test_every_measure_of_a_row_bounds_its_dose(label):
    table = (
        "<table><tr><th>年龄（岁）</th><th>体重（公斤）</th><th>一次用量（毫升）</th><th>次数</th></tr>"
        "<tr><td>1～3</td><td>10～15</td><td>4</td><td rowspan='2'>间隔4～6小时重复用药1次</td></tr>"
        "<tr><td>4～6</td><td>16～21</td><td>5</td></tr></table>"
    )
    text = "年龄（岁） 体重（公斤） 一次用量（毫升） 次数 1～3 10～15 4 间隔4～6小时重复用药1次 4～6 16～21 5"
    assert [(g, a) for _, g, a in doses(label, text, (table,))] == [
        ([["age low 1 high 3 a", "weight low 10 high 15 kg"]], "low=4 high=4 unit=mL basis=flat per=dose phase=usual times_low=4"),
        ([["age low 4 high 6 a", "weight low 16 high 21 kg"]], "low=5 high=5 unit=mL basis=flat per=dose phase=usual times_low=4"),
    ]


def test_behind_a_semicolon_patients_go_on(label):
    found = doses(label, "肾功能不全者一次5mg，一日1次；每次不超过10mg。")
    assert [g for _, g, _ in found] == [[["renal renal impairment"]], [["renal renal impairment"]]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("肌酐清除率小于30ml/min者", [["crcl high 30 mL/min"]]),
        ("严重肾功能不全者", [["renal severe renal impairment"]]),
        ("轻度肝功能不全患者", [["hepatic mild hepatic impairment"]]),
        ("血液透析患者", [["dialysis dialysis"]]),
        ("12岁以上儿童", [["age low 12 a"]]),
        ("成人及12岁以上儿童", [["age low 18 a"], ["age low 12 a"]]),
        ("15日至12岁儿童", [["age low 15 d", "age high 12 a"]]),
        ("体重50kg以上者", [["weight low 50 kg"]]),
        ("老年人", [["age low 65 a"]]),
        ("体质虚弱者", [["other 体质虚弱"]]),
        ("用华法林期间", [["other 华法林期间"]]),
        ("手术前30分钟", [["other 手术前30分钟"]]),
        ("", [[]]),
    ],
)
def test_every_word_before_a_dose_is_read_or_restricts_in_words(label, words, expected):
    (found,) = doses(label, f"{words}一次10mg，一日2次。")
    assert found[1] == expected


def test_uses_are_the_objects_of_their_doses(label):
    found = drafts(label, "口服。治疗高血压一次10mg，一日1次；预防心肌梗死、癫痫发作一次5mg，一日2次；哮喘一次2mg。")
    assert [d.target.words for d in found] == ["高血压", "心肌梗死", "癫痫发作", "哮喘"]
    assert [d.target.entity is None for d in found] == [True, True, False, True]


def test_the_first_dose_and_the_following_are_phases(label):
    found = doses(label, "首次200mg，以后一日100mg。")
    assert next(a.split(" phase=")[1] for _, _, a in found) == "loading"


@pytest.mark.parametrize(
    "text",
    ["本品每片含10mg。", "在一项试验中一次100mg，一日2次。", "曾有人一次服用500mg。", "药物过量：一次2g。", "取10mg溶解于100ml注射液中。"],
)
def test_what_is_told_or_prepared_is_no_dose(label, text):
    assert drafts(label, text) == []


def test_rows_of_a_table_have_the_name_and_unit_of_their_column(label):
    html = "<table><tr><th>肌酐清除率(ml/min)</th><th>首剂</th><th>以后</th></tr><tr><td>20~49</td><td>500mg</td><td>250mg，每24小时1次</td></tr></table>"
    text = "肾功能不全者按肌酐清除率调整。 肌酐清除率(ml/min) 首剂 以后 20~49 500mg 250mg，每24小时1次"
    assert doses(label, text, (html,)) == [
        ("all patients", [["crcl low 20 high 49 mL/min"]], "low=500 high=500 unit=mg basis=flat per=dose phase=loading"),
        ("all patients", [["crcl low 20 high 49 mL/min"]], "low=250 high=250 unit=mg basis=flat per=dose phase=maintenance every_hours=24"),
    ]


def test_what_a_row_names_and_nobody_reads_restricts_in_words(label):
    html = "<table><tr><th>分级</th><th>用量</th></tr><tr><td>第2级</td><td>一次250mg，一日1次</td></tr></table>"
    (found,) = doses(label, "分级 用量 第2级 一次250mg，一日1次", (html,))
    assert found[1] == [["other 第2级"]]


def test_a_caption_with_a_usual_dose_is_a_condition_of_its_table(label):
    html = "<table><caption>表1 常用量为每日500mg时的用量</caption><tr><th>肌酐清除率(ml/min)</th><th>用量</th></tr><tr><td>20~49</td><td>250mg，每24小时1次</td></tr></table>"
    text = "表1 常用量为每日500mg时的用量 肌酐清除率(ml/min) 用量 20~49 250mg，每24小时1次"
    found = [d for d in drafts(label, text, (html,)) if any("low 20" in w for part in guard(label, d) for w in part)]
    assert [guard(label, d) for d in found] == [[["other 表1 常用量为每日500mg时的用量", "crcl low 20 high 49 mL/min"]]]


def test_the_first_dose_of_a_cell_is_no_condition_of_its_second(label):
    html = "<table><tr><th>年龄</th><th>用量</th></tr><tr><td>12岁以下儿童</td><td>一次5mg，每24小时1次，一日不超过50mg</td></tr></table>"
    found = doses(label, "年龄 用量 12岁以下儿童 一次5mg，每24小时1次，一日不超过50mg", (html,))
    assert [g for _, g, _ in found] == [[["age high 12 a"]], [["age high 12 a"]]]


def test_a_step_of_titration_is_no_dose(label):
    assert len(doses(label, "成人一次10mg，一日1次，每周增加5mg。")) == 1


@given(st.text(alphabet="成人儿童一次日每片不超过肾功能全者岁以上至体重口服0123456789mgkgl/~、，。；：() \n", max_size=120))
def test_any_text_is_read_with_places_that_stand(label, text):
    for draft in drafts(label, text):
        size = len(draft.reading.blank)
        places = [draft.place, draft.statement, *((r.start, r.end) for r in draft.limits)]
        assert all(0 <= s < e <= size for s, e in places)
        assert all(Decimal(0) <= Decimal(s) for s, _ in places)
