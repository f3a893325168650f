"""Practice rules of the site: signed statements that permit or re-grade a label finding, shown beside the label's sentence and never instead of it.

A rule holds from the day it was signed until it expires. Outside of that it changes nothing, and the findings it was for say so. A critical
finding that may never be suppressed keeps its level whatever a rule says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy_modes import CHECK_NAMES, Reach
from cds_service.answer.policy_reading import day, known_members, names, note, rows, text, word
from cds_service.answer.severity import Indicator
from cds_service.audit.knowledge import Knowledge
from cds_service.audit.outcomes import Finding, RiskType, SitePractice
from ontology.model.identifiers import EntityId

PERMIT = "permit"
GRADES = (PERMIT, *Indicator)
_LIKENESS = frozenset({"cross-reacts"})
_MEMBERS = ("id", "drugs", "with", "claims", "checks", "risks", "hooks", "units", "grade", "statement", "source", "signed_by", "signed_on", "expires")


@dataclass(frozen=True, slots=True)
class PracticeRule:
    """One practice rule. It is for findings on one of its `drugs`, or by one of its `claims`, that meet all else it names."""

    id: str
    drugs: tuple[str, ...]
    others: tuple[str, ...]
    claims: tuple[str, ...]
    checks: tuple[str, ...]
    risks: tuple[str, ...]
    reach: Reach
    grade: str
    statement: str
    source: str
    signed_by: str
    signed_on: date
    expires: date

    @property
    def level(self) -> Indicator:
        """The indicator that it gives a finding."""
        return Indicator.INFO if self.grade == PERMIT else Indicator(self.grade)

    def in_force(self, today: date) -> bool:
        """True from the day of the signature to the day of expiry, both counted."""
        return self.signed_on <= today <= self.expires

    def is_for(self, finding: Finding, knowledge: Knowledge) -> bool:
        """True when the finding is one that the rule speaks of."""
        if (self.checks and finding.check not in self.checks) or (self.risks and finding.risk.value not in self.risks):
            return False
        if self.claims and not set(self.claims) & set(finding.rules):
            return False
        drugs = tuple(finding.drug.name.split(" / "))
        others = (finding.other.name, *finding.other.name.split(" / "), finding.other.label or "") if finding.other is not None else ()
        if not self.others:
            return not self.drugs or _named(self.drugs, drugs, knowledge)
        sides = [(drugs, others)] if finding.other is None or finding.other.type != "drug" else [(drugs, others), (others, drugs)]
        return any((not self.drugs or _named(self.drugs, one, knowledge)) and _named(self.others, two, knowledge) for one, two in sides)

    def told(self, kept: Indicator | None) -> str:
        """What a card says of the rule in force; `kept` is the level that it may not lower."""
        made = "permits this" if self.grade == PERMIT else f"counts this as {self.grade}"
        stays = f" It stays {kept.value} here: a finding of this kind is never suppressed." if kept is not None else ""
        return f"Site practice {self.id} {made}: {_closed(self.statement)} Signed by {self.signed_by}, {self.signed_on.isoformat()}, valid until {self.expires.isoformat()}; source: {_closed(self.source)}{stays}"

    def told_void(self, today: date) -> str:
        """What a card says of the rule that is not in force."""
        when = f"expired on {self.expires.isoformat()}" if today > self.expires else f"is valid from {self.signed_on.isoformat()} only"
        return f"Site practice {self.id} {when} and was not applied."


def read_practice(data: Mapping[str, Any] | None, where: str) -> tuple[PracticeRule, ...]:
    """The rules of `practice.toml` in the order of the file, which is the order they are tried in."""
    if data is None:
        return ()
    known_members(data, ("rule",), where)
    found = [_rule(row, place) for row, place in rows(data, "rule", where)]
    doubled = next((r.id for i, r in enumerate(found) if r.id in {o.id for o in found[:i]}), None)
    if doubled is not None:
        raise InvalidPolicy(f"{where}: the id {doubled!r} stands twice; traces name rules by it, so it must be unique")
    return tuple(found)


def with_practice(finding: Finding, rules: Iterable[PracticeRule], protected: Indicator | None, today: date, knowledge: Knowledge) -> Finding:
    """The finding with what the rules say of it: the first in force grades it, those before it that are not in force are told.

    `protected` is the level of a finding that may never be suppressed, None for others.
    """
    told: list[SitePractice] = []
    for rule in rules:
        if not rule.is_for(finding, knowledge):
            continue
        if not rule.in_force(today):
            told.append(SitePractice(rule.id, rule.told_void(today)))
            continue
        kept = protected if protected is not None and rule.level.rank < protected.rank else None
        told.append(SitePractice(rule.id, rule.told(kept), rule.level.value if kept is None else None))
        break
    return replace(finding, practice=tuple(told)) if told else finding


def _rule(row: Mapping[str, Any], where: str) -> PracticeRule:
    known_members(row, _MEMBERS, where)
    rule = PracticeRule(
        id=text(row, "id", where),
        drugs=names(row, "drugs", where),
        others=names(row, "with", where),
        claims=names(row, "claims", where),
        checks=names(row, "checks", where, CHECK_NAMES),
        risks=names(row, "risks", where, RiskType),
        reach=Reach.read(row, where),
        grade=word(row, "grade", GRADES, where),
        statement=note(row, "statement", where),
        source=note(row, "source", where),
        signed_by=text(row, "signed_by", where),
        signed_on=day(row, "signed_on", where),
        expires=day(row, "expires", where),
    )
    if not rule.drugs and not rule.claims:
        raise InvalidPolicy(f"{where}: names neither drugs nor claims; say which findings it is for")
    if not (rule.claims or rule.others or rule.checks or rule.risks):
        raise InvalidPolicy(f"{where}: would speak of every finding on {', '.join(rule.drugs)}; narrow it by checks, risks, with or claims")
    if rule.expires <= rule.signed_on:
        raise InvalidPolicy(f"{where}: expires is {rule.expires}, not after signed_on, {rule.signed_on}; correct one of the two")
    return rule


def _named(names_: Iterable[str], said: Iterable[str], knowledge: Knowledge) -> bool:
    """True when a name is one of those said, denotes the same thing, or something that it descends from or belongs to."""
    words = [w for w in said if w]
    folded = {w.casefold() for w in words}
    listed = tuple(names_)
    if any(n.casefold() in folded for n in listed):
        return True
    terms = knowledge.terminology
    wanted = {e for n in listed for e in terms.lookup(n)}
    return bool(wanted) and any(wanted & _above(e, knowledge) for w in words for e in terms.lookup(w))


def _above(entity: EntityId, knowledge: Knowledge) -> set[EntityId]:
    """The entity, what it descends from, and the classes that the release puts it in."""
    dossier = knowledge.dossier(entity)
    return {
        entity,
        *knowledge.terminology.ancestors(entity),
        *((row.target for row in dossier.closure if row.relation not in _LIKENESS) if dossier is not None else ()),
    }


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!", "。")) else f"{sentence}."
