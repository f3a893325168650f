"""What goes to a model and what comes back, apart from how it travels."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One question. `step` names its part in the conversation, `place` the passage (for messages to people); neither is sent."""

    step: str
    place: str
    system: str
    user: str
    schema: dict[str, Any]
    reply_tokens: int

    def key(self, model: str, prompt_version: str) -> str:
        """Hex SHA-256 over everything the reply depends on: model, prompt version, the words sent and the schema."""
        told = [model, prompt_version, self.step, self.system, self.user, self.schema, self.reply_tokens]
        return sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model wrote. `cut` is True where it stopped at the limit of tokens."""

    content: str
    cut: bool = False
    prompt_tokens: int = 0
    reply_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No reply: why."""

    reason: str


Answer = Reply | Unanswered
Conversation = Generator[Request, Answer, T]
"""Yields requests, is sent their answers, returns what it made of them. It does no input or output and never raises on any answer."""


def hold(conversation: Conversation[T], answer: Callable[[Request], Answer]) -> T:
    """What a conversation makes of the answers that a function gives at once."""
    try:
        request = next(conversation)
        while True:
            request = conversation.send(answer(request))
    except StopIteration as end:
        result: T = end.value
        return result
