"""Sentences made to mislead an extractor, each with what must be said of it and what must not, run through the whole extraction.

The sentences are data (`data/adversarial/*.yaml`, one file a family). They measure nothing but themselves: a case that fails names a trap that the
extractor walked into.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import yaml

from kb_builder.errors import GoldError
from kb_builder.extraction import Extraction, Extractor
from kb_builder.learn.flat import FlatFact, fact_line, flat_fact
from kb_builder.learn.pattern import FactPattern
from kb_builder.propose.protocol import Proposer
from kb_builder.propose.registry import PROPOSERS
from kb_builder.publish.facts import FactWriter
from ontology.model.claims import ClaimStatus
from ontology.model.entities import Entity
from ontology.model.identifiers import EntityId
from ontology.terms.terminology import Terminology
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SubstanceInfo


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text. `says` must each be matched by a fact, `never` by none; with `silent` no fact at all may be made, with `only` none but those of `says`."""

    id: str
    text: str
    says: tuple[FactPattern, ...] = ()
    never: tuple[FactPattern, ...] = ()
    silent: bool = False
    only: bool = False
    section: str | None = None
    drug: str | None = None
    brand: str | None = None
    why: str | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family of cases with what they share."""

    family: str
    why: str
    section: str
    drug: str
    brand: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Trap:
    """A case with its family and everything it takes over from the file."""

    family: str
    case: Case
    section: str
    drug: str
    brand: str

    @property
    def id(self) -> str:
        """`family/id`."""
        return f"{self.family}/{self.case.id}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a trap: the facts that were made of it and what is wrong with them; nothing is wrong with a passed one."""

    trap: Trap
    facts: tuple[FlatFact, ...]
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True when all that must be said is said, and nothing that must not."""
        return not self.faults


def shipped_traps() -> list[Trap]:
    """The sentences that ship with the package."""
    folder = files("kb_builder.learn").joinpath("data").joinpath("adversarial")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return [trap for name in names for trap in _traps(folder.joinpath(name).read_text(encoding="utf-8"), name)]


def read_traps(path: Path) -> list[Trap]:
    """The sentences of a file. Raises GoldError naming what is wrong with it."""
    try:
        return _traps(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as e:
        raise GoldError(f"{path}: {e}") from e


class TrapRunner:
    """Runs traps through every proposer and gate, with the shipped terminology unless another is given."""

    def __init__(self, terminology: Terminology | None = None, proposers: Sequence[Proposer] = PROPOSERS) -> None:
        self._given = terminology
        self._proposers = proposers

    def run(self, trap: Trap) -> Outcome:
        """What the extraction makes of one trap."""
        extraction = self._extractor.extract(_document(trap))
        if extraction.subject is None:
            return Outcome(trap, (), (f"the terminology does not know {trap.drug}",))
        writer = FactWriter(_Names(self._terminology, extraction))
        claims = [g.claim for g in extraction.gated if g.claim.status is ClaimStatus.CONTRADICTION_CHECKED]
        facts = tuple(flat_fact(fact) for claim in claims for fact in writer.facts(claim))
        broken = tuple(f"the proposer {name} broke off: {error}" for name, error, _ in extraction.failed)
        return Outcome(trap, facts, (*broken, *_faults(trap.case, facts)))

    def run_all(self, traps: Iterable[Trap]) -> Iterator[Outcome]:
        """What the extraction makes of each, in order."""
        return (self.run(trap) for trap in traps)

    @cached_property
    def _terminology(self) -> Terminology:
        return self._given if self._given is not None else Terminology.shipped()

    @cached_property
    def _extractor(self) -> Extractor:
        return Extractor(self._terminology, self._proposers)


class _Names:
    """The names of the terminology and of what a label's words alone name."""

    def __init__(self, terminology: Terminology, extraction: Extraction) -> None:
        self._terminology, self._extraction = terminology, extraction

    def entity(self, entity: EntityId, /) -> Entity | None:
        """The entity, or None."""
        return self._extraction.entities.get(entity) or self._terminology.entity(entity)


def _faults(case: Case, facts: Sequence[FlatFact]) -> Iterator[str]:
    for pattern in case.says:
        if not any(pattern.matches(fact) for fact in facts):
            yield f"not said: {pattern}"
    for pattern in case.never:
        yield from (f"said: {fact_line(fact)}" for fact in facts if pattern.matches(fact))
    if case.silent:
        yield from (f"said: {fact_line(fact)}" for fact in facts)
    elif case.only:
        yield from (f"said: {fact_line(fact)}" for fact in facts if not any(pattern.matches(fact) for pattern in case.says))


def _document(trap: Trap) -> Document:
    product = ProductInfo(trap.drug, (SubstanceInfo(trap.drug),), (trap.brand,), routes=("oral",), form="tablet")
    section = Section(trap.section, trap.case.text)
    return Document(trap.id, DocumentVersion("1", None, "0" * 64), trap.brand, "openfda", "en", (section,), (product,))


def _traps(text: str, name: str) -> list[Trap]:
    try:
        data: Any = yaml.safe_load(text)
        file = msgspec.convert(data, _File, strict=False)
    except (yaml.YAMLError, msgspec.ValidationError) as e:
        raise GoldError(f"{name}: {e}") from e
    ids = [case.id for case in file.cases]
    if doubles := sorted({i for i in ids if ids.count(i) > 1}):
        raise GoldError(f"{name}: {', '.join(doubles)} stand more than once")
    empty = [case.id for case in file.cases if not (case.says or case.never or case.silent)]
    if empty:
        raise GoldError(f"{name}: {', '.join(empty)} ask for nothing; give `says`, `never` or `silent`")
    return [Trap(file.family, c, c.section or file.section, c.drug or file.drug, c.brand or file.brand) for c in file.cases]
