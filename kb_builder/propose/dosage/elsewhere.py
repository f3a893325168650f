"""Doses that other sections state: only adjusted doses and ceilings for patients or partners that the sentence itself names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.scope import Scopes
from kb_builder.propose.drafts import Draft
from ontology.text.context import is_animal

OTHER_SECTIONS = (
    "boxed_warning",
    "drug_interactions",
    "use_in_specific_populations",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "pediatric_use",
    "geriatric_use",
)

_ORDER = re.compile(
    r"\b(?:should (?:not exceed|be (?:limited|reduced|decreased|started|initiated|administered|given|lowered|restricted|dosed))|do not exceed|must not exceed|limit (?:the )?(?:\w+ ){0,3}dos|(?:maximum|recommended|starting|initial|usual|total daily|daily) (?:\w+ ){0,4}(?:dose|dosage)"
    r"|reduce (?:the )?(?:\w+ ){0,4}(?:dose|dosage)|(?:dose|dosage) (?:should|must|is|of)|initiate|start\b|not to exceed|no more than|(?:dose|dosage)s? (?:greater|higher|above|exceeding))",
    re.IGNORECASE,
)


def elsewhere_drafts(reader: ProseReader, blank: str, scopes: Scopes) -> Iterator[Draft]:
    """The drafts of another section's sentences that give an order on the dose and say for whom."""
    for passage in scopes.passages:
        sentence = blank[passage.start : passage.end]
        if _ORDER.search(sentence) is None or is_animal(sentence) or passage.standing.topic in ("adverse", "monitoring"):
            continue
        for draft in reader.passage(passage):
            if draft.limits:
                yield draft
