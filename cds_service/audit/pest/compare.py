"""An order beside what a rule allows: over, under, fitting, or not comparable."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from enum import Enum

from msgspec import Struct

from cds_service.audit.pest.amounts import Given, OrderedAmounts
from cds_service.audit.pest.bands import Band

_WEEK = Decimal(7)
_NOT_DAILY = Decimal("0.9")
_EXACT = Decimal("0.005")
"""Amounts that differ by less than printed digits are equal."""


class Fit(Enum):
    """How an order lies to a rule."""

    FITS = "fits"
    OVER = "over"
    UNDER = "under"
    TOO_OFTEN = "too-often"
    OPEN = "open"  # a missing datum decides
    NONE = "none"  # nothing to compare


class Comparison(Struct, frozen=True):
    """The fit, by how much (ordered / allowed), over which stretch (`day`, `dose`), and the band compared with."""

    fit: Fit
    ratio: Decimal = Decimal(1)
    per: str = "day"
    band: Band | None = None
    needs: frozenset[str] = frozenset()


def compare(ordered: OrderedAmounts, bands: Iterable[Band], tolerance: Decimal) -> Comparison:
    """The order beside all bands of a rule: it fits when it fits one, and is over or under only when it is for each that can be compared."""
    found = [c for band in bands if (c := _one(ordered, band, tolerance)).fit is not Fit.NONE]
    if not found:
        return Comparison(Fit.NONE)
    return settle(found)


def settle(found: list[Comparison]) -> Comparison:
    """Several comparisons as one: any fit is a fit; over and under of several bands is a dose between them, which fits.

    Of several that are all broken the nearest speaks; at equal distance, that a weekly drug is given daily.
    """
    for wanted in (Fit.FITS, Fit.OPEN):
        if (first := next((c for c in found if c.fit is wanted), None)) is not None:
            return first
    kinds = {c.fit for c in found}
    if Fit.UNDER in kinds:
        under = [c for c in found if c.fit is Fit.UNDER]
        return max(under, key=lambda c: c.ratio) if kinds == {Fit.UNDER} else Comparison(Fit.FITS)
    return min(found, key=lambda c: (c.ratio, c.fit is not Fit.TOO_OFTEN))


def _one(ordered: OrderedAmounts, band: Band, tolerance: Decimal) -> Comparison:
    given = ordered.given.get(band.dimension)
    if given is None:
        return Comparison(Fit.NONE)
    slack = 1 + (max(tolerance, _EXACT) if band.scaled else _EXACT)
    if band.period_days >= _WEEK and given.times is not None and given.times > _NOT_DAILY and not given.once and _repeats(ordered):
        return Comparison(Fit.TOO_OFTEN, given.times * band.period_days, "week", band)
    if given.daily_high is not None and band.daily_high is not None and not given.once:
        return _between(given.daily_high, band.daily_low, band.daily_high, slack, "day", band)
    if given.single_high is not None and band.single_high is not None:
        return _between(given.single_high, band.single_low, band.single_high, slack, "dose", band)
    if given.once and given.single_high is not None and band.daily_high is not None:
        return _between(given.single_high, None, band.daily_high, slack, "day", band)
    return Comparison(Fit.NONE)


def _repeats(ordered: OrderedAmounts) -> bool:
    return ordered.days is None or ordered.days > 1


def _between(high: Decimal, least: Decimal | None, most: Decimal, slack: Decimal, per: str, band: Band) -> Comparison:
    if most <= 0:
        return Comparison(Fit.NONE)
    if high > most * slack:
        return Comparison(Fit.OVER, high / most, per, band)
    if band.needs:
        # The band spans every plausible size: the order is below its top, but it may be above what this patient's size allows.
        return Comparison(Fit.OPEN, high / most, per, band, band.needs) if least is None or (high > least) else Comparison(Fit.FITS, high / most, per, band)
    if least is not None and least > 0 and high * slack < least:
        return Comparison(Fit.UNDER, high / least, per, band)
    return Comparison(Fit.FITS, high / most, per, band)


def exceeds(given: Given, ceiling: Decimal, measure: str, slack: Decimal) -> Decimal | None:
    """By how much an order is above a ceiling on `single` or `day`; None when it is not, or cannot be told."""
    amount = given.single_high if measure == "single" or given.once else given.daily_high
    return amount / ceiling if amount is not None and ceiling > 0 and amount > ceiling * slack else None
