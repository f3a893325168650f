"""Payload of contraindications, interactions, population advice and monitoring: an ordered plan of steps."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ontology.model.facts import Whose


class Action(StrEnum):
    """What the label tells the prescriber to do."""

    CONTRAINDICATED = "contraindicated"
    AVOID = "avoid"
    NOT_RECOMMENDED = "not-recommended"
    STOP = "stop"
    ADJUST_DOSE = "adjust-dose"
    SEPARATE = "separate"
    MONITOR = "monitor"
    CAUTION = "caution"
    NO_ADJUSTMENT = "no-adjustment"
    NO_RECOMMENDATION = "no-recommendation"
    NOT_STUDIED = "not-studied"


ACTION_RANK: tuple[Action, ...] = (
    Action.CONTRAINDICATED,
    Action.STOP,
    Action.AVOID,
    Action.NOT_RECOMMENDED,
    Action.ADJUST_DOSE,
    Action.SEPARATE,
    Action.MONITOR,
    Action.CAUTION,
    Action.NOT_STUDIED,
    Action.NO_RECOMMENDATION,
    Action.NO_ADJUSTMENT,
)
"""Strictest first: the order in which two statements about one hazard outrank each other."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: the action, whose order changes, by what parameter, and what to watch.

    `parameter` is the label's own words for the amount of change ("reduce by 30 to 50 %") or, of monitoring, for its times ("every 3 months");
    `separate_hours` the interval to keep; `monitor` the data to watch, in the label's words.
    """

    action: Action
    whose: Whose = Whose.SUBJECT
    parameter: str | None = None
    separate_hours: Decimal | None = None
    monitor: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """An ordered plan; `otherwise` is what the label says when the first step cannot be taken ("if unavoidable, monitor")."""

    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()
    effect: str | None = None

    @property
    def strictest(self) -> Action:
        """The strictest action among the steps."""
        return self.steps[0].action if len(self.steps) == 1 else min((s.action for s in self.steps), key=ACTION_RANK.index)
