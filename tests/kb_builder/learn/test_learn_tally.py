"""Figures made of counts."""

from kb_builder.learn.tally import Tally, macro


def test_figures_without_anything_are_zero():
    assert (Tally().precision, Tally().recall, Tally().f1) == (0.0, 0.0, 0.0)
    assert macro([]).mean == 0.0


def test_precision_is_over_what_is_said_and_recall_over_what_is_required():
    tally = Tally(required=10, found=4, said=8, right=6) + Tally(required=0, found=0, said=4, right=0)
    assert (tally.precision, tally.recall) == (0.5, 0.4)
    assert round(tally.f1, 4) == 0.4444


def test_the_interval_holds_the_mean_and_is_the_same_every_time():
    values = [(k * 0.61803) % 1 for k in range(1, 14)]
    spread = macro(values)
    assert spread.low < spread.mean < spread.high
    assert spread == macro(values)
    assert macro([0.5]).low == macro([0.5]).high == 0.5
