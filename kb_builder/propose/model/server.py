"""An OpenAI-compatible server, asked politely: limits, time-outs, retries with back-off, and a format it accepts. Bodies and keys are never logged."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from kb_builder.propose.model.errors import ModelRefused
from kb_builder.propose.model.exchange import Answer, Reply, Request, Unanswered
from kb_builder.propose.model.settings import ModelSettings, endpoint
from kb_builder.propose.model.spent import Spent

LARGEST_BODY = 8_000_000
LONGEST_PAUSE = 60.0
_FIRST_PAUSE = 0.5
_UNREACHABLE = 3
"""Requests that may fail in a row before any was answered; then the server is taken for absent."""
_GIVE_UP = 20
"""Requests that may fail in a row later; then the rest is not asked."""
UNREACHED = "server: cannot be reached"
_LATE = b"server: no reply in time"
"""Tried again once: what was too long the second time is too long."""
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FORMAT_REFUSED = frozenset({400, 415, 422, 501})
_NO_USE = {401: "the key is missing or wrong", 403: "the key may not use it", 404: "there is no such address or model"}
_FORMATS = ("json_schema", "json_object", "plain")

Pause = Callable[[float], Awaitable[None]]


class _Bearer(httpx2.Auth):
    """The key as a header; without one, none is sent, a `.netrc` of the machine neither."""

    def __init__(self, key: str | None) -> None:
        self._key = key

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        if self._key is not None:
            request.headers["Authorization"] = f"Bearer {self._key}"
        yield request


class ModelServer:
    """Asks one server. Use `open_server`, which closes its connections."""

    def __init__(self, settings: ModelSettings, client: httpx2.AsyncClient, spent: Spent, pause: Pause) -> None:
        self._settings = settings
        self._client = client
        self._spent = spent
        self._pause = pause
        self._address = endpoint(settings.url or "")
        self._format = 0
        self._failures = 0
        self._answered = False
        self._places = asyncio.Semaphore(settings.at_once)

    async def ask(self, request: Request) -> Answer:
        """The reply, or why there is none. Raises ModelRefused where no request can succeed."""
        async with self._places:
            if self._failures >= _GIVE_UP:
                return Unanswered("not asked: the server failed too often")
            answer = await self._in_some_format(request)
        failed = isinstance(answer, Unanswered) and answer.reason.startswith("server:")
        self._failures = self._failures + 1 if failed else 0
        self._answered = self._answered or isinstance(answer, Reply)
        if failed and not self._answered and self._failures >= _UNREACHABLE:
            raise ModelRefused(f"{self._address} does not answer ({answer.reason if isinstance(answer, Unanswered) else ''}); is the server running?")
        return answer

    async def _in_some_format(self, request: Request) -> Answer:
        """Asks in the format that worked last; where the server refuses it, in looser ones."""
        answer: Answer = Unanswered("server: asked in no format")
        for number in range(self._format, len(_FORMATS)):
            status, answer = await self._retrying(request, _FORMATS[number])
            if status not in _FORMAT_REFUSED:
                if isinstance(answer, Reply):
                    self._format = max(self._format, number)
                return answer
        return answer

    async def _retrying(self, request: Request, form: str) -> tuple[int, Answer]:
        """Status (0 for no response) and answer, after as many tries as the settings allow."""
        status, answer, wait = 0, Unanswered(""), 0.0
        body = _body(self._settings.model, request, form)
        for attempt in range(self._settings.retries + 1):
            if attempt:
                self._spent.retries += 1
                await self._pause(max(wait, _FIRST_PAUSE * 2 ** (attempt - 1)) * random.uniform(1.0, 1.5))  # noqa: S311
            if (reason := self._spent.used_up(self._settings)) is not None:
                return 0, Unanswered(reason)
            status, answer_or_text, wait = await self._once(body)
            if status == 200:
                return status, _read(answer_or_text)
            if status in _NO_USE and not self._answered:
                raise ModelRefused(f"{self._address} answers {status}: {_NO_USE[status]}")
            answer = Unanswered(answer_or_text.decode() if status == 0 else f"server: status {status}")
            if (status and status not in _RETRIED) or (answer_or_text == _LATE and attempt):
                break
        return status, answer

    async def _once(self, body: bytes) -> tuple[int, bytes, float]:
        """Status, body and the pause that the server asks for; status 0 with the reason where no response came whole."""
        self._spent.calls += 1
        began = time.monotonic()
        try:
            async with (
                asyncio.timeout(self._settings.seconds),
                self._client.stream("POST", self._address, content=body, headers={"Content-Type": "application/json"}) as response,
            ):
                received = bytearray()
                async for piece in response.aiter_bytes():
                    received += piece
                    if len(received) > LARGEST_BODY:
                        return 0, b"server: reply too large", 0.0
                return response.status_code, bytes(received), _asked_pause(response.headers.get("retry-after"))
        except (TimeoutError, httpx2.TimeoutException):
            return 0, _LATE, 0.0
        except httpx2.ConnectError:
            return 0, UNREACHED.encode(), 0.0
        except httpx2.HTTPError:
            return 0, b"server: connection broke off", 0.0
        finally:
            self._spent.seconds += time.monotonic() - began


@asynccontextmanager
async def open_server(settings: ModelSettings, key: str | None, spent: Spent, pause: Pause = asyncio.sleep) -> AsyncIterator[ModelServer]:
    """The server of these settings, its connections closed afterwards."""
    limits = httpx2.Limits(max_connections=settings.at_once)
    async with httpx2.AsyncClient(auth=_Bearer(key), timeout=settings.seconds, limits=limits, follow_redirects=False) as client:
        yield ModelServer(settings, client, spent, pause)


def _body(model: str, request: Request, form: str) -> bytes:
    schema = {"type": "json_schema", "json_schema": {"name": request.step, "strict": True, "schema": request.schema}}
    told = {
        "model": model,
        "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
        "temperature": 0,
        "seed": 1,
        "max_tokens": request.reply_tokens,
    }
    formats: dict[str, dict[str, Any]] = {"json_schema": {"response_format": schema}, "json_object": {"response_format": {"type": "json_object"}}, "plain": {}}
    return json.dumps(told | formats[form], ensure_ascii=False).encode("utf-8", "replace")


def _read(body: bytes) -> Answer:
    """The reply in a chat completion, or why there is none."""
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        content = choice["message"]["content"]
        cut = choice.get("finish_reason") == "length"
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Unanswered("answer that is no chat completion")
    if not isinstance(content, str) or not content.strip():
        return Unanswered("empty reply")
    usage = data.get("usage")
    return Reply(content, cut, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def _asked_pause(value: str | None) -> float:
    """The seconds of a Retry-After header, bounded; 0 where it has none that can be read."""
    return min(float(value), LONGEST_PAUSE) if value is not None and value.strip().isdigit() and len(value) < 9 else 0.0
