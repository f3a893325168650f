"""How a model is asked: server, name, limits, prices. The key comes from the environment alone and is no part of this."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from urllib.parse import urlsplit

from kb_builder.propose.model.errors import ModelError

KEY_VARIABLE = "PHARMGRAPH_MODEL_KEY"
DEFAULT_SECONDS = 60.0
DEFAULT_AT_ONCE = 4
DEFAULT_PASSAGE = 1_500
DEFAULT_REPLY_TOKENS = 1_024
DEFAULT_RETRIES = 4


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, and in which currency."""

    prompt: Decimal
    reply: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One frozen value a build. `url` None means replay: `cache` is then read and nothing is sent. `cache` None keeps replies for this build only."""

    model: str
    url: str | None = None
    cache: Path | None = None
    method: str = "two-pass"
    max_calls: int | None = None
    max_tokens: int | None = None
    seconds: float = DEFAULT_SECONDS
    retries: int = DEFAULT_RETRIES
    at_once: int = DEFAULT_AT_ONCE
    passage: int = DEFAULT_PASSAGE
    reply_tokens: int = DEFAULT_REPLY_TOKENS
    prices: Prices | None = None

    @property
    def replay(self) -> bool:
        """True when only recorded replies are used."""
        return self.url is None


def endpoint(url: str) -> str:
    """The address of chat completions below a server's URL, with or without its `/v1`. Raises ModelError for what is no http address."""
    parts = urlsplit(url.rstrip("/"))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelError(f"--model-url {url!r}: expected an address like http://127.0.0.1:8000 or https://models.example.org/v1")
    if parts.username or parts.password:
        raise ModelError(f"--model-url: give no password in the address; put the key into the environment as {KEY_VARIABLE}")
    path = parts.path.removesuffix("/chat/completions")
    path = path if path.endswith("/v1") else f"{path}/v1"
    return f"{parts.scheme}://{parts.netloc}{path}/chat/completions"


def model_key(url: str) -> str | None:
    """The key of the environment, or None. Raises ModelError where it would cross a network unencrypted."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        return None
    if not key.isascii() or not key.isprintable():
        raise ModelError(f"{KEY_VARIABLE} holds characters that no HTTP header can carry")
    if urlsplit(url).scheme != "https" and not _is_loopback(urlsplit(url).hostname or ""):
        raise ModelError(f"--model-url {url}: {KEY_VARIABLE} is set and would be sent unencrypted; use https, or unset it")
    return key


def read_prices(path: Path, model: str) -> Prices | None:
    """The prices of a model in a TOML table `[model] prompt = , reply = , currency = ` (per million tokens), None where it has no row. Raises ModelError."""
    try:
        row = tomllib.loads(path.read_text(encoding="utf-8")).get(model)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise ModelError(f"prices {path}: cannot be read: {e}") from e
    if row is None:
        return None
    try:
        return Prices(Decimal(str(row["prompt"])), Decimal(str(row["reply"])), str(row.get("currency", "USD")))
    except (KeyError, TypeError, AttributeError, InvalidOperation) as e:
        raise ModelError(f"prices {path}, [{model}]: expected numbers `prompt` and `reply` per million tokens; found {row!r}") from e


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
