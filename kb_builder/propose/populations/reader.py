"""What the sentences of one English section advise for populations: clause by clause, lists under the sentence that opens them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb_builder.propose.conditions.axes import OWN_AXES
from kb_builder.propose.conditions.reader import read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.populations.book import Grade, Wording, population_book
from kb_builder.propose.populations.clauses import CONCEDED, THESE, at_risk, axes_of, behind_risk, find_asked, is_far, is_near, pointing_back, split_clauses
from kb_builder.propose.populations.company import left_open
from kb_builder.propose.populations.guards import ORGANS, guard_for, is_full, is_normal, is_own
from kb_builder.propose.populations.headings import title_above, under_heading
from kb_builder.propose.populations.lists import degrees_apart, split_groups, without_asides, without_examples
from kb_builder.propose.populations.passages import Sentence, routes_of
from kb_builder.propose.populations.patients import is_of_another
from kb_builder.propose.populations.phases import what_stays
from kb_builder.propose.populations.reasons import without_animals, without_reason, without_risk, without_told
from kb_builder.propose.populations.route_instead import by_another_route
from kb_builder.propose.populations.scraps import is_exception
from kb_builder.propose.populations.settle import PopulationDraft
from kb_builder.propose.populations.times import use_forbidden, use_named, uses_place
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.items import split_items
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target
from ontology.model.advice import Action, Step
from ontology.model.claims import Basis
from ontology.model.entities import EntityType
from ontology.model.guards import Category, Guard, Interval, Opaque, leaves
from ontology.model.identifiers import EntityId, mint
from ontology.text.context import is_animal

OWN = "ø"
"""What stands for a letter of the label's own product in the words that the patterns read."""

_CONTRAINDICATIONS = "contraindications"
_LEAD = re.compile(r"(?::|\bfollowing(?: \w+){0,3}|\b(?:in|with|who|for|patients|have))\s*:?\s*$", re.IGNORECASE)
_TAIL = 120  # characters at the end of a sentence by which it is known to open a list
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do|does|did)\b")
_TELLS = re.compile(
    r"^(?:(?!\b(?:because|since|that|which|who|if|when|due to|as)\b)[^.;(])*\b(?:causes|increases|decreases|crosses|produces|leads to|results in)\b"
)
"""A sentence that tells what the product does, in no list of those who must not have it."""

_SAID_AGAIN = re.compile(r"\(i\.e\.,?\s[^()]*\d\s?(?:mg|mcg|g|mL|units?|tablets?)\b[^()]*\)", re.IGNORECASE)
"""A bracket that says in figures what the words before it say; its people are those of the figures."""

_COUNTED = re.compile(r"\d\s?%|\bn\s?=\s?\d|\b\d{2,}\s+(?:\w+\s+){0,3}(?:patients|subjects|women|men|children)\b|\b(?:stud(?:y|ies)|trials?)\b")
_LONGEST = 900  # characters of a sentence of another section; what is longer is a table without its layout
_NO_DATA = re.compile(r"\b(?:human (?:or|nor|and) animal|animal (?:or|nor|and) human|either human or animal|human or in animal)\b")
_SHORTEST = 12  # characters of a list behind "contraindicated in"


def population(axis: str) -> EntityId:
    """The entity of a population."""
    return mint(EntityType.POPULATION, "pharmgraph", axis)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A sentence that opens a list: what it asks for holds for each item."""

    sentence: Sentence
    lower: str


@dataclass(frozen=True, slots=True)
class _Cue:
    """What forbids the product in the items behind it: its wording, where its clause opens, and where it stands."""

    wording: Wording
    opens: int
    start: int
    end: int


@dataclass(slots=True)
class PopulationReader:
    """Reads the sentences of one section in order. `last` holds whom the text spoke of last: "such patients" are those."""

    reading: Reading
    lexicon: Lexicon
    last: dict[str, tuple[Restriction, ...]] = field(default_factory=dict)
    lead: _Lead | None = None
    before: tuple[str, ...] = ()
    quiet: Sentence | None = None

    def read(self, sentence: Sentence) -> Iterator[PopulationDraft]:
        """What one sentence or item advises."""
        before, self.quiet = self.quiet, None
        if not sentence.item:
            self.lead = _Lead(sentence, self._words(sentence)) if self._opens_list(sentence) else None
        if not self._may_advise(sentence):
            self.quiet = sentence
            return
        lower = self._words(sentence)
        if before is not None:
            lower = pointing_back(lower, self._words(before))
            if THESE.search(lower):
                self._remember(before)
        if population_book().elsewhere.search(lower):
            return
        told, held = "" if before is None else self._words(before), dict(self.last)
        drafts = [by_another_route(d, lower, told, held) for d in self._sentence(sentence, lower)]
        if not drafts and sentence.item and self.lead is not None and not _TELLS.match(lower):
            drafts = list(self._item(sentence, lower, self.lead.lower))
        elif (
            not drafts
            and self.reading.key == _CONTRAINDICATIONS
            and not (_FINITE.search(lower) or _TELLS.match(lower) or population_book().not_advice.search(lower))
        ):
            items = split_items(self.reading.blank, sentence.start, sentence.end)
            drafts = [
                d for s, e in items for d in self._item(replace(sentence, start=s, end=e), lower[s - sentence.start : e - sentence.start], "contraindicated")
            ]
        if not drafts:
            self.quiet = sentence
        yield from drafts

    def _opens_list(self, sentence: Sentence) -> bool:
        blank = self.reading.blank
        return blank[sentence.end - 1] not in ".!?" and _LEAD.search(blank, max(sentence.start, sentence.end - _TAIL), sentence.end) is not None

    def _may_advise(self, sentence: Sentence) -> bool:
        """False for a sentence that need not be read closer: it names no population, or nothing that advice is put in."""
        book = population_book()
        lower = self.reading.blank[sentence.start : sentence.end].lower()
        if not sentence.own and (len(lower) > _LONGEST or (not is_near(sentence) and not book.anyone.due(lower))):
            return False
        return sentence.item or self.reading.key == _CONTRAINDICATIONS or bool(book.asked.due(lower))

    def _remember(self, sentence: Sentence) -> None:
        """Keeps whom a sentence without advice speaks of, for the next one that says "such patients"."""
        words = self._words(sentence)
        at = sentence.start + behind_risk(words)
        words = words[at - sentence.start :]
        self.before = self._axes(sentence, words)
        counted = _COUNTED.search(words) is not None
        for axis, limits in self._limits((at, sentence.end), words, self.before, members=True):
            kept = tuple(r for r in limits if is_own(r, axis)) if counted else limits
            self.last[axis] = without_told(kept, words, at)

    def _sentence(self, sentence: Sentence, lower: str) -> Iterator[PopulationDraft]:
        before = self.before if THESE.search(lower) else ()
        self.before = ()
        for start, end in split_clauses(lower):
            for at, until, cue in self._lists(sentence, lower, start, end):
                words = lower[at:until]
                axes = self._axes(sentence, words) or (before if cue is None else ())
                before = axes
                self.before = axes
                yield from self._clause(sentence, (sentence.start + at, sentence.start + until), words, axes, cue)

    def _lists(self, sentence: Sentence, lower: str, start: int, end: int) -> Iterator[tuple[int, int, _Cue | None]]:
        """A clause as one, or the items of the list that it forbids the product in, each with what forbids it."""
        wording = population_book().forbidden
        cue = wording.pattern.search(lower, start, end)
        if (
            cue is None
            or sentence.own
            or CONCEDED.match(lower[start:end])
            or len(lower[cue.end() : end].strip()) < _SHORTEST
            or not self._axes(sentence, lower[cue.end() : end])
        ):
            yield start, end, None
            return
        for s, e in split_groups(self.reading.blank, split_items(self.reading.blank, sentence.start + cue.end(), sentence.start + end)):
            yield s - sentence.start, e - sentence.start, _Cue(wording, sentence.start + start, sentence.start + cue.start(), sentence.start + cue.end())

    def _axes(self, sentence: Sentence, words: str) -> tuple[str, ...]:
        said = words if sentence.own else without_asides(without_examples(words))
        return axes_of(sentence, said, states=self.reading.key == _CONTRAINDICATIONS)

    def _clause(self, sentence: Sentence, place: tuple[int, int], words: str, axes: Sequence[str], cue: _Cue | None) -> Iterator[PopulationDraft]:
        if cue is not None:
            for axis, limits in self._limits(place, words, axes, cue=cue, listed=True):
                yield self._draft(sentence, (cue.start, cue.end), axis, cue.wording, limits)
            return
        asked = {axis: [(w, (place[0] + m.start(), place[0] + m.end()), m) for w, m in find_asked(words, axis, general=not sentence.own)] for axis in axes}
        told = without_animals(words) if any(asked.values()) else ""
        if told and (population_book().not_advice.search(told) is not None or (is_animal(told) and _NO_DATA.search(told) is None)):
            asked = {axis: [one for one in found if one[0].narrative] for axis, found in asked.items()}
        if not sentence.own:
            asked = {
                axis: [one for one in found if not (is_far(words, axis, one[2]) or self._is_of_partner(place, one[1][0]))] for axis, found in asked.items()
            }
        for axis, said in self._limits(place, words, [axis for axis in axes if asked[axis]]):
            limits = under_heading(axis, said, sentence.heading, self.reading, self.lexicon)
            limits = (*limits, *left_open(self.reading, place, limits))
            for wording, at, _ in asked[axis]:
                if wording.action is Action.ADJUST_DOSE and any(is_full(r) for r in limits):
                    continue
                yield self._draft(sentence, at, axis, wording, limits)

    def _item(self, sentence: Sentence, lower: str, lead: str) -> Iterator[PopulationDraft]:
        """An item of a list, asked for what its lead asks for."""
        place = (sentence.start, sentence.end)
        for axis, limits in self._limits(place, lower, self._axes(sentence, lower), listed=True):
            for wording, _ in list(find_asked(lead, axis, general=True))[:1]:
                yield self._draft(sentence, place, axis, wording, limits)

    def _limits(
        self, place: tuple[int, int], words: str, axes: Sequence[str], *, cue: _Cue | None = None, listed: bool = False, members: bool = False
    ) -> Iterator[tuple[str, tuple[Restriction, ...]]]:
        """The populations with the restrictions that the words put on each; a genotype that no words name is none.

        `listed`: the words are an item of a list of states, so that all of them restrict. `members`: the populations may be members of a list.
        """
        if not axes:
            return
        place = without_risk(place, words) if listed else without_reason(place, words)
        groups = list(degrees_apart(self.reading.blank, place, self.reading.things_in(*place))) if not listed and ORGANS.issuperset(axes) else []
        if len(groups) > 1:
            for group in groups:
                yield from self._limits(group, words[group[0] - place[0] : group[1] - place[0]], axes, members=members)
            return
        lead: Restriction | None = None
        risk = at_risk(words, self.reading.blank, place)
        said = _SAID_AGAIN.search(self.reading.blank, *place)
        if said is not None and said.start() > place[0]:
            place = (place[0], said.start())
        things = self.reading.things_in(*place)
        read = read_label_conditions if listed else read_conditions
        found = [r for r in read(self.reading.blank, *place, things, self.lexicon) if r.start < risk or not isinstance(r.guard, Opaque)]
        uses = uses_place(self.reading.blank, place) if "pediatric" in axes else None
        if uses is not None and any(r.start < uses[0] and uses[0] < r.end for r in found):
            found = [r for at in ((place[0], uses[0]), (uses[1], place[1])) for r in read(self.reading.blank, *at, things, self.lexicon)]
        if cue is not None:
            before = (cue.opens, cue.start)
            opening = read_conditions(self.reading.blank, *before, self.reading.things_in(*before), self.lexicon)
            found = [*(r for r in opening if not any(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))), *found]
            lead = use_named(self.reading.blank, before) or use_forbidden(self.reading.blank, cue.end, min(len(self.reading.blank), cue.end + _TAIL))
        for axis in axes:
            limits = tuple(guard_for(axis, self.reading.blank, place, found, things, self.lexicon, listed=listed or members))
            limits = limits if lead is None or any(r.start < lead.end and lead.start < r.end for r in limits) else (lead, *limits)
            limits = limits or (self.last.get(axis, ()) if THESE.search(words) else ())
            self.last[axis] = tuple(r for r in limits if not is_exception(r.guard))
            if is_of_another(axis, axes, words, limits) or any(is_normal(r, axis) for r in limits):
                continue
            if axis != "genotype" or any(_is_genotype(leaf) for r in limits for leaf in leaves(r.guard)):
                yield axis, limits

    def _words(self, sentence: Sentence) -> str:
        """The sentence in lower case, with the letters of its own product made OWN."""
        lower = self.reading.blank[sentence.start : sentence.end].lower()
        for thing in self.reading.things_in(sentence.start, sentence.end):
            if thing.own and thing.kind is Kind.PARTNER and thing.type != EntityType.DRUG_CLASS:
                lower = lower[: thing.start - sentence.start] + OWN * (thing.end - thing.start) + lower[thing.end - sentence.start :]
        return _SAID_AGAIN.sub(lambda m: " " * len(m[0]), lower) if "(i.e." in lower else lower

    def _is_of_partner(self, place: tuple[int, int], at: int) -> bool:
        """True where another medicine and not the label's own stands before what a clause asks for."""
        things = [t for t in self.reading.things_in(*place) if t.kind is Kind.PARTNER]
        return any(t.type == EntityType.INGREDIENT and not t.own and t.start < at for t in things) and not any(t.own for t in things)

    def _people(self, sentence: Sentence, axis: str) -> str:
        """The words by which a sentence names the population, the population's own name where it has none."""
        blank = self.reading.blank
        m = population_book().people[axis].search(blank[sentence.start : sentence.end].lower())
        return axis if m is None else " ".join(blank[sentence.start + m.start() : sentence.start + m.end()].split())

    def _draft(self, sentence: Sentence, place: tuple[int, int], axis: str, wording: Wording, limits: tuple[Restriction, ...]) -> PopulationDraft:
        blank = self.reading.blank
        draft = Draft(
            self.reading,
            "population_advice",
            Target(population(axis), self._people(sentence, axis)),
            place,
            (sentence.start, sentence.end),
            (Step(wording.action, parameter=what_stays(blank, place, sentence.end, wording)),),
            limits=limits,
            heading=(self.lead.sentence.start, self.lead.sentence.end) if sentence.item and self.lead is not None else sentence.heading,
            strength=wording.strength,
            basis=_basis(wording, blank[sentence.start : sentence.end]),
            highlight=sentence.highlight,
            cited=title_above(self.reading, sentence),
            routes=routes_of(blank, sentence),
        )
        return PopulationDraft(axis, wording.action, wording.grade, draft)


def _basis(wording: Wording, sentence: str) -> Basis:
    """What the advice rests on. A possibility seen in animals is theirs; what a label concludes from them for patients is its own statement."""
    if is_animal(sentence) if wording.narrative and wording.action is Action.CAUTION else is_animal(without_animals(sentence.lower())):
        return Basis.ANIMAL
    return Basis.REPORTED if wording.action is Action.NO_ADJUSTMENT and wording.grade is Grade.FINDING else Basis.ESTABLISHED


def _is_genotype(leaf: Guard) -> bool:
    return isinstance(leaf, Category) and leaf.axis in OWN_AXES["genotype"]
