"""What a cell says of one of its doses beside the amount: for whom, with what, after what, and in place of what dose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.reader import read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.table_beside import partners_behind, treated_before
from kb_builder.propose.dosage.table_cells import CellDose
from kb_builder.propose.dosage.table_guards import cell_conditions
from kb_builder.propose.dosage.table_headers import is_number
from kb_builder.propose.dosage.table_stretches import gaps_of, read_around
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Opaque, leaves
from ontology.text.tables import Cell

Place = tuple[int, int]

_BRACKET = re.compile(r"[^().;]{0,25}?\((?P<inside>[^()]{2,60})\)")
_WHOM = re.compile(r"\b(?:years?|yrs?|months?|kg|adults?|children|adolescents?|infants?)\b", re.IGNORECASE)


class CellReader:
    """Reads the conditions of doses in the cells of one table; a statement is read once."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._text = reading.shadow.text
        self._lexicon = lexicon
        self._sentences: dict[Place, list[Restriction]] = {}

    def conditions(self, cell: Cell, dose: CellDose, doses: Sequence[CellDose]) -> list[Restriction]:
        """The conditions of one of the doses of a cell."""
        found = self._of_label(dose.label) if dose.label is not None and not dosage_words().routes_in(self._text[slice(*dose.label)]) else []
        if not is_number(cell.text):
            brackets = {d.place: b for d in doses if d.segment == dose.segment and (b := self._bracket_behind(d)) is not None} if len(doses) > 1 else {}
            told = [r for r in self._told(dose.segment, gaps_of(self._reading, cell)) if not any(b[0] <= r.start < b[1] for b in brackets.values())]
            own = brackets.get(dose.place)
            told += self._of_label(own) if own is not None else []
            found += [r for r in told if not any(r.guard == f.guard for f in found)]
            partners = partners_behind(self._reading, self._lexicon, dose.place[1], dose.segment[1])
            found += [r for r in partners if not any(isinstance(leaf, Exposure) for f in found for leaf in leaves(f.guard))]
            before = treated_before(self._reading, dose.place[1], dose.segment[1])
            found += [r for r in before if not any(f.start < r.end and r.start < f.end for f in found)]
        for thing in dose.beside:
            found += read_label_conditions(self._reading.blank, thing.start, thing.end, [thing], self._lexicon)
        if dose.former is not None:
            found.append(Restriction(Opaque(f"dose so far {self._text[slice(*dose.former)]}"), *dose.former))
        if dose.after is not None:
            found.append(Restriction(Opaque(" ".join(self._text[slice(*dose.after)].split())), *dose.after))
        return found

    def _bracket_behind(self, dose: CellDose) -> Place | None:
        """The inside of a bracket right behind a dose that says for whom it is ("1,000 mg (12-15 yr) 1,200 mg (over 15 yr)")."""
        m = _BRACKET.match(self._text, dose.place[1], dose.segment[1])
        return m.span("inside") if m is not None and _WHOM.search(m["inside"]) else None

    def _of_label(self, place: Place) -> list[Restriction]:
        """The conditions of the words before a dose ("Adults: 250 mg"); words that only name doses are none."""
        found = cell_conditions(self._reading, self._lexicon, Cell(0, 0, 1, 1, False, "", *place, (place,)), None, "")
        read = [r for r in found if not any(isinstance(leaf, Opaque) for leaf in leaves(r.guard))]
        return found if dosage_words().matter(self._reading.blank[slice(*place)]) else read

    def _told(self, place: Place, gaps: Sequence[Place]) -> list[Restriction]:
        """The conditions of a statement; a meal that a dose is taken with is none, and neither is what a footnote printed into it says."""
        if place not in self._sentences:
            inside = [(start, end) for start, end in gaps if place[0] < start and end < place[1]]
            found = read_around(self._reading, place, inside, lambda text, start, end, things: read_conditions(text, start, end, things, self._lexicon))
            self._sentences[place] = [
                r for r in found if not all(isinstance(leaf, Exposure) and leaf.target.type == EntityType.FOOD for leaf in leaves(r.guard))
            ]
        return self._sentences[place]
