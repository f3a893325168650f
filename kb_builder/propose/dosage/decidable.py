"""Dose drafts of which a record can decide more: opaque words that are a use, a form, a phase, a response or nothing are told so."""

from __future__ import annotations

from kb_builder.propose.dosage.leftovers import without_leftovers
from kb_builder.propose.dosage.restated import restated
from kb_builder.propose.dosage.use_words import Uses
from kb_builder.propose.dosage.waiting import without_waiting
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.lexicon import Lexicon


def decidable(draft: Draft, uses: Uses, lexicon: Lexicon) -> Draft:
    """The draft with every opaque word that is no condition of the patient in its own place; real conditions stay in their words."""
    return without_waiting(restated(without_leftovers(draft), uses, lexicon))
