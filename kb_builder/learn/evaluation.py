"""A release compared with gold: figures by kind, predicate and label, and every error with its class and its text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from kb_builder.learn.agreement import SHAPE, action_class, agrees
from kb_builder.learn.flat import FlatFact
from kb_builder.learn.harm import Harm, harm_of, is_grave
from kb_builder.learn.pairing import pair
from kb_builder.learn.placed import LabelText, Place, Said, said_facts
from kb_builder.learn.tally import Tally
from kb_builder.learn.taxonomy import ErrorClass, Nearest, Placed, nearest_gold, nearest_said
from ontology.store.records import DocumentRecord
from ontology.store.release import Release


@dataclass(frozen=True, slots=True)
class Error:
    """One missed or false fact: its class, the fact on the other side that comes nearest, and where both stand."""

    error: ErrorClass
    gold: FlatFact | None
    said: Said | None
    differences: tuple[str, ...]
    missed: bool
    gold_place: Place | None = None
    sentence: str = ""
    harm: Harm | None = None


@dataclass(slots=True)
class Evaluation:
    """What a comparison found. `absent` are labels of the gold that the release does not hold: their facts count as missed."""

    kinds: dict[str, Tally] = field(default_factory=dict)
    predicates: dict[str, Tally] = field(default_factory=dict)
    labels: dict[str, Tally] = field(default_factory=dict)
    drugs: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    grave: Tally = field(default_factory=Tally)
    adrift: int = 0
    repeated: int = 0

    @property
    def total(self) -> Tally:
        """All kinds together."""
        return sum(self.kinds.values(), Tally())

    @property
    def harms(self) -> Counter[Harm]:
        """The harmful false claims by how they would hurt."""
        return Counter(e.harm for e in self.errors if e.harm is not None)


def evaluate(gold: Iterable[FlatFact], release: Release, *, kinds: Collection[str] = (), labels: Collection[str] = ()) -> Evaluation:
    """The release's facts compared with gold, for the kinds and labels asked for, or all."""
    by_label: dict[str, list[FlatFact]] = defaultdict(list)
    for fact in gold:
        if (not kinds or fact.kind in kinds) and (not labels or fact.doc in labels):
            by_label[fact.doc].append(fact)
    held: dict[str, list[DocumentRecord]] = defaultdict(list)
    for record in release.documents():
        if record.set_id in by_label:
            held[record.set_id].append(record)
    result = Evaluation(absent=sorted(set(by_label) - set(held)))
    for set_id in sorted(by_label):
        text = LabelText.of(release, held[set_id])
        said = [s for s in said_facts(release, set_id, text) if not kinds or s.fact.kind in kinds]
        LabelComparison(by_label[set_id], said, text).into(result)
    return result


class LabelComparison:
    """One label's gold, not empty, against what is said of the label."""

    def __init__(self, gold: Sequence[FlatFact], said: Sequence[Said], text: LabelText) -> None:
        self._set_id = gold[0].doc
        self._gold, self._said, self._text = gold, said, text
        self._sound = [i for i, s in enumerate(said) if s.stands]
        self._fits = [[i for i in self._sound if agrees(g, said[i].fact)] for g in gold]
        self._required = [n for n, g in enumerate(gold) if not g.optional]
        rows = pair([self._fits[n] for n in self._required])
        self._found = {self._required[row]: column for row, column in rows.items()}
        self._right = {i for fits in self._fits for i in fits}
        self._places = [text.locate(g.section, g.quote) for g in gold]

    def into(self, result: Evaluation) -> None:
        """Adds the label's counts and errors."""
        tally = Tally()
        for n in self._required:
            one = Tally(required=1, found=int(n in self._found))
            fact = self._gold[n]
            _add(result.kinds, fact.kind, one)
            _add(result.predicates, fact.predicate, one)
            tally += one
            if is_grave(fact):
                result.grave += one
        for i, said in enumerate(self._said):
            one = Tally(said=1, right=int(i in self._right))
            _add(result.kinds, said.fact.kind, one)
            _add(result.predicates, said.predicate, one)
            tally += one
        result.labels[self._set_id] = tally
        result.drugs[self._set_id] = self._gold[0].drug
        result.adrift += len(self._said) - len(self._sound)
        result.repeated += len(self._right) - len({*self._found.values()} | self._optional_right())
        result.errors += [self._missed(n, result) for n in self._required if n not in self._found]
        result.errors += [self._false(i, result) for i in range(len(self._said)) if i not in self._right]

    def _optional_right(self) -> set[int]:
        """The said facts that only an optional gold fact holds."""
        required = {i for n in self._required for i in self._fits[n]}
        return self._right - required

    def _missed(self, n: int, result: Evaluation) -> Error:
        gold, place = self._gold[n], self._places[n]
        sentence = place.sentence if place is not None else ""
        if self._fits[n]:
            taken = self._said[self._fits[n][0]]
            return Error(ErrorClass.FRAGMENTATION, gold, taken, ("taken by another fact",), True, place, sentence)
        near = self._nearest(self._placed_gold(n))
        if near is None:
            return Error(ErrorClass.MISSING, gold, None, (), True, place, sentence)
        said = self._said[near.index]
        result.confusions[_label(gold), _label(said.fact)] += 1
        return Error(near.error, gold, said, _sorted(near), True, place, sentence)

    def _nearest(self, gold: Placed) -> Nearest | None:
        """The nearest false fact; else the nearest that is right for another gold fact, if it is the same statement said wrongly, not a neighbour."""
        false = nearest_said(gold, ((i, self._placed_said(i)) for i in self._sound if i not in self._right))
        if false is not None:
            return false
        right = nearest_said(gold, ((i, self._placed_said(i)) for i in sorted(self._right)))
        return right if right is not None and not right.differences & SHAPE else None

    def _false(self, i: int, result: Evaluation) -> Error:
        said = self._said[i]
        sentence = self._text.sentence(said.fact.section, said.fact.start or 0, said.fact.end or 0)
        harm = harm_of(said.fact, self._gold)
        if not said.stands:
            return Error(ErrorClass.ADRIFT, None, said, (), False, None, sentence, harm)
        near = nearest_gold(self._placed_said(i), ((n, self._placed_gold(n)) for n in range(len(self._gold))))
        if near is None:
            twin = next((self._said[j] for j in sorted(self._right) if agrees(self._said[j].fact, said.fact)), None)
            error = ErrorClass.DUPLICATE if twin is not None else ErrorClass.SPURIOUS
            return Error(error, None, said, (), False, None, sentence, harm)
        gold = self._gold[near.index]
        result.confusions[_label(gold), _label(said.fact)] += 1
        return Error(near.error, gold, said, _sorted(near), False, self._places[near.index], sentence, harm)

    def _placed_gold(self, n: int) -> Placed:
        place = self._places[n]
        return Placed(self._gold[n], () if place is None else ((place.section, place.start, place.end),))

    def _placed_said(self, i: int) -> Placed:
        return Placed(self._said[i].fact, self._said[i].places)


def _add(counts: dict[str, Tally], key: str, one: Tally) -> None:
    counts[key] = counts.get(key, Tally()) + one


def _sorted(near: Nearest) -> tuple[str, ...]:
    return tuple(sorted(d.value for d in near.differences))


def _label(fact: FlatFact) -> str:
    """A fact's kind with what it asks for, for the table of confusions."""
    if fact.kind == "dosage":
        return f"dosage {fact.dose.phase or '-'}" if fact.dose is not None else "dosage"
    return " ".join(part for part in (fact.kind, fact.axis, action_class(fact.action)) if part)
