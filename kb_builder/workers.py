"""Extraction over many documents by worker processes; the order of results is the order asked for, whatever the number of workers.

Workers read documents and terms from the workspace, so only set ids travel to them and packed extractions back.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kb_builder.assemble.stances import Stance
from kb_builder.errors import BuilderError
from kb_builder.extraction import Extraction, Extractor
from kb_builder.propose.protocol import Proposer
from kb_builder.propose.registry import PROPOSERS
from kb_builder.workspace import Workspace, pack
from ontology.terms.terminology import Terminology

DOCUMENTS_A_WORKER = 16
"""Starting a worker costs as much as some labels; fewer labels than this are not worth one."""
_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Extracted:
    """A packed extraction, and what the run needs to know of it at once."""

    set_id: str
    packed: bytes
    known_product: bool
    stances: tuple[Stance, ...]
    proposed: Counter[str]
    rejected: Counter[str]
    dropped: Counter[str]
    repeated: int
    failed: tuple[tuple[str, str, str], ...]


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def extract_all(
    folder: Path, set_ids: Sequence[str], jobs: int, terminology: Terminology, proposers: Sequence[Proposer] = PROPOSERS
) -> Generator[Extracted, None, None]:
    """What each document gave, in the order of the ids. Proposers travel to the workers, so they hold plain values alone. Raises BuilderError when a worker dies."""
    workers = min(jobs, len(set_ids) // DOCUMENTS_A_WORKER)
    if workers <= 1:
        with Workspace(folder) as workspace, _standing(Extractor(terminology, proposers)) as extractor:
            for set_id in set_ids:
                yield _summary(extractor.extract(workspace.judging(set_id)))
        return
    yield from _in_processes(folder, set_ids, workers, tuple(proposers))


def _in_processes(folder: Path, set_ids: Sequence[str], workers: int, proposers: tuple[Proposer, ...]) -> Generator[Extracted, None, None]:
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start_worker, (str(folder), proposers))
    try:
        waiting: deque[Future[Extracted]] = deque()
        for set_id in set_ids:
            with _interrupts_blocked():
                waiting.append(pool.submit(_extract, set_id))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        pool.shutdown()
    except BrokenProcessPool as e:
        raise BuilderError("a worker process died (killed, or out of memory); try again with fewer --jobs") from e
    finally:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
            child.join()
        pool.shutdown(cancel_futures=True)  # after the workers: the pool's own thread then ends at once, and not while the interpreter shuts down


@contextmanager
def _standing(extractor: Extractor) -> Iterator[Extractor]:
    """The extractor while the garbage collector leaves it alone: names and terms are a million objects that stand until the end."""
    gc.collect()
    gc.freeze()
    try:
        yield extractor
    finally:
        gc.unfreeze()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Holds SIGINT back while a worker may start: it inherits the block for good, the parent gets the signal afterwards.

    Ctrl-C goes to the whole group; the parent ends its workers itself.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """What a worker process holds between documents."""

    workspace: Workspace
    extractor: Extractor


def _start_worker(folder: str, proposers: tuple[Proposer, ...]) -> None:
    _Worker.workspace = Workspace(Path(folder))
    _Worker.extractor = Extractor(Terminology.from_rows(_Worker.workspace.terms()), proposers)
    gc.freeze()


def _extract(set_id: str) -> Extracted:
    return _summary(_Worker.extractor.extract(_Worker.workspace.judging(set_id)))


def _summary(extraction: Extraction) -> Extracted:
    stances = tuple(g.stance for g in extraction.gated if g.stance is not None and g.claim.predicate != "indicated_for")
    return Extracted(
        set_id=extraction.set_id,
        packed=pack(extraction),
        known_product=extraction.subject is not None,
        stances=stances,
        proposed=extraction.proposed,
        rejected=extraction.rejected,
        dropped=extraction.dropped,
        repeated=extraction.repeated,
        failed=tuple(extraction.failed),
    )
