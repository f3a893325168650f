"""Texts of hostile size are cut and searched for tables in a time that grows with their length."""

from __future__ import annotations

import time

from ontology.text.sentences import split_units
from ontology.text.tables.pipes import MAX_PIPES, MAX_ROWS, read_pipes

LIMIT = 20.0
"""Seconds; what grows with the square of the length takes minutes at these sizes."""


def test_long_runs_of_blanks_and_lines_are_cut_in_time() -> None:
    began = time.monotonic()
    for run in (" " * 400_000, " \n" * 200_000, "\u2029" + " " * 400_000):
        units = split_units(f"Take one tablet.{run}Avoid alcohol.")
        assert [(unit.end - unit.start) for unit in units] == [16, 14]
    assert time.monotonic() - began < LIMIT


def test_a_drawn_table_beyond_all_size_is_none() -> None:
    row = "| a | b |\n"
    assert len(list(read_pipes(row * 10))) == 1
    assert not list(read_pipes(row * (MAX_ROWS + 1)))
    assert not list(read_pipes("|" * (MAX_PIPES + 1)))
