"""How a long run shows where it is: a bar on a terminal, else one line a stage."""

from __future__ import annotations

import sys
import time
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Reporter(Protocol):
    """Is told about stages; `end` always follows `start`, also when the stage fails."""

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins; `total` is the number of steps where known."""
        ...

    def advance(self, steps: int = 1) -> None:
        """Steps were done."""
        ...

    def end(self, told: str | None) -> None:
        """The stage is over; `told` says what came out, None when it broke off."""
        ...


class SilentReporter:
    """Says nothing."""

    def start(self, stage: str, total: int | None) -> None:
        """Nothing."""

    def advance(self, steps: int = 1) -> None:
        """Nothing."""

    def end(self, told: str | None) -> None:
        """Nothing."""


class LineReporter:
    """One line a stage, with its seconds."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._stage = ""
        self._since = 0.0

    def start(self, stage: str, total: int | None) -> None:
        """Starts the clock."""
        self._stage, self._since = stage, time.monotonic()

    def advance(self, steps: int = 1) -> None:
        """Nothing: a log needs no steps."""

    def end(self, told: str | None) -> None:
        """The stage's line."""
        seconds = time.monotonic() - self._since
        print(f"{self._stage:10} {told or 'broke off'} ({seconds:.1f} s)", file=self._stream, flush=True)


class BarReporter:
    """A bar with the rest of the time, and the stage's line when it is over."""

    def __init__(self, stream: TextIO) -> None:
        self._lines = LineReporter(stream)
        self._console = Console(file=stream)
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def start(self, stage: str, total: int | None) -> None:
        """Shows the bar."""
        self._lines.start(stage, total)
        columns = (TextColumn(f"{stage:10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._task = self._progress.add_task(stage, total=total)
        self._progress.start()

    def advance(self, steps: int = 1) -> None:
        """Moves the bar."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, steps)

    def end(self, told: str | None) -> None:
        """Takes the bar away and prints the line."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
        self._lines.end(told)


def reporter_for(stream: TextIO | None = None) -> Reporter:
    """A bar on a terminal, lines elsewhere; on standard error by default."""
    stream = stream or sys.stderr
    return BarReporter(stream) if stream.isatty() else LineReporter(stream)
