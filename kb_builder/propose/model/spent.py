"""What asking a model has cost so far, and whether a budget is used up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from kb_builder.propose.model.exchange import Answer, Reply
from kb_builder.propose.model.settings import ModelSettings, Prices

_MILLION = Decimal(1_000_000)


@dataclass(slots=True)
class Spent:
    """Counts of one build. `calls`, `retries`, `seconds` and the tokens paid for are of this run; the rest is the same for a replay."""

    requests: int = 0
    answered: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    calls: int = 0
    retries: int = 0
    reused: int = 0
    seconds: float = 0.0
    paid_prompt_tokens: int = 0
    paid_reply_tokens: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)

    def used_up(self, settings: ModelSettings) -> str | None:
        """Why no further call may be made, or None."""
        if settings.max_calls is not None and self.calls >= settings.max_calls:
            return "not asked: the budget of calls is used up"
        if settings.max_tokens is not None and self.paid_prompt_tokens + self.paid_reply_tokens >= settings.max_tokens:
            return "not asked: the budget of tokens is used up"
        return None

    def count(self, answer: Answer, *, reused: bool) -> None:
        """Takes in the answer to one request."""
        self.requests += 1
        self.reused += reused
        if not isinstance(answer, Reply):
            self.unanswered[answer.reason] += 1
            return
        self.answered += 1
        self.prompt_tokens += answer.prompt_tokens
        self.reply_tokens += answer.reply_tokens
        if not reused:
            self.paid_prompt_tokens += answer.prompt_tokens
            self.paid_reply_tokens += answer.reply_tokens

    def counts(self) -> dict[str, int]:
        """What the same documents and replies always give."""
        return {
            "requests": self.requests,
            "answered": self.answered,
            "prompt tokens": self.prompt_tokens,
            "reply tokens": self.reply_tokens,
            **{f"unanswered, {reason}": n for reason, n in sorted(self.unanswered.items())},
        }

    def cost(self, prices: Prices) -> Decimal:
        """What the calls of this run cost."""
        return (self.paid_prompt_tokens * prices.prompt + self.paid_reply_tokens * prices.reply) / _MILLION

    def line(self, settings: ModelSettings) -> str:
        """The costs for a person."""
        text = (
            f"model {settings.model}: {self.calls:,} calls, {self.retries:,} of them retries, {self.reused:,} of {self.requests:,} replies recorded before; "
            f"{self.paid_prompt_tokens:,} tokens sent, {self.paid_reply_tokens:,} received, {self.seconds:,.0f} seconds of waiting"
        )
        return text if settings.prices is None else f"{text}; {self.cost(settings.prices):.4f} {settings.prices.currency}"
