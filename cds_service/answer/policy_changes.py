"""What a site's policy changes against the shipped one, in sentences for the person who signs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from cds_service.answer.policy import Policy
from cds_service.answer.policy_modes import CHECK_NAMES
from cds_service.answer.severity import SeverityTable
from cds_service.audit.outcomes import RiskType

SOON = timedelta(days=60)
"""How long before its expiry a practice rule is pointed out."""

_LIMITS = {
    "budget_seconds": "seconds an audit may take",
    "evidence_a_card": "quotes on a card",
    "quote_characters": "characters of a quote",
    "info_lines": "lines of the calm card",
    "info_on_card": "information stands on a card",
    "empty_allergies_are_a_gap": "an empty allergy list is a gap",
    "critical_excess": "ordered / allowed from which a dose is critical",
}


def policy_changes(site: Policy, shipped: Policy, today: date) -> list[str]:
    """One sentence a change, each beginning with what it is about; empty where the site says what is shipped."""
    return [
        *_severity(site.severity, shipped.severity),
        *_modes(site, shipped),
        *_never(site, shipped),
        *_numbers(site, shipped),
        *_practice(site, today),
        *_reasons(site, shipped),
        *(
            f"{words}: {getattr(shipped, name)} becomes {getattr(site, name)}"
            for name, words in _LIMITS.items()
            if getattr(site, name) != getattr(shipped, name)
        ),
    ]


def _severity(site: SeverityTable, shipped: SeverityTable) -> Iterator[str]:
    """Changed cells counted by action and levels, and of the risks that either table sets apart what is not so for all."""
    for risk in (None, *(r for r in RiskType if r in site.by_risk or r in shipped.by_risk)):
        old, new = shipped.by_risk.get(risk or "", shipped.cells), site.by_risk.get(risk or "", site.cells)
        changed = (c for c in old if old[c] is not new[c] and (risk is None or (old[c], new[c]) != (shipped.cells[c], site.cells[c])))
        counted = Counter((cell[0], old[cell], new[cell]) for cell in changed)
        for (action, before, after), n in counted.items():
            of = sum(cell[0] == action for cell in old)
            part = "" if n == of else f" ({n} of {of} combinations of strength, certainty and approval)"
            yield f"severity of {action}{f' for {risk}' if risk else ''}: {before.value} becomes {after.value}{part}"


def _modes(site: Policy, shipped: Policy) -> Iterator[str]:
    for check in CHECK_NAMES:
        if site.mode(check) is not shipped.mode(check):
            yield f"mode of {check}: {shipped.mode(check).value} becomes {site.mode(check).value}"
    for e in site.exceptions:
        yield f"mode of {', '.join(e.checks) or 'every check'} {e.reach.words}: {e.mode.value} ({e.why})"


def _never(site: Policy, shipped: Policy) -> Iterator[str]:
    for risk in sorted(site.never_suppress - shipped.never_suppress):
        yield f"never suppressed: {risk} is added"
    for risk in sorted(shipped.never_suppress - site.never_suppress):
        yield f"never suppressed: {risk} is TAKEN OUT; its critical findings can now be silenced"


def _numbers(site: Policy, shipped: Policy) -> Iterator[str]:
    if site.numbers.scaled != shipped.numbers.scaled:
        yield f"tolerance of doses by weight or surface: {shipped.numbers.scaled} becomes {site.numbers.scaled}"
    for t in site.numbers.tolerances:
        yield f"tolerance of doses by weight or surface of {t.ingredient}: {t.scaled}"
    for a in site.numbers.allowances:
        yield f"duplicates: up to {a.most} orders of the {a.of} {a.name} side by side raise none ({a.why})"


def _practice(site: Policy, today: date) -> Iterator[str]:
    for r in site.practice:
        on = ", ".join((*r.drugs, *(f"with {o}" for o in r.others), *r.checks, *r.risks, *r.claims))
        where = f" {r.reach.words}" if r.reach.words else ""
        if today > r.expires:
            state = f"EXPIRED on {r.expires}, changes nothing"
        elif today < r.signed_on:
            state = f"NOT YET IN FORCE, from {r.signed_on}"
        else:
            state = f"in force until {r.expires}{', EXPIRES SOON' if r.expires - today <= SOON else ''}"
        yield f"practice rule {r.id}: {r.grade} for {on}{where}; signed by {r.signed_by} on {r.signed_on}; {state}"


def _reasons(site: Policy, shipped: Policy) -> Iterator[str]:
    old, new = ({r.code: r for r in p.reasons} for p in (shipped, site))
    for code in sorted({*old, *new}):
        if code not in new:
            yield f"override reason {code}: taken out"
        elif code not in old:
            yield f"override reason {code}: added ({new[code].display})"
        elif old[code] != new[code]:
            yield f"override reason {code}: changed ({new[code].display})"
