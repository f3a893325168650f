"""The one dose that a label allows this patient, as an instruction of the order's own shape; None where a person has to choose.

It is one answer only when the rules that bind agree on a single amount and a single frequency, the product gives that amount in whole units, and
the corrected order is judged right by every rule and ceiling.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from msgspec import structs

from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.dosing import Dosing
from cds_service.audit.pest.guards import families, implies
from cds_service.audit.pest.verdict import Verdict
from cds_service.audit.strengths import MEASURED, Content, content_of
from cds_service.intake.prescription import DoseInstruction, OrderIntent, OrderRole
from ontology.model.dosing import AmountBasis, PhaseKind, Regimen
from ontology.model.guards import Truth
from ontology.model.quantities import Quantity

_INJECTED = frozenset({"intravenous", "intramuscular", "subcutaneous"})
"""Routes whose product may be given in part."""

_KEPT_INTENTS = frozenset({OrderIntent.NEW, OrderIntent.RENEWAL})
_HOURS = Decimal(24)
_NEAR = Decimal("0.001")
"""Shares of a day that differ by less come from division."""


@dataclass(frozen=True, slots=True)
class _Dose:
    """A single amount in its dimension's reference unit, so many times in so many days."""

    dimension: str
    single: Decimal
    times: Decimal
    days: Decimal


def corrected_instruction(dosing: Dosing, verdict: Verdict) -> DoseInstruction | None:
    """The order's instruction with the one dose that the label allows, None where there is none or more than one answer."""
    lead, band = verdict.lead, verdict.comparison.band
    given = _plain(dosing)
    if lead is None or band is None or given is None or verdict.fit not in (Fit.OVER, Fit.TOO_OFTEN) or lead.truth is not Truth.TRUE:
        return None
    if band.kind is PhaseKind.TITRATION or _open(dosing):
        return None
    wanted = _agreed(dosing, verdict, lead, given)
    if wanted is None:
        return None
    made = _rewritten(given, wanted, dosing)
    return made if made is not None and made != given and _is_right(dosing, made) else None


def _open(dosing: Dosing) -> bool:
    """True where a missing datum decides whether another dose of the label holds."""
    return any(a.needs and dosing.bands.get(a.rule.key) for a in dosing.rules)


def _plain(dosing: Dosing) -> DoseInstruction | None:
    """The only instruction of an order of one ingredient that says one dose at one frequency and nothing beside it."""
    medication = dosing.medication
    order = medication.order
    if order.role is not OrderRole.DRAFT or order.intent not in _KEPT_INTENTS or order.unknown_modifiers:
        return None
    if len(medication.ingredients) != 1 or len(medication.drug.ingredients) != 1 or len(order.instructions) != 1:
        return None
    i = order.instructions[0]
    single = i.dose_high is not None and i.dose_low == i.dose_high and i.times_high is not None and i.times_low == i.times_high
    steady = i.sequence is None and i.count is None and not i.as_needed and i.schedule is None
    bare = all(x is None for x in (i.dose_per, i.rate, i.over_hours, i.max_single, i.max_per_day, i.max_doses_per_day, i.max_lifetime))
    return i if single and steady and bare and not i.unread else None


def _agreed(dosing: Dosing, verdict: Verdict, lead: Applied, given: DoseInstruction) -> _Dose | None:
    """The dose that the binding rule and every other rule that may stand beside it agree on."""
    doses: set[_Dose | None] = set()
    for a in (lead, *_beside(dosing, verdict, lead)):
        if not isinstance(a.rule.payload, Regimen) or len(a.rule.payload.phases) != 1:
            return None
        if any(x.basis is AmountBasis.FRACTION for x in a.rule.payload.phases[0].amounts) and dosing.medication.route in _INJECTED:
            return None  # a part of a dose that is itself reckoned leaves the rounding to a person
        doses.update(_dose(band, given, weekly=verdict.fit is Fit.TOO_OFTEN) for band in dosing.bands.get(a.rule.key, ()))
    return doses.pop() if len(doses) == 1 else None


def _beside(dosing: Dosing, verdict: Verdict, lead: Applied) -> Iterable[Applied]:
    """The other rules for the same kind of patient that are not wider than the binding one."""
    for a in dosing.rules:
        if a is lead or not a.judged or not dosing.bands.get(a.rule.key) or (verdict.family is not None and verdict.family not in families(a.rule.guard)):
            continue
        if lead.use is Truth.TRUE and a.use is not Truth.TRUE:
            continue
        wider = implies(lead.rule.guard, a.rule.guard) and not implies(a.rule.guard, lead.rule.guard)
        if not wider:
            yield a


def _dose(band: Band, given: DoseInstruction, *, weekly: bool) -> _Dose | None:
    """The one dose of a band; of a weekly band with a range the ordered amount, where that lies in it."""
    ordered = given.dose_high
    if band.needs or band.single_high is None or band.daily_high is None or ordered is None:
        return _once_a_day(band, given)
    if band.single_low == band.single_high:
        single: Decimal | None = band.single_high
    else:
        mine = ordered.value * ordered.unit.factor if ordered.unit.dimension == band.dimension else None
        single = mine if weekly and mine is not None and (band.single_low or 0) <= mine <= band.single_high else None
    if single is None or band.single_high <= 0:
        return None
    most = band.daily_high / band.single_high
    least = band.daily_low / band.single_low if band.daily_low is not None and band.single_low else most
    often = _often(most) if abs(most - least) < _NEAR else None
    return _Dose(band.dimension, single, *often) if often is not None else None


def _once_a_day(band: Band, given: DoseInstruction) -> _Dose | None:
    """The one amount a day of a band that says nothing of single doses, for an order of one dose a day."""
    daily = band.daily_high if band.daily_low == band.daily_high else None
    if daily is None or band.needs or band.single_high is not None or given.times_high != 1 or given.period_days != 1:
        return None
    return _Dose(band.dimension, daily, Decimal(1), Decimal(1))


def _often(a_day: Decimal) -> tuple[Decimal, Decimal] | None:
    """Whole times a day, or once in whole days."""
    if a_day <= 0:
        return None
    for value, made in ((a_day, lambda n: (n, Decimal(1))), (1 / a_day, lambda n: (Decimal(1), n))):
        whole = value.to_integral_value()
        if whole >= 1 and abs(value - whole) < _NEAR:
            return made(whole)
    return None


def _rewritten(given: DoseInstruction, wanted: _Dose, dosing: Dosing) -> DoseInstruction | None:
    """The instruction with the dose in the order's own unit; None where the product does not give it in whole units."""
    content = content_of(dosing.medication.order, next(iter(dosing.medication.ingredients)))
    dose = _in_unit(given.dose_high, wanted, content)
    counted = _in_unit(given.counted, wanted, content)
    if dose is None or (given.counted is not None and counted is None) or not _whole(dose, wanted, content, dosing):
        return None
    often = wanted.times / wanted.days
    hourly = given.every_hours_high is not None
    return structs.replace(
        given,
        text=None,
        dose_low=dose,
        dose_high=dose,
        counted=counted,
        day_low=None,
        day_high=None,
        times_low=wanted.times,
        times_high=wanted.times,
        period_days=wanted.days,
        every_hours_low=_HOURS / often if hourly else None,
        every_hours_high=_HOURS / often if hourly else None,
        weekdays=(),
    )


def _in_unit(ordered: Quantity | None, wanted: _Dose, content: Content) -> Quantity | None:
    """The wanted amount in the unit of the ordered one: its own measure, or as many units of the product."""
    if ordered is None:
        return None
    if ordered.unit.dimension == wanted.dimension:
        return Quantity(_tidy(wanted.single / ordered.unit.factor), ordered.unit)
    holds = content.amount(Quantity(Decimal(1), ordered.unit))
    if holds is None or holds.unit.dimension != wanted.dimension or holds.value <= 0:
        return None
    return Quantity(_tidy(wanted.single / (holds.value * holds.unit.factor)), ordered.unit)


def _whole(dose: Quantity, wanted: _Dose, content: Content, dosing: Dosing) -> bool:
    """True when the product gives the amount in whole units; where it may be given in part or is not named, when the amount has few digits."""
    each = content.each
    ordered_freely = each is None and dose.unit.dimension in MEASURED
    if ordered_freely or dose.unit.dimension == "volume" or content.per_ml is not None or dosing.medication.route in _INJECTED:
        return len(dose.value.normalize().as_tuple().digits) <= 3
    if each is None or each.unit.dimension != wanted.dimension or each.value <= 0:
        return False
    number = wanted.single / (each.value * each.unit.factor)
    return number == number.to_integral_value() and number >= 1


def _is_right(dosing: Dosing, made: DoseInstruction) -> bool:
    """True when the order with this instruction fits the rules and breaks no ceiling."""
    medication = structs.replace(dosing.medication, order=structs.replace(dosing.medication.order, instructions=(made,)))
    again = replace(dosing, medication=medication)
    return again.verdict().fit is Fit.FITS and not again.excesses() and not again.lacking()


def _tidy(value: Decimal) -> Decimal:
    """The number without the dust of a division."""
    return Decimal(f"{value.quantize(Decimal('0.000001')).normalize():f}")
