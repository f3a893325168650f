"""A scripted server in a process of its own, and a label read through it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kb_builder.gate.agreement import AgreementGate
from kb_builder.gate.gates import judge
from kb_builder.gate.verdict import Verdict
from kb_builder.propose.model.asking import ask_all
from kb_builder.propose.model.proposer import ModelProposer
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.propose.model.spent import Spent
from kb_builder.propose.protocol import Dropped, Proposal
from ontology.model.claims import Claim

_SERVER = Path(__file__).parent / "scripted_server.py"


@dataclass
class Scripted:
    """A running server: its address and what it was asked."""

    url: str
    log: Path

    def asked(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()] if self.log.exists() else []


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Scripted]]:
    """Starts a scripted server: `serve(mentions=[turn, ...], relations=[turn, ...])`."""
    running: list[subprocess.Popen[str]] = []

    def start(**script: list[dict[str, Any]]) -> Scripted:
        number = len(running)
        (tmp_path / f"script{number}.json").write_text(json.dumps(script), encoding="utf-8")
        log = tmp_path / f"asked{number}.jsonl"
        process = subprocess.Popen([sys.executable, str(_SERVER), str(tmp_path / f"script{number}.json"), str(log)], stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        return Scripted(f"http://127.0.0.1:{int(process.stdout.readline())}", log)

    yield start
    for process in running:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@dataclass
class Read:
    """What asking about a label and replaying the replies gave."""

    spent: Spent
    proposals: list[Proposal] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def claims(self) -> list[Claim]:
        return [p.claim for p in self.proposals]

    @property
    def passed(self) -> list[Claim]:
        return [p.claim for p, v in zip(self.proposals, self.verdicts, strict=True) if v.passed]

    @property
    def refused(self) -> list[str]:
        return [f"{v.gate}: {v.reason}" for v in self.verdicts if not v.passed]


def settings_for(url: str | None, **more: Any) -> ModelSettings:
    return ModelSettings("tiny", url, **({"retries": 0, "seconds": 5.0} | more))


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Asks a server about a label, replays, and puts the proposals to the gates."""

    def run(label: Any, url: str | None, **more: Any) -> Read:
        settings = settings_for(url, **more)
        replies = ReplyFolder(settings.cache or tmp_path / "replies")
        out = Read(ask_all([(label.document, label.subject.name)], settings, replies))
        for item in ModelProposer(settings, replies).propose(label.document, label.subject, label.lexicon):
            if isinstance(item, Dropped):
                out.dropped[item.reason] += 1
            else:
                out.proposals.append(item)
        named = {e.id for p in out.proposals for e in p.entities}
        gate = AgreementGate(label.document, label.subject, label.lexicon)
        out.verdicts = [judge(p.claim, label.document, lambda e: e in named or ":uncoded:" not in str(e), gate) for p in out.proposals]
        return out

    return run
