"""Contraindications: in which patients the label forbids its product or advises against it.

The contraindications section is read whole: lead sentence and list, fragments and full sentences. Elsewhere only sentences count that forbid,
advise against or ask for caution and name the patients. What may not be taken together is the interaction proposer's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.conditions.pregnancy_weeks import weeks_of_pregnancy
from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.allergens import State
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.interactions.partners import cast
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import Block, Reading, Statement, read_section, sections_of
from kb_builder.propose.reading.frames import find_frames, frame_book
from kb_builder.propose.reading.items import NO_BREAK_BEFORE, leads_list, split_items
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, thing_finder
from kb_builder.propose.reading.whom import find_patients, find_people_in
from kb_builder.propose.reading.wording import wording
from kb_builder.propose.settle import settle_states
from ontology.model.advice import Action, Step
from ontology.model.claims import Basis, Provenance, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.model.guards import Opaque
from ontology.text.bounds import find_bounds
from ontology.text.context import is_animal
from ontology.text.document import Document

OWN_SECTION = "contraindications"
OTHER_SECTIONS = (
    "boxed_warning",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "use_in_specific_populations",
    "geriatric_use",
    "pediatric_use",
)

_POPULATION_SECTIONS = frozenset({"use_in_specific_populations", "geriatric_use", "pediatric_use"})
_CUE = re.compile(r"\bcontra-?indicat(?:ed\b(?P<for>\s+(?:in|for|with|during|to|when|if|as)\b)?|es?\b|ions?\b)", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do not|does not|did|occurs?|occurred|includes?|causes?|contains?|refer|see|consider|appears?|seems?)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\b(?:who|whose|which|that|whom|unless|except)\b[^,;.]*", re.IGNORECASE)
_NOUN_CUE = re.compile(r"(?:\b(?:is|are|be|may|can|should)\s+(?:also\s+|therefore\s+|an?\s+|absolute\s+|relative\s+)*)$", re.IGNORECASE)
_HEAD_LIMIT = re.compile(
    r"\b(?:at|in)\s+(?:\w+\s+)?dos(?:e|es|age|ages)\b[^,;]*|\bdoses?\s*[>≥<][^,;]*|\b(?:when|during|for the|in combination)\b[^,;]*", re.IGNORECASE
)
_OPENING = re.compile(
    r"\W*(?:in|for|during|when|while|if|after|before|with)\s+(?!(?:common|addition|general|contrast|particular|most|these|such|those|as|view)\b)(?P<what>\S[^.;]*?)[\s,]*$",
    re.IGNORECASE,
)
_EXPECTING = re.compile(r"pregnan", re.IGNORECASE)
_NAMES_PATIENTS = re.compile(
    r"patient|individual|person|people|women|men\b|male|child|infant|neonate|anyone|those|setting|presence|treat|management|relief|reversal"
)
_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_NOT_OF_STATES = frozenset({"suspend", "alternative", "not-to-take", "reserve"})
_CARE = re.compile(r"caution|\bcare\b")
_AMOUNT = re.compile(
    r"\b(?:high|higher|large|low|lower|initial|loading|full|excessive|repeated|prolonged|long-term|chronic)[- ](?:\w+ )?(?:doses?|use|regimens?|treatment|therapy)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\s*,?\s*(?:(?:only )?(?:if|when)\s+(?=\S)|(?=(?:unless|except)\s))(?P<words>[^.;()\x01]{3,160}(?:\.\d[^.;()\x01]*)?)(?<=\w)", re.IGNORECASE
)
_WATCH = frozenset({Action.CAUTION})
_TOGETHER = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|combin\w+|together|receiving|taking|treated with|with)\b")
_TOGETHER_HEAD = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|combin\w+|(?<!common )with)\b", re.IGNORECASE)
_OF_FIRST = re.compile(r"\s*(?::|,?\s*\b(?:in|except|during|unless)\b)", re.IGNORECASE)
_NOT_TOGETHER = re.compile(r"hypersensitiv|allerg|reactions? (?:to|after)|alone or (?:with|in combination)")


class ContraindicationProposer:
    """Proposes `contraindicated_in` claims."""

    name = "contraindications"
    version = f"3.{frame_book().version}.{wording().version}.{chinese.version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The patients in whom the document forbids its subject or advises against it."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        own = tuple(Target(i.id, i.name) for i in subject.ingredients) or (Target(subject.id, subject.name),)
        product = next((n for p in document.products for n in p.brand_names), subject.name)
        drafts: list[Draft] = []
        for key, section in sections_of(document, (OWN_SECTION, *OTHER_SECTIONS)):
            reading = read_section(section, finder)
            if chinese.is_chinese(section.text):
                drafts += chinese.contraindications(reading, own, lexicon, own_section=key == OWN_SECTION)
                continue
            states = StateReader(reading.blank, reading.things, own, product, lexicon)
            interpreter = _Interpreter(reading, states, lexicon)
            drafts += interpreter.own_section() if key == OWN_SECTION else interpreter.other_section()
        provenance = Provenance(self.name, self.version)
        for draft in settle_states(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


class _Interpreter:
    """Reads one section."""

    def __init__(self, reading: Reading, states: StateReader, lexicon: Lexicon) -> None:
        self._reading = reading
        self._lexicon = lexicon
        self._blank = reading.blank
        self._states = states

    def own_section(self) -> Iterator[Draft]:
        """Every statement of the contraindications section."""
        for block in self._reading.blocks:
            if block.heading is not None and not block.table and not block.statements:
                continue
            section = block
            for statement in block.statements:
                text = self._blank[statement.start : statement.end]
                item_end = self._item_before_sentence(statement, text)
                if item_end is not None:
                    yield from self._items(block, statement, statement.start, item_end)
                    statement = replace(statement, start=item_end)
                    text = self._blank[statement.start : statement.end]
                cue = _CUE.search(text)
                if cue is not None:
                    block = replace(section, heading=(statement.start, statement.end)) if leads_list(text) else section
                    yield from self._stated(block, statement, cue)
                elif _FINITE.search(_RELATIVE.sub("", text)) is None:
                    yield from self._items(block, statement, statement.start, statement.end)
                elif statement.item and (aside := text.find("; ")) > 0 and _FINITE.search(_RELATIVE.sub("", text[:aside])) is None:
                    yield from self._items(block, statement, statement.start, statement.start + aside)
                else:
                    yield from self._advised(block, statement, stop_only=True)

    def _item_before_sentence(self, statement: Statement, text: str) -> int | None:
        """Where the sentence begins that flattened text runs onto a list item ("... treatment Benazepril tablets are contraindicated ...")."""
        cue = _CUE.search(text)
        own = next((t for t in statement.things if t.own and t.start > statement.start + 12), None)
        if cue is None or own is None or own.start > statement.start + cue.start() or not self._blank[own.start].isupper():
            return None
        before = self._blank[statement.start : own.start].rstrip()
        if _OPENING.match(before):
            return None
        return own.start if before[-1:].islower() and NO_BREAK_BEFORE.search(before) is None and _FINITE.search(before) is None else None

    def other_section(self) -> Iterator[Draft]:
        """Sentences of another section that forbid or advise against, and name the patients."""
        for block in self._reading.blocks:
            for statement in block.statements:
                if is_animal(self._blank[statement.start : statement.end]):
                    continue
                yield from self._advised(block, statement, stop_only=False)

    def _stated(self, block: Block, statement: Statement, cue: re.Match[str]) -> Iterator[Draft]:
        """A sentence with the word contraindicated: the objects stand behind it, or before it."""
        text = self._blank[statement.start : statement.end]
        noun = not cue[0].lower().startswith(("contraindicated", "contra-indicated"))
        if re.search(r"\b(?:not|no|never)\b[^.;]{0,20}$", text[: cue.start()], re.IGNORECASE) or (noun and _NOUN_CUE.search(text[: cue.start()]) is None):
            return
        behind = text[cue.end() :].strip(" :.\n")
        limit = _HEAD_LIMIT.search(text[: cue.start()])
        limits = (
            (
                Restriction(
                    Opaque(" ".join(limit[0].split()).removesuffix(" is").removesuffix(" are")), statement.start + limit.start(), statement.start + limit.end()
                ),
            )
            if limit
            else ()
        )
        if (cue["for"] and not behind) or self._is_of_pair(statement, text[: cue.start()], limit):
            return
        if cue["for"] and len(behind) > 2:
            if cue["for"].strip().lower() == "with" and any(
                t.kind is Kind.PARTNER and not t.own for t in statement.things if t.start >= statement.start + cue.end()
            ):
                return
            yield from self._items(block, statement, statement.start + cue.end(), statement.end, (*self._opening(statement), *limits))
        elif len(behind) > 12 and text[cue.end() :].lstrip().startswith(":"):
            yield from self._items(block, statement, statement.start + cue.end(), statement.end)
        elif (
            not behind or noun or behind.lower().startswith(("because", "since", "due", "as ", "and ", "to its use", "to the use", "[", "use of", "when used"))
        ):
            head = re.sub(
                r"\s+(?:is|are|may be|may)\s+(?:also\s+|therefore\s+|strictly\s+|absolutely\s+|an?\s+|relative\s+)*$|\s+(?:may|can|should)\s*$",
                "",
                text[: cue.start()],
                flags=re.IGNORECASE,
            )
            people = find_people_in(head)
            if people is not None:
                at = people.start("who") if people["who"] else people.start()
                yield from self._items(block, statement, statement.start + at, statement.start + len(head))
            elif not re.search(
                r"\b(?:use|concomitant|concurrent|co-?administ\w*|combination|administration|starting|initiating|taking)\b", head, re.IGNORECASE
            ):
                yield from self._items(block, statement, statement.start, statement.start + len(head))

    def _opening(self, statement: Statement) -> tuple[Restriction, ...]:
        """What a sentence says before it names the product ("In myocardial infarction X is contraindicated in ..."): a condition of all behind it."""
        own = next((t for t in statement.things if t.own), None)
        opening = _OPENING.match(self._blank[statement.start : own.start]) if own is not None else None
        if opening is None:
            return ()
        start = statement.start + opening.start("what")
        end = start + len(opening["what"])
        read = read_label_conditions(self._blank, start, end, self._reading.things_in(start, end), self._lexicon)
        return tuple(read) or (Restriction(Opaque(" ".join(opening["what"].split())), start, end),)

    def _is_of_pair(self, statement: Statement, head: str, limit: re.Match[str] | None) -> bool:
        """True when what is contraindicated is taking two drugs together, and no limit holds the other one."""
        places = [(t.start - statement.start, t.end - statement.start) for t in statement.things if t.kind is Kind.PARTNER and not t.own]
        outside = any(e <= len(head) and not (limit is not None and limit.start() <= s and e <= limit.end()) for s, e in places)
        return outside and _TOGETHER_HEAD.search(head) is not None

    def _is_of_partner(self, statement: Statement, start: int, end: int) -> bool:
        """True for an item about another drug ("Venetoclax: in patients with leukemia", "colchicine in renal impairment")."""
        first = next((t for t in statement.things if start <= t.start < end), None)
        opens = first is not None and first.kind is Kind.PARTNER and not first.own and not self._blank[start : first.start].strip(" -•")
        return opens and first is not None and _OF_FIRST.match(self._blank, first.end) is not None

    def _items(self, block: Block, statement: Statement, start: int, end: int, limits: tuple[Restriction, ...] = ()) -> Iterator[Draft]:
        """Each item of a list that lost its layout."""
        for at, until in split_items(self._blank, start, end):
            if self._is_of_partner(statement, at, until):
                continue
            for state in self._states.read(at, until):
                yield self._draft(block, statement, state, Action.CONTRAINDICATED, Strength.MUST).with_limits(*limits)

    def _advised(self, block: Block, statement: Statement, *, stop_only: bool) -> Iterator[Draft]:
        """A sentence that advises against use in patients whom it names."""
        lower = self._blank[statement.start : statement.end].lower()
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
        partners = cast(self._blank, statement.start, statement.things).partners
        if partners and _TOGETHER.search(lower) and not _NOT_TOGETHER.search(lower):
            return
        own = any(t.own for t in statement.things)
        for frame in found[:1]:
            place = find_patients(self._blank, statement, frame)
            if place is None or (not own and any(t.start < place[0] and t.type != EntityType.LIFESTYLE for t in partners)):
                continue
            strength = frame.frame.strength
            if strength is Strength.MUST and frame_book().judgement.search(lower):
                strength = Strength.SHOULD
            if self._reading.key in _POPULATION_SECTIONS and frame.frame.action is not Action.CONTRAINDICATED:
                continue
            amount = _AMOUNT.search(self._blank, statement.start, place[0])
            limits = self._behind(place[1], statement, frame.start + statement.start)
            if amount is not None:
                limits = (Restriction(Opaque(" ".join(amount[0].split())), amount.start(), amount.end()), *limits)
            forbidden = frame.frame.action is Action.AVOID and self._reading.key == OWN_SECTION
            action = Action.CONTRAINDICATED if forbidden else frame.frame.action
            for state in self._states.read(*place):
                if state.target.id.type == EntityType.POPULATION and not state.limits:
                    continue
                yield self._draft(block, statement, state, action, strength).with_limits(*limits, *self._weeks(statement, state))

    def _weeks(self, statement: Statement, state: State) -> tuple[Restriction, ...]:
        """The weeks of pregnancy that a statement on pregnant women names."""
        expecting = state.target.id.type == EntityType.CONDITION and _EXPECTING.search(state.target.words) is not None
        weeks = weeks_of_pregnancy(self._blank, statement.start, statement.end) if expecting else None
        return (weeks,) if weeks is not None and not any(r.start < weeks.end and weeks.start < r.end for r in state.limits) else ()

    def _behind(self, at: int, statement: Statement, frame: int) -> tuple[Restriction, ...]:
        """The clause behind the patients that says when they are meant ("in patients with gout if the serum urate is above 9 mg/dL")."""
        clause = _WHEN.match(self._blank, at, statement.end) if frame < at else None
        if clause is None or frame_book().judgement.search(clause[0].lower()):
            return ()
        start, end = clause.span("words")
        joined = re.search(r"\s(?:and|or)\s", clause["words"]) is not None
        bounds = () if joined else tuple(Restriction(b.interval, start + b.start, start + b.end) for b in find_bounds(clause["words"]))
        return bounds or (Restriction(Opaque(" ".join(clause["words"].split())), start, end),)

    def _draft(self, block: Block, statement: Statement, state: State, action: Action, strength: Strength) -> Draft:
        return Draft(
            self._reading,
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
