"""False claims that would hurt: a stop told as a go, a dose without its condition, a day for a week, one unit for another."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from kb_builder.learn.agreement import SHAPE, action_class, differences, is_guarded, rules, unit_name
from kb_builder.learn.flat import FlatFact

_OPPOSED = {"stop", "none"}


class Harm(StrEnum):
    """How a false claim would hurt."""

    CONDITION_DROPPED = "condition dropped"
    DAY_FOR_WEEK = "day for week"
    UNIT = "unit"
    SWAPPED = "stop and go swapped"


def is_grave(fact: FlatFact) -> bool:
    """True for what an extractor must not miss: prohibitions and ceilings."""
    return fact.action in ("contraindicated", "avoid") or (fact.kind == "dosage" and fact.dose is not None and bool(fact.dose.caps))


def harm_of(said: FlatFact, golds: Iterable[FlatFact]) -> Harm | None:
    """How a claim that no gold fact supports would hurt, by the first gold fact it distorts; None where it distorts none."""
    for gold in golds:
        if gold.doc != said.doc or gold.kind != said.kind:
            continue
        harm = _of_dose(said, gold) if gold.kind == "dosage" else _of_action(said, gold)
        if harm is not None:
            return harm
    return None


def _of_dose(said: FlatFact, gold: FlatFact) -> Harm | None:
    want, got = gold.dose, said.dose
    if want is None or got is None or (want.span[1] is not None and want.span[1] != got.span[1]):
        return None
    units = {unit_name(want), unit_name(got)}
    if len(units) > 1 and units <= rules().mass:
        return Harm.UNIT
    if (want.per == "week") is not (got.per == "week"):
        return Harm.DAY_FOR_WEEK
    same = not differences(gold, said) & SHAPE
    return Harm.CONDITION_DROPPED if same and is_guarded(gold) and not is_guarded(said) else None


def _of_action(said: FlatFact, gold: FlatFact) -> Harm | None:
    found = differences(gold, said)
    opposed = {action_class(gold.action), action_class(said.action)} == _OPPOSED
    return Harm.SWAPPED if opposed and not found & SHAPE else None
