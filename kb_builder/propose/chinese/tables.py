"""Rows of a Chinese interaction table: which cells name the partners, which say what happens and what to do.

The heads of the columns decide: "类别 | 药物 | 后果 | 建议" names its partners in the second column, and in the first only where the second is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ontology.text.tables import Cell, RowKind, Table

_NAMES = re.compile(r"药物|药品|药名|名称|合用|品种|食物|举例|代表|通用名|成份|成分|相互作用的?药")
_GROUPS = re.compile(r"类别|分类|种类|类型|药物类|药理")
_SAYS = re.compile(r"后果|影响|作用(?!药)|处理|建议|机制|措施|说明|备注|结果|注意|意义|剂量|用量|风险|管理|预防|临床|浓度|AUC|Cmax")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: the cells that name the partners, those of their groups, and those that say something; `head` is over the names."""

    names: tuple[Cell, ...]
    groups: tuple[Cell, ...]
    says: tuple[Cell, ...]
    head: Cell | None


def partner_rows(table: Table) -> Iterator[TableRow]:
    """The rows of a table that name something and say something of it."""
    for index, kind in enumerate(table.kinds):
        if kind is not RowKind.BODY:
            continue
        row = [c for c in table.cells if c.row <= index < c.row + c.rowspan and c.placed and table.kinds[c.row] is RowKind.BODY]
        if len(row) < 2:
            continue
        heads = {id(c): "".join(h.text for h in table.column_headers(c)) for c in row}
        names = [c for c in row if _NAMES.search(heads[id(c)]) and not _SAYS.search(heads[id(c)]) and not _GROUPS.search(heads[id(c)])] or row[:1]
        groups = [c for c in row if c.column < names[0].column]
        over = [c for c in table.groups[index] if c.placed]
        says = tuple(c for c in row if c not in names and c not in groups)
        if says:
            head = next(iter(table.column_headers(names[0])), None)
            yield TableRow(tuple(names), (*groups, *over), says, head)
