"""Tables of a section, from markup or drawn in the text: one model, every cell with its headers, footnotes and place in the flat text."""

from ontology.text.tables.find import Survey, find_tables, survey_tables
from ontology.text.tables.model import Caption, Cell, Footnote, Placement, RowKind, Table

__all__ = ["Caption", "Cell", "Footnote", "Placement", "RowKind", "Survey", "Table", "find_tables", "survey_tables"]
