"""Progress: lines for a log, a bar for a terminal, and a line also for a stage that broke off."""

from __future__ import annotations

import io

import pytest

from kb_builder.progress import BarReporter, LineReporter, Reporter, reporter_for
from kb_builder.report import BuildReport, listed, told


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("kind", [LineReporter, BarReporter])
def test_every_stage_ends_in_a_line(kind: type[LineReporter | BarReporter]) -> None:
    out = io.StringIO()
    reporter: Reporter = kind(out)
    reporter.start("ingest", 3)
    reporter.advance(3)
    reporter.end("3 records")
    reporter.start("terms", None)
    reporter.end(None)
    lines = [line for line in out.getvalue().splitlines() if line.strip()]
    assert lines[-2].startswith("ingest     3 records (")
    assert lines[-1].startswith("terms      broke off (")


def test_a_terminal_gets_a_bar_and_a_log_gets_lines() -> None:
    assert isinstance(reporter_for(Terminal()), BarReporter)
    assert isinstance(reporter_for(io.StringIO()), LineReporter)


def test_counts_and_lists_as_a_person_reads_them() -> None:
    assert told({"labels": 1006, "refused": 0, "older_versions": 2}) == "1,006 labels, 2 older versions"
    assert told({}) == "nothing"
    lines = listed("refused", [str(n) for n in range(25)])
    assert (lines[0], lines[1], lines[-1], len(lines)) == ("refused: 25", "  0", "  and 5 more", 22)
    assert listed("refused", []) == []
    assert BuildReport().lines()[1].startswith("0 claims released")
