"""Drug Facts: the warnings and the ages of over-the-counter labels as contraindications, interactions and population advice.

"Do not use" forbids; "Ask a doctor before use" leaves the decision to a prescriber and is a caution (21 CFR 201.66). What stands under "When
using this product" and "Stop use" speaks of effects during use and gives no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from kb_builder.propose.conditions.pregnancy_weeks import weeks_of_pregnancy
from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction, stop_window
from kb_builder.propose.contraindications.allergens import find_reaction
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.drug_facts.book import Asked, drug_facts_book
from kb_builder.propose.drug_facts.items import STATES, split_items
from kb_builder.propose.found import State
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import Reading, drug_facts_sections, read_section
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing, thing_finder
from kb_builder.propose.settle import settle_pairs, settle_states
from ontology.model.advice import Action, Step
from ontology.model.claims import Provenance, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque
from ontology.model.identifiers import mint
from ontology.text.document import Document
from ontology.text.drug_facts import FactsHeading, FactsPart, drug_facts_parts
from ontology.text.sentences import split_units

_BETWEEN = frozenset(" :,-()ofage")  # what may stand between an age and what is asked of it
_UNLESS = re.compile(r"\bunless\b[^.;]*")
_LONGEST = 8  # words of a state that no vocabulary knows
_POPULATION = {"pregnancy": "pregnant women", "lactation": "breastfeeding women", "pediatric": "children"}


class DrugFactsProposer:
    """Proposes what the Drug Facts of an over-the-counter label say."""

    name = "drug-facts"
    version = f"1.{drug_facts_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """Whom and what the document's Drug Facts exclude or send to a doctor first."""
        sections = list(drug_facts_sections(document))
        if not sections:
            return
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        own = tuple(Target(i.id, i.name) for i in subject.ingredients) or (Target(subject.id, subject.name),)
        product = next((n for p in document.products for n in p.brand_names), subject.name)
        states: list[Draft] = []
        pairs: list[Draft] = []
        people: list[Draft] = []
        for section in sections:
            reading = read_section(section, finder)
            reader = _Reader(reading, StateReader(reading.blank, reading.things, own, product, lexicon, causes=False), lexicon)
            for part in drug_facts_parts(reading.blank):
                states += reader.states(part)
                pairs += reader.pairs(part)
                people += reader.people(part)
        directions = document.section("dosage_and_administration")
        if directions is not None:
            reading = read_section(directions, finder)
            people += _Reader(reading, StateReader(reading.blank, reading.things, own, product, lexicon, causes=False), lexicon).directions()
        provenance = Provenance(self.name, self.version)
        for draft in (*settle_states(states), *settle_pairs(pairs), *people):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


def _is_partner(thing: Thing) -> bool:
    """True for another drug; the product's own class is one too where it is taken beside the product ("sedatives" in the label of one)."""
    return (
        thing.kind is Kind.PARTNER
        and thing.type != EntityType.LIFESTYLE
        and thing.targets[0].entity is None
        and (not thing.own or thing.type == EntityType.DRUG_CLASS)
    )


class _Reader:
    """Reads the parts of one section."""

    def __init__(self, reading: Reading, states: StateReader, lexicon: Lexicon) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._states = states
        self._lexicon = lexicon
        self._book = drug_facts_book()

    def states(self, part: FactsPart) -> Iterator[Draft]:
        """What the patient must not have, or must ask about first."""
        for at, until in self._items(part):
            words = self._blank[at:until]
            if self._is_of_partner(part, at, until) or self._ages(at, until) or self._book.remedy.match(words):
                continue
            lead = self._book.lead.match(words)
            found = list(self._states.read(at + (lead.end() if lead is not None else 0), until))
            coded = [s for s in found if s.target.entity is None]
            if not any(s.target.id.type not in STATES for s in found) and find_reaction(words) is None:
                coded += self._named(at, until, coded)
            spoken = [s for s in found if s not in coded and self._is_state(s, words) and not any(s.start < c.end and c.start < s.end for c in coded)]
            for state in (*coded, *map(self._whole, spoken)):
                yield self._draft("contraindicated_in", part, state.target, (state.start, state.end), (at, until), state.limits)

    def _named(self, start: int, end: int, known: list[State]) -> Iterator[State]:
        """The states of an item that the vocabulary knows and that are read as no part of a longer name."""
        for thing in self._reading.things_in(start, end):
            if thing.kind is not Kind.STATE or thing.type not in STATES or any(s.start < thing.end and thing.start < s.end for s in known):
                continue
            single = " " not in self._blank[thing.start : thing.end]
            part_of = self._book.word_before.search(self._blank, start, thing.start) or self._book.word_behind.match(self._blank, thing.end, end)
            if not (single and part_of):
                yield State(thing.targets[0], thing.start, thing.end)

    def _whole(self, state: State) -> State:
        """The state by its whole name where the next one of a choice has the noun: of "liver or kidney disease" liver disease."""
        shared = self._book.shared.match(self._blank, state.end)
        known = self._lexicon.lookup(f"{state.target.words} {shared['kind']}", STATES) if shared is not None else ()
        return replace(state, target=Target(known[0], state.target.words)) if known else state

    def _is_state(self, state: State, item: str) -> bool:
        """True for words that name what the patient has, though no vocabulary knows them; of what is hypersensitivity always."""
        if state.target.id.type not in STATES:
            return state.target.id.type != EntityType.POPULATION
        words = state.target.words
        return len(words.split()) <= _LONGEST and self._book.having.match(item) is not None and self._book.aside.search(words) is None

    def pairs(self, part: FactsPart) -> Iterator[Draft]:
        """What the product is not taken with, or only after asking."""
        for at, until in self._items(part):
            if not self._is_of_partner(part, at, until):
                continue
            named = self._reading.things_in(at, until)
            for thing in (t for t in named if _is_partner(t)):
                for target in thing.targets:
                    window = stop_window(self._blank, at, until, target.id, named)
                    yield self._draft("interacts_with", part, target, (thing.start, thing.end), (at, until), () if window is None else (window,))

    def people(self, part: FactsPart) -> Iterator[Draft]:
        """The ages that the warnings exclude, and the sentence on pregnancy and breastfeeding."""
        if part.heading is FactsHeading.PREGNANCY:
            yield from self._expecting(part)
            return
        for at, until in self._items(part, exempt=True):
            spared = _UNLESS.search(self._blank, at, until)
            limits = (Restriction(Opaque(" ".join(spared[0].split())), *spared.span()),) if spared is not None else ()
            for age in self._ages(at, until):
                yield self._advice("pediatric", (at, until), *self._book.parts[part.heading], (age, *limits), part)

    def directions(self) -> Iterator[Draft]:
        """The ages that the directions exclude or leave to a doctor: "children under 12 years: ask a doctor"."""
        for unit in split_units(self._blank):
            for asked in self._book.children:
                for m in asked.pattern.finditer(self._blank, unit.start, unit.end):
                    people = self._book.people.search(self._blank, max(unit.start, m.start() - 60), m.start())
                    ages = self._ages(people.start(), m.start()) if people is not None else []
                    if ages and not set(self._blank[ages[-1].end : m.start()]) - _BETWEEN:
                        yield self._advice("pediatric", (ages[-1].start, m.end()), asked.action, asked.strength, (ages[-1],), None)

    def _expecting(self, part: FactsPart) -> Iterator[Draft]:
        first = split_units(self._blank, part.start, part.end)[:1]
        end = first[0].end if first else part.end
        told = sorted((m.start(), m.end(), axis) for axis, pattern in self._book.either.items() if (m := pattern.search(self._blank, part.start, end)))
        places: list[tuple[int, int, int, tuple[str, ...]]] = [(s, e, nxt[0], (axis,)) for (s, e, axis), nxt in pairwise([*told, (end, end, "")])] or [
            (part.at, part.start, end, ("pregnancy", "lactation"))
        ]
        for at, start, until, axes in places:
            asked = self._asked(self._book.pregnant, start, until)
            if asked is not None:
                yield from (self._advice(axis, (at, until), asked.action, asked.strength, (), part) for axis in axes)
        late = self._book.late.search(self._blank, end, part.end)
        if late is None:
            return
        weeks = weeks_of_pregnancy(self._blank, late.start(), late.end())
        months = self._book.last_months.search(self._blank, late.start(), late.end())
        if weeks is None and months is not None:
            weeks = Restriction(Category(Axis.PREGNANCY, ("third-trimester",), detail=months[0]), months.start(), months.end())
        if weeks is not None:
            yield self._advice("pregnancy", (late.start(), late.end()), Action.AVOID, Strength.MUST, (weeks,), part)

    def _asked(self, rows: tuple[Asked, ...], start: int, end: int) -> Asked | None:
        return next((row for row in rows if row.pattern.search(self._blank, start, end)), None)

    def _items(self, part: FactsPart, *, exempt: bool = False) -> list[tuple[int, int]]:
        """The items of a part; without `exempt` those left out that say when the product may be used all the same."""
        if part.heading not in self._book.parts:
            return []
        found = split_items(self._blank, part.start, part.end, self._reading.things_in(part.start, part.end))
        return [(at, until) for at, until in found if exempt or self._book.exempt.search(self._blank[at:until]) is None or self._is_of_partner(part, at, until)]

    def _is_of_partner(self, part: FactsPart, start: int, end: int) -> bool:
        """True for an item about what is taken beside the product; what was not borne before is about the patient."""
        words = self._blank[start:end]
        if not any(_is_partner(t) for t in self._reading.things_in(start, end)) or self._book.borne.search(words) is not None:
            return False
        return part.heading is FactsHeading.ASK_DOCTOR_OR_PHARMACIST or self._book.taking.search(words) is not None

    def _ages(self, start: int, end: int) -> list[Restriction]:
        found = read_conditions(self._blank, start, end, self._reading.things_in(start, end), self._lexicon)
        return [r for r in found if isinstance(r.guard, Interval) and r.guard.axis is Axis.AGE and r.guard.high is not None and r.guard.term is None]

    def _advice(self, axis: str, place: tuple[int, int], action: Action, strength: Strength, limits: tuple[Restriction, ...], part: FactsPart | None) -> Draft:
        return Draft(
            self._reading,
            "population_advice",
            Target(mint(EntityType.POPULATION, "pharmgraph", axis), _POPULATION[axis]),
            place,
            place,
            (Step(action),),
            limits=limits,
            heading=(part.at, part.start) if part is not None and part.at != place[0] else None,
            strength=strength,
        )

    def _draft(
        self, predicate: str, part: FactsPart, target: Target, place: tuple[int, int], statement: tuple[int, int], limits: tuple[Restriction, ...]
    ) -> Draft:
        action, strength = self._book.parts[part.heading]
        return Draft(self._reading, predicate, target, place, statement, (Step(action),), limits=limits, heading=(part.at, part.start), strength=strength)
