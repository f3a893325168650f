"""What a rule of a knowledge file says, as the payload of a claim: doses, limits, advice, tests before a first dose, indications."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Edge
from ontology.model.dosing import Amount, AmountBasis, FractionOf, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen
from ontology.model.facts import Whose

Plain = Mapping[str, Any]

KINDS: dict[str, tuple[str, str]] = {
    "interacts_with": ("interacts_with", "drug_interactions"),
    "incompatible_with": ("incompatible_with", "dosage_and_administration"),
    "allergy_to": ("contraindicated_in", "drug_interactions"),
    "contraindicated_in": ("contraindicated_in", "contraindications"),
    "doses": ("has_dose_rule", "dosage_and_administration"),
    "limits": ("has_limit", "dosage_and_administration"),
    "advises": ("population_advice", "use_in_specific_populations"),
    "requires": ("has_prerequisite", "warnings_and_cautions"),
    "indicated_for": ("indicated_for", "indications_and_usage"),
    "contains": ("has_excipient", "description"),
}
"""The member that says what a rule is, with the claim's predicate and the section it stands in unless `section` says another."""

POPULATIONS = ("all", "adult", "pediatric", "neonate", "geriatric", "pregnancy", "lactation", "reproductive", "renal", "hepatic", "genotype")
"""Codes of populations, as knowledge files name them."""

_AMOUNT = re.compile(
    r"(?:(?P<low>[\d.]+) (?:to|or) )?(?P<high>[\d.]+) (?P<unit>[^/ ]+)(?:/(?P<size>kg|m2))?(?: (?P<weight>ideal|adjusted|lean))?"
    r"(?: a (?P<per>day|week|dose))?(?:, at most (?P<cap>[\d.]+) \S+)?"
)
_FRACTION = re.compile(r"(?P<high>[\d.]+) % of the usual dose")


def kind_of(rule: Plain) -> str:
    """The member of KINDS that the rule has."""
    return next(k for k in KINDS if k in rule)


def payload_of(rule: Plain) -> Advice | Regimen | Limit | Edge:
    """The payload of a rule."""
    kind = kind_of(rule)
    if kind == "contains":
        return Edge()
    if kind == "doses":
        return Regimen(tuple(_phase(p) for p in rule.get("phases", [rule])))
    if kind == "limits":
        amount = _amount(rule["at_most"])
        measure = Measure(rule.get("measure", amount.per.value if amount.per is not PerWhat.DOSE else "single"))
        return Limit(measure, LimitScope.INGREDIENT, amount)
    default = {"requires": "monitor", "indicated_for": "no-adjustment"}.get(kind, "contraindicated")
    step = Step(
        Action(rule.get("action", default)),
        Whose(rule.get("whose", "subject")),
        rule.get("parameter"),
        monitor=tuple(rule.get("monitor", ())),
    )
    return Advice((step,), effect=rule.get("effect"))


def _phase(plain: Plain) -> Phase:
    return Phase(
        PhaseKind(plain.get("phase", "usual")),
        tuple(_amount(a) for a in ([plain["dose"]] if isinstance(plain["dose"], str) else plain["dose"])),
        _frequency(plain),
        duration_days_high=None if "for_days" not in plain else Decimal(plain["for_days"]),
    )


def _amount(text: str) -> Amount:
    """ "100 to 150 mg", "15 mg/kg, at most 1000 mg", "4000 mg a day", "50 % of the usual dose"."""
    if (part := _FRACTION.fullmatch(text)) is not None:
        return Amount(Decimal(part["high"]), Decimal(part["high"]), "%", AmountBasis.FRACTION, fraction_of=FractionOf.USUAL)
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(f"a knowledge file has the amount {text!r}; write it like '5 to 10 mg', '15 mg/kg, at most 1000 mg' or '4000 mg a day'")
    high = Decimal(found["high"])
    return Amount(
        Decimal(found["low"]) if found["low"] else high,
        high,
        found["unit"],
        {None: AmountBasis.FLAT, "kg": AmountBasis.PER_KG, "m2": AmountBasis.PER_M2}[found["size"]],
        PerWhat(found["per"] or "dose"),
        cap=Decimal(found["cap"]) if found["cap"] else None,
        weight=found["weight"],
    )


def _frequency(plain: Plain) -> Frequency | None:
    """`times: 2`, `times: 1 to 2`, `every_hours: 4 to 6`; `in_days: 7` beside `times` for a week."""
    if "every_hours" in plain:
        low, high = _span(plain["every_hours"])
        return Frequency(every_hours_low=low, every_hours_high=high)
    if "times" not in plain:
        return None
    low, high = _span(plain["times"])
    return Frequency(low, high, Decimal(plain.get("in_days", 1)))


def _span(text: object) -> tuple[Decimal, Decimal]:
    ends = [Decimal(part) for part in str(text).split(" to ")]
    return ends[0], ends[-1]
