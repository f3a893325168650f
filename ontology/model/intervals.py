"""The numeric leaf of a guard: bounds as printed, beside a value or the range that a value is known to lie in."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ontology.model.ages import upper_end
from ontology.model.errors import InvalidGuard
from ontology.model.facts import Axis, Facts, Known, Range, Unknown, needs_of
from ontology.model.outcomes import Outcome, Truth, unknown
from ontology.model.quantities import Quantity, Unit


@dataclass(frozen=True, slots=True)
class Interval:
    """A numeric leaf: the patient's value on `axis` lies between the bounds as printed. `detail` names the analyte for LAB.

    `term` is the label's word where the bounds are not printed but those of the lexicon's row for it ("adults" is 18 years and older).
    """

    axis: Axis
    low: Decimal | None
    high: Decimal | None
    unit: str
    low_open: bool = False
    high_open: bool = False
    detail: str | None = None
    term: str | None = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise InvalidGuard(f"interval on {self.axis.value} without a bound")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise InvalidGuard(f"interval on {self.axis.value} from {self.low} to {self.high} is empty")

    def evaluate(self, facts: Facts) -> Outcome:
        """TRUE when the value lies within the printed bounds; a value known only by its range decides where all of the range does."""
        fact = facts.value(self.axis, self.detail, Unit.of(self.unit))
        if isinstance(fact, Unknown):
            return self._by_range(fact, fact.within) if fact.within is not None else unknown(fact, needs_of(self.axis, self.detail))
        if not isinstance(fact.value, Quantity):
            raise InvalidGuard(f"facts gave {fact.value!r} for the numeric axis {self.axis.value}")
        number = fact.value.to(Unit.of(self.unit)).value
        above = self.low is None or number > self.low or (number == self.low and not self.low_open)
        below = not self._lies_above(number, open_end=False)
        return Outcome(Truth.TRUE if above and below else Truth.FALSE, used=(fact,))

    def _by_range(self, fact: Unknown, within: Range) -> Outcome:
        """TRUE or FALSE where every number of the range gives it."""
        unit = Unit.of(self.unit)
        low, high = (bound.to(unit).value if bound is not None else None for bound in (within.low, within.high))
        used = (Known(within.shown, within.observed, within.reference, approximated=True),)
        if self._lies_below(high, open_end=within.high_open) or self._lies_above(low, open_end=within.low_open):
            return Outcome(Truth.FALSE, used=used)
        above = self.low is None or (low is not None and (low > self.low or (low == self.low and (within.low_open or not self.low_open))))
        end, is_open = self._end
        below = end is None or (high is not None and (high < end or (high == end and (within.high_open or not is_open))))
        return Outcome(Truth.TRUE, used=used) if above and below else unknown(fact, needs_of(self.axis, self.detail))

    def _lies_below(self, number: Decimal | None, *, open_end: bool) -> bool:
        """True when nothing up to the number reaches the lower bound."""
        return number is not None and self.low is not None and (number < self.low or (number == self.low and (open_end or self.low_open)))

    def _lies_above(self, number: Decimal | None, *, open_end: bool) -> bool:
        """True when nothing from the number on is within the upper bound."""
        end, is_open = self._end
        return number is not None and end is not None and (number > end or (number == end and (open_end or is_open)))

    @property
    def _end(self) -> tuple[Decimal | None, bool]:
        """The upper end as it is meant, and whether it is outside."""
        return upper_end(self.axis, self.high, self.unit, high_open=self.high_open)
