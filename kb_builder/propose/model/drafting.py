"""Relations as proposals. Code resolves the object, reads the conditions and the doses of the sentence itself, and takes from the model
only which statement is made of which thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib.resources import files

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.model.relations import DoseItem, Named, Relation
from kb_builder.propose.protocol import Dropped, Proposal, Subject
from kb_builder.propose.reading.blocks import Reading, read_section
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, Thing, ThingFinder, uncoded
from ontology.model.advice import Step
from ontology.model.claims import Provenance, Strength
from ontology.model.dosing import Amount, Limit, LimitScope, Phase, PhaseKind, Regimen
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import Guard, HasCondition, Opaque
from ontology.model.identifiers import EntityId
from ontology.model.predicates import PREDICATES, PayloadKind
from ontology.model.quantities import Unit
from ontology.text.document import Document
from ontology.text.doses import DosePhrase, read_doses
from ontology.text.mentions import words_key

_EVERYONE = "all patients"
_HOURS = Decimal(24)


class Drafter:
    """Makes proposals about one document out of relations."""

    def __init__(self, document: Document, subject: Subject, lexicon: Lexicon, finder: ThingFinder, provenance: Provenance) -> None:
        self._document = document
        self._subject = subject
        self._lexicon = lexicon
        self._finder = finder
        self._provenance = provenance

    def proposals(self, relation: Relation) -> Iterator[Proposal | Dropped]:
        """The claims that a relation makes: one, or one for each dose it points to."""
        reading = read_section(relation.passage.section, self._finder)
        target = self._target(relation, reading)
        if isinstance(target, Dropped):
            yield target
            return
        limits = tuple(r for r in self._limits(relation, reading) if not is_object(r.guard, target.id))
        kinds = PREDICATES[relation.predicate].payloads
        place = (relation.object.start, relation.object.end) if relation.object is not None else relation.statement
        draft = Draft(
            reading=reading,
            predicate=relation.predicate,
            target=target,
            place=place,
            statement=relation.statement,
            limits=limits,
            polarity=relation.polarity,
            strength=relation.strength,
        )
        if kinds & {PayloadKind.REGIMEN, PayloadKind.LIMIT}:
            drafts = list(_dosed(draft, relation, reading))
        elif relation.action is None and relation.predicate != "indicated_for":
            drafts = [Dropped("relation without an action")]
        else:
            steps = (Step(relation.action, relation.whose),) if relation.action is not None and relation.predicate != "indicated_for" else ()
            drafts = [replace(draft, steps=steps, strength=Strength.SHOULD if relation.predicate == "indicated_for" else relation.strength)]
        for each in drafts:
            if isinstance(each, Dropped):
                yield each
                continue
            yield propose_draft(each, self._document, self._subject, self._provenance) or Dropped("relation that makes no valid claim")

    def _target(self, relation: Relation, reading: Reading) -> Target | Dropped:
        """What the relation is about: the lexicon's entity for the words, else the words alone under the model's type."""
        if relation.object is None:
            everyone = self._lexicon.lookup(_EVERYONE, frozenset({EntityType.POPULATION}))
            return Target(everyone[0], "") if everyone else Dropped("relation without an object")
        words = reading.shadow.text[relation.object.start : relation.object.end]
        if words_key(words) in _general() or sum(c.isalpha() for c in words) < 3:
            return Dropped("relation about nothing in particular")
        thing = _same_thing(relation.object, reading)
        if thing is not None and thing.own and relation.predicate != "contraindicated_in":
            return Dropped("relation about the label's own drug")
        if thing is not None and len(thing.targets) == 1:
            return replace(thing.targets[0], words=words)
        found = self._lexicon.lookup(words, PREDICATES[relation.predicate].range)
        return Target(self._lexicon.ingredient_of(found[0]), words) if found else uncoded(relation.object.type, words)

    def _limits(self, relation: Relation, reading: Reading) -> tuple[Restriction, ...]:
        """What code reads as conditions in the sentence, and the model's phrases that none of them covers, as they stand."""
        start, end = relation.statement
        read = read_conditions(reading.shadow.text, start, end, reading.things_in(start, end), self._lexicon)
        covered = [(r.start, r.end) for r in read]
        if relation.object is not None:
            covered.append((relation.object.start, relation.object.end))
        more = [
            Restriction(Opaque(" ".join(reading.shadow.text[a:b].split())), a, b)
            for a, b in relation.conditions
            if not any(s <= a and b <= e for s, e in covered)
        ]
        return (*read, *more)


def is_object(guard: Guard, target: EntityId) -> bool:
    """True for a guard that only repeats the object: having the very condition that the claim is about."""
    return isinstance(guard, HasCondition) and guard.concept == target and guard.state is ConditionState.ACTIVE


def _dosed(draft: Draft, relation: Relation, reading: Reading) -> Iterator[Draft | Dropped]:
    """One draft for each dose that the model points to and code reads with the same amount and timing in the sentence."""
    phrases = read_doses(reading.shadow.text, *relation.statement)
    if not relation.doses:
        yield Dropped("relation about doses without a dose")
    for dose in relation.doses:
        phrase = next((p for p in phrases if _says(p, dose)), None)
        if phrase is None:
            yield Dropped("dose that code does not read in its sentence")
        elif (phrase.bound is None) != (relation.predicate == "has_dose_rule"):
            yield Dropped("dose taken for a maximum, or a maximum for a dose")
        elif phrase.bound is not None:
            if len(phrase.amounts) != 1:
                yield Dropped("dose that code does not read in its sentence")
                continue
            yield replace(draft, payload=Limit(phrase.bound, LimitScope.PRODUCT, phrase.amounts[0]))
        else:
            phase = Phase(
                phrase.phase or PhaseKind.USUAL,
                phrase.amounts,
                phrase.frequency,
                phrase.days_low,
                phrase.days_high,
                phrase.until,
                phrase.rate,
                phrase.concentration,
                increment=phrase.increment,
            )
            yield replace(draft, payload=Regimen((phase,)))


def _says(phrase: DosePhrase, dose: DoseItem) -> bool:
    """True when the phrase has this amount, and the timing too where the model gives one."""
    unit = Unit.find(dose.unit.strip()) or Unit.find(dose.unit.strip().lower())
    if unit is None or (dose.low is None and dose.high is None):
        return False
    if not any(_amount_says(a, dose, unit.code) for a in phrase.amounts):
        return False
    times, hours = dose.times_a_day, dose.every_hours
    if times is None and hours is None:
        return True
    frequency = phrase.frequency
    if frequency is None:
        return False
    read = {t / frequency.period_days for t in (frequency.times_low, frequency.times_high) if t is not None}
    read |= {_HOURS / h for h in (frequency.every_hours_low, frequency.every_hours_high) if h}
    return (times is None or times in read) and (not hours or _HOURS / hours in read)


def _amount_says(amount: Amount, dose: DoseItem, unit: str) -> bool:
    low = dose.low if dose.low is not None else dose.high
    high = dose.high if dose.high is not None else dose.low
    printed = {amount.low, amount.high, *amount.choices} - {None}
    return amount.unit == unit and amount.basis is dose.basis and low in printed and high in printed


def _same_thing(named: Named, reading: Reading) -> Thing | None:
    """The thing that is exactly what the model named; None where it named more or less than a thing."""
    words = words_key(reading.shadow.text[named.start : named.end])
    return next((t for t in reading.things_in(named.start, named.end) if words_key(reading.shadow.text[t.start : t.end]) == words), None)


@cache
def _general() -> frozenset[str]:
    data = tomllib.loads(files("kb_builder.propose.model").joinpath("objects.toml").read_text(encoding="utf-8"))
    return frozenset(words_key(words) for words in data["words"])
