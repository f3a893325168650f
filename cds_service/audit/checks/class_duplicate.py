"""Therapeutic duplication: two systemic drugs of one narrow class, both taken regularly.

The classes are those of `class_duplicates.toml`. Orders as needed, alternatives, switches, tapers and what a site allows are intended; a drug
that is given until another works is information. Both class memberships are the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from cds_service.audit.checks.duplicate import others_of
from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import cite_path, merge
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.outcomes import Category, Certainty, Clear, Finding, PathStep, Result, RiskType, TraceStep
from cds_service.audit.roster import Medication, Reach
from cds_service.audit.site import Shared
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.model.predicates import Stratum

_BRIDGES = (EntityType.DRUG_CLASS, EntityType.INGREDIENT)


@dataclass(frozen=True, slots=True)
class _NarrowClass:
    name: str
    besides: tuple[str, ...]
    bridge: tuple[tuple[str, str], ...]

    def members(self, medication: Medication, terms: Terms) -> tuple[EntityId, Reach] | None:
        """The class as the order reaches it, or None where it does not or is one of those given for something else."""
        apart = entities_named(terms, self.besides, (EntityType.INGREDIENT,)) if self.besides else frozenset()
        for target in sorted(entities_named(terms, (self.name,), (EntityType.DRUG_CLASS,))):
            reach = medication.closure.get(target)
            if reach is not None and reach.row is not None and reach.ingredient not in apart:
                return target, reach
        return None

    def bridges(self, first: Medication, second: Medication, terms: Terms) -> bool:
        """True when one of the two is given until the other works."""
        for one, other in self.bridge:
            ones, others = entities_named(terms, (one,), _BRIDGES), entities_named(terms, (other,), _BRIDGES)
            if any(ones & a.closure.keys() and others & b.closure.keys() for a, b in ((first, second), (second, first))):
                return True
        return False


class ClassDuplicateCheck:
    """Drafts against what is taken beside them, by narrow class."""

    name = "class-duplicate"
    category = Category.DUPLICATE
    stratum = Stratum.GRAPH
    kinds = ("medications",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result | TraceStep]:
        """The drugs of the same narrow classes among everything taken beside a draft order."""
        found = False
        for other in others_of(case, medication):
            if medication.as_needed or other.as_needed or medication.ingredients & other.ingredients:
                continue
            for narrow in _classes():
                result = _duplicate(case, medication, other, narrow)
                if result is not None:
                    found = found or isinstance(result, Finding)
                    yield result
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _duplicate(case: Case, medication: Medication, other: Medication, narrow: _NarrowClass) -> Finding | TraceStep | None:
    terms = case.knowledge.terminology
    mine, theirs = narrow.members(medication, terms), narrow.members(other, terms)
    if mine is None or theirs is None:
        return None
    target = mine[0]
    orders = sum(target in m.closure and m.systemic and not m.use for m in case.roster.taken)
    allowed = case.site.allowance(Shared.CLASS, target, orders, terms)
    if allowed is not None:
        return TraceStep("judge", f"{orders} orders of {narrow.name}: the site allows {allowed.most} ({allowed.why})", (medication.reference,))
    paths = [_belonging(m, reach) for m, reach in ((medication, mine[1]), (other, theirs[1]))]
    evidence = merge(cite_path(_claims(reach), case.knowledge) for reach in (mine[1], theirs[1]))
    if len(evidence) < len(paths):
        return None
    bridged = narrow.bridges(medication, other, terms)
    return Finding(
        check=ClassDuplicateCheck.name,
        category=Category.DUPLICATE,
        risk=RiskType.DUPLICATE_CLASS,
        drug=drug_ref(medication),
        other=replace(counterpart(other, narrow.name), shown=counterpart(other, None).shown or other.called),
        action=Action.AVOID,
        hazard="combination",
        certainty=Certainty.CODED if "name" not in (medication.drug.how, other.drug.how) else Certainty.STATED,
        evidence=evidence,
        rules=tuple(e.claim for e in evidence if e.claim),
        path=tuple(paths),
        data=tuple(dict.fromkeys((medication.order.source, other.order.source))),
        subject_key="",
        qualifiers=(f"one of the two may be given until {narrow.name} by mouth work: confirm that the overlap is meant",) if bridged else (),
        cap="info" if bridged else None,
        strength=Strength.SHOULD,
        orders=tuple(sorted({medication.reference, other.reference})),
    )


def _claims(reach: Reach) -> tuple[str, ...]:
    """The claim by which the drug belongs to a class; a wider class follows from it."""
    return reach.row.path[:1] if reach.row else ()


def _belonging(medication: Medication, reach: Reach) -> PathStep:
    target = reach.row.target_name if reach.row else medication.called
    return PathStep(medication.called, "belongs to", target, next(iter(_claims(reach)), None))


@cache
def _classes() -> tuple[_NarrowClass, ...]:
    return tuple(
        _NarrowClass(row["name"], tuple(row.get("besides", ())), tuple((a, b) for a, b in row.get("bridge", ())))
        for row in table("class_duplicates")["class"]
    )  # fmt: skip
