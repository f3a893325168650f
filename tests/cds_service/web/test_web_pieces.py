"""The parts of the pages that only compute: marked text, the picture, words, typed orders."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.audit.outcomes import NotEvaluatedReason, PathStep
from cds_service.intake.prescription import KINDS, Retrieval
from cds_service.web.demo_cards import render_markdown
from cds_service.web.demo_chart import age_on, unit_words
from cds_service.web.exact_json import decode, encode, pretty
from cds_service.web.marked_text import cut, language_of
from cds_service.web.picture import BOX, PADDING, describe, draw, wrap
from cds_service.web.typed_order import read_typed
from cds_service.web.wording import need_for, words_for
from ontology.model.advice import Action
from ontology.model.facts import NEED_OF_AXIS
from ontology.model.spans import Span, SpanRole


@st.composite
def marked(draw):
    text = draw(st.text(alphabet=st.characters(codec="utf-8"), min_size=4, max_size=60))
    spans = []
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        if text[start:end].strip():
            spans.append(Span("d", "1", "s", start, end, text[start:end], draw(st.sampled_from(list(SpanRole)))))
    return text, spans


@given(marked())
def test_pieces_joined_give_the_text_back(case) -> None:
    text, spans = case
    assert "".join(p.text for p in cut(text, spans)) == text


@given(marked())
def test_every_statement_is_marked_and_begins_at_its_anchor(case) -> None:
    text, spans = case
    names = [f"q{n}" for n in range(len(spans))]
    pieces = cut(text, spans, names)
    place, begins, roles = 0, {}, []
    for piece in pieces:
        if piece.anchor:
            begins[piece.anchor] = place
        roles += [piece.role] * len(piece.text)
        place += len(piece.text)
    for name, at in begins.items():
        assert spans[int(name[1:])].start == at
    for span in spans:
        if span.role is SpanRole.STATEMENT:
            assert set(roles[span.start : span.end]) == {SpanRole.STATEMENT}
    assert len(begins) == len({s.start for s in spans})


def test_a_span_that_quotes_something_else_is_left_out() -> None:
    assert [p.role for p in cut("abcdef", [Span("d", "1", "s", 1, 3, "xx")])] == [None]


@pytest.mark.parametrize(("text", "language"), [("出血风险增加", "zh"), ("INR 升高", "zh"), ("warfarin (华法林)", "en"), ("", "en"), ("12 %", "en")])
def test_the_language_of_a_quote(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs", "Zs", "Cc"]), min_size=1, max_size=80))
def test_wrapped_words_fit_and_lose_nothing(text: str) -> None:
    assert "".join(wrap(text, BOX - 2 * PADDING)).replace(" ", "") == "".join(text.split()).replace(" ", "")


def test_a_chain_is_drawn_along_its_path_whatever_its_directions() -> None:
    (picture,) = draw([PathStep("warfarin", "interacts with", "NSAIDs", "c1"), PathStep("ibuprofen", "belongs_to", "NSAIDs")])
    assert [n.words for n in picture.nodes] == ["warfarin", "NSAIDs", "ibuprofen"]
    assert [(a.words, a.claim) for a in picture.arrows] == [("interacts with", "c1"), ("belongs to", None)]


def test_a_chain_given_out_of_order_is_drawn_in_order() -> None:
    (picture,) = draw([PathStep("b", "r", "c"), PathStep("a", "r", "b")])
    assert [n.words for n in picture.nodes] == ["c", "b", "a"]


def test_each_argument_has_a_picture_of_its_own() -> None:
    direct = [PathStep("a", "interacts with", "b"), PathStep("b", "interacts with", "a")]
    by_role = [PathStep("b", "interacts with", "strong inhibitor"), PathStep("a", "is a", "strong inhibitor")]
    by_class = [PathStep("b", "interacts with", "macrolides"), PathStep("a", "belongs to", "macrolides")]
    pictures = draw([*direct, *by_role, *by_class])
    assert [[n.words for n in p.nodes] for p in pictures] == [["a", "b"], ["b", "a"], ["b", "strong inhibitor", "a"], ["b", "macrolides", "a"]]


def test_steps_that_form_no_chain_are_all_drawn() -> None:
    (picture,) = draw([PathStep("a", "r", "b"), PathStep("c", "r", "b"), PathStep("d", "r", "b")])
    assert {n.words for n in picture.nodes} == {"a", "b", "c", "d"}
    assert len({(a.path, a.head) for a in picture.arrows}) == 3


def test_a_line_never_runs_through_a_box() -> None:
    (picture,) = draw([PathStep("a", "r", "b"), PathStep("c", "r", "b"), PathStep("long " * 60, "r", "b")])
    straight = [a for a in picture.arrows if " V " in a.path]
    assert len(straight) == 2


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), min_size=1, max_size=8))
def test_any_steps_give_pictures_whose_boxes_do_not_touch(pairs) -> None:
    pictures = draw([PathStep(a, "relates to", b) for a, b in pairs])
    assert sum(len(p.arrows) for p in pictures) == len(pairs)
    for picture in pictures:
        assert all(upper.y + upper.height < lower.y for upper, lower in pairwise(picture.nodes))
        assert picture.nodes[-1].y + picture.nodes[-1].height <= picture.height
        assert all(0 <= a.y <= picture.height for a in picture.arrows)


def test_no_steps_no_picture() -> None:
    assert draw([]) == ()


def test_the_picture_is_described_in_words() -> None:
    assert describe([PathStep("a", "belongs_to", "b"), PathStep("b", "is a", "c")]) == "a belongs to b; b is a c."


@pytest.mark.parametrize(
    ("group", "values"), [("action", Action), ("reason", NotEvaluatedReason), ("retrieval", Retrieval), ("kind", KINDS), ("role", SpanRole)]
)
def test_every_machine_value_has_words(group: str, values) -> None:
    table = tomllib.loads(files("cds_service.web").joinpath("data/wording.toml").read_text("utf-8"))[group]
    assert set(table) >= {str(v) for v in values}
    assert words_for("action", "contraindicated").startswith("the label")


def test_every_need_says_how_to_supply_it() -> None:
    needs = {n for row in NEED_OF_AXIS.values() for n in row} | {"allergies", "conditions", "medications", "observations", "drug-identity"}
    assert not [n for n in needs if need_for(n).supply == "Not stated."]
    assert need_for("lab:potassium").title == "Laboratory value: potassium"
    assert need_for("moon-phase").title == "Moon phase"


@given(st.text(max_size=200))
def test_rendered_markdown_never_holds_what_runs(text: str) -> None:
    shown = str(render_markdown(f"{text}\n\n<script>x</script> <img src=x onerror=alert(1)> [l](javascript:x) ![i](https://evil.example/i.png)"))
    assert "<script" not in shown
    assert "<img" not in shown
    assert 'href="javascript' not in shown


def test_numbers_survive_json_as_written() -> None:
    assert encode(decode(b'{"a":5.80,"b":1}')) == b'{"a":5.80,"b":1}'
    assert '"a": 5.80' in pretty('{"a":5.80}')
    assert pretty("<html>") == "<html>"


@given(st.dictionaries(st.sampled_from(["drug", "dose", "unit", "frequency", "route", "as_needed"]), st.text(max_size=30)))
def test_any_typed_form_is_read(form: dict[str, str]) -> None:
    order = read_typed(form)
    assert order.blank or order.faults or order.drug


@pytest.mark.parametrize("dose", ["0", "-1", "NaN", "Infinity", "1e99", "two", "1,5"])
def test_a_dose_that_is_no_amount_is_a_fault(dose: str) -> None:
    assert "dose" in read_typed({"drug": "aspirin", "dose": dose}).faults


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


PAIRS = [
    *((ink, ground) for ink in ("ink", "soft", "accent", "critical", "warning", "info") for ground in ("paper", "sheet")),
    ("critical", "critical-wash"),
    ("warning", "warning-wash"),
    ("info", "info-wash"),
    ("ink", "info-wash"),
    ("ink", "critical-wash"),
    ("ink", "mark"),
    ("ink", "part"),
    ("paper", "accent"),
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme: int, ink: str, ground: str) -> None:
    sheet = files("cds_service.web").joinpath("static/pharmgraph.css").read_text("utf-8")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", sheet.split(":root")[1 + scheme].split("}")[0]))
    darker, lighter = sorted((luminance(colours[ink]), luminance(colours[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_ages_and_units_in_words() -> None:
    today = date(2026, 11, 30)
    assert age_on("2022-07-19", today) == "4 years"
    assert age_on("2026-05-31", today) == "5 months"
    assert age_on("1960", today) is None
    assert age_on(None, today) is None
    assert unit_words("mL/min/{1.73_m2}") == "mL/min/1.73 m2"
