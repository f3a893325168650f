"""Ladders of reductions that a footnote or a heading of a table spells out ("First dose reduction level is 1.4 mg/kg")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.dosage.table_doses import doses_in
from ontology.model.dosing import AmountBasis
from ontology.text.doses import DosePhrase

Place = tuple[int, int]

_RUNG = re.compile(
    r"\b(?P<rung>(?:first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:dos(?:e|age)\s+)?(?:level\s+)?reduction(?:\s+(?:level|step))?)\s*(?:is|to|of|at|[:=,-])\s*(?:a\s+dos(?:e|age)\s+of\s+)?",
    re.IGNORECASE,
)


def rungs_in_words(text: str, start: int, end: int) -> Iterator[tuple[Place, DosePhrase]]:
    """Each rung that the words of `[start, end)` name with its dose right behind."""
    found = list(_RUNG.finditer(text, start, end))
    for n, m in enumerate(found):
        until = found[n + 1].start() if n + 1 < len(found) else end
        phrase = next(iter(doses_in(text, m.end(), until)), None)
        if (
            phrase is not None
            and phrase.amounts
            and phrase.start == m.end()
            and phrase.bound is None
            and not any(a.basis is AmountBasis.FRACTION for a in phrase.amounts)
        ):
            yield m.span("rung"), phrase
