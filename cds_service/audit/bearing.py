"""Whether a statement bears on this very order: one on starting the drug does not forbid to go on with it, one on a labelled use is not on another use.

Such a statement is never left out: it is shown more quietly, with the reason why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from cds_service.audit.checks.protocol import Case
from cds_service.audit.clinical import setting
from cds_service.audit.evidence import Statement
from cds_service.audit.named_conditions import named_concepts
from cds_service.audit.pest.guards import RENAL
from cds_service.audit.pest.indications import STATED, Uses
from cds_service.audit.pest.rarer import is_already_rarer
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderIntent
from ontology.model.claims import Polarity
from ontology.model.guards import Category as WordsOf
from ontology.model.guards import HasCondition, Interval, Truth, leaves
from ontology.model.identifiers import EntityId
from ontology.model.spans import SpanRole

_NO_START = re.compile(
    r"\b(?:avoid|do not|should not|must not|not recommended to)\s+(?:\w+\s+)?(?:initiat\w+|be (?:initiated|started)|start)\b(?!\s+\S+\s+(?:no earlier|until))"
    r"|\binitiat(?:ion|ing)\b[^.;]{0,80}?\b(?:is|are)\s+(?:not recommended|contraindicated)|^\W*initiation in\b|\bat initiation\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\bdiscontinu|\bor continu|\bmust be stopped|\bshould be stopped", re.IGNORECASE)
_FOR_USE = re.compile(
    r"\b(?:for use|when used|used (?:for|to)|for the treatment of|(?:is|are) not (?:recommended|indicated) for)\b(?P<what>[^.;]{3,160})", re.IGNORECASE
)
_OF_PATIENTS = re.compile(r"\b(?:in|for)\b(?P<who>.+)", re.IGNORECASE | re.DOTALL)
_DOSING = "dosage_and_administration"


@dataclass(frozen=True, slots=True)
class Aside:
    """Why a statement that holds of the patient is not on this order, and the highest indicator it is shown with."""

    why: str
    cap: str


def aside_of(case: Case, medication: Medication, statement: Statement) -> Aside | None:
    """Why a statement is not on this order; None for one that is, or that may be."""
    if _is_on_starting(statement) and _goes_on(case, medication):
        measured = any(isinstance(leaf, Interval | WordsOf) and leaf.axis in RENAL for leaf in leaves(statement.rule.guard))
        return Aside("the label says this of starting the drug; the patient takes it already", "info" if measured else "warning")
    if is_already_rarer(medication, statement):
        return Aside("the order already gives it less often than the label's usual doses", "info")
    return _on_another_use(case, medication, statement)


def _is_on_starting(statement: Statement) -> bool:
    """True where the sentence forbids to start the drug, and says nothing of stopping it."""
    said = [s.quote for s in statement.claims[0].evidence if s.role in (SpanRole.STATEMENT, SpanRole.HEADING)]
    return any(_NO_START.search(quote) for quote in said) and not any(_GOES_ON.search(quote) for quote in said)


def _goes_on(case: Case, medication: Medication) -> bool:
    """True when the order renews the drug, or follows on a current order of it or on one whose supply was used up lately; not on a stopped one."""
    if medication.order.intent is OrderIntent.RENEWAL or medication.order.prior is not None:
        return True
    since = case.prescription.reference_time.date() - timedelta(days=setting("continued", "lapse_days"))
    used_up = (m for m in case.roster.recent if m.order.status == "completed" and (day := m.order.ended or m.order.source.date) is not None and day >= since)
    return any(m.ingredients & medication.ingredients and m.reference != medication.reference for m in (*case.roster.current, *used_up))


def _on_another_use(case: Case, medication: Medication, statement: Statement) -> Aside | None:
    """The use that the sentence or its heading is on, where the order states another labelled one."""
    stated = case.profile.at(medication).reasons
    if not stated:
        return None
    terms = case.knowledge.terminology
    uses = Uses(case.profile, stated, STATED, open_=False)
    labelled = [r for r in statement.view.indications if r.polarity is Polarity.POSITIVE]
    meant = [c for c in _uses_named(case, statement) if any(Truth.TRUE in (terms.covers(r.object, c), terms.covers(c, r.object)) for r in labelled)]
    reasons = [m.id for fact in stated for m in fact.concepts]
    if not meant or any(terms.covers(c, mine) is not Truth.FALSE for c in meant for mine in reasons):
        return None
    other = any(uses.match(r) is Truth.TRUE and not any(Truth.TRUE in (terms.covers(c, r.object), terms.covers(r.object, c)) for c in meant) for r in labelled)
    return Aside(f"the label says this of its use in {terms.name(meant[0])}; the order is for {stated[0].text}", "info") if other else None


def _uses_named(case: Case, statement: Statement) -> Iterator[EntityId]:
    """The conditions that a sentence is limited to as uses: those it names behind "for use ...", and those in its headings that the rule does not ask for."""
    terms, rule = case.knowledge.terminology, statement.rule
    for m in _FOR_USE.finditer(_quote(statement)):
        yield from named_concepts(terms, m["what"])
    asked = {rule.object, *(leaf.concept for leaf in leaves(rule.guard) if isinstance(leaf, HasCondition))}
    for span in statement.claims[0].evidence:
        if span.role is SpanRole.HEADING:
            people = _OF_PATIENTS.search(span.quote)
            who = span.quote if span.section == _DOSING else people["who"] if people is not None else ""
            for c in named_concepts(terms, who):
                if c not in case.profile.impairments and not any(Truth.TRUE in (terms.covers(a, c), terms.covers(c, a)) for a in asked):
                    yield c


def _quote(statement: Statement) -> str:
    return next((s.quote for s in statement.claims[0].evidence if s.role is SpanRole.STATEMENT), "")
