"""Inhibitors and inducers of several enzymes in tables: what they share over a bracket of examples, and "A and B" beside "A or B"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.entities import EntityType
from ontology.model.guards import AllOf, AnyOf, Exposure, Guard, Opaque, leaves

_FIRST = re.compile(r"(?P<strength>strong|moderate|weak)\s+(?P<enzyme>CYP\s?\w+|P-?gp)", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_ROLE = re.compile(r"(?P<enzyme>[\w-]+?)-(?P<kind>inhibitor|inducer)")


def whole_roles(found: Sequence[Restriction], lexicon: Lexicon) -> list[Restriction]:
    """The conditions with "strong A (examples) or B inhibitors" as strong inhibitors of A or of B; as they are where the terms do not know both."""
    return [replace(r, guard=_whole(r.guard, lexicon)) for r in found]


def both_beside_either(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts of one table with "A and B inhibitors" as drugs of both kinds where another row tells of "A or B inhibitors"."""
    either = [r.guard for d in drafts for r in d.limits if _are_roles(r.guard) and _joins(d, r) == {"or"}]
    return [replace(d, limits=tuple(_both(d, r) if r.guard in either else r for r in d.limits)) for d in drafts] if either else list(drafts)


def _both(draft: Draft, restriction: Restriction) -> Restriction:
    members = leaves(restriction.guard)
    return replace(restriction, guard=AllOf(members)) if _joins(draft, restriction) == {"and"} else restriction


def _are_roles(guard: Guard) -> bool:
    return isinstance(guard, AnyOf) and all(isinstance(part, Exposure) and part.target.type == EntityType.ENZYME_ROLE for part in guard.parts)


def _joins(draft: Draft, restriction: Restriction) -> set[str]:
    words = _ASIDE.sub(" ", draft.reading.blank[restriction.start : restriction.end]).lower().split()
    return {"and", "or", "and/or"} & set(words)


def _whole(guard: Guard, lexicon: Lexicon) -> Guard:
    if not isinstance(guard, AllOf | AnyOf):
        return guard
    first = next((m for leaf in leaves(guard) if isinstance(leaf, Opaque) and (m := _FIRST.fullmatch(leaf.text.strip())) is not None), None)
    roles = [(leaf, m) for leaf in leaves(guard) if isinstance(leaf, Exposure) and (m := _ROLE.fullmatch(leaf.target.code)) is not None]
    if first is None or not roles:
        return guard
    kind = roles[0][1]["kind"]
    parts: list[Guard] = []
    for part in guard.parts:
        enzyme = (
            first["enzyme"] if isinstance(part, Opaque) and part.text.strip() == first[0] else next((m["enzyme"] for leaf, m in roles if leaf == part), None)
        )
        known = lexicon.lookup(f"{first['strength']} {enzyme} {kind}", frozenset({EntityType.ENZYME_ROLE})) if enzyme is not None else ()
        if enzyme is not None and not known:
            return guard
        parts.append(replace(roles[0][0], target=known[0]) if known else part)
    return replace(guard, parts=tuple(parts))
