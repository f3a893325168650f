"""The site key: 32 bytes that patient data in state and queues are encrypted with and evidence links are signed with."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import logging
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cds_service.errors import SettingsError, StateBroken

log = logging.getLogger(__name__)

KEY_FILE = "site.key"
LENGTH = 32


@dataclass(frozen=True, slots=True)
class SiteKey:
    """The key; its bytes never show in a representation."""

    secret: bytes = field(repr=False)

    def cipher(self, purpose: str) -> Fernet:
        """A cipher for one purpose; keys of two purposes tell nothing of each other."""
        return Fernet(base64.urlsafe_b64encode(self._derived(purpose)))

    def index(self, purpose: str) -> Callable[[str], str]:
        """Turns words into what they can be looked up by and nobody without the key can tell or guess them from."""
        key = self._derived(purpose)
        return lambda words: hmac.new(key, words.encode(), hashlib.sha256).hexdigest()

    def _derived(self, purpose: str) -> bytes:
        return HKDF(algorithm=hashes.SHA256(), length=LENGTH, salt=None, info=f"pharmgraph {purpose}".encode()).derive(self.secret)


def site_key(setting: str | None, folder: Path) -> SiteKey:
    """The key from the setting, else from the state folder's key file, which is made with mode 0600 on first start.

    Raises SettingsError when what is there is not a key of 32 bytes in base64, StateBroken when the folder cannot be used.
    """
    if setting is not None:
        return SiteKey(_decode(setting, "the setting site_key"))
    path = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and _create(path):
            log.warning("made a site key: without it stored traces cannot be read, so keep a copy", extra={"file": str(path)})
        if path.stat().st_mode & 0o077:
            raise SettingsError(f"{path} can be read by others; run: chmod 600 {path}")
        return SiteKey(_decode(path.read_text("ascii"), str(path)))
    except UnicodeDecodeError as e:
        raise SettingsError(f"{path} is not a key; restore it from a copy") from e
    except OSError as e:
        raise StateBroken(f"state folder {folder} cannot be used: {e.strerror}; choose another with --state, or make room") from e


def _create(path: Path) -> bool:
    """Writes a new key whole or not at all; False when another process was first."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(base64.urlsafe_b64encode(os.urandom(LENGTH)) + b"\n")
            f.flush()
            os.fsync(f.fileno())
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink(missing_ok=True)
    return True


def _decode(text: str, where: str) -> bytes:
    try:
        secret = base64.urlsafe_b64decode(text.strip())
    except (binascii.Error, ValueError) as e:
        raise SettingsError(f"{where} is not base64; a key is 32 random bytes in base64: openssl rand -base64 32 | tr '+/' '-_'") from e
    if len(secret) != LENGTH:
        raise SettingsError(f"{where} holds {len(secret)} bytes, a key has {LENGTH}: openssl rand -base64 32 | tr '+/' '-_'")
    return secret
