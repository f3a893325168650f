"""What the label that judges an order says in words that no rule holds: one sentence of its sections, as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cds_service.audit.checks.protocol import Case
from cds_service.audit.outcomes import EvidenceRef
from cds_service.audit.roster import Medication
from ontology.model.spans import Span
from ontology.text.sentences import split_units


def said_by_label(
    case: Case, medication: Medication, sections: Sequence[str], asked: re.Pattern[str], not_words: Iterable[str] = ()
) -> tuple[EvidenceRef, ...]:
    """The first sentence of these sections that holds the pattern and none of `not_words`; empty when there is none."""
    for choice in medication.choices:
        label = choice.label
        for key in sections if label is not None else ():
            section = case.knowledge.section(label.document, label.version, key) if label is not None else None
            found = asked.search(section.text) if section is not None else None
            if section is None or label is None or found is None:
                continue
            unit = next((u for u in split_units(section.text, 0, len(section.text)) if u.start <= found.start() < u.end), None)
            if unit is not None and not any(w in section.text[unit.start : unit.end].casefold() for w in not_words):
                span = Span(label.document, label.version, key, unit.start, unit.end, section.text[unit.start : unit.end])
                return (EvidenceRef("", span, label.url, label.title, label.effective),)
    return ()
