"""What each proposer's claims came to: how many passed the gates, wait for a person, were released, and say what gold says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from kb_builder.assemble.edges import EXTRACTOR
from kb_builder.learn.agreement import agrees
from kb_builder.learn.flat import FlatFact, flat_fact
from kb_builder.publish.facts import FactWriter, printed_substances
from ontology.model.claims import Claim, ClaimStatus
from ontology.store.release import Release

_NOT_READ = frozenset({EXTRACTOR, "metadata"})
_RELEASED = (ClaimStatus.APPROVED, ClaimStatus.CONFLICTED)


@dataclass(slots=True)
class Outcome:
    """The claims of one proposer, each id once a label. `true` and `judged` count those that passed, in labels that the gold covers."""

    claims: int = 0
    rejected: int = 0
    held: int = 0
    released: int = 0
    judged: int = 0
    true: int = 0
    released_judged: int = 0
    released_true: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def passed(self) -> int:
        """The claims that no gate refused."""
        return self.claims - self.rejected


def proposal_outcomes(release: Release, gold: Iterable[FlatFact] = (), labels: Collection[str] = ()) -> dict[str, Outcome]:
    """The outcome of every proposer with a claim in the release, by name and model. Facts of any kind that a claim states count for it."""
    wanted: dict[str, list[FlatFact]] = defaultdict(list)
    for fact in gold:
        wanted[fact.doc].append(fact)
    writer = FactWriter(release, printed_substances(release))
    out: dict[str, Outcome] = {}
    for set_id in sorted(labels) if labels else [None]:
        for claim in release.claims(document=set_id):
            if claim.provenance.extractor in _NOT_READ:
                continue
            model = claim.provenance.model
            found = out.setdefault(f"{claim.provenance.extractor} ({model})" if model else claim.provenance.extractor, Outcome())
            _count(found, claim, wanted.get(claim.document), writer)
    return out


def outcome_lines(found: dict[str, Outcome]) -> Iterator[str]:
    """A table for a person, and why claims were refused."""
    yield f"{'proposer':<44} {'claims':>7} {'passed':>7} {'held':>6} {'released':>8}   {'true by gold of passed':>22}   {'of released':>12}"
    for name, one in sorted(found.items()):
        true, released = f"{one.true}/{one.judged}", f"{one.released_true}/{one.released_judged}"
        yield f"{name:<44} {one.claims:>7,} {one.passed:>7,} {one.held:>6,} {one.released:>8,}   {true:>22}   {released:>12}"
    for name, one in sorted(found.items()):
        yield from (f"  {name}: {count:,} x {reason}" for reason, count in one.reasons.most_common(12))


def outcome_data(found: dict[str, Outcome]) -> dict[str, dict[str, object]]:
    """The same as plain data."""
    return {
        name: {
            "claims": one.claims,
            "passed": one.passed,
            "held": one.held,
            "released": one.released,
            "judged": one.judged,
            "true": one.true,
            "released_judged": one.released_judged,
            "released_true": one.released_true,
            "refused": dict(one.reasons),
        }
        for name, one in sorted(found.items())
    }


def _count(found: Outcome, claim: Claim, gold: list[FlatFact] | None, writer: FactWriter) -> None:
    found.claims += 1
    released = claim.status in _RELEASED
    found.held += claim.status is ClaimStatus.HELD
    found.released += released
    if claim.status is ClaimStatus.REJECTED:
        found.rejected += 1
        found.reasons[" ".join((claim.reason or "no reason").split("'")[0].split())] += 1
        return
    if gold is None:
        return
    facts = [flat_fact(fact) for fact in writer.facts(claim)]
    true = any(agrees(wanted, fact) for fact in facts for wanted in gold)
    found.judged += bool(facts)
    found.true += true
    found.released_judged += released and bool(facts)
    found.released_true += released and true
