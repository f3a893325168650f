"""Informative text that no claim used: every such sentence is used, dismissed with a reason, or left.

A sentence is used where a span of a released claim overlaps it. What is left is gathered by the shape of its wording, and the shapes are
ranked by how many labels have them.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb_builder.learn.informative import Sentence, SentenceReader
from kb_builder.learn.placed import RELEASED
from kb_builder.learn.residue_book import HEADING, HIGHLIGHTS, REPEATS, RESTATED, residue_book
from kb_builder.learn.shapes import shape_of
from kb_builder.propose.reading.cues import is_fragment, is_title
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.identifiers import EntityId
from ontology.store.release import Release

USED, LEFT = "used", "left"
_TAIL = 60
_EXAMPLES = 3
_SHAPES = 50_000
_SEED = 11
_SHORT_HEADING = 60
_OF_PARTNERS = frozenset({"partner", "instruction", "contraindication"})
_TERMINOLOGY = "terminology"
_QUERY = f"""SELECT e.section, e.start, e.end, c.predicate, c.object FROM claim c JOIN evidence e ON e.claim = c.id
WHERE c.document = ? AND e.version = ? AND c.status IN ({", ".join(f"'{s.value}'" for s in RELEASED)}) ORDER BY e.section, e.start"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A sentence that is left: where it stands, its words, its cues."""

    document: str
    drug: str
    section: str
    start: int
    end: int
    text: str
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Wording:
    """A shape of wording: in how many labels, how often, its cue, a few sentences."""

    shape: str
    kind: str
    labels: int = 0
    sentences: int = 0
    examples: list[LeftOver] = field(default_factory=list)
    last: str = ""


@dataclass(slots=True)
class Residue:
    """The counts. `sections` and `kinds` map to (verdict -> sentences); `answered` counts sentences of a cue used by a claim that says such things."""

    labels: int = 0
    skipped: int = 0
    read: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    sections: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    answered: Counter[str] = field(default_factory=Counter)
    wordings: dict[tuple[str, str], Wording] = field(default_factory=dict)
    sample: list[LeftOver] = field(default_factory=list)

    @property
    def informative(self) -> int:
        """The number of informative sentences."""
        return self.verdicts.total()

    @property
    def dismissed(self) -> int:
        """The number dismissed with a reason."""
        return self.informative - self.verdicts[USED] - self.verdicts[LEFT]

    def ranked(self, count: int) -> list[Wording]:
        """The wordings of most labels, first those of most labels."""
        return sorted(self.wordings.values(), key=lambda w: (-w.labels, -w.sentences, w.shape))[:count]


def find_residue(release: Release, *, kinds: Collection[str] = (), labels: Collection[str] = (), sample: int = 0) -> Residue:
    """The informative sentences of the newest version of each label, judged. Labels in other languages than English are counted as skipped."""
    reader = SentenceReader(Lexicon(release.terminology), kinds)
    result = Residue()
    gatherer = _Gatherer(result, sample)
    newest = {r.set_id: r for r in release.documents() if r.kind != _TERMINOLOGY and (not labels or r.set_id in labels)}
    for set_id, record in newest.items():
        if not record.language.startswith("en"):
            result.skipped += 1
            continue
        result.labels += 1
        own, name = _subjects(release, set_id)
        spans, partners = _claimed(release, set_id, record.version)
        found: list[Sentence] = []
        for section in release.sections(set_id, record.version):
            for sentence in reader.sentences(section, own):
                result.read += 1
                if sentence is not None:
                    found.append(sentence)
        _Label(set_id, name, spans, partners, gatherer).judge(found)
    return result


class _Label:
    """The sentences of one label, judged together, so that repeated ones count once."""

    def __init__(self, set_id: str, drug: str, spans: dict[str, list[tuple[int, int, str]]], partners: frozenset[EntityId], gatherer: _Gatherer) -> None:
        """`spans` are those of the released claims by section, `partners` what the label's interactions are with."""
        self._set_id, self._drug, self._spans, self._partners, self._gatherer = set_id, drug, spans, partners, gatherer

    def judge(self, sentences: Sequence[Sentence]) -> None:
        """Adds a verdict for each sentence: first those that are used, so that what repeats them is known."""
        used = [self._predicates(s) for s in sentences]
        seen = {_tail(s) for s, predicates in zip(sentences, used, strict=True) if predicates}
        for sentence, predicates in zip(sentences, used, strict=True):
            if predicates:
                self._gatherer.add(sentence, USED, predicates)
                continue
            verdict = REPEATS if _tail(sentence) in seen else dismissal(sentence) or (RESTATED if self._is_restated(sentence) else LEFT)
            seen.add(_tail(sentence))
            self._gatherer.add(sentence, verdict)
            if verdict == LEFT:
                place = (sentence.section, sentence.start, sentence.end)
                self._gatherer.keep(sentence, LeftOver(self._set_id, self._drug, *place, " ".join(sentence.text.split()), tuple(sorted(sentence.kinds))))

    def _is_restated(self, sentence: Sentence) -> bool:
        """True for a sentence on partners, each of which the label has an interaction with, and on nothing else that a claim could hold."""
        return bool(sentence.partners) and sentence.kinds <= _OF_PARTNERS and all(not self._partners.isdisjoint(ids) for ids in sentence.partners)

    def _predicates(self, sentence: Sentence) -> frozenset[str]:
        """The predicates of the released claims of which a span overlaps the sentence."""
        keys = (sentence.section,) if not sentence.highlight else (sentence.section, f"highlights.{sentence.section}")
        spans = [span for key in keys for span in self._spans.get(key, ())]
        stop = bisect_left(spans, (sentence.end, -1, "")) if len(keys) == 1 else len(spans)
        return frozenset(predicate for start, end, predicate in spans[:stop] if start < sentence.end and sentence.start < end)


def dismissal(sentence: Sentence) -> str | None:
    """The reason why an informative sentence makes no claim, or None."""
    if sentence.highlight:
        return HIGHLIGHTS
    for reason in residue_book().reasons:
        if reason.id == HEADING and reason.yields_to.isdisjoint(sentence.kinds) and _is_heading(sentence):
            return HEADING
        if reason.fits(sentence.section, sentence.lower, sentence.kinds):
            return reason.id
    return None


def _is_heading(sentence: Sentence) -> bool:
    if is_title(sentence.text):
        return True
    short = len(sentence.text) < _SHORT_HEADING and not sentence.text.endswith((".", "!"))
    return short and sentence.kinds == {"population"} and is_fragment(sentence.lower)


class _Gatherer:
    """Adds verdicts and keeps what is left, in bounded memory: when there are too many shapes, those of a single sentence give way."""

    def __init__(self, result: Residue, sample: int) -> None:
        self._result, self._sample = result, sample
        self._draw = random.Random(_SEED)  # noqa: S311
        self._left = 0

    def add(self, sentence: Sentence, verdict: str, predicates: Iterable[str] = ()) -> None:
        """Counts a verdict under its section and cues."""
        self._result.verdicts[verdict] += 1
        self._result.sections[sentence.section][verdict] += 1
        said = frozenset(predicates)
        for cue in residue_book().cues:
            if cue.kind in sentence.kinds:
                self._result.kinds[cue.kind][verdict] += 1
                self._result.answered[cue.kind] += int(not said.isdisjoint(cue.answered_by))

    def keep(self, sentence: Sentence, left: LeftOver) -> None:
        """Files a sentence that is left under its shape, and maybe in the sample."""
        kind, at = sentence.cues[0]
        key = (kind, shape_of(sentence.lower, at, sentence.names))
        wordings = self._result.wordings
        if key not in wordings and len(wordings) >= _SHAPES:
            for rare in [k for k, w in wordings.items() if w.sentences == 1]:
                del wordings[rare]
        wording = wordings.setdefault(key, Wording(key[1], kind))
        wording.sentences += 1
        if wording.last != left.document:
            wording.labels += 1
            wording.last = left.document
            if len(wording.examples) < _EXAMPLES:
                wording.examples.append(left)
        self._left += 1
        if len(self._result.sample) < self._sample:
            self._result.sample.append(left)
        elif self._sample and (slot := self._draw.randrange(self._left)) < self._sample:
            self._result.sample[slot] = left


def _tail(sentence: Sentence) -> str:
    """The end of a sentence by its letters and digits: a heading printed before it in one field is not in the other."""
    return "".join(c for c in sentence.lower if c.isalnum())[-_TAIL:]


def _claimed(release: Release, set_id: str, version: str) -> tuple[dict[str, list[tuple[int, int, str]]], frozenset[EntityId]]:
    """The spans of a label's released claims by section, and the objects of its interactions."""
    spans: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    partners: set[str] = set()
    row: Any
    for row in release.query(_QUERY, set_id, version):
        spans[row["section"]].append((row["start"], row["end"], row["predicate"]))
        if row["predicate"] == "interacts_with":
            partners.add(row["object"])
    return {key: sorted(found) for key, found in spans.items()}, frozenset(EntityId.parse(partner) for partner in partners)


def _subjects(release: Release, set_id: str) -> tuple[frozenset[EntityId], str]:
    """The subject and ingredients of a label with its name; nothing where no product is known."""
    ids: set[EntityId] = set()
    name = ""
    row: Any
    for row in release.query("SELECT subject, ingredients FROM label_set WHERE document = ?", set_id):
        subject = EntityId.parse(row["subject"])
        name = name or release.terminology.name(subject)
        ids |= {subject, *(EntityId.parse(i) for i in json.loads(row["ingredients"]))}
    return frozenset(ids), name
