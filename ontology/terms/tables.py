"""Hand-kept term tables: tab-separated files with a title, a version and a source in every row.

A file starts with `# title:` and `# version:` lines; then a header line, then one row a line. Empty lines and further `#` lines are
skipped. Offsets are code points into the file's text as shipped, so that a claim made of a row quotes that row verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from ontology.model.errors import TerminologyError

LIST_SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its cells by column, the half-open offsets of the line in the file's text, and the line itself."""

    file: str
    line: int
    cells: Mapping[str, str]
    start: int
    end: int
    text: str = ""

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def items(self, column: str) -> tuple[str, ...]:
        """The values of a cell that lists several, in file order."""
        return tuple(part for part in (p.strip() for p in self.cells[column].split(LIST_SEPARATOR)) if part)

    def place(self, column: str) -> tuple[int, int]:
        """The half-open offsets of a cell in the file's text, without the spaces around it."""
        raw = self.text.split("\t")
        position = list(self.cells).index(column)
        start = self.start + sum(len(cell) + 1 for cell in raw[:position]) + len(raw[position]) - len(raw[position].lstrip())
        return start, start + len(self.cells[column])

    def fail(self, what: str) -> TerminologyError:
        """The error that says what is wrong in this row."""
        return TerminologyError(f"{self.file}.tsv, line {self.line}: {what}")


@dataclass(frozen=True, slots=True)
class Table:
    """A term file: key (the file's name without ending), title, version, text as shipped, and its rows."""

    key: str
    title: str
    version: str
    text: str
    rows: tuple[TableRow, ...]

    def sources(self) -> tuple[str, ...]:
        """The source keys its rows name, sorted."""
        return tuple(sorted({source for row in self.rows for source in row.items("source")}))


def read_table(key: str) -> Table:
    """The shipped term file with this key. Raises TerminologyError when it is missing or malformed."""
    resource = files("ontology.terms") / "data" / f"{key}.tsv"
    try:
        text = resource.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TerminologyError(f"{key}.tsv: cannot be read: {error}") from error
    return parse_table(key, text)


def parse_table(key: str, text: str) -> Table:
    """The table that the text holds. Raises TerminologyError naming file, line and column of what is wrong."""
    meta: dict[str, str] = {}
    header: tuple[str, ...] = ()
    rows: list[TableRow] = []
    for number, start, line in _lines(text):
        if line.startswith("#"):
            name, colon, value = line.lstrip("# ").partition(":")
            if colon and not header:
                meta[name.strip()] = value.strip()
        elif line.strip():
            cells = line.split("\t")
            if not header:
                header = tuple(cell.strip() for cell in cells)
                continue
            if len(cells) != len(header):
                raise TerminologyError(f"{key}.tsv, line {number}: {len(cells)} cells for the {len(header)} columns {', '.join(header)}")
            row = TableRow(key, number, dict(zip(header, (cell.strip() for cell in cells), strict=True)), start, start + len(line), line)
            if not row.cells.get("source"):
                raise row.fail("no source; every row names where it is from")
            rows.append(row)
    if missing := {"title", "version"} - meta.keys():
        raise TerminologyError(f"{key}.tsv: lacks the line '# {min(missing)}:'")
    return Table(key, meta["title"], meta["version"], text, tuple(rows))


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        yield number, start, line
        start += len(line) + 1
