"""The state store, whatever keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """An override that quiets one problem until it expires: hashes of the problem and of the facts it was given for, when, and why."""

    problem: str
    facts: str
    given: datetime
    expires: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What overriding a card would acknowledge: for whom (patient, encounter and role), which problem on which facts, for how many days."""

    card: str
    service: str
    whose: str
    problem: str
    facts: str
    days: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The inputs of one audit and the hash of its answer; everything else is computed again from them.

    `request` is the body as received, `acknowledgements` are those that held when it came in. `release` and `policy` are the ids of what it was judged by, `base_url` what its links begin with.
    """

    id: str
    service: str
    received: datetime
    release: str
    policy: str
    base_url: str
    use_request_time: bool
    request: bytes
    answer_hash: str
    acknowledgements: tuple[Acknowledgement, ...] = ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a client reported about a card; `body` is the item as received, in JSON."""

    card: str
    service: str
    received: datetime
    body: bytes


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the background re-reading of a trace's quotes found."""

    trace: str
    checked: datetime
    sound: bool
    words: str


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """Who read which trace, when and for what."""

    at: datetime
    who: str
    trace: str
    purpose: str


class StateStore(Protocol):
    """Keeps traces, feedback, acknowledgements, verdicts and the log of reads. Every method raises StateBroken when the store cannot read or write."""

    def save_trace(self, trace: Trace, offers: Sequence[Offer] = ()) -> None:
        """Keeps the trace, and what its cards may be acknowledged as, for the days the store was opened with."""
        ...

    def trace(self, trace_id: str) -> Trace:
        """The trace with this id. Raises TraceMissing, or TraceUnreadable when the site key does not open it."""
        ...

    def trace_ids(self, since: datetime | None = None) -> tuple[str, ...]:
        """The ids of all traces that came in at the instant or later, oldest first."""
        ...

    def save_feedback(self, items: Sequence[Feedback]) -> int:
        """Keeps the items, all or none; an item that is already there is not kept twice. Returns how many were new."""
        ...

    def feedback(self, card: str) -> tuple[Feedback, ...]:
        """The feedback on a card, oldest first."""
        ...

    def acknowledge(self, card: str, service: str, reason: str, now: datetime) -> int:
        """Keeps what overriding the card of this service acknowledges. Returns how many problems; a card acknowledges once, however often it is reported."""
        ...

    def acknowledgements(self, whose: str, now: datetime) -> tuple[Acknowledgement, ...]:
        """The acknowledgements of these that have not expired, by problem."""
        ...

    def save_verdict(self, verdict: Verdict) -> None:
        """Keeps the verdict in place of an earlier one on the same trace."""
        ...

    def verdict(self, trace_id: str) -> Verdict | None:
        """The verdict on a trace, or None."""
        ...

    def log_read(self, entry: ReadEntry) -> None:
        """Keeps an entry of the log of reads."""
        ...

    def reads(self, trace_id: str) -> tuple[ReadEntry, ...]:
        """The log's entries on a trace, oldest first."""
        ...

    def purge(self, now: datetime) -> int:
        """Removes what is older than the days the store was opened with. Returns how many traces went."""
        ...

    def probe(self) -> None:
        """Nothing, when the store can be written."""
        ...

    def close(self) -> None:
        """Lets go of the store."""
        ...
