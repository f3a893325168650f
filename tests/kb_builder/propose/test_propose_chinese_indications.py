"""Indications of Chinese inserts."""

from __future__ import annotations

import pytest

from kb_builder.propose.indications.proposer import IndicationProposer
from kb_builder.propose.protocol import Proposal
from ontology.model.claims import Polarity
from ontology.model.guards import leaves

KEY = "indications_and_usage"


def proposals(made) -> list[Proposal]:
    return list(IndicationProposer().propose(made.document, made.subject, made.lexicon))


def claims(label, text: str):
    return [p.claim for p in proposals(label(text, KEY, drug="warfarin", brand="华法林")) if p.claim.predicate == "indicated_for"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用于高血压、哮喘。", ["高血压", "哮喘"]),
        ("适用于治疗高血压患者。", ["高血压"]),
        ("用于敏感菌引起的下列感染：1. 中耳炎、鼻窦炎等上呼吸道感染；2. 肺炎。", ["中耳炎", "鼻窦炎", "上呼吸道感染", "肺炎"]),
        ("用于预防心肌梗死。", ["预防心肌梗死"]),
        ("用于成人癫痫的添加治疗。", ["癫痫的添加治疗"]),
        ("用于下列疾病：1. 高血压，尤其适用于不宜用利尿药治疗者。", ["高血压"]),
        ("温中健脾。用于脾虚所致的腹痛、泄泻。", ["腹痛", "泄泻"]),
    ],
)
def test_uses_behind_their_cue_and_in_lists(label, text, expected):
    assert [c.words for c in claims(label, text)] == expected


def test_a_cause_and_a_pattern_stay_in_the_guard(label):
    (claim,) = claims(label, "用于2型糖尿病属气阴两虚证者，症见多饮、多尿。")
    assert claim.words == "2型糖尿病"
    assert [leaf.text for leaf in leaves(claim.guard)] == ["属气阴两虚证者,症见多饮、多尿"]


def test_the_cause_in_a_lead_restricts_every_item(label):
    said = claims(label, "用于敏感菌引起的下列感染：1. 肺炎；2. 脑膜炎。")
    assert [[leaf.text for leaf in leaves(c.guard)] for c in said] == [["敏感菌引起"], ["敏感菌引起"]]


def test_a_use_that_is_denied_is_a_denial(label):
    said = claims(label, "用于高血压。不适用于哮喘。")
    assert [(c.words, c.polarity) for c in said] == [("高血压", Polarity.POSITIVE), ("哮喘", Polarity.NEGATIVE)]


def test_advice_is_no_use(label):
    assert [c.words for c in claims(label, "用于高血压。治疗前应进行药敏试验以确定肺炎的病原体。")] == ["高血压"]
    assert [c.words for c in claims(label, "用于下列感染：1. 肺炎；2. 用药前应进行药敏试验。")] == ["肺炎"]
