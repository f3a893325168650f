"""Laboratory values, vital signs and coded answers; a panel gives one measurement a component."""

from __future__ import annotations

import re

from cds_service.intake.fhir.concepts import code_words, codes_of, words_of
from cds_service.intake.fhir.dosage import quantity_words, read_quantity
from cds_service.intake.fhir.reading import Unreadable, reference_to, require_known_modifiers
from cds_service.intake.fhir.values import Resource, choice, first_day, mapping, number, objects, text
from cds_service.intake.prescription import Measurement, Source
from cds_service.intake.tables import table
from ontology.model.identifiers import Code
from ontology.model.quantities import Quantity, Unit

UNUSABLE = frozenset({"entered-in-error", "cancelled", "registered"})
COMPARATORS = frozenset({"<", "<=", ">", ">=", "ad"})
YES_NO = "http://terminology.hl7.org/CodeSystem/v2-0136"

WRITTEN = re.compile(r"(?P<comparator>[<>]=?|[≤≥])?\s*(?P<number>\d{1,7}(?:\.\d{1,6})?)\s*(?P<unit>[^\s\d<>=].{0,24})?")
"""A result that was sent as words although it is a number: a bound, the number, its unit."""
BOUNDS = {"≤": "<=", "≥": ">="}
UNITLESS = Unit.of("1")


def read_observation(resource: Resource) -> tuple[Measurement, ...]:
    """The measurements of an observation; none for one in error, cancelled, or whose value is absent for a stated reason."""
    if text(resource.get("status")) in UNUSABLE:
        return ()
    require_known_modifiers(resource)
    day = first_day(resource, "effectiveDateTime", "effectiveInstant", "issued") or first_day(mapping(resource.get("effectivePeriod")), "end", "start")
    source = Source(reference_to(resource) or "Observation", day, "observations")
    parts = objects(resource.get("component"))
    moment = next((t for m in ("effectiveDateTime", "effectiveInstant", "issued") if (t := text(resource.get(m)))), "")
    found = [m for part in (resource, *parts) if (m := _measurement(part, source, moment)) is not None]
    if not found and not parts and not codes_of(resource.get("code")) and words_of(resource.get("code")) is None:
        raise Unreadable("has neither a code nor a text")
    return tuple(found)


def _measurement(part: Resource, source: Source, moment: str) -> Measurement | None:
    codes, words = codes_of(part.get("code")), words_of(part.get("code"))
    if not codes and words is None:
        return None
    code = next((c for c in codes if c.system == "loinc"), codes[0] if codes else None)
    value = choice(part, "value")
    title = words or (code.value if code else "")
    upper, lower = _end(part, "high"), _end(part, "low")
    if isinstance(value, dict) and ("value" in value or "comparator" in value):
        comparator = text(value.get("comparator"))
        known = read_quantity(value)
        said = None if known is not None else quantity_words(value)
        quantity = known or _without_unit(value)
        if quantity is None and said is None:
            return None
        return Measurement(code, title, quantity, said, comparator if comparator in COMPARATORS else None, source, upper, moment, lower)
    if isinstance(value, str) and (written := _written(value)) is not None:
        return Measurement(code, title, written[0], text(value), written[1], source, upper, moment, lower)
    word = _word(value)
    return Measurement(code, title, None, word, None, source, upper, moment, lower) if word is not None else None


def _without_unit(value: Resource) -> Quantity | None:
    """A number that came without any unit, as one of the unit 1: an INR or a pH has none."""
    amount = number(value.get("value"))
    return Quantity(amount, UNITLESS) if amount is not None and not text(value.get("unit")) and not text(value.get("code")) else None


def _written(value: str) -> tuple[Quantity, str | None] | None:
    """The number and the bound in a result written as words; None where the words are more than a number with a known unit."""
    found = WRITTEN.fullmatch(text(value) or "")
    amount = number(found["number"]) if found else None
    if found is None or amount is None:
        return None
    unit = Unit.find(found["unit"]) if found["unit"] else UNITLESS
    bound = found["comparator"]
    return (Quantity(amount, unit), BOUNDS.get(bound, bound) if bound else None) if unit is not None else None


def _end(part: Resource, side: str) -> Quantity | None:
    """The `high` or `low` end of the normal reference range: of the range without a type, or of the one typed normal."""
    for row in objects(part.get("referenceRange")):
        kinds = code_words(row.get("type"))
        found = read_quantity(row.get(side))
        if found is not None and (not kinds or "normal" in kinds):
            return found
    return None


def _word(value: object) -> str | None:
    """A coded answer, text, truth value or bare number as a word; coded answers in the table read equally whatever their display."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, str):
        return text(value)
    if (bare := number(value)) is not None:
        return f"{bare:f}"
    if isinstance(value, dict):
        words = table("answers")["words"]
        listed = next((words[k] for c in codes_of(value) if (k := _answer_key(c)) in words), None)
        return listed or words_of(value) or next(iter(code_words(value)), None)
    return None


def _answer_key(code: Code) -> str:
    return f"hl7:{code.value}" if code.system == YES_NO else f"{code.system}:{code.value}"
