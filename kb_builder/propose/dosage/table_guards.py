"""The conditions that a table puts on its doses: those of its caption, of headings over rows, of row and column names, and of footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.conditions.reader import axis_of_header, read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.naming import named_condition
from kb_builder.propose.dosage.table_bands import is_torn, lab_band, read_band
from kb_builder.propose.dosage.table_doses import doses_in
from kb_builder.propose.dosage.table_genotypes import GENE, metaboliser
from kb_builder.propose.dosage.table_headers import SHARE, Column
from kb_builder.propose.dosage.table_roles import whole_roles
from kb_builder.propose.dosage.table_stretches import gaps_of, notes_within, read_around, words_around
from kb_builder.propose.dosage.table_wider import LEVELS, RENAL, axes_of
from kb_builder.propose.dosage.table_words import UNIT_IN_BRACKETS, WORD, table_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.dosing import PhaseKind
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, HasCondition, Opaque, leaves
from ontology.text.tables import Cell, Footnote

Place = tuple[int, int]

_OPENS = re.compile(r"(?:(?:less than|more than|greater than|at least|up to|not|without|with|in combination with|no|[<>≤≥=(*]+)\s*)+$", re.IGNORECASE)
_MEASURED = re.compile(r"[<>≤≥]\s*\d|\d\s*(?:kg|kilograms?|lbs?|years?|months?|weeks?|days?|m ?2|mL/min)\b", re.IGNORECASE)
FORM = re.compile(
    r"\b(?:IV|PO|oral|intravenous|intramuscular|subcutaneous|tablets?|capsules?|granules|pellets|suspension|solution|injection|powder|sprinkles?|film)\b",
    re.IGNORECASE,
)
_RUNG = re.compile(r"\b(?:first\b|second\b|third\b|fourth\b|fifth\b|1 ?st|2 ?nd|3 ?rd|[4-9] ?th|(?:one|two|three)-level\b).*reduc", re.IGNORECASE)
_FIGURES = re.compile(
    r"(?:\s*(?:\d[\d.,]*|[<>≤≥=-]|to|or|less|more|greater|and|than|above|below|kg|mL|min|years?|months?|m ?2|1\.73|/)(?![\w]))+", re.IGNORECASE
)
_STRENGTH = re.compile(
    r"\b\d[\d.,]*\s*(?:mg|mcg|units?|g)\s*(?:/\s*(?:\d[\d.]*\s*)?mL\b|(?:\w+ ){0,2}(?:tablets?|capsules?|packets?|vials?|suspension|strength)\b)", re.IGNORECASE
)
_ALLELES = re.compile(r"\*\d+|^[ACGT]{1,2}(?:/[ACGT]{1,2})?$")
_KILOGRAMS = re.compile(r"\d\s*kg\b(?!\s*/)", re.IGNORECASE)
_SQUARE_METRES = re.compile(r"\d\s*m ?2\s*$")
_ORGAN = re.compile(r"\b(?:renal|kidney|hepatic|liver)\b", re.IGNORECASE)
_ORGANS = {"renal": Axis.RENAL, "kidney": Axis.RENAL, "hepatic": Axis.HEPATIC, "liver": Axis.HEPATIC}
_DEGREE = re.compile(
    rf"(?P<level>{'|'.join(LEVELS)})(?: (?:renal |hepatic |kidney |liver )?(?:impairment|insufficiency))?(?:\s*\((?P<more>[^()]{{3,80}})\))?", re.IGNORECASE
)
_INCLUDED = re.compile(r"\bincluding (?:(?:those|patients|people|and|or|on|receiving|undergoing|requiring|with)\s+)*$", re.IGNORECASE)
"""What stands before people that a cell counts among those whom it names: they narrow nothing."""
_AND_THOSE = re.compile(r"\s*(?:,|\band/or\b|\band\b|\bor\b)(?:\s|\b(?:and|or|those|patients|people|on|receiving|undergoing|requiring|with)\b)*", re.IGNORECASE)
_NORMAL = re.compile(r"(?:normal|none|no impairment)(?: function)?", re.IGNORECASE)
_AXIS_OF = {Axis.RENAL: Axis.CRCL, Axis.HEPATIC: Axis.CHILD_PUGH}
_SHORT = 3  # words of a cell that say nothing without the name of their column ("First", "4 mg")
_REFERENCE = re.compile(r"\[\s*see [^\[\]]*\]|\(\s*\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*\s*\)(?=\W*$)", re.IGNORECASE)
_ADVERSE = re.compile(r"\badverse (?:reaction|event)|\btoxicit", re.IGNORECASE)
_ONLY_AND = re.compile(r"(?:\W|\band\b|\bor\b)*", re.IGNORECASE)
_LASTING = re.compile(r"\bduration\b|\btoxicit|\btreatment\b|\btherapy\b", re.IGNORECASE)
_TIME = r"(?:[<>≤≥]|more than |less than |at least )?\s*\d+(?:\s*(?:-|to)\s*\d+)?\s*(?:days?|weeks?|months?)"
_TIMES = re.compile(rf"{_TIME}(?P<more>(?:\s+{_TIME})*)", re.IGNORECASE)
"""A stretch of time, or several in one cell, which no age is."""
_INDUCTION = frozenset({"induction"})  # the phase of a column of loading doses, told as such
_HYPHENED = re.compile(r"[A-Za-z]+-[A-Za-z]+(?:-[A-Za-z]+)?")
_TOGETHER = re.compile(r"\bcombination\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\d[\d.,]*\s*(?:mg|mcg|g|units?)(?:\s*/\s*day| (?:once |twice )?daily)?", re.IGNORECASE)  # the dose so far, as a column's name
_SENTENCE = 12  # words of a cell that is a sentence of conditions: where reading leaves scraps of it, it is kept whole
_LONGEST_NOTE = 400  # characters of a footnote that is a condition
_LONGEST = 200  # characters of a cell that is kept whole where nothing of it is read


def cell_conditions(reading: Reading, lexicon: Lexicon, cell: Cell, axis: Axis | None, names: str, title: str = "") -> list[Restriction]:
    """The condition that a cell is, under a column of these names in a table of this title."""
    start, end = cell.start, cell.end
    gaps = gaps_of(reading, cell)
    words = words_around(reading.shadow.text, (start, end), gaps)
    axis = axis or axis_of_header(names)
    if axis is None and _KILOGRAMS.search(words):
        axis = Axis.WEIGHT
    if axis is None and _SQUARE_METRES.search(words):
        axis = Axis.BSA
    if axis is Axis.CRCL and "1.73" in names:
        axis = Axis.CRCL_INDEXED
    band = read_band(words, axis, names) if axis is not None else None
    if band is not None and is_torn(band):
        return [Restriction(Opaque(f"{_plain(names)}: {_plain(words)}"), start, end)]
    if band is not None:
        return [Restriction(band, start, end)]
    lab = lab_band(words, names) if axis is None else None
    if lab is not None:
        return [Restriction(lab, start, end)]
    gene = GENE.search(names)
    if gene is not None and _ALLELES.search(words.strip()) and GENE.search(words) is None:
        return [Restriction(Category(Axis.GENOTYPE, (" ".join(words.split()),), gene[0]), start, end)]
    kind = metaboliser(words, names, title, lexicon)
    if kind is not None:
        return [Restriction(kind, start, end)]
    times = _TIMES.fullmatch(words.strip(" *†‡§")) if axis is None else None
    if times is not None and (_LASTING.search(names) or times["more"]):
        return [Restriction(Opaque(f"{_plain(names)}: {_plain(words)}" if names else _plain(words)), start, end)]
    degree = _DEGREE.fullmatch(words.strip(" .*†‡§"))
    organs = {_ORGANS[m[0].lower()] for m in _ORGAN.finditer(names)} or {_ORGANS[m[0].lower()] for m in _ORGAN.finditer(title)}
    if organs and _NORMAL.fullmatch(words.strip(" .*†‡§")):
        return [Restriction(Category(organ, ("none",)), start, end) for organ in sorted(organs)]
    if degree is not None and len(organs) == 1:
        organ = next(iter(organs))
        inside = words.find("(") + 1
        more = cell_conditions(reading, lexicon, _part(cell, start + inside, start + words.rfind(")")), _AXIS_OF[organ], names) if degree["more"] else []
        measured = axes_of(more) & (RENAL - {Axis.RENAL})
        return [*([] if measured else [Restriction(Category(organ, LEVELS[degree["level"].lower()]), start, end)]), *more]
    found = read_around(reading, (start, end), gaps, lambda text, a, b, things: read_label_conditions(text, a, b, things, lexicon, axis))
    found = whole_roles(_without_included(reading.blank, start, found), lexicon)
    if len(organs) == 1:
        found = [replace(r, guard=_of_organ(r.guard, next(iter(organs)))) for r in found]
    unread = found[0].guard if len(found) == 1 else None
    if len(found) > 1 and re.search(r"\d", words) and len(words) <= _LONGEST and all(isinstance(leaf, Opaque) for r in found for leaf in leaves(r.guard)):
        return [Restriction(Opaque(_plain(words)), start, end)]
    if not found and _TOGETHER.search(words):
        return [Restriction(Opaque(_plain(words)), start, end)]
    if not isinstance(unread, Opaque) and (found or not re.search(r"\d", words)):
        return _unbroken(reading, (start, end), found, words, names) if len(words) <= _LONGEST_NOTE else found
    told, above = _plain(words), " ".join(names.split())
    lead = f"{above}: " if above and (len(told.split()) <= _SHORT or doses_in(words, 0, len(words))) and told.lower() not in above.lower() else ""
    kept = unread.text if isinstance(unread, Opaque) and len(told) > _LONGEST else told[:_LONGEST]
    return [Restriction(Opaque(lead + kept), start, end)]


def _without_included(blank: str, start: int, found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions of a cell from `start` without the people that it counts among those whom it names ("below 30, including A and B")."""
    kept: list[Restriction] = []
    included: int | None = None
    for r in found:
        joined = included is not None and _AND_THOSE.fullmatch(blank, included, r.start) is not None
        if r.start != start and (joined or _INCLUDED.search(blank, start, r.start)):
            included = r.end
        else:
            kept.append(r)
    return kept


def _of_organ(guard: Guard, organ: Axis) -> Guard:
    """The guard with bare degrees ("Mild") as those of the organ that the column or the title names."""
    if isinstance(guard, AllOf | AnyOf):
        return replace(guard, parts=tuple(_of_organ(part, organ) for part in guard.parts))
    return Category(organ, LEVELS[guard.text.lower()]) if isinstance(guard, Opaque) and guard.text.lower() in LEVELS else guard


def _part(cell: Cell, start: int, end: int) -> Cell:
    return replace(cell, start=start, end=end, pieces=((start, end),))


def head_conditions(reading: Reading, lexicon: Lexicon, column: Column) -> list[Restriction]:
    """The conditions that the names of a column of doses hold beside the words for doses."""
    out: list[Restriction] = []
    names = " ".join(h.text for h in column.heads)
    if SHARE.search(names):
        return out
    for head in column.heads:
        if not head.placed or table_words().is_route(head.text):
            continue
        if _STRENGTH.search(head.text) or _RUNG.search(head.text):
            out.append(Restriction(Opaque(" ".join(head.text.split())), head.start, head.end))
            continue
        if head is column.heads[-1] and _AMOUNT.fullmatch(head.text.strip(" *†‡§")):
            out.append(Restriction(Opaque(_plain(names)), column.heads[0].start, head.end))
            continue
        place = _residue(reading, head, _INDUCTION if column.phase is PhaseKind.LOADING else frozenset())
        if place is None and _MEASURED.search(head.text) and not doses_in(reading.shadow.text, head.start, head.end):
            place = (head.start, head.end)
        if not column.named and head is column.heads[-1] and (place is not None or FORM.search(head.text) or _ALLELES.search(head.text)):
            place = (head.start, head.end)
        if place is not None and not (GENE.fullmatch(reading.shadow.text[slice(*place)].strip()) and head is not column.heads[-1]):
            whole = place == (head.start, head.end)
            found = (
                cell_conditions(reading, lexicon, head, column.axis, names) if whole else _stretch(reading, lexicon, place, column.axis, gaps_of(reading, head))
            )
            out += _unbroken(reading, place, _whole_states(reading, lexicon, found), reading.shadow.text[slice(*place)])
    return out


def _whole_states(reading: Reading, lexicon: Lexicon, found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions with a state and the hyphened word right before it as one ("Life-Threatening" "Infections")."""
    out: list[Restriction] = []
    for r in sorted(found, key=lambda r: r.start):
        before = out[-1] if out else None
        if before is None or not isinstance(before.guard, Opaque) or not isinstance(r.guard, HasCondition) or not _HYPHENED.fullmatch(before.guard.text):
            out.append(r)
        elif before.end <= r.start <= before.end + 1:
            words = " ".join(reading.shadow.text[before.start : r.end].split())
            whole = named_condition(words, lexicon)
            out[-1] = Restriction(replace(r.guard, concept=whole.id, words=words), before.start, r.end, (whole.entity,) if whole.entity is not None else ())
        else:
            out.append(r)
    return out


def _unbroken(reading: Reading, place: Place, found: list[Restriction], words: str, names: str = "") -> list[Restriction]:
    """The conditions, or all their words as one for a person to judge where reading tore a list, a hyphened name of states or a sentence apart.

    Adverse reactions joined by "and" are a list of which each is meant.
    """
    held = [leaf for r in found for leaf in leaves(r.guard)]
    unread = [leaf.text.split() for leaf in held if isinstance(leaf, Opaque)]
    states = bool(unread) and all(isinstance(leaf, Opaque | HasCondition) for leaf in held)
    scraps = sum(len(w) == 1 for w in unread) > 1 and len(words.split()) > _SENTENCE
    if (
        len(found) > 1
        and all(isinstance(r.guard, HasCondition) for r in found)
        and _ADVERSE.search(names)
        and _ONLY_AND.fullmatch(_between(reading, place, found))
    ):
        return [Restriction(AnyOf(tuple(r.guard for r in found)), *place, tuple(e for r in found for e in r.entities))]
    torn = any(isinstance(r.guard, AnyOf | AllOf) or reading.blank[r.start - 1 : r.start] == "-" for r in found)
    return [Restriction(Opaque(_plain(words)), *place)] if (states or scraps) and torn else found


def _between(reading: Reading, place: Place, found: Sequence[Restriction]) -> str:
    return _plain(words_around(reading.blank, place, sorted((r.start, r.end) for r in found)))


def _plain(words: str) -> str:
    """The words without references to other sections and marks of footnotes."""
    return " ".join(_REFERENCE.sub(" ", words).split()).strip(" .,;:*†‡§") or " ".join(words.split())


def _stretch(reading: Reading, lexicon: Lexicon, place: Place, axis: Axis | None, gaps: Sequence[Place]) -> list[Restriction]:
    """The conditions of a part of a name without the footnotes printed into it."""
    inside = [g for g in gaps if place[0] < g[0] and g[1] < place[1]]
    found = read_around(reading, place, inside, lambda text, a, b, things: read_label_conditions(text, a, b, things, lexicon, axis))
    return [r for r in found if r.start < place[1]]


def _residue(reading: Reading, head: Cell, told: frozenset[str]) -> Place | None:
    """The stretch of a column's name between its first and its last word that is no word for doses, None where there is none."""
    text, book = reading.shadow.text, table_words()
    own = {w for t in reading.things_in(head.start, head.end) if t.own for w in WORD.findall(text[t.start : t.end])}
    telling = {w for w in WORD.findall(UNIT_IN_BRACKETS.sub(" ", head.text)) if book.is_telling(w) and w not in own and w.lower() not in told}
    gaps = gaps_of(reading, head)
    asides = [*gaps, *(m.span() for m in book.beside_name.finditer(text, head.start, head.end))]
    starts = [p.start for p in doses_in(text, head.start, head.end) if p.amounts and not any(a <= p.start < b for a, b in gaps)]
    end = min([head.end, *starts])
    found = [m for m in WORD.finditer(reading.blank, head.start, end) if m[0] in telling and not any(a <= m.start() < b for a, b in asides)]
    if not found:
        return None
    opens = _OPENS.search(text[head.start : found[0].start()])
    start = head.start + opens.start() if opens is not None else found[0].start()
    start = min([start, *(t.start for t in reading.things_in(head.start, head.end) if t.start < found[0].start() < t.end)])
    last = _FIGURES.match(text, found[-1].end(), end)
    return start, last.end() if last is not None else found[-1].end()


def note_conditions(notes: Iterable[Footnote]) -> Iterator[Restriction]:
    """The footnotes that restrict what calls them, in their words."""
    for note in dict.fromkeys(notes):
        if note.end > note.start and len(note.text) <= _LONGEST_NOTE and table_words().restricts(note.text):
            yield Restriction(Opaque(" ".join(note.text.split()).strip(" .;")), note.start, note.end)


def prose_conditions(reading: Reading, lexicon: Lexicon, place: Place, notes: Iterable[Footnote] = ()) -> list[Restriction]:
    """The conditions that a sentence of a cell or a caption states; footnotes printed inside it are no part of it."""
    return read_around(reading, place, notes_within(place, notes), lambda text, start, end, things: read_conditions(text, start, end, things, lexicon))
