"""Doses that other sections state: only adjusted doses and ceilings for patients or partners that the sentence itself names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.standing import Scopes
from kb_builder.propose.drafts import Draft
from ontology.model.dosing import Limit, Measure
from ontology.model.guards import Opaque, leaves
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
    r"\b(?:(?:should|must) (?:not exceed|not be exceeded|be (?:limited|reduced|decreased|started|initiated|lowered|restricted|dosed) (?:to|at|with|by))|do not exceed|limit (?:the )?(?:\w+ ){0,4}(?:dose|dosage)|(?:maximum|recommended|starting|initial|total daily|maximum daily) (?:\w+ ){0,3}(?:dose|dosage)[^.;]{0,80}\bis\b"
    r"|(?:reduce|decrease|lower|increase) (?:the )?(?:\w+ ){0,4}(?:dose|dosage)[^.;]{0,60}\b(?:to|by)\b|(?:dose|dosage) should (?:be|not)|not to exceed|(?:initiate|start) (?:\w+ ){0,4}at)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d\s*(?:mg|mcg|g|units?|mEq|%)|\bhal(?:f|v\w+)\b", re.IGNORECASE)
_NEAR = 160
_NO_ORDER = re.compile(
    r"\btimes (?:the )?(?:\w+ ){0,3}(?:AUC|MRHD|exposure|human|recommended)|\bAUC\b|\bexposures?\b|\b(?:did|does) not (?:affect|produce|alter|change|increase)|\bpharmacokinetics?\b|\bfet(?:al|us)\b|\bin one report\b|\boccur(?:s|red)\b|\bincidence\b|\bmay have to be exceeded\b",
    re.IGNORECASE,
)


def may_order(text: str) -> bool:
    """True where a section's text has an order on a dose with an amount near it: the others are not worth reading for doses."""
    return any(_AMOUNT.search(text, m.start(), m.end() + _NEAR) for m in _ORDER.finditer(text))


def elsewhere_drafts(reader: ProseReader, blank: str, scopes: Scopes) -> Iterator[Draft]:
    """The drafts of another section's sentences that give an order on the dose and say for whom."""
    for passage in scopes.passages:
        sentence = blank[passage.start : passage.end]
        if _ORDER.search(sentence) is None or _NO_ORDER.search(sentence) or is_animal(sentence) or passage.standing.topic in ("adverse", "monitoring"):
            continue
        for draft in reader.passage(passage):
            if any(r.start >= passage.start and any(not isinstance(leaf, Opaque) for leaf in leaves(r.guard)) for r in draft.limits) and not _only_time(draft):
                yield draft


def _only_time(draft: Draft) -> bool:
    """True for a limit on time or rate: elsewhere these are advice on handling, not on the dose."""
    return isinstance(draft.payload, Limit) and draft.payload.measure in (Measure.MINIMUM_INTERVAL, Measure.DURATION, Measure.RATE)
