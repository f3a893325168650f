"""One order as structure and as words gives one instruction."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sig_sentences import sentence

from cds_service.intake.fhir.dosage import read_dosages
from cds_service.intake.prescription import DoseInstruction

UCUM = "http://unitsofmeasure.org"
UNITS = {
    "mg": "mg",
    "g": "g",
    "mcg": "ug",
    "units": "[USP'U]",
    "mL": "mL",
    "tablets": "{tbl}",
    "tabs": "{tbl}",
    "caps": "{capsule}",
    "puffs": "{puff}",
    "mg/kg": "mg/kg",
}
OFTEN: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("daily", "once a day", "qd", "once daily"), {"frequency": 1, "period": 1, "periodUnit": "d"}),
    (("bid", "twice daily", "2 times a day", "two times daily", "2x/day"), {"frequency": 2, "period": 1, "periodUnit": "d"}),
    (("tid", "three times a day", "3 times daily"), {"frequency": 3, "period": 1, "periodUnit": "d"}),
    (("q6h", "every 6 hours", "q 6 hrs"), {"frequency": 1, "period": 6, "periodUnit": "h"}),
    (("q4-6h", "every 4 to 6 hours"), {"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}),
    (("weekly", "once a week", "qwk"), {"frequency": 1, "period": 1, "periodUnit": "wk"}),
    (("every other day", "qod", "every 2 days"), {"frequency": 1, "period": 2, "periodUnit": "d"}),
    (("every 3 weeks", "q3w"), {"frequency": 1, "period": 3, "periodUnit": "wk"}),
    (("monthly", "once a month"), {"frequency": 1, "period": 1, "periodUnit": "mo"}),
    (("on mon, wed, fri", "MWF"), {"dayOfWeek": ["mon", "wed", "fri"]}),
]
ROUTES = {"po": "oral", "by mouth": "oral", "IV": "intravenous", "subcut": "subcutaneous", "": None}

numbers = st.one_of(st.integers(1, 900).map(Decimal), st.sampled_from([Decimal("0.5"), Decimal("2.5"), Decimal("12.5"), Decimal("0.125")]))
often = st.sampled_from([(words, repeat) for several, repeat in OFTEN for words in several])


def words_of(dose: str, route: str, timing: str, needed: bool, most: int | None, days: int | None) -> str:
    tail = [f"max {most} doses per day"] if most else []
    return " ".join(w for w in ["take", dose, route, timing, "prn" if needed else "", f"x {days} days" if days else "", *(f", {t}" for t in tail)] if w)


@given(
    numbers, st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(ROUTES)), often, st.booleans(), st.sampled_from([None, 4]), st.sampled_from([None, 7, 10])
)
def test_structure_and_words_of_one_order_read_alike(
    number: Decimal, unit: str, route: str, said: tuple[str, dict[str, Any]], needed: bool, most: int | None, days: int | None
) -> None:
    timing, repeat = said
    text = words_of(f"{format(number, 'f')} {unit}", route, timing, needed, most, days)
    bounds = {"boundsDuration": {"value": days, "unit": "d", "system": UCUM, "code": "d"}} if days else {}
    structure: dict[str, Any] = {
        "timing": {"repeat": {**repeat, **bounds}},
        "asNeededBoolean": needed,
        "doseAndRate": [{"doseQuantity": {"value": number, "unit": unit, "system": UCUM, "code": UNITS[unit]}}],
    }
    if most:
        structure["maxDosePerPeriod"] = {"numerator": {"value": most, "unit": "doses"}, "denominator": {"value": 1, "system": UCUM, "code": "d"}}
    (from_words,), (from_structure,), (from_both,) = (
        [d.instruction for d in read_dosages([body])] for body in ({"text": text}, structure, {**structure, "text": text})
    )
    assert without_route(from_words) == without_route(from_structure)
    assert without_route(from_both) == without_route(from_structure)
    assert from_both.unread == from_words.unread == ()
    assert from_words.route == (ROUTES[route] or ("inhalation" if unit == "puffs" else None)) or unit == "puffs"


def without_route(instruction: DoseInstruction) -> str:
    return "; ".join(part for part in sentence(instruction).split("; ") if part not in ("oral", "intravenous", "subcutaneous", "inhalation"))
