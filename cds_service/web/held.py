"""What a demo page remembers between two clicks, kept in the page itself: compressed and signed, so that nobody else can write it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jwt

from cds_service.answer.evidence_links import derived_key
from cds_service.web.exact_json import decode, encode

ALGORITHM = "HS256"
AUDIENCE = "demo"


@dataclass(frozen=True, slots=True)
class Held:
    """One signature: the drafts that were sent, the answer that came back, and what was done with each card since (card uuid -> words)."""

    patient: str
    instance: str
    drafts: Sequence[Mapping[str, Any]]
    status: int
    answer: str
    milliseconds: int
    settled: Mapping[str, str] = field(default_factory=dict)


class HeldPages:
    """Packs and unpacks what a page holds, under a key of its own."""

    def __init__(self, site_key: bytes) -> None:
        self._key = derived_key(site_key, "demo page 1")

    def pack(self, held: Held) -> str:
        """The value of a hidden field."""
        body = base64.b64encode(zlib.compress(encode(held))).decode()
        return jwt.encode({"aud": AUDIENCE, "held": body}, self._key, algorithm=ALGORITHM)

    def unpack(self, text: str) -> Held | None:
        """What the field holds, or None when this service did not write it."""
        try:
            body = jwt.decode(text, self._key, algorithms=[ALGORITHM], audience=AUDIENCE)["held"]
        except jwt.PyJWTError:
            return None
        return Held(**decode(zlib.decompress(base64.b64decode(body))))
