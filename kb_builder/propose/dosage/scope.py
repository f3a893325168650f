"""What the headings and lead sentences above a position say of it: for what, for whom, by what route, and what kind of matter it is.

A stack of scopes: a numbered heading closes all, a heading of a kind (indication, people, organ function, partner, route, matter) closes the last one
of that kind and what stands above it on the stack. "Hypertension / Adults / Children / Angina" so reads as a pharmacist reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.entries import Entry, ScopeKind, is_in_words, stands_before_doses
from kb_builder.propose.dosage.heads import HeadingReader
from kb_builder.propose.dosage.owners import partner_beside
from kb_builder.propose.dosage.runs import Place, inner_labels, run_in_headings
from kb_builder.propose.dosage.standing import Passage, Scopes, Standing, is_young
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque
from ontology.model.spans import SpanRole

_LEAD = re.compile(r":\s*$|\b(?:as follows|the following(?: \w+){0,3})\s*[:.]?\s*$", re.IGNORECASE)
_ITEM_NUMBER = re.compile(r"(?:^|\s)\d{1,2}[.)]\s*$")
_FOR_TREATMENT = re.compile(r"For\s+(?:the\s+)?treatment\s+of\s+[^.;:]+?(?=,\s+(?:the|an?|for)\s|[.;:])")
"""What a numbered item begins with and holds for the sentences behind it: "1. For treatment of X, the lowest dose ... The usual dosage is ..."."""
_THERAPY = re.compile(r"\bTherapy\s*(?:\([^()]*\))?$")
_TABLE = re.compile(r"\b(?:Table|Figure)\s+\d", re.IGNORECASE)
_BESIDE = frozenset({ScopeKind.ORGAN, ScopeKind.PARTNER})
"""Run-in headings on organ function or a partner stand beside each other, not under each other."""
_OF_A_USE = frozenset({ScopeKind.INDICATION, ScopeKind.PEOPLE, ScopeKind.PARTNER})
_LEADS_ON = re.compile(r"(?:\b(?:for|in|with|of|to|on|by|due|during|and|or|based|the|using)|[-,/(:])\s*$", re.IGNORECASE)
"""The end of words that belong to what comes next."""
_FOR_ALL_USES = re.compile(r"\W*(?:dosage|dose|dosing)\s+(?:adjustments|modifications|reductions)\b", re.IGNORECASE)
"""What a heading on changes for several kinds of patients begins with: it stands beside the uses above it."""
_WITHOUT_END = re.compile(r"\b(?:in combination|together|along)\s+with\s*$", re.IGNORECASE)
"""The end of a label whose list names the partners: it is no heading."""
_ALIKE = re.compile(r"(?:Dosage|Dose|Dosing)\s+(?:adjustments?|modifications?|reductions?|recommendations?)\s+(?:for|in|with|due|when)\b", re.IGNORECASE)
_PATIENTS_WITH = re.compile(r"\W*(?:patients|adults|pediatrics|children|(?:adult|pediatric) patients)\s+with\s", re.IGNORECASE)
_LABELLED = re.compile(rf"{_PATIENTS_WITH.pattern}.*", re.IGNORECASE | re.DOTALL)
_OWN_NUMBER = re.compile(r"^\d+(?:\.\d+)*\s+")
_REACTION = re.compile(r"\b(?:adverse|toxicit\w+|reactions?|grades?)\b", re.IGNORECASE)
_OF_DOSING = re.compile(r"\b(?:dos(?:e|es|age|ages|ing)|initial|titration|maintenance|use of)\b", re.IGNORECASE)
"""Words that make a heading of the product's name ("Initial Dosage: Use of X as the First Opioid")."""
_ECHOED = 3  # so many sentences in the same order are a repetition
_LONGEST_TITLE = 16  # words


def scopes_of(reading: Reading, lexicon: Lexicon, indications: str = "", names: Mapping[str, str] | None = None) -> Scopes:
    """The scopes of a section. `indications` is the label's text on indications in lower case: it tells an indication from a patient's other state.

    `names` are the abbreviations that the label explains.
    """
    return _Walk(reading, lexicon, indications, names or {}).scopes()


class _Walk:
    """Goes through a section once, keeping the stack."""

    def __init__(self, reading: Reading, lexicon: Lexicon, indications: str, names: Mapping[str, str]) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._heads = HeadingReader(reading, lexicon, indications, names)
        self._stack: list[Entry] = []
        self._led: list[Entry] = []
        self._marks: list[tuple[int, Standing]] = []
        self._passages: list[Passage] = []
        self._number: str | None = None
        self._part: Place | None = None
        self._numbered: set[Place] = set()  # headings of the numbered part itself: a run-in heading does not close them
        self._numbered_at = -1
        self._beside_uses: set[Place] = set()  # headings on people in words alone that closed a use: the next use closes them
        self._ages: set[bool] = set()  # whether run-in headings of the part were on the young, on others, or on both
        self._item_depth: int | None = None  # where the headings numbered "1." of a part stand: the next one closes what is there
        self._beside_matter: int | None = None  # how many narrowing headings stood at the part's last heading on doses alone
        self._title: Place | None = None
        self._caption: Place | None = None  # a title right over a table: its scope ends with the table

    def scopes(self) -> Scopes:
        for block in self._reading.blocks:
            self._enter(block)
            if block.table:
                self._led = []
                self._caption = self._caption or self._title
                continue
            for index, statement in enumerate(block.statements):
                fresh = block.heading is not None and index == 0 and self._part != block.heading
                start = block.heading[0] if fresh and block.heading is not None else statement.start
                if fresh:
                    self._part = block.heading
                self._statement(block, statement, start)
        echo = self._echo()
        told = tuple(p for p in self._passages if echo is None or p.start < echo)
        return Scopes(tuple(at for at, _ in self._marks), tuple(s for _, s in self._marks), told, echo)

    def _echo(self) -> int | None:
        """Where the last numbered part begins to repeat sentences of earlier parts in their order."""
        full = [p for p in self._passages if p.block.number is not None and not p.statement.highlight]
        texts = [self._blank[p.start : p.end].strip() for p in full]
        first = {run: i for i in reversed(range(len(full) - _ECHOED + 1)) if full[i].block.number != self._number for run in [tuple(texts[i : i + _ECHOED])]}
        for i in range(len(full) - _ECHOED + 1):
            if full[i].block.number == self._number and tuple(texts[i : i + _ECHOED]) in first:
                return full[i].start
        return None

    def _enter(self, block: Block) -> None:
        """A new numbered part closes every scope."""
        if block.number == self._number:
            return
        self._number = block.number
        self._stack = []
        self._led = []
        self._item_depth = self._beside_matter = None
        self._part = None
        self._numbered = set()
        self._ages = set()
        self._numbered_at = block.heading[0] if block.heading is not None and block.number is not None else -1
        at = block.heading[0] if block.heading is not None else (block.statements[0].start if block.statements else None)
        if block.heading is not None and (block.table or not block.statements):
            self._numbered.add(block.heading)
            self._open(block.heading)
            self._part = block.heading
        elif at is not None:
            self._mark(at)

    def _statement(self, block: Block, statement: Statement, start: int) -> None:
        if self._caption is not None:
            self._stack = [e for e in self._stack if e.place != self._caption]
            self._caption = self._title = None
            self._mark(start)
        things = self._reading.things_in(start, statement.end)
        headings, body = run_in_headings(self._blank, start, statement.end, things)
        while headings and self._is_own_name(headings[-1]) and self._blank[body - 1 : body] != ":":
            body = headings.pop()[0]
        if headings and self._is_partners_name(headings[-1]) and self._blank[body - 1 : body] != ":":
            body = headings.pop()[0]
        if (headings and not (self._led and (statement.item or self._is_listed(headings)))) or (not statement.item and not headings):
            self._led = []
        for place in headings:
            if _WITHOUT_END.search(self._blank, *place):
                continue
            if start == self._numbered_at:
                self._numbered.add(place)
            self._open(place)
        if body >= statement.end:
            return
        if not headings and self._is_title(self._blank[body : statement.end]):
            self._open((body, statement.end))
            self._title = (body, statement.end)
            return
        told = _FOR_TREATMENT.match(self._blank, body, statement.end)
        if told is not None and _ITEM_NUMBER.search(self._blank, max(0, body - 6), body) is not None:
            self._open(told.span())
        first, *inner = [*inner_labels(self._blank, body, statement.end), statement.end]
        self._pass(block, replace(statement, start=body, end=first, things=self._reading.things_in(body, first)))
        for at, until in pairwise([first, *inner]):
            self._statement(block, replace(statement, start=at, end=until, item=True), at)

    def _pass(self, block: Block, statement: Statement) -> None:
        """Adds a passage; a sentence that opens a list gives its matter to the items below."""
        self._title = None
        self._passages.append(Passage(statement.start, statement.end, statement, block, self._standing()))
        if _LEAD.search(self._blank[statement.start : statement.end]):
            self._led = list(self._heads.entries((statement.start, statement.end), lead=True))
            self._mark(statement.end)

    def _is_title(self, words: str) -> bool:
        """True for a unit that is a heading by itself: title case, no stop, no number with a unit."""
        tokens = words.split()
        if _TABLE.search(words) or (self._passages and _TABLE.match(self._blank, self._passages[-1].start)):
            return False
        if not 0 < len(tokens) <= _LONGEST_TITLE or words.rstrip().endswith((".", ";")) or re.search(r"\d\s*(?:mg|mcg|g|mL|units?|%)", words):
            return False
        large = [t for t in tokens if len(t) > 3]
        return bool(large) and all(t[:1].isupper() or not t[:1].isalpha() for t in large)

    def _is_own_name(self, place: Place) -> bool:
        """True for nothing but the product's name with a strength or form: a sentence begins there, no heading."""
        words = self._blank[slice(*place)]
        if _OF_DOSING.search(words) is not None:
            return False
        for own in (t for t in self._reading.things_in(*place) if t.own):
            words = words[: own.start - place[0]] + " " * (own.end - own.start) + words[own.end - place[0] :]
        return words != self._blank[slice(*place)] and not dosage_words().matter(words)

    def _is_partners_name(self, place: Place) -> bool:
        """True for nothing but another drug's name: its dose follows, and no heading stands there."""
        words = self._blank[slice(*place)]
        others = [t for t in self._reading.things_in(*place) if t.kind is Kind.PARTNER and t.type == EntityType.INGREDIENT and not t.own]
        return len(others) == 1 and self._blank[others[0].start : others[0].end] == words.strip()

    def _is_listed(self, headings: Sequence[Place]) -> bool:
        """True for a label on people under a lead that names their use: one of its list, though no bullet marks it."""
        if self._blank[headings[-1][1] : headings[-1][1] + 2].strip() != ":" or not any(e.kind is ScopeKind.INDICATION for e in self._led):
            return False
        return {e.kind for place in headings for e in self._heads.entries(place)} - {ScopeKind.MATTER} == {ScopeKind.PEOPLE}

    def _close_before(self) -> None:
        """Closes the run-in headings on organ function or a partner before a heading on doses beside an earlier one of its kind."""
        held = [e for e in self._stack if e.kind in _BESIDE and e.place not in self._numbered]
        told = bool(held and self._passages) and self._passages[-1].start >= held[-1].place[1]
        if self._beside_matter is not None and told:
            self._stack = [e for e in self._stack if e not in held[self._beside_matter :]]
        else:
            self._beside_matter = len(held)

    def _open(self, place: Place) -> None:
        fresh = sorted(self._heads.entries(place), key=lambda e: e.at)
        if fresh and all(e.kind is ScopeKind.MATTER and e.topic is None for e in fresh):
            self._close_before()
        kinds = {e.kind for e in fresh} - {ScopeKind.MATTER}
        told = [(p.start, p.end) for p in self._passages if p.block.number == self._number] if kinds == {ScopeKind.PEOPLE} and not self._ages else []
        self._stack = [e for e in self._stack if e.place in self._numbered or not stands_before_doses(self._blank, e, told, place)]
        if _FOR_ALL_USES.match(self._blank, *place) and not any(e.kind is ScopeKind.INDICATION and e.place in self._numbered for e in self._stack):
            kinds.add(ScopeKind.INDICATION)
        if ScopeKind.PARTNER in kinds and any(e.kind is ScopeKind.INDICATION and self._is_loud(e.place) for e in self._stack) and self._is_loud(place):
            kinds.add(ScopeKind.INDICATION)
        beside = [i for i, e in enumerate(self._stack) if e.kind in _BESIDE and (e.place not in self._numbered or self._runs_in(e))]
        if ScopeKind.INDICATION in kinds and not any(e.kind is ScopeKind.INDICATION for e in self._stack):
            kinds.add(ScopeKind.PARTNER)
        closed = next((i for i, e in enumerate(self._stack) if e.kind in kinds), len(self._stack))
        if ScopeKind.INDICATION in kinds:
            closed = next((i for i, e in enumerate(self._stack[:closed]) if e.place in self._beside_uses), closed)
        elif is_in_words(fresh) and any(e.kind is ScopeKind.INDICATION and e.place not in self._numbered for e in self._stack[closed:]):
            self._beside_uses.add(place)
        if _PATIENTS_WITH.match(self._blank, *place) and (self._is_of_full_label() or (ScopeKind.ORGAN in kinds and len(self._ages) > 1)):
            closed = min(closed, next((i for i, e in enumerate(self._stack) if e.place not in self._numbered and e.kind is not ScopeKind.MATTER), closed))
        self._ages |= {is_young(e.condition) for e in fresh if e.kind is ScopeKind.PEOPLE and e.condition is not None and place not in self._numbered}
        closed = next((i for i, e in enumerate(self._stack[:closed]) if e.kind is not ScopeKind.MATTER and self._opens_alike(e.place, place)), closed)
        if kinds & _BESIDE and beside:
            closed = min(closed, beside[0])
        if (therapy := self._therapy_beside(place)) is not None:
            closed = next((i for i, e in enumerate(self._stack) if e.kind in _OF_A_USE and e.place not in self._numbered), closed)
            fresh = fresh if any(e.condition for e in fresh) else [*fresh, therapy]
        if _ITEM_NUMBER.search(self._blank, max(0, place[0] - 6), place[0]):
            self._item_depth = closed if self._item_depth is None else self._item_depth
            closed = min(closed, self._item_depth)
        matter = any(e.kind is ScopeKind.MATTER for e in fresh)
        self._stack = [
            *(e for e in self._stack if e.kind is ScopeKind.MATTER and not matter),
            *(e for e in self._stack[:closed] if e.kind is not ScopeKind.MATTER),
            *(e for e in fresh if e.kind is not ScopeKind.PEOPLE or e.condition is not None),  # "all patients" only closes
        ]
        self._mark(place[0])

    def _is_loud(self, place: Place) -> bool:
        """True for a run-in heading in capitals alone: uses and partners so printed stand beside each other."""
        return place not in self._numbered and self._blank[slice(*place)].isupper()

    def _opens_alike(self, before: Place, place: Place) -> bool:
        """True for headings that begin with the same words on doses: they stand beside each other ("Dosage adjustment for patients who ...")."""
        first, second = (_ALIKE.match(self._blank, *p) for p in (before, place))
        return first is not None and second is not None and before != place and first[0].lower() == second[0].lower()

    def _is_of_full_label(self) -> bool:
        """True where the last heading named its people with their use or state and its dose is told: the next one of that kind stands beside it."""
        last = self._stack[-1].place if self._stack else None
        return last is not None and _LABELLED.fullmatch(self._blank[slice(*last)]) is not None and bool(self._passages) and self._passages[-1].start >= last[1]

    def _therapy_beside(self, place: Place) -> Entry | None:
        """The scope of a heading on treatment with another drug ("Penicillin Therapy (General)"), under which no use above it holds."""
        words = " ".join(self._blank[slice(*place)].split()).strip(" :*")
        others = [t for t in self._reading.things_in(*place) if t.kind is Kind.PARTNER and not t.own]
        if _THERAPY.search(words) is None or not others:
            return None
        return Entry(ScopeKind.INDICATION, place, condition=partner_beside(others, words, place), at=place[0])

    def _runs_in(self, entry: Entry) -> bool:
        """True for a run-in heading that stands right behind a title of generic words ("Dose Modification Guidelines Strong Inducers: ...")."""
        if entry.condition is None:
            return False
        title = self._blank[entry.place[0] : entry.condition.start]
        return len(title.split()) > 1 and not dosage_words().matter(title) and _LEADS_ON.search(title) is None

    def _mark(self, position: int) -> None:
        self._marks.append((position, self._standing()))

    def _ground(self, place: Place) -> Restriction | None:
        words = _OWN_NUMBER.sub("", " ".join(self._blank[slice(*place)].split()).strip(" ,.;:"))
        return Restriction(Opaque(words), *place) if _REACTION.search(words) else None

    def _standing(self) -> Standing:
        entries = [*self._stack, *self._led]
        routes = [e.routes for e in entries if e.routes]
        cited = tuple(dict.fromkeys((e.place, SpanRole.HEADING) for e in entries if e.indication or e.condition or e.routes))
        matter = next((e for e in reversed(entries) if e.kind is ScopeKind.MATTER), None)
        return Standing(
            indications=tuple(e.indication for e in entries if e.indication is not None),
            conditions=tuple(e.condition for e in entries if e.condition is not None),
            routes=routes[-1] if routes else (),
            cited=cited,
            topic=matter.topic if matter is not None else None,
            ground=self._ground(matter.place) if matter is not None and matter.topic == "adverse" else None,
        )
