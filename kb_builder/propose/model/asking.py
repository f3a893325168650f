"""Puts the requests of all conversations to a server, several at a time, and records the replies. Stops at once when it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable

from kb_builder.propose.model.errors import ModelError, ModelRefused, ReplyMissing
from kb_builder.propose.model.exchange import Answer, Conversation, Reply, Request, T
from kb_builder.propose.model.methods import METHODS
from kb_builder.propose.model.prompts import prompt_version
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.server import UNREACHED, ModelServer, open_server
from kb_builder.propose.model.settings import ModelSettings, endpoint, model_key
from kb_builder.propose.model.spent import Spent
from ontology.text.document import Document


def check_model(settings: ModelSettings) -> None:
    """Raises ModelError for settings that cannot work, before anything is read."""
    if settings.method not in METHODS:
        raise ModelError(f"--model-method {settings.method!r}: known are {', '.join(METHODS)}")
    if settings.url is not None:
        endpoint(settings.url)
        model_key(settings.url)
    elif settings.cache is None or not settings.cache.is_dir():
        raise ModelError(f"--model-replay {settings.cache}: no such folder of recorded replies")


def ask_all(
    documents: Iterable[tuple[Document, str | None]], settings: ModelSettings, recording: ReplyFolder, advance: Callable[[], None] = lambda: None
) -> Spent:
    """Asks about every document and drug (None: nothing to ask), one reply a request on disk afterwards; what it cost.

    Raises ModelRefused where the server is of no use, ReplyMissing where a replay lacks a reply, ModelError where replies cannot be written.
    """
    spent = Spent()
    if settings.url is None:
        asyncio.run(_ask_all(documents, settings, recording, None, spent, advance))
        return spent
    key = model_key(settings.url)

    async def live() -> None:
        async with open_server(settings, key, spent) as server:
            await _ask_all(documents, settings, recording, server, spent, advance)

    asyncio.run(live())
    if not spent.answered and spent.unanswered[UNREACHED]:
        raise ModelRefused(f"{endpoint(settings.url)} does not answer ({UNREACHED}); is the server running?")
    return spent


async def _ask_all(
    documents: Iterable[tuple[Document, str | None]],
    settings: ModelSettings,
    recording: ReplyFolder,
    server: ModelServer | None,
    spent: Spent,
    advance: Callable[[], None],
) -> None:
    desk = _Desk(settings, recording, server, spent)
    waiting: set[asyncio.Task[object]] = set()
    try:
        for document, drug in documents:
            if drug is not None:
                for conversation in METHODS[settings.method](document, drug, settings):
                    waiting.add(asyncio.create_task(_hold(conversation, desk.answer)))
                    if len(waiting) >= settings.at_once * 2:
                        waiting = await _some(waiting)
            advance()
        while waiting:
            waiting = await _some(waiting)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _some(waiting: set[asyncio.Task[object]]) -> set[asyncio.Task[object]]:
    """The tasks still open once at least one is done. Raises what one of those done raised."""
    done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    errors = [e for task in done if (e := task.exception()) is not None]
    if errors:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        raise errors[0]
    return pending


async def _hold(conversation: Conversation[T], answer: Callable[[Request], Awaitable[Answer]]) -> T:
    with contextlib.closing(conversation):
        try:
            request = next(conversation)
            while True:
                request = conversation.send(await answer(request))
        except StopIteration as end:
            result: T = end.value
            return result


class _Desk:
    """Answers requests from the recording first, then from the server."""

    def __init__(self, settings: ModelSettings, recording: ReplyFolder, server: ModelServer | None, spent: Spent) -> None:
        self._settings = settings
        self._recording = recording
        self._server = server
        self._spent = spent

    async def answer(self, request: Request) -> Answer:
        key = request.key(self._settings.model, prompt_version())
        recorded = self._recording.find(key)
        if recorded is not None:
            self._spent.count(recorded, reused=True)
            return recorded
        if self._server is None:
            raise ReplyMissing(
                f"{self._recording.folder} holds no readable reply for {request.place}, step {request.step} (model {self._settings.model}, key {key[:12]}); "
                "record again with --model-url and --model-cache"
            )
        answer = await self._server.ask(request)
        self._spent.count(answer, reused=False)
        if isinstance(answer, Reply):
            try:
                self._recording.keep(key, answer, model=self._settings.model, prompt_version=prompt_version(), step=request.step, place=request.place)
            except OSError as e:
                raise ModelError(f"replies cannot be written to {self._recording.folder}: {e}") from e
        return answer
