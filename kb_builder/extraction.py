"""Pass two over one document: propose, gate, scope, consolidate, compare within the label. A pure function of document and terminology."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb_builder.assemble.composition import metadata_claims, product_entity
from kb_builder.assemble.consolidate import merge_repeated
from kb_builder.assemble.contradict import contradicted_within
from kb_builder.assemble.gated import Gated
from kb_builder.assemble.scope import label_scope, proprietary_names, scoped
from kb_builder.assemble.stances import stance_of
from kb_builder.gate.agreement import AgreementGate
from kb_builder.gate.gates import judge
from kb_builder.gate.registry import too_many
from kb_builder.gate.verdict import Verdict, rejected
from kb_builder.ingest.overlay import label_substances
from kb_builder.propose.protocol import Dropped, Proposal, Proposer, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.claims import Claim, ClaimStatus, rule_key
from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import EntityId
from ontology.model.periods import ValidPeriod
from ontology.model.predicates import RiskTier
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

METADATA = "metadata"


@dataclass(slots=True)
class Extraction:
    """What one document gave. `failed` holds (proposer, error, traceback) of proposers that broke off.

    `dropped` counts what proposers were told and could make no claim of, by proposer and reason.
    """

    set_id: str
    subject: EntityId | None
    ingredients: tuple[EntityId, ...] = ()
    gated: list[Gated] = field(default_factory=list)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    proposed: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    repeated: int = 0


class Extractor:
    """Extracts from documents, one after another; the lexicon is built once."""

    def __init__(self, terminology: Terminology, proposers: Sequence[Proposer]) -> None:
        self._terminology = terminology
        self._proposers = proposers
        self._lexicon = Lexicon(terminology)

    def extract(self, document: Document) -> Extraction:
        """All claims of a document with their verdicts. A document without a known product gives none."""
        subject = subject_of(document, self._terminology)
        if subject is None:
            return Extraction(document.set_id, None)
        result = Extraction(document.set_id, subject.id, tuple(ref.id for ref in subject.ingredients))
        if self._terminology.entity(subject.id) is None:
            result.entities[subject.id] = Entity(subject.id, EntityType(subject.id.type), subject.name)
        proposals = list(self._proposals(document, subject, result))
        for proposal in proposals:
            for entity in proposal.entities:
                result.entities.setdefault(entity.id, entity)
        agreement = AgreementGate(document, subject, self._lexicon)
        verdicts = [(p.claim, judge(p.claim, document, lambda e: self._known(e, result), agreement)) for p in proposals]
        self._settle(document, result, verdicts)
        return result

    def _proposals(self, document: Document, subject: Subject, result: Extraction) -> Iterator[Proposal]:
        yield from self._guarded(METADATA, self._metadata(document, subject), result)
        for proposer in self._proposers:
            yield from self._guarded(proposer.name, proposer.propose(document, subject, self._lexicon), result)

    def _metadata(self, document: Document, subject: Subject) -> Iterator[Proposal]:
        product = product_entity(document)
        for claim in metadata_claims(document, subject.id, self._terminology):
            yield Proposal(claim, (product,) if claim.subject == product.id else ())

    def _guarded(self, name: str, proposals: Iterator[Proposal | Dropped], result: Extraction) -> Iterator[Proposal]:
        """The proposals up to a failure; the failure is recorded with its traceback and reported at the end of the build."""
        try:
            for proposal in proposals:
                if isinstance(proposal, Dropped):
                    result.dropped[f"{name}, {proposal.reason}"] += 1
                    continue
                result.proposed[name] += 1
                yield proposal
        except Exception as e:
            result.failed.append((name, f"{type(e).__name__}: {e}", traceback.format_exc()))

    def _known(self, entity: EntityId, result: Extraction) -> bool:
        return entity in result.entities or self._terminology.entity(entity) is not None

    def _settle(self, document: Document, result: Extraction, verdicts: list[tuple[Claim, Verdict]]) -> None:
        verdicts = _without_echoes(verdicts, result)
        crowd = too_many(tuple(claim for claim, verdict in verdicts if verdict.passed))
        passed: list[Claim] = []
        refused: dict[str, Claim] = {}
        for claim, verdict in verdicts:
            final = rejected("registry", crowd[claim.id]) if verdict.passed and claim.id in crowd else verdict
            if final.passed:
                passed.append(claim)
            else:
                result.rejected[f"{final.gate}"] += 1
                refused.setdefault(claim.id, final.on(claim))
        scope = label_scope(document, result.ingredients, self._terminology)
        merged = merge_repeated(passed)
        result.repeated += len(passed) - len(merged)
        valid = ValidPeriod(document.version.effective)
        ready = [replace(scoped(claim, scope), valid=valid, status=ClaimStatus.CONTRADICTION_CHECKED) for claim in merged]
        brands = proprietary_names(document)
        compared = [(claim, stance_of(claim, brands) if claim.provenance.model is None else None) for claim in ready]
        overruled = contradicted_within(compared)
        result.gated = [Gated(claim, rule_key(claim), stance, overruled.get(claim.id)) for claim, stance in compared]
        said = {claim.id for claim in ready}
        result.gated += [Gated(claim) for claim in refused.values() if claim.id not in said]


def _without_echoes(verdicts: list[tuple[Claim, Verdict]], result: Extraction) -> list[tuple[Claim, Verdict]]:
    """The verdicts without a model's claims that code made itself: the very same, or one of the same object below the high tier.

    What a model says neither adds evidence to code's claims nor takes part in the comparison of statements.
    """
    own = [claim for claim, verdict in verdicts if verdict.passed and claim.provenance.model is None]
    ids = {claim.id for claim in own}
    objects = {(claim.predicate, claim.object) for claim in own if claim.spec.tier is not RiskTier.HIGH}
    kept = [(c, v) for c, v in verdicts if c.provenance.model is None or not (c.id in ids or (c.predicate, c.object) in objects)]
    result.repeated += len(verdicts) - len(kept)
    return kept


def subject_of(document: Document, terminology: Terminology) -> Subject | None:
    """What the label speaks of: the composition of its products together, or None without any, or with a substance that is no entity.

    The overlay leaves products of too many substances out, and what only they contain.
    """
    substances = label_substances(document)
    if not substances:
        return None
    subject, ingredients = terminology.subject_of(substances)
    if any(terminology.entity(ref.id) is None for ref in ingredients):
        return None
    name = terminology.name(subject) if len(ingredients) == 1 else " / ".join(sorted(ref.name for ref in ingredients))
    return Subject(subject, name, ingredients)
