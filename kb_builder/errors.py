"""Errors of the builder, and the exit code each ends a command with.

BuilderError                 1
├── ReleaseFaulty            1   `check` found faults
├── NothingFound             1   `why` found no claim
├── PolicyError              2   a release policy that cannot be read
├── SourceError
│   ├── NothingReadable      3   not one document could be read from the sources
│   ├── SourcesRefused       4   under --strict: something was refused, or a proposer failed
│   └── SourceChanged        8   a source has shrunk or changed its shape since the ledger's last run
├── OutputError              5   the output exists and is no release, the disk is full, permission denied
├── ReleaseUnusable          6   the release to read is missing, truncated or of another format
├── LedgerError              7   the ledger cannot be read or written
├── GoldError                9   a gold file or a set of sentences that cannot be read
└── ModelError              10   a model cannot be asked, or a replay lacks a reply (kb_builder.propose.model.errors)

Interrupted, a KeyboardInterrupt, so that nothing that handles errors takes it for one: 130 for SIGINT, 143 for SIGTERM.
0 is success; 2 is also what wrong usage of the command line gives.
"""

from __future__ import annotations

from typing import ClassVar


class BuilderError(Exception):
    """Root of the builder's error tree."""

    exit_code: int = 1


class ReleaseFaulty(BuilderError):
    """A release whose spans, references or projection do not stand."""


class NothingFound(BuilderError):
    """No claim answers the question."""


class PolicyError(BuilderError):
    """A release policy that cannot be read; says which key and what it may hold."""

    exit_code = 2


class SourceError(BuilderError):
    """Root of what the sources raise."""


class NothingReadable(SourceError):
    """Not one document could be read."""

    exit_code = 3


class SourcesRefused(SourceError):
    """Under --strict, something was refused."""

    exit_code = 4


class SourceChanged(SourceError):
    """A source that has shrunk or changed its shape since the last recorded run."""

    exit_code = 8


class OutputError(BuilderError):
    """The output could not be written; nothing is left behind."""

    exit_code = 5


class ReleaseUnusable(BuilderError):
    """A release that cannot be opened."""

    exit_code = 6


class LedgerError(BuilderError):
    """A ledger that is missing, of another format, or cannot be written."""

    exit_code = 7


class GoldError(BuilderError):
    """A gold file or a set of sentences that cannot be read; says the file, the line and what is wrong there."""

    exit_code = 9


class Interrupted(KeyboardInterrupt):
    """The run was stopped by a signal; nothing is left behind."""

    of_signal: ClassVar[dict[str, int]] = {"SIGINT": 130, "SIGTERM": 143}

    def __init__(self, signal_name: str) -> None:
        super().__init__(f"stopped by {signal_name}; nothing was written")
        self.exit_code = self.of_signal.get(signal_name, 130)
