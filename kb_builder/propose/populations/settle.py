"""Doubles among the drafts about populations: the full text wins over the Highlights, an instruction over the remark that little is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb_builder.propose.conditions.restrictions import joined
from kb_builder.propose.drafts import Draft
from kb_builder.propose.populations.book import Grade
from ontology.model.advice import Action

_LIKE: dict[Action, str] = {
    Action.CONTRAINDICATED: "stop",
    Action.STOP: "stop",
    Action.AVOID: "stop",
    Action.NOT_RECOMMENDED: "stop",
    Action.MONITOR: "watch",
    Action.CAUTION: "watch",
    Action.NOT_STUDIED: "unknown",
    Action.NO_RECOMMENDATION: "unknown",
}
"""Actions that ask for much the same; any other stands for itself."""


@dataclass(frozen=True, slots=True)
class PopulationDraft:
    """A draft about a population, and what its wording is."""

    axis: str
    action: Action
    grade: Grade
    draft: Draft

    @property
    def like(self) -> str:
        """The kind of what is asked for."""
        return _LIKE.get(self.action, self.action.value)

    @property
    def guard(self) -> str:
        """The guard in one spelling."""
        return repr(joined(self.draft.limits))


def settle_populations(drafts: Iterable[PopulationDraft]) -> list[Draft]:
    """The drafts that are worth a claim, in order of print."""
    every = list(drafts)
    full = [d for d in every if not d.draft.highlight]
    told = {(d.axis, d.like) for d in full}
    kept = full + [d for d in every if d.draft.highlight and (d.axis, d.like) not in told]
    spoken = {d.axis for d in kept if d.grade is not Grade.BACKGROUND}
    kept = [d for d in kept if d.grade is not Grade.BACKGROUND or d.axis not in spoken]
    directed = {(d.axis, d.guard, d.draft.statement) for d in kept if d.grade is Grade.INSTRUCTION and d.like not in ("unknown", "watch")}
    out: list[PopulationDraft] = []
    for one in kept:
        same = [d for d in out if d.axis == one.axis and d.guard == one.guard]
        if any(d.action is one.action for d in same):
            continue
        if one.like == "unknown" and (any(d.like == "unknown" for d in same) or (one.axis, one.guard, one.draft.statement) in directed):
            continue
        out.append(one)
    return [d.draft for d in out]
