"""Guards as flat lists of conditions, for readers that know no boolean trees: one list a disjunct, every member must hold."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import product
from typing import Any

from ontology.model.facts import Axis, ConditionState, DoseBounds, ExposureState, Whose
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque
from ontology.model.identifiers import EntityId
from ontology.model.quantities import plain

Condition = dict[str, Any]
NameOf = Callable[[EntityId], str]

MAX_DISJUNCTS = 64
"""A guard of more is given as its words under the axis `other`; printed guards have two or three."""

_AXES: dict[Axis, str] = {
    Axis.GESTATIONAL_AGE: "age",
    Axis.POSTNATAL_AGE: "age",
    Axis.WEIGHT_IDEAL: "weight",
    Axis.WEIGHT_ADJUSTED: "weight",
    Axis.WEIGHT_LEAN: "weight",
    Axis.CRCL_INDEXED: "crcl",
    Axis.DOSE_LEVEL: "prior-dose",
    Axis.BMI: "other",
    Axis.FORMULATION: "other",
    Axis.DAILY_DOSE: "other",
}
_NOUN: dict[Axis, str] = {Axis.RENAL: "renal impairment", Axis.HEPATIC: "hepatic impairment"}
_WORD: dict[tuple[Axis, str], str] = {
    (Axis.PREGNANCY, "yes"): "pregnant",
    (Axis.PREGNANCY, "no"): "not pregnant",
    (Axis.LACTATION, "yes"): "breastfeeding",
    (Axis.LACTATION, "no"): "not breastfeeding",
    (Axis.DIALYSIS, "yes"): "dialysis",
    (Axis.DIALYSIS, "no"): "not on dialysis",
}
_IMPAIRED: dict[Axis, frozenset[str]] = {
    Axis.RENAL: frozenset({"mild", "moderate", "severe", "esrd"}),
    Axis.HEPATIC: frozenset({"mild", "moderate", "severe"}),
}


def conditions_of(guard: Guard | None, name_of: NameOf) -> list[list[Condition]]:
    """The disjuncts of a guard, each a list of conditions that must all hold; one empty list for a statement without a guard."""
    if guard is None:
        return [[]]
    found = _disjuncts(guard, negated=False, name_of=name_of)
    return found if found is not None else [[{"axis": "other", "value": f"one of more than {MAX_DISJUNCTS} combinations of conditions"}]]


def _disjuncts(guard: Guard, *, negated: bool, name_of: NameOf) -> list[list[Condition]] | None:
    """Disjunctive normal form, negations on the leaves; None when it grows too large."""
    if isinstance(guard, Not):
        return _disjuncts(guard.part, negated=not negated, name_of=name_of)
    if not isinstance(guard, AllOf | AnyOf):
        if not negated and isinstance(guard, Interval) and guard.axis is Axis.AGE and guard.low == 0 and guard.high is None:
            return [[]]  # all ages: it restricts nobody
        condition = _leaf(guard, name_of)
        return [[{**condition, "not": True} if negated else condition]]
    parts = [_disjuncts(part, negated=negated, name_of=name_of) for part in guard.parts]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if isinstance(guard, AnyOf) is not negated:
        joined = [disjunct for part in known for disjunct in part]
        return joined if len(joined) <= MAX_DISJUNCTS else None
    size = 1
    for part in known:
        size *= len(part)
    return [[c for one in combination for c in one] for combination in product(*known)] if size <= MAX_DISJUNCTS else None


def _leaf(leaf: Interval | Category | Exposure | HasCondition | Opaque, name_of: NameOf) -> Condition:
    if isinstance(leaf, Interval):
        return _interval(leaf)
    if isinstance(leaf, Category):
        return _category(leaf)
    if isinstance(leaf, Exposure):
        return _exposure(leaf, name_of)
    if isinstance(leaf, HasCondition):
        state = "" if leaf.state is ConditionState.ACTIVE else f"{leaf.state.value} "
        window = f" within {leaf.within_days} days" if leaf.within_days is not None else ""
        return {"axis": "condition", "value": f"{state}{leaf.words}{window}"}
    return {"axis": "other", "value": leaf.text}


def _interval(leaf: Interval) -> Condition:
    axis = _AXES.get(leaf.axis, leaf.axis.value)
    if axis == "other":
        return {"axis": axis, "value": f"{leaf.axis.value} {_bounds_in_words(leaf)}"}
    condition: Condition = {"axis": axis}
    if leaf.low is not None:
        condition |= {"low": leaf.low, **({"low_open": True} if leaf.low_open else {})}
    if leaf.high is not None:
        condition |= {"high": leaf.high, **({"high_open": True} if leaf.high_open else {})}
    condition["unit"] = leaf.unit
    if leaf.detail:
        condition["value"] = leaf.detail
    elif leaf.axis in (Axis.GESTATIONAL_AGE, Axis.POSTNATAL_AGE):
        condition["value"] = leaf.axis.value
    return condition


def _category(leaf: Category) -> Condition:
    axis = _AXES.get(leaf.axis, leaf.axis.value)
    noun = _NOUN.get(leaf.axis)
    if noun and leaf.values == ("none",):
        return {"axis": axis, "value": f"normal {leaf.axis.value} function"}
    if noun and set(leaf.values) >= _IMPAIRED[leaf.axis]:
        return {"axis": axis, "value": noun}
    words = " or ".join(_WORD.get((leaf.axis, value), value.replace("-", " ") if leaf.axis is Axis.PREGNANCY else value) for value in leaf.values)
    return {"axis": axis, "value": " ".join(part for part in (leaf.detail, words, noun) if part)}


def _exposure(leaf: Exposure, name_of: NameOf) -> Condition:
    past = leaf.state in (ExposureState.STOPPED_WITHIN, ExposureState.EVER)
    own = leaf.whose is Whose.SUBJECT
    words = name_of(leaf.target)
    if leaf.minus:
        words += " other than " + ", ".join(name_of(member) for member in leaf.minus)
    if leaf.dose is not None:
        words += f" {_dose_in_words(leaf.dose)}"
    if leaf.route:
        words += f", {leaf.route}"
    if leaf.state is not ExposureState.CURRENT:
        window = f" {plain(leaf.within_days)} days" if leaf.within_days is not None else ""
        words += f", {leaf.state.value.replace('-', ' ')}{window}"
    if not (own and past):
        return {"axis": "comedication", "value": words}
    bounds = {k: v for k, v in (("low", leaf.dose.low), ("high", leaf.dose.high), ("unit", leaf.dose.unit)) if v is not None} if leaf.dose is not None else {}
    return {"axis": "prior-dose", **bounds, "value": words}


def _dose_in_words(dose: DoseBounds) -> str:
    return f"{_range_in_words(dose.low, dose.high, low_open=dose.low_open, high_open=dose.high_open)} {dose.unit} a {dose.per}"


def _bounds_in_words(leaf: Interval) -> str:
    return f"{_range_in_words(leaf.low, leaf.high, low_open=leaf.low_open, high_open=leaf.high_open)} {leaf.unit}"


def _range_in_words(low: Decimal | None, high: Decimal | None, *, low_open: bool, high_open: bool) -> str:
    parts = []
    if low is not None:
        parts.append(f"{'above' if low_open else 'at least'} {plain(low)}")
    if high is not None:
        parts.append(f"{'below' if high_open else 'at most'} {plain(high)}")
    return " and ".join(parts)
