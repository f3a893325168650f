"""The conditions on the patient that a sentence about a pair states: those that its own reader finds, and what only an axis holds besides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.conditions.reader import read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction, exposure, restrictions
from kb_builder.propose.interactions.alternatives import limiting
from kb_builder.propose.reading.blocks import Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState, Whose
from ontology.model.guards import AllOf, Category, Exposure, Guard, HasCondition, Interval, Not, Opaque, leaves
from ontology.model.identifiers import EntityId

_CAUSE = re.compile(r"\b(?:related|due|attributed|compared) (?:to|with)\s+(?:\w+\s+)?$|\brisk of\s+$", re.IGNORECASE)
_RISK_FACTORS = re.compile(r"\brisk factors?\b(?: for [^.;:]{2,80}?)?(?:\s+include\b|\s+are\b|\s*:)", re.IGNORECASE)
"""Opens a list in which taking a drug stands beside age and states: each alone is a risk."""
_OF_PATIENTS = re.compile(
    r"(?:^\W*|\b(?:treatment|use) (?:of|in) )patients with (?P<state>[^,;.()\x01]{3,80}?)\s+(?=(?:should|must|with|need)\b)", re.IGNORECASE
)
_DAY_OF = re.compile(r"\bon the day of (?:the )?(?:planned |scheduled )?(?:surgery|procedure|operation)\b", re.IGNORECASE)
_INTOLERANCE = re.compile(r"\b(?:sensitivity|hypersensitivity|allergy|intolerance)$", re.IGNORECASE)
_DOSE = re.compile(r"\s*\(\s*\d[\d.,]*\s*m?c?g\b[^()]*\)", re.IGNORECASE)
_WHOSE_ROW = re.compile(r"\s*\((?P<who>(?:in|for)\s+(?:patients|those|adults|children|women|men)\b[^()]{3,120})\)", re.IGNORECASE)
_SUCH_ROW = re.compile(
    r"\s*\((?P<words>(?:more than|greater than|less than|other than|except|excluding|(?:when\s+)?used (?:for|in|as)|for(?! example| magnitude| more| details| further))\s[^()]{3,90})\)",
    re.IGNORECASE,
)
"""Which use of the drug a row means: one for a disease, one of more than a single dose."""
_LOWERED_BEFORE = re.compile(
    r"\W*(?:(?:patients|who|have|has|already|previously)\s+)*(?:had|undergone)\s+(?:an?\s+)?(?:prior\s+|previous\s+)?(?:dose|dosage)\s+reductions?\b",
    re.IGNORECASE,
)
_SMOKERS = re.compile(r"(?:[\w-]+ )?smokers$", re.IGNORECASE)
_IN_THOSE = re.compile(r"\b(?:in|for|among)\s+(?:(?:heavy|current|habitual|cigarette|tobacco)\s+)*$", re.IGNORECASE)


class PairLimits:
    """Finds them sentence by sentence, each sentence once."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._lexicon = lexicon
        self._found: dict[tuple[int, int, bool], tuple[Restriction, ...]] = {}

    def of(self, statement: Statement, *, asks: bool) -> tuple[Restriction, ...]:
        """The restrictions of a sentence, in order of finding; those on an axis alone where it `asks` for something and does not only tell."""
        if _RISK_FACTORS.search(self._reading.blank, statement.start, statement.end) is not None:
            return ()
        place = (statement.start, statement.end, asks)
        if place not in self._found:
            own = restrictions(self._reading.blank, statement.start, statement.end, statement.things)
            found = limiting(self._reading.blank, (*own, *self._beside(statement, own)) if asks else own)
            self._found[place] = tuple(_after_own_dose(one, statement) for one in found)
        return self._found[place]

    def _beside(self, statement: Statement, own: list[Restriction]) -> Iterator[Restriction]:
        """What an axis of the patient holds where nothing was found: kidney replacement, genotype, descent, age by words."""
        blank = self._reading.blank
        yield from _smokers(blank, statement)
        read = [
            one
            for one in read_conditions(blank, statement.start, statement.end, statement.things, self._lexicon)
            if _CAUSE.search(blank, max(0, one.start - 40), one.start) is None
            and _on_axis(one.guard)
            and not any(o.start < one.end and one.start < o.end for o in own)
        ]
        yield from _subjects(blank, statement, [*own, *read])
        yield from read
        for m in _DAY_OF.finditer(blank, statement.start, statement.end):
            yield Restriction(Opaque(m[0]), *m.span())


def _after_own_dose(one: Restriction, statement: Statement) -> Restriction:
    """The restriction; a dose that was lowered before asks for an earlier order of the product ("patients who have had a dose reduction to 100 mg")."""
    own = next((t.targets[0].id for t in statement.things if t.own and t.type == EntityType.INGREDIENT), None)
    if own is None or not isinstance(one.guard, Opaque) or _LOWERED_BEFORE.match(one.guard.text) is None:
        return one
    return replace(one, guard=AllOf((Exposure(own, whose=Whose.PARTNER), one.guard)))


def _smokers(blank: str, statement: Statement) -> Iterator[Restriction]:
    """People told by a habit that the vocabulary holds as a state ("in heavy smokers")."""
    for thing in statement.things:
        if thing.kind is Kind.STATE and _SMOKERS.match(blank, thing.start, thing.end) and _IN_THOSE.search(blank, statement.start, thing.start):
            target = thing.targets[0]
            yield Restriction(HasCondition(target.id, target.words, ConditionState.ACTIVE), thing.start, thing.end)


def _subjects(blank: str, statement: Statement, own: list[Restriction]) -> Iterator[Restriction]:
    """Patients with a state of whom a sentence speaks as its subject ("Patients with aspirin sensitivity should ...", "treatment of patients with X with ...")."""
    for m in _OF_PATIENTS.finditer(blank[statement.start : statement.end]):
        start, end = statement.start + m.start("state"), statement.start + m.end("state")
        named = [t for t in statement.things if start <= t.start < end]
        if any(r.start < end and start < r.end for r in own) or (any(t.kind is Kind.PARTNER for t in named) and _INTOLERANCE.search(m["state"]) is None):
            continue
        whole = next((t for t in named if t.kind is Kind.STATE and t.type == EntityType.CONDITION and (t.start, t.end) == (start, end)), None)
        guard = Opaque(" ".join(m["state"].split())) if whole is None else HasCondition(whole.targets[0].id, whole.targets[0].words, ConditionState.ACTIVE)
        yield Restriction(guard, start, end)


def label_limits(reading: Reading, lexicon: Lexicon, heading: tuple[int, int], thing: Thing, target: EntityId) -> Iterator[Restriction]:
    """What the name of a row says of whom it means ("colchicine (in patients with renal impairment)"), and of the dose where other rows tell of others."""
    start, end = heading
    if not (start <= thing.start and thing.end <= end):
        return
    who = _WHOSE_ROW.match(reading.blank, thing.end, end)
    if who is not None:
        yield from read_label_conditions(reading.blank, *who.span("who"), reading.things_in(*who.span("who")), lexicon)
    elif (such := _SUCH_ROW.match(reading.blank, thing.end, end)) is not None and all(
        t.kind is not Kind.PARTNER for t in reading.things_in(*such.span("words"))
    ):
        yield Restriction(Opaque(" ".join(such["words"].split())), *such.span("words"))
    told = {one.guard for b in reading.blocks if b.row for t in b.topics if target in t.ids if (one := _dose_of(reading.blank, t, target)) is not None}
    own = _dose_of(reading.blank, thing, target) if len(told) > 1 else None
    if own is not None:
        yield own


def _dose_of(blank: str, thing: Thing, target: EntityId) -> Restriction | None:
    """The dose that a row's name gives its drug ("efavirenz (400 mg every 24 hours)", "low-dose ritonavir")."""
    bracket = _DOSE.match(blank, thing.end, thing.end + 60)
    return exposure(blank, thing, target) if bracket is None else Restriction(Opaque(blank[thing.start : bracket.end()]), thing.start, bracket.end())


def _on_axis(guard: Guard) -> bool:
    """True for a guard of values and words of the patient alone."""
    return not isinstance(guard, Not) and all(isinstance(leaf, Interval | Category) for leaf in leaves(guard))
