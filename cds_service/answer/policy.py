"""The site's policy: severity, modes of the checks, what may never be silenced, override reasons, limits.

Three TOML files are shipped with sources; a site folder replaces any of them whole. The policy's id is the hash of what it says, so that a
trace names the policy it was answered with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.severity import Indicator, SeverityTable
from cds_service.audit.checks.registry import CHECKS
from cds_service.audit.outcomes import Category, Finding, RiskType
from cds_service.audit.site import SiteNumbers, shipped_numbers
from ontology.model.identifiers import content_hash

FILES = ("policy.toml", "severity.toml", "override_reasons.toml")


class Mode(StrEnum):
    """How a check's findings are shown."""

    SILENT = "silent"
    INFO = "info"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class OverrideReason:
    """A coded reason for overriding a card, and the topics it is offered for."""

    system: str
    code: str
    display: str
    categories: frozenset[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """One validated policy."""

    id: str
    name: str
    severity: SeverityTable
    modes: Mapping[str, Mode]
    never_suppress: frozenset[str]
    reasons: tuple[OverrideReason, ...]
    budget_seconds: float
    evidence_a_card: int
    quote_characters: int
    info_lines: int
    info_on_card: bool
    empty_allergies_are_a_gap: bool
    critical_excess: Decimal
    numbers: SiteNumbers

    @classmethod
    def shipped(cls) -> Policy:
        """The policy in the package."""
        return cls.load(None)

    @classmethod
    def load(cls, folder: Path | None) -> Policy:
        """The shipped policy with the files of the site folder in place of the shipped ones. Raises InvalidPolicy saying which file and value."""
        if folder is not None and not folder.is_dir():
            raise InvalidPolicy(f"policy folder {folder} does not exist; give a folder with any of {', '.join(FILES)}, or leave --policy out")
        strange = sorted(p.name for p in folder.glob("*.toml") if p.name not in FILES) if folder else []
        if strange:
            raise InvalidPolicy(f"{folder}: {strange[0]} is no policy file; known are {', '.join(FILES)}")
        data = {name: _read(name, folder) for name in FILES}
        return _policy(data, {name: f"{folder or 'shipped policy'}: {name}" for name in FILES})

    def mode(self, check: str) -> Mode:
        """The mode of a check; live where the policy does not name it."""
        return self.modes.get(check, Mode.LIVE)

    def indicator(self, finding: Finding) -> Indicator | None:
        """How a finding is shown, None when it is not: the severity table, under the check's mode unless it may never be suppressed."""
        found = self.severity.of(finding)
        if found is Indicator.WARNING and finding.cap is None and finding.excess is not None and finding.excess >= self.critical_excess:
            found = Indicator.CRITICAL
        mode = self.mode(finding.check)
        if mode is Mode.LIVE or (found is Indicator.CRITICAL and finding.risk.value in self.never_suppress):
            return found
        return None if mode is Mode.SILENT else Indicator.INFO

    def reasons_for(self, category: Category) -> tuple[OverrideReason, ...]:
        """The reasons offered on cards of a category."""
        return tuple(r for r in self.reasons if category.value in r.categories)


def _read(name: str, folder: Path | None) -> dict[str, Any]:
    site = folder / name if folder is not None else None
    try:
        text = (
            site.read_text("utf-8") if site is not None and site.exists() else resources.files("cds_service.answer").joinpath("data", name).read_text("utf-8")
        )
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise InvalidPolicy(f"{site or name} is not TOML: {e}") from e
    except (OSError, UnicodeDecodeError) as e:
        raise InvalidPolicy(f"{site or name} cannot be read: {e}") from e


def _policy(data: Mapping[str, dict[str, Any]], where: Mapping[str, str]) -> Policy:
    main, here = data["policy.toml"], where["policy.toml"]
    limits = _table(main, "limits", here)
    reasons = data["override_reasons.toml"]
    return Policy(
        id=content_hash(data)[:16],
        name=f"{main.get('name', 'site')}@{main.get('version', '?')}",
        severity=SeverityTable.read(data["severity.toml"], where["severity.toml"]),
        modes=_modes(_table(main, "modes", here), here),
        never_suppress=_risks(_table(main, "never_suppress", here), here),
        reasons=_reasons(reasons, where["override_reasons.toml"]),
        budget_seconds=_number(limits, "budget_seconds", 0.05, 60, here),
        evidence_a_card=int(_number(limits, "evidence_a_card", 1, 10, here)),
        quote_characters=int(_number(limits, "quote_characters", 40, 4000, here)),
        info_lines=int(_number(limits, "info_lines", 1, 100, here)),
        info_on_card=_word(limits, "info", ("card", "page"), here) == "card",
        empty_allergies_are_a_gap=_word(_table(main, "allergies", here), "empty_list", ("mention", "gap"), here) == "gap",
        critical_excess=Decimal(str(_number(_table(main, "doses", here), "critical_excess", 1, 100, here))),
        numbers=shipped_numbers(),
    )


def _table(data: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    found = data.get(name)
    if not isinstance(found, dict):
        raise InvalidPolicy(f"{where}: table [{name}] is missing; copy it from the shipped policy")
    return found


def _number(data: Mapping[str, Any], name: str, low: float, high: float, where: str) -> float:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InvalidPolicy(f"{where}: {name} is {value!r}; expected a number from {low:g} to {high:g}")
    return float(value)


def _word(data: Mapping[str, Any], name: str, words: tuple[str, ...], where: str) -> str:
    value = data.get(name)
    if value not in words:
        raise InvalidPolicy(f"{where}: {name} is {value!r}; expected one of {', '.join(words)}")
    return str(value)


def _modes(data: Mapping[str, Any], where: str) -> Mapping[str, Mode]:
    known = tuple(c.name for c in CHECKS)
    for name, value in data.items():
        if name not in known:
            raise InvalidPolicy(f"{where}: [modes] names {name!r}, which is no check; checks are {', '.join(known)}")
        if value not in tuple(Mode):
            raise InvalidPolicy(f"{where}: mode of {name} is {value!r}; expected one of {', '.join(Mode)}")
    return {name: Mode(value) for name, value in data.items()}


def _risks(data: Mapping[str, Any], where: str) -> frozenset[str]:
    risks = data.get("risk_types", [])
    strange = [r for r in risks if r not in tuple(RiskType)] if isinstance(risks, list) else [risks]
    if strange:
        raise InvalidPolicy(f"{where}: never_suppress names {strange[0]!r}; risk types are {', '.join(RiskType)}")
    return frozenset(risks)


def _reasons(data: Mapping[str, Any], where: str) -> tuple[OverrideReason, ...]:
    system = str(data.get("system", ""))
    if ":" not in system:
        raise InvalidPolicy(f"{where}: system is {system!r}; expected an absolute URI")
    reasons = []
    for i, row in enumerate(data.get("reason", []), 1):
        code, display, categories = str(row.get("code", "")), str(row.get("display", "")), row.get("categories", [])
        strange = [c for c in categories if c not in tuple(Category)]
        if not code or not display or strange:
            raise InvalidPolicy(
                f"{where}, reason {i}: needs a code, a display and categories out of {', '.join(Category)}; got {code!r}, {display!r}, {categories!r}"
            )
        reasons.append(OverrideReason(system, code, display, frozenset(categories)))
    if len({r.code for r in reasons}) != len(reasons):
        raise InvalidPolicy(f"{where}: a code stands twice; codes are counted over years and must be unique")
    return tuple(reasons)
