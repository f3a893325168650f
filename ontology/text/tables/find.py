"""The tables of a section: those of the markup beside its flat text, and those drawn in the text, each cell with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ontology.text.tables.build import Bounds, Located, build_table, unread_table
from ontology.text.tables.flat import Flat, squeeze, squeeze_runs, table_regions
from ontology.text.tables.markup import MarkedTable, read_markup, tables_in_order
from ontology.text.tables.model import NOWHERE, Place, Table
from ontology.text.tables.pipes import read_pipes
from ontology.text.tables.places import Wanted, place_tables


@dataclass(frozen=True, slots=True)
class Survey:
    """The tables of a section in order of place, and those of its markup that do not stand in its flat text (or could not be read)."""

    placed: tuple[Table, ...]
    unplaced: tuple[Table, ...]


def find_tables(text: str, markup: Sequence[str]) -> list[Table]:
    """The tables that stand in folded text, in order of place; `survey_tables` tells the others too."""
    return list(survey_tables(text, markup).placed)


def survey_tables(text: str, markup: Sequence[str]) -> Survey:
    """All tables of folded text and of the markup beside it. A table without any words is none."""
    drawn = list(read_pipes(text))
    if not markup and not drawn:
        return Survey((), ())
    marked: list[MarkedTable] = []
    unplaced: list[Table] = []
    for piece in markup:
        try:
            marked += read_markup(piece)
        except ValueError as e:
            unplaced.append(unread_table(str(e)))
    located = _align(text, _without(_without(marked, [d.table for d in drawn]), [inner for outer in marked for inner in outer.inner]))
    unplaced += [build_table(text, found, None) for found in located if not any(found.places)]
    aligned = [found for found in located if any(found.places)]
    hulls = [found.hull for found in aligned]
    aligned += [Located(d.table, d.places, frozenset(), (d.start, d.end)) for d in drawn if not any(d.start < end and start < d.end for start, end in hulls)]
    aligned.sort(key=lambda found: (found.hull[0], -found.hull[1]))
    bounds = _bounds(text, aligned)
    return Survey(tuple(build_table(text, found, bound) for found, bound in zip(aligned, bounds, strict=True)), tuple(unplaced))


def _without(marked: list[MarkedTable], known: list[MarkedTable]) -> list[MarkedTable]:
    """The tables without renderings of those known: drawn in the text, or nested in another one and given once more."""
    if not known:
        return marked
    left = Counter(_whole(table) for table in known)
    out: list[MarkedTable] = []
    for table in marked:
        whole = _whole(table)
        if left[whole] > 0:
            left[whole] -= 1
        else:
            out.append(table)
    return out


def _whole(table: MarkedTable) -> str:
    own = table.own_runs() if table.nested else range(len(table.runs))
    return "".join(squeeze_runs([table.runs[i].text for i in own]))


def _align(text: str, marked: list[MarkedTable]) -> list[Located]:
    """The tables, those inside others too, with the places of their runs."""
    if not marked:
        return []
    flat = squeeze(text)
    wanted = [Wanted(squeeze_runs([run.text for run in table.runs]), _aside(table)) for table in marked]
    out: list[Located] = []
    for outer, want, places in zip(marked, wanted, place_tables(flat, wanted), strict=True):
        if not want.whole:
            continue
        folded = _unsqueezed(flat, places or [None] * len(want.runs))
        missing = frozenset(i for i, run in enumerate(want.runs) if run and folded[i] is None)
        for table in tables_in_order(outer):
            found = Located(table, folded, missing, _hull(folded, table))
            if table is outer or any(cell.size for _, cells in table.rows for cell in cells):
                out.append(found)
    return out


def _aside(outer: MarkedTable) -> frozenset[int]:
    """The runs of the footnotes that the markup itself holds."""
    return frozenset(i for table in tables_in_order(outer) for note in table.notes for i in note.runs)


def _unsqueezed(flat: Flat, places: list[Place | None]) -> list[Place | None]:
    return [flat.place(*place) if place is not None else None for place in places]


def _hull(places: list[Place | None], table: MarkedTable) -> Place:
    found = [p for i in table.own_runs() if (p := places[i]) is not None] if table.nested else [p for p in places if p is not None]
    return (min(p[0] for p in found), max(p[1] for p in found)) if found else NOWHERE


def _bounds(text: str, tables: list[Located]) -> list[Bounds]:
    """For each table the stretch around it that belongs to no other table: where its caption and footnotes may stand."""
    regions = list(table_regions(text))
    out: list[Bounds] = []
    floor = at = 0
    outers = [t for t in tables if not t.table.nested]
    nexts = {id(a): b.hull[0] for a, b in pairwise(outers)}
    for found in tables:
        start, end = found.hull
        while at < len(regions) and regions[at][1] <= start:
            at += 1
        if at < len(regions) and regions[at][0] <= start:
            start, end = regions[at][0], max(end, regions[at][1])
        out.append(Bounds(floor, start, end, nexts.get(id(found), len(text))))
        if not found.table.nested:
            floor = end
    return out
