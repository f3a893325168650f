"""Ladders of reductions that a footnote or a heading of a table spells out ("First dose reduction level is 1.4 mg/kg")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.standing import EVERYONE
from kb_builder.propose.dosage.table_doses import doses_in
from kb_builder.propose.dosage.table_rows import RowScope
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from ontology.model.dosing import AmountBasis, Phase, PhaseKind, Regimen
from ontology.model.guards import Opaque
from ontology.text.doses import DosePhrase
from ontology.text.tables import Table

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


def ladder_drafts(reading: Reading, table: Table, base: RowScope) -> Iterator[Draft]:
    """The rungs that the footnotes of a table spell out, each for those of whom the caption speaks."""
    text = reading.shadow.text
    for note in table.notes:
        for rung, phrase in rungs_in_words(text, note.start, note.end):
            phase = Phase(PhaseKind.ADJUSTED, phrase.amounts, phrase.frequency or base.lent.frequency)
            name = Restriction(Opaque(" ".join(text[slice(*rung)].split())), *rung)
            for target in base.indications or (EVERYONE,):
                yield Draft(
                    reading=reading,
                    predicate="has_dose_rule",
                    target=target,
                    place=(rung[0], phrase.end),
                    statement=(rung[0], phrase.end),
                    limits=(*base.conditions, name),
                    payload=Regimen((phase,)),
                    cited=base.cited,
                    routes=base.routes,
                )
