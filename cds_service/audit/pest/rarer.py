"""Whether an order already gives its drug less often than the label's usual doses, where the label asks for no more than that."""

from __future__ import annotations

import re
from decimal import Decimal

from cds_service.audit.evidence import Statement
from cds_service.audit.pest.bands import times_a_day
from cds_service.audit.pest.guards import families
from cds_service.audit.roster import Medication
from ontology.model.advice import Action, Advice
from ontology.model.dosing import PhaseKind, Regimen
from ontology.model.spans import SpanRole
from ontology.text.dosing.timing import find_timing

_LESS_OFTEN = re.compile(
    r"\b(?:reduc|decreas|lower)\w*\s+(?:in\s+|of\s+)?(?:the\s+)?(?:[\w-]+\s+)?(?:dosing|dose|dosage|administration)?\s*frequency\b|\bless\s+frequent\w*"
    r"|\b(?:dosing|dosage|dose)\s+frequency\s+should\s+be\s+(?:reduced|decreased|lowered)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:dose|dosage)\b(?!\s*(?:frequency|interval))(?=[^.;]{0,40}\b(?:reduc|decreas|lower|\d+\s*(?:mg|mcg|%)))|\breduc\w*\s+(?:the\s+)?(?:dose|dosage)\b(?!\s*frequency)",
    re.IGNORECASE,
)
"""Asks for smaller doses too."""
_PLAIN = frozenset({PhaseKind.USUAL, PhaseKind.STARTING, PhaseKind.MAINTENANCE})


def is_already_rarer(medication: Medication, statement: Statement) -> bool:
    """True for a statement that asks for fewer doses and nothing else, on an order of fewer a day than any usual regimen of the label."""
    payload = statement.rule.payload
    if not isinstance(payload, Advice) or payload.strictest is not Action.ADJUST_DOSE:
        return False
    said = next((s.quote for s in statement.claims[0].evidence if s.role is SpanRole.STATEMENT), "")
    if _LESS_OFTEN.search(said) is None or _OTHERWISE.search(said) is not None:
        return False
    ordered, usual = _ordered(medication), _usual(statement)
    return ordered is not None and usual is not None and ordered < usual and all(ordered <= often for often in _named(said))


def _named(said: str) -> list[Decimal]:
    """The doses a day that a sentence names ("to once daily"): an order of more is not what it asks for."""
    frequencies = (p.frequency for p in find_timing(said, 0, len(said)))
    return [least for f in frequencies if f is not None for least in times_a_day(f)[:1] if least is not None]


def _ordered(medication: Medication) -> Decimal | None:
    """Doses a day of the one instruction of an order; None where it says none or has several."""
    instructions = medication.order.instructions
    if len(instructions) != 1 or instructions[0].times_high is None:
        return None
    return instructions[0].times_high / instructions[0].period_days


def _usual(statement: Statement) -> Decimal | None:
    """The fewest doses a day of the label's regimens for everybody; None where none says how often."""
    told = [
        least
        for rule in statement.view.doses
        if isinstance(rule.payload, Regimen) and not families(rule.guard)
        for phase in rule.payload.phases
        if phase.kind in _PLAIN and phase.frequency is not None
        for least in times_a_day(phase.frequency)[:1]
        if least is not None
    ]
    return min(told, default=None)
