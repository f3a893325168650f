"""Drug interactions: what the label says of taking its product together with another drug, class, food or herb.

Read in the interactions section, and in warnings, precautions, boxed warning, contraindications and dosing where a sentence names a partner
and what to do. A sentence that only tells of an effect is read as caution, unless an instruction follows in the same block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb_builder.propose import chinese
from kb_builder.propose.drafts import Draft, Source, propose_draft
from kb_builder.propose.frames import Found, dose_owner, find_frames, frame_book
from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.partners import Cast, cast, is_alone, is_probe
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading import Block, Reading, Statement, read_section
from kb_builder.propose.restrictions import Restriction, exposure, not_alternative, restrictions, stop_window
from kb_builder.propose.settle import settle
from kb_builder.propose.things import Kind, Thing, thing_finder
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity, Provenance, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.model.guards import Exposure
from ontology.model.identifiers import EntityId
from ontology.text.amounts import separation_hours
from ontology.text.context import is_animal, is_hedged, is_narrative
from ontology.text.document import Document, SectionState

OWN_SECTIONS = ("drug_interactions", "drug_and_or_laboratory_test_interactions")
OTHER_SECTIONS = ("contraindications", "boxed_warning", "warnings_and_cautions", "warnings", "precautions", "general_precautions", "dosage_and_administration")

_CO_USE = re.compile(
    r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|combin\w+|together|simultaneous\w*|in association with|(?:given|used|taken|administered|use|treated|treatment|therapy|prescribed|ingest\w*) (?:\w+ )?with|plus|receiving|taking|also (?:on|taking)|treated with|in conjunction|add(?:ed|ing|ition) (?:to|of))\b|\bwith (?:other|an?|any)\b",
    re.IGNORECASE,
)
_CO_USE_ELSEWHERE = re.compile(
    r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|together|simultaneous\w*|in association with|(?:given|used|taken|administered|ingested) (?:\w+ )?with|plus|(?:patients?|those|who are|are|also|women|individuals) (?:also )?(?:receiving|taking|on|treated with)|in conjunction|add(?:ed|ing|ition) (?:to|of)|while (?:taking|receiving|on)|during (?:treatment|therapy))\b|\bwith (?:other|an?|any)\b|\bcombin\w+ (?:with|use|therapy|of)",
    re.IGNORECASE,
)
_TOXICITY = re.compile(r"\b(?:in|for) patients (?:with|who (?:develop|experience)|experiencing) [^.;]*?\b(?:toxicit|adverse)")
_TAKEN = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|taking|receiving)\b")
_WITH = re.compile(r"\b(?:with|within|taking|receiving|use of|contraindicated)\b")
_REGIMEN = re.compile(r"\bin combination\b|\bregimen|\bcycles?\b|\bday 1\b|\bwith or without food\b|\badministered with\b|\bprior to\b|\bbefore the start\b|\bwithhold\b|\bplus\b", re.IGNORECASE)
_CAPTION = re.compile(r"^\W*(?:table|figure)\s*\d", re.IGNORECASE)
_REVERSAL = re.compile(r"\b(?:after|if|when|upon|following|once)\b[^.;]{0,90}\b(?:discontinu\w+|stopp\w+|withdraw\w*|withdrawn|cessation)\b", re.IGNORECASE)
_REQUIRED = re.compile(r"\b(?:should|must) (?:only )?be (?:given|used|administered|initiated|started)(?: only)? (?:in combination|concomitantly|together|concurrently|after)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:should|must|recommend\w*|advis\w+|avoid|consider|do not|necessary|required|needed|need|warranted|may be|may require|contraindicated|caution)\b|^\W*(?:monitor|reduce|increase|adjust|administer|separate|use|start|initiate|limit|decrease|closely|carefully)", re.IGNORECASE)
_PURPOSE_OF = re.compile(r"\bto (?:permit|allow|ensure|guide|facilitate|determine|help|assess)\b[^.;]{0,60}$", re.IGNORECASE)
_MEANWHILE = re.compile(r"\b(?:during|upon|initiation (?:and|or)|after initiation|discontinuation,?)\b[^,;.]{0,60}$|\bafter initiation[^;.]{0,30}$", re.IGNORECASE)
_THAT_MAY = re.compile(r"\b(?:that|which) (?:may|might|could|can) (?:require|need|necessitate|result in|warrant) (?:an? )?$")
_REFERS = re.compile(r"^\W*(?:please )?(?:refer to|see|consult)\b", re.IGNORECASE)
_OFF_TOPIC = re.compile(r"\b(?:hypersensitiv|allerg|cross-?\s?react|anaphyla)\w*|\b(?:may|can|could|will|to) (?:reverse|antagonize the effects|be used to treat|treat)\b|\boverdos\w+", re.IGNORECASE)
_TO_AVOID = re.compile(r"(?<!advised )(?<!instructed )(?<!counseled )(?<!cautioned )(?<!patients )(?<!need )(?<!needs )(?<!recommended )(?<!important )(?<!prudent )(?<!warned )(?<!told )\b(?:to|order to|thus|thereby|help) $")
_GENERAL = re.compile(r"\b(?:drugs?|foods?|agents?|medications?|products?|substances?|medicines?|following)\b", re.IGNORECASE)
_ANAPHORA = re.compile(
    r"\b(?:these|such|this|those|both|either|the (?:two|combination|other)|concomitant\w*|concurrent\w*|co-?\s?administ\w*|combin\w+|together|when (?:used|given|taken|administered|initiating|starting|stopping)|upon|following|after|if (?:used|given))\b", re.IGNORECASE
)
_REASON = re.compile(r"[,;]?\s*\b(?:because|since|due to|as (?:it|this|they|these)|owing to|in order to|so that|which may|which can|that may result|to avoid)\b", re.IGNORECASE)
_ADVERSE = re.compile(r"\b(?:if|when|in (?:the event|case) of|upon|at the first (?:sign|appearance))\b[^.;]{0,120}\b(?:occurs?|develops?|observed|suspected|appears?|experienc\w+|signs?|symptoms?|diagnosed|detected|confirmed|persists?|worsen\w*)\b", re.IGNORECASE)
_PURPOSE = re.compile(r"\b(?:during|while|when|whenever|before|prior to|at least|until|throughout|if)\b", re.IGNORECASE)
_LAB_WORDS = re.compile(
    r"\b(?:INR|prothrombin time|blood pressure|heart rate|blood glucose|serum potassium|potassium|serum (?:creatinine|sodium|lithium|digoxin|calcium)|renal function|liver (?:function|enzymes)|hepatic function|ECG|electrocardiogram|(?:[\w-]+ )?(?:levels|concentrations)|TSH|thyroid function|blood counts?|CK|creatine kinase|QT[c]?(?: interval)?|respiratory depression|sedation|bleeding|serotonin syndrome|signs and symptoms of [\w ]{3,40})\b",
    re.IGNORECASE,
)
_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_VERBLESS = re.compile(r"\b(?:is|are|was|were|may|can|should|has|have|had|will|must|do|does|did|be|increase[sd]?|decrease[sd]?|reduce[sd]?)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Scope:
    """What a block remembers from sentence to sentence."""

    pending: dict[Thing, Statement] = field(default_factory=dict)
    last: tuple[Thing, ...] = ()
    lead: tuple[Statement, tuple[Found, ...]] | None = None
    directed: set[EntityId] = field(default_factory=set)
    denied: set[EntityId] = field(default_factory=set)
    plans: list[tuple[frozenset[EntityId], tuple[Statement, tuple[Found, ...]]]] = field(default_factory=list)


class InteractionProposer:
    """Proposes `interacts_with` claims."""

    name = "interactions"
    version = "1"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The interactions that the document states of its subject."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[Draft] = []
        for key in (*OWN_SECTIONS, *OTHER_SECTIONS):
            section = document.section(key)
            if section is None or section.state is not SectionState.TEXT:
                continue
            reading = read_section(section, finder)
            if chinese.is_chinese(section.text):
                drafts += chinese.interactions(reading) if key in OWN_SECTIONS else chinese.interactions_elsewhere(reading)
            else:
                drafts += _Interpreter(reading, own=key in OWN_SECTIONS).drafts()
        provenance = Provenance(self.name, f"{self.version}.{frame_book().version}")
        for draft in settle(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


class _Interpreter:
    """Reads the blocks of one section."""

    def __init__(self, reading: Reading, *, own: bool) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._own = own
        self._part: tuple[str | None, Statement, tuple[Found, ...]] | None = None
        self._table: tuple[Statement, tuple[Found, ...]] | None = None

    def drafts(self) -> Iterator[Draft]:
        for block in self._reading.blocks:
            if not block.table:
                self._table = None
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[Draft]:
        scope = _Scope()
        topics = tuple(t for t in block.topics if t.kind is Kind.PARTNER and (not t.own or (block.row and t.type == EntityType.DRUG_CLASS)))
        for statement in block.statements:
            yield from self._statement(block, topics, scope, statement)
        if block.table and topics and not scope.directed and not scope.denied and (not scope.pending or (self._table is not None and self._table[1])):
            yield from self._listed(block, topics)
            scope.pending.clear()
        for thing, statement in scope.pending.items():
            if thing.ids & scope.directed:
                continue
            over = self._class_directive(scope, thing, statement)
            if over is not None:
                yield from self._draft(block, thing, over[0], self._steps(self._lower(over[0]), over[1], over[0], over[0].things), over[1], Cast((), {}))
            else:
                yield from self._caution(block, thing, statement)

    def _class_directive(self, scope: _Scope, thing: Thing, statement: Statement) -> tuple[Statement, tuple[Found, ...]] | None:
        """What the block asks for of the class that a sentence names a drug as an example of, or None."""
        if thing.type != EntityType.INGREDIENT or not re.search(r"\((?:[^()]|\([^()]*\))*$", self._blank[statement.start : thing.start]):
            return None
        named = {t.id for other in statement.things if other.type in (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE) and other.end <= thing.start for t in other.targets}
        return next((said for ids, said in scope.plans if ids & named), None)

    def _statement(self, block: Block, topics: tuple[Thing, ...], scope: _Scope, statement: Statement) -> Iterator[Draft]:
        lower = self._blank[statement.start : statement.end].lower()
        people = cast(self._blank, statement.start, statement.end, statement.things)
        if not self._own and not (people.partners and self._co_used(lower, people)):
            return
        found = tuple(f for f in find_frames(lower) if not f.negated and self._asks(f, lower, people))
        if (is_animal(lower) and not found) or _CAPTION.match(lower) or _is_title(self._blank[statement.start : statement.end]) or (_REQUIRED.search(lower) and not any(f.frame.action in _STOP for f in found)):
            return
        if not found:
            yield from self._told(block, topics, scope, statement, lower, people)
            return
        subjects = people.partners or self._context(block, topics, scope, lower)
        if not subjects:
            scope.lead = (statement, found)
            if block.table and not topics:
                self._table = (statement, found)
            return
        scope.lead = (statement, found) if lower.rstrip().endswith(":") else None
        if self._own and not block.row:
            self._part = (block.number, statement, found)
        yield from self._directed(block, scope, statement, lower, found, people, subjects)
        scope.last = subjects

    def _co_used(self, lower: str, people: Cast) -> bool:
        """True when a sentence outside the interactions section is about taking two drugs together, not about a regimen of both."""
        if self._reading.section.key == "dosage_and_administration":
            return _CO_USE_ELSEWHERE.search(lower) is not None and (_REGIMEN.search(lower) is None or any(t.type == EntityType.ENZYME_ROLE for t in people.partners))
        if self._reading.section.key == "contraindications":
            if _OFF_TOPIC.search(lower):
                return _TAKEN.search(lower) is not None
            return _CO_USE_ELSEWHERE.search(lower) is not None or _WITH.search(lower) is not None
        return _CO_USE_ELSEWHERE.search(lower) is not None

    def _asks(self, found: Found, lower: str, people: Cast) -> bool:
        """False for a frame that is about an adverse event, not about taking two drugs together."""
        if is_narrative(lower) and _MODAL.search(lower) is None:
            return False
        if found.frame.action is Action.ADJUST_DOSE and (_PURPOSE_OF.search(lower[: found.start]) or _REVERSAL.search(lower) or _MEANWHILE.search(lower[: found.start]) or _REFERS.match(lower) or _THAT_MAY.search(lower[: found.start])):
            return False
        if found.frame.action is Action.ADJUST_DOSE and not people.partners and _TOXICITY.search(lower):
            return False
        if found.frame.id == "avoid" and _TO_AVOID.search(lower[: found.start]):
            return False
        if found.frame.id == "suspend":
            if self._reading.section.key == "dosage_and_administration":
                return False
            return bool(people.partners) and _ADVERSE.search(lower) is None and _PURPOSE.search(lower) is not None
        return True

    def _context(self, block: Block, topics: tuple[Thing, ...], scope: _Scope, lower: str) -> tuple[Thing, ...]:
        """The partners of a sentence that names none: those still open in the block, its heading's, or the last named ones."""
        if not self._own:
            return ()
        if topics or scope.pending:
            return _once((*topics, *scope.pending))
        return scope.last if _ANAPHORA.search(lower) else ()

    def _told(self, block: Block, topics: tuple[Thing, ...], scope: _Scope, statement: Statement, lower: str, people: Cast) -> Iterator[Draft]:
        """A sentence without an instruction: a list under a lead, a denial, or an effect that waits for one."""
        book = frame_book()
        partners = tuple(t for t in people.partners if not is_probe(self._blank, statement.start, t))
        if scope.lead is not None and partners and not _VERBLESS.search(lower):
            yield from self._directed(block, scope, scope.lead[0], self._lower(scope.lead[0]), scope.lead[1], people, partners)
            return
        if book.denials.search(lower):
            if book.no_adjustment.search(lower) or re.search(r"no (?:\w+ ){0,4}interactions?\b[^.]{0,40}\bwith\b", lower):
                over = _once((*topics, *scope.pending)) if book.no_adjustment.search(lower) and self._own else ()
                for thing in partners or over:
                    yield from self._denied(thing, statement, block)
                    scope.pending.pop(thing, None)
                    scope.denied.update(thing.ids)
            return
        if block.table and partners and not _VERBLESS.search(lower):
            yield from self._listed(block, (*topics, *partners))
            scope.directed.update(*(t.ids for t in (*topics, *partners)))
            return
        if book.effects.search(lower) and not is_alone(lower) and not _REVERSAL.match(lower) and not (_OFF_TOPIC.search(lower) and not self._own):
            reason = _REASON.search(lower)
            if reason is not None and reason.start() > 20:
                partners = tuple(t for t in partners if t.start < statement.start + reason.start())
            if scope.lead is not None and partners and scope.lead[1] and _GENERAL.search(self._lower(scope.lead[0])) and not block.table:
                yield from self._directed(block, scope, scope.lead[0], self._lower(scope.lead[0]), scope.lead[1], people, partners)
                return
            for thing in partners or (topics if self._own else ()):
                scope.pending.setdefault(thing, statement)
            if not partners and not topics:
                scope.lead = (statement, ()) if lower.rstrip().endswith(":") or block.table else None
                if block.table:
                    self._table = (statement, ())
        if partners:
            scope.last = partners

    def _listed(self, block: Block, things: Sequence[Thing]) -> Iterator[Draft]:
        """Rows that only list names take what the table, or the text above it in the same subsection, says of them."""
        over = self._table or ((self._part[1], self._part[2]) if self._part is not None and self._part[0] == block.number else None)
        if over is None:
            return
        statement, found = over
        for thing in things:
            if found:
                yield from self._draft(block, thing, statement, self._steps(self._lower(statement), found, statement, ()), found, Cast((), {}))
            else:
                yield from self._caution(block, thing, statement)

    def _directed(
        self, block: Block, scope: _Scope, statement: Statement, lower: str, found: tuple[Found, ...], people: Cast, subjects: tuple[Thing, ...]
    ) -> Iterator[Draft]:
        """Drafts of a sentence with instructions: every frame goes to its partners, frames with the same partners make one plan."""
        plans: dict[Thing, list[Found]] = {}
        for index, frame in enumerate(found):
            for thing in self._partners_of(index, found, statement, lower, people, subjects):
                plans.setdefault(thing, []).append(frame)
        reason = _REASON.search(lower)
        for thing in subjects:
            told = reason is None or thing.start < statement.start + reason.start()
            if thing not in plans and people.partners and told and frame_book().effects.search(lower):
                scope.pending.setdefault(thing, statement)
        for thing, frames in plans.items():
            scope.directed.update(thing.ids)
            scope.plans.append((thing.ids, (statement, tuple(frames))))
            yield from self._draft(block, thing, statement, self._steps(lower, tuple(frames), statement, statement.things), tuple(frames), people)

    def _partners_of(
        self, index: int, found: tuple[Found, ...], statement: Statement, lower: str, people: Cast, subjects: tuple[Thing, ...]
    ) -> tuple[Thing, ...]:
        """The partners that one frame of a sentence governs."""
        if not people.partners or len(found) == 0:
            return subjects
        frame = found[index]
        left = statement.start + (found[index - 1].end if index else 0)
        right = statement.start + (found[index + 1].start if index + 1 < len(found) else len(lower))
        reason = _REASON.search(lower, frame.end)
        stop = min(right, statement.start + reason.start()) if reason is not None else right
        after = tuple(t for t in people.partners if statement.start + frame.start <= t.start < stop)
        before = tuple(t for t in people.partners if left <= t.start < statement.start + frame.start)
        if frame.frame.id == "alternative":
            return before or (self._earlier(people, statement, frame))
        if frame.frame.side == "right":
            return after or before or self._earlier(people, statement, frame)
        if frame.frame.side == "left":
            return before or after or self._earlier(people, statement, frame)
        return self._nearer(before, after, lower, frame, statement) or self._earlier(people, statement, frame)

    def _nearer(self, before: tuple[Thing, ...], after: tuple[Thing, ...], lower: str, frame: Found, statement: Statement) -> tuple[Thing, ...]:
        """Of the partners on both sides: all, unless a clause boundary parts one side from the frame."""
        if not before or not after:
            return before or after
        gap = lower[before[-1].end - statement.start : frame.start]
        behind = lower[frame.end : after[0].start - statement.start]
        if re.search(r";|, (?:and|but) ", gap):
            return after
        if re.search(r";|, (?:and|but) ", behind):
            return before
        return (*before, *after)

    def _earlier(self, people: Cast, statement: Statement, frame: Found) -> tuple[Thing, ...]:
        """The partners named anywhere before the frame in the sentence, else all of them."""
        return tuple(t for t in people.partners if t.start < statement.start + frame.start) or people.partners

    def _steps(self, lower: str, found: tuple[Found, ...], statement: Statement, things: Sequence[Thing]) -> tuple[Step, ...]:
        own = [(t.start - statement.start, t.end - statement.start) for t in things if t.own]
        partners = [(t.start - statement.start, t.end - statement.start) for t in things if not t.own]
        steps: dict[Action, Step] = {}
        for f in found:
            action = f.frame.action
            whose = dose_owner(lower, f, own, partners)
            if action is Action.SEPARATE:
                steps.setdefault(action, Step(action, whose, separate_hours=separation_hours(lower)))
            elif action is Action.MONITOR:
                watched = tuple(dict.fromkeys(m[0] for m in _LAB_WORDS.finditer(self._blank, statement.start, statement.end)))
                steps.setdefault(action, Step(action, whose, monitor=watched[:4]))
            elif action is Action.ADJUST_DOSE:
                words = self._blank[statement.start + f.start : statement.end]
                steps.setdefault(action, Step(action, whose, parameter=" ".join(words.split())[:120]))
            else:
                steps.setdefault(action, Step(action, whose))
        if len(steps) > 1:
            steps.pop(Action.CAUTION, None)
        return tuple(steps.values())

    def _draft(self, block: Block, thing: Thing, statement: Statement, steps: tuple[Step, ...], found: tuple[Found, ...], people: Cast) -> Iterator[Draft]:
        lower = self._lower(statement)
        strength = min((f.frame.strength for f in found), key=list(Strength).index)
        if strength is Strength.MUST and frame_book().judgement.search(lower):
            strength = Strength.SHOULD
        second = frame_book().unavoidable.search(lower) is not None
        yield from self._make(block, thing, statement, steps, strength, people, second=second)

    def _make(self, block: Block, thing: Thing, statement: Statement, steps: tuple[Step, ...], strength: Strength, people: Cast, *, source: Source = Source.DIRECTIVE, second: bool = False) -> Iterator[Draft]:
        common = not_alternative(self._blank, restrictions(self._blank, statement.start, statement.end, statement.things), thing)
        targets = thing.targets[-1:] if thing.joint else thing.targets
        inside = statement.start <= thing.start and thing.end <= statement.end
        for target in targets:
            limits = list(common)
            if thing.joint:
                limits += [Restriction(Exposure(t.id), thing.start, thing.end) for t in thing.targets[:-1]]
            if people.minus.get(thing):
                limits.append(Restriction(Exposure(target.id, minus=people.minus[thing]), thing.start, thing.end))
            if inside and (own := exposure(self._blank, thing, target.id)) is not None:
                limits.append(own)
            if inside and (window := stop_window(self._blank, statement.start, statement.end, target.id)) is not None and not any(s.action is Action.SEPARATE for s in steps):
                limits.append(window)
            yield Draft(
                self._reading,
                "interacts_with",
                target,
                (thing.start, thing.end),
                (statement.start, statement.end),
                () if second else steps,
                steps if second else (),
                tuple(limits),
                heading=block.heading,
                strength=strength,
                source=source,
                highlight=statement.highlight,
            )

    def _caution(self, block: Block, thing: Thing, statement: Statement) -> Iterator[Draft]:
        strength = Strength.CONSIDER if is_hedged(self._lower(statement)) else Strength.INFORMATIONAL
        yield from self._make(block, thing, statement, (Step(Action.CAUTION, Whose.EITHER),), strength, Cast((), {}), source=Source.EFFECT)

    def _denied(self, thing: Thing, statement: Statement, block: Block) -> Iterator[Draft]:
        for target in thing.targets:
            yield Draft(
                self._reading,
                "interacts_with",
                target,
                (thing.start, thing.end),
                (statement.start, statement.end),
                (Step(Action.NO_ADJUSTMENT, Whose.EITHER),),
                limits=tuple(restrictions(self._blank, statement.start, statement.end, statement.things)),
                heading=block.heading,
                strength=Strength.INFORMATIONAL,
                polarity=Polarity.NEGATIVE,
                highlight=statement.highlight,
            )

    def _lower(self, statement: Statement) -> str:
        return self._blank[statement.start : statement.end].lower()


def _once(things: Sequence[Thing]) -> tuple[Thing, ...]:
    """The things without those that stand for what an earlier one stands for."""
    return tuple({t.ids: t for t in reversed(things)}.values())[::-1]


def _is_title(text: str) -> bool:
    """True for a line in title case: a heading or a table's caption, not a statement."""
    words = [w for w in re.findall(r"[A-Za-z][\w'-]+", text) if len(w) > 3]
    return 3 <= len(words) <= 18 and sum(w[0].isupper() for w in words) / len(words) > 0.8 and not text.rstrip().endswith(".")
