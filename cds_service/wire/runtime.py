"""What one process works with: release, policy, state, keys, background work; opened once, before workers fork."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.policy import Policy
from cds_service.answer.policy_names import require_known
from cds_service.answer.section_titles import SectionTitles
from cds_service.answering import Desk, answer_hash, question_of
from cds_service.audit.knowledge import VIEWS
from cds_service.audit.warm import warm_up as warm_audit
from cds_service.errors import ReplayImpossible, StateBroken
from cds_service.settings import Settings
from cds_service.state.protocol import ReadEntry, StateStore
from cds_service.state.site_key import SiteKey, site_key
from cds_service.state.sqlite import SqliteState
from cds_service.submit import CelerySubmitter, Submitter, ThreadSubmitter
from cds_service.tasks import run_task
from cds_service.web.ports import Replay
from ontology.model.identifiers import EntityId
from ontology.store.release import DOSSIERS_IN_MEMORY, Release

log = logging.getLogger(__name__)

WARM_SECONDS = 5.0
"""Longest time the start waits for dossiers to be decoded; the rest is decoded when an order needs it."""


@dataclass(slots=True)
class Runtime:
    """The parts of a running service. `state_fault` is the last failure of the state store, until it works again."""

    settings: Settings
    release: Release
    policy: Policy
    state: StateStore
    key: SiteKey
    links: EvidenceLinks
    submitter: Submitter
    state_fault: str | None = None
    titles: SectionTitles = field(init=False)

    def __post_init__(self) -> None:
        self.titles = SectionTitles(self.release)

    @property
    def desk(self) -> Desk:
        """Where questions are answered."""
        return Desk(self.release, self.release.terminology, self.policy, self.links, self.settings.public_url, self.titles.of)

    def recall(self, trace_id: str) -> Replay:
        """A past audit, computed again; the reading is logged. Raises TraceMissing, TraceUnreadable, ReplayImpossible or StateBroken."""
        trace = self.state.trace(trace_id)
        self.state.log_read(ReadEntry(datetime.now(UTC), "evidence link", trace_id, "evidence page"))
        answer = self.desk.replay(trace)
        if answer.fault is not None:
            raise ReplayImpossible(f"trace {trace_id} could not be computed again: {answer.fault}")
        if trace.base_url == self.settings.public_url and answer_hash(answer.cards) != trace.answer_hash:
            log.error("replay differs", extra={"trace": trace_id})
        verdict = self.state.verdict(trace_id)
        cards = [*answer.cards, *self.desk.shadow(question_of(trace), answer)]
        return Replay(trace_id, trace.service, trace.received, answer.prescription, answer.result, cards, self.release, verdict)

    def close(self) -> None:
        """Lets go of everything."""
        self.submitter.close()
        self.state.close()
        self.release.close()


def open_runtime(settings: Settings) -> Runtime:
    """The parts, opened. Raises SettingsError, StateBroken (no key can be kept), ReleaseDamaged and StoreError, each saying what to do.

    A state store that cannot be written is no reason not to answer: it is logged, and `/ready` says so.
    """
    key = site_key(settings.site_key.get_secret_value() if settings.site_key else None, settings.state)
    policy = Policy.load(settings.policy)
    release = Release.open(Path(settings.release), live=settings.live)
    require_known(policy, release.terminology)
    warm_up(release)
    state = SqliteState(settings.state, key, days=settings.trace_days, wait_ms=settings.state_wait_ms)
    links = EvidenceLinks(key.secret, settings.public_url, settings.trace_days)
    runtime = Runtime(settings, release, policy, state, key, links, _submitter(settings, key, release, state))
    try:
        state.probe()
        state.purge(datetime.now(UTC))
        state.close()
    except StateBroken as e:
        runtime.state_fault = str(e)
        log.error("state store is broken; answers are given and not stored")
    return runtime


def warm_up(release: Release, *, seconds: float = WARM_SECONDS) -> int:
    """Loads the terminology and, as far as the seconds reach, dossiers with the audit's index of them; returns how many.

    Done before workers fork, it is done once for all of them, their memory is shared, and no order waits for a first decoding.
    """
    end = time.monotonic() + seconds
    warm_audit(release.terminology)
    count = 0
    for subject in kept_subjects(release):
        if time.monotonic() >= end:
            break
        VIEWS.view(release, subject)
        count += 1
    return count


def kept_subjects(release: Release) -> Iterator[EntityId]:
    """The subjects whose dossiers stay in memory."""
    return iter(()) if release.live else islice(release.subjects(), DOSSIERS_IN_MEMORY)


def _submitter(settings: Settings, key: SiteKey, release: Release, state: StateStore) -> Submitter:
    if settings.broker_url is not None:
        return CelerySubmitter(settings.broker_url.get_secret_value(), key)

    def run(task: str, payload: Mapping[str, Any]) -> None:
        run_task(task, payload, release, state)

    return ThreadSubmitter(run)
