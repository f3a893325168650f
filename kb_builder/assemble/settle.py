"""The last word on every claim of a run: compared between labels, promoted by the policy, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kb_builder.assemble.consolidate import RuleCount
from kb_builder.assemble.contradict import LabelComparison
from kb_builder.assemble.edges import edge_claims
from kb_builder.assemble.gated import Gated
from kb_builder.assemble.policy import ReleasePolicy
from kb_builder.assemble.promote import promote
from kb_builder.assemble.stances import Stance
from kb_builder.gate.gates import judge
from ontology.model.claims import Claim, ClaimStatus, rule_key
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

_RELEASED = (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED)


class Settler:
    """Settles the claims of all labels; every label must have been compared before the first one is settled."""

    def __init__(self, policy: ReleasePolicy) -> None:
        self._policy = policy
        self._comparison = LabelComparison()
        self._rules = RuleCount()
        self._counts: Counter[str] = Counter()

    def compare(self, set_id: str, stances: Iterable[Stance]) -> None:
        """Takes in what one label says on each hazard."""
        self._comparison.add(set_id, stances)

    def settle(self, gated: Iterable[Gated]) -> Iterator[Claim]:
        """The claims of one label with their last status."""
        for item in gated:
            conflict = item.conflict
            if conflict is not None:
                self._counts["overruled within a label"] += 1
            elif item.stance is not None:
                conflict = self._comparison.difference(item.claim, item.stance)
                self._counts["labels differ"] += conflict is not None
            yield self._count(promote(item.claim, self._policy, conflict), item.rule)

    def settle_edges(self, terminology: Terminology, files: Sequence[Document]) -> Iterator[Claim]:
        """The hand-kept edges of the terminology with their last status; they pass the gates like every claim."""
        by_id = {document.set_id: document for document in files}
        for claim in edge_claims(terminology, files):
            verdict = judge(claim, by_id[claim.document], lambda entity: terminology.entity(entity) is not None)
            yield self._count(promote(verdict.on(claim), self._policy, None), rule_key(claim))

    def counts(self) -> Mapping[str, int]:
        """How many claims came to which end, the rules they make, and how many of the released nobody has read."""
        keys = ("approved", "conflicted", "held", "rejected", "overruled within a label", "labels differ", "unread")
        return {"claims": self._counts["claims"], "rules": self._rules.rules, **{key: self._counts[key] for key in keys}}

    def _count(self, claim: Claim, rule: str | None) -> Claim:
        self._counts["claims"] += 1
        self._counts[claim.status.value] += 1
        if claim.status in _RELEASED:
            self._counts["unread"] += claim.approval is None or not claim.approval.read_by_person
            if rule is not None:
                self._rules.add(rule)
        return claim
