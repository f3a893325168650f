"""Traces, feedback and acknowledgements as encrypted bytes, and back."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from cds_service.errors import TraceUnreadable
from cds_service.state.protocol import Acknowledgement, Offer, Trace

T = TypeVar("T")

FAST = 1
"""Compression level: a body shrinks to a fifth in a fraction of a millisecond; higher levels gain little on JSON."""


class _Head(msgspec.Struct, frozen=True):
    """What stands before the request in a sealed trace."""

    service: str
    received: datetime
    release: str
    policy: str
    base_url: str
    use_request_time: bool
    answer_hash: str
    acknowledgements: tuple[Acknowledgement, ...] = ()


def seal_trace(trace: Trace, cipher: Fernet) -> bytes:
    """The trace, compressed and encrypted: a line of JSON about it, then the request as received."""
    head = _Head(trace.service, trace.received, trace.release, trace.policy, trace.base_url, trace.use_request_time, trace.answer_hash, trace.acknowledgements)
    return cipher.encrypt(zlib.compress(msgspec.json.encode(head) + b"\n" + trace.request, FAST))


def open_trace(trace_id: str, sealed: bytes, cipher: Fernet) -> Trace:
    """The trace in sealed bytes. Raises TraceUnreadable when the key is another one or the bytes are damaged."""
    try:
        head, _, request = zlib.decompress(cipher.decrypt(sealed)).partition(b"\n")
        read = msgspec.json.decode(head, type=_Head)
    except (InvalidToken, zlib.error, msgspec.MsgspecError) as e:
        raise TraceUnreadable(f"trace {trace_id} does not open with this site key: the key was changed, or the trace is damaged") from e
    return Trace(
        trace_id,
        read.service,
        read.received,
        read.release,
        read.policy,
        read.base_url,
        read.use_request_time,
        request,
        read.answer_hash,
        read.acknowledgements,
    )


def seal_offers(offers: Sequence[Offer], cipher: Fernet) -> bytes:
    """The offers of one card, encrypted."""
    return cipher.encrypt(msgspec.json.encode(offers))


def open_offers(sealed: bytes, cipher: Fernet) -> tuple[Offer, ...]:
    """The offers in sealed bytes. Raises TraceUnreadable."""
    return _decode(sealed, cipher, tuple[Offer, ...])


def seal_acknowledgement(given: Acknowledgement, cipher: Fernet) -> bytes:
    """The acknowledgement, encrypted."""
    return cipher.encrypt(msgspec.json.encode(given))


def open_acknowledgement(sealed: bytes, cipher: Fernet) -> Acknowledgement:
    """The acknowledgement in sealed bytes. Raises TraceUnreadable."""
    return _decode(sealed, cipher, Acknowledgement)


def _decode(sealed: bytes, cipher: Fernet, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(open_bytes(sealed, cipher), type=kind)
    except msgspec.MsgspecError as e:
        raise TraceUnreadable("stored data are damaged") from e


def seal_bytes(body: bytes, cipher: Fernet) -> bytes:
    """The bytes, encrypted."""
    return cipher.encrypt(body)


def open_bytes(sealed: bytes, cipher: Fernet) -> bytes:
    """The bytes in sealed ones. Raises TraceUnreadable."""
    try:
        return cipher.decrypt(sealed)
    except InvalidToken as e:
        raise TraceUnreadable("stored data do not open with this site key: the key was changed, or they are damaged") from e
