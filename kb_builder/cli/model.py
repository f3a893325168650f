"""The options of `kb-builder build` that let a language model propose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kb_builder.propose.model.methods import METHODS
from kb_builder.propose.model.settings import (
    DEFAULT_AT_ONCE,
    DEFAULT_PASSAGE,
    DEFAULT_REPLY_TOKENS,
    DEFAULT_RETRIES,
    DEFAULT_SECONDS,
    KEY_VARIABLE,
    ModelSettings,
    read_prices,
)

F = TypeVar("F", bound=Callable[..., Any])

_FOLDER = click.Path(file_okay=False, path_type=Path)
_OPTIONS = (
    click.option(
        "--model-url", metavar="URL", help=f"OpenAI-compatible server that may propose claims too; its key is read from {KEY_VARIABLE}. Off unless given."
    ),
    click.option("--model", "model_name", metavar="NAME", help="The model to ask for, or whose recorded replies to use."),
    click.option("--model-cache", type=_FOLDER, metavar="DIR", help="Folder that keeps replies; what it holds is not asked again."),
    click.option("--model-replay", type=_FOLDER, metavar="DIR", help="Use recorded replies alone and send nothing; a missing one fails the build."),
    click.option("--model-method", type=click.Choice(list(METHODS)), default="two-pass", show_default=True, help="How to ask; the others are for comparison."),
    click.option("--model-max-calls", type=click.IntRange(min=0), metavar="N", help="Calls that may be made; the rest is not asked."),
    click.option("--model-max-tokens", type=click.IntRange(min=0), metavar="N", help="Tokens, sent and received, after which no more calls are made."),
    click.option(
        "--model-timeout", type=click.FloatRange(min=0.1), default=DEFAULT_SECONDS, show_default=True, metavar="SECONDS", help="Longest wait for a reply."
    ),
    click.option("--model-retries", type=click.IntRange(min=0, max=20), default=DEFAULT_RETRIES, show_default=True, help="Tries after one that failed."),
    click.option("--model-at-once", type=click.IntRange(min=1, max=256), default=DEFAULT_AT_ONCE, show_default=True, help="Requests under way at one time."),
    click.option("--model-passage", type=click.IntRange(min=200), default=DEFAULT_PASSAGE, show_default=True, help="Characters of label text in one request."),
    click.option("--model-reply-tokens", type=click.IntRange(min=16), default=DEFAULT_REPLY_TOKENS, show_default=True, help="Longest reply."),
    click.option(
        "--model-prices", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE", help="TOML with prices per million tokens, by model."
    ),
)


def model_options(command: F) -> F:
    """The command with the model's options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def model_settings(
    *,
    model_url: str | None,
    model_name: str | None,
    model_cache: Path | None,
    model_replay: Path | None,
    model_method: str,
    model_max_calls: int | None,
    model_max_tokens: int | None,
    model_timeout: float,
    model_retries: int,
    model_at_once: int,
    model_passage: int,
    model_reply_tokens: int,
    model_prices: Path | None,
) -> ModelSettings | None:
    """The settings, or None where no model takes part. Raises UsageError for options that do not go together."""
    if model_url is None and model_replay is None:
        if model_name is not None or model_cache is not None:
            raise click.UsageError("--model and --model-cache need --model-url, or --model-replay to use recorded replies")
        return None
    if model_url is not None and model_replay is not None:
        raise click.UsageError("--model-url asks and --model-replay does not: give one of them")
    if model_replay is not None and model_cache is not None:
        raise click.UsageError("--model-replay only reads; --model-cache goes with --model-url")
    if not model_name or not model_name.strip():
        raise click.UsageError("--model: say which model is asked")
    return ModelSettings(
        model=model_name.strip(),
        url=model_url,
        cache=model_cache or model_replay,
        method=model_method,
        max_calls=model_max_calls,
        max_tokens=model_max_tokens,
        seconds=model_timeout,
        retries=model_retries,
        at_once=model_at_once,
        passage=model_passage,
        reply_tokens=model_reply_tokens,
        prices=read_prices(model_prices, model_name.strip()) if model_prices is not None else None,
    )
