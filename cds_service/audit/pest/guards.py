"""Guards of dose rules seen axis by axis: which axes they name, whether one implies another, and a guard without some of its axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque, leaves
from ontology.model.quantities import Unit

Leaf = Interval | Category | Exposure | HasCondition | Opaque

AGES = frozenset({Axis.AGE, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE})
RENAL = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.RENAL, Axis.DIALYSIS})
HEPATIC = frozenset({Axis.HEPATIC, Axis.CHILD_PUGH})
_WEIGHTS = frozenset({Axis.WEIGHT, Axis.WEIGHT_IDEAL, Axis.WEIGHT_ADJUSTED, Axis.WEIGHT_LEAN, Axis.BSA, Axis.BMI})
_BASE = frozenset({Axis.ROUTE, Axis.FORMULATION, Axis.INDICATION, Axis.DOSE_LEVEL})
_FROM_SOME_BOUND = {Axis.CRCL: Decimal(90), Axis.CRCL_INDEXED: Decimal(90), Axis.EGFR: Decimal(90), Axis.WEIGHT: Decimal(50)}
_ADULT = Decimal(18)
_OLD = Decimal(60)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of patient or circumstance that a label adjusts doses for; `rank` orders them for the card."""

    name: str
    rank: int


RENAL_FUNCTION = Family("renal function", 0)
HEPATIC_FUNCTION = Family("hepatic function", 1)
COMEDICATION = Family("co-medication", 2)
GENOTYPE = Family("genotype", 3)
OLD_AGE = Family("age", 4)
CHILDHOOD = Family("age", 5)
WEIGHT = Family("weight", 6)
LAB = Family("laboratory value", 7)
PREGNANCY = Family("pregnancy", 8)
STATE = Family("condition", 9)
SEX = Family("sex", 10)


def family_of(leaf: Leaf) -> Family | None:
    """The kind of adjustment that a leaf makes of its rule; None for what every order has (adult, route, form) and for unread words."""
    if isinstance(leaf, Exposure):
        return COMEDICATION
    if isinstance(leaf, HasCondition):
        return STATE
    if isinstance(leaf, Opaque) or leaf.axis in _BASE or _is_normal(leaf):
        return None
    if leaf.axis in AGES:
        return _age_family(leaf)
    if leaf.axis in RENAL:
        return RENAL_FUNCTION
    if leaf.axis in HEPATIC:
        return HEPATIC_FUNCTION
    if leaf.axis in _WEIGHTS:
        return WEIGHT
    if leaf.axis is Axis.GENOTYPE or leaf.axis is Axis.ANCESTRY:
        return GENOTYPE
    if leaf.axis is Axis.LAB:
        return LAB
    if leaf.axis is Axis.SEX:
        return SEX
    return PREGNANCY if leaf.axis in (Axis.PREGNANCY, Axis.LACTATION) else None


def _is_normal(leaf: Interval | Category) -> bool:
    """True for what holds of most adults: no impairment, a clearance or a body weight from some bound on."""
    if isinstance(leaf, Category):
        return leaf.values == ("none",) or (leaf.axis in (Axis.PREGNANCY, Axis.LACTATION, Axis.DIALYSIS) and leaf.values == ("no",))
    return leaf.high is None and leaf.low is not None and leaf.axis in _FROM_SOME_BOUND and leaf.low <= _FROM_SOME_BOUND[leaf.axis]


def _age_family(leaf: Leaf) -> Family | None:
    if not isinstance(leaf, Interval) or leaf.axis is not Axis.AGE:
        return CHILDHOOD
    years = Unit.of(leaf.unit).factor / Unit.of("a").factor
    if leaf.low is not None and leaf.low * years >= _OLD:
        return OLD_AGE
    return CHILDHOOD if leaf.high is not None and leaf.high * years <= _ADULT else None


@lru_cache(maxsize=8192)
def families(guard: Guard | None) -> frozenset[Family]:
    """The kinds of adjustment that a guard makes; none where one of its alternatives holds of most adults, and none by what it denies."""
    if guard is None or isinstance(guard, Not):
        return frozenset()
    if isinstance(guard, AllOf | AnyOf):
        parts = [families(part) for part in guard.parts]
        common = isinstance(guard, AnyOf) and not all(parts) and not any(isinstance(part, Opaque) for part in guard.parts)
        return frozenset() if common else frozenset(f for part in parts for f in part)
    found = family_of(guard)
    return frozenset() if found is None else frozenset({found})


@lru_cache(maxsize=8192)
def names_age(guard: Guard | None) -> bool:
    """True when the guard says for which ages, or by which body size, its rule is: it is then not only for adults."""
    return any(isinstance(leaf, Interval) and (leaf.axis in AGES or leaf.axis in _WEIGHTS) for leaf in leaves(guard))


def without(guard: Guard | None, dropped: Callable[[Leaf], bool]) -> Guard | None:
    """The guard with the leaves that `dropped` names taken as met."""
    if guard is None or (not isinstance(guard, AllOf | AnyOf | Not) and dropped(guard)):
        return None
    if isinstance(guard, AllOf):
        kept = tuple(p for part in guard.parts if (p := without(part, dropped)) is not None)
        return None if not kept else kept[0] if len(kept) == 1 else AllOf(kept)
    if isinstance(guard, AnyOf):
        parts = tuple(without(part, dropped) for part in guard.parts)
        return None if any(p is None for p in parts) else AnyOf(tuple(p for p in parts if p is not None))
    if isinstance(guard, Not):
        return None if any(dropped(leaf) for leaf in leaves(guard)) else guard
    return guard


@lru_cache(maxsize=16384)
def implies(g: Guard | None, h: Guard | None) -> bool:
    """True when everything that `h` asks is asked by `g` as strictly or more so. A disjunction implies what each of its parts does."""
    if h is None or g == h:
        return True
    if g is None:
        return False
    if isinstance(h, AllOf):
        return all(implies(g, part) for part in h.parts)
    if isinstance(g, AnyOf):
        return all(implies(part, h) for part in g.parts)
    if isinstance(h, AnyOf):
        return any(implies(g, part) for part in h.parts)
    if isinstance(g, AllOf):
        return any(implies(part, h) for part in g.parts)
    return _leaf_implies(g, h)


def _leaf_implies(g: Guard, h: Guard) -> bool:
    if isinstance(g, Interval) and isinstance(h, Interval):
        return g.axis is h.axis and g.detail == h.detail and _inside(g, h)
    if isinstance(g, Category) and isinstance(h, Category):
        return g.axis is h.axis and g.detail == h.detail and set(g.values) <= set(h.values)
    return False


def _inside(g: Interval, h: Interval) -> bool:
    own, wanted = Unit.of(g.unit), Unit.of(h.unit)
    if own.dimension != wanted.dimension:
        return False
    by = own.factor / wanted.factor
    low = h.low is None or (g.low is not None and (g.low * by > h.low or (g.low * by == h.low and (g.low_open or not h.low_open))))
    high = h.high is None or (g.high is not None and (g.high * by < h.high or (g.high * by == h.high and (g.high_open or not h.high_open))))
    return low and high
