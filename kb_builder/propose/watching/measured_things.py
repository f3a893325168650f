"""What a phrase asks to measure, examine or watch: laboratory tests by their codes, the rest by the label's words.

A measurement is told by its name or by the noun at its end. Signs, symptoms and diseases are things only where the sentence asks to look for them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.propose.found import MeasuredThing
from kb_builder.propose.reading.coordination import split_conjuncts
from kb_builder.propose.reading.lexicon import LABS, Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId, mint

_STATES = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.EFFECT})
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\x01\s*")
_OPENS = re.compile(r"[\s,.;:|•\x01-]+")
_TAIL = re.compile(r"(?:\s+(?:and|or|and/or|,))+$")
_LONGEST = 9
_SHORTEST = 3
_SHARED_HEADS = re.compile(
    r"(?:functions?|levels?|counts?|concentrations?|status|tests?|parameters|pressures?|rates?|examinations?|enzymes?|abnormalit(?:y|ies)|imbalances?|disturbances?|balance|depression|neuropath(?:y|ies)|insufficiency|toxicit(?:y|ies)|monitoring|infections?|tuberculosis|tb)$"
)
_HEADLESS = re.compile(
    r"(?:serum\s+|plasma\s+|blood\s+)?(?:renal|hepatic|kidney|liver|cardiac|respiratory|pulmonary|thyroid|adrenal|hematologic|hematopoietic|cardiovascular|cerebral|neurologic|metabolic|lung|heart|ovarian|systolic|diastolic|peak|trough|fluid|peripheral(?: motor)?|motor|sensory|central|central nervous system|cns|visual|auditory|vestibular)"
)
_STAGE = re.compile(r"(?:latent|active)\b")
"""One stage of a disease that the next member names: "latent or active tuberculosis"."""

_MEASURED_STATE = re.compile(r"\b(?:deficien|hypo|hyper)\w+$")


@dataclass(frozen=True, slots=True)
class MeasuredBook:
    """The wordings of what is measured. `coded` gives the entity that a wording means."""

    version: str
    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    measurable: re.Pattern[str]
    vague: re.Pattern[str]
    coded: tuple[tuple[re.Pattern[str], EntityId], ...]


@cache
def measured_book() -> MeasuredBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.watching").joinpath("measured.toml").read_text(encoding="utf-8"))
    coded = tuple((re.compile(row["pattern"]), mint(EntityType(row.get("type", "LabTest")), "pharmgraph", row["key"])) for row in data["coded"])
    words = {key: re.compile(data[key]["pattern"]) for key in ("leading", "trailing", "measurable", "vague")}
    return MeasuredBook(data["version"], coded=coded, **words)


def read_measured(text: str, start: int, end: int, lexicon: Lexicon, *, states: bool) -> list[MeasuredThing]:
    """The things that a phrase `[start, end)` lists, in order; with `states` also signs and diseases, by their names or the label's words."""
    phrase = _BRACKETS.sub(lambda m: " " * len(m[0]), text[start:end]).rstrip(" ,.;:|")
    phrase = _TAIL.sub("", phrase)
    lead = _lead(phrase)
    body = phrase[lead:]
    out: list[MeasuredThing] = []
    pieces = list(_pieces(body, lexicon))
    for words, at, until in pieces:
        thing = _thing(text, words, start + lead + at, start + lead + until, lexicon, states=states)
        if thing is not None:
            out.append(thing)
    return out


def _pieces(body: str, lexicon: Lexicon) -> Iterator[tuple[str, int, int]]:
    """The members of a list, each with the words it means: "renal and hepatic function" means two functions."""
    if not body.strip():
        return
    conjuncts = split_conjuncts(body, lambda w: bool(_code(w.strip().lower(), lexicon)))
    for index, one in enumerate(conjuncts):
        words = " ".join(one.words.split())
        if _STAGE.fullmatch(words.lower()):
            whole = next((later.words for later in conjuncts[index + 1 :] if _STAGE.match(later.words.lower())), None)
            if whole is None:
                continue
            words = f"{words} {' '.join(whole.split()[1:])}"
        elif _HEADLESS.fullmatch(words.lower()):
            heads = (m[0] for later in conjuncts[index + 1 :] if (m := _SHARED_HEADS.search(later.words.strip().lower())) is not None)
            head = next(heads, None)
            if head is None:
                continue
            words = f"{words} {head}"
        yield words, one.start, one.end


def _lead(words: str) -> int:
    """Where the thing begins behind the words that only say how it is measured."""
    at = m.end() if (m := _OPENS.match(words)) is not None else 0
    m = measured_book().leading.match(words.lower(), at)
    return m.end() if m is not None and m.end() < len(words.rstrip()) else at


def _thing(text: str, words: str, start: int, end: int, lexicon: Lexicon, *, states: bool) -> MeasuredThing | None:
    skipped = _lead(words)
    verbatim = " ".join(text[start:end].split()) == words
    words = words[skipped:].strip(" ,.;:|-")
    if verbatim and skipped:
        start = max(start, text.find(words.split(" ")[0], start, end)) if words else start
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",.;:|"):
        end -= 1
    lower = words.lower()
    if not verbatim and not _SHARED_HEADS.search(lower) and not _STAGE.match(lower):
        return None
    if len(lower) < _SHORTEST - 1 or start >= end or len(lower.split()) > _LONGEST or not re.search(r"[a-z]{2}", lower):
        return None
    code = _code(lower, lexicon)
    if code is not None:
        return MeasuredThing(start, end, Target(code, words), measured=True)
    book = measured_book()
    if book.vague.fullmatch(lower):
        return None
    found = lexicon.lookup(words, _STATES)
    if found and states:
        return MeasuredThing(start, end, Target(found[0], words), measured=False)
    if not found and book.measurable.search(lower) and not _MEASURED_STATE.search(lower):
        return MeasuredThing(start, end, uncoded(EntityType.LAB_TEST, words), measured=True)
    if states:
        return MeasuredThing(start, end, uncoded(EntityType.CONDITION, words), measured=False)
    return None


def _code(lower: str, lexicon: Lexicon) -> EntityId | None:
    """The entity that the words of a measurement mean, or None."""
    lower = lower.strip(" ,.;:|")
    for pattern, entity in measured_book().coded:
        if pattern.fullmatch(lower):
            return entity
    bare = measured_book().trailing.sub("", lower)
    for name in dict.fromkeys((lower, bare, lower.removesuffix("s"), re.sub(r"^(?:serum|plasma|blood|whole blood|fasting|intact|total|urinary) ", "", bare))):
        found = lexicon.lookup(name, LABS) if len(name) > 1 else ()
        if found:
            return found[0]
    return None
