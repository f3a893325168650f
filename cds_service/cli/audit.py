"""`audit`: the answer to a request file without a server."""

from __future__ import annotations

import os
import uuid
from datetime import UTC, datetime
from pathlib import Path

import click

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.answer.policy import Policy
from cds_service.answer.policy_names import require_known
from cds_service.answer.section_titles import SectionTitles
from cds_service.answering import Answer, Desk, Question
from cds_service.cli.exits import sentences
from cds_service.cli.readable import render_cards
from cds_service.cli.request_file import read_request_file
from cds_service.errors import WrongHook
from cds_service.intake.body import decode_body
from cds_service.intake.envelope import require_members
from cds_service.intake.request import OpenedRequest, open_request, require_patient
from cds_service.wire.hooks.protocol import HookService
from cds_service.wire.hooks.registry import SERVICES
from cds_service.wire.outcomes import encode
from ontology.store.release import Release

NO_SERVER = "http://no-server.invalid"


@click.command()
@click.argument("request_file", metavar="REQUEST.json")
@click.option("--release", required=True, type=click.Path(path_type=Path), help="Folder of the released knowledge base.")
@click.option("--policy", type=click.Path(path_type=Path), help="Folder of the site policy.")
@click.option("--live", is_flag=True, help="Run the query templates instead of reading stored dossiers.")
@click.option("--validate", is_flag=True, help="Also say which resources are not valid FHIR R4B; nothing is refused for it.")
@click.option("--reference-time-from-request", is_flag=True, help="Take the request's org.pharmgraph.reference-time for now.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@sentences
def audit(request_file: str, release: Path, policy: Path | None, live: bool, validate: bool, reference_time_from_request: bool, as_json: bool) -> None:
    """Prints the cards for a CDS Hooks request (`-` reads standard input)."""
    body = decode_body(read_request_file(request_file))
    service = service_for(body.get("hook"))
    require_members(body, service.accepts, needs_time=reference_time_from_request)
    opened = open_request(body)
    require_patient(opened)
    if validate:
        _warn_invalid(opened)
    with Release.open(release, live=live) as knowledge:
        links = EvidenceLinks(os.urandom(32), NO_SERVER)
        site = Policy.load(policy)
        require_known(site, knowledge.terminology)
        desk = Desk(knowledge, knowledge.terminology, site, links, NO_SERVER, SectionTitles(knowledge).of)
        answer = desk.answer(Question(str(uuid.uuid4()), service.id, datetime.now(UTC), reference_time_from_request, opened))
    _drop_evidence_links(answer)
    click.echo(encode({"cards": answer.cards}).decode() if as_json else render_cards(answer.cards))


def service_for(hook: object) -> HookService:
    """The service that answers a hook; the first when the body names none, whose refusal then says so. Raises WrongHook."""
    if not isinstance(hook, str):
        return SERVICES[0]
    found = next((s for s in SERVICES if hook in s.accepts), None)
    if found is None:
        raise WrongHook(f"no service answers the hook {hook[:60]!r}; there are {', '.join(s.hook for s in SERVICES)}", ("hook",))
    return found


def _warn_invalid(opened: OpenedRequest) -> None:
    from cds_service.cli.validate import invalid_resources

    for where, what in invalid_resources(opened):
        click.echo(f"not valid FHIR R4B: {where}: {what}", err=True)


def _drop_evidence_links(answer: Answer) -> None:
    """Takes off the links that only a server can open."""
    for card in answer.cards:
        kept = [link for link in card.get("links") or () if not str(link.get("url")).startswith(NO_SERVER)]
        card.pop("links", None)
        if kept:
            card["links"] = kept
