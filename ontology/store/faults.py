"""What a check of a release may find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The rule that a release breaks."""

    FILE = "file"  # missing, truncated, altered, or another content than its id says
    COUNT = "count"  # the manifest counts something else
    VERTEX = "vertex"  # φ: one vertex an entity row
    EDGE = "edge"  # φ: one edge a released claim of the graph stratum that affirms
    DEPTH = "depth"  # a hierarchy deeper than the templates climb
    SPAN = "span"  # a quote that is not the text at its offsets
    REFERENCE = "reference"  # an id that resolves to nothing
    CODE = "code"  # one code for two entities of a type
    CLAIM = "claim"  # a row that makes no claim, or another one than its id says
    REGISTRY = "registry"  # domain, range, payload or stratum of a predicate
    APPROVAL = "approval"  # released without approval, or held back although approved
    DUPLICATE = "duplicate"  # the same row twice
    SUBJECT = "subject"  # a drug without a dossier, or a dossier without a drug
    DOSSIER = "dossier"  # another dossier than the templates give now
    CLOSURE = "closure"  # other closure rows than the templates give now


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One broken rule: which, where (file, table and key, claim id), and what was found."""

    kind: FaultKind
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.where}: {self.what}"
