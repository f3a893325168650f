"""Work that no answer waits for. `recheck` reads every quote of a past answer in the release again, at its offsets, and records the verdict."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from cds_service.audit.outcomes import AuditResult, EvidenceRef, Finding
from cds_service.errors import SettingsError
from cds_service.settings import Settings
from cds_service.state.protocol import StateStore, Verdict
from cds_service.state.site_key import site_key
from cds_service.state.sqlite import SqliteState
from cds_service.submit import TASK, celery_app, open_payload
from ontology.store.release import Release

log = logging.getLogger(__name__)

RECHECK = "recheck"

MOST_REMEMBERED = 20_000
_STOOD: WeakKeyDictionary[Release, set[tuple[Any, ...]]] = WeakKeyDictionary()
"""Quotes that were read and stood, by the release they stood in: a release does not change, so each is read once a process."""


def recheck_payload(trace_id: str, result: AuditResult) -> dict[str, Any]:
    """What `recheck` needs of an answer: the trace, and each quote with the place it was said to stand at."""
    refs = dict.fromkeys(e for r in result.results if isinstance(r, Finding) for e in r.evidence)
    return {"trace": trace_id, "quotes": [_place(e) for e in refs]}


def recheck(payload: Mapping[str, Any], release: Release, state: StateStore) -> Verdict:
    """The verdict on the quotes of a payload, recorded in state: each must be the section's text at its offsets, code point for code point."""
    quotes = [tuple(q) for q in payload["quotes"]]
    stood = _STOOD.setdefault(release, set())
    faults = _faults([q for q in quotes if q not in stood], release)
    if not faults:
        if len(stood) > MOST_REMEMBERED:
            stood.clear()
        stood.update(quotes)
    words = f"{len(quotes) - len(faults)} of {len(quotes)} quotes stand in the release at their offsets"
    verdict = Verdict(str(payload["trace"]), datetime.now(UTC), not faults, "; ".join((words, *faults[:3])))
    if faults:
        log.error("quotes do not stand", extra={"faults": len(faults), "release": release.id})
    state.save_verdict(verdict)
    return verdict


TASKS: Mapping[str, Callable[[Mapping[str, Any], Release, StateStore], object]] = {RECHECK: recheck}
"""Every task by name."""


def run_task(task: str, payload: Mapping[str, Any], release: Release, state: StateStore) -> None:
    """Runs a task by name. Raises KeyError on a name that is not in TASKS."""
    TASKS[task](payload, release, state)


def worker_app(settings: Settings) -> Any:
    """The Celery application of a worker, with the one task that runs all of ours on a release and a state store of its own.

    Raises SettingsError without a broker, ReleaseDamaged and StateBroken as they are found.
    """
    if settings.broker_url is None:
        raise SettingsError("no broker: give --broker URL, for example redis://127.0.0.1:6379/0")
    key = site_key(settings.site_key.get_secret_value() if settings.site_key else None, settings.state)
    release = Release.open(Path(settings.release))
    state = SqliteState(settings.state, key, days=settings.trace_days, wait_ms=10_000)
    app = celery_app(settings.broker_url.get_secret_value())

    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def run(task: str, sealed: str) -> None:
        run_task(task, open_payload(sealed, key), release, state)

    return app


def _place(ref: EvidenceRef) -> list[Any]:
    s = ref.span
    return [ref.claim, s.document, s.version, s.section, s.start, s.end, s.quote]


def _faults(quotes: Sequence[tuple[Any, ...]], release: Release) -> list[str]:
    """What is wrong with each quote that does not stand, in order; a section of several quotes is read once."""
    known = release.known_claims({q[0] for q in quotes})
    sections = {place: release.section(*place) for place in dict.fromkeys((q[1], q[2], q[3]) for q in quotes)}
    faults = []
    for claim_id, document, version, key, start, end, words in quotes:
        section = sections[document, version, key]
        if section is None:
            faults.append(f"claim {claim_id}: {document} {version} has no section {key}")
        elif section.text[start:end] != words:
            faults.append(f"claim {claim_id}: the text at {start}:{end} of {key} is another")
        elif claim_id and claim_id not in known:  # a label's own list of substances is quoted without a claim
            faults.append(f"claim {claim_id} is not in the release")
    return faults
