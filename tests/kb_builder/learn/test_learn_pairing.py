"""One-to-one pairing finds as many pairs as there can be."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from kb_builder.learn.pairing import pair


def most_pairs(candidates, columns):
    """By trying every order: the largest number of rows with a column of their own."""
    best = 0
    for order in permutations(range(len(candidates))):
        free = set(range(columns))
        count = 0
        for row in order:
            mine = [c for c in candidates[row] if c in free]
            if mine:
                free.discard(mine[0])
                count += 1
        best = max(best, count)
    return best


def test_a_row_gives_way_to_one_that_has_no_other_choice():
    assert pair([[0, 1], [0]]) == {0: 1, 1: 0}
    assert pair([[0, 1], [0, 2], [0]]) == {0: 1, 1: 2, 2: 0}


def test_what_cannot_be_paired_is_left_out():
    assert len(pair([[0], [0], []])) == 1
    assert pair([]) == {}


@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=4), max_size=5))
def test_pairs_are_allowed_unique_and_as_many_as_there_can_be(candidates):
    found = pair(candidates)
    assert all(column in candidates[row] for row, column in found.items())
    assert len(set(found.values())) == len(found)
    assert len(found) >= most_pairs(candidates, 5)


def test_long_chains_of_moves_are_followed():
    rows = [[i, i + 1] for i in range(3_000)] + [[0]]
    assert len(pair(rows)) == 3_001
