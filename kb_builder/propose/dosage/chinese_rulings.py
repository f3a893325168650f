"""Dose phrases of Chinese inserts as drafts of regimens and limits."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.dosage.chinese_before import Before
from kb_builder.propose.dosage.regimens import limit_of, phase_of
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.things import Target
from ontology.model.claims import Strength
from ontology.model.dosing import Limit, Regimen
from ontology.model.spans import SpanRole
from ontology.text.doses import DosePhrase


def drafts_of(
    reading: Reading,
    phrase: DosePhrase,
    before: Before,
    anyone: Target,
    statement: tuple[int, int],
    floor: int,
    cited: tuple[tuple[tuple[int, int], SpanRole], ...],
) -> Iterator[Draft]:
    """One draft a use; a phrase that is a step of titration, or has no amount, gives none."""
    payload: Limit | Regimen | None = limit_of(phrase)
    phase = phase_of(reading.blank, phrase, floor) if phrase.bound is None else None
    payload = Regimen((phase,)) if phase is not None and not phase.increment else payload
    if payload is None:
        return
    route = phrase.route or before.route
    for target, place in before.uses or ((anyone, (phrase.start, phrase.end)),):
        yield Draft(
            reading,
            "has_limit" if isinstance(payload, Limit) else "has_dose_rule",
            target,
            place,
            statement,
            limits=before.limits,
            strength=Strength.MUST if isinstance(payload, Limit) else Strength.SHOULD,
            payload=payload,
            cited=cited,
            routes=(route,) if route else (),
        )
