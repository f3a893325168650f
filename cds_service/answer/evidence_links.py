"""Links to the evidence page: a signed, expiring token that names a trace and a card, and nothing of the patient."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cds_service.errors import LinkExpired, LinkForged, LinkMalformed

DEFAULT_DAYS = 30
LONGEST_TOKEN = 2000
ALGORITHM = "HS256"
AUDIENCE = "evidence"


@dataclass(frozen=True, slots=True)
class EvidenceLink:
    """What a link opens: the card of a trace, until it expires."""

    trace_id: str
    card: str
    expires: datetime


def derived_key(site_key: bytes, purpose: str) -> bytes:
    """32 bytes for one purpose, derived from the site key; keys of two purposes tell nothing of each other."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=f"pharmgraph {purpose}".encode()).derive(site_key)


class EvidenceLinks:
    """Signs and reads the links of one service. A link is a function of its inputs, so that a replayed answer carries the same ones."""

    def __init__(self, site_key: bytes, base_url: str, days: int = DEFAULT_DAYS) -> None:
        self._key = derived_key(site_key, "evidence link 1")
        self._base_url = base_url.rstrip("/")
        self._life = timedelta(days=days)

    def token(self, trace_id: str, card: str, issued: datetime) -> str:
        """The token for a card; it expires `days` after `issued`."""
        claims = {"t": trace_id, "c": card, "aud": AUDIENCE, "exp": int((issued + self._life).timestamp())}
        return jwt.encode(claims, self._key, algorithm=ALGORITHM)

    def url(self, trace_id: str, card: str, issued: datetime) -> str:
        """The absolute address of a card's evidence page, opened at the quoted sentence."""
        return f"{self._base_url}/evidence/{self.token(trace_id, card, issued)}#quote"

    def read(self, token: str) -> EvidenceLink:
        """What a token opens now. Raises LinkMalformed, LinkForged or LinkExpired."""
        if len(token) > LONGEST_TOKEN:
            raise LinkMalformed(f"the address holds {len(token)} characters where a link's token was expected; copy the whole link from the card")
        try:
            claims = jwt.decode(token, self._key, algorithms=[ALGORITHM], audience=AUDIENCE, options={"require": ["exp", "aud"]})
        except jwt.ExpiredSignatureError as error:
            raise LinkExpired("the link's time is over; open the order again to get a new one") from error
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidAudienceError) as error:
            raise LinkForged("this service did not sign the link; open it from a card of this service") from error
        except jwt.PyJWTError as error:
            raise LinkMalformed("the address does not hold a link's token; copy the whole link from the card") from error
        trace_id, card = claims.get("t"), claims.get("c")
        if not isinstance(trace_id, str) or not isinstance(card, str):
            raise LinkMalformed("the link names no trace and card")
        return EvidenceLink(trace_id, card, datetime.fromtimestamp(claims["exp"], UTC))
