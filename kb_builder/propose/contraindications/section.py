"""Reads one section for the patients in whom it forbids its product: lists and full sentences of the contraindications, sentences elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.advised import AdviceReader, state_draft
from kb_builder.propose.contraindications.circumstances import risky_circumstances
from kb_builder.propose.contraindications.reserved import kept_for_need
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.contraindications.values import values_to_stop_at
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.items import NO_BREAK_BEFORE, leads_list, split_items
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind
from kb_builder.propose.reading.whom import find_people_in
from kb_builder.propose.use_lists import opens_use_list
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.guards import Opaque
from ontology.text.context import is_animal

_CUE = re.compile(r"\bcontra-?indicat(?:ed\b(?P<for>\s+(?:in|for|with|during|to|when|if|as)\b)?|es?\b|ions?\b)", re.IGNORECASE)
_NEXT_SECTION = re.compile(r"\W*(?:BOXED\s+WARNINGS?|WARNINGS?|PRECAUTIONS|ADVERSE\s+REACTIONS)(?=[\s.:]*(?:$|[A-Z][a-z]|AND\s+PRECAUTIONS))")
"""The title of the section that follows, where a record runs on into it."""
_NOT_ADVISED = re.compile(r"\W*not\s+(?:recommended|advised)\s+(?:for\s+use\s+)?(?:in|for)\s+", re.IGNORECASE)
_NOT_USED = re.compile(
    r"\W*(?:(?:[A-Z][\w-]*\s+(?:[\w-]+\s+){0,4})?(?:should|must)\s+not\s+be\s+(?:used|given|administered)|Do\s+not\s+(?:use|give|administer)(?:\s+[\w-]+){0,3}?)"
    r"\s+(?:in|during)\s+(?:the\s+presence\s+of\s+)?(?!(?:patients?|individuals|people|persons|children|women|men|those|infants|neonates|anyone|combination|conjunction|place|larger?|amounts?|doses?"
    r"|the\s+(?:eyes?|treatment|management|same)|treatment|any|an?|more|order)\b)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do not|does not|did|occurs?|occurred|includes?|causes?|contains?|refer|see|consider|discontinue|appears?|seems?|(?:also |significantly |markedly )+(?:increases|decreases|inhibits|induces))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\((?:[^()]|\([^()]*\))*\)|\b(?:who|whose|which|that|whom|unless|except)\b[^,;.]*(?:(?<=[a-z]),\s+(?:(?:or|and)\s+)?(?:have|has|had|are)\b[^,;.]*)*",
    re.IGNORECASE,
)
_INCLUDE = re.compile(
    r"\W*(?:(?:Other|Further|Additional|The|Its)\s+)*contraindications\s+(?:also\s+)?(?:include|are)s?\b\s*:?\s+(?!not\b|based\b|given\b|listed\b|discussed\b)",
    re.IGNORECASE,
)
_NOUN_CUE = re.compile(r"(?:\b(?:is|are|be|may|can|should)\s+(?:also\s+|therefore\s+|an?\s+|absolute\s+|relative\s+)*)$", re.IGNORECASE)
_HEAD_LIMIT = re.compile(
    r"\b(?:at|in)\s+(?:\w+\s+)?dos(?:e|es|age|ages)\b[^,;]*|\bdoses?\s*[>≥<][^,;]*|\b(?:when|during|for the(?! same\b)|in combination)\b[^,;]*", re.IGNORECASE
)
_OPENING = re.compile(
    r"\W*(?:in|for|during|when|while|if|after|before|with)\s+(?!(?:common|addition|general|contrast|particular|most|these|such|those|as|view|the same|this|example)\b)(?P<what>\S[^.;]*?)[\s,]*$",
    re.IGNORECASE,
)
_TOGETHER_HEAD = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|combin\w+|(?<!common )with)\b", re.IGNORECASE)
_AND_IS = re.compile(r"\band(?:\s+(?:is|are)(?:\s+(?:also|therefore))?)?\s*$", re.IGNORECASE)
_OF_FIRST = re.compile(r"\s*(?::|,?\s*\b(?:in|except|during|unless|used|taken|therapy)\b)", re.IGNORECASE)


class ContraindicationReader:
    """Reads the contraindications section, or another one for what it forbids."""

    def __init__(self, reading: Reading, states: StateReader, lexicon: Lexicon) -> None:
        self._reading = reading
        self._lexicon = lexicon
        self._blank = reading.blank
        self._states = states
        self._advice = AdviceReader(reading, states)
        self._elsewhere = False

    def own_section(self) -> Iterator[Draft]:
        """Every statement of the contraindications section."""
        for block in self._reading.blocks:
            if block.heading is not None and not block.table and not block.statements:
                continue
            section = block
            for statement in block.statements:
                text = self._blank[statement.start : statement.end]
                self._elsewhere = self._elsewhere or _NEXT_SECTION.match(text) is not None
                if self._elsewhere:
                    yield from self._elsewhere_read(block, statement)
                    continue
                item_end = self._item_before_sentence(statement, text)
                if item_end is not None:
                    yield from self._items(block, statement, statement.start, item_end)
                    statement = replace(statement, start=item_end)
                    text = self._blank[statement.start : statement.end]
                cue = _CUE.search(text)
                if (listed := _INCLUDE.match(text)) is not None:
                    yield from self._items(block, statement, statement.start + listed.end(), statement.end)
                elif cue is not None:
                    block = replace(section, heading=(statement.start, statement.end)) if leads_list(text) else section
                    yield from self._stated(block, statement, cue)
                elif (advised := _NOT_ADVISED.match(text)) is not None:
                    yield from self._items(block, statement, statement.start + advised.end(), statement.end, action=Action.NOT_RECOMMENDED)
                elif _FINITE.search(_RELATIVE.sub("", text)) is None:
                    yield from self._items(block, statement, statement.start, statement.end)
                elif statement.item and (aside := text.find("; ")) > 0 and _FINITE.search(_RELATIVE.sub("", text[:aside])) is None:
                    yield from self._items(block, statement, statement.start, statement.start + aside)
                else:
                    yield from self._advised(block, statement, text)

    def _advised(self, block: Block, statement: Statement, text: str) -> Iterator[Draft]:
        """A sentence that forbids with other words, of patients whom it names or of a state that it names alone ("Do not use in coma")."""
        advised = list(self._advice.read(block, statement, stop_only=True))
        yield from advised
        states = _NOT_USED.match(text) if not advised else None
        if states is not None and not self._is_of_pair(statement, text[: states.end()], None):
            yield from self._items(block, statement, statement.start + states.end(), statement.end)

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
                yield from self._elsewhere_read(block, statement)

    def _elsewhere_read(self, block: Block, statement: Statement) -> Iterator[Draft]:
        if not is_animal(self._blank[statement.start : statement.end]):
            yield from self._advice.read(block, statement, stop_only=False)
            yield from risky_circumstances(self._reading, self._states, block, statement)
            yield from values_to_stop_at(self._reading, block, statement)
            yield from kept_for_need(self._reading, self._states, block, statement)

    def _stated(self, block: Block, statement: Statement, cue: re.Match[str]) -> Iterator[Draft]:
        """A sentence with the word contraindicated: the objects stand behind it, or before it."""
        text = self._blank[statement.start : statement.end]
        noun = not cue[0].lower().startswith(("contraindicated", "contra-indicated"))
        if re.search(r"\b(?:not|no|never)\b[^.;]{0,20}$", text[: cue.start()], re.IGNORECASE) or (noun and _NOUN_CUE.search(text[: cue.start()]) is None):
            return
        behind = text[cue.end() :].strip(" :.\n")
        limit = _HEAD_LIMIT.search(text[: cue.start()])
        if limit is not None and _AND_IS.search(limit[0]) is not None and _FINITE.search(text[: limit.start()]) is not None:
            limit = None  # the clause before "and is contraindicated" is of another verb
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

    def _items(
        self, block: Block, statement: Statement, start: int, end: int, limits: tuple[Restriction, ...] = (), action: Action = Action.CONTRAINDICATED
    ) -> Iterator[Draft]:
        """Each item of a list that lost its layout."""
        strength = Strength.MUST if action is Action.CONTRAINDICATED else Strength.SHOULD
        for at, until in split_items(self._blank, start, end):
            if self._is_of_partner(statement, at, until) or opens_use_list(self._blank, at, until):
                continue
            for state in self._states.read(at, until):
                yield state_draft(self._reading, block, statement, state, action, strength).with_limits(*limits)
