"""Changes to a request that leave its meaning as it is, or take one datum away: what the properties of the audit are asked over."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from cds_service.audit.outcomes import AuditResult, Clear, Finding, Gap, NotEvaluated
from ontology.model.advice import Action

Body = dict[str, Any]

_SMALLER = {"g": ("mg", 1000), "mg": ("ug", 1000), "kg": ("g", 1000), "cm": ("mm", 10)}
_LARGER = {"mg": ("g", 1000), "ug": ("mg", 1000), "mcg": ("mg", 1000), "g": ("kg", 1000), "cm": ("m", 100)}
_CODES = {"weight": ("29463-7", "3141-9", "8335-2"), "creatinine": ("2160-0", "38483-4", "14682-9"), "height": ("8302-2",)}


def shuffled(body: Body, seed: int) -> Body:
    """The request with the entries of every bundle in another order."""
    out, chance = copy.deepcopy(body), random.Random(seed)
    for bundle in _bundles(out):
        chance.shuffle(bundle["entry"])
    return out


def in_other_units(body: Body, *, larger: bool) -> Body:
    """The request with every amount in the next smaller or larger metric unit."""
    out, table = copy.deepcopy(body), _LARGER if larger else _SMALLER
    for holder in _mappings(out):
        unit, value = holder.get("unit"), holder.get("value")
        if unit in table and isinstance(value, int | float | Decimal) and holder.get("code", unit) == unit:
            to, by = table[unit]
            number = Decimal(str(value)) / by if larger else Decimal(str(value)) * by
            holder.update(value=number, unit=to)
            if "code" in holder:
                holder["code"] = to
    return out


def renamed(body: Body) -> Body:
    """The request with other ids on every resource, references kept."""
    names = {r["id"]: f"zz-{i}-{len(str(r['id']))}" for i, r in enumerate(_resources(body))}

    def walk(node: Any, key: str = "") -> Any:
        if isinstance(node, dict):
            return {k: walk(v, k) for k, v in node.items()}
        if isinstance(node, list):
            return [walk(v, key) for v in node]
        if key in ("id", "patientId") and node in names:
            return names[node]
        if isinstance(node, str) and key in ("reference", "fullUrl", "selections") and "/" in node:
            kind, _, ident = node.rpartition("/")
            return f"{kind}/{names.get(ident, ident)}"
        return node

    changed: Body = walk(body)
    return changed


def with_current(body: Body, text: str) -> Body:
    """The request with one more drug on the medication list."""
    out = copy.deepcopy(body)
    order = {
        "resourceType": "MedicationRequest",
        "id": "one-more",
        "status": "active",
        "intent": "order",
        "medicationCodeableConcept": {"text": text},
        "subject": {"reference": f"Patient/{body['context']['patientId']}"},
    }
    out["prefetch"]["medications"].setdefault("entry", []).append({"resource": order, "search": {"mode": "match"}})
    return out


def _without_observations(*codes: str) -> Callable[[Body], None]:
    def drop(body: Body) -> None:
        bundle = body["prefetch"].get("observations")
        if bundle:
            bundle["entry"] = [e for e in bundle.get("entry", []) if not any(c.get("code") in codes for c in e["resource"]["code"].get("coding", []))]

    return drop


def _without(key: str) -> Callable[[Body], None]:
    def drop(body: Body) -> None:
        body["prefetch"]["patient"].pop(key, None)
        body["prefetch"]["patient"].pop("extension", None)

    return drop


def _without_conditions(body: Body) -> None:
    body["prefetch"].pop("conditions", None)


def _without_reasons(body: Body) -> None:
    for entry in body["context"]["draftOrders"]["entry"]:
        for key in ("reasonCode", "reasonReference"):
            entry["resource"].pop(key, None)


DATA: Mapping[str, tuple[Callable[[Body], None], frozenset[str]]] = {
    "weight": (_without_observations(*_CODES["weight"]), frozenset({"weight", "renal-function"})),
    "creatinine": (_without_observations(*_CODES["creatinine"]), frozenset({"renal-function"})),
    "age": (_without("birthDate"), frozenset({"age"})),
    "sex": (_without("gender"), frozenset({"sex", "pregnancy-status", "lactation-status"})),
    "conditions": (_without_conditions, frozenset({"conditions"})),
    "reason": (_without_reasons, frozenset({"indication"})),
}
"""How each datum is taken away, and what a gap may call it."""


def without(body: Body, datum: str) -> Body:
    """The request without one datum."""
    out = copy.deepcopy(body)
    DATA[datum][0](out)
    return out


def verdicts(result: AuditResult) -> frozenset[tuple[object, ...]]:
    """What an audit says, without ids: findings, gaps and what was not evaluated."""
    said: set[tuple[object, ...]] = set()
    for r in result.results:
        if isinstance(r, Finding):
            said.add(("finding", r.check, r.risk, *_sides(r), r.action, r.cap, r.certainty, r.excess, frozenset(e.span.quote for e in r.evidence)))
        elif isinstance(r, Gap):
            said.add(("gap", r.check, r.drug.name, r.needs))
        elif isinstance(r, NotEvaluated):
            said.add(("not evaluated", r.check, r.drug.name, r.reason))
    return frozenset(said)


def _sides(r: Finding) -> tuple[object, ...]:
    """Drug and counterpart; of two drugs it is one pair whichever comes first."""
    names = (r.drug.name, r.other.name if r.other else "")
    return (frozenset(names),) if r.check in ("interaction", "duplicate") else names


def faults(result: AuditResult) -> list[str]:
    """Checks that raised."""
    return [r.message for r in result.results if isinstance(r, NotEvaluated) and r.message.endswith(("is unavailable", "nothing was checked"))]


def silenced(before: AuditResult, after: AuditResult, datum: str, loud: Callable[[Finding], bool]) -> list[str]:
    """Loud findings of `before` of which `after`, without the datum, says nothing: no finding, no gap, nothing that was not evaluated."""
    needs = DATA[datum][1]
    lost = []
    for f in before.results:
        if not isinstance(f, Finding) or not loud(f) or (datum == "reason" and f.check == "indication"):
            continue
        drugs = {f.drug.name, f.other.name if f.other else ""}
        asked = any(needs & set(r.needs) and (r.drug.name in drugs or r.check == "data") for r in after.results if isinstance(r, Gap | NotEvaluated))
        told = any(not isinstance(r, Clear) and r.check == f.check and (r.drug.name in drugs) for r in after.results)
        told |= any(isinstance(r, Finding) and r.action is Action.CONTRAINDICATED and r.drug.name in drugs for r in after.results)  # no dose is right
        if not asked and not told:
            lost.append(f"{f.check} of {f.drug.name} ({f.other.name if f.other else f.risk.value}) without {datum}")
    return lost


def _bundles(body: Body) -> Iterator[dict[str, Any]]:
    for holder in (body["context"].get("draftOrders"), *body["prefetch"].values()):
        if isinstance(holder, dict) and isinstance(holder.get("entry"), list):
            yield holder


def _resources(body: Body) -> Iterator[dict[str, Any]]:
    yield body["prefetch"]["patient"]
    for bundle in _bundles(body):
        yield from (e["resource"] for e in bundle["entry"] if "id" in e.get("resource", {}))


def _mappings(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _mappings(value)
    elif isinstance(node, list):
        for value in node:
            yield from _mappings(value)
