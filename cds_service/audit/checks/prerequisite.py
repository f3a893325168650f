"""Tests that a label asks for before a drug is started and whose result would forbid it: genotypes, pregnancy.

What is asked for at the start of every treatment (blood counts, liver tests) is good care and no condition of the order; it is not asked for here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement, merge, statements
from cds_service.audit.outcomes import Category, Clear, Gap, Result
from cds_service.audit.pest.dosing import is_started
from cds_service.audit.roster import Medication
from ontology.model.facts import Axis, Known, UnknownReason
from ontology.model.guards import Opaque, Truth, evaluate, leaves
from ontology.model.predicates import Stratum
from ontology.store.records import Rule


class PrerequisiteCheck:
    """What must be known before the first dose."""

    name = "prerequisite"
    category = Category.SPECIAL_POPULATION
    stratum = Stratum.RELATIONAL
    kinds = ("observations", "conditions")

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The tests that are missing before a draft order starts a drug."""
        asked: dict[str, list[Statement]] = {}
        if not medication.use and not medication.borrowed and is_started(case, medication):
            for view, choice in zip(medication.views, medication.choices, strict=True):
                for statement in statements(medication, ((view, choice, rule) for rule in view.prerequisites), other_labels=False):
                    need = _missing(case, medication, statement.rule)
                    if need is not None:
                        asked.setdefault(need, []).append(statement)
        for need, found in asked.items():
            yield _gap(medication, need, found)
        if not asked:
            yield Clear(self.name, drug_ref(medication))


def _missing(case: Case, medication: Medication, rule: Rule) -> str | None:
    """The datum that the rule asks for and the record lacks; None where it is there, or the rule is for other people."""
    named = f"{rule.object_name} {rule.words or ''}".casefold()
    rows = table("prerequisites")
    genome, facts = case.profile.genome, case.profile.at(medication)
    if evaluate(rule.guard, facts).truth is Truth.FALSE and not _about_itself(rule):
        return None
    if any(re.search(rf"(?<!\w){re.escape(w)}", named) for w in rows["genotype"]["words"]):
        at_risk = not _names_ancestry(rule) or _of_risk(facts.value(Axis.ANCESTRY, None, None))
        return "genotype" if at_risk and not genome.tested(named) else None
    if any(w in named for w in rows["pregnancy"]["words"]):
        status = facts.value(Axis.PREGNANCY, None, None)
        return "pregnancy-status" if not isinstance(status, Known) and "pregnancy-status" in status.needs else None
    return None


def _about_itself(rule: Rule) -> bool:
    """True where the guard only repeats the result that the test is to find."""
    return any(getattr(leaf, "axis", None) is Axis.GENOTYPE for leaf in leaves(rule.guard))


def _names_ancestry(rule: Rule) -> bool:
    words = table("prerequisites")["ancestry"]["words"]
    return any(w in leaf.text.casefold() for leaf in leaves(rule.guard) if isinstance(leaf, Opaque) for w in words)


def _of_risk(ancestry: object) -> bool:
    risk = set(table("prerequisites")["ancestry"]["at_risk"])
    return isinstance(ancestry, Known) and bool(risk & {str(ancestry.value), *ancestry.also})


def _gap(medication: Medication, need: str, found: list[Statement]) -> Gap:
    names = ", ".join(dict.fromkeys(s.rule.words or s.rule.object_name for s in found))
    return Gap(
        "prerequisite",
        Category.SPECIAL_POPULATION,
        drug_ref(medication),
        (need,),
        f"{medication.called}: its label asks for it before the first dose ({names})",
        merge(s.evidence() for s in found),
        tuple(dict.fromkeys(s.claims[0].id for s in found)),
        (UnknownReason.NOT_RECORDED,),
    )
