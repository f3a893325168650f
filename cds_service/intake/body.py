"""The bytes of a request to a JSON object, with the limits checked before anything is built from them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from cds_service.errors import BodyTooDeep, BodyTooLarge, NotJson

MAX_BYTES = 10 * 1024 * 1024
MAX_DEPTH = 64

_STRUCTURE = bytes(c for c in range(256) if c not in b'"[]{}')
_STRING = re.compile(rb'"[^"]*"')


def decode_body(raw: bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> dict[str, Any]:
    """The request's JSON object; numbers with a fraction or exponent are Decimal, as written.

    Raises BodyTooLarge, BodyTooDeep or NotJson, each saying what the limit or the place is.
    """
    if len(raw) > max_bytes:
        raise BodyTooLarge(f"the body has {len(raw)} bytes, the limit is {max_bytes}: send fewer prefetch data")
    if deeper_than(raw, max_depth):
        raise BodyTooDeep(f"the body is nested deeper than {max_depth} levels")
    try:
        body = _DECODER.decode(raw.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as e:
        raise BodyTooDeep(f"the body is nested deeper than {max_depth} levels") from e
    except (msgspec.MsgspecError, UnicodeError) as e:
        raise NotJson(f"the body is not JSON: {_place(str(e))}") from e
    if not isinstance(body, dict):
        raise NotJson("the body is not a JSON object")
    return body


def deeper_than(raw: bytes, depth: int) -> bool:
    """Whether balanced JSON nests deeper than this; text that is not balanced may give either answer and is no JSON anyway.

    Escapes, everything but structure, and then strings are removed, those without brackets first; each turn takes off the innermost level.
    """
    structure = raw.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _STRUCTURE).replace(b'""', b"")
    brackets = _STRING.sub(b"", structure) if b'"' in structure else structure
    if re.search(rb"[\[{]{%d}" % (depth + 1), brackets):
        return True
    for _ in range(depth):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b" ").replace(b"{}", b" ").replace(b" ", b"")
    balanced = brackets.count(b"[") == brackets.count(b"]") and brackets.count(b"{") == brackets.count(b"}")
    return balanced and bool(brackets)


def _read_number(written: str) -> Decimal | str:
    """The number as written; one outside the range of decimals stays text, which no reader takes for a value."""
    try:
        return Decimal(written)
    except InvalidOperation:
        return written


def _place(message: str) -> str:
    """The decoder's words without text of the body; it quotes single characters at most."""
    return message.removeprefix("JSON is malformed: ")


_DECODER = msgspec.json.Decoder(float_hook=_read_number)
