"""Free-text instructions to dose instructions: one a phase or a part, with what was not read kept as it was received."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.sigs.amounts import Amounts, Dosed, quantities_of, read_amounts
from cds_service.intake.sigs.asides import Asides, infusion_times, other_orders, read_asides, repeats
from cds_service.intake.sigs.ceilings import Ceilings, read_ceilings
from cds_service.intake.sigs.expand import Expanded, expand
from cds_service.intake.sigs.lexicon import SECTIONS, any_of, tokens_of
from cds_service.intake.sigs.often import Often, read_often
from cds_service.intake.sigs.parts import THEN, Part, split_parts
from ontology.model.quantities import Quantity

_LONGEST = 2000
"""Characters of an instruction that are read; what stands behind them is unread."""

_SOFT = re.compile(rf"{any_of(SECTIONS['ceiling']['soft'])}\s*$", re.IGNORECASE)
_PLAIN = frozenset(SECTIONS["plain"]["words"])
_ONE = Decimal(1)


def read_sig(raw: str) -> tuple[DoseInstruction, ...]:
    """The instructions in the order they stand, at least one. Nothing is guessed: what is not read is in `unread` of the last one. Never raises."""
    plain = expand(raw[:_LONGEST])
    text = plain.text
    elsewhere = other_orders(text)
    quantities = quantities_of(text)
    ceilings = read_ceilings(text, [q for q in quantities if not _meets(q.start, q.end, elsewhere)])
    apart = [*elsewhere, *ceilings.spans, *infusion_times(text), *repeats(text)]
    amounts = read_amounts(text, quantities, apart)
    parts = split_parts(text, amounts.doses, apart)
    seen: list[tuple[int, int]] = [*amounts.seen, *ceilings.spans, *ceilings.soft]
    out: list[DoseInstruction] = []
    phases = 1
    head: list[tuple[Part, Often, Asides]] = []
    for part in parts:
        often = read_often(text, part.start, part.end, apart, ceilings.soft)
        asides = read_asides(text, part.start, part.end)
        seen += [*often.spans, *asides.spans, *([part.heading] if part.heading is not None else [])]
        told = part.dose is not None or (part.link == THEN and (often.low is not None) and bool(out))
        if not told:
            if out:
                out[-1] = _completed(out[-1], often, asides)
            else:
                head.append((part, often, asides))
            continue
        instruction = _instruction(text, part, often, asides)
        for _, *more in head:
            instruction = _completed(instruction, *more)
        head = []
        if out:
            out[-1], instruction = _linked(out[-1], instruction, part)
            if (instruction.sequence or 0) > phases or (instruction.sequence is not None and out[-1].sequence is None):
                out = [replace(i, sequence=i.sequence or 1) for i in out]
                phases = instruction.sequence or phases
        out.append(instruction)
    if not out:
        instruction = DoseInstruction(read_from="words")
        for part, *more in head:
            instruction = _completed(instruction, *more)
            instruction = replace(instruction, duration_days=instruction.duration_days or (Decimal(part.days) if part.days else None))
        out = [instruction]
    return tuple(_finished(raw, plain, out, amounts, ceilings, seen, elsewhere))


def _instruction(text: str, part: Part, often: Often, asides: Asides) -> DoseInstruction:
    """The part's own dose, frequency and asides."""
    dose = part.dose
    low = None if dose is not None and _SOFT.search(text, part.start, dose.start) else dose.low if dose is not None else None
    out = _completed(DoseInstruction(read_from="words", duration_days=Decimal(part.days) if part.days else None), often, asides)
    if dose is None:
        return out
    if dose.of_day:
        once = dose.high.unit.dimension not in ("mass", "activity", "volume") and often.low is None
        if once:
            return replace(out, dose_low=low, dose_high=dose.high, dose_per=dose.per, times_low=_ONE, times_high=_ONE)
        return _of_day(out, dose, low)
    if often.divided:
        return _of_day(out, dose, low)
    if dose.of_week and often.low is None:
        out = replace(out, times_low=_ONE, times_high=_ONE, period_days=Decimal(7))
    return replace(out, dose_low=low, dose_high=dose.high, dose_per=dose.per, counted=dose.counted)


def _of_day(out: DoseInstruction, dose: Dosed, low: Quantity | None) -> DoseInstruction:
    """An amount of a day: the single dose is its share, where the number of doses is known."""
    times = out.times_low if out.times_low == out.times_high and out.period_days == 1 else None
    out = replace(out, day_low=low, day_high=dose.high, dose_per=dose.per)
    if not times:
        return out
    return replace(out, dose_low=Quantity(low.value / times, low.unit) if low else None, dose_high=Quantity(dose.high.value / times, dose.high.unit))


def _completed(out: DoseInstruction, often: Often, asides: Asides) -> DoseInstruction:
    """With what is not said yet."""
    timed = out.times_high is not None or out.count is not None
    most = asides.most if asides.most is not None and out.count is None else None
    if not timed:
        out = replace(out, times_low=often.low, times_high=often.high, period_days=often.period, every_hours_low=often.hours_low)
        out = replace(out, every_hours_high=often.hours_high, weekdays=often.weekdays, count=often.count)
    return replace(
        out,
        duration_days=out.duration_days or often.days,
        as_needed=out.as_needed or asides.as_needed,
        as_needed_for=out.as_needed_for or asides.reason,
        route=out.route or asides.route,
        schedule=out.schedule or asides.schedule,
        over_hours=out.over_hours or asides.infusion,
        max_doses_per_day=out.max_doses_per_day or most,
        count=out.count or often.count if not timed or out.count is not None else often.count,
    )


def _linked(before: DoseInstruction, after: DoseInstruction, part: Part) -> tuple[DoseInstruction, DoseInstruction]:
    """Two parts as phases where one follows the other; a phase takes over what only the one before says."""
    follows = part.link == THEN or (before.duration_days is not None and after.duration_days is not None and not before.weekdays)
    after = replace(after, route=after.route or before.route)
    if after.dose_low is None and after.dose_high is None and after.day_high is None:
        after = replace(after, dose_low=before.dose_low, dose_high=before.dose_high, dose_per=before.dose_per, counted=before.counted)
    if not follows:
        if before.times_high is None and before.count is None and after.times_high is not None and not after.weekdays:
            before = replace(before, times_low=after.times_low, times_high=after.times_high, period_days=after.period_days)
        return before, replace(after, sequence=before.sequence)
    if after.times_high is None and after.count is None and before.times_high is not None:
        after = replace(after, times_low=before.times_low, times_high=before.times_high, period_days=before.period_days)
        after = replace(after, every_hours_low=before.every_hours_low, every_hours_high=before.every_hours_high, weekdays=before.weekdays)
    if before.times_high is None and before.count is None and before.duration_days is None and before.day_high is None:
        before = replace(before, count=_ONE)
    return before, replace(after, sequence=(before.sequence or 1) + 1)


def _finished(
    raw: str, plain: Expanded, out: list[DoseInstruction], amounts: Amounts, ceilings: Ceilings, seen: list[tuple[int, int]], elsewhere: list[tuple[int, int]]
) -> Iterator[DoseInstruction]:
    """The instructions with what holds for all of them, the last with what was not read."""
    rate = amounts.rates[0] if amounts.rates else None
    unread = tuple(_unread(raw, plain, seen, elsewhere))
    for i, instruction in enumerate(out):
        said = replace(
            instruction,
            text=" ".join(raw.split()) or None,
            max_single=instruction.max_single or ceilings.single,
            max_per_day=instruction.max_per_day or ceilings.day,
            max_doses_per_day=ceilings.doses_a_day or instruction.max_doses_per_day,
            max_lifetime=ceilings.lifetime,
            rate=rate.amount if rate is not None else None,
            rate_per=rate.per if rate is not None else None,
            unread=unread if i == len(out) - 1 else (),
        )
        complete = (said.dose_high is not None or said.day_high is not None) and (said.times_high is not None or said.count is not None)
        if said.schedule == "as-directed" and complete:
            said = replace(said, schedule=None)
        yield said


def _unread(raw: str, plain: Expanded, seen: Sequence[tuple[int, int]], elsewhere: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The words, as received, that nothing accounts for; stretches of them in one piece."""
    run: tuple[int, int] | None = None
    for start, end, word in tokens_of(plain.text):
        known = not word[0].isalnum() or word in _PLAIN
        if not _meets(start, end, elsewhere) and (known or _meets(start, end, seen)):
            if run is not None and word[0].isalnum() and _meets(start, end, seen):
                yield _received(raw, plain, run)
                run = None
            continue
        run = (start if run is None else run[0], end)
    if run is not None:
        yield _received(raw, plain, run)
    if len(raw) > _LONGEST:
        yield raw[_LONGEST : _LONGEST + 200]


def _received(raw: str, plain: Expanded, span: tuple[int, int]) -> str:
    low, high = plain.raw_span(*span)
    return raw[low:high]


def _meets(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and end > a for a, b in spans)
