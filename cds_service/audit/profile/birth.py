"""Gestational age at birth and postmenstrual age of a young child.

Stated weeks decide exactly; a code or words decide by the range they leave ("preterm" is below 37 weeks). A problem list read whole that says
nothing of prematurity leaves a birth at term.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property

from cds_service.audit.clinical import setting, words
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.intake.prescription import Source
from ontology.model.facts import Known, Range, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_WEEK, _DAYS = Unit.of("wk"), Decimal(7)
_NEEDS = frozenset({"age"})
_TENTH = Decimal("0.1")
_ONE_WEEK = Decimal(1)


@dataclass(frozen=True)
class Birth:
    """How far the pregnancy was when the patient was born."""

    who: Demographics
    measurements: Measurements

    @cached_property
    def young(self) -> bool | None:
        """True below the age to which the data file asks for it; None where age is not known."""
        reached = self.who.is_from(setting("birth", "oldest_years"))
        return None if reached is None else not reached

    @cached_property
    def gestational_age(self) -> Known | Unknown:
        """Weeks of gestation at birth."""
        found = self._weeks
        if found is None:
            return Unknown(UnknownReason.NOT_RECORDED if self.who.complete else UnknownReason.NOT_RETRIEVED, _NEEDS)
        low, high, source = found
        if low == high:
            return Known(Quantity(low, _WEEK), source.date if source else None, source.reference if source else None)
        return Unknown(UnknownReason.TOO_BROAD, _NEEDS, _range(low, high, "born", source))

    @cached_property
    def postmenstrual_age(self) -> Known | Unknown:
        """Weeks of gestation at birth and the weeks since."""
        fact, days = self._weeks, self.who.days
        if fact is None or days is None or (self.who.born and self.who.born[0] != self.who.born[1]):
            return Unknown(UnknownReason.NOT_RECORDED, _NEEDS)
        low, high, source = fact
        since = Decimal(days) / _DAYS
        if low == high:
            return Known(Quantity(low + since, _WEEK), source.date if source else None, source.reference if source else None)
        return Unknown(UnknownReason.TOO_BROAD, _NEEDS, _range(low + since, high + since, "postmenstrual age", source))

    @cached_property
    def _weeks(self) -> tuple[Decimal, Decimal, Source | None] | None:
        """The weeks from and up to which the birth lies, equal where exact, with the source."""
        return self._measured() or self._worded() or self._coded() or self._assumed()

    def _measured(self) -> tuple[Decimal, Decimal, Source] | None:
        for m in self.measurements.coded(setting("birth", "loinc")):
            if m.value is not None and m.value.unit.dimension == "time" and self.young:
                weeks = m.value.to(_WEEK).value
                return weeks, weeks, m.source
        return None

    def _worded(self) -> tuple[Decimal, Decimal, Source] | None:
        said = [(c.text, c.source) for c in self.who.conditions("active", "historical")]
        said += [(p.text, p.source) for p in self.who.passages if p.kind == "patient"]
        for text, source in said:
            found = _stated().search(text.casefold())
            if found is None:
                continue
            group = "a" if found["a"] else "b"
            weeks = Decimal(found[group]) + Decimal(found[f"{group}_days"] or found[f"{group}_more"] or 0) / _DAYS
            if weeks <= setting("birth", "latest_week"):
                exact = found[f"{group}_days"] or found[f"{group}_more"]
                return weeks, weeks if exact else weeks + _ONE_WEEK - _TENTH, source
        for text, source in said:
            if _term().search(text.casefold()):
                return Decimal(setting("birth", "term_week")), Decimal(setting("birth", "latest_week")), source
        return None

    def _coded(self) -> tuple[Decimal, Decimal, Source] | None:
        rows: dict[str, list[int]] = setting("birth", "codes")
        for c in self.who.conditions("active", "historical"):
            for code in c.codes:
                if code.system == "icd10cm" and code.value in rows:
                    low, below = rows[code.value]
                    return Decimal(low), Decimal(below) - _TENTH, c.source
            folded = c.text.casefold()
            if any(w in folded for w in words("birth", "preterm")) and not any(w in folded for w in words("birth", "preterm_not")):
                return Decimal(0), Decimal(setting("birth", "term_week")) - _TENTH, c.source
        return None

    def _assumed(self) -> tuple[Decimal, Decimal, None] | None:
        """Term, where a problem list read whole says nothing of prematurity."""
        return (Decimal(setting("birth", "term_week")), Decimal(setting("birth", "latest_week")), None) if self.who.complete else None


def _range(low: Decimal, high: Decimal, what: str, source: Source | None) -> Range:
    shown = f"{what} {low.quantize(_ONE_WEEK)} to {high.quantize(_ONE_WEEK)} weeks" if low else f"{what} below {high.quantize(_ONE_WEEK)} weeks"
    return Range(
        Quantity(low, _WEEK), Quantity(high, _WEEK), shown=shown, observed=source.date if source else None, reference=source.reference if source else None
    )


@cache
def _stated() -> re.Pattern[str]:
    """Weeks of gestation beside words for a birth: "born at 34 weeks and 0 days", "34+2-week preemie"."""

    def weeks(group: str) -> str:
        return (
            rf"(?P<{group}>\d{{2}})\s*(?:\+\s*(?P<{group}_days>[0-6])\b\s*)?(?:-\s*)?(?:completed\s+)?(?:weeks?|wks?|周)"
            rf"(?:\s*(?:\+|and|,)?\s*(?P<{group}_more>[0-6])\s*(?:days?|天))?"
        )

    def spoken(key: str) -> str:
        return "|".join(re.escape(w) for w in sorted(words("birth", key), key=len, reverse=True))

    return re.compile(rf"(?:(?<!\w)(?:{spoken('before')})[\s:,(-]*(?:of|is|was|at)?\s*{weeks('a')}|{weeks('b')}[\s-]*(?:{spoken('after')}))")


@cache
def _term() -> re.Pattern[str]:
    """Words for a birth at term, not inside "preterm"."""
    return re.compile("|".join(rf"(?<![\w-]){re.escape(w)}" if w.isascii() else re.escape(w) for w in words("birth", "term")))
