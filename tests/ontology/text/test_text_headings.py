import pytest

from ontology.text.headings import heading_end


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Bromocriptine Concomitant administration of octreotide", "Bromocriptine "),
        ("Strong CYP3A Inhibitors A strong CYP3A4/P-gp inhibitor increased", "Strong CYP3A Inhibitors "),
        ("Effect of Other Drugs on VIZIMPRO Concomitant use with a", "Effect of Other Drugs on VIZIMPRO "),
        ("Nonsteroidal Anti-Inflammatory Drugs (NSAIDs) In some patients", "Nonsteroidal Anti-Inflammatory Drugs (NSAIDs) "),
        ("Maalox (aluminum hydroxide, magnesium hydroxide) The mean", "Maalox (aluminum hydroxide, magnesium hydroxide) "),
        ("Coumarin Anticoagulants: Obtain INR before", "Coumarin Anticoagulants: "),
        ("Bronchospastic Disease PATIENTS WITH ASTHMA SHOULD NOT RECEIVE BETA-BLOCKERS.", "Bronchospastic Disease "),
        ("PATIENTS WITH ASTHMA SHOULD NOT RECEIVE Toprol tablets", ""),
        ("Avoid concomitant use of", ""),
        ("ZOCOR may increase", ""),
        ("In patients taking warfarin", ""),
    ],
)
def test_where_a_heading_ends(text, heading):
    assert text[: heading_end(text, 0, len(text), [], [])] == heading


def test_no_boundary_cuts_a_name():
    text = "Avoid St. John's wort, which lowers the INR."
    assert not 6 < heading_end(text, 0, len(text), [(6, 21)], []) < 21


def test_the_products_own_name_may_begin_the_sentence():
    text = "Vitamin K Antagonists XELODA increases exposure"
    assert heading_end(text, 0, len(text), [(0, 21)], [22]) == 22


def test_a_sentence_whose_last_word_alone_could_begin_one_has_no_heading() -> None:
    text = "Avoid NSAIDs with ZEBREX."
    assert heading_end(text, 0, len(text), [], [text.index("ZEBREX")]) == 0
