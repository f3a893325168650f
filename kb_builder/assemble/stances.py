"""Stances: what a claim's statement can be compared by with what other statements say of the same hazard.

Advice stands on levels, which order what it comes to. Two levels are no contradiction where both can be followed: inside one label only a denial, or
a dose that stays, contradicts what is asked for; between labels what one forbids and another lets pass does too. A limit stands on its value, a dose
on the most it gives a day: the lower is the stricter. What a study did not see ("no differences were observed") and a dose of one phase that stays
("no adjustment of the starting dose") tell nothing of the treatment and contradict nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kb_builder.assemble.bands import Band, split_bands
from ontology.model.advice import Action, Advice
from ontology.model.claims import Basis, Claim, Polarity
from ontology.model.codec import normal_guard
from ontology.model.dosing import Amount, AmountBasis, Frequency, Limit, PerWhat, Regimen
from ontology.model.identifiers import EntityId, content_hash
from ontology.model.quantities import Unit, plain

_LEVELS: tuple[tuple[Action, ...], ...] = (
    (Action.CONTRAINDICATED, Action.STOP),
    (Action.AVOID, Action.NOT_RECOMMENDED),
    (Action.ADJUST_DOSE, Action.SEPARATE, Action.MONITOR, Action.CAUTION),
    (Action.NO_ADJUSTMENT,),
)
_WATCHED = 2
_DENIED = len(_LEVELS) - 1
_MAY_CONCEIVE = EntityId("Population", "pharmgraph", "reproductive")
"""For them "avoid" speaks of a pregnancy, not of the drug: to avoid one and to use contraception is the same advice."""
_LEVEL_OF = {action: level for level, actions in enumerate(_LEVELS) for action in actions}
_WATCHES = frozenset({Action.MONITOR, Action.CAUTION})
_COUNTED = (AmountBasis.FLAT, AmountBasis.PER_KG, AmountBasis.PER_M2)
_HOURS_A_DAY = Decimal(24)
_DIMENSION_OF_TIME = "time"


class Ask(StrEnum):
    """What advice comes to: no treatment, a changed one, a watched one, the same as for others, or that there is nothing to speak of."""

    FORBID = "forbid"
    CHANGE = "change"
    WATCH = "watch"
    KEEP = "keep"
    DENIAL = "denial"


_OPPOSED: dict[Ask, frozenset[Ask]] = {
    Ask.KEEP: frozenset({Ask.FORBID, Ask.CHANGE}),
    Ask.DENIAL: frozenset({Ask.FORBID, Ask.CHANGE, Ask.WATCH}),
}
"""What cannot be followed together inside one label: a dose that stays may be watched, a denied effect need not be."""

_DIFFERENT: dict[Ask, frozenset[Ask]] = {**_OPPOSED, Ask.CHANGE: frozenset({Ask.FORBID}), Ask.WATCH: frozenset({Ask.FORBID})}
"""What cannot be followed together between labels: one label tells whom to treat with care whom the other does not treat at all."""


@dataclass(frozen=True, slots=True)
class Stance:
    """The hazard a claim speaks of (`key`), how strict it is on it (`level`, lower is stricter) and its own word for that.

    `family` is the hazard without the numeric bounds of the guard, which are `bands`; None where the guard has none. `alternative` marks a dose or a
    limit: a label may give several doses for one patient and a ceiling for each step, and the lowest of several ceilings keeps them all, so those of
    one label never contradict each other. `ask` is what advice comes to, `brands` the proprietary names of the label's products.
    """

    key: bytes
    level: Decimal
    word: str
    family: bytes | None = None
    bands: tuple[Band, ...] = ()
    alternative: bool = False
    ask: Ask | None = None
    brands: frozenset[str] = frozenset()

    def yields_to(self, other: Stance) -> bool:
        """True where another statement of the same label on the same hazard is stricter and the two cannot be followed together."""
        if self.ask is None or other.ask is None:
            return other.level < self.level
        return other.ask in _OPPOSED.get(self.ask, frozenset())

    def is_of_product(self, other: Stance) -> bool:
        """True for labels of one product: two brands are two products, which may differ; a copy without a brand is compared with each."""
        return not (self.brands and other.brands) or not self.brands.isdisjoint(other.brands)

    def differs_from(self, other: Stance) -> bool:
        """True where a statement of another label of the product on the same hazard is stricter and the two cannot be followed together."""
        if not self.is_of_product(other):
            return False
        if self.ask is None or other.ask is None:
            return other.level < self.level
        return other.ask in _DIFFERENT.get(self.ask, frozenset())


def stance_of(claim: Claim, brands: frozenset[str] = frozenset()) -> Stance | None:
    """The stance of a claim that advises, limits or doses, of a label with these brands.

    None for edges, for "not studied" and "no recommendation", which contradict nothing, and for regimens of several phases or amounts, titration,
    fractions and formulas, whose daily amount is not one number.
    """
    placed = _placed(claim)
    if placed is None:
        return None
    measured, level, word = placed
    hazard = {
        "predicate": claim.predicate,
        "subject": str(claim.subject),
        "object": str(claim.object),
        "routes": sorted(claim.scope.routes),
        "forms": sorted(claim.scope.forms),
        **measured,
    }
    bands, rest = split_bands(claim.guard)
    family = _digest({**hazard, "rest": normal_guard(rest)}) if bands else None
    return Stance(
        _digest({**hazard, "guard": normal_guard(claim.guard)}), level, word, family, bands, isinstance(claim.payload, Regimen | Limit), _ask(claim), brands
    )


def _ask(claim: Claim) -> Ask | None:
    """What advice comes to; None for what is no advice, and for uses, which a label has or has not."""
    if not isinstance(claim.payload, Advice) or claim.predicate == "indicated_for":
        return None
    strictest = claim.payload.strictest
    if claim.polarity is Polarity.NEGATIVE:
        return Ask.DENIAL
    if strictest is Action.NO_ADJUSTMENT:
        return Ask.KEEP
    if strictest in _WATCHES or (claim.object == _MAY_CONCEIVE and strictest is not Action.CONTRAINDICATED):
        return Ask.WATCH
    return Ask.FORBID if _LEVEL_OF.get(strictest, _WATCHED) < _WATCHED else Ask.CHANGE


def _digest(hazard: dict[str, object]) -> bytes:
    return hashlib.blake2b(content_hash(hazard).encode(), digest_size=12).digest()


def _placed(claim: Claim) -> tuple[dict[str, object], Decimal, str] | None:
    """What else tells the hazard from others, the level and the word."""
    if isinstance(claim.payload, Advice):
        return _of_advice(claim, claim.payload)
    if isinstance(claim.payload, Limit):
        return _of_limit(claim.payload)
    return _of_regimen(claim.payload) if isinstance(claim.payload, Regimen) else None


def _of_advice(claim: Claim, advice: Advice) -> tuple[dict[str, object], Decimal, str] | None:
    denied = claim.polarity is Polarity.NEGATIVE
    if claim.predicate == "indicated_for":
        return ({}, Decimal(0), "not indicated") if denied else ({}, Decimal(1), "indicated")
    if denied:
        return {}, Decimal(_DENIED), "no such effect"
    if not advice.steps or _tells_nothing(claim, advice):
        return None
    level = _LEVEL_OF.get(advice.strictest)
    if level is not None and claim.object == _MAY_CONCEIVE and advice.strictest is not Action.CONTRAINDICATED:
        level = max(level, _WATCHED)
    return None if level is None else ({}, Decimal(level), advice.strictest.value)


def _tells_nothing(claim: Claim, advice: Advice) -> bool:
    """True for a dose that stays in one phase alone, or only because a study saw no difference."""
    return advice.strictest is Action.NO_ADJUSTMENT and (claim.basis is Basis.REPORTED or any(step.parameter for step in advice.steps))


def _of_limit(limit: Limit) -> tuple[dict[str, object], Decimal, str] | None:
    value = limit.amount.high if limit.amount.high is not None else limit.amount.low
    unit = Unit.find(limit.amount.unit)
    if value is None or unit is None or limit.amount.basis not in _COUNTED or unit.dimension == _DIMENSION_OF_TIME:
        return None
    measured: dict[str, object] = {
        "measure": limit.measure.value,
        "scope": limit.scope.value,
        "basis": limit.amount.basis.value,
        "dimension": unit.dimension,
        "exception": normal_guard(limit.exception),
    }
    return measured, value * unit.factor, f"at most {plain(value)} {limit.amount.unit} ({limit.measure.value})"


def _of_regimen(regimen: Regimen) -> tuple[dict[str, object], Decimal, str] | None:
    if len(regimen.phases) != 1 or len(regimen.phases[0].amounts) != 1 or regimen.phases[0].increment:
        return None
    phase, amount = regimen.phases[0], regimen.phases[0].amounts[0]
    unit = Unit.find(amount.unit)
    top = amount.high if amount.high is not None else amount.low
    daily = None if top is None or amount.choices else _times_a_day(amount, phase.frequency)
    if top is None or daily is None or unit is None or amount.basis not in _COUNTED:
        return None
    measured: dict[str, object] = {
        "phase": phase.kind.value,
        "basis": amount.basis.value,
        "dimension": unit.dimension,
        "partners": sorted(str(p) for p in regimen.partners),
        "event": phase.frequency.event if phase.frequency is not None else None,
    }
    return measured, top * daily * unit.factor, f"up to {plain((top * daily).normalize())} {amount.unit} a day"


def _times_a_day(amount: Amount, frequency: Frequency | None) -> Decimal | None:
    """The most doses a day; 1 for an amount that is a day's already."""
    if amount.per is PerWhat.DAY:
        return Decimal(1)
    if frequency is None or amount.per is not PerWhat.DOSE:
        return None
    if frequency.every_hours_low is not None and frequency.times_high is None:
        return _HOURS_A_DAY / frequency.every_hours_low
    times = frequency.times_high if frequency.times_high is not None else frequency.times_low
    return None if times is None else times / frequency.period_days
