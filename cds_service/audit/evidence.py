"""From rules to evidence: which claims are cited for an order, with the label each stands in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from cds_service.audit.knowledge import DossierView, Knowledge, once_a_view
from cds_service.audit.outcomes import EvidenceRef
from cds_service.audit.roster import Medication
from cds_service.audit.select import LabelChoice, speaking_claims
from ontology.model.claims import ClaimStatus, edge_claim_id
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId, mint
from ontology.model.spans import Span, SpanRole
from ontology.store.records import ClaimRecord, Rule

MOST_EVIDENCE = 4
"""Pieces of evidence a finding cites; the strictest statements come first."""

COMPOSITION_SECTIONS = ("openfda.substance_name", "openfda.generic_name", "metadata")
"""Sections in which a label's metadata names what the product contains."""

_CONTEXT = frozenset({SpanRole.HEADING, SpanRole.ROW_HEADER, SpanRole.COLUMN_HEADER, SpanRole.OBJECT})
_SUBSTANCE_LINES = ("substance", "generic_name", "title")
"""Words of a metadata line that say what it lists, the surest first."""


class Statement(Struct, frozen=True):
    """A rule with the claims of it that speak for an order."""

    rule: Rule
    view: DossierView
    choice: LabelChoice
    claims: tuple[ClaimRecord, ...]

    @property
    def chosen(self) -> bool:
        """True when the label that judges the order makes the statement itself."""
        return self.choice.label is not None and self.claims[0].document == self.choice.label.document

    def evidence(self) -> tuple[EvidenceRef, ...]:
        """The first claim that speaks; a milder label's statement is a rule of its own and cited as such."""
        return (cite(self.claims[0], self.view),)


def statements(medication: Medication, rules: Iterable[tuple[DossierView, LabelChoice, Rule]], *, other_labels: bool) -> Iterator[Statement]:
    """The rules that some claim speaks for, for this order."""
    for view, choice, rule in rules:
        if claims := speaking_claims(rule, choice, medication.route, other_labels=other_labels):
            yield Statement(rule, view, choice, claims)


@once_a_view
def _cited(_view: DossierView) -> dict[str, EvidenceRef]:
    """The claims of a view that were cited, by id."""
    return {}


def cite(claim: ClaimRecord, view: DossierView) -> EvidenceRef:
    """A claim's statement with its label's title and date; made once a claim of the view."""
    cited = _cited(view)
    found = cited.get(claim.id)
    if found is None:
        found = cited[claim.id] = _cite(claim, view)
    return found


def _cite(claim: ClaimRecord, view: DossierView) -> EvidenceRef:
    span = next((s for s in claim.evidence if s.role is SpanRole.STATEMENT), claim.evidence[0])
    label = next((x for x in view.dossier.labels if x.document == claim.document), None)
    return EvidenceRef(
        claim.id,
        span,
        label.url if label else None,
        label.title if label else None,
        label.effective if label else None,
        claim.approval.read_by_person if claim.approval else False,
        _labels_differ(claim.status, claim.reason),
        tuple(dict.fromkeys(s.quote for s in claim.evidence if s.role in _CONTEXT)),
    )


def _labels_differ(status: ClaimStatus, reason: str | None) -> bool:
    """True for the stricter of two statements of different labels; inside one label a milder one is no difference to show."""
    return status is ClaimStatus.CONFLICTED and (reason or "").startswith("labels differ")


def cite_path(path: Iterable[str], knowledge: Knowledge) -> tuple[EvidenceRef, ...]:
    """The claims of a path through the graph as evidence, in the order of the path, each with its document's title and date."""
    cited = []
    for claim in (knowledge.claim(claim_id) for claim_id in path):
        if claim is None:
            continue
        span = claim.statement
        document = knowledge.document(span.document, span.version)
        cited.append(
            EvidenceRef(
                claim.id,
                span,
                document.url if document else None,
                document.title if document else None,
                document.effective if document else None,
                bool(claim.approval and claim.approval.read_by_person),
                _labels_differ(claim.status, claim.reason),
            )
        )
    return tuple(cited)


def titled(refs: Iterable[EvidenceRef], knowledge: Knowledge) -> tuple[EvidenceRef, ...]:
    """The evidence, each piece that no label of the order titles with the title of its document: a hand-kept table has no label set."""
    return tuple(structs.replace(ref, title=_title(ref.span, knowledge)) if ref.title is None else ref for ref in refs)


def _title(span: Span, knowledge: Knowledge) -> str | None:
    document = knowledge.document(span.document, span.version)
    return document.title if document else None


def merge(groups: Iterable[tuple[EvidenceRef, ...]]) -> tuple[EvidenceRef, ...]:
    """Evidence in the given order without doubles, at most MOST_EVIDENCE pieces; a sentence is cited once whatever claims stand on it."""
    kept: dict[tuple[str, str, int, int], EvidenceRef] = {}
    for ref in (r for group in groups for r in group):
        kept.setdefault((ref.span.document, ref.span.section, ref.span.start, ref.span.end), ref)
    return tuple(kept.values())[:MOST_EVIDENCE]


def composition(medication: Medication, ingredient: EntityId, name: str, knowledge: Knowledge) -> tuple[EvidenceRef, ...]:
    """Where a label of the order says that the ingredient is in it: a composition claim, else the substance line of the label's metadata."""
    for view in medication.views:
        for rule in view.compositions:
            if rule.predicate == "has_ingredient" and rule.object == ingredient:
                return (cite(rule.claims[0], view),)
    for view, choice in zip(medication.views, medication.choices, strict=True):
        if choice.label is not None:
            product = mint(EntityType.DRUG.value, "setid", choice.label.document)
            stated = cite_path((edge_claim_id(choice.label.document, "has_ingredient", product, ingredient),), knowledge)
            if stated:
                return stated
        label = choice.label or (view.dossier.labels[0] if view.dossier.labels else None)
        if label is None or ingredient not in (view.dossier.subject, *view.dossier.ingredients):
            continue
        for key in COMPOSITION_SECTIONS:
            section = knowledge.section(label.document, label.version, key)
            span = _locate(name, label.document, label.version, key, section.text) if section is not None else None
            if span is not None:
                return (EvidenceRef("", span, label.url, label.title, label.effective),)
    return ()


def _locate(name: str, document: str, version: str, key: str, text: str) -> Span | None:
    """The line of a metadata section that names the ingredient by its first word, one that lists substances before all others."""
    word = name.split()[0].casefold() if name.split() else ""
    found: list[tuple[int, int, str]] = []
    start = 0
    for line in text.split("\n"):
        if word and word in line.casefold():
            rank = next((i for i, mark in enumerate(_SUBSTANCE_LINES) if mark in line.casefold()), len(_SUBSTANCE_LINES))
            found.append((rank, start, line))
        start += len(line) + 1
    if not found:
        return None
    _, start, line = min(found)
    lead = len(line) - len(line.lstrip())
    return Span(document, version, key, start + lead, start + len(line), line[lead:])
