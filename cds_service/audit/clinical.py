"""The audit's clinical data files, read once a process.

Numbers and word lists stand in `data/*.toml` with their sources; here they become frozen values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from ontology.model.identifiers import Code
from ontology.terms.entries import LabTerm
from ontology.terms.labs import lab_index, shipped_labs


@dataclass(frozen=True, slots=True)
class Signs:
    """How a fact is recognised in the record: code prefixes by system, words, and the codes and words that deny it."""

    codes: tuple[tuple[str, str], ...]
    codes_not: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    words_not: tuple[str, ...]

    def names(self, codes: tuple[Code, ...], text: str) -> bool:
        """True when a code or the text states the fact."""
        if self.denies(codes, text):
            return False
        folded = text.casefold()
        return _any_code(codes, self.codes) or any(word in folded for word in self.words)

    def denies(self, codes: tuple[Code, ...], text: str) -> bool:
        """True when a code or the text states its opposite."""
        folded = text.casefold()
        return _any_code(codes, self.codes_not) or any(word in folded for word in self.words_not)


def _any_code(codes: tuple[Code, ...], wanted: tuple[tuple[str, str], ...]) -> bool:
    """ICD-10-CM codes count from their prefix down, all others exactly."""
    if not codes or not wanted:
        return False
    prefixes = _icd_prefixes(wanted)
    for code in codes:  # noqa: SIM110 - asked of every entry of a record for every sign
        if code in wanted or (code.system == "icd10cm" and code.value.replace(".", "").startswith(prefixes)):
            return True
    return False


@cache
def _icd_prefixes(wanted: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(value.replace(".", "") for system, value in wanted if system == "icd10cm")


@dataclass(frozen=True, slots=True)
class LabCondition:
    """A condition that a value beyond a limit decides.

    `words` are those of a label that it counts for, any where empty. Where the value is not known it is asked for always (`asked`), or where the
    record holds one of `ask_if`. `bedside` values are with whoever gives the drug: without one the condition is left to its own entry.
    """

    names: tuple[str, ...]
    analyte: str
    above: Decimal | None
    below: Decimal | None
    unit: str
    coded: bool
    words: tuple[str, ...] = ()
    asked: bool = False
    ask_if: tuple[str, ...] = ()
    bedside: bool = False


@dataclass(frozen=True, slots=True)
class OrderUses:
    """Words by which an order says what it is for, and the ingredients that are carriers."""

    uses: tuple[tuple[str, tuple[str, ...], str], ...]  # name, words, why
    alternative: tuple[str, ...]
    loading: tuple[str, ...]
    taper: tuple[str, ...]
    carriers: tuple[str, ...]


@cache
def table(file: str) -> dict[str, Any]:
    """A data file of the audit as plain data, read once."""
    return tomllib.loads(resources.files("cds_service.audit").joinpath("data", f"{file}.toml").read_text("utf-8"))


SECTION_FILES = ("clinical", "body", "renal", "hepatic", "maternity")
"""The data files whose sections are looked up by name alone; no two have a section of one name."""


@cache
def sections() -> Mapping[str, Any]:
    """Every section of the clinical data files by its name."""
    found: dict[str, Any] = {}
    for file in SECTION_FILES:
        rows = table(file)
        if doubled := found.keys() & rows.keys():
            raise ValueError(f"{file}.toml repeats the sections {sorted(doubled)}")
        found.update(rows)
    return found


def setting(section: str, key: str) -> Any:
    """One entry of a section of the clinical data files."""
    return sections()[section][key]


@cache
def words(section: str, key: str = "words") -> tuple[str, ...]:
    """A word list of a section, lower case."""
    return tuple(str(w).casefold() for w in setting(section, key))


@cache
def signs(section: str, inner: str | None = None) -> Signs:
    """The signs of a fact."""
    rows = sections()[section]
    rows = rows[inner] if inner else rows

    def codes(suffix: str) -> tuple[tuple[str, str], ...]:
        return tuple((system, str(v)) for system in ("icd10cm", "snomed") for v in rows.get(system + suffix, ()))

    folded = {key: tuple(str(w).casefold() for w in rows.get(key, ())) for key in ("words", "words_not")}
    return Signs(codes(""), codes("_not"), folded["words"], folded["words_not"])


@cache
def analytes() -> Mapping[str, LabTerm]:
    """Every laboratory test and vital sign by each of its names (lower case) and LOINC codes."""
    return lab_index(shipped_labs())


@cache
def lab_conditions() -> tuple[LabCondition, ...]:
    """The conditions that a laboratory value decides."""
    return tuple(
        LabCondition(
            tuple(row["condition"]),
            row["analyte"],
            Decimal(row["above"]) if "above" in row else None,
            Decimal(row["below"]) if "below" in row else None,
            row["unit"],
            row["certainty"] == "coded",
            tuple(w.casefold() for w in row.get("words", ())),
            row.get("asked", False),
            tuple(row.get("ask_if", ())),
            row.get("bedside", False),
        )
        for row in table("lab_conditions")["lab"]
    )


@cache
def order_uses() -> OrderUses:
    """How orders say that they are a flush, a diluent, an alternative, a loading dose or a step of a taper."""
    data = table("order_uses")
    uses = tuple((row["name"], tuple(w.casefold() for w in row["words"]), row["why"]) for row in data["use"])
    folded = {key: tuple(w.casefold() for w in data[key]["words"]) for key in ("alternative", "loading", "taper")}
    return OrderUses(uses, folded["alternative"], folded["loading"], folded["taper"], tuple(data["carriers"]["names"]))
