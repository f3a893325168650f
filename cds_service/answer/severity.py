"""The severity table: action, strength, certainty of the patient data and approval give the indicator of a finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.audit.outcomes import Certainty, Finding
from ontology.model.advice import Action
from ontology.model.claims import Strength

APPROVALS = ("rule", "person")
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
        return tuple(Indicator).index(self)


@dataclass(frozen=True, slots=True)
class SeverityTable:
    """Every combination with its indicator; total by construction."""

    version: str
    cells: Mapping[tuple[str, str, str, str], Indicator]

    @classmethod
    def read(cls, data: Mapping[str, Any], where: str) -> SeverityTable:
        """The table of a TOML file. Raises InvalidPolicy on an unknown word, a row without a reason, or a combination that no row covers."""
        rows = data.get("row")
        if not isinstance(rows, list) or not rows:
            raise InvalidPolicy(f"{where}: no [[row]]; a severity table needs at least one")
        parsed = [_row(row, f"{where}, row {i}") for i, row in enumerate(rows, 1)]
        cells: dict[tuple[str, str, str, str], Indicator] = {}
        for cell in product(*_MEMBERS.values()):
            found = next((ind for wanted, ind in parsed if all(word in words for word, words in zip(cell, wanted, strict=True))), None)
            if found is None:
                raise InvalidPolicy(f"{where}: no row covers {', '.join(cell)}; add a last row without conditions")
            cells[cell[0], cell[1], cell[2], cell[3]] = found
        return cls(str(data.get("version", "")), cells)

    def of(self, finding: Finding) -> Indicator:
        """The indicator of a finding, its own cap respected."""
        read = any(e.read_by_person for e in finding.evidence)
        indicator = self.cells[finding.action.value, finding.strength.value, finding.certainty.value, "person" if read else "rule"]
        if finding.cap is None:
            return indicator
        return min(indicator, Indicator(finding.cap), key=lambda i: i.rank)


def _row(row: Any, where: str) -> tuple[tuple[tuple[str, ...], ...], Indicator]:
    if not isinstance(row, dict):
        raise InvalidPolicy(f"{where}: expected a table")
    unknown = sorted(set(row) - {*_MEMBERS, "indicator", "why", "source"})
    if unknown:
        raise InvalidPolicy(f"{where}: unknown member {unknown[0]!r}; known are {', '.join((*_MEMBERS, 'indicator', 'why', 'source'))}")
    for member in ("why", "source"):
        if not str(row.get(member, "")).strip():
            raise InvalidPolicy(f"{where}: {member!r} is missing; every row says why it is so and where that comes from")
    try:
        indicator = Indicator(row.get("indicator", ""))
    except ValueError as e:
        raise InvalidPolicy(f"{where}: indicator {row.get('indicator')!r} is not one of {', '.join(Indicator)}") from e
    wanted = []
    for member, words in _MEMBERS.items():
        given = row.get(member, list(words))
        strange = [w for w in given if w not in words] if isinstance(given, list) else [given]
        if strange:
            raise InvalidPolicy(f"{where}: {member} {strange[0]!r} is not one of {', '.join(words)}; write a list of these words")
        wanted.append(tuple(given))
    return tuple(wanted), indicator
