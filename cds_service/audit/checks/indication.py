"""Indications: what the order is for beside what the label says the drug is for, and not for.

Only a stated reason makes an order off-label; a label's "not indicated for" is also held against the problem list where nothing else explains the
order. Off-label alone is information; a labelled limitation, a drug that its label reserves for other diseases, or an order as needed of one that is
not to be taken so, is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from cds_service.audit.checks.indication_match import Met, denied, meets, narrows
from cds_service.audit.checks.label_words import said_by_label
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement, merge, statements
from cds_service.audit.judgement import borne_out, needs_judgement
from cds_service.audit.named_conditions import expanded, named_concepts
from cds_service.audit.outcomes import Category, Certainty, Clear, Counterpart, EvidenceRef, Finding, PathStep, Result, RiskType
from cds_service.audit.profile.record import specific_words
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import ConditionFact
from ontology.model.advice import Action
from ontology.model.claims import Polarity, Strength
from ontology.model.guards import Truth, evaluate
from ontology.model.predicates import Stratum


class IndicationCheck:
    """Labelled uses, limitations of use, and off-label orders."""

    name = "indication"
    category = Category.INDICATION
    stratum = Stratum.RELATIONAL
    kinds = ("conditions",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The use of a draft order."""
        yield from _judge(case, medication) or [Clear(self.name, drug_ref(medication))]


def _judge(case: Case, medication: Medication) -> list[Result]:
    said = _statements(medication)
    positive = [s for s in said if s.rule.polarity is Polarity.POSITIVE]
    if medication.use or not medication.systemic or not positive:
        return []
    stated, listed = _reasons(case, medication)
    return [*_as_needed(case, medication, positive, stated or listed), *_of_the_use(case, medication, said, positive, stated, listed)]


def _of_the_use(
    case: Case, medication: Medication, said: list[Statement], positive: list[Statement], stated: list[ConditionFact], listed: list[ConditionFact]
) -> list[Result]:
    """What the label says of the disease that the order is for."""
    terms = case.knowledge.terminology
    labelled = tuple(s.rule for s in positive)
    facts = case.profile.at(medication)
    for fact in stated or listed:
        for s in said:
            if s.rule.polarity is Polarity.NEGATIVE and denied(terms, s.rule, fact, labelled) and evaluate(s.rule.guard, facts).truth is not Truth.FALSE:
                if not stated and any(meets(terms, p.rule, other) is Met.SAME for p in positive for other in listed if other is not fact):
                    continue
                sure = bool(stated) or narrows(terms, s.rule, labelled)
                return [_limited(medication, s, fact, stated=bool(stated), sure=sure and not _restricted(case, medication, s, positive, fact))]
    if not stated or any(w in fact.text.casefold() for fact in stated for w in table("indications")["situations"]["words"]):
        return []
    met = {meets(terms, s.rule, fact) for s in positive for fact in (*stated, *_explaining(listed, stated))}
    if met & {Met.SAME, Met.NEAR}:
        return []
    return [_off_label(case, medication, positive, stated[0], excluded=Met.EXCLUDED in met)]


def _statements(medication: Medication) -> list[Statement]:
    return [
        s
        for view, choice in zip(medication.views, medication.choices, strict=True)
        for s in statements(medication, ((view, choice, rule) for rule in view.indications), other_labels=False)
    ]


def _reasons(case: Case, medication: Medication) -> tuple[list[ConditionFact], list[ConditionFact]]:
    """The order's own reasons, and the active problems of the record."""
    conditions = [c for c in case.prescription.patient.conditions if c.status == "active"]
    return [c for c in conditions if c.source.reference == medication.reference], [c for c in conditions if c.source.kind == "conditions"]


def _restricted(case: Case, medication: Medication, s: Statement, positive: list[Statement], fact: ConditionFact) -> bool:
    """True where the label denies a use only in words that nothing in the record bears out, and names what the order is for among its uses."""
    outcome = evaluate(s.rule.guard, case.profile.at(medication))
    used = any(meets(case.knowledge.terminology, p.rule, fact) in (Met.SAME, Met.NEAR) for p in positive)
    return used and needs_judgement(outcome) and not borne_out(s.rule.guard, case.profile)


def _explaining(listed: list[ConditionFact], stated: list[ConditionFact]) -> list[ConditionFact]:
    """Problems that are the stated reason in other words: they share a code or a concept with it."""
    codes = {c for fact in stated for c in fact.codes} | {m.id for fact in stated for m in fact.concepts}
    return [fact for fact in listed if codes & {*fact.codes, *(m.id for m in fact.concepts)}]


def _limited(medication: Medication, s: Statement, fact: ConditionFact, *, stated: bool, sure: bool) -> Finding:
    """A use that the label denies. On the problem list alone it is information, unless it is a kind of what the drug is for: then it is what explains the order."""
    notes = () if stated else ("the order states no reason; this is on the problem list: confirm what it is for",)
    found = _finding(medication, s.evidence(), s, fact, Action.NOT_RECOMMENDED, Strength.SHOULD, notes, s.rule.words or s.rule.object_name)
    return found if sure else replace(found, cap="info")


def _off_label(case: Case, medication: Medication, positive: list[Statement], fact: ConditionFact, *, excluded: bool) -> Finding:
    """An order for something that the label does not list: information, a warning where the label reserves the drug or the disease's marker excludes it."""
    reserved = _reserved(case, medication) if _sure(case, positive, fact) else ()
    lead = positive[0]
    evidence = merge(
        [reserved] if reserved else [],
    ) or merge(s.evidence() for s in positive)
    named = "; ".join(dict.fromkeys(s.rule.words or s.rule.object_name for s in positive[:3]))
    notes = (f"labelled for {named}{' and more' if len(positive) > 3 else ''}",)
    if reserved or excluded:
        return _finding(medication, evidence, lead, fact, Action.NOT_RECOMMENDED, Strength.SHOULD, notes, None)
    return _finding(medication, evidence, lead, fact, Action.NO_RECOMMENDATION, Strength.INFORMATIONAL, notes, None)


def _sure(case: Case, positive: list[Statement], fact: ConditionFact) -> bool:
    """True when concepts on both sides say that the use is another one, not only words."""
    terms = case.knowledge.terminology
    known = all(s.rule.object.system != "uncoded" or named_concepts(terms, s.rule.words or s.rule.object_name) for s in positive)
    return known and any(m.how != "text" for m in fact.concepts)


def _finding(
    medication: Medication,
    evidence: tuple[EvidenceRef, ...],
    s: Statement,
    fact: ConditionFact,
    action: Action,
    strength: Strength,
    notes: tuple[str, ...],
    label: str | None,
) -> Finding:
    claim = s.claims[0].id
    return Finding(
        check="indication",
        category=Category.INDICATION,
        risk=RiskType.INDICATION_MISMATCH,
        drug=drug_ref(medication),
        other=Counterpart("condition", fact.text, label),
        action=action,
        hazard="indication",
        certainty=Certainty.STATED,
        evidence=evidence,
        rules=(claim,),
        path=(PathStep(medication.called, "ordered for", fact.text), PathStep(medication.called, "indicated for", s.rule.object_name, claim)),
        data=(fact.source,),
        subject_key=f"use {fact.source.reference}",
        qualifiers=notes,
        strength=strength,
        basis=s.rule.basis,
        orders=(medication.reference,),
    )


def _as_needed(case: Case, medication: Medication, positive: list[Statement], reasons: list[ConditionFact]) -> list[Finding]:
    """A warning for an order as needed of a drug that its label says is not to be taken so; one finding at most.

    Where the label says it of one use ("an as-needed treatment for agitation"), a record that does not speak of that use makes it information.
    """
    if not any(i.as_needed for i in medication.order.instructions):
        return []
    rows = table("indications")["not_as_needed"]
    evidence = said_by_label(case, medication, rows["sections"], _not_as_needed())
    if not evidence:
        return []
    of_a_use = _not_as_needed().search(evidence[0].span.quote)
    use = specific_words(of_a_use["use"]) if of_a_use is not None and of_a_use["use"] else frozenset()
    met = not use or any(use & expanded(fact.text) for fact in reasons)
    claim = positive[0].claims[0].id
    return [
        Finding(
            check="indication",
            category=Category.INDICATION,
            risk=RiskType.INDICATION_MISMATCH,
            drug=drug_ref(medication),
            other=Counterpart("condition", "use as needed", None),
            action=Action.NOT_RECOMMENDED,
            hazard="as needed",
            certainty=Certainty.STATED,
            evidence=evidence,
            rules=(claim,),
            path=(PathStep(medication.called, "ordered for", "use as needed"),),
            data=(medication.order.source,),
            subject_key="as needed",
            strength=Strength.SHOULD,
            orders=(medication.reference,),
            cap=None if met else "info",
        )
    ]


def _reserved(case: Case, medication: Medication) -> tuple[EvidenceRef, ...]:
    """The sentence by which the label that judges the order keeps the drug for its indications; empty when there is none."""
    rows = table("indications")["reserved"]
    return said_by_label(case, medication, rows["sections"], _reserving(), rows["not_words"])


@cache
def _not_as_needed() -> re.Pattern[str]:
    return re.compile(table("indications")["not_as_needed"]["pattern"], re.IGNORECASE)


@cache
def _reserving() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(w) for w in table("indications")["reserved"]["words"]), re.IGNORECASE)
