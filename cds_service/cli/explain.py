"""`explain`: a past answer, computed again from its trace and compared with what was sent."""

from __future__ import annotations

import getpass
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.policy import Policy
from cds_service.answer.section_titles import SectionTitles
from cds_service.answering import Answer, Desk, answer_hash
from cds_service.audit.outcomes import Clear, Finding, Gap, NotEvaluated, Result
from cds_service.cli.exits import DIFFERS, sentences
from cds_service.cli.readable import render_cards
from cds_service.settings import PREFIX
from cds_service.state.protocol import ReadEntry, Trace, Verdict
from cds_service.state.site_key import site_key
from cds_service.state.sqlite import SqliteState
from cds_service.wire.outcomes import encode
from ontology.store.release import Release


@click.command()
@click.argument("trace_id", metavar="TRACE")
@click.option("--state", "folder", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False), help="State folder of the service.")
@click.option("--release", required=True, type=click.Path(path_type=Path), help="The release that the answer was given from.")
@click.option("--policy", type=click.Path(path_type=Path), help="The site policy of that time.")
@click.option("--json", "as_json", is_flag=True, help="Print the steps and cards as JSON.")
@sentences
def explain(trace_id: str, folder: Path, release: Path, policy: Path | None, as_json: bool) -> None:
    """Computes a past answer again and says how it came about; exit 1 when it differs from what was sent."""
    key = site_key(os.environ.get(f"{PREFIX}SITE_KEY"), folder)
    state = SqliteState(folder, key, wait_ms=5000)
    trace = state.trace(trace_id)
    state.log_read(ReadEntry(datetime.now(UTC), getpass.getuser(), trace_id, "explain"))
    with Release.open(release) as knowledge:
        links = EvidenceLinks(key.secret, trace.base_url)
        answer = Desk(knowledge, knowledge.terminology, Policy.load(policy), links, trace.base_url, SectionTitles(knowledge).of).replay(trace)
    same = answer_hash(answer.cards) == trace.answer_hash
    verdict = state.verdict(trace_id)
    click.echo(encode(_report(trace, answer, same, verdict)).decode() if as_json else _readable(trace, answer, same, verdict))
    if not same:
        raise SystemExit(DIFFERS)


def _report(trace: Trace, answer: Answer, same: bool, verdict: Verdict | None) -> dict[str, Any]:
    return {
        "trace": trace.id,
        "service": trace.service,
        "received": trace.received.isoformat(),
        "release": trace.release,
        "policy": trace.policy,
        "same": same,
        **({"quotes": {"sound": verdict.sound, "words": verdict.words, "checked": verdict.checked.isoformat()}} if verdict else {}),
        "retrieval": {kind: state.value for kind, state in answer.prescription.retrieval.items()},
        "issues": [{"where": i.where, "what": i.what, "kind": i.kind} for i in answer.prescription.issues],
        "steps": [{"stage": s.stage, "what": s.what, "refs": list(s.refs)} for s in answer.result.steps],
        "cards": answer.cards,
    }


def _readable(trace: Trace, answer: Answer, same: bool, verdict: Verdict | None) -> str:
    p = answer.prescription
    lines = [
        f"trace    {trace.id}",
        f"received {trace.received.isoformat(timespec='seconds')}  service {trace.service}",
        f"release  {trace.release}",
        f"policy   {trace.policy}",
        f"answer   {'the same as was sent' if same else 'DIFFERS from what was sent'}",
        f"quotes   {verdict.words if verdict else 'not read again yet'}",
        "",
        "data     " + ", ".join(f"{kind} {state.value}" for kind, state in p.retrieval.items()),
        *(f"unused   {i.where}: {i.what}" for i in p.issues),
        *(f"order    {o.reference}  {o.role.value}, {o.intent.value}: {o.text}" for o in p.orders),
        "",
        *(f"{s.stage:10} {s.what}  {' '.join(s.refs)}".rstrip() for s in answer.result.steps),
        "",
        *(f"result     {_result(r)}" for r in answer.result.results),
        "",
        render_cards(answer.cards, links=False),
    ]
    return "\n".join(lines)


def _result(result: Result) -> str:
    match result:
        case Finding():
            return (
                f"finding {result.check} {result.drug.name} / {result.other.name if result.other else '-'}: {result.action.value} by {', '.join(result.rules)}"
            )
        case Gap():
            return f"gap {result.check} {result.drug.name}: {result.question} (needs {', '.join(result.needs)})"
        case NotEvaluated():
            return f"not evaluated {result.check} {result.drug.name}: {result.message}"
        case Clear():
            return f"clear {result.check} {result.drug.name}"
