"""The uses that doses are for, as far apart as the label's indications keep them: by their whole names, each an object of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.text.mentions import singular, words_key

_BEFORE = re.compile(r"(?:[A-Za-z][\w'-]*\s+){1,4}$")
_FOR_USE = re.compile(
    r"\W*For\s+(?:the\s+)?(?:(?:treatment|management|prevention|prophylaxis)\s+of\s+)?(?P<use>[A-Za-z][^,.;:()\d]{2,60}?),?\s+"
    r"(?:the|a|an)\s+(?:(?:usual|recommended|initial|starting|maximum|adult|oral|daily|total)\s+)+dos(?:e|age)\b"
)
_OF_PEOPLE = re.compile(
    r"\b(?:patients?|adults?|children|infants?|neonates?|adolescents?|elderly|geriatric|p(?:a)?ediatrics?|those|most|women|men|individuals|persons|use|uses|indications?|example)\b",
    re.IGNORECASE,
)
_NO_PART = frozenset(
    ["with", "for", "of", "in", "to", "and", "or", "the", "a", "an", "patients", "treatment", "management", "prophylaxis", "prevention", "other"]
)


def widened(blank: str, start: int, end: int, floor: int, indications: str) -> int:
    """Where the name of the condition at `[start, end)` begins by the label's indications: "beta thalassemia" where the vocabulary has "thalassemia"."""
    before = _BEFORE.search(blank, max(floor, start - 60), start)
    if before is None or not indications:
        return start
    best = start
    for m in reversed(list(re.finditer(r"\S+", before[0]))):
        word = m[0].lower()
        at = before.start() + m.start()
        if word in _NO_PART or word in dosage_words().generic or " ".join(blank[at:end].lower().split()) not in indications:
            break
        best = at
    return best


def opening_use(blank: str, start: int, end: int, indications: str) -> tuple[int, int] | None:
    """The place of a use that opens its sentence in words of the label's indications that no vocabulary has ("For sustained VT the recommended dose ...")."""
    opened = _FOR_USE.match(blank, start, end)
    if opened is None:
        return None
    words = " ".join(opened["use"].lower().split())
    keys = [w for w in re.findall(r"[a-z]{2,}", words) if w not in dosage_words().generic]
    if not keys or _OF_PEOPLE.search(words) is not None or re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", indications) is None:
        return None
    return opened.span("use")


def set_apart(drafts: Iterable[Draft], indications: str) -> list[Draft]:
    """The drafts; where two uses of the indications share a code, each later one is an object in its own words, so that limits of one never bind the other."""
    first: dict[object, frozenset[str]] = {}
    out: list[Draft] = []
    for draft in drafts:
        target = draft.target
        if target.entity is None and target.id.type == EntityType.CONDITION and target.words.lower() in indications and not target.words.isupper():
            words = _words(target)
            known = first.setdefault(target.id, words)
            if not (words <= known or known <= words):
                draft = replace(draft, target=uncoded(EntityType.CONDITION, target.words))
        out.append(draft)
    return out


def _words(target: Target) -> frozenset[str]:
    return frozenset(singular(w) for w in words_key(target.words).split()) - dosage_words().generic


def with_other_names(uses: str, told: Reading | None, reading: Reading) -> str:
    """The label's text on indications, and behind it the names that a section has for the same conditions ("CML" for "chronic myeloid leukemia")."""
    if told is None:
        return uses
    wanted = {thing.targets[0].id for thing in _states(told)}
    named = {reading.blank[t.start : t.end] for t in _states(reading) if t.targets[0].id in wanted}
    more = sorted(n.lower() for n in named if n.lower() not in uses and (" " in n or n.isupper()))  # one plain word may as well be a patient's other state
    return " ; ".join([uses, *more]) if more else uses


def _states(reading: Reading) -> Iterator[Thing]:
    return (
        t for t in reading.things_in(0, len(reading.blank)) if t.kind is Kind.STATE and t.type == EntityType.CONDITION and t.targets[0].id.system != "uncoded"
    )
