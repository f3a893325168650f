"""From single results to the result of the audit: one finding a hazard, in a stable order, nothing said twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from cds_service.audit.clinical import sections, words
from cds_service.audit.evidence import merge
from cds_service.audit.outcomes import Category, Clear, DrugRef, Finding, Gap, NotEvaluated, Result
from ontology.model.advice import ACTION_RANK, Action
from ontology.model.claims import Strength

_CATEGORIES = tuple(Category)
_PROHIBITING = frozenset({Category.CONTRAINDICATION, Category.SPECIAL_POPULATION, Category.ALLERGY})
_KINDS = frozenset({"conditions", "medications", "allergies", "observations", "notes"})
_MOOT = frozenset({"contraindication", "special-population", "dosage"})
"""Checks whose gaps no longer matter where the order is forbidden: no dose is right, and nothing can be worse."""

FIRM = frozenset({Strength.MUST, Strength.SHOULD})
"""Strengths with which a label asks; the others leave it to the prescriber."""


def synthesise(results: Iterable[Result]) -> tuple[Result, ...]:
    """The results with findings on the same drugs merged over their orders, sorted; equal gaps and notes once, moot ones left out."""
    findings: dict[tuple[object, ...], Finding] = {}
    gaps: dict[tuple[object, ...], Gap] = {}
    others: dict[tuple[object, ...], Result] = {}
    for result in results:
        if isinstance(result, Finding):
            key = _same_hazard(result)
            findings[key] = _joined(findings[key], result) if key in findings else result
        elif isinstance(result, Gap):
            gap_key = (result.check, result.drug.name, result.needs, result.question)
            gaps[gap_key] = replace(gaps[gap_key], drug=_both(gaps[gap_key].drug, result.drug)) if gap_key in gaps else result
        elif isinstance(result, NotEvaluated):
            others.setdefault((result.check, result.drug.name, result.reason, result.message), result)
        else:
            others.setdefault(("clear", result.check, result.drug), result)
    findings = _on_one_card(_told_once(findings))
    forbidden = {o for f in findings.values() if f.action is Action.CONTRAINDICATED and f.cap is None and f.category in _PROHIBITING for o in f.drug.orders}
    gaps = {key: g for key, g in gaps.items() if not _is_moot(g, forbidden)}
    troubled = {(f.check, o) for f in findings.values() for o in f.drug.orders} | {(g.check, o) for g in gaps.values() for o in g.drug.orders}
    kept = (r for r in others.values() if not (isinstance(r, Clear) and any((r.check, o) in troubled for o in r.drug.orders)))
    return (*sorted(findings.values(), key=_finding_order), *gaps.values(), *kept)


def _told_once(findings: dict[tuple[object, ...], Finding]) -> dict[tuple[object, ...], Finding]:
    """The findings, one of each pair of which one is a contraindication and the other the same label's advice for the same patients: the stricter leads."""
    kept = dict(findings)
    for key, advice in findings.items():
        if advice.category is not Category.SPECIAL_POPULATION:
            continue
        for other, forbids in findings.items():
            if forbids.category is Category.CONTRAINDICATION and other in kept and key in kept and _same_patients(forbids, advice):
                lead = other if _no_milder(forbids, advice) else key
                kept[lead] = _as_one(kept[other], kept[key], led_by_advice=lead == key)
                kept.pop(key if lead == other else other)
    return kept


def _on_one_card(findings: dict[tuple[object, ...], Finding]) -> dict[tuple[object, ...], Finding]:
    """The findings, the advice to change a dose for a pair as part of the problem of the dose that was judged for this pair."""
    doses = {_pair(d): d for d in findings.values() if d.category is Category.DOSAGE and d.other is not None and d.other.type == "drug"}
    kept = dict(findings)
    for key, advice in findings.items():
        dose = doses.get(_pair(advice)) if advice.category is Category.INTERACTION and advice.action is Action.ADJUST_DOSE else None
        if dose is not None:
            kept[key] = replace(advice, hazard=dose.hazard, orders=dose.orders or dose.drug.orders, subject_key=dose.subject_key)
    return kept


def _pair(f: Finding) -> frozenset[str]:
    return frozenset((f.drug.name, f.other.name if f.other else ""))


def _as_one(forbids: Finding, advice: Finding, *, led_by_advice: bool) -> Finding:
    """The two as one contraindication, as loud as the one that leads: what holds the other back does not lower it.

    An exception is made of the patients themselves: where the prohibition may not mean this one, neither may the advice.
    """
    lead, beside = (advice, forbids) if led_by_advice else (forbids, advice)
    joined = replace(_joined(lead, beside), category=Category.CONTRAINDICATION)
    if led_by_advice and forbids.excepted:
        return joined
    return replace(joined, action=lead.action, cap=lead.cap, strength=lead.strength, certainty=lead.certainty, other=lead.other)


def _no_milder(first: Finding, second: Finding) -> bool:
    caps = {None: 2, "warning": 1, "info": 0}
    rank = ACTION_RANK.index(first.action) - ACTION_RANK.index(second.action)
    return caps[first.cap] > caps[second.cap] or (caps[first.cap] == caps[second.cap] and rank <= 0)


def _same_patients(forbids: Finding, advice: Finding) -> bool:
    """True when both are about one order and one kind of patient, by a shared sentence or by the words of the population."""
    if not set(forbids.drug.orders) & set(advice.drug.orders):
        return False
    places = {(e.span.document, e.span.section, e.span.start) for e in forbids.evidence}
    if any((e.span.document, e.span.section, e.span.start) in places for e in advice.evidence):
        return True
    said = f"{forbids.other.label or ''} {forbids.other.name}".casefold() if forbids.other else ""
    return any(w in said for w in words("population_words", advice.subject_key)) if advice.subject_key in setting_names() else False


def setting_names() -> frozenset[str]:
    """The populations whose words are known."""
    return frozenset(sections()["population_words"])


def _is_moot(g: Gap, forbidden: set[str]) -> bool:
    """True for a datum of the patient that only a forbidden order asks for; a kind of data that did not arrive is always said."""
    return g.check in _MOOT and bool(g.drug.orders) and set(g.drug.orders) <= forbidden and not _KINDS & set(g.needs)


def _same_hazard(f: Finding) -> tuple[object, ...]:
    """Interactions and duplicates of the same two drugs are one whatever orders carry them; others are one a drug and counterpart."""
    if f.category in (Category.INTERACTION, Category.DUPLICATE):
        pair = tuple(sorted((f.drug.name, f.other.name if f.other else "")))
        return (f.category, pair, f.hazard, f.cap, f.strength in FIRM, f.other.label if f.category is Category.DUPLICATE and f.other else "")
    return (f.category, f.drug.name, f.hazard, f.subject_key, f.cap)


def _joined(first: Finding, second: Finding) -> Finding:
    """Two findings of one hazard as one: the stricter leads, orders, evidence and qualifiers of both."""
    lead, other = sorted((first, second), key=lambda f: ACTION_RANK.index(f.action))
    carried = _both(lead.drug, other.drug) if lead.drug.name == other.drug.name else lead.drug
    return replace(
        lead,
        drug=carried,
        evidence=merge((lead.evidence, other.evidence)),
        rules=tuple(dict.fromkeys((*lead.rules, *other.rules))),
        path=tuple(dict.fromkeys((*lead.path, *other.path))),
        data=tuple(dict.fromkeys((*lead.data, *other.data))),
        qualifiers=tuple(dict.fromkeys((*lead.qualifiers, *other.qualifiers))),
        orders=tuple(sorted({*lead.orders, *other.orders})),
    )


def _both(first: DrugRef, second: DrugRef) -> DrugRef:
    return structs.replace(first, orders=tuple(dict.fromkeys((*first.orders, *second.orders))))


def _finding_order(f: Finding) -> tuple[int, int, str, str, str]:
    return (ACTION_RANK.index(f.action), _CATEGORIES.index(f.category), f.drug.name, f.other.name if f.other else "", f.cap or "")
