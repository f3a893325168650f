from hypothesis import given
from hypothesis import strategies as st

from ontology.text.offsets import LINE, PARAGRAPH, fold

LABEL_TEXT = st.text(alphabet=st.sampled_from("abcXYZ 12.,;:()[]-–—‑’“”®™µ²³½ﬁｍｇ２．５，。禁用\n\u00a0\u200b\u00adİé"), max_size=120)


def quote(raw: str, words: str) -> str:
    shadow = fold(raw)
    at = shadow.text.index(words)
    start, end = shadow.raw_span(at, at + len(words))
    return raw[start:end]


def test_folds_what_labels_write_in_many_ways():
    assert fold("BSA 1.73 m 2 and P2Y 12 – “x” ﬁne ½ ｍｇ　２．５").text == 'BSA 1.73 m2 and P2Y12 - "x" fine 1/2 mg 2.5'


def test_a_match_in_the_shadow_maps_to_the_received_code_points():
    raw = "BSA  1.73 m 2 ﬁne ½ Plavix® tablets"
    assert quote(raw, "m2") == "m 2"
    assert quote(raw, "fine") == "ﬁne"
    assert quote(raw, "1/2") == "½"
    assert quote(raw, "Plavix tablets") == "Plavix® tablets"


def test_line_breaks_stay_apart_from_spaces():
    assert fold("a  b\nc\n\n d").text == f"a b{LINE}c{PARAGRAPH}d"


def test_lower_case_keeps_every_place():
    shadow = fold("İX Y")
    assert len(shadow.lower) == len(shadow.text)


@given(LABEL_TEXT)
def test_every_character_of_the_shadow_folds_from_its_raw_span(raw):
    shadow = fold(raw)
    for i, char in enumerate(shadow.text):
        if char.isspace():
            continue
        start, end = shadow.raw_span(i, i + 1)
        assert 0 <= start < end <= len(raw)
        assert char in fold(raw[start:end]).text


@given(LABEL_TEXT, st.data())
def test_raw_spans_grow_with_the_shadow(raw, data):
    shadow = fold(raw)
    first = data.draw(st.integers(0, len(shadow.text)))
    last = data.draw(st.integers(first, len(shadow.text)))
    start, end = shadow.raw_span(first, last)
    assert 0 <= start <= end <= len(raw)
    if shadow.text[first:last].strip():
        assert raw[start:end].strip() == raw[start:end]


def test_a_sentence_glued_to_the_word_before_it_is_parted_and_keeps_its_place():
    raw = "CYP2D6 InhibitorsNo dosage change is needed (mild)Reduce the dose. McDonald doNot iPLEDGE"
    shadow = fold(raw)
    assert shadow.text == f"CYP2D6 Inhibitors{PARAGRAPH}No dosage change is needed (mild){PARAGRAPH}Reduce the dose. McDonald doNot iPLEDGE"
    at = shadow.text.index("Reduce the dose")
    assert raw[slice(*shadow.raw_span(at, at + 15))] == "Reduce the dose"
    assert raw[slice(*shadow.raw_span(0, len(shadow.text)))] == raw
