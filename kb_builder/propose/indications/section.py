"""Reads one indications section: the uses that its sentences and lists state, and those that they deny."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.indications.before import lead_before, setting_before
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.cues import begins_aim, begins_clause, blank_relatives, finite_verb, lists_criteria, lists_others, names_no_use, opens_list
from kb_builder.propose.indications.denied import as_denied, lists_denied, not_helped
from kb_builder.propose.indications.limits import limits_of
from kb_builder.propose.indications.names import clean_name, ends_as_state
from kb_builder.propose.indications.opened import OpenList, is_title, is_undergone
from kb_builder.propose.indications.reader import Indication, find_indications
from kb_builder.propose.indications.runs import split_run
from kb_builder.propose.indications.sentences import begins_group, begins_phrase, cut_statement, runs_on
from kb_builder.propose.indications.uses import Lead, Purpose, read_lead
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.items import split_items
from kb_builder.propose.reading.lexicon import USE_TYPES, Lexicon
from kb_builder.propose.reading.things import Kind, uncoded
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque
from ontology.model.spans import SpanRole

_TITLE = re.compile(r"^[\W\d]*(?:uses?\b(?:\s*\(?s\)?(?=\W))?|indications?(?:\s+(?:and|&)\s+usage)?)\s*:?\s*", re.IGNORECASE)
_INDICATED = re.compile(r"\bindicated\b", re.IGNORECASE)
_COLON = re.compile(r":(?=\s|$)(?![^()]*(?<!\s[a-h\d])\))")
_SUPPOSED = re.compile(r"\b(?:when|if|whether|where)\b(?:[^,]|,\s*USP\b){0,60}$", re.IGNORECASE)
_OWN_NEAR = 40
_WEAK = re.compile(r"\b(?:may|might|can|could|considered|useful|value)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|without)\b[^.;,]{0,45}$", re.IGNORECASE)


class IndicationReader:
    """Reads the indications of one section."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self._reading = reading
        self._text = reading.blank
        self._lexicon = lexicon
        self._book = indication_book()
        self._open: OpenList | None = None
        self._denying = False
        self._listing = False
        self._narrowed: set[int] = set()
        self._bare = _INDICATED.search(self._text) is None

    def drafts(self) -> list[Draft]:
        """Every use that the section states or denies, in order of print; what a lead names and its items restrict is not said without them."""
        found = list(self._all())
        return [d for d in found if id(d) not in self._narrowed]

    def _all(self) -> Iterator[Draft]:
        for block in self._reading.blocks:
            found = list(self._block(block))
            yield from found
            if block.heading is not None and not any(d.polarity is Polarity.POSITIVE for d in found) and not self._denying:
                yield from self._heading(block)

    def _block(self, block: Block) -> Iterator[Draft]:
        head = self._text[slice(*block.heading)] if block.heading else ""
        if block.heading is not None or block.number is not None:
            self._denying = self._book.limitations.search(head) is not None
            if block.number is not None:
                self._open = None
        for statement in block.statements:
            if self._open is not None and not self._open.stated and begins_group(self._text, statement.start):
                self._open = self._open.outer or replace(self._open, lead=Lead(), others=False)
            for start, end in cut_statement(self._text, statement, consumer=self._bare):
                yield from self._sentence(block, statement, start, end)

    def _restarts(self, start: int, length: int) -> bool:
        """True for a sentence that begins with the product's name: behind the limitations the Highlights begin anew."""
        return any(t.own for t in self._reading.things_in(start, start + min(length + 30, _OWN_NEAR)))

    def _sentence(self, block: Block, statement: Statement, start: int, end: int) -> Iterator[Draft]:
        limitation = self._book.limitations.match(self._text, start, end)
        if limitation is not None:
            self._denying, self._open = True, None
            start = limitation.end()
        title = _TITLE.match(self._text[start:end])
        consumer = title is not None and title.end() > 0 and title[0].strip().lower().startswith("use")
        start += title.end() if title is not None else 0
        words = self._text[start:end]
        if not re.search(r"\w{3}", words):
            return
        vain = not_helped(self._text, start, end, self._reading.things_in(start, end))
        if vain is not None:
            yield from self._negative(block, statement, (start, end), (i for i in self._found(*vain, Lead(Purpose.TREAT)) if i.purpose is not Purpose.REACH))
            return
        cue = self._book.cue.search(words)
        denied = self._book.denial.search(blank_relatives(words))
        if denied is not None or (cue is not None and _NOT.search(words[: cue.end()].rsplit(" ", 1)[0])):
            yield from self._denied(block, statement, start, end)
            return
        strong = cue is not None and "indicated" in cue[0].lower()
        if cue is not None and not strong and _SUPPOSED.search(words[: cue.start() + 1]):
            return
        if self._book.skip.search(words) and not strong:
            return
        if cue is not None and self._denying and not self._restarts(start, cue.start()):
            return
        if cue is not None:
            self._denying = False
            yield from self._stated(block, statement, (start, end), start + cue.start(), start + cue.end())
        elif self._denying:
            named = statement.item and finite_verb(words) is None
            self._listing = self._listing and (named or self._is_phrase(words, start, statement))
            found = (i for s, e in (self._items(start, end) if self._listing else ()) for i in self._found(s, e, Lead()))
            yield from self._negative(block, statement, (start, end), as_denied(self._text, start, found))
        elif consumer or self._book.otc.match(words):
            yield from self._consumer(block, statement, start, end)
        elif (self._open is not None and self._open.criteria and statement.item) or self._is_phrase(
            words, start + len(words) - len(words.lstrip(" -•–")), statement
        ):
            yield from self._phrase(block, statement, start, end, self._open.lead if self._open else Lead(), self._open)
        elif self._open is not None:
            self._open = replace(self._open, closed=True)

    def _is_phrase(self, words: str, start: int, statement: Statement) -> bool:
        """True for an item of an open list, or a phrase that begins with a purpose and is no sentence."""
        if begins_clause(words) or any(t.own and not runs_on(self._text, t.start) for t in self._reading.things_in(start, start + len(words))):
            return False
        finite = finite_verb(words)
        if self._open is not None and self._open.closed and not (statement.item or self._known(clean_name(words))):
            return finite is None and begins_phrase(self._text, start)
        if self._open is not None and (finite is None or (statement.item and finite > 60)):
            return True
        if finite is None and self._bare:
            return True
        return finite is None and begins_phrase(self._text, start)

    def _stated(self, block: Block, statement: Statement, place: tuple[int, int], cue_start: int, cue_end: int) -> Iterator[Draft]:
        """A sentence with a word of indication: what is behind it, with the restrictions printed before it."""
        before = lead_before(self._text, self._reading.things_in(place[0], cue_start), place[0], cue_start)
        colon = _COLON.search(self._text, cue_end, place[1])
        until = colon.start() if colon is not None else place[1]
        opens = colon is not None or opens_list(self._text[cue_end : place[1]])
        self._open = None
        found = self._found(cue_end, until, before)
        if opens:
            lead = read_lead(self._text, cue_end, until)
            lead = replace(lead, contexts=(*before.contexts, *lead.contexts))
            found = [] if lead.head else found
        if not (found or opens):
            found = self._only_known(cue_end, until)
        if not self._indicates(cue_end):
            found = self._in_setting(place[0], (cue_start, until), found)
        drafts = list(self._drafts(block, statement, place, found, _WEAK.search(self._text[place[0] : cue_end]) is not None))
        yield from drafts
        if opens:
            words = self._text[cue_end:until]
            self._open = OpenList(lead, (place[0], until), tuple(drafts), lists_others(words), lists_criteria(words), stated=True)
        if colon is not None and self._open is not None and re.search(r"\w{3}", self._text[colon.end() : place[1]]):
            yield from self._phrase(block, statement, colon.end(), place[1], self._open.lead, self._open)

    def _only_known(self, start: int, end: int) -> list[Indication]:
        """The one known state that a phrase names which is of no known form, under all that the phrase says."""
        if not (self._indicates(start) and begins_aim(self._text[start:end])):
            return []
        named = [t for t in self._reading.things_in(start, end) if not t.own and t.type in USE_TYPES and t.targets[0].entity is None]
        if len({t.targets[0].id for t in named}) != 1:
            return []
        thing = max(named, key=lambda t: t.end - t.start)
        whole = Restriction(Opaque(" ".join(self._text[start:end].replace("\x01", " ").split()).strip(" ,.;:")), start, end)
        return [Indication(thing.targets[0], thing.start, thing.end, Purpose.STATE, (whole,))]

    def _in_setting(self, start: int, said: tuple[int, int], found: list[Indication]) -> list[Indication]:
        """The uses as those of the state that the sentence opens with; the state as the sentence words it where it names none."""
        place = setting_before(self._text, self._reading.things_in(start, said[0]), start, self._known)
        if place is None:
            return found
        named = [i for i in found if i.purpose is not Purpose.REACH]
        if not named:
            mode = Restriction(Opaque(" ".join(self._text[slice(*said)].split()).strip(" .,;:")), *said)
            return [replace(i, limits=(*i.limits, mode)) for i in find_indications(self._text, *place, self._reading.things_in(*place), self._lexicon)]
        state = clean_name(self._text[slice(*place)])
        return [replace(i, target=uncoded(EntityType(i.target.id.type), f"{i.target.words} in {state}")) for i in named]

    def _known(self, words: str) -> bool:
        return bool(self._lexicon.lookup(words, USE_TYPES))

    def _indicates(self, cue_end: int) -> bool:
        return _INDICATED.search(self._text, max(0, cue_end - 12), cue_end) is not None

    def _found(self, start: int, end: int, lead: Lead) -> list[Indication]:
        found = find_indications(self._text, start, end, self._reading.things_in(start, end), self._lexicon, lead)
        if lead.states and not any(i.purpose is not Purpose.REACH for i in found):
            states = [i for s in lead.states for i in find_indications(self._text, *s, self._reading.things_in(*s), self._lexicon)]
            limits = tuple(r for i in found[:1] for r in i.limits)
            found = [replace(i, purpose=Purpose.STATE, limits=(*i.limits, *(r for r in limits if r.start >= start))) for i in states] or found
        return found

    def _phrase(self, block: Block, statement: Statement, start: int, end: int, lead: Lead, opened: OpenList | None) -> Iterator[Draft]:
        """A phrase or item; flattened items are cut apart."""
        colon = _COLON.search(self._text, start, end)
        above = opened.place if opened is not None else None
        if colon is not None and re.search(r"\w{3}", self._text[colon.end() : end]) and not lists_others(self._text[start : colon.start()]):
            inner = read_lead(self._text, start, colon.start())
            found = [] if inner.head else self._found(start, colon.start(), lead)
            lead = replace(inner, contexts=(*lead.contexts, *inner.contexts))
            if not (opened is not None and statement.item and inner.contexts):
                others = lists_others(self._text[start : colon.start()]) or (opened is not None and opened.others)
                outer = None if opened is None else opened.outer or opened
                self._open = OpenList(lead, above or (start, colon.start()), others=others, outer=outer)
            behind = [i for s, e in self._items(colon.end(), end) for i in self._found(s, e, lead)]
            found = [i for i in found if not behind or i.target.entity is None or ends_as_state(i.target.words)]
            found = behind if behind and is_title(found, self._text[start : colon.start()]) else [*found, *behind]
        else:
            found = [i for s, e in self._items(start, end) for i in self._found(s, e, lead)]
        if opened is not None and opened.uses:
            found = [i for i in found if i.purpose is not Purpose.REACH]
            states = [i for i in found if (i.target.entity is None or ends_as_state(i.target.words)) and not is_undergone(self._text, i, start)]
            if opened.criteria or not (states or opened.others):
                for s, e in self._items(start, end):
                    yield from self._narrow(statement, s, e, opened)
                return
        if opened is not None and opened.others:
            found = [i for i in found if ends_as_state(i.target.words)]
        yield from self._drafts(block, statement, (start, end), found, weak=False, above=above)

    def _items(self, start: int, end: int, *, consumer: bool = False) -> Iterator[tuple[int, int]]:
        """The items of a flattened list."""
        for s, e in split_items(self._text, start, end):
            yield from split_run(self._text, s, e, self._known, consumer=consumer)

    def _narrow(self, statement: Statement, start: int, end: int, opened: OpenList) -> Iterator[Draft]:
        """The uses of a lead sentence under the restrictions that an item is ("... cancer: In combination with ...")."""
        limits = limits_of(self._text, [(start, end)], self._reading.things_in(start, end), self._lexicon)
        self._narrowed |= {id(d) for d in opened.uses}
        yield from (replace(d, highlight=statement.highlight).with_limits(*limits) for d in opened.uses)

    def _consumer(self, block: Block, statement: Statement, start: int, end: int) -> Iterator[Draft]:
        """Uses of a label for the consumer: "temporarily relieves minor aches and pains due to: headache toothache"."""
        verb = self._book.otc.match(self._text[start:end])
        at = start + verb.end() if verb is not None else start
        these = self._book.otc_symptoms.search(self._text, at, end)
        lead = Lead(Purpose.PREVENT if verb is not None and "prevent" in verb[0].lower() else Purpose.TREAT)
        colon = _COLON.search(self._text, at, end)
        self._open = OpenList(lead, (start, colon.start() if colon else end))
        found: list[Indication] = []
        if colon is not None and these is not None and these.start() < colon.start():
            at = colon.end()
        elif colon is not None:
            found += self._found(at, colon.start(), lead)
            at = colon.end()
        found += [i for s, e in self._items(at, end, consumer=True) for i in self._found(s, e, lead)]
        yield from self._drafts(block, statement, (start, end), found, weak=False)

    def _heading(self, block: Block) -> Iterator[Draft]:
        """The heading as the use, where the text below it names none."""
        start, end = block.heading or (0, 0)
        words = self._text[start:end]
        named = any(t.kind is Kind.STATE and t.type == EntityType.CONDITION for t in self._reading.things_in(start, end))
        if named and not names_no_use(words) and block.statements and self._book.limitations.search(words) is None:
            yield from self._drafts(block, block.statements[0], (start, end), self._found(start, end, Lead()), weak=False)

    def _denied(self, block: Block, statement: Statement, start: int, end: int) -> Iterator[Draft]:
        """What the product is not for, as claims with negative polarity."""
        words = self._text[start:end]
        denial = self._book.denial.search(words)
        at = start + (denial.end() if denial is not None else 0)
        if denial is None or not re.search(r"\bnot\s+(?:indicated|recommended|intended|approved|for)\b", denial[0], re.IGNORECASE):
            return
        self._listing = lists_denied(self._text, start, end)
        found = [i for i in self._found(at, end, Lead()) if i.purpose is not Purpose.REACH]
        yield from self._negative(block, statement, (start, end), as_denied(self._text, at, found))

    def _negative(self, block: Block, statement: Statement, place: tuple[int, int], found: Iterable[Indication]) -> Iterator[Draft]:
        for draft in self._drafts(block, statement, place, found, weak=False):
            yield replace(draft, polarity=Polarity.NEGATIVE, steps=(Step(Action.NOT_RECOMMENDED),))

    def _drafts(
        self, block: Block, statement: Statement, place: tuple[int, int], found: Iterable[Indication], weak: bool, above: tuple[int, int] | None = None
    ) -> Iterator[Draft]:
        for one in found:
            yield Draft(
                self._reading,
                "indicated_for",
                one.target,
                (one.start, one.end),
                place,
                limits=one.limits,
                heading=block.heading,
                strength=Strength.CONSIDER if weak else Strength.SHOULD,
                highlight=statement.highlight,
                cited=((above, SpanRole.HEADING),) if above is not None else (),
            )
