"""What the caption of a table and each of its rows say of the doses there: what for, for whom, by what route, how often and how long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.standing import Standing
from kb_builder.propose.dosage.table_beside import beside_conditions, partners_in_title
from kb_builder.propose.dosage.table_cells import Lent, lent_by
from kb_builder.propose.dosage.table_guards import cell_conditions, note_conditions, prose_conditions
from kb_builder.propose.dosage.table_headers import Column, is_number
from kb_builder.propose.dosage.table_layout import Layout
from kb_builder.propose.dosage.table_names import (
    indicated,
    is_another_drug,
    is_own_product,
    is_title,
    letters_named,
    not_in_names,
    people_named,
    uses_named,
    whole_names,
    whole_use,
)
from kb_builder.propose.dosage.table_stretches import words_around
from kb_builder.propose.dosage.table_timing import Usual, shared_timing, tells_how_alone, timed, timings_apart
from kb_builder.propose.dosage.table_uses import use_of_cell
from kb_builder.propose.dosage.table_wider import contradicts, is_widened, one_scale, people_together, without_wider
from kb_builder.propose.dosage.table_words import ColumnKind, table_words
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target
from ontology.model.dosing import PhaseKind
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Category, HasCondition, Interval, Opaque, leaves
from ontology.model.spans import SpanRole
from ontology.text.tables import Cell, Table

Place = tuple[int, int]

_START = re.compile(r"^(?:recommended |usual )*(?:starting|initial) (?:dose|dosage)$|^(?:recommended|usual) (?:dose|dosage)$", re.IGNORECASE)
_RUNG = re.compile(r"\b(?:(?<!risk )reductions?(?! (?:in|of)\b)|level|reduced)\b", re.IGNORECASE)
_ITEM = re.compile(r"^\d{1,2}[.)]\s*")
_STEP_UP = re.compile(r"\bincreas\w+ (?:the )?(?:\w+ )?dos(?:e|age) to\W*$", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:co-?\s?existent|co-?\s?existing|concomitant|comorbid)\b", re.IGNORECASE)
_EMPTY = re.compile(r"^(?:all(?: patients| indications)?|any|none|n/?a|-+|\W*)$", re.IGNORECASE)
_SEVERAL = re.compile(r"\s*\d[\d.]*(?:\s+\d[\d.]*){2,}\s*")  # numbers of several rows in one cell
_NEAR = 40  # characters before a condition that say that it stands beside the one treated
_LASTS = re.compile(r"until\b|up to \w+ (?:days?|weeks?|months?|years?|cycles?)\b", re.IGNORECASE)  # how long doses go on, in a column without a name
_REMARK = 12  # words of a cell behind the doses, under a name of no known kind, that is a remark
_RISK = re.compile(r"\breduc\w* (?:in|of|the)(?: the)? risks?\b")
_ADJUSTED = re.compile(r"\b(?:adjust\w*|modif\w*|reduc(?!tion (?:in|of) (?:the )?risk)\w*|impairment)\b")


@dataclass(frozen=True, slots=True)
class RowScope:
    """What a row says of all its doses: what for, whom, by what route, how often and how long, and the places that say so.

    `own` are the conditions that the row itself states.
    """

    indications: tuple[Target, ...]
    conditions: tuple[Restriction, ...]
    routes: tuple[str, ...]
    lent: Lent
    cited: tuple[tuple[Place, SpanRole], ...]
    own: tuple[Restriction, ...] = ()


class RowReader:
    """Reads the caption and the rows of one table."""

    def __init__(self, reading: Reading, standing: Standing, lexicon: Lexicon, indications: str, table: Table, usual: Usual | None) -> None:
        self._reading = reading
        self._standing = standing
        self._lexicon = lexicon
        self._indications = indications
        self._table = table
        self._usual = usual
        self._last: list[Target] = []
        self._title = table.caption.text if table.caption is not None else ""

    def caption(self) -> RowScope:
        """What the caption says, with what stands over the table."""
        standing = self._standing
        caption = self._table.caption
        indications, conditions, cited = list(standing.indications), list(standing.conditions), list(standing.cited)
        usual = self._usual
        always = None if usual is None else usual[0]
        routes, lent = standing.routes, Lent(always=always)
        if usual is not None:
            cited.append((usual[1], SpanRole.CONDITION))
        if caption is not None and caption.end > caption.start:
            place = (caption.start, caption.end)
            found = people_together(prose_conditions(self._reading, self._lexicon, place, self._table.notes))
            found += partners_in_title(self._reading, self._lexicon, place, found)
            named, rest = self._split(found)
            asides = [m.span() for m in table_words().beside_name.finditer(self._reading.shadow.text, *place)]
            rest = [
                r
                for r in rest
                if not (isinstance(r.guard, Opaque) and (r.guard.text.lower() in self._indications or any(a <= r.start and r.end <= b for a, b in asides)))
            ]
            states = [
                t.targets[0]
                for t in self._reading.things_in(*place)
                if t.kind is Kind.STATE
                and t.type == EntityType.CONDITION.value
                and not any(r.start < t.end and t.start < r.end for r in found)
                and t.targets[0].words.lower() in self._indications
            ]
            if named or states:
                indications = [*named, *states]
                conditions, rest = not_in_names(conditions, indications), not_in_names(rest, indications)
            conditions = [c for c in without_wider(rest, conditions) if not contradicts([c, *rest]) and not is_widened(c, rest)]
            if rest and not any(b.number for b in self._reading.blocks):
                conditions = []  # run-in headings of a text without numbered parts end before a table that names its own patients
            conditions += [r for r in rest if r.guard not in [c.guard for c in conditions]]
            routes = dosage_words().routes_in(self._reading.blank[slice(*place)]) or routes
            lent = replace(lent_by(caption.text), always=always)
            cited.append((place, SpanRole.HEADING))
            conditions += list(note_conditions(self._table.footnotes_of(caption)))
            title = caption.text.lower()
            lent = replace(lent, phase=PhaseKind.ADJUSTED if _ADJUSTED.search(title) else table_words().phase(_RISK.sub(" ", title)))
        if standing.topic == "adverse":
            lent = replace(lent, phase=PhaseKind.ADJUSTED)
        return RowScope(tuple(dict.fromkeys(indications)), tuple(conditions), routes[:1] if len(routes) == 1 else (), lent, tuple(cited))

    def _split(self, found: Sequence[Restriction]) -> tuple[list[Target], list[Restriction]]:
        """The conditions that the label is indicated for, and the others."""
        named: list[Target] = []
        rest: list[Restriction] = []
        for r in whole_names(self._reading, self._lexicon, self._indications, found):
            beside = _BESIDE.search(self._reading.blank, max(0, r.start - _NEAR), r.start) is not None
            uses = [] if beside else indicated(r, self._indications)
            named += uses
            rest += [] if uses else [r]
        return named, rest

    def row(self, layout: Layout, row: int, base: RowScope) -> RowScope | None:
        """What a row says beside the table's caption; None for a row that is about another drug."""
        indications = list(base.indications)
        conditions: list[Restriction] = []
        routes, lent, cited = base.routes, base.lent, list(base.cited)
        above: list[Restriction] = []
        grouped: list[Target] = []
        scraps: list[Restriction] = []  # what is left of the names of groups beside their uses
        for group in self._table.groups[layout.printed(row)]:
            if not group.placed or _EMPTY.match(group.text) or not table_words().tells(group.text) or is_title(group):
                continue
            if self._is_left(layout, row, group):
                continue
            cited.append(((group.start, group.end), SpanRole.ROW_HEADER))
            if table_words().is_route(group.text):
                routes = dosage_words().routes_in(group.text)
                continue
            named, rest = self._named(group, cell_conditions(self._reading, self._lexicon, group, None, ""))
            indications, grouped = named or indications, named or grouped
            above += rest
            scraps += [r for r in rest if named and isinstance(r.guard, Opaque)]
            above += note_conditions(self._table.footnotes_of(group))
        banner = layout.banner(row)
        if banner is not None and banner.placed and not is_title(banner):
            cited.append(((banner.start, banner.end), SpanRole.ROW_HEADER))
            ways = dosage_words().routes_in(banner.text)
            routes = ways if len(ways) == 1 else routes
            often = lent_by(banner.text)
            lent = replace(lent, frequency=often.frequency or lent.frequency, daily=often.daily or lent.daily)
            named, rest = self._named(banner, cell_conditions(self._reading, self._lexicon, banner, None, "")) if banner.header else ([], [])
            indications = named or indications
            rest = [r for r in rest if not (isinstance(r.guard, Opaque) and table_words().is_route(r.guard.text))]
            whole = [] if named else [Restriction(Opaque(" ".join(banner.text.split()).strip(" .:;")), banner.start, banner.end)]
            scraps += [r for r in rest if named and isinstance(r.guard, Opaque)]
            above += [] if tells_how_alone(banner.text) else rest or whole
        dosed = [c.index for c in layout.of(ColumnKind.DOSE, ColumnKind.STEP)]
        last = max(dosed)
        apart = [c for columns in timings_apart(layout).values() for c in columns]
        for column in layout.columns:
            cell = self._at(layout, row, column)
            if column.kind is ColumnKind.FREQUENCY and (cell is None or not cell.text):
                cell = shared_timing(self._table, layout, row, column)
            if cell is None or not cell.placed or any(cell.column <= i < cell.column + cell.colspan for i in dosed):
                continue
            if column.kind is ColumnKind.SKIP:
                conditions += beside_conditions(self._reading, self._lexicon, cell) if column.index > last else ()
                continue
            if is_number(cell.text) is False and (_EMPTY.match(cell.text) or table_words().is_for_all(cell.text)):
                continue
            if column.index > last and not column.words and _LASTS.match(cell.text):
                cited.append(((cell.start, cell.end), SpanRole.ROW_HEADER))
                continue
            if column.index > last and not column.named and len(cell.text.split()) > _REMARK:
                conditions += beside_conditions(self._reading, self._lexicon, cell)
                continue
            if column.index == 0 and table_words().aside.search(cell.text.lower().strip(" •:")):
                return None
            cited.append(((cell.start, cell.end), SpanRole.ROW_HEADER))
            conditions += note_conditions(self._table.footnotes_of(cell))
            if column.kind is ColumnKind.FREQUENCY or column.kind is ColumnKind.DURATION:
                lent = timed(column, cell, lent) if column not in apart else lent
                conditions += beside_conditions(self._reading, self._lexicon, cell)
            elif column.kind is ColumnKind.ROUTE or table_words().is_route(cell.text):
                found = dosage_words().routes_in(cell.text)
                routes = found if len(found) == 1 else ()
            elif (not column.words or column.kind is ColumnKind.INDICATION) and is_another_drug(self._reading, cell):
                return None
            elif column.kind is ColumnKind.INDICATION and is_own_product(self._reading, cell):
                continue
            elif column.kind is ColumnKind.INDICATION and not _RUNG.search(cell.text):
                people = cell_conditions(self._reading, self._lexicon, cell, None, "", self._title)
                bands = [r for r in people if all(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))]
                if bands and (len(bands) == len(people) or not table_words().tells(self._beside(cell, bands))):
                    conditions += bands
                    indications = grouped or self._last or indications
                else:
                    indications = self._last = use_of_cell(self._reading, self._lexicon, cell, conditions, self._indications)
                    if not indications:
                        conditions.append(Restriction(Opaque(" ".join(cell.text.split())), cell.start, cell.end))
                    if scraps and indications and all(self._is_indicated(t.words) for t in indications):
                        above = [r for r in above if r not in scraps]
                    elif not all(self._is_indicated(t.words) for t in indications):
                        above += [Restriction(HasCondition(t.id, t.words), cell.start, cell.end) for t in grouped if t.entity is None]
            elif column.kind is ColumnKind.DRUG:
                if not any(t.own for t in self._reading.things_in(cell.start, cell.end)):
                    return None
            elif column.kind is ColumnKind.FORMULATION:
                conditions.append(Restriction(Opaque(" ".join(cell.text.split())), cell.start, cell.end))
            elif _START.match(_ITEM.sub("", cell.text.strip())):
                lent = replace(lent, phase=PhaseKind.STARTING)
            elif not table_words().tells(cell.text) and (phase := table_words().phase(cell.text.lower())) is not None:
                lent = replace(lent, phase=phase)
                if phase is PhaseKind.ADJUSTED and _RUNG.search(cell.text):
                    conditions.append(Restriction(Opaque(" ".join(cell.text.split())), cell.start, cell.end))
            else:
                names = " ".join(h.text for h in column.heads)
                named, rest = self._named(cell, cell_conditions(self._reading, self._lexicon, cell, column.axis, names, self._title))
                indications = named or indications
                conditions += [*rest, *people_named(self._reading, self._lexicon, column)]
                if _RUNG.search(cell.text) or _RUNG.search(column.words):
                    lent = replace(lent, phase=PhaseKind.ADJUSTED)
                elif _STEP_UP.search(cell.text):
                    lent = replace(lent, phase=PhaseKind.TITRATION)
        conditions = one_scale([*without_wider(conditions, above), *conditions])
        if contradicts(conditions) or any(_SEVERAL.fullmatch(text) for text in self._names_of(layout, row)):
            return None
        outer = without_wider(conditions, base.conditions)
        return RowScope(tuple(dict.fromkeys(indications)), (*outer, *conditions), routes, lent, tuple(dict.fromkeys(cited)), tuple(conditions))

    def _is_left(self, layout: Layout, row: int, group: Cell) -> bool:
        """True where a row stands below the rows of a group: it names a use of its own with the words that name the group's, which those do not."""
        head = table_words().use(group.text)
        if head is None:
            return False
        names = [c for r in layout.rows if r <= row and group.row < layout.printed(r) and (c := self._at(layout, r, layout.columns[0])) is not None]
        return bool(names) and table_words().use(names[0].text) is None and any(table_words().use(c.text) is not None for c in names)

    def _named(self, cell: Cell, found: Sequence[Restriction]) -> tuple[list[Target], list[Restriction]]:
        """The uses that a cell's conditions are, by their letters too, and the other conditions."""
        whole = whole_use(cell.text, self._indications)
        if whole is not None:
            return uses_named(whole, self._lexicon), [r for r in found if all(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))]
        letters = letters_named(cell.text, self._lexicon, self._indications)
        if not letters or any(isinstance(leaf, Category) and leaf.axis is Axis.GENOTYPE for r in found for leaf in leaves(r.guard)):
            return self._split(found)
        return letters, [r for r in found if all(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))]

    def _is_indicated(self, words: str) -> bool:
        """True for a use that the label's text on indications names by itself: it is no part of the use over its row."""
        return words.lower() in self._indications

    def _beside(self, cell: Cell, found: Sequence[Restriction]) -> str:
        """The words of a cell beside some conditions read in it."""
        return words_around(self._reading.shadow.text, (cell.start, cell.end), sorted((r.start, r.end) for r in found))

    def _names_of(self, layout: Layout, row: int) -> list[str]:
        cells = (self._at(layout, row, c) for c in layout.of(ColumnKind.CONDITION, ColumnKind.INDICATION))
        return [c.text for c in cells if c is not None]

    def _at(self, layout: Layout, row: int, column: Column) -> Cell | None:
        """The cell of a row in a column; an empty one in a naming column takes the name from above."""
        cell = layout.grid.get((row, column.index))
        if cell is not None and cell.text:
            return cell
        return next((s for s in self._table.stub_cells[layout.printed(row)] if s.column == column.index), None)
