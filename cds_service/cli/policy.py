"""`policy check` and `policy dry-run`: what a site's policy folder changes, before it is used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from cds_service.answer.outlook import Change, ChangeKind, changes, outlook
from cds_service.answer.policy import Policy
from cds_service.answer.policy_changes import policy_changes
from cds_service.answer.policy_names import require_known, words_only
from cds_service.answering import Question
from cds_service.cli.exits import sentences
from cds_service.cli.past_requests import PastRequests
from cds_service.wire.outcomes import encode
from ontology.store.release import Release

SHOWN_IDS = 10
"""Trace ids in a line of the readable report; `--json` has all."""

_FOLDER = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")


@click.group()
def policy() -> None:
    """Checks a site policy folder and tries it on past requests."""


@policy.command()
@_FOLDER
@click.option("--release", type=click.Path(path_type=Path), help="Also look up the drugs and classes that it names in this release.")
@click.option("--on", "day", type=click.DateTime(["%Y-%m-%d"]), help="The day that practice rules are judged by (today).")
@_JSON
@sentences
def check(folder: Path, release: Path | None, day: datetime | None, as_json: bool) -> None:
    """Validates a policy folder and prints what it changes against the shipped policy."""
    site, today = Policy.load(folder), _day(day)
    found, remarks = policy_changes(site, Policy.shipped(), today), list[str]()
    if release is not None:
        with Release.open(release) as knowledge:
            require_known(site, knowledge.terminology)
            remarks = list(words_only(site, knowledge.terminology))
    if as_json:
        click.echo(encode({"policy": site.id, "name": site.name, "changes": found, "remarks": remarks}).decode())
        return
    click.echo(f"policy {site.name} ({site.id}) can be used")
    click.echo("\n".join(f"  {line}" for line in found) if found else "  it says what the shipped policy says")
    if remarks or release is None:
        click.echo("\n".join(f"note: {r}" for r in (remarks or ["names of drugs and classes were not looked up; give --release to do so"])))


@policy.command("dry-run")
@_FOLDER
@click.option("--state", "state", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False), help="State folder of the service.")
@click.option("--release", required=True, type=click.Path(path_type=Path), help="The release that the answers were given from.")
@click.option("--policy", "against", type=click.Path(path_type=Path), help="The policy to compare with (the shipped one).")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Leave out older traces.")
@click.option("--on", "day", type=click.DateTime(["%Y-%m-%d"]), help="The day that practice rules are judged by (today).")
@_JSON
@sentences
def dry_run(folder: Path, state: Path, release: Path, against: Path | None, since: datetime | None, day: datetime | None, as_json: bool) -> None:
    """Answers past requests again with a policy and prints which cards would appear, vanish or change; nothing is stored."""
    new, old, today = Policy.load(folder), Policy.load(against), _day(day)
    with Release.open(release) as knowledge:
        for each in (new, old):
            require_known(each, knowledge.terminology)
        past = PastRequests(state, knowledge, since.date() if since is not None else None)
        found = {trace.id: made for trace, question in past.walk() if (made := _differences(past, question, old, new, today))}
    report = _report(past, found, old, new)
    click.echo(encode(report).decode() if as_json else _readable(report, past, old))


def _differences(past: PastRequests, question: Question, old: Policy, new: Policy, today: date) -> tuple[Change, ...]:
    """What the two policies show differently of one request. The audit itself runs twice only where their numbers differ."""
    prescription, judged = past.desk(old).judge(question)
    judged_anew = judged if new.numbers == old.numbers else past.desk(new).judge(question)[1]
    before, after = (
        outlook(here.practise(result, past.release, today), here)
        for here, result in ((p.at(prescription.hook, prescription.units), r) for p, r in ((old, judged), (new, judged_anew)))
    )
    return changes(before, after)


def _report(past: PastRequests, found: Mapping[str, Sequence[Change]], old: Policy, new: Policy) -> dict[str, Any]:
    counts: Counter[tuple[str, ChangeKind, str | None, str | None]] = Counter()
    traces: dict[tuple[str, ChangeKind, str | None, str | None], dict[str, None]] = defaultdict(dict)
    for trace_id, made in found.items():
        for c in made:
            kind = (c.check, c.kind, c.before, c.after)
            counts[kind] += 1
            traces[kind][trace_id] = None
    rows = [
        {"check": check, "change": change.value, "before": before, "after": after, "count": n, "traces": list(traces[check, change, before, after])}
        for (check, change, before, after), n in sorted(counts.items(), key=lambda kv: (kv[0][0], kv[0][1].value, str(kv[0][2]), str(kv[0][3])))
    ]
    return {
        "before": old.id,
        "after": new.id,
        "traces": past.seen,
        "of_other_releases": past.of_other_releases,
        "unreadable": past.unreadable,
        "answered_with_another_policy": past.seen - past.policies.get(old.id, 0),
        "changed_traces": len(found),
        "changes": rows,
    }


def _readable(report: Mapping[str, Any], past: PastRequests, old: Policy) -> str:
    lines = past.lines()
    if other := report["answered_with_another_policy"]:
        lines.append(f"{other} of them were answered with another policy than {old.name} ({old.id}), which this compares with; --policy gives another")
    lines.append(f"{report['changed_traces']} answers would change under {report['after']}; nothing was stored")
    for row in report["changes"]:
        levels = " to ".join(level for level in (row["before"], row["after"]) if level)
        ids = row["traces"]
        more = f" and {len(ids) - SHOWN_IDS} more" if len(ids) > SHOWN_IDS else ""
        lines.append(f"  {row['check']:<20} {row['change']:<9} {levels:<22} {row['count']:>6}  {' '.join(ids[:SHOWN_IDS])}{more}")
    return "\n".join(lines)


def _day(given: datetime | None) -> date:
    return given.date() if given is not None else datetime.now(UTC).date()
