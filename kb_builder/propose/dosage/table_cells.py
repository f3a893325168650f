"""What one cell of doses says: regimens and ceilings, with the unit, timing and phase that the column's name lends it, or advice in place of a dose.

A cell that pauses, resumes or tells of something else gives nothing, and so does a bare number whose unit no heading states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from kb_builder.propose.dosage.table_course import doses_after_pause
from kb_builder.propose.dosage.table_doses import doses_in, doses_of_words, statements_of
from kb_builder.propose.dosage.table_headers import SHARE, Column, is_number
from kb_builder.propose.dosage.table_owners import DRUGS, contained, given_together, is_of_another, is_others_item, others_of, own_doses
from kb_builder.propose.dosage.table_words import table_words
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.advice import Action
from ontology.model.dosing import Amount, AmountBasis, FractionOf, Frequency, Limit, LimitScope, Measure, PerWhat, Phase, PhaseKind, Regimen
from ontology.text.doses import DosePhrase
from ontology.text.tables import Cell

Place = tuple[int, int]

_UNIT = re.compile(
    r"\b(?:mg(?: PE)?|mcg|micrograms?|milligrams?|g|grams|units?|IU|mEq|mmol|mL|tablets?|capsules?)(?=[a-h](?:,[a-h])*(?![A-Za-z])|(?![A-Za-z]))(?:\s*/\s*(?:kg|m ?2|dose|day|hr?|hour|min(?:ute)?|week)\b)*(?:\s+PE)?",
    re.IGNORECASE,
)
_STRENGTH = re.compile(r"\d[\d.,]*\s*(?:mg|mcg|g|units?|mEq)(?:\s*/\s*\d*\.?\d*\s*mL)?", re.IGNORECASE)
_PERCENT = re.compile(r"\s*(?P<low>\d{1,3}(?:\.\d+)?)\s*%?(?:\s*(?:-|to)\s*(?P<high>\d{1,3}(?:\.\d+)?)\s*%?)?\s*")
_TIMED_NUMBER = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?(?:\s*(?:-|to)\s*\d[\d,]*(?:\.\d+)?)?)[*†‡§]*\s+(?P<timing>[A-Za-z][\w ]{2,30})")
"""A cell of a number and how often it is given: the unit is the column's."""
_CURRENT = re.compile(r"\b(?:current|prior|previous)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<low>\d[\d,]*(?:\.\d+)?)(?:\s*(?:-|to)\s*(?P<high>\d[\d,]*(?:\.\d+)?))?")
_LONG = 30  # words of a cell that pauses treatment and is too long to be read
_MANY = 8  # amounts in one statement that is a list of something else
_NAME = 14  # words of a paragraph that names those whom the next one doses
_CITATION = re.compile(r"\[\s*see [^\[\]]*\]")
_LABEL = re.compile(r"\s*(?P<label>[^:.;•][^:;•]{2,100}?)\s*:(?:\s|$)")
_OR = re.compile(r"\b(?:or|alternatively)\b", re.IGNORECASE)
_PER_DOSE = re.compile(r"/ ?dose\b|\bper dose\b|\bq ?\d+ ?h|\bevery \d+ hours\b")
_UNREAD_UNIT = re.compile(r"\s*(?:PE\b|/\s*(?:kg|m ?2|day|dose)\b)")
_FORMER = re.compile(r"\b(?:reduc\w*|decreas\w*|lower\w*|increas\w*|from|if (?:the )?(?:current )?(?:dose|dosage) is)\s*(?:the )?(?:\w+ ){0,2}$", re.IGNORECASE)
_CHANGED = re.compile(r"\s*(?:dose |dosage )?to\b", re.IGNORECASE)
_SINGLE_WORD = re.compile(r"\bsingle\b", re.IGNORECASE)  # in a name it tells agents and strengths, not how often
_SINGLE = re.compile(r"\b(?:single|per dose|each dose)\b")


@dataclass(frozen=True, slots=True)
class Lent:
    """What stands elsewhere and belongs to a cell: how often, how long, whether the amounts are those of a day, and the phase.

    `always` is how often the label gives all its doses, where nothing nearer says it.
    """

    frequency: Frequency | None = None
    days: tuple[Decimal | None, Decimal | None] = (None, None)
    daily: bool = False
    phase: PhaseKind | None = None
    always: Frequency | None = None


@dataclass(frozen=True, slots=True)
class CellDose:
    """A regimen or ceiling at its place in the cell; `label` is the lead before it that says for whom or what ("For adults:"), `former` the
    dose that it replaces ("reduce 6 mg to 5 mg"), `after` what must have come before it ("withhold until recovery, then resume at 5 mg"),
    `beside` the drugs that the statement gives together with it.
    """

    payload: Regimen | Limit
    place: Place
    label: Place | None
    routes: tuple[str, ...]
    segment: Place
    former: Place | None = None
    after: Place | None = None
    beside: tuple[Thing, ...] = ()


def read_cell(text: str, cell: Cell, column: Column, lent: Lent, things: Sequence[Thing]) -> list[CellDose]:
    """The doses of a cell of a column of doses."""
    words = text[cell.start : cell.end]
    if is_number(words) or _PERCENT.fullmatch(words):
        return list(_bare(text, cell, column, lent))
    if _TIMED_NUMBER.fullmatch(words.strip()) and not doses_in(text, cell.start, cell.end):
        return list(_timed(text, cell, column, lent))
    if len(words.split()) > _LONG and table_words().withheld.search(words.lower()):
        return list(_after_pause(text, cell, column, lent, things))
    out: list[CellDose] = list(_after_pause(text, cell, column, lent, things)) if table_words().withheld.search(words.lower()) else []
    told_bound = column.bound and any(p.bound is not None for p in doses_in(text, cell.start, cell.end))
    label: Place | None = None
    for start, end in statements_of(text, cell):
        found = _LABEL.match(text, start, end)
        if found is not None and not doses_in(text, found.start("label"), found.end("label")):
            label, start = found.span("label"), found.end()
        lower = _CITATION.sub(" ", text[start:end].lower())
        if not text[start:end].strip():
            continue
        told = text[slice(*label)].lower() if label is not None else ""
        if table_words().withheld.search(lower) or table_words().withheld.search(told) or table_words().narrative.search(lower):
            continue
        if is_others_item(text, start, end, things):
            continue
        phrases = [
            contained(text, p) for p in own_doses(text, start, end, things) if not _UNREAD_UNIT.match(text, p.end) and (p.bound is not None or not told_bound)
        ]
        together = given_together(text, start, end)
        if together is not None:
            phrases = [
                replace(p, frequency=together.frequency, days_low=together.days_low, days_high=together.days_high) if p.frequency is None else p
                for p in phrases
            ]
        former = [p for p in phrases if _FORMER.search(text[start : p.start]) and _CHANGED.match(text, p.end)]
        phrases = [p for p in phrases if p not in former] if not former or len(former) == 1 else []
        if not phrases and not out and len(text[start:end].split()) <= _NAME and not text[start:end].rstrip().endswith((".", ";")):
            label = (start, end)
        if len(phrases) > _MANY:
            continue
        if len(phrases) > 2 and all(not text[a.end : b.start].strip(" )") for a, b in pairwise(phrases)):
            continue
        doses = _payloads(text, phrases, column, lent, label, (start, end))
        out += [
            replace(d, former=(former[0].start, former[0].end) if former else None, beside=others_of(things, start, end) if together is not None else ())
            for d in doses
        ]
    return out


def _after_pause(text: str, cell: Cell, column: Column, lent: Lent, things: Sequence[Thing]) -> Iterator[CellDose]:
    """The doses at which treatment goes on after a pause, each with the words that say after what."""
    for phrase, told, order in doses_after_pause(text, cell):
        named = [t for t in things if order <= t.start and t.end <= phrase.start and t.kind is Kind.PARTNER and t.type in DRUGS]
        if not is_of_another(text, phrase, things, cell.start) and all(t.own for t in named):
            for dose in _payloads(text, [phrase], replace(column, phase=PhaseKind.ADJUSTED, bound=False), lent, None, (phrase.start, phrase.end)):
                yield replace(dose, after=told)


def cell_action(text: str, cell: Cell) -> Action | None:
    """What a cell advises in place of a dose, or None."""
    words = re.sub(r"^[•\s]+", "", text[cell.start : cell.end].lower())
    return table_words().action(" ".join(words.split()))


@lru_cache(maxsize=1024)
def lent_by(*names: str) -> Lent:
    """What the names of a column or the caption of a table lend to the cells below; nothing where they give several frequencies."""
    found = {f for words in names for p in doses_of_words(f"1 mg {_SINGLE_WORD.sub(' ', words)}") if p.amounts and (f := p.frequency) is not None}
    return Lent(next(iter(found)) if len(found) == 1 else None, daily=any(table_words().daily.search(words.lower()) for words in names))


@lru_cache(maxsize=1024)
def timing_of(words: str) -> Lent:
    """How often and how long the words of a cell on frequency or duration say."""
    phrase = next((p for p in doses_of_words(f"1 mg {words}") if p.amounts), None)
    return Lent() if phrase is None else Lent(phrase.frequency, (phrase.days_low, phrase.days_high))


def _bare(text: str, cell: Cell, column: Column, lent: Lent) -> Iterator[CellDose]:
    """The dose of a bare number: its unit is the column's, or it is a share of another dose."""
    words = text[cell.start : cell.end]
    place = (cell.start, cell.end)
    names = " ".join(h.text for h in column.heads)
    percent = _PERCENT.fullmatch(words)
    if SHARE.search(names) and percent is not None:
        low, high = (Decimal(percent[side]) / 100 if percent[side] else None for side in ("low", "high"))
        kind = FractionOf.CURRENT if _CURRENT.search(names) else FractionOf.USUAL
        amount = Amount(low, high if high is not None else low, "1", AmountBasis.FRACTION, fraction_of=kind)
        yield CellDose(Regimen((Phase(PhaseKind.ADJUSTED, (amount,), lent.frequency),)), place, None, (), place)
        return
    number = _NUMBER.fullmatch(words.strip(" *†‡§"))
    unit = _unit_of(column)
    named = _UNIT.match(unit) if unit is not None else None
    if number is None or named is None:
        return
    phrases = [p for p in doses_of_words(f"{number[0]} {unit}") if p.amounts and p.bound is None]
    if len(phrases) > 1 and phrases[0].frequency is None:
        phrases = [p for p in doses_of_words(f"{number[0]} {named[0]}") if p.amounts and p.bound is None]
        lent = replace(lent, frequency=None, always=None)  # the name says how the amount is parted
    phrases = phrases or [replace(p, frequency=None) for p in doses_of_words(f"{number[0]} {unit} once daily") if p.amounts and p.bound is None]
    if len(phrases) == 1:
        yield from _payloads(text, [replace(phrases[0], start=cell.start, end=cell.end)], column, lent, None, place)


def _timed(text: str, cell: Cell, column: Column, lent: Lent) -> Iterator[CellDose]:
    """The dose of a number and how often it is given, where the column's name states the unit and the rest of the cell is timing alone."""
    m, unit = _TIMED_NUMBER.fullmatch(text[cell.start : cell.end].strip()), _unit_of(column)
    named = _UNIT.match(unit) if unit is not None else None
    if m is None or named is None:
        return
    words = f"{m['number']} {named[0]} {m['timing']}"
    phrases = doses_of_words(words)
    if len(phrases) == 1 and phrases[0].amounts and phrases[0].bound is None and phrases[0].frequency is not None and phrases[0].end >= len(words.rstrip()):
        place = (cell.start, cell.end)
        yield from _payloads(text, [replace(phrases[0], start=cell.start, end=cell.end)], column, lent, None, place)


def _unit_of(column: Column) -> str | None:
    """The unit of a column with what stands behind it ("mg/dose q8h"), from the lowest name that states one; None where a name states several."""
    for head in reversed(column.heads):
        found = list(_UNIT.finditer(_STRENGTH.sub(lambda m: " " * len(m[0]), head.text)))
        bracket = [m for m in found if "(" in head.text[: m.start()] and ")" in head.text[m.end() :]]
        found = bracket if 0 < len(bracket) < len(found) else found
        if found:
            kinds = {re.sub(r"\s+", "", m[0]).lower() for m in found}
            return f"{found[0][0]} {head.text[found[0].end() :].lstrip(')] ')}" if len(kinds) == 1 else None
    return None


def _payloads(text: str, phrases: Sequence[DosePhrase], column: Column, lent: Lent, label: Place | None, segment: Place) -> Iterator[CellDose]:
    """Regimens of phrases that follow one another, alternatives apart; ceilings each by itself."""
    phases: list[tuple[Phase, DosePhrase]] = []
    for phrase in phrases:
        several = len(dosage_words().routes_in(text[phrase.start : phrase.end])) > 1
        routes = (phrase.route,) if phrase.route and not several else ()
        if phrase.bound is not None or (column.bound and not phrase.increment):
            yield from (CellDose(limit, (phrase.start, phrase.end), label, routes, segment) for limit in _limits(phrase, column, lent))
            continue
        if not phrase.amounts:
            continue
        if phases and _OR.search(_between(text, phases[-1][1], phrase)):
            yield _regimen(text, phases, label, segment)
            phases = []
        phases.append((_phase(phrase, column, lent), phrase))
    if phases:
        yield _regimen(text, phases, label, segment)


def _between(text: str, one: DosePhrase, other: DosePhrase) -> str:
    """The words between two phrases; of one that runs on to the end of the other, all that stands before that."""
    return text[one.end if one.end <= other.start else one.start : other.start]


def _regimen(text: str, phases: Sequence[tuple[Phase, DosePhrase]], label: Place | None, segment: Place) -> CellDose:
    routes = tuple(dict.fromkeys(p.route for _, p in phases if p.route))
    routes = routes if not any(len(dosage_words().routes_in(text[p.start : p.end])) > 1 for _, p in phases) else ()
    return CellDose(Regimen(tuple(phase for phase, _ in phases)), (phases[0][1].start, phases[-1][1].end), label, routes, segment)


def _phase(phrase: DosePhrase, column: Column, lent: Lent) -> Phase:
    daily = lent.daily and phrase.frequency is None and not _PER_DOSE.search(column.words)
    amounts = tuple(replace(a, per=PerWhat.DAY) if daily and a.per is PerWhat.DOSE and a.basis is not AmountBasis.FRACTION else a for a in phrase.amounts)
    kind = phrase.phase or column.phase or lent.phase or PhaseKind.USUAL
    days = (None, None) if kind is PhaseKind.LOADING else lent.days
    bare = phrase.frequency is None and phrase.days_low is None and phrase.days_high is None
    return Phase(
        kind=kind,
        amounts=amounts,
        frequency=phrase.frequency or lent.frequency or (None if phrase.increment or all(a.basis is AmountBasis.FRACTION for a in amounts) else lent.always),
        duration_days_low=days[0] if bare or phrase.days_low is None else phrase.days_low,
        duration_days_high=days[1] if bare or phrase.days_high is None else phrase.days_high,
        until=phrase.until,
        rate=phrase.rate,
        concentration=phrase.concentration,
        increment=phrase.increment,
    )


def _limits(phrase: DosePhrase, column: Column, lent: Lent) -> Iterator[Limit]:
    """The ceilings of a phrase. In a column of ceilings the measure is the day where the amount is given once a day or is a day's."""
    frequency = phrase.frequency or lent.frequency
    for amount in phrase.amounts:
        measure = phrase.bound
        if measure is None:
            once = frequency is not None and frequency.times_high == 1 and frequency.period_days == 1
            if amount.per is PerWhat.DAY or lent.daily or once:
                measure, amount = Measure.DAY, replace(amount, per=PerWhat.DAY)
            elif _SINGLE.search(column.words) or frequency is not None:
                measure = Measure.SINGLE
            else:
                return
        yield Limit(measure, LimitScope.INGREDIENT, amount)
