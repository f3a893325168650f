"""Conditions that a label writes as a number ("systolic blood pressure <100", "ANC less than 1500/uL"): what the patient's value says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from cds_service.audit.clinical import sections, words
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.lab_limits import analytes_meant
from cds_service.audit.profile.record import RecordMatch, specific_words
from cds_service.intake.prescription import Source
from ontology.model.facts import Axis, Facts, Known
from ontology.model.guards import AllOf, Interval, Truth
from ontology.model.quantities import Quantity, plain
from ontology.text.bounds import find_bounds
from ontology.text.offsets import fold

_SIDES = {"<": "below", "≤": "to", "<=": "to", ">": "above", "≥": "from", ">=": "from", "less than": "below", "lower than": "below", "below": "below", "under": "below",
          "greater than": "above", "more than": "above", "above": "above", "over": "above", "at least": "from", "at most": "to"}  # fmt: skip
_AT_LIMIT = re.compile(
    r"(?:\s*\([^()]*\))?[\s,]*(?:levels?|concentrations?|values?|counts?|is|are|that|which|\s)*"
    r"(?:(?:<|less than|lower than|below|under)\s*(?:the\s+)?(?:institutional\s+)?(?P<low>lower limits?|lln\b)|(?:>|greater than|higher than|above|exceed(?:s|ing)?)\s*(?:the\s+)?(?:institutional\s+)?(?:upper limits?|uln\b))"
    r"(?:\s*of\s*(?:the\s+)?(?:laboratory\s+)?normal)?"
)
_NORMAL = re.compile(r"\bnormal\b|\b[UL]LN\b", re.IGNORECASE)
_ONE = Decimal(1)
_LIMITS_OF_NORMAL = ("{LLN}", "{ULN}")
_LONGEST_NAME = 4
_ABOUT = frozenset({Axis.AGE, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE})


@cache
def bounds_stated(text: str) -> tuple[Interval, ...]:
    """The bounds on values of the patient that a label's words state; empty where they state none, or speak of ages only."""
    if not any(c.isdigit() for c in text) and _NORMAL.search(text) is None:
        return ()
    folded = fold(text).text
    found = tuple(b.interval for b in find_bounds(folded)) or tuple(_bare(folded.casefold())) or tuple(_beyond_normal(folded.casefold()))
    return () if any(i.axis in _ABOUT for i in found) else found


def match_numbers(text: str, facts: Facts) -> RecordMatch | None:
    """Whether the patient's values meet the bounds that a label's words state; None where the words state no bound.

    Values that nobody need have measured for an order (vital signs) leave the condition out where they are missing.
    """
    found = bounds_stated(text)
    if not found:
        return None
    outcome = AllOf(found).evaluate(facts) if len(found) > 1 else found[0].evaluate(facts)
    if outcome.truth is Truth.UNKNOWN:
        return RecordMatch(Truth.FALSE) if _vital(found) else RecordMatch(Truth.UNKNOWN, needs=outcome.needs, reason=next(iter(outcome.reasons), None))
    used = outcome.used[0] if outcome.used else Known("")
    source = Source(used.reference, used.observed, "observations") if used.reference else None
    certainty = Certainty.APPROXIMATED if any(k.approximated for k in outcome.used) else Certainty.CODED
    of_normal = found[0].unit in _LIMITS_OF_NORMAL and found[0].low in (None, _ONE)
    plainly = facts.value(found[0].axis, found[0].detail, None) if of_normal else used
    return RecordMatch(outcome.truth, _shown(found[0], plainly if isinstance(plainly, Known) else used), source, certainty)


def asks_beside(text: str) -> frozenset[str]:
    """The specific words of the label beside the numbers and what they measure: what else the patient must have."""
    found = bounds_stated(text)
    said = {w for i in found for w in (i.detail or i.axis.value).replace("-", " ").split()}
    return frozenset(w for w in specific_words(text) if not any(c.isdigit() for c in w) and w not in said and w not in words("measured_words"))


def _vital(found: tuple[Interval, ...]) -> bool:
    return all(i.detail in words("bare_bound", "not_asked") for i in found)


def _bare(text: str) -> list[Interval]:
    """Bounds without a unit, or with one that only one measurement has."""
    out: list[Interval] = []
    for row in sections()["bare_bounds"]:
        m = _pattern(tuple(row["names"])).search(text)
        if m is None:
            continue
        side, number = _SIDES[" ".join(m["side"].split())], Decimal(m["number"])
        low, high = (number, None) if side in ("above", "from") else (None, number)
        out.append(Interval(Axis.LAB, low, high, row["unit"], side == "above", side == "below", row["analyte"]))
    return out


def _beyond_normal(text: str) -> Iterator[Interval]:
    """The bound that words set at a limit of normal without a number ("serum calcium is below the lower limit of normal")."""
    m = _AT_LIMIT.search(text)
    if m is None:
        return
    said = re.findall(r"[\w-]+", text[: m.start()])[-_LONGEST_NAME:]
    names = (" ".join(said[-size:]) for size in range(len(said), 0, -1))
    name = next((n for n in names if any(analytes_meant(n)[0])), None)
    if name is not None:
        low = m["low"] is not None
        yield Interval(Axis.LAB, None if low else _ONE, _ONE if low else None, "{LLN}" if low else "{ULN}", not low, low, name)


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    named = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    sides = "|".join(re.escape(s).replace(r"\ ", r"\s+") for s in sorted(_SIDES, key=len, reverse=True))
    return re.compile(rf"(?:{named})\W{{0,3}}(?:of|is|rate|at rest|\s)*\s*(?P<side>{sides})\s*(?P<number>\d{{2,3}})(?!\d)")


def _shown(interval: Interval, used: Known) -> str:
    name = interval.detail or interval.axis.value
    value = used.value
    return f"{name} {plain(value.value.normalize())} {value.unit.code}" if isinstance(value, Quantity) else f"{name} {value}"
