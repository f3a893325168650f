"""The agreement gate: what code reads in a claim's own sentence does not speak against the claim. For claims that a model proposed.

A model's claim must say what the sentence asks for, with the polarity it has there, about the label's drug, and with every condition that code
reads in it. What can be released without a person needs more: code must read the same statement itself.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.gate.grounding import grounding_fault
from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.reader import find_indications
from kb_builder.propose.model.drafting import is_object
from kb_builder.propose.protocol import Subject
from kb_builder.propose.reading.frames import Found, find_frames, frame_book
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Thing, thing_finder
from ontology.model.advice import Action, Advice
from ontology.model.claims import Claim, Polarity
from ontology.model.codec import normal_guard
from ontology.model.entities import EntityType
from ontology.model.guards import AllOf, Guard
from ontology.model.predicates import RiskTier
from ontology.text.context import blank_references, is_animal, is_hedged, is_narrative
from ontology.text.document import Document
from ontology.text.mentions import words_key
from ontology.text.offsets import Shadow, fold

_DRUGS = frozenset({EntityType.INGREDIENT.value, EntityType.DRUG.value, EntityType.BRAND.value, EntityType.HERB.value})
_PAIRS = frozenset({"interacts_with", "incompatible_with"})
_NEAR = 30
"""Characters before an object in which a word can turn it round."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The claim's statement as code reads it: folded, blanked, with its things and the places of the object's words."""

    shadow: Shadow
    blank: str
    things: tuple[Thing, ...]
    object: tuple[int, int] | None

    @property
    def lower(self) -> str:
        """The sentence in lower case, of the same length."""
        return self.blank.lower()


class AgreementGate:
    """Judges the claims of one document. Deterministic extractors' claims pass: they are made of this very reading."""

    def __init__(self, document: Document, subject: Subject, lexicon: Lexicon) -> None:
        self._document = document
        self._subject = subject
        self._lexicon = lexicon

    def fault(self, claim: Claim) -> str | None:
        """Why the claim's own words do not carry it, or None."""
        if claim.provenance.model is None:
            return None
        if claim.subject != self._subject.id:
            return f"the claim is about {claim.subject}, the label about {self._subject.id}"
        try:
            return grounding_fault(claim) or self._against(claim, self._read(claim))
        except (ValueError, TypeError, LookupError, ArithmeticError) as e:
            return f"the sentence cannot be read ({type(e).__name__}: {e})"

    def _read(self, claim: Claim) -> _Sentence:
        shadow = fold(claim.statement.quote)
        blank = blank_references(shadow.text)
        words = (claim.words or "").split()
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)" if words else None
        found = re.search(pattern, blank, re.IGNORECASE) if pattern else None
        finder = thing_finder(self._lexicon, self._document, self._subject.id, self._subject.ingredients)
        return _Sentence(shadow, blank, tuple(finder.find(shadow, blank)), found.span() if found else None)

    def _against(self, claim: Claim, sentence: _Sentence) -> str | None:
        if is_narrative(sentence.blank) or is_animal(sentence.blank):
            return "the sentence tells of a study, a report or animals"
        if (other := self._other_subject(claim, sentence)) is not None:
            return f"the sentence names {other} and not the label's drug"
        if (denied := _denied(claim, sentence)) is not None:
            return denied
        if (differs := self._indication(claim, sentence) if claim.predicate == "indicated_for" else _action(claim, sentence)) is not None:
            return differs
        return self._dropped_condition(claim, sentence)

    def _other_subject(self, claim: Claim, sentence: _Sentence) -> str | None:
        """The first drug that the sentence names beside the object, where it does not name the label's own and the claim is not about a pair."""
        if claim.predicate in _PAIRS or any(t.own for t in sentence.things):
            return None
        return next((sentence.shadow.text[t.start : t.end] for t in sentence.things if t.type in _DRUGS and claim.object not in t.ids), None)

    def _indication(self, claim: Claim, sentence: _Sentence) -> str | None:
        """Why the sentence is no indication of the object with the claim's conditions: code must read the very same."""
        book = indication_book()
        if claim.polarity is not Polarity.POSITIVE or book.denial.search(sentence.blank) or book.limitations.search(sentence.blank):
            return "the sentence limits or denies a use"
        cue = book.cue.search(sentence.blank)
        if cue is None or is_hedged(sentence.blank):
            return "the sentence states no use, or one that is only possible"
        read = find_indications(sentence.blank, cue.end(), len(sentence.blank), sentence.things, self._lexicon)
        key = words_key(claim.words or "")
        same = [i for i in read if i.target.id == claim.object or words_key(i.target.words) == key]
        if not same:
            return f"code reads other uses in the sentence: {', '.join(i.target.words for i in read) or 'none'}"
        held = _parts(claim.guard)
        return None if any(all(_parts(r.guard) <= held for r in i.limits) for i in same) else "a condition of the use is not in the guard"

    def _dropped_condition(self, claim: Claim, sentence: _Sentence) -> str | None:
        held = _parts(claim.guard)
        for restriction in read_conditions(sentence.shadow.text, 0, len(sentence.shadow.text), sentence.things, self._lexicon):
            if not _parts(restriction.guard) <= held and not is_object(restriction.guard, claim.object):
                return f"the condition {sentence.shadow.text[restriction.start : restriction.end]!r} is not in the guard"
        openings = (m for m in _words("restricting").finditer(sentence.blank) if not _opens_object(m, sentence))
        if claim.guard is None and (opening := next(openings, None)) is not None:
            return f"the sentence restricts ({opening[0]!r}) and the claim has no guard"
        return None


def _denied(claim: Claim, sentence: _Sentence) -> str | None:
    """Why the polarity is not the sentence's."""
    book = frame_book()
    found = find_frames(sentence.lower)
    denial = book.denials.search(sentence.lower) is not None or any(f.negated for f in found)
    if claim.polarity is Polarity.NEGATIVE:
        return None if denial else "the claim denies and the sentence does not"
    if denial and not any(not f.negated for f in found) and claim.predicate != "indicated_for":
        return None if _milder(claim) else "the sentence denies what the claim says"
    if sentence.object is not None:
        before = [f.end for f in found if f.end <= sentence.object[0]]
        stretch = sentence.blank[max(sentence.object[0] - _NEAR, *before, 0) : sentence.object[0]]
        clause = re.split(r"[.;:,\x01]", stretch)[-1]
        if _words("denied_object").search(clause) is not None:
            return "the sentence excludes the object"
    return None


def _milder(claim: Claim) -> bool:
    return isinstance(claim.payload, Advice) and {s.action for s in claim.payload.steps} <= {Action.NO_ADJUSTMENT, Action.NO_RECOMMENDATION, Action.NOT_STUDIED}


def _action(claim: Claim, sentence: _Sentence) -> str | None:
    """Why the claim's action is not what the sentence asks for. Without any instruction that code reads, a person decides on high-tier claims."""
    if not isinstance(claim.payload, Advice):
        return None
    found = find_frames(sentence.lower)
    asked = {f.frame.action for f in found if not f.negated}
    refused = {f.frame.action for f in found if f.negated} - asked
    for step in claim.payload.steps:
        if step.action in asked or (step.action is Action.NO_ADJUSTMENT and _denies_adjustment(sentence)):
            continue
        if step.action in refused:
            return f"the sentence denies {step.action.value!r}"
        if asked:
            return f"the sentence asks for {', '.join(sorted(a.value for a in asked))}, the claim for {step.action.value}"
        if claim.spec.tier is not RiskTier.HIGH:
            return "code reads no instruction in the sentence"
        if _milder(claim):
            return f"the sentence does not say {step.action.value!r}"
    if claim.predicate == "requires_monitoring" and claim.payload.strictest is not Action.MONITOR:
        return "the claim asks for something else than monitoring"
    if claim.predicate == "has_prerequisite" and _words("first").search(sentence.blank) is None:
        return "the sentence asks for nothing before treatment"
    return None if claim.spec.tier is RiskTier.HIGH else _unsure(claim, sentence, found)


def _unsure(claim: Claim, sentence: _Sentence, found: list[Found]) -> str | None:
    """Why a claim that no person will read is not certain enough: hedged, of an object that only its words name, or that the instruction does not reach."""
    if is_hedged(sentence.blank):
        return "the sentence states a possibility"
    if claim.object.system == "uncoded" or sentence.object is None:
        return "the vocabulary does not know the object"
    start, end = sentence.object
    for one in (f for f in found if not f.negated):
        if (
            one.end <= start
            and _words("out_of_reach").search(sentence.blank, one.end, start) is None
            and not re.search(r"[.;:()]", sentence.blank[one.end : start])
        ):
            return None
        between = sentence.lower[end : one.start].split()
        if end <= one.start and all(_words("passive").fullmatch(word.strip(",")) for word in between):
            return None
    return "the instruction does not reach the object"


def _denies_adjustment(sentence: _Sentence) -> bool:
    return frame_book().no_adjustment.search(sentence.lower) is not None


def _parts(guard: Guard | None) -> frozenset[str]:
    """The members of a conjunction in their normal form."""
    parts = () if guard is None else guard.parts if isinstance(guard, AllOf) else (guard,)
    return frozenset(json.dumps(normal_guard(p), sort_keys=True) for p in parts)


def _opens_object(opening: re.Match[str], sentence: _Sentence) -> bool:
    """True where the words stand in the object, or right before it, so that what they open is the object itself."""
    if sentence.object is None:
        return False
    start, end = sentence.object
    return (start <= opening.start() and opening.end() <= end) or (opening.end() <= start and not sentence.blank[opening.end() : start].strip())


@cache
def _words(name: str) -> re.Pattern[str]:
    data = tomllib.loads(files("kb_builder.gate").joinpath("agreement.toml").read_text(encoding="utf-8"))
    listed = sorted(data[name]["words"], key=lambda w: (-len(w), w))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, listed))})\b", re.IGNORECASE)
