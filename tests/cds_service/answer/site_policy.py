"""A site's policy folder as tests write it, and the answer to a case under it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from case_request import request_of
from case_world import case_world

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.policy import Policy
from cds_service.answering import Answer, Desk, Question
from cds_service.intake.request import open_request

SHIPPED = Path(__file__).parents[3] / "cds_service" / "answer" / "data"

RULE = {
    "id": "clari-simva",
    "drugs": ["clarithromycin"],
    "with": ["simvastatin"],
    "checks": ["interaction"],
    "grade": "permit",
    "statement": "Simvastatin is paused on the ward while clarithromycin is given",
    "source": "Committee minutes 2026-09, item 4",
    "signed_by": "Chief pharmacist",
    "signed_on": "2026-09-15",
    "expires": "2027-09-15",
}


def shipped_text(name: str, **replaced: str) -> str:
    """A shipped file with the value of the named settings changed."""
    text = (SHIPPED / name).read_text("utf-8")
    for setting, value in replaced.items():
        lines = [f"{setting.replace('_', '-')} = {value}" if line.split(" = ")[0] == setting.replace("_", "-") else line for line in text.splitlines()]
        assert lines != text.splitlines(), f"{name} has no {setting}"
        text = "\n".join(lines)
    return text


def modes_text(*more: str, **modes: str) -> str:
    """The shipped policy with other modes and rows below."""
    text = shipped_text("policy.toml", **{check: f'"{mode}"' for check, mode in modes.items()})
    return "\n".join((text.replace("[modes]", '[modes]\nwhy = "the checks are being introduced"') if modes else text, *more))


def practice_text(**changed: Any) -> str:
    """A practice file with one rule; a member that is None is left out."""
    rule = {k: v for k, v in {**RULE, **changed}.items() if v is not None}
    return "[[rule]]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in rule.items())


def site(folder: Path, **files: str) -> Policy:
    """The policy of a folder with these files (`practice` is `practice.toml`)."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    return Policy.load(folder)


def answer_under(policy: Policy, case: dict[str, Any], **envelope: Any) -> Answer:
    """The answer to a case under a policy; `hook`, `context` and `prefetch` add to the request."""
    body = request_of(case)
    body["hook"] = envelope.get("hook", body["hook"])
    for member in ("context", "prefetch"):
        body[member] = {**body[member], **envelope.get(member, {})}
    opened = open_request(json.loads(json.dumps(body), parse_float=Decimal, parse_int=Decimal))
    world = case_world()
    desk = Desk(world, world.terminology, policy, EvidenceLinks(b"k" * 32, "https://cds.example"), "https://cds.example", lambda _: None)
    return desk.answer(Question("t", "s", datetime(2026, 11, 1, 12, tzinfo=UTC), True, opened))


def raised(answer: Answer, category: str) -> list[tuple[str, str]]:
    """Drug and indicator of each finding of a category on the cards."""
    objects = (f for c in answer.cards for f in c["extension"]["org.pharmgraph.findings"])
    return [(f["drug"]["name"], f["indicator"]) for f in objects if f["kind"] == "finding" and f["category"] == category]
