"""JSON in and out with exact numbers: 5.80 stays 5.80, and no float stands between."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_DECODER = msgspec.json.Decoder(float_hook=Decimal)


def encode(value: Any) -> bytes:
    """The value as JSON, UTF-8."""
    return _ENCODER.encode(value)


def decode(raw: bytes | str) -> Any:
    """The value of a JSON text. Raises msgspec.DecodeError."""
    return _DECODER.decode(raw)


def pretty(text: str) -> str:
    """JSON with indentation and its numbers as written, or the text itself when it is not JSON."""
    try:
        return msgspec.json.format(text, indent=2)
    except msgspec.DecodeError:
        return text
