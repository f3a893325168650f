"""What the record says of the kidneys in codes and words: dialysis, a changing creatinine, acute injury, stage and grade of disease."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cached_property

from cds_service.audit.clinical import analytes, sections, setting, signs
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.passages import stated
from ontology.model.analytes import convert
from ontology.model.facts import Known, Range, Unknown, UnknownReason
from ontology.model.quantities import Quantity, Unit

NEED = frozenset({"renal-function"})
IMPAIRED = frozenset({"mild", "moderate", "severe", "esrd"})
"""The grades of impairment that kidney disease without a grade may have."""

_MG_DL, _INDEXED = Unit.of("mg/dL"), Unit.of("mL/min/{1.73_m2}")
_STAGE = re.compile(r"(?:ckd|(?:kidney|renal) disease|慢性肾病)[\s,:(]*(?:stage|grade|g)?\s*(?P<stage>[1-5][ab]?)(?![\d.])", re.IGNORECASE)


@dataclass(frozen=True)
class KidneyRecord:
    """The entries on the kidneys of one patient."""

    who: Demographics
    measurements: Measurements

    @cached_property
    def dialysis(self) -> Known | None:
        """The kind of dialysis or `yes`, by code, words or a note; None where nothing says it."""
        found = signs("dialysis")
        for c in self.who.conditions("active"):
            if found.names(c.codes, c.text):
                kinds = (kind for kind in sections()["dialysis_kind"] if signs("dialysis_kind", kind).names(c.codes, c.text))
                return Known(next(kinds, "yes"), c.source.date, c.source.reference)
        noted = stated(self.who.passages, found.words, found.words_not)
        return Known("yes", noted[1].date, noted[1].reference, approximated=True) if noted is not None and noted[0] else None

    @cached_property
    def injured(self) -> bool:
        """True for an acute injury among the active problems."""
        return any(signs("acute_kidney_injury").names(c.codes, c.text) for c in self.who.conditions("active"))

    @cached_property
    def unstable(self) -> str | None:
        """Why renal function is changing: a rise of creatinine by KDIGO's limits before the newest value, or an acute injury on the list."""
        entry = analytes()["creatinine"]
        rows = [(v, m.source.date) for m in self.measurements.coded(entry.loinc, entry.names) if (v := self._mg_dl(m.value)) and m.source.date]
        if rows:
            newest, day = rows[0]
            for earlier, then in rows[1:]:
                days = (day - then).days
                absolute = days <= setting("renal", "unstable_days") and newest - earlier >= Decimal(setting("renal", "unstable_rise_mg_dl"))
                relative = days <= setting("renal", "unstable_ratio_days") and newest >= earlier * Decimal(setting("renal", "unstable_ratio"))
                if absolute or relative:
                    return f"creatinine rose from {earlier.normalize():f} to {newest.normalize():f} mg/dL within {max(days, 1)} days"
        since = self.who.today - timedelta(days=setting("acute_kidney_injury", "lasts_days"))
        for c in self.who.conditions("active"):
            day_of = c.onset or c.source.date
            if (day_of is None or day_of >= since) and signs("acute_kidney_injury").names(c.codes, c.text):
                return f"the problem list says {c.text}"
        return None

    def _mg_dl(self, value: Quantity | None) -> Decimal | None:
        found = convert(value, _MG_DL, analytes()["creatinine"].analyte) if value is not None else None
        return found.value if found is not None and found.value > 0 else None

    @cached_property
    def diseased(self) -> bool:
        """True for kidney disease among the active problems."""
        return any(signs("kidney_disease").names(c.codes, c.text) for c in self.who.conditions("active"))

    @cached_property
    def graded(self) -> Known | Unknown | None:
        """The grade that an entry's words name; several for kidney disease without one."""
        for c in self.who.conditions("active"):
            row = next((r for r in sections()["renal_words"] if any(w in c.text.casefold() for w in r["words"])), None)
            if row is not None and not any(w in c.text.casefold() for w in signs("kidney_disease").words_not):
                return Known(row["grade"], c.source.date, c.source.reference)
        entry = next((c for c in self.who.conditions("active") if signs("kidney_disease").names(c.codes, c.text)), None)
        if entry is None:
            return None
        return Unknown(self._why, NEED, among=IMPAIRED, reference=entry.source.reference)

    @property
    def _why(self) -> UnknownReason:
        return UnknownReason.NOT_RECORDED if self.who.complete else UnknownReason.NOT_RETRIEVED

    @cached_property
    def staged(self) -> Unknown | None:
        """The range of eGFR of the coded or worded stage of chronic kidney disease."""
        stages = sections()["stage"]
        for c in self.who.conditions("active"):
            coded = (s for s, r in stages.items() for k in c.codes if (k.system, k.value) in (("icd10cm", r["icd10cm"]), ("snomed", r["snomed"])))
            named = _STAGE.search(c.text)
            stage = next(coded, named["stage"].casefold() if named else None)
            if stage in stages:
                row = stages[stage]
                shown = f"chronic kidney disease stage {stage}" if stage != "6" else "end-stage renal disease"
                low, high = (Quantity(Decimal(row[key]), _INDEXED) for key in ("from", "below"))
                within = Range(low, high, high_open=True, shown=shown, observed=c.source.date, reference=c.source.reference)
                return Unknown(UnknownReason.TOO_BROAD, NEED, within)
        return None
