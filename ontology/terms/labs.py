"""Laboratory tests and vital signs: which codes and names report them, in which units, and what is no possible value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache

from ontology.model.analytes import Analyte
from ontology.model.entities import EntityType
from ontology.model.errors import InvalidQuantity
from ontology.model.identifiers import mint, normal_words
from ontology.model.quantities import Unit
from ontology.terms.entries import LabTerm
from ontology.terms.tables import TableRow, read_table


@cache
def shipped_labs() -> tuple[LabTerm, ...]:
    """The tests of the shipped table, in its order. Raises TerminologyError naming the row that is wrong."""
    return tuple(read_lab(row) for row in read_table("labs").rows)


def read_lab(row: TableRow) -> LabTerm:
    """One row as a test. Raises TerminologyError where a unit is not in the unit table, a number is none, or the limits are not in order."""
    units = (row["unit"], *row.items("units")) if row["unit"] else ()
    names = (row["key"].replace("-", " "), row["name"], *row.items("synonyms"), *row.items("zh"))
    try:
        known = tuple(dict.fromkeys(Unit.of(unit).code for unit in units))
        low, high, molar_mass = (Decimal(row[c]) if row[c] else None for c in ("low", "high", "molar_mass"))
        analyte = Analyte(molar_mass, int(row["charge"]) if row["charge"] else None)
    except (InvalidQuantity, InvalidOperation, ValueError) as error:
        raise row.fail(str(error) or "a number that is none") from error
    if low is not None and high is not None and low >= high:
        raise row.fail(f"nothing is plausible from {low} to {high}")
    return LabTerm(
        mint(EntityType.LAB_TEST, "pharmgraph", row["key"]),
        row.items("loinc"),
        tuple(dict.fromkeys(normal_words(name) for name in names)),
        known,
        analyte,
        low,
        high,
    )


def lab_index(labs: Iterable[LabTerm]) -> Mapping[str, LabTerm]:
    """Every test by its LOINC codes and by its names, lower case."""
    return {key: lab for lab in labs for key in (*lab.loinc, *lab.names)}
