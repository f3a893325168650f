import pytest

from ontology.text.context import REFERENCE, blank_references, is_animal, is_hedged, is_narrative, is_negated


def test_blanking_keeps_every_offset():
    text = "avoid [see Warnings (5.1)] warfarin"
    blank = blank_references(text)
    assert len(blank) == len(text)
    assert blank[6] == REFERENCE
    assert blank.index("warfarin") == text.index("warfarin")


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("is not contraindicated", True),
        ("need not be contraindicated", True),
        ("is contraindicated", False),
        ("not in adults; contraindicated", False),
        ("no harm, but contraindicated", False),
    ],
)
def test_negation_stays_in_its_clause(text, negated):
    assert is_negated(text, text.index("contraindicated")) is negated


def test_kinds_of_statement():
    assert is_hedged("may increase")
    assert is_narrative("in healthy subjects")
    assert is_animal("in pregnant rabbits")
    assert not is_narrative("Avoid warfarin")
