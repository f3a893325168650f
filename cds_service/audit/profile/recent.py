"""Whether the patient had a condition within a time that a label names: "stroke in the last 6 months"."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from cds_service.audit.clinical import words
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.profile.record import ProblemList, RecordMatch
from cds_service.audit.profile.told_days import told_days
from cds_service.intake.prescription import ConditionFact
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState, UnknownReason
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId


def had_within(problems: ProblemList, concept: EntityId, days: Decimal, today: date) -> RecordMatch:
    """What the record says of a concept in the days before today.

    What lasts holds; an event, or what is over, holds by the day that the entry gives or its words tell. UNKNOWN(judgement) where no day is told,
    or where something began before that time and its end is not known.
    """
    first = today - timedelta(days=int(days))
    left_open: RecordMatch | None = None
    seen = False
    for fact, certainty in problems.entries_of(concept):
        seen = True
        event = _is_event(fact, problems.terms)
        told = (fact.onset, fact.onset) if fact.onset is not None else told_days(fact.text, today, fact.source.date)
        noted = fact.source.kind == "notes"
        if (fact.status == "active" and not event) or (told is not None and told[0] >= first):
            return RecordMatch(Truth.TRUE, fact.text, fact.source, certainty, from_notes=noted)
        if told is None or told[1] >= first or not event:
            left_open = RecordMatch(Truth.UNKNOWN, fact.text, fact.source, certainty, UnknownReason.JUDGEMENT, noted, frozenset())
    if left_open is not None:
        return left_open
    if not seen:
        return problems.match(concept, ConditionState.ACTIVE, "")
    why = problems.unread
    return RecordMatch(Truth.FALSE) if why is None else RecordMatch(Truth.UNKNOWN, reason=why)


def _is_event(fact: ConditionFact, terms: Terms) -> bool:
    """True for what happens on a day and does not last, however long the list keeps it."""
    events = entities_named(terms, words("recent", "events"), (EntityType.CONDITION, EntityType.PROCEDURE))
    return any(terms.covers(e, m.id) is Truth.TRUE for m in fact.concepts for e in events)
