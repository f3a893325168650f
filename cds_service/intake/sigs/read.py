"""Free-text instructions to dose instructions: one a phase or a part, with what was not read kept as it was received."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from msgspec.structs import replace

from cds_service.intake.prescription import DoseInstruction
from cds_service.intake.sigs.amounts import quantities_of, read_amounts
from cds_service.intake.sigs.asides import Asides, infusion_times, other_orders, read_asides, repeats, steps
from cds_service.intake.sigs.ceilings import Ceilings, read_ceilings
from cds_service.intake.sigs.expand import expand
from cds_service.intake.sigs.often import Often, read_often
from cds_service.intake.sigs.parts import THEN, Part, split_parts
from cds_service.intake.sigs.phases import alternate, complete, instruct, link, with_rate
from cds_service.intake.sigs.unread import meets, unread_words

_LONGEST = 800
"""Characters of an instruction that are read; what stands behind them is unread."""


_MOST = 24
"""Doses of an instruction; a text with more is none, and is unread as a whole."""

SHORT = 60
"""Characters of an instruction that is kept for the next time."""


def read_sig(raw: str) -> tuple[DoseInstruction, ...]:
    """The instructions in the order they stand, at least one. Nothing is guessed: what was not read is in `unread` of the last one. Never raises.

    Common short instructions are kept in memory, longer ones, which may hold more than directions, are not.
    """
    return _kept(raw) if len(raw) <= SHORT else _read(raw)


def _read(raw: str) -> tuple[DoseInstruction, ...]:
    plain = expand(raw[:_LONGEST])
    text, words = plain.text, plain.words
    elsewhere, changes = other_orders(text, words), steps(text, words)
    quantities = quantities_of(text, words)
    ceilings = read_ceilings(text, words, [q for q in quantities if not meets(q.start, q.end, elsewhere)])
    apart = [*elsewhere, *changes, *ceilings.spans, *ceilings.unclear, *infusion_times(text, words), *repeats(text, words)]
    amounts = read_amounts(text, quantities, apart)
    if len(amounts.doses) > _MOST:
        return (DoseInstruction(text=" ".join(raw.split()), read_from="words", unread=(raw[:_LONGEST],)),)
    read = [*amounts.seen, *ceilings.spans, *ceilings.soft]
    out: list[DoseInstruction] = []
    ahead: list[tuple[Part, Often, Asides]] = []
    turns = False
    before = 0
    for part in split_parts(text, words, amounts, apart, changes):
        often, asides = read_often(text, words, part.start, part.end, apart, ceilings.soft), read_asides(text, words, part.start, part.end)
        read += [*often.spans, *asides.spans, *([part.heading] if part.heading is not None else [])]
        turns = turns or asides.alternating
        follows = part.link == THEN and (often.low is not None or part.rate is not None)
        if part.dose is not None or (follows and out) or (part.rate is not None and not out):
            instruction = _with_all(instruct(text, part, often, asides), ahead)
            ahead = []
            out = link(out, instruction, part, text, before) if out else [instruction]
        elif out:
            out[-1] = with_rate(complete(out[-1], often, asides), part)
        else:
            ahead.append((part, often, asides))
        before = part.start
    out = out or [_with_all(DoseInstruction(read_from="words"), ahead)]
    unread = (*unread_words(plain, read, elsewhere), *((raw[_LONGEST : 2 * _LONGEST],) if len(raw) > _LONGEST else ()))
    said = " ".join(raw.split()) or None
    whole = alternate(out) if turns and len(out) > 1 else out
    return tuple(_finished(i, said, ceilings, unread if n == len(whole) else ()) for n, i in enumerate(whole, 1))


_kept = lru_cache(maxsize=1024)(_read)


def _with_all(instruction: DoseInstruction, ahead: list[tuple[Part, Often, Asides]]) -> DoseInstruction:
    """The instruction with what parts without a dose before it say."""
    for part, often, asides in ahead:
        instruction = complete(instruction, often, asides)
        if part.days and instruction.duration_days is None:
            instruction = replace(instruction, duration_days=Decimal(part.days))
    return instruction


def _finished(out: DoseInstruction, said: str | None, ceilings: Ceilings, unread: tuple[str, ...]) -> DoseInstruction:
    """The instruction with what holds for all of them. "As directed" counts only where dose or frequency is not said."""
    complete = (out.dose_high is not None or out.day_high is not None) and (out.times_high is not None or out.count is not None)
    return replace(
        out,
        text=said,
        max_single=ceilings.single,
        max_per_day=ceilings.day,
        max_doses_per_day=ceilings.doses_a_day or out.max_doses_per_day,
        max_lifetime=ceilings.lifetime,
        count=out.count or ceilings.doses,
        schedule=None if out.schedule == "as-directed" and complete else out.schedule,
        unread=unread,
    )
