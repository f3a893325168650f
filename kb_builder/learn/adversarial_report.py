"""What became of the sentences made to mislead, as lines for people and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kb_builder.learn.adversarial import Outcome
from kb_builder.learn.flat import fact_data


def adversarial_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The share that passed, by family, and what went wrong with the others."""
    passed = sum(outcome.passed for outcome in outcomes)
    quiet = sum(outcome.passed and not outcome.facts for outcome in outcomes)
    yield f"adversarial sentences: {passed} of {len(outcomes)} passed, {quiet} of them because nothing was said"
    all_of, passed_of = _by_family(outcomes)
    yield from (f"  {family:20} {passed_of[family]:4} of {count}" for family, count in sorted(all_of.items()))
    for outcome in outcomes:
        if not outcome.passed:
            yield f"  {outcome.trap.id}: {outcome.trap.case.text}"
            yield from (f"    {fault}" for fault in outcome.faults)


def adversarial_data(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The same as plain data."""
    all_of, passed_of = _by_family(outcomes)
    return {
        "sentences": len(outcomes),
        "passed": passed_of.total(),
        "passed_quietly": sum(outcome.passed and not outcome.facts for outcome in outcomes),
        "families": {family: {"sentences": count, "passed": passed_of[family]} for family, count in sorted(all_of.items())},
        "failed": [
            {"id": o.trap.id, "text": o.trap.case.text, "faults": list(o.faults), "facts": [fact_data(fact) for fact in o.facts]}
            for o in outcomes
            if not o.passed
        ],
    }


def _by_family(outcomes: Sequence[Outcome]) -> tuple[Counter[str], Counter[str]]:
    """The outcomes of each family, and those that passed."""
    return Counter(o.trap.family for o in outcomes), Counter(o.trap.family for o in outcomes if o.passed)
