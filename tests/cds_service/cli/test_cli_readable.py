import click
from hypothesis import given
from hypothesis import strategies as st

from cds_service.cli.readable import plain_text, render_cards

CARD = {
    "uuid": "u",
    "summary": "Ibuprofen with warfarin: avoid",
    "indicator": "warning",
    "detail": "**Ibuprofen** raises \\*bleeding\\* &lt;INR&gt;, see [the label](https://x).",
    "source": {"label": "Warfarin tablets", "topic": {"code": "interaction", "display": "Interaction"}},
    "suggestions": [{"label": "Remove the order"}],
    "links": [{"label": "Evidence", "url": "http://x/evidence/t", "type": "absolute"}],
    "extension": {
        "org.pharmgraph.findings": [{"evidence": [{"quote": "Avoid NSAIDs.", "section": "drug_interactions"}, {"quote": "Avoid NSAIDs.", "section": "x"}]}]
    },
}


def test_a_card_is_readable_without_markup() -> None:
    said = click.unstyle(render_cards([CARD]))
    assert said.splitlines()[0] == "[WARNING] Ibuprofen with warfarin: avoid  (Interaction)"
    assert "Ibuprofen raises *bleeding* <INR>, see the label." in said
    assert said.count("“Avoid NSAIDs.”") == 1
    assert "Suggestion: Remove the order" in said
    assert "Evidence: http://x/evidence/t" in said
    assert "http" not in render_cards([CARD], links=False)


def test_no_cards_is_a_sentence() -> None:
    assert render_cards([]).startswith("No cards")


def test_the_least_a_card_can_have() -> None:
    assert click.unstyle(render_cards([{"summary": "s"}])) == "[INFO] s"


@given(st.text())
def test_any_markdown_is_taken(text: str) -> None:
    render_cards([{"summary": text, "detail": text}])
    plain_text(text)
