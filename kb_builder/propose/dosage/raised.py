"""Two amounts of a change, read as the range they look like: "increase the dose from 10 mg to 20 mg" orders 20 mg."""

from __future__ import annotations

import re
from dataclasses import replace

from ontology.model.dosing import PhaseKind
from ontology.text.doses import DosePhrase

_RAISED = re.compile(r"\b(?:increas|rais|escalat|titrat)\w*\b[^.;]{0,160}\bfrom\s+$", re.IGNORECASE)
_DOSE = re.compile(r"\bdos(?:e|age)s?\b", re.IGNORECASE)
_NOT_ORDERED = re.compile(r"\b(?:exposures?|risk|incidence|frequency of|AUC|Cmax|levels?|concentrations?|rates? of|effects?|responses?)\b", re.IGNORECASE)
_TO = re.compile(r"\s+to\s+(?=\d)", re.IGNORECASE)


def raised(blank: str, start: int, phrase: DosePhrase) -> DosePhrase:
    """The phrase with the higher amount alone where words of an increase, and "from", stand before its two."""
    if phrase.bound is not None or len(phrase.amounts) != 1:
        return phrase
    (amount,) = phrase.amounts
    to = _TO.search(blank, phrase.start, phrase.end)
    if amount.low is None or amount.high is None or amount.low >= amount.high or to is None:
        return phrase
    head = blank[start : phrase.start]
    if _RAISED.search(head) is None or _DOSE.search(head) is None or _NOT_ORDERED.search(head) is not None:
        return phrase
    return replace(phrase, start=to.end(), amounts=(replace(amount, low=amount.high),), phase=PhaseKind.TITRATION)
