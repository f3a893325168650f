"""What a proposer knows of names: the vocabulary as one index, and the look-ups that turn the label's words into entities."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import Code, EntityId
from ontology.terms.identity import DrugIdentity, UnidentifiedDrug
from ontology.text.mentions import Mention, MentionIndex
from ontology.text.offsets import Shadow
from ontology.text.roles import Role

PARTNER_TYPES: frozenset[EntityType] = frozenset(
    {EntityType.INGREDIENT, EntityType.DRUG, EntityType.BRAND, EntityType.DRUG_CLASS, EntityType.FOOD, EntityType.HERB, EntityType.LIFESTYLE}
)
STATE_TYPES: frozenset[EntityType] = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.PROCEDURE, EntityType.POPULATION})
USE_TYPES: frozenset[EntityType] = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.PROCEDURE})
LABS: frozenset[EntityType] = frozenset({EntityType.LAB_TEST})
_INDEXED = PARTNER_TYPES | STATE_TYPES | {EntityType.ALLERGEN, EntityType.ENZYME_ROLE}


class Vocabulary(Protocol):
    """The part of a Terminology that a lexicon is built from."""

    def entity(self, id: EntityId) -> Entity | None: ...  # noqa: D102
    def name(self, id: EntityId) -> str: ...  # noqa: D102
    def lookup(self, name: str, types: Collection[EntityType] | None = None) -> tuple[EntityId, ...]: ...  # noqa: D102
    def mention_names(self, types: Collection[EntityType] | None = None) -> Iterator[tuple[str, EntityId]]: ...  # noqa: D102
    def identify_drug(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug: ...  # noqa: D102
    def edge_rows(self) -> Iterable[Edge]: ...  # noqa: D102


class Edge(Protocol):
    """A hand-kept edge of the terminology."""

    @property
    def predicate(self) -> str: ...  # noqa: D102
    @property
    def subject(self) -> EntityId: ...  # noqa: D102
    @property
    def object(self) -> EntityId: ...  # noqa: D102


_LONGEST_NAME = 500


class Lexicon:
    """Names, look-ups and the classes of each ingredient. Built once a process; read-only."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Index the vocabulary's names."""
        self._vocabulary = vocabulary
        self._index = MentionIndex(vocabulary.mention_names(_INDEXED))
        self._classes: dict[EntityId, set[EntityId]] = {}
        for edge in vocabulary.edge_rows():
            if edge.predicate in ("belongs_to", "subclass_of"):
                self._classes.setdefault(edge.subject, set()).add(edge.object)
        self._find_names = lru_cache(maxsize=20_000)(self._lookup)

    def mentions(self, shadow: Shadow) -> list[Mention]:
        """The named things of a folded text."""
        return self._index.find(shadow)

    def name(self, entity: EntityId) -> str:
        """The preferred name of an entity."""
        return self._vocabulary.name(entity)

    def lookup(self, name: str, types: frozenset[EntityType]) -> tuple[EntityId, ...]:
        """The entities whose whole name this is; none for words longer than any name."""
        return self._find_names(name, types) if len(name) <= _LONGEST_NAME else ()

    def role(self, role: Role) -> EntityId | None:
        """The entity of an enzyme role with the very strength, or None."""
        names = [role.name, role.name.replace("CYP3A ", "CYP3A4 ")]
        return next((found[0] for n in names if (found := self.lookup(n, frozenset({EntityType.ENZYME_ROLE})))), None)

    def ingredient_of(self, entity: EntityId) -> EntityId:
        """The ingredient (or combination) that a brand sells; any other entity itself."""
        if entity.type != EntityType.BRAND:
            return entity
        identity = self._vocabulary.identify_drug((), self.name(entity))
        return identity.subject if isinstance(identity, DrugIdentity) else entity

    def classes_of(self, entity: EntityId) -> frozenset[EntityId]:
        """The classes of an ingredient and their superclasses."""
        out: set[EntityId] = set()
        open_ends = [entity]
        while open_ends:
            for parent in self._classes.get(open_ends.pop(), ()):
                if parent not in out:
                    out.add(parent)
                    open_ends.append(parent)
        return frozenset(out)

    def _lookup(self, name: str, types: frozenset[EntityType]) -> tuple[EntityId, ...]:
        return self._vocabulary.lookup(name, types)
