"""The shape of a wording."""

from hypothesis import given
from hypothesis import strategies as st

from kb_builder.learn.shapes import shape_of


def test_names_and_numbers_give_way_to_what_they_are():
    lower = "in adults avoid digoxin 20 to 40 mg with the product every day for weeks and years"
    at = lower.index("avoid")
    names = [(lower.index("digoxin"), lower.index("digoxin") + 7, "Ingredient")]
    assert shape_of(lower, at, names) == "in adults avoid <Ingredient> # mg with the"


def test_a_cue_inside_a_name_keeps_the_name():
    lower = "use in pregnancy is rare"
    at = lower.index("pregnancy")
    assert shape_of(lower, at, [(at, at + 9, "Condition")]) == "use in <Condition> is rare"


def test_equal_wordings_on_other_drugs_have_one_shape():
    one, other = "avoid digoxin with it", "avoid warfarin with it"
    assert shape_of(one, 0, [(6, 13, "Ingredient")]) == shape_of(other, 0, [(6, 14, "Ingredient")])


def test_of_two_names_that_overlap_the_first_counts():
    assert shape_of("avoid calcium carbonate now", 0, [(6, 23, "Ingredient"), (14, 23, "Allergen")]) == "avoid <Ingredient> now"


@given(st.text(), st.integers(0, 50), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9), st.just("Drug")), max_size=4))
def test_any_text_has_a_shape(text, cue, places):
    names = sorted((start, start + size, kind) for start, size, kind in places)
    assert isinstance(shape_of(text.lower(), cue, names), str)
