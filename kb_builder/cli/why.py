"""`kb-builder why`: the evidence for a statement."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from kb_builder.cli.opening import RELEASE_OPTION, opened
from kb_builder.errors import NothingFound
from kb_builder.ledger.ledger import Entry, Ledger
from kb_builder.publish.why import Passage, claim_json, find_claims, nearest_passages, passage_json, passage_of, resolve
from ontology.model.claims import Claim
from ontology.model.identifiers import EntityId
from ontology.model.predicates import PREDICATES
from ontology.store.release import Release


@click.command("why")
@RELEASE_OPTION
@click.argument("subject")
@click.argument("predicate")
@click.argument("object_", metavar="OBJECT")
@click.option("--ledger", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Also show what earlier builds recorded.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def why_command(release_path: Path, subject: str, predicate: str, object_: str, ledger: Path | None, as_json: bool) -> None:
    """Shows the claims that say PREDICATE of SUBJECT and OBJECT, by names or ids, with their sentences, documents, approvals and reasons.

    Claims that were rejected, held or conflicted are shown with the reason. Without any, shows where the subject's labels use the words,
    and ends with exit code 1.
    """
    name = predicate.strip().replace("-", "_").replace(" ", "_")
    if name not in PREDICATES:
        raise click.UsageError(f"predicate {predicate!r} is not in the registry; it holds {', '.join(sorted(PREDICATES))}")
    with opened(release_path) as release:
        subjects, objects = resolve(release, subject), resolve(release, object_)
        claims = find_claims(release, subjects, name, objects)
        near = [] if claims else nearest_passages(release, subjects, object_)
        history = _history(ledger, subjects, name, objects)
        if as_json:
            found = {"claims": [claim_json(release, c) for c in claims], "nearest": [passage_json(p) for p in near], "history": [asdict(e) for e in history]}
            click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        else:
            for line in (line for claim in claims for line in _claim_lines(release, claim)):
                click.echo(line)
            for line in (line for passage in near for line in _passage_lines(passage)):
                click.echo(line)
            for entry in history:
                click.echo(entry.line())
    if not claims:
        raise NothingFound(_nothing(subject, name, object_, bool(subjects), bool(objects), bool(near)))


def _history(folder: Path | None, subjects: tuple[EntityId, ...], predicate: str, objects: tuple[EntityId, ...]) -> list[Entry]:
    """What the ledger has recorded of the question, oldest first."""
    if folder is None:
        return []
    with closing(Ledger(folder)) as ledger:
        found = [entry for s in subjects for o in objects for entry in ledger.history(str(s), predicate, str(o))]
    return sorted(found, key=lambda entry: (entry.recorded_from, entry.id))


def _claim_lines(release: Release, claim: Claim) -> Iterator[str]:
    shown = claim_json(release, claim)
    denial = "" if claim.polarity.value == "positive" else " (denied)"
    yield f"{claim.id}  {release.terminology.name(claim.subject)} {claim.predicate} {_name(release, claim)}{denial}: {claim.status.value}"
    if claim.reason:
        yield f"  because  {claim.reason}"
    if claim.approval:
        read = "read by a person" if claim.approval.read_by_person else "not yet read by a person"
        yield f"  approved {claim.approval.by}, by {claim.approval.method}, {read}"
    if shown["guard"] is not None:
        yield f"  only if  {json.dumps(shown['guard'], ensure_ascii=False)}"
    yield f"  says     {json.dumps(shown['payload'], ensure_ascii=False)}"
    yield f"  found by {shown['extractor']}"
    yield f"  in       {shown['document']}, version {shown['version']}, {shown['effective'] or 'label date unknown'}: {shown['title']}"
    for span in claim.evidence:
        yield from _passage_lines(passage_of(release, span))
    yield ""


def _name(release: Release, claim: Claim) -> str:
    entity = release.entity(claim.object)
    return entity.name if entity else claim.words or str(claim.object)


def _passage_lines(passage: Passage) -> Iterator[str]:
    yield f"  {passage.section}[{passage.start}:{passage.end}] {passage.role}"
    yield f"    {passage.text()}"


def _nothing(subject: str, predicate: str, object_: str, subject_known: bool, object_known: bool, near: bool) -> str:
    unknown = " and ".join(repr(text) for text, known in ((subject, subject_known), (object_, object_known)) if not known)
    start = f"the release knows no {unknown}" if unknown else f"no claim says {subject} {predicate} {object_}"
    return start + ("; above is where its labels use the words" if near else "; its labels do not use the words either" if subject_known else "")
