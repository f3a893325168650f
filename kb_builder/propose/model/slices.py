"""The slice of the registry that each section of a label is asked about (`slices.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ontology.model.entities import EntityType
from ontology.model.predicates import PREDICATES, PayloadKind, PredicateSpec


@dataclass(frozen=True, slots=True)
class Slice:
    """What a section may say: the predicates, in the order of the registry, and a word on each for the model."""

    predicates: tuple[PredicateSpec, ...]
    meanings: Mapping[str, str]

    @property
    def types(self) -> tuple[EntityType, ...]:
        """The entity types that any of the predicates leads to."""
        found = frozenset(t for p in self.predicates for t in p.range)
        return tuple(t for t in EntityType if t in found)

    def carries(self, *kinds: PayloadKind) -> bool:
        """True when a predicate carries a payload of one of the kinds."""
        return any(p.payloads & frozenset(kinds) for p in self.predicates)

    def allows(self, predicate: str) -> bool:
        """True when the section is asked about this predicate."""
        return any(p.name == predicate for p in self.predicates)


@cache
def slices() -> dict[str, Slice]:
    """The slices by section key, in the order in which sections are read."""
    data = _data()
    meanings: dict[str, str] = data["meanings"]
    return {key: _slice(names, meanings) for key, names in data["sections"].items()}


@cache
def whole_slice() -> Slice:
    """Everything that any section may be asked."""
    data = _data()
    return _slice([name for names in data["sections"].values() for name in names], data["meanings"])


def _slice(names: list[str], meanings: Mapping[str, str]) -> Slice:
    wanted = frozenset(names)
    if strange := wanted - PREDICATES.keys():
        raise ValueError(f"slices.toml names predicates that the registry lacks: {sorted(strange)}")
    return Slice(tuple(spec for name, spec in PREDICATES.items() if name in wanted), {name: meanings[name] for name in wanted})


@cache
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("kb_builder.propose.model").joinpath("slices.toml").read_text(encoding="utf-8"))
