"""The rules that footnotes of a table state of those whom they name, beside the doses that call the footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.standing import Passage, Standing
from kb_builder.propose.dosage.table_rows import RowScope
from kb_builder.propose.dosage.table_wider import consistent
from kb_builder.propose.dosage.table_words import table_words
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.statements import Statement
from ontology.model.guards import Opaque, leaves
from ontology.text.tables import Footnote

_SUPPLEMENT = re.compile(r"\bsupplement(?:al|ary) dos(?:e|es|age)\b", re.IGNORECASE)  # a dose after dialysis, beside the row's


def note_drafts(reading: Reading, lexicon: Lexicon, uses: str, notes: Iterable[Footnote], scope: RowScope) -> Iterator[Draft]:
    """The drafts of the footnotes that a row's dose calls; none without a condition of its own that is read."""
    for note in dict.fromkeys(notes):
        added = _SUPPLEMENT.search(note.text) is not None
        if note.end <= note.start or not (added or table_words().is_for_others(note.text)) or not reading.blocks:
            continue
        statement = Statement(note.start, note.end, tuple(reading.things_in(note.start, note.end)), False, False)
        passage = Passage(note.start, note.end, statement, reading.blocks[0], Standing(scope.indications, scope.conditions))
        for draft in ProseReader(reading, lexicon, uses).passage(passage):
            own = [r for r in draft.limits if note.start <= r.start and r.end <= note.end]
            if (
                (own or added)
                and consistent((*own, *scope.conditions)) is not None
                and not any(isinstance(leaf, Opaque) for r in own for leaf in leaves(r.guard))
            ):
                yield replace(draft, cited=(*draft.cited, *scope.cited))
