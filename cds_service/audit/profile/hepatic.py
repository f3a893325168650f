"""Hepatic function: Child-Pugh as the record states it or as its five parts give it, and the grade of impairment.

Where a part is missing, the points that it may have leave a range; a class that holds all of it decides. Liver disease without a class is
impairment of an unknown grade; a problem list read whole without any is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import sections, setting, signs
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.passages import Passage, cut
from cds_service.intake.prescription import Source
from ontology.model.facts import Axis, Known, Range, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

_CLASS = re.compile(r"child[\s-]*(?:turcotte[\s-]*)?pugh\s*(?:class|grade|score|stage|分级)?\s*[(:=]?\s*([ABC])(?![a-z])", re.IGNORECASE)
_POINTS = re.compile(r"child[\s-]*(?:turcotte[\s-]*)?pugh\D{0,24}?(\d{1,2})\b(?:\s*(?:points?|分))?", re.IGNORECASE)
_ONE = Unit.of("1")
_NEED = frozenset({"hepatic-function"})
_GRADES = ("none", "mild", "moderate", "severe")
_FEWEST, _MOST = 5, 15
_AROUND = 24


@dataclass(frozen=True)
class Liver:
    """The liver of one patient."""

    who: Demographics
    measurements: Measurements

    def value(self, axis: Axis, unit: Unit | None = None) -> Known | Unknown:
        """The grade of impairment, or the Child-Pugh class; its points where a unit is asked for."""
        if axis is Axis.HEPATIC:
            return self.grade
        return self.child_pugh if unit is None else self._scored

    @cached_property
    def _scored(self) -> Known | Unknown:
        """The points of the Child-Pugh score; 0 where a problem list read whole has no liver disease."""
        points = self._points
        if points is None:
            whole = self.who.complete and not self._jaundiced and self._diseased is None
            return Known(Quantity(Decimal(0), _ONE), approximated=True) if whole else Unknown(self._why, _NEED)
        low, high, source, exact = points
        if low == high:
            return Known(Quantity(Decimal(low), _ONE), source.date, source.reference, approximated=not exact)
        shown = f"Child-Pugh {low} to {high} points"
        within = Range(Quantity(Decimal(low), _ONE), Quantity(Decimal(high), _ONE), shown=shown, observed=source.date, reference=source.reference)
        return Unknown(UnknownReason.TOO_BROAD, self._missing, within)

    @cached_property
    def child_pugh(self) -> Known | Unknown:
        """Class A, B or C; `none` where a problem list read whole has no liver disease."""
        points = self._points
        if points is None:
            whole = self.who.complete and not self._jaundiced and self._diseased is None
            return Known("none") if whole else Unknown(self._why, _NEED)
        low, high, source, exact = points
        among = frozenset(name for name, (least, most) in _classes().items() if low <= most and least <= high)
        if len(among) == 1:
            return Known(next(iter(among)), source.date, source.reference, approximated=not exact)
        return Unknown(
            UnknownReason.TOO_BROAD if not self._missing - _NEED else UnknownReason.NOT_RECORDED, self._missing, among=among, reference=source.reference
        )

    @cached_property
    def grade(self) -> Known | Unknown:
        """`none`, `mild`, `moderate` or `severe`: by the words of an entry, else by Child-Pugh class; several where they leave it open."""
        worded = self._worded
        if worded is not None:
            return worded
        entry = self._diseased
        if entry is None and self._points is None:
            if self._jaundiced:
                return Unknown(UnknownReason.NOT_RECORDED, _NEED, among=frozenset(_GRADES))
            return Known("none") if self.who.complete else Unknown(self._why, _NEED)
        found = self.child_pugh
        grades = sections()["child_pugh_grade"]
        if isinstance(found, Known) and found.value in grades:
            return Known(grades[found.value], found.observed, found.reference, found.approximated)
        among = frozenset(grades[c] for c in found.among) if isinstance(found, Unknown) and self._cirrhosis is not None else frozenset(_GRADES)
        needs = found.needs if isinstance(found, Unknown) else _NEED
        return Unknown(UnknownReason.NOT_RECORDED, needs | _NEED, among=among, reference=entry.reference if entry else None)

    @cached_property
    def grade_by_bilirubin(self) -> Known | Unknown:
        """The grade as labels give it that print bilirubin as its measure: by the record, or by bilirubin where that is worse.

        Bilirubin that Gilbert's syndrome explains grades nothing.
        """
        fact = self.measurements.lab("bilirubin", Unit.of("{ULN}"))
        if not isinstance(fact, Known) or not isinstance(fact.value, Quantity) or self._entry("gilbert") is not None:
            return self.grade
        number = fact.value.value
        found = next((str(row["grade"]) for row in sections()["bilirubin_grade"] if number > Decimal(row["above_uln"])), None)
        known = self.grade.value if isinstance(self.grade, Known) else None
        if found is None or (known is not None and _GRADES.index(str(known)) >= _GRADES.index(found)):
            return self.grade
        return Known(found, fact.observed, fact.reference)

    @property
    def _why(self) -> UnknownReason:
        return UnknownReason.NOT_RECORDED if self.who.complete else UnknownReason.NOT_RETRIEVED

    @cached_property
    def _said(self) -> tuple[Passage, ...]:
        """The sentences of active problems and of notes about the patient."""
        titles = (p for c in self.who.conditions("active") for p in cut(c.text, c.source))
        return (*titles, *(p for p in self.who.passages if p.kind == "patient"))

    @cached_property
    def _worded(self) -> Known | None:
        for p in self._said:
            for row in sections()["hepatic_words"]:
                for word in row["words"]:
                    start = p.folded.find(word)
                    if start >= 0 and p.affirms(start, start + len(word)) and not p.is_past(start, start + len(word)):
                        return Known(row["grade"], p.source.date, p.source.reference, approximated=p.source.kind == "notes")
        return None

    def _entry(self, section: str) -> Source | None:
        found = signs(section)
        return next((c.source for c in self.who.conditions("active") if found.names(c.codes, c.text)), None) or self._noted(section)

    def _noted(self, section: str) -> Source | None:
        found = signs(section)
        for p in self.who.passages:
            if p.kind == "patient" and not any(w in p.folded for w in found.words_not):
                for start, end in p.find(found.words):
                    if p.affirms(start, end) and not p.is_past(start, end):
                        return p.source
        return None

    @cached_property
    def _cirrhosis(self) -> Source | None:
        return self._entry("cirrhosis")

    @cached_property
    def _diseased(self) -> Source | None:
        return self._entry("hepatic") or self._cirrhosis

    @cached_property
    def _jaundiced(self) -> bool:
        """True where bilirubin alone leaves hepatic function open."""
        fact = self.measurements.lab("bilirubin", Unit.of("{ULN}"))
        return isinstance(fact, Known) and isinstance(fact.value, Quantity) and fact.value.value >= Decimal(sections()["jaundice"]["bilirubin_uln"])

    @cached_property
    def _points(self) -> tuple[int, int, Source, bool] | None:
        """The fewest and the most points, where they come from, and whether they are stated or computed from all five; None without liver disease."""
        return self._stated or self._computed

    @cached_property
    def _stated(self) -> tuple[int, int, Source, bool] | None:
        for p in self._said:
            points = _POINTS.search(p.text)
            if points and _FEWEST <= int(points[1]) <= _MOST:
                return int(points[1]), int(points[1]), p.source, p.source.kind != "notes"
            if found := _CLASS.search(p.text):
                low, high = _classes()[found[1].upper()]
                return low, high, p.source, p.source.kind != "notes"
        for m in self.measurements.rows:
            if "child" in m.text.casefold() and "pugh" in m.text.casefold():
                said = f"Child-Pugh {m.word or ''} {m.value.value if m.value else ''}"
                if found := _CLASS.search(said):
                    return (*_classes()[found[1].upper()], m.source, True)
                if (points := _POINTS.search(said)) and _FEWEST <= int(points[1]) <= _MOST:
                    return int(points[1]), int(points[1]), m.source, True
        return None

    @cached_property
    def _computed(self) -> tuple[int, int, Source, bool] | None:
        if self._cirrhosis is None:
            return None
        parts = [*self._lab_points.values(), self._sign_points("ascites"), self._sign_points("encephalopathy")]
        low, high = sum(p[0] for p in parts), sum(p[1] for p in parts)
        if self._entry("decompensated") is not None:
            low = max(low, _FEWEST + 2)
        return low, max(low, high), self._cirrhosis, True

    @cached_property
    def _lab_points(self) -> dict[str, tuple[int, int]]:
        """The fewest and the most points of each laboratory part."""
        return {row["analyte"]: self._points_of(row) for row in sections()["child_pugh"]}

    def _points_of(self, row: dict[str, str | list[int]]) -> tuple[int, int]:
        fact = self.measurements.lab(str(row["analyte"]), Unit.of(str(row["unit"])))
        points = [int(p) for p in row["points"]]
        if not isinstance(fact, Known) or not isinstance(fact.value, Quantity):
            return min(points), max(points)
        number, low, high = fact.value.value, Decimal(str(row["low"])), Decimal(str(row["high"]))
        found = points[0] if number < low else points[2] if number > high else points[1]
        return found, found

    def _sign_points(self, sign: str) -> tuple[int, int]:
        """The points of ascites or encephalopathy: absent where it is denied or a list read whole does not name it."""
        found = signs(sign)
        two, three = (setting("child_pugh_words", f"{count}_{sign}") for count in ("two", "three"))
        for p in self._said:
            for start, end in p.find(found.words):
                if any(w in p.folded for w in found.words_not) or not p.affirms(start, end):
                    return 1, 1
                near = f"{p.folded[max(0, start - _AROUND) : end + _AROUND]} "
                return (3, 3) if any(w in near for w in three) else (2, 2) if any(w in near for w in two) else (2, 3)
        if any(found.names(c.codes, c.text) for c in self.who.conditions("active")):
            return 2, 3
        return (1, 1) if self.who.complete else (1, 3)

    @cached_property
    def _missing(self) -> frozenset[str]:
        """The data that would decide the class."""
        labs = frozenset(f"lab:{name}" for name, (low, high) in self._lab_points.items() if low != high)
        return labs | _NEED | (frozenset() if self.who.complete else frozenset({"conditions"}))


def _classes() -> dict[str, tuple[int, int]]:
    return {name: (row[0], row[1]) for name, row in sections()["child_pugh_class"].items() if name != "source"}
