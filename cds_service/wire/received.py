"""The bytes of a request, within the limit, whatever the client says about their number."""

from __future__ import annotations

import contextlib

from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected

from cds_service.errors import BodyIncomplete, BodyTooLarge, WrongContentType

DRAINED = 64 * 1024 * 1024
"""Bytes of an oversized body that are read and thrown away, so that the client hears the refusal and not a broken connection."""

CHUNK = 256 * 1024


def read_body(request: Request, limit: int) -> bytes:
    """The body. Raises WrongContentType for anything that is not JSON in UTF-8, BodyTooLarge beyond the limit, BodyIncomplete when it does not arrive whole."""
    fault = _unsupported(request)
    declared = request.content_length or 0
    parts: list[bytes] = []
    size = 0
    if fault is None and declared <= limit:
        while chunk := _more(request, CHUNK):
            size += len(chunk)
            if size > limit:
                break
            parts.append(chunk)
    if fault is not None or declared > limit or size > limit:
        _drain(request, size)
        raise fault or BodyTooLarge(f"the body is larger than the limit of {limit} bytes: send fewer prefetch data")
    if size < declared:
        raise BodyIncomplete(f"the body ended after {size} of {declared} bytes, or came too slowly")
    return b"".join(parts)


def _unsupported(request: Request) -> WrongContentType | None:
    kind = request.mimetype
    if kind and kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        return WrongContentType(f"content type {kind[:60]} is not read: send application/json", ("Content-Type",))
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if charset not in ("utf-8", "utf8", "us-ascii"):
        return WrongContentType(f"charset {charset[:20]} is not read: send UTF-8", ("Content-Type",))
    coding = request.headers.get("Content-Encoding", "identity").lower()
    if coding != "identity":
        return WrongContentType(f"content encoding {coding[:20]} is not read: send the body as it is", ("Content-Encoding",))
    return None


def _drain(request: Request, already: int) -> None:
    left = DRAINED - already
    with contextlib.suppress(BodyIncomplete):
        while left > 0 and (chunk := _more(request, min(CHUNK, left))):
            left -= len(chunk)


def _more(request: Request, size: int) -> bytes:
    try:
        return request.stream.read(size)
    except ClientDisconnected as e:
        raise BodyIncomplete("the body ended before its announced length") from e
    except (OSError, ParseException) as e:
        raise BodyIncomplete("the body is not framed as HTTP says, or its sender left") from e
