"""The site's policy: severity, modes, what may never be silenced, tolerances, allowed duplicates, practice rules, override reasons, limits.

Three TOML files are shipped with sources; a site folder replaces any of them whole and may add three of its own. The policy's id is the hash
of what it says, so that a trace names the policy it was answered with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy_modes import Mode, ModeException, Scene, modes_at, read_exceptions, read_modes
from cds_service.answer.policy_numbers import read_numbers
from cds_service.answer.policy_reading import known_members, names, note, number, rows, table, text, whole, word
from cds_service.answer.practice import PracticeRule, read_practice, with_practice
from cds_service.answer.severity import Indicator, SeverityTable
from cds_service.audit.knowledge import Knowledge
from cds_service.audit.outcomes import AuditResult, Category, Finding, RiskType, TraceStep
from cds_service.audit.site import SiteNumbers
from ontology.model.identifiers import content_hash

SHIPPED = ("policy.toml", "severity.toml", "override_reasons.toml")
ADDED = ("tolerances.toml", "duplicates.toml", "practice.toml")
FILES = (*SHIPPED, *ADDED)
_UNACKNOWLEDGED: Mapping[str, Any] = {"days": 0, "days_without_encounter": 0}
"""What a site policy means that says nothing of acknowledgements: none are kept."""

TABLES = ("name", "version", "limits", "modes", "mode", "never_suppress", "allergies", "doses", "acknowledgements")


@dataclass(frozen=True, slots=True)
class OverrideReason:
    """A coded reason for overriding a card, and the topics it is offered for."""

    system: str
    code: str
    display: str
    categories: frozenset[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """One validated policy. `modes` and `practice` are those of one scene after `at`, of the whole site before."""

    id: str
    name: str
    severity: SeverityTable
    modes: Mapping[str, Mode]
    exceptions: tuple[ModeException, ...]
    never_suppress: frozenset[str]
    practice: tuple[PracticeRule, ...]
    reasons: tuple[OverrideReason, ...]
    budget_seconds: float
    evidence_a_card: int
    quote_characters: int
    info_lines: int
    info_on_card: bool
    empty_allergies_are_a_gap: bool
    critical_excess: Decimal
    acknowledged_days: int
    acknowledged_days_without_encounter: int
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
        data = {name: read for name in FILES if (read := _read(name, folder)) is not None}
        return _policy(data, str(folder or "shipped policy"))

    def at(self, hook: str, units: Iterable[str] = ()) -> Policy:
        """The policy as it holds for a request of this hook from these units: modes and practice rules of others left out."""
        scene = Scene.of(hook, units)
        here = tuple(r for r in self.practice if r.reach.holds(scene))
        return replace(self, modes=modes_at(self.modes, self.exceptions, scene), exceptions=(), practice=here)

    def unsilenced(self) -> Policy:
        """The policy as if every check were live everywhere and information stood on cards."""
        return replace(self, modes={}, exceptions=(), info_on_card=True)

    def mode(self, check: str) -> Mode:
        """The mode of a check; live where the policy does not name it."""
        return self.modes.get(check, Mode.LIVE)

    def severity_of(self, finding: Finding) -> Indicator:
        """The indicator of a finding by the severity table and the factor of doses, whatever the modes and practice rules."""
        found = self.severity.of(finding)
        if found is Indicator.WARNING and finding.cap is None and finding.excess is not None and finding.excess >= self.critical_excess:
            return Indicator.CRITICAL
        return found

    def protects(self, finding: Finding) -> bool:
        """True for a critical finding of a kind that may never be suppressed: no mode and no practice rule makes it calmer."""
        return finding.risk.value in self.never_suppress and self.severity_of(finding) is Indicator.CRITICAL

    def indicator(self, finding: Finding) -> Indicator | None:
        """How a finding is shown, None when it is not: its severity, re-graded by practice, under the check's mode, unless it may never be suppressed."""
        if self.protects(finding):
            return Indicator.CRITICAL
        found = _graded(finding) or self.severity_of(finding)
        mode = self.mode(finding.check)
        if mode is Mode.LIVE:
            return found
        return None if mode is Mode.SILENT else Indicator.INFO

    def says_missing(self, check: str, risk: str | None) -> bool:
        """True when gaps of a check and that it did not run are said: it is not silent, or stands for a risk that may never be suppressed."""
        return self.mode(check) is not Mode.SILENT or risk in self.never_suppress

    def practise(self, result: AuditResult, knowledge: Knowledge, today: date) -> AuditResult:
        """The result with what the practice rules say of its findings, and a step for each rule that was met."""
        if not self.practice:
            return result
        told = [with_practice(r, self.practice, Indicator.CRITICAL if self.protects(r) else None, today, knowledge) if isinstance(r, Finding) else r
                for r in result.results]  # fmt: skip
        steps = dict.fromkeys(
            TraceStep("policy", f"{f.check} of {f.drug.name}: {p.sentence}", f.orders or f.drug.orders)
            for f in told
            if isinstance(f, Finding)
            for p in f.practice
        )
        return replace(result, results=tuple(told), steps=(*result.steps, *steps))

    def reasons_for(self, category: Category) -> tuple[OverrideReason, ...]:
        """The reasons offered on cards of a category."""
        return tuple(r for r in self.reasons if category.value in r.categories)


def _graded(finding: Finding) -> Indicator | None:
    """The level that a practice rule gives, never above what the finding may be shown as at most."""
    level = next((p.level for p in finding.practice if p.level is not None), None)
    if level is None:
        return None
    return min((Indicator(word_) for word_ in (level, finding.cap) if word_ is not None), key=lambda i: i.rank)


def _read(name: str, folder: Path | None) -> dict[str, Any] | None:
    """A file of the folder, else the shipped one, else None where the policy does without it."""
    site = folder / name if folder is not None else None
    try:
        if site is not None and site.exists():
            found = site.read_text("utf-8")
        elif name in SHIPPED:
            found = resources.files("cds_service.answer").joinpath("data", name).read_text("utf-8")
        else:
            return None
        return tomllib.loads(found, parse_float=Decimal)
    except tomllib.TOMLDecodeError as e:
        raise InvalidPolicy(f"{site or name} is not TOML: {e}") from e
    except (OSError, UnicodeDecodeError) as e:
        raise InvalidPolicy(f"{site or name} cannot be read: {e}") from e


def _policy(data: Mapping[str, dict[str, Any]], folder: str) -> Policy:
    main, here = data["policy.toml"], f"{folder}: policy.toml"
    limits, modes, never, doses = (table(main, name, here) for name in ("limits", "modes", "never_suppress", "doses"))
    known_members(main, TABLES, here)
    known_members(limits, ("budget_seconds", "evidence_a_card", "info_lines", "quote_characters", "info"), f"{here}, [limits]")
    known_members(never, ("risk_types", "why"), f"{here}, [never_suppress]")
    known_members(doses, ("critical_excess", "why", "source"), f"{here}, [doses]")
    kept = table(main, "acknowledgements", here) if "acknowledgements" in main else _UNACKNOWLEDGED
    known_members(kept, ("days", "days_without_encounter", "why", "source"), f"{here}, [acknowledgements]")
    note(never, "why", f"{here}, [never_suppress]")
    note(doses, "why", f"{here}, [doses]")
    return Policy(
        id=content_hash(data)[:16],
        name=f"{main.get('name', 'site')}@{main.get('version', '?')}",
        severity=SeverityTable.read(data["severity.toml"], f"{folder}: severity.toml"),
        modes=read_modes(modes, here),
        exceptions=read_exceptions(main, here),
        never_suppress=frozenset(names(never, "risk_types", f"{here}, [never_suppress]", RiskType)) if never.get("risk_types") else frozenset(),
        practice=read_practice(data.get("practice.toml"), f"{folder}: practice.toml"),
        reasons=_reasons(data["override_reasons.toml"], f"{folder}: override_reasons.toml"),
        budget_seconds=float(number(limits, "budget_seconds", 0.05, 60, here)),
        evidence_a_card=whole(limits, "evidence_a_card", 1, 10, here),
        quote_characters=whole(limits, "quote_characters", 40, 4000, here),
        info_lines=whole(limits, "info_lines", 1, 100, here),
        info_on_card=word(limits, "info", ("card", "page"), here) == "card",
        empty_allergies_are_a_gap=word(table(main, "allergies", here), "empty_list", ("mention", "gap"), here) == "gap",
        acknowledged_days=whole(kept, "days", 0, 365, here),
        acknowledged_days_without_encounter=whole(kept, "days_without_encounter", 0, 365, here),
        critical_excess=number(doses, "critical_excess", 1, 100, here),
        numbers=read_numbers(data.get("tolerances.toml"), data.get("duplicates.toml"), folder),
    )


def _reasons(data: Mapping[str, Any], where: str) -> tuple[OverrideReason, ...]:
    known_members(data, ("system", "reason"), where)
    system = str(data.get("system", ""))
    if ":" not in system:
        raise InvalidPolicy(f"{where}: system is {system!r}; expected an absolute URI")
    reasons = []
    for row, place in rows(data, "reason", where):
        categories = names(row, "categories", place, Category)
        reasons.append(OverrideReason(system, text(row, "code", place), text(row, "display", place), frozenset(categories)))
    if len({r.code for r in reasons}) != len(reasons):
        raise InvalidPolicy(f"{where}: a code stands twice; codes are counted over years and must be unique")
    return tuple(reasons)
