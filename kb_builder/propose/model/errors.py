"""Errors of asking a model. What a model answers never raises; only what makes asking pointless does.

BuilderError
└── ModelError          10
    ├── ReplyMissing    10   a replay asks for a reply that was not recorded, or cannot be read
    └── ModelRefused    10   the server refuses every request: wrong key, no such model, no such address
"""

from __future__ import annotations

from kb_builder.errors import BuilderError


class ModelError(BuilderError):
    """Root of what asking a model raises."""

    exit_code = 10


class ReplyMissing(ModelError):
    """A reply that a replay needs is not in the recording."""


class ModelRefused(ModelError):
    """The server refuses in a way that no retry mends."""
