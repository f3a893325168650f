"""Sentences that forbid or advise against a product, or ask for caution, and name the patients: whom they mean and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb_builder.propose.conditions.pregnancy_weeks import weeks_of_pregnancy
from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.pointed import patients_before, points_back
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import State
from kb_builder.propose.interactions.partners import cast
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.frames import Found, find_frames, frame_book
from kb_builder.propose.reading.items import split_items
from kb_builder.propose.reading.things import Kind, Thing
from kb_builder.propose.reading.whom import find_patients
from ontology.model.advice import Action, Step
from ontology.model.claims import Basis, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis, Whose
from ontology.model.guards import Category, Opaque
from ontology.model.spans import SpanRole
from ontology.text.bounds import find_bounds

OWN_SECTION = "contraindications"
_POPULATION_SECTIONS = frozenset({"use_in_specific_populations", "geriatric_use", "pediatric_use"})
_EXPECTING = re.compile(r"pregnan", re.IGNORECASE)
_NAMES_PATIENTS = re.compile(
    r"patient|individual|person|people|women|men\b|male|child|infant|neonate|anyone|those|setting|presence|treat|manage|reliev|relief|revers|prevent|prophyla|to produc|production|emergenc|\buntil\b"
)
_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_NOT_OF_STATES = frozenset({"suspend", "alternative", "not-to-take", "reserve"})
_CARE = re.compile(r"caution|\bcare\b")
_AMOUNT = re.compile(
    r"\b(?:high|higher|large|low|lower|initial|loading|full|excessive|repeated|prolonged|long-term|chronic)[- ](?:\w+ )?(?:doses?|use|regimens?|treatment|therapy)\b"
    r"|\bas (?:an? |the )?(?:single|sole|only) (?:[\w-]+ )?(?:agent|drug|therapy|treatment)\b|\bas (?:a )?monotherapy\b|\bused alone\b",
    re.IGNORECASE,
)
_DOSED = re.compile(
    r"\b(?:dos(?:es?|ages?) (?:of|above|over|exceeding|(?:greater|higher|more) than) \d[^.;,()]{0,40}|\d[\d.,]*\s*m?c?g\b[^.;]{0,80}?\bdos(?:es?|ages?))\b",
    re.IGNORECASE,
)
"""The dose that is not for those patients."""
_WHEN = re.compile(
    r"\s*,?\s*(?:(?:only )?(?:if|when)\s+(?=\S)|(?=(?:unless|except)\s))(?P<words>[^.;()\x01]{3,160}(?:\.\d[^.;()\x01]*)?)(?<=\w)", re.IGNORECASE
)
_UNLESS = re.compile(r"\W*(?P<words>unless [^.;]{3,200}?),\s+(?=[\w-]+(?: [\w-]+)? (?:should|must)\b)", re.IGNORECASE)
_MORE_PATIENTS = re.compile(r",?\s+(?:because|due to)\b[^.;]{0,120}?\band\s+(?:to|in|for)\s+(?P<who>patients\s+(?:with|who)\b[^.;]+)", re.IGNORECASE)
"""More patients behind the reason why the first ones are named."""
_OF_USE = re.compile(r"\s+of\s+(?:the\s+)?(?:use|administration|treatment|therapy)\b")
_ANOTHER = re.compile(r"\W*(?:the\s+)?(?:administration|use)\s+of\b", re.IGNORECASE)
_FOLLOWING = re.compile(r"[^.;:]{0,30}?\bfollowing (?:[\w-]+ ){0,2}(?:conditions|disorders|states|diseases)\b[^.;:]{0,120}:\s*", re.IGNORECASE)
_LONGEST_ITEM = 8
_OBJECT = re.compile(r"\s+(?:(?:the|use|of|taking|any|other|concomitant|using)\s+)*", re.IGNORECASE)
_PREVENTED = re.compile(r"(?:prevent|prophylaxis)", re.IGNORECASE)
_TREATED = re.compile(r"\b(?:treat(?:ment)?|manage(?:ment)?|reversal|relie(?:f|ve))(?:\s+of)?\s+$", re.IGNORECASE)
_ALSO = re.compile(
    r"\s+who\s+(?P<words>(?:are|is|plan|intend|wish|may|might|could|have)\b[^.;()]{3,160}?)(?=\s+(?:unless|except)\b|\s*[.;(]|\s*$)", re.IGNORECASE
)
"""Behind the states of those patients: what else must be true of them."""
_OTHERS = re.compile(r"\b(?:or|and)\s+(?:in\s+|for\s+|to\s+)?(?:patients|those|individuals|persons|people|women)$", re.IGNORECASE)
"""Right before such a clause: it is of other patients than those named first ("with asthma, or in patients who have ...")."""
_DURING = re.compile(
    r"\b(?:during|in)\s+(?:the\s+)?(?:(?:first|second|third|last)\s+trimester\s+of\s+)?(?:pregnancy|lactation|breast-?\s?feeding)\b", re.IGNORECASE
)
_WATCH = frozenset({Action.CAUTION})
_TOGETHER = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|combin\w+|together|receiving|taking|treated with|with)\b")
_BEFORE_TAKING = re.compile(
    r"(?P<states>\bpatients with (?:(?!\bpatients\b)[^.;])+?)(?:,?\s+(?:and/or|and|or))?\s+patients (?:who are )?(?:receiving|taking)\b"
)
"""The states of a list that has lost its marks before its next item, patients who take something."""
_AND_IN_PATIENTS = re.compile(r",?\s\b(?:and|or|as well as)\s+in\s+(?:patients|individuals|those)\s+(?:with|who\s+have)\b")
"""The patients of a sentence that speaks of drugs first: "should be avoided in combination with X and in patients with Y"."""
_EITHER_WAY = re.compile(r"\b(?:alone or )?with or without\b")
"""Says of another drug that it makes no difference."""
_MEMBER = re.compile(r",?\s*\(?(?:including|such as|like|e\.g\.,?)\s+", re.IGNORECASE)
_SPARED = re.compile(r"\b(?:unless|except)\b|;")
_NOT_TOGETHER = re.compile(r"hypersensitiv|allerg|\bsensitivity|intolerance|reactions? (?:to|after)|alone or (?:with|in combination)")


_WOMEN = re.compile(r"\b(?:women|females|girls)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Besides:
    """What must be true of patients besides their states: where it begins behind the states, and where the words go on."""

    limits: tuple[Restriction, ...]
    cut: int
    end: int


class AdviceReader:
    """Reads the sentences of one section that advise against use in patients whom they name."""

    def __init__(self, reading: Reading, states: StateReader) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._states = states

    def read(self, block: Block, statement: Statement, *, stop_only: bool) -> Iterator[Draft]:
        """A sentence that advises against use in patients whom it names."""
        lower = _EITHER_WAY.sub(lambda m: " " * len(m[0]), self._blank[statement.start : statement.end].lower())
        if _NAMES_PATIENTS.search(lower) is None:
            return
        wanted = _STOP if stop_only else _STOP | _WATCH
        found = [
            f
            for f in find_frames(lower)
            if not f.negated
            and f.frame.action in wanted
            and f.frame.id not in _NOT_OF_STATES
            and (f.frame.action in _STOP or _CARE.search(lower[f.start : f.end]))
        ]
        partners = self._partners(statement, lower, found)
        if partners and _TOGETHER.search(lower) and not _NOT_TOGETHER.search(lower):
            alone = _BEFORE_TAKING.search(lower)
            if alone is not None:
                end = statement.start + alone.end("states")
                yield from self.read(block, replace(statement, end=end, things=tuple(t for t in statement.things if t.end <= end)), stop_only=stop_only)
            apart = _AND_IN_PATIENTS.search(lower, found[0].end)
            if alone is None and apart is not None and all(t.end <= statement.start + apart.start() for t in partners):
                yield from self.read(block, replace(statement, things=tuple(t for t in statement.things if t not in partners)), stop_only=stop_only)
            return
        own = any(t.own for t in statement.things)
        for frame in found[:1]:
            if lower.startswith("avoidance", frame.start) and _OF_USE.match(lower, frame.end) is None:
                continue
            if frame.frame.side == "right" and self._is_of_partner_behind(statement, statement.start + frame.end):
                continue
            place = find_patients(self._blank, statement, frame)
            told = patients_before(self._blank, block, statement, statement.start + frame.start) if place is None and points_back(lower) else None
            if told is not None:
                yield from self._pointed(block, statement, frame, *told)
                continue
            if (
                place is None
                or self._of_partner(statement, frame.start)
                or (not own and any(t.start < place[0] and t.type != EntityType.LIFESTYLE for t in partners))
            ):
                continue
            also = self._also(statement, place, statement.start + frame.start)
            goes_on = place[1] if also is None else also.end
            place = (place[0], place[1] if also is None else min(place[1], also.cut))
            strength = frame.frame.strength
            if strength is Strength.MUST and frame_book().judgement.search(lower):
                strength = Strength.SHOULD
            if self._reading.key in _POPULATION_SECTIONS and frame.frame.action is not Action.CONTRAINDICATED:
                continue
            amount = _AMOUNT.search(self._blank, statement.start, place[0])
            limits = (*self._behind(goes_on, statement, frame.start + statement.start), *self._before(statement))
            amount = amount or _DOSED.search(self._blank, statement.start, statement.start + frame.start)
            if amount is not None:
                limits = (Restriction(Opaque(" ".join(amount[0].split())), amount.start(), amount.end()), *limits)
            forbidden = frame.frame.action is Action.AVOID and self._reading.key == OWN_SECTION
            action = Action.CONTRAINDICATED if forbidden else frame.frame.action
            more = _MORE_PATIENTS.match(self._blank, place[1], statement.end)
            further = self._states.read(*more.span("who")) if more is not None else self._listed(place[0], statement.end)
            for state in (*self._named(statement, *place), *further):
                if state.target.id.type == EntityType.POPULATION and not state.limits:
                    continue
                yield state_draft(self._reading, block, statement, state, action, strength).with_limits(
                    *limits, *(() if also is None else also.limits), *self._weeks(statement, state)
                )

    def _partners(self, statement: Statement, lower: str, found: list[Found]) -> tuple[Thing, ...]:
        """The other drugs that the advice may be about: not what stands behind an exception or in the next clause."""
        if not found:
            return ()
        cut = _SPARED.search(lower, found[0].end)
        until = statement.end if cut is None else statement.start + cut.start()
        return tuple(t for t in cast(self._blank, statement.start, statement.things).partners if t.start < until)

    def _is_group_of_own(self, statement: Statement, thing: Thing) -> bool:
        """True for a class of which the sentence names the product as a member ("antidepressants, including X")."""
        return thing.type == EntityType.DRUG_CLASS and any(
            t.own and _MEMBER.fullmatch(self._blank, thing.end, t.start) for t in statement.things if t.start > thing.end
        )

    def _pointed(self, block: Block, statement: Statement, frame: Found, before: Statement, place: tuple[int, int]) -> Iterator[Draft]:
        """What a sentence about "these patients" says of the states that the one before names."""
        aim = self._blank.endswith(("to ", "To "), statement.start, statement.start + frame.start)
        if aim or self._reading.key in _POPULATION_SECTIONS or self._of_partner(statement, frame.start):
            return
        for state in self._states.read(*place):
            if state.target.id.type != EntityType.POPULATION or state.limits:
                draft = state_draft(self._reading, block, statement, state, frame.frame.action, frame.frame.strength)
                yield replace(draft, cited=(((before.start, before.end), SpanRole.OBJECT),))

    def _also(self, statement: Statement, place: tuple[int, int], frame: int) -> Besides | None:
        """What must be true of the patients besides the states at `place`: a clause behind them, or a time before them ("during pregnancy to women with X")."""
        clause = _ALSO.search(self._blank, place[0] + 1, place[1])
        if clause is not None and _OTHERS.search(self._blank[place[0] : clause.start()]) is not None:
            clause = None
        expecting = _EXPECTING.search(self._blank, *place) is not None
        during = None if expecting and clause is None else _DURING.search(self._blank, frame, place[0])
        places = [*([during.span()] if during is not None else []), *([clause.span("words")] if clause is not None else [])]
        limits = [r for at in places for r in self._told(*at)]
        if not limits:
            return None
        women = _WOMEN.search(self._blank, statement.start, place[1]) if clause is not None else None
        if women is not None:
            limits.append(Restriction(Category(Axis.SEX, ("female",)), *women.span()))
        return Besides(tuple(limits), place[1] if clause is None else clause.start(), place[1] if clause is None else clause.end())

    def _told(self, start: int, end: int) -> list[Restriction]:
        """The restrictions of a stretch of words; the words where they are alternatives or no axis holds them."""
        words = self._blank[start:end]
        read = [] if " or " in words else read_label_conditions(self._blank, start, end, self._reading.things_in(start, end), self._states.lexicon)
        return read or [Restriction(Opaque(" ".join(words.split())), start, end)]

    def _listed(self, at: int, end: int) -> Iterator[State]:
        """The items of a list that a sentence leads ("in patients with the following conditions: ..."), until running text begins."""
        lead = _FOLLOWING.match(self._blank, at, end)
        for start, until in split_items(self._blank, lead.end(), end) if lead is not None else ():
            if len(self._blank[start:until].split()) > _LONGEST_ITEM:
                return
            yield from self._states.read(start, until)

    def _is_of_partner_behind(self, statement: Statement, at: int) -> bool:
        """True where the imperative is about another drug ("patients with X should avoid aspirin while taking the product")."""
        thing = next((t for t in statement.things if t.start >= at), None)
        if thing is None or thing.kind is not Kind.PARTNER or thing.own or self._is_group_of_own(statement, thing):
            return False
        return _OBJECT.fullmatch(self._blank, at, thing.start) is not None

    def _named(self, statement: Statement, start: int, end: int) -> Iterator[State]:
        """The states at the place, as what is not to be prevented or treated where the sentence says so."""
        if _PREVENTED.match(self._blank, start, end):
            return self._states.prevented(start, end)
        treated = _TREATED.search(self._blank, statement.start, start) is not None
        return self._states.treated(start, end) if treated else self._states.read(start, end)

    def _of_partner(self, statement: Statement, frame: int) -> bool:
        """True where the one that is not to be given is another drug ("epinephrine should be avoided in the treatment of ...")."""
        before = [t for t in statement.things if t.end <= statement.start + frame]
        return _ANOTHER.match(self._blank, statement.start) is not None and bool(before) and not any(t.own for t in before)

    def _weeks(self, statement: Statement, state: State) -> tuple[Restriction, ...]:
        """The weeks of pregnancy that a statement on pregnant women names."""
        expecting = state.target.id.type == EntityType.CONDITION and _EXPECTING.search(state.target.words) is not None
        weeks = weeks_of_pregnancy(self._blank, statement.start, statement.end) if expecting else None
        return (weeks,) if weeks is not None and not any(r.start < weeks.end and weeks.start < r.end for r in state.limits) else ()

    def _before(self, statement: Statement) -> tuple[Restriction, ...]:
        """The exception that a sentence opens with ("Unless patients are watched, X should not be given to ...")."""
        spared = _UNLESS.match(self._blank, statement.start, statement.end)
        if spared is None or frame_book().judgement.search(spared[0].lower()):
            return ()
        start, end = spared.span("words")
        return (Restriction(Opaque(" ".join(self._blank[start:end].split())), start, end),)

    def _behind(self, at: int, statement: Statement, frame: int) -> tuple[Restriction, ...]:
        """The clause behind the patients that says when they are meant ("in patients with gout if the serum urate is above 9 mg/dL")."""
        clause = _WHEN.match(self._blank, at, statement.end) if frame < at else None
        if clause is None or frame_book().judgement.search(clause[0].lower()):
            return ()
        start, end = clause.span("words")
        joined = re.search(r"\s(?:and|or)\s", clause["words"]) is not None
        bounds = () if joined else tuple(Restriction(b.interval, start + b.start, start + b.end) for b in find_bounds(clause["words"]))
        return bounds or (Restriction(Opaque(" ".join(clause["words"].split())), start, end),)


def state_draft(reading: Reading, block: Block, statement: Statement, state: State, action: Action, strength: Strength) -> Draft:
    """What a statement says of one state, as a draft."""
    return Draft(
        reading,
        "contraindicated_in",
        state.target,
        (state.start, state.end),
        (statement.start, statement.end),
        (Step(action, Whose.SUBJECT),),
        limits=state.limits,
        heading=block.heading,
        strength=strength,
        basis=Basis.CLASS_MEMBER if state.member else Basis.ESTABLISHED,
        highlight=statement.highlight,
    )
