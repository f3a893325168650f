"""Everything the dose check asks of one order: its amounts, the rules and limits that may apply, the verdict, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from msgspec import structs

from cds_service.audit.checks.protocol import Case
from cds_service.audit.evidence import Statement
from cds_service.audit.judgement import borne_out
from cds_service.audit.ordered import ordered_doses
from cds_service.audit.pest.amounts import Given, OrderedAmounts, ordered_amounts
from cds_service.audit.pest.applicability import Applied, effective, unread
from cds_service.audit.pest.bands import Band, Usual, limit_value, regimen_bands
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.guards import AGES, CHILDHOOD, Family, Leaf, families, without
from cds_service.audit.pest.indications import STATED, Uses
from cds_service.audit.pest.limits import Excess, exceeded
from cds_service.audit.pest.salts import AS_ORDERED, Salt, as_read, readings, salt_of
from cds_service.audit.pest.sizes import BodySizes, multiplier
from cds_service.audit.pest.usual import is_fractional, part_taken_of, usual_dose
from cds_service.audit.pest.verdict import WRONG, Question, Verdict, judge_regimens
from cds_service.audit.profile import OrderFacts
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import OrderIntent, Retrieval
from ontology.model.dosing import Limit, Measure, Regimen
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Truth, evaluate
from ontology.model.identifiers import EntityId
from ontology.store.records import Rule

_CEILINGS = frozenset({Measure.DAY, Measure.SINGLE})
_MASS = "mass"


@dataclass(frozen=True)
class Dosing:
    """The dose question of one order. `for_others` says that the label has dose rules, none of them for this patient and use."""

    case: Case
    medication: Medication
    facts: OrderFacts
    uses: Uses
    sizes: BodySizes
    rules: tuple[Applied, ...]
    limits: tuple[Applied, ...]
    for_others: bool
    _listed: tuple[Statement, ...] = field(repr=False, default=())
    ingredient: EntityId | None = None

    @cached_property
    def ordered(self) -> OrderedAmounts:
        """What the order gives."""
        return _amounts(self.medication, self.sizes, self.ingredient)

    @cached_property
    def _summed(self) -> EntityId | None:
        """The ingredient whose amounts in several orders add up: the one asked about, or the order's only one."""
        return self.ingredient or (next(iter(self.medication.ingredients)) if len(self.medication.ingredients) == 1 else None)

    @cached_property
    def _same(self) -> tuple[Medication, ...]:
        """The other orders taken beside this one that hold its ingredient."""
        mine, summed = self.medication, self._summed
        taken = self.case.roster.taken if summed is not None else ()
        return tuple(m for m in taken if m.reference != mine.reference and summed in m.ingredients and m.systemic and not _instead(m, mine))

    @cached_property
    def totals(self) -> dict[str, Given]:
        """What all orders of the ingredient give in a day; others whose amount is not known are left out."""
        total = dict(self.ordered.given)
        for other in self._same:
            amounts = _amounts(other, self.sizes, self._summed)
            for dimension, given in amounts.given.items():
                mine = total.get(dimension)
                if mine is not None and mine.daily_high is not None and given.daily_high is not None:
                    total[dimension] = Given(
                        mine.single_low, mine.single_high, mine.daily_low, mine.daily_high + given.daily_high, mine.times, False, mine.words
                    )
        return total

    @cached_property
    def bands(self) -> dict[str, list[Band]]:
        """What each rule allows, by the rule's key."""
        return self._bands(self._usual() if self._fractions else None)

    @cached_property
    def _fractions(self) -> bool:
        """True when a rule states its dose as a part of the usual one."""
        return any(isinstance(a.rule.payload, Regimen) and is_fractional(a.rule.payload) for a in self.rules)

    def _bands(self, usual: Usual | None) -> dict[str, list[Band]]:
        return {
            a.rule.key: regimen_bands(a.rule.payload, self.sizes, part_taken_of(a.statement, usual)) for a in self.rules if isinstance(a.rule.payload, Regimen)
        }

    @cached_property
    def question(self) -> Question:
        """What the verdict is asked of."""
        return Question(self.ordered, self.bands, self._tolerance, self.starting, self._readings)

    def _question_for(self, use: EntityId) -> Question:
        """The question were the order for this use: parts of the usual dose are parts of its usual dose."""
        return replace(self.question, bands=self._bands(self._usual(use)), _compared={}) if self._fractions else self.question

    @cached_property
    def _tolerance(self) -> Decimal:
        """By how much a dose by weight or surface may lie above the label's."""
        return self.case.site.tolerance(self.medication.ingredients, self.case.knowledge.terminology)

    @cached_property
    def starting(self) -> bool:
        """True when the drug is being started."""
        return is_started(self.case, self.medication)

    def verdict(self, assumed: Applied | None = None) -> Verdict:
        """The verdict on the dose rules, with `assumed` taken as TRUE."""
        return judge_regimens(self.question, self.rules, assumed)

    def is_wrong(self, verdict: Verdict, use: EntityId | None = None) -> bool:
        """True when the verdict, for the use given or whatever the order is for, is a finding.

        A dose above what is usual is none where the label states a ceiling that it respects, for one of the uses where any may be meant; too low a
        dose is one only where nothing speaks for it.
        """
        if verdict.fit is Fit.OVER and any(self._ceiling_kept(verdict, use) for use in self._uses_meant(use)):
            return False
        if verdict.fit is not Fit.UNDER:
            return verdict.fit in WRONG
        spared = self.ordered.as_needed or self.ordered.changing or self.starting or any(g.once for g in self.ordered.given.values())
        return not spared and not self.uses.open_ and all(a.outcome.truth is Truth.TRUE and a.use is Truth.TRUE for a in self.rules)

    def _uses_meant(self, use: EntityId | None) -> Iterable[EntityId | None]:
        """The use itself; where none is given and any may be meant, every one that the label states a ceiling for, else None for all together."""
        limited = {a.rule.object for a in self.limits if a.rule.object.type != EntityType.POPULATION}
        return sorted(limited) if use is None and limited and self.uses.open_ and self.uses.how != STATED else (use,)

    def _ceiling_kept(self, verdict: Verdict, use: EntityId | None) -> bool:
        """True when the label states a highest daily or single dose for patients of this kind, and the order is not above any that may hold.

        What patients are started on because of an impairment or another drug is not excused by what they may be raised to, and an amount not by a
        count of tablets, which may be of any strength.
        """
        family, band = verdict.family, verdict.comparison.band
        if self.starting and family not in (None, CHILDHOOD):
            return False
        held = [a for a in self.limits if use is None or a.rule.object in (use, _everybody(a))]
        stated = [a for a in held if a.judged and isinstance(a.rule.payload, Limit) and a.rule.payload.measure in _CEILINGS]
        stated = [a for a in stated if family is None or family in families(a.rule.guard)]
        values = [limit_value(a.rule.payload, self.sizes) for a in stated if isinstance(a.rule.payload, Limit)]
        measured = {band.dimension, _MASS} if band is not None else {_MASS}
        known = [value for value in values if value is None or (not value[3] and value[0] in measured)]
        return bool(known) and not any(e.applied.judged for e in self.excesses() if e.applied in held)

    @cached_property
    def _salt(self) -> Salt | None:
        return salt_of(self.medication)

    def _readings(self, rule: Rule) -> tuple[Decimal, ...]:
        """The numbers that make the order's milligrams those of a rule: of the salt, or of its base."""
        return readings(self._salt, rule, self.medication, self.ordered)

    def excesses(self) -> list[Excess]:
        """The limits that the order is above, however its milligrams are read."""
        if self._salt is None:
            return self._exceeded(AS_ORDERED)
        read = {a.rule.key: self._readings(a.rule) for a in self.limits}
        above = {by: self._exceeded(by) for by in {by for numbers in read.values() for by in numbers}}
        return [e for by, found in above.items() for e in found if (own := read[e.applied.rule.key])[0] == by and all(_is_of(e, above[other]) for other in own)]

    def _exceeded(self, by: Decimal) -> list[Excess]:
        ordered = self.ordered if by == AS_ORDERED else structs.replace(self.ordered, given=as_read(self.ordered.given, by))
        return exceeded(self.limits, ordered, as_read(self.totals, by), self.sizes, self.facts, self._tolerance)

    def lacking(self) -> frozenset[str]:
        """What the order does not say and the verdict hangs on; empty where its amounts can be compared."""
        missing = self.ordered.missing
        if not missing or self.ordered.as_needed or any(g.once for g in self.ordered.given.values()):
            missing = missing - {"frequency"}
        if missing & {"drug-identity", "dose"} and self.ordered.given and self.verdict().fit is not Fit.NONE:
            missing = missing - {"drug-identity", "dose"}
        return missing if self._dosed() else frozenset()

    def deciding(self, verdict: Verdict) -> list[Applied]:
        """The rules whose guard hangs on a missing datum, where the verdict would be another one were it met.

        Where no rule is known to apply, they decide when they do not all say the same. A laboratory value does not decide a rule that hangs on words
        too which only a person can judge and the record does not bear out: what is done once a reaction has come about.
        """
        open_ = [(a, self.verdict(a)) for a in self.rules if a.needs and not _hangs_on_words_too(a, self.case)]
        if verdict.fit is Fit.NONE and not self._dosed_for_sure:
            fits = {v.fit for _, v in open_} - {Fit.NONE}
            return [a for a, v in open_ if v.fit is not Fit.NONE] if len(fits) > 1 or Fit.OPEN in fits else []
        return [a for a, v in open_ if self.is_wrong(v) != self.is_wrong(verdict) and v.fit is not Fit.UNDER]

    def use_decides(self) -> bool:
        """True when the order does not say what it is for, and its dose is right for one labelled use and wrong for another."""
        if not self.uses.open_ or self.uses.how == STATED:
            return False
        uses = {a.rule.object for a in self.rules if a.rule.object.type != EntityType.POPULATION}
        verdicts = [(use, judge_regimens(self._question_for(use), [a for a in self.rules if a.rule.object in (use, _everybody(a))])) for use in uses]
        return len({self.is_wrong(v, use) for use, v in verdicts if v.fit is not Fit.NONE}) > 1

    @cached_property
    def _dosed_for_sure(self) -> bool:
        """True when a rule that surely applies states an amount."""
        return any(a.sure and self.bands.get(a.rule.key) for a in self.rules)

    def unanimous(self, verdict: Verdict) -> Verdict:
        """The verdict itself, or where no rule is known to apply and every one that may says that the dose is too high, that."""
        if verdict.fit is not Fit.NONE or self._dosed_for_sure:
            return verdict
        others = [v for a in self.rules if a.needs and (v := self.verdict(a)).fit is not Fit.NONE]
        wrong = bool(others) and all(v.fit in (Fit.OVER, Fit.TOO_OFTEN) for v in others)
        return min(others, key=lambda v: v.comparison.ratio) if wrong else verdict

    def families(self, a: Applied) -> frozenset[Family]:
        """The kinds of patient that a rule is for."""
        return families(a.rule.guard)

    def others(self, measure: Measure) -> list[str]:
        """The other orders that a day's sum counts."""
        return [m.order.text or m.called for m in self._same] if measure in (Measure.DAY, Measure.WEEK) else []

    def outside(self) -> str | None:
        """What of the patient or order the label gives no dose for, in words; None where one of its dose rules may hold."""
        if not self.for_others:
            return None
        guards = [s.rule.guard for s in self._listed]
        if all(evaluate(effective(without(g, _is_not_age)), self.facts).truth is Truth.FALSE for g in guards):
            return "patients of this age"
        return "this use" if any(evaluate(effective(g), self.facts).truth is not Truth.FALSE for g in guards) else "a patient like this one"

    def partner_of(self, exposures: Iterable[Exposure]) -> str | None:
        """The name of the order that meets one of the exposures."""
        for leaf in exposures:
            for m in self.case.roster.taken:
                if m.reference != self.medication.reference and leaf.target in m.closure:
                    return m.called
        return None

    def _dosed(self) -> bool:
        return bool(self.bands or self.limits)

    def _usual(self, only: EntityId | None = None) -> Usual | None:
        return usual_dose(self._listed, self.facts, self.uses, self.sizes, only)


def is_started(case: Case, medication: Medication) -> bool:
    """True when an order starts its drug: it is no renewal, and nothing in a medication list read whole holds it."""
    known = case.profile.retrieval("medications") not in (Retrieval.NOT_RETRIEVED, Retrieval.INCOMPLETE)
    earlier = (m for m in (*case.roster.current, *case.roster.recent) if m.ingredients & medication.ingredients)
    return known and medication.order.intent is not OrderIntent.RENEWAL and next(earlier, None) is None


def _everybody(a: Applied) -> EntityId | None:
    """The rule's object where it is for any use."""
    return a.rule.object if a.rule.object.type == EntityType.POPULATION else None


def _amounts(medication: Medication, sizes: BodySizes, ingredient: object = None) -> OrderedAmounts:
    own = next((i for i in medication.ingredients if ingredient is None or i == ingredient), None)
    if own is None or (ingredient is None and len(medication.ingredients) > 1):
        own = medication.drug.subject
    return ordered_amounts(ordered_doses(medication.order, own), lambda per: multiplier(sizes, per))


def _hangs_on_words_too(a: Applied, case: Case) -> bool:
    """True where laboratory values are all that is missing beside words that nothing in the record bears out."""
    return unread(a) and all(n.startswith("lab:") for n in a.needs) and not borne_out(a.guard, case.profile)


def _instead(other: Medication, mine: Medication) -> bool:
    """True for orders of which one is given instead of the other."""
    grouped = other.order.group is not None and other.order.group == mine.order.group
    return OrderIntent.ALTERNATIVE in (other.order.intent, mine.order.intent) or (grouped and other.order.route != mine.order.route)


def _is_of(e: Excess, found: Iterable[Excess]) -> bool:
    """True where one of those found is of the same limit."""
    return any(other.applied is e.applied for other in found)


def _is_not_age(leaf: Leaf) -> bool:
    return getattr(leaf, "axis", None) not in AGES
