"""What is given beside the doses of a table: partners that stand in the cell behind a dose or in a column of remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.table_doses import doses_in
from kb_builder.propose.dosage.table_headers import Column
from kb_builder.propose.dosage.table_owners import DRUGS
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Opaque, leaves
from ontology.text.tables import Cell

Place = tuple[int, int]

_COMBINED = re.compile(r"(?:^|[.;,]\s+|\bgiven |\badminister (?:[\w-]+ ){0,3})in combination with\s+(?:an? |the )?", re.IGNORECASE)
_WITH = re.compile(r"(?<!patients )(?<!adults )(?<!children )\b(?:with|plus|in addition to|together with)\s+(?!or without)", re.IGNORECASE)
_LASTED = re.compile(
    r"\bafter (?:at least |a minimum of |completing |completion of |an? )?(?:\d+(?:\s*(?:-|to)\s*\d+)? (?:months?|weeks?|days?) of )?[^.;,:\d]{3,60}?\b(?:treatment|therapy)\b",
    re.IGNORECASE,
)
"""What must have come before a dose, behind it in its cell."""
_END = re.compile(r"[.;:(*]|,(?! (?:and|or) )|\s(?:for|until|every|on|when|on the|as|once|twice|at|followed|then|is|are|to|in|or (?=\d))\b|\s\d", re.IGNORECASE)
_COMMA = re.compile(r"[\s,(]*")
_AFTER = re.compile(r"^\W*(?:after|following) [^.;,]{5,90}(?=,)", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:with|without|concomitant\w*|combin\w+|taking|receiving|plus|and|inhibitors?|inducers?|treated|experienced|naive|refractory)\b", re.IGNORECASE
)
_ROLES = re.compile(
    r"\b(?:for|with|to|by|of|taking|receiving)\s+(?:use (?:with|of)\s+)?(?P<roles>(?:(?:strong|moderate|weak|mild|dual|combined|known|and|or|both|an?|the|(?:CYP|UGT|OATP|P-?gp|BCRP|MATE)[\w/-]*)[\s,/]+){1,8}(?:inhibitors?|inducers?)\b)",
    re.IGNORECASE,
)
_LONGEST = 120
_PARTNERS = DRUGS | {EntityType.DRUG_CLASS.value}


def beside_conditions(reading: Reading, lexicon: Lexicon, cell: Cell) -> list[Restriction]:
    """The partners that a remark says the doses of its row are combined with, and what must have come before them."""
    out: list[Restriction] = []
    after = _AFTER.search(reading.blank[cell.start : cell.end])
    if after is not None:
        out.append(Restriction(Opaque(" ".join(after[0].split())), cell.start + after.start(), cell.start + after.end()))
    for start, end in cell.pieces or ((cell.start, cell.end),):
        for m in _COMBINED.finditer(reading.blank[start:end]):
            out += _partner(reading, lexicon, start + m.end(), end, named=False)
    return out


def partners_in_title(reading: Reading, lexicon: Lexicon, place: Place, found: Sequence[Restriction]) -> list[Restriction]:
    """The inhibitors or inducers that the caption of a table of changed doses is about ("Reductions for strong CYP3A inhibitors"), where no condition
    read in it says so; in its words where they are not known.
    """
    if any(isinstance(leaf, Exposure) for r in found for leaf in leaves(r.guard)):
        return []
    m = _ROLES.search(reading.blank, *place)
    if m is None:
        return []
    start, end = m.span("roles")
    read = read_label_conditions(reading.blank, start, end, reading.things_in(start, end), lexicon)
    known = [r for r in read if any(isinstance(leaf, Exposure) for leaf in leaves(r.guard))]
    return known or [Restriction(Opaque(" ".join(m["roles"].split())), start, end)]


def treated_before(reading: Reading, dose_end: int, end: int) -> list[Restriction]:
    """The treatment that must have come before a dose, where the words right behind it say so ("10 mg once daily, after 6 months of treatment")."""
    m = _LASTED.search(reading.blank, dose_end, end)
    return [Restriction(Opaque(" ".join(m[0].split())), m.start(), m.end())] if m is not None and _COMMA.fullmatch(reading.blank, dose_end, m.start()) else []


def partners_behind(reading: Reading, lexicon: Lexicon, dose_end: int, end: int) -> list[Restriction]:
    """The partner that follows a dose up to the next statement ("360 mg every 3 weeks with ipilimumab 1 mg/kg")."""
    return [r for m in _WITH.finditer(reading.blank, dose_end, end) for r in _partner(reading, lexicon, m.end(), end, named=True)]


def _partner(reading: Reading, lexicon: Lexicon, start: int, end: int, *, named: bool) -> Iterator[Restriction]:
    """The exposure that the words from `start` name; words that name none are kept, but not where only a known name makes them a partner."""
    stop = _END.search(reading.blank, start, min(end, start + _LONGEST))
    until = stop.start() if stop is not None else min(end, start + _LONGEST)
    things = [t for t in reading.things_in(start, until) if t.kind is Kind.PARTNER and not t.own and t.type in _PARTNERS]
    if (named and not things) or doses_in(reading.shadow.text, start, until) or not reading.blank[start:until].strip():
        return
    read = read_label_conditions(reading.blank, start, until, reading.things_in(start, until), lexicon)
    if any(isinstance(leaf, Exposure) for r in read for leaf in leaves(r.guard)):
        yield from read
    else:
        yield Restriction(Opaque("in combination with " + " ".join(reading.blank[start:until].split())), start, until)


def is_partners(reading: Reading, column: Column) -> bool:
    """True for a column whose name says that its doses are another drug's."""
    things = [t for h in column.heads if h.placed for t in reading.things_in(h.start, h.end)]
    others = [t for t in things if not t.own and t.kind is Kind.PARTNER and t.type in DRUGS]
    return bool(others) and not any(t.own for t in things) and not _TOGETHER.search(" ".join(h.text for h in column.heads))


def partner_of(reading: Reading, lexicon: Lexicon, column: Column, cell: Cell | None) -> list[Restriction]:
    """The drug whose doses a column holds, as given beside the others of a row where it has one there."""
    if cell is None or not cell.placed or not doses_in(reading.shadow.text, cell.start, cell.end):
        return []
    things = [t for h in column.heads if h.placed for t in reading.things_in(h.start, h.end) if t.kind is Kind.PARTNER and t.type in DRUGS]
    return [r for t in things[:1] for r in read_label_conditions(reading.blank, t.start, t.end, [t], lexicon)]
