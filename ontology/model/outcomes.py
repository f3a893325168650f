"""What a guard evaluates to: three-valued truth with the data it hangs on and the facts that were used."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ontology.model.facts import Known, Unknown, UnknownReason


class Truth(Enum):
    """Three-valued truth."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


class Outcome(Struct, frozen=True):
    """What a guard evaluates to: the truth, the data an UNKNOWN hangs on, why it is unknown, and the facts that were used."""

    truth: Truth
    needs: frozenset[str] = frozenset()
    reasons: frozenset[UnknownReason] = frozenset()
    used: tuple[Known, ...] = ()


ALWAYS = Outcome(Truth.TRUE)


def unknown(fact: Unknown, needs: frozenset[str]) -> Outcome:
    """The outcome of a leaf whose fact is not known."""
    return Outcome(Truth.UNKNOWN, fact.needs or needs, frozenset({fact.reason}))
