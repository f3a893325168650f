"""Claims that their own text does not carry: a check on every claim of a release that needs no gold.

Three things are asked of a claim: that every quote is the text at its offsets, that every number stands in one of its spans, and that the
words it has for its object do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from kb_builder.assemble.edges import EXTRACTOR
from kb_builder.gate.grounding import stems, unprinted
from kb_builder.learn.placed import RELEASED
from kb_builder.propose.reading.wording import wording
from ontology.model.claims import Claim
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.store.release import Release
from ontology.text.mentions import singular, words_key

EXAMPLES = 5
_ENZYME = re.compile(r"^cyp(?=\d)")
_ROLE_STEMS = {"inhibitor": "inhibit", "inducer": "induc", "substrate": ""}
_EVERYONE = "all"
"""Code of the population that a statement on nobody in particular has as object; no label words it."""


class Unfounded(StrEnum):
    """What a claim says that its text does not."""

    QUOTE = "quote does not stand"
    NUMBER = "number stands in no span"
    OBJECT = "object's words stand in no span"


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim that is not carried by its text, and what is not."""

    claim: Claim
    fault: Unfounded
    what: str


@dataclass(slots=True)
class Grounding:
    """Counts over the claims looked at, by extractor and fault, with a few findings of each fault."""

    claims: int = 0
    unfounded: int = 0
    by_extractor: Counter[tuple[str, Unfounded]] = field(default_factory=Counter)
    faults: Counter[Unfounded] = field(default_factory=Counter)
    examples: dict[Unfounded, list[Finding]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """The share of claims with any fault: the hallucination rate."""
        return self.unfounded / self.claims if self.claims else 0.0


def ground(release: Release, labels: Collection[str] = (), *, examples: int = EXAMPLES) -> Grounding:
    """Every released claim of the labels, or of all, looked at. What hand-kept tables state is not a label's and is left out."""
    result = Grounding()
    reader = _Reader(release)
    for set_id in sorted(labels) if labels else [None]:
        for claim in release.claims(RELEASED, document=set_id):
            if claim.provenance.extractor == EXTRACTOR:
                continue
            found = list(reader.findings(claim))
            result.claims += 1
            result.unfounded += bool(found)
            for finding in found:
                result.faults[finding.fault] += 1
                result.by_extractor[claim.provenance.extractor, finding.fault] += 1
                kept = result.examples.setdefault(finding.fault, [])
                if len(kept) < examples:
                    kept.append(finding)
    return result


class _Reader:
    """Looks at claims with the texts and names of one release; the texts of the last label are kept."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._text = lru_cache(maxsize=128)(self._read)
        self._names = lru_cache(maxsize=20_000)(self._read_names)

    def findings(self, claim: Claim) -> Iterator[Finding]:
        """At most one finding of each fault."""
        for span in claim.evidence:
            text = self._text(span.document, span.version, span.section)
            if text is None or text[span.start : span.end] != span.quote:
                yield Finding(claim, Unfounded.QUOTE, f"{span.section}[{span.start}:{span.end}]")
                break
        quotes = tuple(span.quote for span in claim.evidence)
        if absent := unprinted(claim, quotes):
            yield Finding(claim, Unfounded.NUMBER, ", ".join(str(n) for n in dict.fromkeys(absent)))
        if not self._object_stands(claim, " ".join(quotes)):
            yield Finding(claim, Unfounded.OBJECT, claim.words or self._names(claim.object)[0])

    def _object_stands(self, claim: Claim, text: str) -> bool:
        """True when all words of the claim's own wording, or of one name of the object, are in the spans; always where the object is the label's own drug."""
        words = stems(text)
        everyone = claim.object.type == EntityType.POPULATION.value and claim.object.code == _EVERYONE
        if everyone or claim.object in (claim.subject, *claim.scope.ingredients):
            return True
        own = (claim.words,) if claim.words else ()
        names = (*own, *self._names(claim.object))
        if claim.object.type == EntityType.ENZYME_ROLE.value:
            return any(_role_stands(name, words, text) for name in names)
        described = any(name in names and pattern.search(text.lower()) for pattern, name in wording().canonical)
        return described or any(own and own <= words for own in map(stems, names))

    def _read_names(self, entity: EntityId) -> tuple[str, ...]:
        found = self._release.entity(entity)
        return (str(entity),) if found is None else (found.name, *(label.text for label in found.labels))

    def _read(self, document: str, version: str, section: str) -> str | None:
        record = self._release.section(document, version, section)
        return record.text if record is not None else None


def _role_stands(name: str, words: frozenset[str], text: str) -> bool:
    """True when the enzyme and the strength of a role are in the text. The role may be told by a verb ("drugs that inhibit"), a name be printed in parts."""
    parts = [_ENZYME.sub("", part) for part in words_key(name).split()]
    together = "".join(words_key(text).split())
    return all(singular(part) in words or _ROLE_STEMS.get(part, part) in together for part in parts)
