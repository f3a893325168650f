"""What a label asks for before a drug is started and whose result would forbid it: genotypes, pregnancy, a value that the first dose waits for.

What is asked for at the start of every treatment (blood counts, liver tests) is good care and no condition of the order; it is not asked for here.
A genotype is asked for where the label forbids the drug by it, or where the dose ordered would be another one; labels that name no dose for it ask
for it all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from cds_service.audit.checks.first_dose import first_dose_results, makes_wait
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement, merge, statements
from cds_service.audit.outcomes import Category, Clear, Gap, Result
from cds_service.audit.pest.dosing import is_started
from cds_service.audit.pest.guards import GENOTYPE, families
from cds_service.audit.pest.questions import dosing_of
from cds_service.audit.roster import Medication
from ontology.model.advice import Action, Advice
from ontology.model.facts import Axis, Known, UnknownReason
from ontology.model.guards import Opaque, Truth, evaluate, leaves
from ontology.model.predicates import Stratum
from ontology.store.records import Rule

_FORBIDDING = frozenset({Action.CONTRAINDICATED, Action.STOP, Action.AVOID, Action.NOT_RECOMMENDED})


class PrerequisiteCheck:
    """What must be known before the first dose."""

    name = "prerequisite"
    category = Category.SPECIAL_POPULATION
    stratum = Stratum.RELATIONAL
    kinds = ("observations", "conditions")

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """What is missing, or holds the first dose back, before a draft order starts a drug or raises it above a bound."""
        told: list[Statement] = []
        if not medication.use and not medication.borrowed:
            started = is_started(case, medication)
            for view, choice in zip(medication.views, medication.choices, strict=True):
                asked_now = (rule for rule in view.prerequisites if started or _reached(case, medication, rule))
                told.extend(statements(medication, ((view, choice, rule) for rule in asked_now), other_labels=False))
        results: list[Result] = [*first_dose_results(case, medication, (s for s in told if makes_wait(s.rule)))]
        asked: dict[str, list[Statement]] = {}
        for statement in (s for s in told if not makes_wait(s.rule)):
            need = _missing(case, medication, statement.rule)
            if need is not None:
                asked.setdefault(need, []).append(statement)
        if "genotype" in asked and not _genotype_decides(case, medication):
            del asked["genotype"]
        results.extend(_gap(medication, need, found) for need, found in asked.items())
        yield from results or [Clear(self.name, drug_ref(medication))]


def _reached(case: Case, medication: Medication, rule: Rule) -> bool:
    """True for what is asked for above a dose alone, where the order is above it: the drug may have been started below."""
    return _of_a_dose(rule) and evaluate(rule.guard, case.profile.at(medication)).truth is Truth.TRUE


def _of_a_dose(rule: Rule) -> bool:
    return any(getattr(leaf, "axis", None) is Axis.DAILY_DOSE for leaf in leaves(rule.guard))


def _missing(case: Case, medication: Medication, rule: Rule) -> str | None:
    """The datum that the rule asks for and the record lacks; None where it is there, or the rule is for other people."""
    named = f"{rule.object_name} {rule.words or ''}".casefold().replace("cyp ", "cyp")
    rows = table("prerequisites")
    genome, facts = case.profile.genome, case.profile.at(medication)
    if evaluate(rule.guard, facts).truth is Truth.FALSE and not _about_itself(rule):
        return None
    if _is_genotype(named):
        at_risk = not _names_ancestry(rule) or _of_risk(facts.value(Axis.ANCESTRY, None, None))
        return "genotype" if at_risk and not genome.tested(named) else None
    if any(w in named for w in rows["pregnancy"]["words"]):
        status = facts.value(Axis.PREGNANCY, None, None)
        return "pregnancy-status" if not isinstance(status, Known) and "pregnancy-status" in status.needs else None
    return None


def _genotype_decides(case: Case, medication: Medication) -> bool:
    """False where all that the label hangs on a genotype are doses, and what is ordered is judged alike by every one of them."""
    rules = [rule for view in medication.views for rule in (*view.states, *view.populations)]
    if any(isinstance(r.payload, Advice) and r.payload.strictest in _FORBIDDING and _names_a_gene(r) for r in rules):
        return True
    dosing = dosing_of(case, medication)
    dosed = [a for a in (*dosing.rules, *dosing.limits) if GENOTYPE in families(a.rule.guard)]
    if not dosed:
        return True
    deciding = [*dosing.deciding(dosing.verdict()), *(e.applied for e in dosing.excesses())]
    return bool(dosing.lacking()) or any("genotype" in a.needs for a in deciding)


def _names_a_gene(rule: Rule) -> bool:
    return _about_itself(rule) or _is_genotype(f"{rule.object_name} {rule.words or ''}".casefold())


def _is_genotype(named: str) -> bool:
    return _genotype_words().search(named) is not None


@cache
def _genotype_words() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(w) for w in table('prerequisites')['genotype']['words'])})")


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
        f"{medication.called}: its label asks for it {'at this dose' if all(_of_a_dose(s.rule) for s in found) else 'before the first dose'} ({names})",
        merge(s.evidence() for s in found),
        tuple(dict.fromkeys(s.claims[0].id for s in found)),
        (UnknownReason.NOT_RECORDED,),
    )
