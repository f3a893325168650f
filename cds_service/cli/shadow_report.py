"""`shadow-report`: how loud the service would be were no check silent, and a sheet on which pharmacists judge it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from cds_service.answer.acknowledgements import split
from cds_service.answer.compose import calm_problems, card_uuid
from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.outlook import outlook, safe_summary, shadow_uuid, shown_problems
from cds_service.answer.policy import Policy
from cds_service.answer.policy_names import require_known
from cds_service.answer.problems import Problem, problems_of
from cds_service.answer.severity import Indicator
from cds_service.answering import Question
from cds_service.audit.outcomes import Finding
from cds_service.cli.exits import sentences
from cds_service.cli.past_requests import PastRequests
from cds_service.cli.shadow_figures import Figures, Row, write_figures, write_sheet
from cds_service.errors import SettingsError
from cds_service.intake.prescription import OrderRole
from cds_service.state.protocol import ReadEntry, Trace
from cds_service.wire.outcomes import encode
from ontology.store.release import Release

TOP = 15
"""Rules listed in the readable report; the files have all."""


@click.command("shadow-report")
@click.option("--state", "state", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False), help="State folder of the service.")
@click.option("--release", required=True, type=click.Path(path_type=Path), help="The release that the answers were given from.")
@click.option("--policy", type=click.Path(path_type=Path), help="The policy of the service (the shipped one).")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Leave out older traces.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for sheet.csv, checks.csv and rules.csv.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@sentences
def shadow_report(state: Path, release: Path, policy: Path | None, since: datetime | None, out: Path | None, as_json: bool) -> None:
    """Prints the would-be cards per 100 orders by check and level, what users did with them, and the rules that fire most.

    The sheet in --out has a line for each would-be card, with empty columns to agree, disagree and comment. It names no patient: what the
    record says in its own words is behind the link, which opens as long as the trace lives.
    """
    site = Policy.load(policy)
    figures, rows = Figures(), list[Row]()
    with Release.open(release) as knowledge:
        require_known(site, knowledge.terminology)
        past = PastRequests(state, knowledge, since.date() if since is not None else None)
        who = getpass.getuser()
        for trace, question in past.walk():
            rows.extend(_rows(past, trace, question, site, figures))
            if out is not None:
                past.state.log_read(ReadEntry(datetime.now(UTC), who, trace.id, "shadow report"))
    if out is not None:
        _write(out, figures, rows)
    if as_json:
        click.echo(encode({"traces": past.seen, **figures.as_data()}).decode())
        return
    click.echo("\n".join([*past.lines(), *figures.lines(TOP), *([f"written to {out}: sheet.csv, checks.csv, rules.csv"] if out is not None else [])]))


def _rows(past: PastRequests, trace: Trace, question: Question, site: Policy, figures: Figures) -> Iterator[Row]:
    """A line for each would-be card of a request, counted as it is made."""
    prescription, judged = past.desk(site).judge(question)
    here = site.at(prescription.hook, prescription.units)
    loud = here.unsilenced()
    result = here.practise(judged, past.release, prescription.reference_time.date())
    figures.orders += sum(o.selected for o in prescription.orders_in(OrderRole.DRAFT))
    findings = (r for r in result.results if isinstance(r, Finding))
    left, quieted = split(problems_of(findings, here), question.acknowledgements, prescription, here)
    now = {p.key: p.indicator for p in (*(p for p in left if p.indicator is not Indicator.INFO), *calm_problems(left, here))}
    acknowledged = {q.problem.key for q in quieted}
    figures.missing.update(s.check for s in outlook(result, loud).values() if s.level not in tuple(Indicator))
    links = EvidenceLinks(past.key.secret, trace.base_url)
    for problem in shown_problems(result, loud):
        at = now.get(problem.key)
        quiet = problem.key in acknowledged
        said = past.state.feedback(card_uuid(trace.id, problem.key)) if at not in (None, Indicator.INFO) else ()
        figures.count(problem, at, said, acknowledged=quiet)
        yield _row(trace, problem, at, links, acknowledged=quiet)


def _row(trace: Trace, problem: Problem, at: Indicator | None, links: EvidenceLinks, *, acknowledged: bool) -> Row:
    card = card_uuid(trace.id, "information" if problem.indicator is Indicator.INFO else problem.key)
    lead, first = problem.lead, problem.lead.evidence[0]
    return Row(
        trace=trace.id,
        hook=trace.service,
        check=lead.check,
        level=problem.indicator.value,
        shown=at.value if at is not None else "acknowledged" if acknowledged else "silent",
        drug=lead.drug.name,
        summary=safe_summary(lead),
        quote=" … ".join(dict.fromkeys(" ".join(e.span.quote.split()) for e in lead.evidence[:2])),
        label=f"{first.title or first.span.document}, {first.effective.isoformat() if first.effective else 'date unknown'}, {first.span.section}",
        practice="; ".join(p.id for p in lead.practice),
        link=links.url(trace.id, card if at is problem.indicator else shadow_uuid(card), trace.received),
    )


def _write(out: Path, figures: Figures, rows: list[Row]) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_sheet(out / "sheet.csv", rows)
        write_figures(out, figures)
    except OSError as e:
        raise SettingsError(f"--out {out}: {e.strerror or e}; choose a folder that can be written") from e
