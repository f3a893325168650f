"""Advice for special populations in Chinese inserts."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.publish.conditions import conditions_of


def advised(label, text, key):
    """(population, action, axes and words of the guard) of every claim."""
    made = label(text, key)
    out = set()
    for proposal in PopulationProposer().propose(made.document, made.subject, made.lexicon):
        claim = proposal.claim
        (disjunct,) = conditions_of(claim.guard, str)
        out.add((claim.object.code, claim.payload.strictest.value, tuple(f"{c['axis']} {c.get('value') or c.get('high')}" for c in disjunct)))
    return out


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("pregnancy", "孕妇禁用。哺乳期妇女用药期间应停止哺乳。", {("pregnancy", "contraindicated", ()), ("lactation", "not-recommended", ())}),
        ("pregnancy", "妊娠前三个月妇女禁用，哺乳期妇女慎用。", {("pregnancy", "contraindicated", ("pregnancy first trimester",)), ("lactation", "caution", ())}),
        ("geriatric_use", "老年患者易发生低血糖，应从小剂量开始。", {("geriatric", "adjust-dose", ())}),
        ("pregnancy", "除非获益大于风险，否则妊娠期间不应服用本品。", {("pregnancy", "avoid", ())}),
        ("warnings_and_cautions", "肾功能减退的患者应根据肌酐清除率调整剂量。", {("renal", "adjust-dose", ())}),
        ("warnings_and_cautions", "正在接受透析的患者，透析结束后应补充给药一次。", {("renal", "adjust-dose", ("dialysis dialysis",))}),
        ("pregnancy", "尚不明确。", {("pregnancy", "not-studied", ()), ("lactation", "not-studied", ())}),
        ("pregnancy", "育龄妇女应采取有效避孕措施。", {("reproductive", "caution", ())}),
        ("pediatric_use", "儿童用药的安全性和有效性尚未确立。", {("pediatric", "not-studied", ())}),
        ("pediatric_use", "6岁以下儿童禁用。", {("pediatric", "contraindicated", ("age 6",))}),
        ("geriatric_use", "老年患者应慎用，并密切监测肾功能。", {("geriatric", "caution", ()), ("geriatric", "monitor", ())}),
        ("contraindications", "对本品过敏者禁用。孕妇、严重肝功能不全者禁用。", {("pregnancy", "contraindicated", ()), ("hepatic", "contraindicated", ("hepatic severe hepatic impairment",))}),
        ("contraindications", "严重肾功能不全（肌酐清除率<30 mL/min）患者禁用。", {("renal", "contraindicated", ("crcl 30",))}),
        ("dosage_and_administration", "轻度肾功能不全患者无需调整剂量。", {("renal", "no-adjustment", ("renal mild renal impairment",))}),
        ("dosage_and_administration", "肝功能不全伴腹水患者不推荐使用。", {("hepatic", "not-recommended", ("other 肝功能不全伴腹水患者",))}),
        ("precautions", "CYP2C19慢代谢者应减量。", {("genotype", "adjust-dose", ("genotype CYP2C19慢代谢者",))}),
        ("precautions", "与华法林合用时应监测INR。成人一次5mg。", set()),
        ("pregnancy", "动物试验显示孕妇大鼠禁用。", set()),
    ],
)  # fmt: skip
def test_what_the_insert_asks_for(label, key, text, expected):
    assert advised(label, text, key) == expected


PIECES = st.sampled_from(
    [
        "孕妇",
        "哺乳期妇女",
        "儿童",
        "6岁以下",
        "严重",
        "肾功能不全",
        "肌酐清除率<30 mL/min",
        "禁用",
        "慎用",
        "无需调整剂量",
        "尚不明确",
        "、",
        "，",
        "。",
        "(",
        ")",
        "\n",
        "mg",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=20).map("".join)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from(["pregnancy", "pediatric_use", "contraindications", "precautions"]))
def test_never_raises_and_quotes_verbatim(label, text, key):
    made = label(text, key)
    for proposal in PopulationProposer().propose(made.document, made.subject, made.lexicon):
        for span in proposal.claim.evidence:
            assert made.document.section(span.section).text[span.start : span.end] == span.quote
