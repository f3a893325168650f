"""The verdict on an order's dose: regimens are selected, each adjustment that applies must be respected, and a missing datum counts where it decides.

Of the rules that apply, those for a kind of patient (renal function, age, a co-medication ...) bind over those for everybody; rules that stand
side by side are alternatives, and the order is right if it fits one. An UNKNOWN guard is a gap if judging with it true gives another verdict
than judging with it false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from msgspec import structs

from cds_service.audit.clinical import table
from cds_service.audit.pest.amounts import OrderedAmounts
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.compare import Comparison, Fit, compare, settle
from cds_service.audit.pest.guards import Family, families, implies
from cds_service.audit.pest.salts import AS_ORDERED, as_read
from ontology.model.claims import Strength
from ontology.model.dosing import PhaseKind
from ontology.model.entities import EntityType
from ontology.model.guards import Interval, Opaque, Truth, leaves
from ontology.store.records import Rule

BEGINNING = frozenset({PhaseKind.STARTING, PhaseKind.LOADING})
_GOES_ON = frozenset({PhaseKind.TITRATION, PhaseKind.MAINTENANCE, PhaseKind.ADJUSTED})
"""Phases of a treatment under way: words that may hold of it excuse no first dose."""
_STEP = Decimal(2)
WRONG = frozenset({Fit.OVER, Fit.UNDER, Fit.TOO_OFTEN})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the order lies to the rules selected; `lead` is the rule that binds, `family` the kind of patient it is for (None: everybody)."""

    comparison: Comparison
    lead: Applied | None = None
    family: Family | None = None

    @property
    def fit(self) -> Fit:
        """The fit."""
        return self.comparison.fit


def _as_it_stands(_: Rule) -> tuple[Decimal, ...]:
    return (AS_ORDERED,)


@dataclass(frozen=True)
class Question:
    """What the verdict is asked of: the order, what each rule allows, the rounding tolerance, whether the drug is being started.

    `readings` are the numbers that make the order's milligrams those of a rule.
    """

    ordered: OrderedAmounts
    bands: Mapping[str, list[Band]]
    tolerance: Decimal
    starting: bool
    readings: Callable[[Rule], tuple[Decimal, ...]] = _as_it_stands
    _compared: dict[str, Comparison] = field(default_factory=dict)

    def compare(self, a: Applied) -> Comparison:
        """The order beside one rule, worked out once; where its milligrams may be read in two ways, it fits when one of them does."""
        found = self._compared.get(a.rule.key)
        if found is None:
            bands = self.bands.get(a.rule.key, ())
            read = [compare(structs.replace(self.ordered, given=as_read(self.ordered.given, by)), bands, self.tolerance) for by in self.readings(a.rule)]
            found = self._compared[a.rule.key] = next((c for c in read if c.fit is Fit.FITS), read[0])
        return found


def judge_regimens(question: Question, rules: Iterable[Applied], assumed: Applied | None = None) -> Verdict:
    """The verdict on rules whose data are known, with `assumed` taken as TRUE beside them."""
    known = [a for a in rules if a.judged]
    sure = [a for a in known if a.sure] + ([assumed] if assumed else [])
    possible = known + ([assumed] if assumed else [])
    if question.starting:
        possible = [a for a in possible if not _only_titrates(a) or (a.sure and not any(_starts(b, a) for b in sure))]
        sure = [a for a in sure if not (_only_titrates(a) and any(_starts(b, a) and b.rule.guard == a.rule.guard for b in sure))]
    sure, possible = _of_the_use(sure), _of_the_use(possible)
    for family in sorted({f for a in sure for f in families(a.rule.guard)}, key=lambda f: f.rank):
        verdict = _of_family(question, family, sure, possible)
        if verdict is not None:
            return verdict
    compared = [(a, c) for a in possible if (c := question.compare(a)).fit is not Fit.NONE and not (only_begins(a) and _is_step(question, c))]
    return _settled(compared, None)


def _is_step(question: Question, c: Comparison) -> bool:
    """True where a dose above a starting dose may be a later step: in a treatment under way, and up to twice the start in a new one.

    Where the label says for how many days the starting dose is given, a new order that does not begin with it is none.
    """
    if c.fit is not Fit.OVER or not question.starting:
        return c.fit is Fit.OVER
    stays = c.band is not None and c.band.days_high is not None and not question.ordered.changing
    return c.ratio <= _STEP and not stays


def _of_family(question: Question, family: Family, sure: list[Applied], possible: list[Applied]) -> Verdict | None:
    """The verdict of the rules for one kind of patient where the order breaks them all; None where it fits one or they say nothing."""
    own = [a for a in sure if family in families(a.rule.guard)]
    own = _narrowest(own)
    own = _first_steps(question, own) if question.starting else [a for a in own if not only_begins(a)]
    compared = [(a, c) for a in own if (c := question.compare(a)).fit is not Fit.NONE]
    verdict = _settled(compared, family)
    if verdict.fit not in (Fit.OVER, Fit.TOO_OFTEN, Fit.OPEN):
        return None
    others = [a for a in possible if a not in own]
    if question.starting and all(only_begins(a) for a, _ in compared):
        others = [a for a in others if a.sure or not _phases(a) or not (_phases(a) <= _GOES_ON or _follows_a_trial(a))]
    if any(a.use is Truth.TRUE for a in own):
        others = [a for a in others if (a not in sure and family in families(a.rule.guard)) or any(_beside(a, o) for o in own)]
    else:  # the order may be for another use than these rules are for
        others = [a for a in others if a.rule.object not in {o.rule.object for o in own} or a not in sure]
    return None if any(question.compare(a).fit in (Fit.FITS, Fit.UNDER) for a in others) else verdict


def _follows_a_trial(a: Applied) -> bool:
    """True for a dose in words for those whom an earlier dose did not help enough: a new order is none of theirs."""
    said = [leaf.text.casefold() for leaf in leaves(a.rule.guard) if isinstance(leaf, Opaque)]
    return any(w in text for text in said for w in table("doses")["after_a_trial"]["words"])


def _first_steps(question: Question, rules: list[Applied]) -> list[Applied]:
    """The rules of a new order without those whose dose it is raised to: ranges of which another rule starts with the least dose ("5 to 10 mg; start
    with 5 mg"), and what may do for patients whom another rule tells how to start ("start with 25 mg; 100 mg may be adequate").
    """

    def begun(h: Applied) -> bool:
        before = [g for g in rules if g is not h and only_begins(g) and g.rule.object == h.rule.object]
        return any(_is_lower_end(question, g, h) or (_may_do(h) and not _may_do(g) and g.rule.guard == h.rule.guard) for g in before)

    return [h for h in rules if not begun(h)]


def _may_do(a: Applied) -> bool:
    """True for a dose that the label leaves to the prescriber."""
    return a.rule.strength not in (Strength.MUST, Strength.SHOULD)


def _is_lower_end(question: Question, g: Applied, h: Applied) -> bool:
    """True where every amount of `g` is a single one, and the least of the range that `h` allows."""
    first, ranged = question.bands.get(g.rule.key, ()), question.bands.get(h.rule.key, ())
    ends = [(b.dimension, *_day_or_dose(b)) for b in ranged]
    return (
        bool(first)
        and bool(ends)
        and all(
            low is not None
            and low == high
            and all(low == least and most is not None and least is not None and least < most for d, least, most in ends if d == b.dimension)
            for b in first
            for low, high in [_day_or_dose(b)]
        )
    )


def _day_or_dose(b: Band) -> tuple[Decimal | None, Decimal | None]:
    """The ends of what a band allows a day, else a dose; an amount without a lower end is its upper one."""
    low, high = (b.daily_low, b.daily_high) if b.daily_high is not None else (b.single_low, b.single_high)
    return (high if low is None else low), high


def _narrowest(rules: list[Applied]) -> list[Applied]:
    """The rules without those that another one implies and does not equal, use and kind of phase being the same."""

    def beaten(h: Applied) -> bool:
        return any(
            g is not h and g.rule.object == h.rule.object and implies(g.rule.guard, h.rule.guard) and not implies(h.rule.guard, g.rule.guard) for g in rules
        )

    return [h for h in rules if not beaten(h)]


def _beside(a: Applied, own: Applied) -> bool:
    """True for rows of one table that overlap: both hold, on the same axes, and neither is the narrower."""
    if a.truth is not Truth.TRUE or a.rule.object != own.rule.object or _phases(a) != _phases(own):
        return False
    axes, others = ({(leaf.axis, leaf.detail) for leaf in leaves(x.rule.guard) if isinstance(leaf, Interval)} for x in (a, own))
    alike = len(leaves(a.rule.guard)) == len(leaves(own.rule.guard)) and axes == others and bool(axes)
    return alike and not implies(own.rule.guard, a.rule.guard) and not implies(a.rule.guard, own.rule.guard)


def _of_the_use(rules: list[Applied]) -> list[Applied]:
    """The rules for the very use of the order beside those for any use; where no rule is for its use, all."""
    if any(a.use is Truth.TRUE and a.rule.object.type != EntityType.POPULATION for a in rules):
        return [a for a in rules if a.use is Truth.TRUE]
    return rules


def _settled(compared: list[tuple[Applied, Comparison]], family: Family | None) -> Verdict:
    if not compared:
        return Verdict(Comparison(Fit.NONE), None, family)
    outcome = settle([c for _, c in compared])
    lead = next((a for a, c in compared if c is outcome), compared[0][0])
    return Verdict(outcome, lead, family)


def _phases(a: Applied) -> frozenset[PhaseKind]:
    phases = getattr(a.rule.payload, "phases", ())
    return frozenset(p.kind for p in phases)


def only_begins(a: Applied) -> bool:
    """True for a rule that states nothing but how to start."""
    return bool(_phases(a)) and _phases(a) <= BEGINNING


def _starts(b: Applied, a: Applied) -> bool:
    """True when `b` is how the treatment that `a` goes on with is begun."""
    return only_begins(b) and b.use is Truth.TRUE and b.rule.object == a.rule.object


def _only_titrates(a: Applied) -> bool:
    return bool(_phases(a)) and _phases(a) <= {PhaseKind.TITRATION, PhaseKind.MAINTENANCE}
