"""Therapeutic duplication: two systemic drugs of one narrow class, both taken regularly.

The classes are those of `class_duplicates.toml`. Orders as needed, alternatives, switches, tapers and what a site allows are intended; a drug
that is given until another works is information. Both class memberships are the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from msgspec import structs

from cds_service.audit.checks.duplicate import one_course, others_of
from cds_service.audit.checks.protocol import Case, counterpart, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import cite_path, merge
from cds_service.audit.kept import kept_with
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
    besides: frozenset[EntityId]
    bridge: tuple[tuple[str, str], ...]

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
        known = _classes(case.knowledge.terminology)
        mine = known.keys() & medication.closure.keys() if not medication.as_needed else frozenset()
        for other in others_of(case, medication) if mine else ():
            shared = mine & other.closure.keys()
            if not shared or other.as_needed or medication.ingredients & other.ingredients or one_course(medication, other):
                continue
            for target in sorted(shared):
                result = _duplicate(case, medication, other, target, known[target])
                if result is not None:
                    found = found or isinstance(result, Finding)
                    yield result
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _duplicate(case: Case, medication: Medication, other: Medication, target: EntityId, narrow: _NarrowClass) -> Finding | TraceStep | None:
    terms = case.knowledge.terminology
    mine, theirs = medication.closure[target], other.closure[target]
    if any(r.row is None or r.ingredient in narrow.besides for r in (mine, theirs)):
        return None
    orders = sum(target in m.closure and m.systemic and not m.use for m in case.roster.taken)
    allowed = case.site.allowance(Shared.CLASS, target, orders, terms)
    if allowed is not None:
        return TraceStep("judge", f"{orders} orders of {narrow.name}: the site allows {allowed.most} ({allowed.why})", (medication.reference,))
    paths = [_belonging(m, reach) for m, reach in ((medication, mine), (other, theirs))]
    evidence = merge(cite_path(_claims(reach), case.knowledge) for reach in (mine, theirs))
    if len(evidence) < len(paths):
        return None
    bridged = narrow.bridges(medication, other, terms)
    return Finding(
        check=ClassDuplicateCheck.name,
        category=Category.DUPLICATE,
        risk=RiskType.DUPLICATE_CLASS,
        drug=drug_ref(medication),
        other=structs.replace(counterpart(other, narrow.name), shown=counterpart(other, None).shown or other.called),
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


@kept_with
def _classes(terms: Terms) -> Mapping[EntityId, _NarrowClass]:
    """The narrow classes by what they denote, made once a terminology."""
    found: dict[EntityId, _NarrowClass] = {}
    for row in table("class_duplicates")["class"]:
        besides = entities_named(terms, tuple(row.get("besides", ())), (EntityType.INGREDIENT,))
        made = _NarrowClass(row["name"], besides, tuple((a, b) for a, b in row.get("bridge", ())))
        found.update(dict.fromkeys(entities_named(terms, (row["name"],), (EntityType.DRUG_CLASS,)), made))
    return found
