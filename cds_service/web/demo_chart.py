"""The compact chart of a demo patient, as the audit will see it: four kinds of data, each with its state of retrieval."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from cds_service.intake.prescription import AllergyFact, ConditionFact, Measurement, Order, OrderRole, Prescription, Retrieval
from cds_service.web.marked_text import language_of
from cds_service.web.wording import words_for
from ontology.model.quantities import plain

COMPLETE = (Retrieval.FOUND, Retrieval.ASSERTED_NONE, Retrieval.NONE_FOUND)


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the chart: what, a remark, and the date."""

    what: str
    remark: str
    day: str
    language: str


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """One kind of data: its entries, and its state in words when the entries do not speak for themselves."""

    title: str
    lines: tuple[Line, ...]
    state: str | None
    known: bool


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A draft order to tick: the value of its box, what it is, and its instructions."""

    value: str
    what: str
    instructions: str
    language: str


def chart(prescription: Prescription) -> tuple[ChartBlock, ...]:
    """The blocks of the chart, in the order a prescriber reads them."""
    patient = prescription.patient
    listed = [c for c in patient.conditions if c.source.kind == "conditions"]
    current = prescription.orders_in(OrderRole.CURRENT, OrderRole.RECENT)
    return (
        _block("allergies", map(_allergy, patient.allergies), prescription),
        _block("conditions", map(_condition, listed), prescription),
        _block("medications", map(_medication, current), prescription),
        _block("observations", map(_measurement, patient.measurements), prescription),
        _block("notes", (_line(text, "", source.date) for text, source in patient.notes), prescription),
    )


def draft_line(order: Order, value: str) -> DraftLine:
    """An order as a line beside its box."""
    return DraftLine(value, order.text, _instructions(order), language_of(order.text))


def age_on(birth_date: str | None, today: date) -> str | None:
    """The age in whole years (months below two years), or None when the birth date is not a whole date."""
    try:
        born = date.fromisoformat(birth_date or "")
    except ValueError:
        return None
    months = (today.year - born.year) * 12 + today.month - born.month - (today.day < born.day)
    return f"{months // 12} years" if months >= 24 else f"{months} months"


def unit_words(code: str) -> str:
    """A unit's code as it is printed: without the marks of annotations."""
    return code.replace("{", "").replace("}", "").replace("_", " ")


def _block(kind: str, lines: Iterable[Line], prescription: Prescription) -> ChartBlock:
    state = prescription.retrieval.get(kind, Retrieval.NOT_RETRIEVED)
    entries = tuple(lines)
    spoken = state is Retrieval.FOUND and entries
    return ChartBlock(words_for("kind", kind), entries, None if spoken else words_for("retrieval", state.value), state in COMPLETE)


def _allergy(fact: AllergyFact) -> Line:
    remarks = [*fact.reactions, fact.severity or "", fact.status if fact.status != "confirmed" else "", fact.kind if fact.kind == "intolerance" else ""]
    return _line(fact.text, _joined(remarks), fact.source.date)


def _condition(fact: ConditionFact) -> Line:
    return _line(fact.text, fact.status if fact.status != "active" else "", fact.onset or fact.source.date)


def _medication(order: Order) -> Line:
    past = f"{order.status or 'no longer active'}" if order.role is OrderRole.RECENT else ""
    return _line(order.text, _joined([_instructions(order), past]), order.source.date)


def _measurement(value: Measurement) -> Line:
    amount = f"{plain(value.value.value)} {unit_words(value.value.unit.code)}" if value.value is not None else value.word or ""
    return _line(value.text, f"{value.comparator or ''}{amount}".strip(), value.source.date)


def _line(what: str, remark: str, day: date | None) -> Line:
    return Line(what, remark, day.isoformat() if day else "", language_of(what + remark))


def _instructions(order: Order) -> str:
    return _joined(instruction.text or "" for instruction in order.instructions)


def _joined(parts: Iterable[str]) -> str:
    keep: Callable[[str], bool] = bool
    return "; ".join(filter(keep, parts))
