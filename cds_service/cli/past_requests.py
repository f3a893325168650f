"""The stored requests of a state folder that a release can answer again, one after another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path

from rich.console import Console
from rich.progress import track

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.policy import Policy
from cds_service.answering import Desk, Question, question_of
from cds_service.errors import RequestRefused, StateBroken, TraceUnreadable
from cds_service.settings import PREFIX
from cds_service.state.protocol import Trace
from cds_service.state.site_key import SiteKey, site_key
from cds_service.state.sqlite import DATABASE, SqliteState
from ontology.store.release import Release


@dataclass(slots=True)
class PastRequests:
    """The traces of a state folder. After the walk `seen`, `of_other_releases` and `unreadable` count them; `policies` counts by the policy they were answered with."""

    folder: Path
    release: Release
    since: date | None = None
    seen: int = 0
    of_other_releases: int = 0
    unreadable: int = 0
    policies: dict[str, int] = field(default_factory=dict)
    key: SiteKey = field(init=False)
    state: SqliteState = field(init=False)

    def __post_init__(self) -> None:
        if not (self.folder / DATABASE).is_file():
            raise StateBroken(f"{self.folder} holds no {DATABASE}; give the folder that the service has as --state")
        self.key = site_key(os.environ.get(f"{PREFIX}SITE_KEY"), self.folder)
        self.state = SqliteState(self.folder, self.key, wait_ms=5000)

    def walk(self) -> Iterator[tuple[Trace, Question]]:
        """Each trace of this release with its question, oldest first, under a progress bar on standard error."""
        start = datetime.combine(self.since, time.min, UTC) if self.since is not None else None
        for trace_id in track(self.state.trace_ids(start), "traces", console=Console(stderr=True), transient=True):
            try:
                trace = self.state.trace(trace_id)
                if trace.release != self.release.id:
                    self.of_other_releases += 1
                    continue
                question = question_of(trace)
            except (TraceUnreadable, RequestRefused):
                self.unreadable += 1
                continue
            self.seen += 1
            self.policies[trace.policy] = self.policies.get(trace.policy, 0) + 1
            yield trace, question

    def desk(self, policy: Policy) -> Desk:
        """A desk that judges them under a policy; it writes no cards."""
        return Desk(self.release, self.release.terminology, policy, EvidenceLinks(self.key.secret, ""), "", lambda _: None)

    def lines(self) -> list[str]:
        """What was read and what was not, in sentences."""
        said = [f"{self.seen} traces of release {self.release.id} read"]
        if self.of_other_releases:
            said.append(f"{self.of_other_releases} traces of other releases left out: give their release to see them")
        if self.unreadable:
            said.append(f"{self.unreadable} traces could not be opened: was the site key changed?")
        return said
