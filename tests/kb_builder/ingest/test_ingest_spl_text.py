"""Flat text of SPL elements: text nodes in order, lines where blocks end, numbers that stay what they were."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from kb_builder.ingest.spl_text import FlatText, outer_tables


def flat(inside: str) -> str:
    out = FlatText()
    out.add(etree.fromstring(f'<text xmlns="urn:hl7-org:v3">{inside}</text>'))
    return str(out)


def tables(inside: str) -> list[str]:
    return list(outer_tables(etree.fromstring(f'<text xmlns="urn:hl7-org:v3">{inside}</text>')))


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<paragraph>One  \n two</paragraph><paragraph>three</paragraph>", "One two\n\nthree"),
        ("<paragraph>see <linkHtml href='#a'>Dosage (<content styleCode='bold'>2.1</content>)</linkHtml>.</paragraph>", "see Dosage (2.1)."),
        ("<paragraph>one<br/>two</paragraph>", "one\ntwo"),
        ("<list><caption>Do not use</caption><item>a<list><item>b</item></list></item><item>c</item></list>", "Do not use\n\na\n\nb\n\nc"),
        ("<list><item><caption>1.</caption>first</item></list>", "1. first"),
        ("<table><caption>Doses</caption><tbody><tr><td>a</td><td>b</td></tr><tr><td/><td>c</td></tr></tbody></table>", "Doses\na b\nc"),
        ("<table><tr><td><paragraph>a</paragraph></td><td><paragraph>b</paragraph><paragraph>c</paragraph></td></tr></table>", "a b\nc"),
        ("<table><tr><td>rate<footnote ID='f'>May be slower.</footnote></td><td>next</td></tr></table>", "rate\nMay be slower.\nnext"),
        ("<paragraph>before</paragraph><renderMultiMedia referencedObject='x'/><paragraph>after</paragraph>", "before\n\nafter"),
        (
            "<paragraph>before<renderMultiMedia referencedObject='x'><caption>Figure 1</caption></renderMultiMedia>after</paragraph>",
            "before\n\nFigure 1\n\nafter",
        ),
        ("<paragraph>before<renderMultiMedia referencedObject='x'/>after</paragraph>", "before\n\nafter"),
        ("<paragraph>100\u00a0mg\u2009daily</paragraph>", "100 mg daily"),
    ],
)
def test_blocks_end_lines_and_cells_are_set_apart(inside: str, text: str) -> None:
    assert flat(inside) == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("14<sup>1</sup> mg", "14 1 mg"),
        ("5 mg<sup>a</sup> daily", "5 mg a daily"),
        ("10<sup>9</sup>/L", "10 9/L"),
        ("10<sup>-6</sup>", "10 -6"),
        ("75 mg/m<sup>2</sup> and 5 cm<sup>3</sup>", "75 mg/m2 and 5 cm3"),
        ("dose<sup>2</sup>", "dose 2"),
        ("20 mg<sup>a</sup>daily", "20 mg a daily"),
        ("BRAND<sup>®</sup> tablets", "BRAND® tablets"),
        ("C<sub>max</sub> and H<sub>2</sub>-blockers", "Cmax and H2-blockers"),
        ("level 5<sub>1</sub>0", "level 5 1 0"),
        ("14 <sup>‡</sup>", "14 ‡"),
    ],
)
def test_a_raised_mark_never_changes_a_number_or_a_word(inside: str, text: str) -> None:
    assert flat(f"<paragraph>{inside}</paragraph>") == text


_WORD = st.text(alphabet="ab1 \n\t\u00a0é药&<.", max_size=6).map(escape)
_INLINE = st.sampled_from(["content", "sup", "sub", "linkHtml", "paragraph", "item", "list", "table", "tr", "td", "th", "caption", "footnote", "text"])


def _element(parts: tuple[str, str, list[str], str]) -> str:
    name, text, inner, tail = parts
    return f"<{name}>{text}{''.join(inner)}</{name}>{tail}"


_XML = st.recursive(_WORD, lambda inner: st.tuples(_INLINE, _WORD, st.lists(inner, max_size=3), _WORD).map(_element), max_leaves=12)


@given(st.lists(_XML, max_size=4).map("".join))
def test_without_white_space_the_text_is_the_xmls_own(inside: str) -> None:
    text = flat(inside)
    independent = "".join(ElementTree.fromstring(f"<text>{inside}</text>").itertext())
    assert re.sub(r"\s+", "", text) == re.sub(r"\s+", "", independent)
    assert text == text.strip()
    assert not re.search(r"  | \n|\n |\n\n\n|\t", text)


class _Grid(HTMLParser):
    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_table_is_html_with_its_spans_marks_and_footnotes() -> None:
    (markup,) = tables(
        '<table width="9" onclick="x"><caption>T&lt;1</caption><thead><tr><th colspan="2" rowspan="x">A<footnote ID="f1">why</footnote></th></tr></thead>'
        '<tbody><tr><td rowspan="3">m<sup>2</sup><footnoteRef IDREF="f1"/></td><td><list listType="ordered"><item>i</item></list><br/></td></tr></tbody></table>'
    )
    tags = _Grid(markup).tags
    assert [tag for tag, _ in tags] == ["table", "caption", "thead", "tr", "th", "div", "tbody", "tr", "td", "sup", "a", "td", "ol", "li", "br"]
    assert tags[0][1] == {}
    assert tags[4][1] == {"colspan": "2"}
    assert tags[5][1] == {"class": "footnote", "id": "f1"}
    assert tags[8][1] == {"rowspan": "3"}
    assert tags[10][1] == {"class": "footnote", "href": "#f1"}
    assert "T&lt;1" in markup


def test_a_table_in_a_table_stays_inside_it() -> None:
    found = tables("<paragraph/><table><tr><td>o<table><tr><td>i</td></tr></table></td></tr></table><table><tr><td>z</td></tr></table>")
    assert ["i</td>" in markup for markup in found] == [True, False]
