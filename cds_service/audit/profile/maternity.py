"""Pregnancy and breastfeeding: what the record says, and what it leaves open.

Pregnancy is FALSE only when asserted, or excluded by sex, age or history. Breastfeeding is open where it is not stated within a year of a birth;
a record read whole that has no birth in it excludes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import sections, setting, signs, words
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.passages import stated
from cds_service.intake.prescription import Measurement, Source
from ontology.model.facts import Known, Unknown, UnknownReason
from ontology.model.quantities import Unit

_WEEKS = re.compile(
    r"(?P<weeks>\d{1,2})\s*(?:\+\s*(?P<days>[0-6])\s*)?(?:-\s*)?(?:(?:weeks?|wks?)(?:\s*(?:\+|and)\s*(?P<more>[0-6])\s*(?:days?|d)\b)?|w(?P<short>[0-6])d\b|周)",
    re.IGNORECASE,
)
_WEEKS_CODE = re.compile(r"^Z3A\.?(\d{2})$")
_WEEKS_ASKED = re.compile(r"(?P<low>\d{1,2})(?:\s*(?:to|-|–|and)\s*(?:about\s*)?(?P<high>\d{1,2}))?[\s-]*weeks?(?P<after>[^.;]{0,30})", re.IGNORECASE)
_LATER, _EARLIER = re.compile(r"or later|and later|or more|onward|and beyond|or beyond|or after"), re.compile(r"before|prior to|up to|until|less than")
_DAYS = Decimal(7)
_NEEDS, _NURSING = frozenset({"pregnancy-status"}), frozenset({"lactation-status"})


@dataclass(frozen=True)
class Maternity:
    """Pregnancy and breastfeeding of one patient."""

    who: Demographics
    measurements: Measurements

    @cached_property
    def gestation(self) -> tuple[Decimal, date | None, str] | None:
        """Weeks of gestation today with date and reference, where a current pregnancy states them."""
        for row in self.measurements.coded(setting("pregnancy", "loinc_weeks")):
            if row.value is not None and row.value.unit.dimension == "time" and (found := self._today(row.value.to(Unit.of("wk")).value, row.source)):
                return found
        for c in self.who.conditions("active"):
            coded = next((Decimal(m[1]) for code in c.codes if (m := _WEEKS_CODE.match(code.value))), None)
            weeks = coded if coded is not None else _weeks_in(c.text) if signs("pregnancy").names(c.codes, c.text) else None
            if weeks is not None and (found := self._today(weeks, c.source)):
                return found
        for p in self.who.passages:
            about = p.kind == "patient" and not p.dated_past and next(p.find(words("pregnancy")), None) is not None
            if about and (weeks := _weeks_in(p.text)) is not None and (found := self._today(weeks, p.source)):
                return found
        return None

    def _today(self, weeks: Decimal, source: Source) -> tuple[Decimal, date | None, str] | None:
        """Weeks stated on a day as weeks now; None where no pregnancy lasts so long."""
        now = weeks + (Decimal((self.who.today - source.date).days) / _DAYS if source.date else 0)
        return (now, source.date, source.reference) if 0 < now <= setting("pregnancy", "longest_weeks") else None

    @cached_property
    def pregnancy(self) -> Known | Unknown:
        """`no`, `yes` or the trimester."""
        if self.who.is_male:
            return Known("no", None, self.who.prescription.patient.reference)
        answer = self._status("pregnancy", "loinc_status") or self._status("pregnancy", "loinc_test")
        diagnosed = next((c for c in self.who.conditions("active") if signs("pregnancy").names(c.codes, c.text) and not self._is_past(c.source)), None)
        if diagnosed is not None and (answer is None or answer.value != "no" or _later(diagnosed.source.date, answer.observed)):
            return Known(self._trimester, diagnosed.source.date, diagnosed.source.reference)
        if answer is not None and answer.value == "yes":
            return Known(self._trimester, answer.observed, answer.reference)
        excluded = self._excluded
        if answer is not None:
            return excluded or (Unknown(UnknownReason.STALE, _NEEDS) if self._is_stale(answer.observed) else answer)
        return excluded or self._noted or Unknown(UnknownReason.NOT_RECORDED, _NEEDS)

    def _is_past(self, source: Source) -> bool:
        """True for an entry so old that the pregnancy it speaks of has ended."""
        return source.date is not None and source.date < self.who.today - timedelta(weeks=setting("pregnancy", "longest_weeks"))

    def _is_stale(self, day: date | None) -> bool:
        return day is not None and day < self.who.today - timedelta(days=setting("pregnancy", "stale_days"))

    @cached_property
    def _noted(self) -> Known | None:
        """What the notes say of a pregnancy now; an old "not pregnant" says nothing."""
        found = self._tested or stated(
            [p for p in self.who.passages if next(p.find((*words("pregnancy", "not_now"), *words("pregnancy", "test_words"))), None) is None],
            words("pregnancy"),
            words("pregnancy", "words_not"),
        )
        if found is None or self._is_stale(found[1].date):
            return None
        return Known(self._trimester if found[0] else "no", found[1].date, found[1].reference, approximated=True)

    @cached_property
    def _tested(self) -> tuple[bool, Source] | None:
        """The result of a pregnancy test that a note tells, with its source; a test without a result is none."""
        for p in self.who.passages:
            if p.kind == "patient" and not p.dated_past and next(p.find(words("pregnancy", "test_words")), None) is not None:
                for key, answer in (("test_yes", True), ("test_no", False)):
                    if next(p.find(words("pregnancy", key)), None) is not None:
                        return answer, p.source
        return None

    def pregnant_in(self, stage: str) -> Known | Unknown:
        """Pregnancy in the stage that a label's words name (`at term`, `20 weeks or later`); pregnancy at all where they name none."""
        fact, asked = self.pregnancy, _weeks_asked(stage)
        if asked is None or isinstance(fact, Unknown) or fact.value == "no":
            return fact
        if self.gestation is None:
            trimester = _TRIMESTERS.get(str(fact.value))
            inside = _overlap(asked, trimester) if trimester else None
        else:
            inside = asked[0] <= self.gestation[0] < asked[1]
        return Unknown(UnknownReason.TOO_BROAD, _NEEDS) if inside is None else Known(fact.value if inside else "no", fact.observed, fact.reference)

    @cached_property
    def lactation(self) -> Known | Unknown:
        """`no` or `yes`."""
        patient = self.who.prescription.patient
        if self.who.is_male:
            return Known("no", None, patient.reference)
        answer = self._status("lactation", "loinc_status")
        if answer is not None and not (answer.value == "yes" and self._is_stale_nursing(answer.observed)):
            return answer
        diagnosed = next((c for c in self.who.conditions("active") if signs("lactation").names(c.codes, c.text)), None)
        if diagnosed is not None and not self._is_stale_nursing(diagnosed.source.date):
            return Known("yes", diagnosed.source.date, diagnosed.source.reference)
        if self._too_young_or_old:
            return Known("no", None, patient.reference)
        noted = stated(self.who.passages, words("lactation"), words("lactation", "words_not"), kinds=("patient", "child"))
        if noted is not None:
            return Known("yes" if noted[0] else "no", noted[1].date, noted[1].reference, approximated=True)
        if self.childbirth is not None:
            return Unknown(UnknownReason.NOT_RECORDED, _NURSING, reference=self.childbirth.reference)
        if self.who.complete:
            return Known("no", None, patient.reference, approximated=True)
        return Unknown(UnknownReason.NOT_RETRIEVED, _NURSING)

    def _is_stale_nursing(self, day: date | None) -> bool:
        return day is not None and day < self.who.today - timedelta(days=setting("childbirth", "within_days"))

    @cached_property
    def childbirth(self) -> Source | None:
        """The entry or note that tells of a birth within the data file's days; None where there is none."""
        since = self.who.today - timedelta(days=setting("childbirth", "within_days"))
        for c in self.who.conditions("active", "historical"):
            day = c.onset or c.source.date
            if signs("childbirth").names(c.codes, c.text) and (day is None or day >= since):
                return c.source
        found = stated(self.who.passages, words("childbirth"), words("childbirth", "words_not"), kinds=("patient", "child"))
        return found[1] if found is not None and found[0] else None

    @cached_property
    def _too_young_or_old(self) -> bool:
        low, high = setting("childbearing", "lowest_years"), setting("childbearing", "highest_years")
        return self.who.is_from(low) is False or self.who.is_from(high + 1) is True

    @cached_property
    def _excluded(self) -> Known | None:
        """The reason in age or history that excludes pregnancy, if there is one."""
        if self._too_young_or_old:
            return Known("no", None, self.who.prescription.patient.reference)
        excluding = signs("childbearing", "excluded_by")
        for c in self.who.conditions("active", "historical"):
            if excluding.names(c.codes, c.text):
                return Known("no", c.source.date, c.source.reference)
        found = stated(self.who.passages, excluding.words, excluding.words_not, past=True)
        return Known("no", found[1].date, found[1].reference) if found is not None and found[0] else None

    @cached_property
    def _trimester(self) -> str:
        if self.gestation is not None:
            return next(name for name, (low, high) in _TRIMESTERS.items() if low <= self.gestation[0] < high)
        for c in self.who.conditions("active"):
            for name, row in setting("pregnancy", "trimester").items():
                if any(code.system == "icd10cm" and re.fullmatch(row["icd10cm"], code.value) for code in c.codes) or any(
                    w in c.text.casefold() for w in row["words"]
                ):
                    return str(name)
        return "yes"

    def _status(self, fact: str, codes: str) -> Known | None:
        for m in self.measurements.coded(setting(fact, codes)):
            answer = _answer(m, fact)
            if answer is not None:
                return Known(answer, m.source.date, m.source.reference)
        return None


_FIRST_DAY, _SECOND, _THIRD, _END = Decimal(0), Decimal(14), Decimal(28), Decimal(60)
_TRIMESTERS = {"first-trimester": (_FIRST_DAY, _SECOND), "second-trimester": (_SECOND, _THIRD), "third-trimester": (_THIRD, _END)}
"""Weeks from and below which each trimester runs; ACOG: second from 14 0/7, third from 28 0/7 weeks."""


def _weeks_in(text: str) -> Decimal | None:
    """Completed weeks with the days of the running one, as a text states them."""
    found = _WEEKS.search(text)
    if found is None:
        return None
    return Decimal(found["weeks"]) + Decimal(found["days"] or found["more"] or found["short"] or 0) / _DAYS


def names_weeks(stage: str) -> bool:
    """True for words of a label that say by numbers in which weeks of the pregnancy it is meant."""
    return _WEEKS_ASKED.search(stage.casefold()) is not None and _weeks_asked(stage) is not None


def _weeks_asked(stage: str) -> tuple[Decimal, Decimal] | None:
    """The weeks of gestation that a label's words mean: from, below. None where they name no stage."""
    said = stage.casefold()
    row = next((r for r in sections()["pregnancy_stage"] if any(w in said for w in r["words"])), None)
    if row is not None:
        return Decimal(row.get("from_week", 0)), Decimal(row.get("below_week", _END))
    found = _WEEKS_ASKED.search(said)
    if found is None:
        return None
    low, before = Decimal(found["low"]), said[: found.start()]
    if found["high"]:
        return low, Decimal(found["high"])
    if _EARLIER.search(before[-20:]):
        return _FIRST_DAY, low
    return (low, _END) if _LATER.search(found["after"]) or _LATER.search(before) or "at" in before[-12:] or "after" in before[-12:] else None


def _overlap(asked: tuple[Decimal, Decimal], trimester: tuple[Decimal, Decimal]) -> bool | None:
    """Whether all of a trimester lies in the weeks asked for; None where only a part does."""
    if asked[0] <= trimester[0] and trimester[1] <= asked[1]:
        return True
    return False if asked[1] <= trimester[0] or trimester[1] <= asked[0] else None


def _answer(m: Measurement, fact: str) -> str | None:
    """What a status observation answers: `yes`, `no`, or None when its value says neither."""
    said = (m.word or "").strip().casefold()
    if not said or any(w in said for w in words("answers", "open")):
        return None
    found = signs(fact)
    if said in words("answers", "no") or found.denies((), said) or said in {v for _, v in found.codes_not}:
        return "no"
    if said in words("answers", "yes") or found.names((), said) or said in {v for _, v in found.codes}:
        return "yes"
    return None


def _later(day: date | None, than: date | None) -> bool:
    return day is not None and (than is None or day > than)
