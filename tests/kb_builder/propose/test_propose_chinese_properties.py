"""What holds for any Chinese text: nothing is raised, every span is verbatim, no name of half a phrase."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kb_builder.propose.chinese.bounds import find_chinese_bounds, number
from kb_builder.propose.chinese.lists import split_list

PIECES = st.sampled_from(
    ["对", "华法林", "过敏", "者", "患者", "禁用", "慎用", "与", "合用", "，", "、", "。", "；", "或", "和", "及", "等", "的", "儿童", "18岁以下", "（", "）", "曾因", "诱发", "哮喘", "史", "严重", "肝", "肾", "功能不全",
     "妊娠", "最后三个月", "停用", "14天内", "如", "特别是", "含", "药物", "忌", "食物", "①", "1．", "\n", "：", "下列", "15mg", "一周", "应", "避免", "除", "外", "<td>", "</td>", "\x01"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=24).map("".join)


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, key=st.sampled_from(["contraindications", "drug_interactions", "warnings_and_cautions"]))
def test_every_span_is_the_words_at_its_place(label, text, key):
    made = label("阿莫西林胶囊的说明。" + text, key, drug="amoxicillin", brand="阿莫仙")
    for proposal in made.proposals():
        for span in proposal.claim.evidence:
            assert made.document.section(span.section).text[span.start : span.end] == span.quote


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_members_of_a_list_stand_in_it_in_order(text):
    members = split_list(text, 0, len(text), lambda words: False)
    assert all(text[m.start : m.start + len(m.words)] == m.words for m in members if not m.shared and m.words == text[m.start : m.end])
    assert all(0 <= m.start < m.end <= len(text) for m in members)
    assert [m.start for m in members] == sorted(m.start for m in members)


def test_what_etc_closes_are_examples_of_what_follows():
    text = "水痘、流感等病毒感染"
    assert [(m.words, m.example) for m in split_list(text, 0, len(text), {"水痘", "流感"}.__contains__)] == [
        ("水痘", True),
        ("流感", True),
        ("病毒感染", False),
    ]


@given(value=st.integers(1, 99))
def test_chinese_numerals(value):
    digits = "零一二三四五六七八九"
    tens, ones = divmod(value, 10)
    said = (digits[tens] if tens > 1 else "") + ("十" if tens else "") + (digits[ones] if ones else "")
    assert number(said) == value


@given(years=st.integers(1, 90), word=st.sampled_from(["以下", "以上", "及以下", "以内"]))
def test_a_bound_on_age_is_kept_as_printed(years, word):
    (bound,) = find_chinese_bounds(f"{years}岁{word}者")
    edge = bound.interval.low if word == "以上" else bound.interval.high
    assert edge == years
    assert bound.interval.high_open == (word == "以下")
