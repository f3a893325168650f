"""Chinese package inserts: headings in all their shapes, identity, composition, statements that something is not known."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.assemble.composition import substance_span
from kb_builder.ingest.insert_composition import read_composition
from kb_builder.ingest.inserts import form_of_name
from kb_builder.ingest.label_text import read_label_text
from kb_builder.ingest.markdown import MarkdownReader
from kb_builder.ingest.plain_text import TextReader
from kb_builder.ingest.sources import DiskFile
from ontology.model.identifiers import Code
from ontology.text.document import Document, SectionState

WESTERN = """# 样西林胶囊说明书

核准日期：２００７年０３月１５日
修改日期：2010年10月01日 2015年12月20日

警示语：用药前须询问过敏史。

## 【药品名称】

通用名称：样西林胶囊
商品名称：样品林®
英文名称：Samplicillin Capsules

## 【成 份】

本品主要成份为样西林，其化学名称为：(2S,5R,6R)-3,3-二甲基。
分子式：C16H19N3O5S
辅料：硬脂酸镁、淀粉。

## 【适 应 症】

用于敏感菌所致的感染。

## 【规格】

0.25g

## 【用法用量】

口服。成人一次０．５ｇ，每６～８小时１次。

## 肾功能损害

<table><caption>表１ 肾功能与剂量</caption><tr><th>肌酐清除率</th><th>剂量</th></tr><tr><td>10～30ml/分钟</td><td>每１２小时0.25ｇ</td></tr></table>

## 【禁忌】

尚不明确。

## 【注意事项】

详见【用法用量】。
【用法用量】项下另有说明。

## 【儿童用药】

未进行该项实验且无可靠参考文献。

## 【药理毒理】

抑制细胞壁合成。

## 【药代动力学】

吸收迅速。

## 【批准文号】

国药准字H20191234

## 【生产企业】

企业名称：样品制药有限公司
生产地址：某市
"""

TRADITIONAL = """样消丸说明书
【药品名称】通用名称：样消丸
汉语拼音：Yangxiao Wan
【成份】葛根、地黄、黄芪（蜜炙）、格列本脲。每１０丸重２．５ｇ，含格列本脲２．５ｍｇ。辅料为蜂蜜。
【功能主治】益气生津。
【规格】每10丸重2.5g
【用法用量】饭前用温开水送服。一次5～10丸。
【不良反应】偶见低血糖。
【禁忌】
1．孕妇禁用；
2．对磺胺过敏者禁用。
【药物相互作用】与磺酰脲类合用可致低血糖。
【批准文号】国药准字Z20191235
【修订日期】2019年11月
"""


def read(text: str, kind: str = "markdown") -> Document:
    return read_label_text(text, kind)[0]


def text_of(document: Document, key: str) -> str:
    section = document.section(key)
    assert section is not None, key
    return section.text


def test_a_western_insert_gives_its_identity() -> None:
    document = read(WESTERN)
    (product,) = document.products
    assert (document.set_id, document.language, document.title) == ("nmpa-H20191234", "zh", "样品林 (样西林胶囊)")
    assert (document.version.effective, document.publisher) == (date(2015, 12, 20), "样品制药有限公司")
    assert (product.generic_name, product.brand_names, product.form, product.routes) == ("样西林胶囊", ("样品林",), "胶囊", ("口服",))
    assert [s.name for s in product.substances] == ["样西林"]
    assert Code("nmpa", "H20191234") in product.codes


def test_sections_are_verbatim_with_full_width_signs_and_tables() -> None:
    document = read(WESTERN)
    assert [s.key for s in document.sections] == [
        "preamble",
        "boxed_warning",
        "product_names",
        "description",
        "indications_and_usage",
        "dosage_forms_and_strengths",
        "dosage_and_administration",
        "contraindications",
        "warnings_and_cautions",
        "pediatric_use",
        "clinical_pharmacology",
        "pharmacokinetics",
        "approval_number",
        "manufacturer",
    ]
    dosing = document.section("dosage_and_administration")
    assert dosing is not None
    assert "一次０．５ｇ，每６～８小时１次" in dosing.text
    assert "## 肾功能损害" in dosing.text
    assert "<caption>表１ 肾功能与剂量</caption>" in dosing.tables[0]
    assert all(section.text in WESTERN for section in document.sections)
    assert "【用法用量】项下" in text_of(document, "warnings_and_cautions")
    assert text_of(document, "clinical_pharmacology").strip() == "抑制细胞壁合成。"


def test_what_is_not_known_is_no_clear_statement() -> None:
    states = {s.key: s.state for s in read(WESTERN).sections}
    assert states["contraindications"] is SectionState.UNKNOWN
    assert states["pediatric_use"] is SectionState.UNKNOWN
    none = read(WESTERN.replace("## 【禁忌】\n\n尚不明确。", "## 【禁忌】\n\n无。"))
    assert {s.key: s.state for s in none.sections}["contraindications"] is SectionState.NONE


def test_a_traditional_medicine_holds_its_herbs_and_its_western_drug() -> None:
    document = read(TRADITIONAL, "text")
    (product,) = document.products
    assert [s.name for s in product.substances] == ["葛根", "地黄", "黄芪", "格列本脲"]
    assert product.substances[3].strength == "2.5mg"
    assert (product.form, product.routes, document.set_id) == ("丸", ("口服",), "nmpa-Z20191235")
    assert document.version.effective == date(2019, 11, 1)
    assert text_of(document, "drug_interactions") == "与磺酰脲类合用可致低血糖。\n"


def test_every_substance_has_a_verbatim_place() -> None:
    for text in (WESTERN, TRADITIONAL):
        document = read(text)
        for substance in document.products[0].substances:
            span = substance_span(document, substance.name)
            assert span is not None
            assert (span.quote, span.section) == (substance.name, "description")


@pytest.mark.parametrize("heading", ["【禁忌】", "## 【禁忌】", "[禁忌]", "禁忌：", "禁忌", "【禁 忌】", "［禁忌］", "**【禁忌】**", "# 禁忌", "【禁忌症】："])
def test_headings_in_all_shapes_open_the_section(heading: str) -> None:
    style = heading.replace("禁 忌", "禁忌").replace("禁忌症", "禁忌")
    text = f"{style.replace('禁忌', '适应症')}\n用于感染。\n\n{heading}\n过敏者禁用。\n\n{style.replace('禁忌', '不良反应')}\n皮疹。\n"
    assert text_of(read(text), "contraindications").strip() == "过敏者禁用。"


def test_a_reference_to_a_section_that_begins_a_line_is_no_heading() -> None:
    document = read(TRADITIONAL.replace("【批准文号】", "详见\n【用法用量】项下的说明。\n【批准文号】"))
    assert text_of(document, "drug_interactions").endswith("【用法用量】项下的说明。\n")


def test_headings_that_text_follows_on_the_line() -> None:
    text = "药品名称：样钠片\n成份：本品主要成份为样钠。\n适应症：用于感染。\n禁忌：过敏者禁用。\n注意事项：\n1、交叉过敏。\n2、肝功能不全：慎用。\n批准文号：国药准字H20081234\n"
    document = read(text)
    assert text_of(document, "contraindications") == "过敏者禁用。\n"
    assert text_of(document, "warnings_and_cautions") == "1、交叉过敏。\n2、肝功能不全：慎用。\n"
    assert document.products[0].generic_name == "样钠片"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("本品主要成份为样钠。", ["样钠"]),
        ("主要成份：盐酸样胍。化学名称：1,1-二甲基双胍盐酸盐。", ["盐酸样胍"]),
        ("本品主要成份及其化学名称为：盐酸样胍，化学名称：1,1-x", ["盐酸样胍"]),
        ("本品为复方制剂，其组份为：每片含样沙坦80mg，样地平5mg。", ["样沙坦", "样地平"]),
        ("每100ml含葡萄糖5g与氯化钠0.9g。", ["葡萄糖", "氯化钠"]),
        ("人参、麦冬；辅料为蜂蜜。", ["人参", "麦冬"]),
        ("附子（制）、甘草（蜜炙，去皮）。", ["附子", "甘草"]),
        ("三七、冰片，每丸重27mg。", ["三七", "冰片"]),
        ("本品由川芎、冰片组成。", ["川芎", "冰片"]),
        ("样钠", ["样钠"]),
        ("本品为白色片。", []),
        ("辅料：乳糖。", []),
    ],
)
def test_compositions_as_inserts_write_them(text: str, names: list[str]) -> None:
    composition = read_composition(text)
    assert ([s.name for s in composition.substances], composition.unread) == (names, None)


def test_a_composition_that_cannot_be_read_whole_names_no_product() -> None:
    document, notes = read_label_text(TRADITIONAL.replace("地黄、", "地黄等十味、"), "text")
    assert document.products == ()
    assert any(note.field == "description" and "地黄等十味" in note.reason for note in notes)


def test_a_plain_generic_name_tells_its_substance_and_a_compound_does_not() -> None:
    without = WESTERN[: WESTERN.index("## 【成 份】")] + WESTERN[WESTERN.index("## 【适 应 症】") :]
    assert [s.name for s in read(without).products[0].substances] == ["样西林"]
    assert read(without.replace("样西林胶囊", "复方样西林胶囊")).products == ()
    assert read(without.replace("H20191234", "Z20191234")).products == ()


@pytest.mark.parametrize(
    ("name", "form"),
    [("样片", "片"), ("样缓释片", "缓释片"), ("注射用样钠", "注射剂"), ("样滴丸", "滴丸"), ("样注射液（100ml）", "注射液"), ("片", None), ("样素", None)],
)
def test_the_form_is_the_last_word_of_the_generic_name(name: str, form: str | None) -> None:
    assert form_of_name(name) == form


def test_files_of_both_kinds_and_of_chinese_encodings_are_read(tmp_path: Path) -> None:
    for name, reader, encoding in (("a.md", MarkdownReader(), "utf-8"), ("a.txt", TextReader(), "gb18030"), ("b.txt", TextReader(), "utf-16")):
        path = tmp_path / name
        path.write_bytes(TRADITIONAL.encode(encoding))
        items = list(reader.read(DiskFile(path)))
        (document,) = [i for i in items if isinstance(i, Document)]
        assert document.kind == reader.kind
        assert text_of(document, "contraindications") == "1．孕妇禁用；\n2．对磺胺过敏者禁用。\n"


@given(st.text(st.sampled_from("本品主要成份为样钠、，。；（制）辅料含每片5mg\n和等"), max_size=60))
def test_substances_stand_verbatim_in_any_composition(text: str) -> None:
    composition = read_composition(text)
    assert all(s.name in text and "辅料" not in s.name for s in composition.substances)
    assert composition.unread is None or not composition.substances
