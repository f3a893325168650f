"""Consolidation: what is said twice is one claim with more evidence, what several labels say is one rule with many claims."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ontology.model.claims import Claim, Scope
from ontology.model.spans import Span, SpanRole


def merge_repeated(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """One claim an id within a document, with the spans of all that said it, in the order first said."""
    said: dict[str, list[Claim]] = {}
    for claim in claims:
        said.setdefault(claim.id, []).append(claim)
    return tuple(same[0] if len(same) == 1 else replace(same[0], evidence=_all_spans(same), scope=_joint(same)) for same in said.values())


def _joint(claims: list[Claim]) -> Scope:
    """The scope of all: what one of them leaves open is open, else whatever any of them names."""

    def joined(named: list[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n for names in named for n in names)) if all(named) else ()

    scopes = [c.scope for c in claims]
    return replace(scopes[0], routes=joined([s.routes for s in scopes]), forms=joined([s.forms for s in scopes]), brands=joined([s.brands for s in scopes]))


def _all_spans(claims: list[Claim]) -> tuple[Span, ...]:
    """Every span once; the statement that stands first in the section comes first: a label's own text precedes its Highlights there."""
    spans = dict.fromkeys(span for claim in claims for span in claim.evidence)
    first = claims[0].statement.section
    order = sorted(spans, key=lambda s: (s.role is not SpanRole.STATEMENT, s.section != first, s.section, s.start, s.end))
    return tuple(order)


class RuleCount:
    """How many rules the claims of all labels make, and how many claims say what another label said already."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()
        self.claims = 0

    def add(self, rule_key: str) -> None:
        """Counts one released claim."""
        self.claims += 1
        self._keys.add(bytes.fromhex(rule_key[1:]))

    @property
    def rules(self) -> int:
        """Distinct rules."""
        return len(self._keys)
