"""The severity table: action, strength, certainty of the patient data and approval give the indicator of a finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy_reading import known_members, names, note, word
from cds_service.audit.outcomes import Certainty, Finding, RiskType
from ontology.model.advice import Action
from ontology.model.claims import Strength

APPROVALS = ("rule", "person")
Cells = Mapping[tuple[str, str, str, str], "Indicator"]
_MEMBERS: dict[str, tuple[str, ...]] = {
    "action": tuple(Action),
    "strength": tuple(Strength),
    "certainty": tuple(Certainty),
    "approval": APPROVALS,
}


class Indicator(StrEnum):
    """Indicator of a card, calmest first."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for info, 2 for critical."""
        return _RANKS[self]


_RANKS = {indicator: rank for rank, indicator in enumerate(Indicator)}


@dataclass(frozen=True, slots=True)
class SeverityTable:
    """Every combination with its indicator; total by construction. `by_risk` holds the whole table again for each risk that a row names."""

    version: str
    cells: Cells
    by_risk: Mapping[str, Cells]

    @classmethod
    def read(cls, data: Mapping[str, Any], where: str) -> SeverityTable:
        """The table of a TOML file. Raises InvalidPolicy on an unknown word, a row without a reason, or a combination that no row covers."""
        known_members(data, ("version", "row"), where)
        rows = data.get("row")
        if not isinstance(rows, list) or not rows:
            raise InvalidPolicy(f"{where}: no [[row]]; a severity table needs at least one")
        parsed = [_row(row, f"{where}, row {i}") for i, row in enumerate(rows, 1)]
        named = {risk for row in parsed for risk in row.risks}
        return cls(str(data.get("version", "")), _cells(parsed, None, where), {risk: _cells(parsed, risk, where) for risk in RiskType if risk in named})

    def of(self, finding: Finding) -> Indicator:
        """The indicator of a finding, its own cap respected."""
        read = any(e.read_by_person for e in finding.evidence)
        cells = self.by_risk.get(finding.risk.value, self.cells)
        indicator = cells[finding.action.value, finding.strength.value, finding.certainty.value, "person" if read else "rule"]
        if finding.cap is None:
            return indicator
        return min(indicator, Indicator(finding.cap), key=lambda i: i.rank)


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: the words that each member must have, in the order of `_MEMBERS`, the risks it is for (none is all), and its indicator."""

    wanted: tuple[tuple[str, ...], ...]
    risks: tuple[str, ...]
    indicator: Indicator


def _cells(rows: list[_Row], risk: str | None, where: str) -> Cells:
    """Every combination by the first row that fits, for one risk or for those that no row names."""
    for_it = [row for row in rows if not row.risks or risk in row.risks]
    cells: dict[tuple[str, str, str, str], Indicator] = {}
    for cell in product(*_MEMBERS.values()):
        found = next((row.indicator for row in for_it if all(said in words for said, words in zip(cell, row.wanted, strict=True))), None)
        if found is None:
            raise InvalidPolicy(f"{where}: no row covers {', '.join(cell)}; add a last row without conditions")
        cells[cell[0], cell[1], cell[2], cell[3]] = found
    return cells


def _row(row: Any, where: str) -> _Row:
    if not isinstance(row, dict):
        raise InvalidPolicy(f"{where}: expected a table")
    known_members(row, (*_MEMBERS, "risk", "indicator", "why", "source"), where)
    note(row, "why", where)
    note(row, "source", where)
    wanted = tuple(names(row, member, where, words) or words for member, words in _MEMBERS.items())
    return _Row(wanted, names(row, "risk", where, RiskType), Indicator(word(row, "indicator", Indicator, where)))
