"""Advice for special populations: pregnancy, breastfeeding, children, the elderly, organ impairment, reproduction, genotype.

The object of a claim is the population; its guard narrows it further ("severe", "below 6 years"). Sections and passages about one population
are read whole; elsewhere only sentences count that name its people and tell what to do. Doses are the dosing proposers'; what stands here
says that a dose changes, stays, or is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb_builder.propose import chinese
from kb_builder.propose.chinese_populations import ChineseAdvice, chinese_advice
from kb_builder.propose.chinese_populations import version as chinese_version
from kb_builder.propose.conditions import read_conditions, read_label_conditions
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.items import split_items
from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.population_book import Grade, Wording, population_book
from kb_builder.propose.population_clauses import THESE, axes_of, find_asked, is_far, split_clauses
from kb_builder.propose.population_guards import OWN_AXES, guard_for
from kb_builder.propose.population_passages import Sentence, sentences_of
from kb_builder.propose.population_settle import PopulationDraft, settle_populations
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading import Reading, read_section, sections_of
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Kind, Target, thing_finder
from ontology.model.advice import Step
from ontology.model.claims import Basis, Provenance
from ontology.model.entities import EntityType
from ontology.model.guards import Category, Guard, Interval, leaves
from ontology.model.identifiers import EntityId, mint
from ontology.text.context import is_animal
from ontology.text.document import Document

SECTIONS = (
    "boxed_warning",
    "contraindications",
    "use_in_specific_populations",
    "pregnancy",
    "teratogenic_effects",
    "nonteratogenic_effects",
    "labor_and_delivery",
    "lactation",
    "nursing_mothers",
    "pediatric_use",
    "geriatric_use",
    "dosage_and_administration",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "pharmacogenomics",
)
OWN = "ø"
"""What stands for a letter of the label's own product in the words that the patterns read."""

_CONTRAINDICATIONS = "contraindications"
_LEAD = re.compile(r"(?::|\bfollowing(?: \w+){0,3}|\b(?:in|with|who|for|patients|have))\s*:?\s*$")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do|does|did)\b")
_REASON = re.compile(r"\W*(?:because|since|given|due to|based on|in view of)\b[^;]*?(?<!\d),\s(?!(?:and|or)\b)")
_REASON_BEHIND = re.compile(r",?\s(?:reflecting|because|due to the|owing to)\s")
_ORGAN = re.compile(r"\bpatients? with\b")
_LONGEST = 900  # characters of a sentence of another section; what is longer is a table without its layout
_NO_DATA = re.compile(r"\b(?:human (?:or|nor|and) animal|animal (?:or|nor|and) human|either human or animal|human or in animal)\b")
_SHORTEST = 12  # characters of a list behind "contraindicated in"


class PopulationProposer:
    """Proposes `population_advice` claims."""

    name = "populations"
    version = f"1.{population_book().version}.{chinese_version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document advises on its subject for each population."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[PopulationDraft] = []
        for _, section in sections_of(document, SECTIONS):
            reading = read_section(section, finder)
            if chinese.is_chinese(section.text):
                drafts += [_of_chinese(reading, advice) for advice in chinese_advice(reading)]
                continue
            reader = _Reader(reading, lexicon)
            for sentence in sentences_of(reading):
                drafts += reader.read(sentence)
        provenance = Provenance(self.name, self.version)
        for draft in settle_populations(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


def population(axis: str) -> EntityId:
    """The entity of a population."""
    return mint(EntityType.POPULATION, "pharmgraph", axis)


def _of_chinese(reading: Reading, advice: ChineseAdvice) -> PopulationDraft:
    words = reading.blank[advice.place[0] : advice.place[1]]
    target = Target(population(advice.axis), words)
    draft = Draft(reading, "population_advice", target, advice.place, advice.sentence, (Step(advice.action),), limits=advice.limits, strength=advice.strength)
    return PopulationDraft(advice.axis, advice.action, Grade.INSTRUCTION, draft)


def _is_genotype(leaf: Guard) -> bool:
    return isinstance(leaf, Category) and leaf.axis in OWN_AXES["genotype"]


def _without_reason(place: tuple[int, int], words: str) -> tuple[int, int]:
    """The clause without why it says so, before or behind; the reason stays where it alone says who the patients are."""
    before = _REASON.match(words)
    start = before.end() if before is not None and THESE.search(words, before.end()) is None and not _ORGAN.search(before[0]) else 0
    behind = _REASON_BEHIND.search(words, start + 1)
    end = behind.start() if behind is not None and THESE.search(words, behind.start()) is None else len(words)
    return place[0] + start, place[0] + end


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
class _Reader:
    """Reads the sentences of one section in order. `last` holds whom the text spoke of last: "such patients" are those."""

    reading: Reading
    lexicon: Lexicon
    last: dict[str, tuple[Restriction, ...]] = field(default_factory=dict)
    lead: _Lead | None = None
    before: tuple[str, ...] = ()

    def read(self, sentence: Sentence) -> Iterator[PopulationDraft]:
        """What one sentence or item advises."""
        lower = self._words(sentence)
        if not sentence.own and len(lower) > _LONGEST:
            return
        if population_book().elsewhere.search(lower):
            return
        if not sentence.item:
            self.lead = _Lead(sentence, lower) if _LEAD.search(lower) else None
        drafts = list(self._sentence(sentence, lower))
        if not drafts and sentence.item and self.lead is not None:
            drafts = list(self._item(sentence, lower, self.lead.lower))
        elif not drafts and self.reading.key == _CONTRAINDICATIONS and not _FINITE.search(lower):
            drafts = list(self._item(sentence, lower, "contraindicated"))
        yield from drafts

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
        if cue is None or sentence.own or len(lower[cue.end() : end].strip()) < _SHORTEST or not self._axes(sentence, lower[cue.end() : end]):
            yield start, end, None
            return
        for s, e in split_items(self.reading.blank, sentence.start + cue.end(), sentence.start + end):
            yield s - sentence.start, e - sentence.start, _Cue(wording, sentence.start + start, sentence.start + cue.start(), sentence.start + cue.end())

    def _axes(self, sentence: Sentence, words: str) -> tuple[str, ...]:
        return axes_of(sentence, words, states=self.reading.key == _CONTRAINDICATIONS)

    def _clause(self, sentence: Sentence, place: tuple[int, int], words: str, axes: Sequence[str], cue: _Cue | None) -> Iterator[PopulationDraft]:
        book = population_book()
        told = book.not_advice.search(words) is not None or (is_animal(words) and _NO_DATA.search(words) is None)
        for axis, limits in self._limits(place, words, axes, cue=cue, listed=cue is not None):
            if cue is not None:
                yield self._draft(sentence, (cue.start, cue.end), axis, cue.wording, limits)
                continue
            for wording, m in find_asked(words, axis, general=not sentence.own):
                asked = (place[0] + m.start(), place[0] + m.end())
                if not sentence.own and (is_far(words, axis, m) or self._is_of_partner(place, asked[0])):
                    continue
                if wording.narrative or not told:
                    yield self._draft(sentence, asked, axis, wording, limits)

    def _item(self, sentence: Sentence, lower: str, lead: str) -> Iterator[PopulationDraft]:
        """An item of a list, asked for what its lead asks for."""
        place = (sentence.start, sentence.end)
        for axis, limits in self._limits(place, lower, self._axes(sentence, lower), listed=True):
            for wording, _ in list(find_asked(lead, axis, general=True))[:1]:
                yield self._draft(sentence, place, axis, wording, limits)

    def _limits(
        self, place: tuple[int, int], words: str, axes: Sequence[str], *, cue: _Cue | None = None, listed: bool = False
    ) -> Iterator[tuple[str, tuple[Restriction, ...]]]:
        """The populations with the restrictions that the words put on each; a genotype that no words name is none.

        `listed`: the words are an item of a list of states, so that all of them restrict.
        """
        if not axes:
            return
        if not listed:
            place = _without_reason(place, words)
        things = self.reading.things_in(*place)
        read = read_label_conditions if listed else read_conditions
        found = read(self.reading.blank, *place, things, self.lexicon)
        if cue is not None:
            before = (cue.opens, cue.start)
            opening = read_conditions(self.reading.blank, *before, self.reading.things_in(*before), self.lexicon)
            found = [*(r for r in opening if not any(isinstance(leaf, Interval | Category) for leaf in leaves(r.guard))), *found]
        for axis in axes:
            limits = tuple(guard_for(axis, self.reading.blank, place, found, things))
            limits = limits or (self.last.get(axis, ()) if THESE.search(words) else ())
            self.last[axis] = limits
            if axis != "genotype" or any(_is_genotype(leaf) for r in limits for leaf in leaves(r.guard)):
                yield axis, limits

    def _words(self, sentence: Sentence) -> str:
        """The sentence in lower case, with the letters of its own product made OWN."""
        lower = self.reading.blank[sentence.start : sentence.end].lower()
        for thing in self.reading.things_in(sentence.start, sentence.end):
            if thing.own and thing.kind is Kind.PARTNER and thing.type != EntityType.DRUG_CLASS:
                lower = lower[: thing.start - sentence.start] + OWN * (thing.end - thing.start) + lower[thing.end - sentence.start :]
        return lower

    def _is_of_partner(self, place: tuple[int, int], at: int) -> bool:
        """True where another medicine and not the label's own stands before what a clause asks for."""
        things = [t for t in self.reading.things_in(*place) if t.kind is Kind.PARTNER]
        return any(t.type == EntityType.INGREDIENT and not t.own and t.start < at for t in things) and not any(t.own for t in things)

    def _draft(self, sentence: Sentence, place: tuple[int, int], axis: str, wording: Wording, limits: tuple[Restriction, ...]) -> PopulationDraft:
        blank = self.reading.blank
        draft = Draft(
            self.reading,
            "population_advice",
            Target(population(axis), " ".join(blank[place[0] : place[1]].split())),
            place,
            (sentence.start, sentence.end),
            (Step(wording.action),),
            limits=limits,
            heading=(self.lead.sentence.start, self.lead.sentence.end) if sentence.item and self.lead is not None else sentence.heading,
            strength=wording.strength,
            basis=Basis.ANIMAL if is_animal(blank[sentence.start : sentence.end]) else Basis.ESTABLISHED,
            highlight=sentence.highlight,
        )
        return PopulationDraft(axis, wording.action, wording.grade, draft)
