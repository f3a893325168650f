"""States of a patient that a label names as objects: conditions, procedures, people of an age, and what they are hypersensitive to.

A phrase gives objects with their guards. The label's words stay with the object; a severity or a time that the coded concept does not hold
becomes part of the guard, never lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.allergens import AllergenReader, find_reaction
from kb_builder.propose.contraindications.among import marked_among
from kb_builder.propose.contraindications.clauses import without_clauses
from kb_builder.propose.contraindications.concepts import concept_of, first_of
from kb_builder.propose.contraindications.cores import head_and_tail
from kb_builder.propose.contraindications.expecting import whole_group
from kb_builder.propose.contraindications.past import HISTORY, PLANNED, in_all_times, shared_past, time_of
from kb_builder.propose.contraindications.scraps import is_fragment, is_scrap
from kb_builder.propose.contraindications.state_limits import ages_before, find_exception, in_time, last_time, left_to_prescriber, stated_limits
from kb_builder.propose.found import State
from kb_builder.propose.reading.coordination import Conjunct, split_conjuncts, split_run
from kb_builder.propose.reading.lexicon import PARTNER_TYPES, STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import AnyOf, Category, Guard, HasCondition, Opaque
from ontology.text.bounds import find_bounds

_LEAD = re.compile(
    r"^(?:[\s,;:•\x01-]|\(?\d{1,2}\)\s|\d{1,2}\.(?=\s?[A-Z])|\(?[a-e]\)\s|\b(?:in|for|to|with|the|and|or|any|those|these|all|other|certain|some|use|treatment|also|even|may be|already|initiation(?=\s+in\b)|established|following|a|an|has|have|had|who|whose|women|females|men|males|persons|people|individuals|subjects|patients?|adults?|conditions?|situations?|cases?|circumstances?(?=:)|notably|male|female|setting|presence|of|are|is|were|known|documented|demonstrated|diagnosed|diagnosis|having|suffering|from|previously|undergo|undergoing|undergone|experienced|developed|exhibited|shown|given|be|been|being|presenting|when|where|if|during|there|such|as|including|concurrent|concomitant|coexisting|pre-?existing|underlying|evidence|signs|known to have|believed|possible)\b)+\s*",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\s*(?:,?\s*\b(?:because|since|as it|as this|as these|as the|as such|due to (?:the |an? )?(?:increased |potential |higher )?(?:risk|potential|possib|concern|expected|lack\b|absence\b|\d+-?fold|presence of \w+ in the (?:formulation|product))|owing to|based on|which may|which can|that may|is a contraindication|are contraindications|may contraindicate|as there|as (?:[\w-]+ ){1,3}(?:may|can|could) be\b|as [^.;]{4,80}? (?:has|have) been (?:reported|observed)|who may be (?:vulnerable|more|at)|for whom)\b.*?)(?=\s+and\s+(?:to|in|for)\s+patients\s+(?:with|who)\b|$)",
    re.IGNORECASE | re.DOTALL,
)
_PRODUCT_TAIL = re.compile(r"\s+(?:is|are)\s+(?:an?\s+)?(?:absolute\s+)?contraindic\w+\b(?!,? including).*$", re.IGNORECASE | re.DOTALL)
_EXAMPLES = re.compile(
    r"\s*[,(]?\s*\b(?<!not )(?:such as|including|e\.g\.,?|i\.e\.,?|for example,?)\s+(?P<members>(?:(?<=\w) \([^()]{2,30}\)(?= (?!and\b|or\b|in\b)[a-z]{3})|[^()])+)\)?",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"\b(?:taking|receiving|concomitant\w*|concurrent\w*|co-?\s?administ\w*|treated with|use (?:of|with)|combination|together|therapy with|treatment with|on therapy|exposed to|used with|or within \d+|within \d+ (?:days|hours|weeks))\b",
    re.IGNORECASE,
)
_CO_USE = re.compile(
    r"^[\s:,;•\x01-]*(?:in\s+|for\s+|the\s+|any\s+|patients?\s+|individuals\s+|those\s+|who\s+|are\s+|being\s+|during\s+or\s+|current\s+|currently\s+)*(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|administration with|combin\w+|use (?:of|with)|using|taking|taken|receiving|treated with|treatment with|simultaneous\w*|within \d+|(?:in )?conjunction|coprescri\w*)\b",
    re.IGNORECASE,
)
_NEXT_CO_USE = re.compile(r"(?<=[a-z])\s+(?=(?:Concomitant|Concurrent|Co-?administration|Coadministration) )")  # the next item of a list
_BECAUSE_OF = re.compile(r"\s*(?:related to|associated with|due to|caused by|after|following)\b", re.IGNORECASE)
_ANAPHOR = re.compile(
    r"\b(?:these|those|such|this) (?:conditions?|events?|disorders?|type)\b|^\W*(?:suspected|known|confirmed|possible|history)\W*$", re.IGNORECASE
)
_BOTH = re.compile(r"\s+and\s+(?P<also>an?\s+(?!history\b)\w[^,;()\x01]{3,80}?)(?:\s*\([^()]*\))*[\s.,\d]*$", re.IGNORECASE)
_TOGETHER = re.compile(r"(?P<both>both\s+)?(?P<first>[^,;()\x01]{3,80}?)\s+and\s+(?P<also>[^,;()\x01]{3,120})$", re.IGNORECASE)
_DOCUMENTED = re.compile(r"\b(?:documented|demonstrated|confirmed)\s+(?:by|on)\b", re.IGNORECASE)
"""Says of the second of two states how it was found in the patient who has the first one."""
_REACTION = re.compile(r"(?:toxicity|reactions?|hypersensitivity)\W*$", re.IGNORECASE)  # the examples behind it are its signs
_THAT_IS = re.compile(r"\W*i\.e\.?,?\s[^()]*\d", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_JOINS = re.compile(r"^(?:(?:associated|accompanied|complicated|with|by|an?|other)\s+)+", re.IGNORECASE)
_ANOTHER = re.compile(r"\b(?:and|or)\s+(?:in|with)\s", re.IGNORECASE)
"""Begins another group of patients, who are not those with the history before it."""
_PARTED = frozenset({EntityType.CONDITION, EntityType.SYMPTOM, EntityType.PROCEDURE})
_OPEN_END = re.compile(r"\s*,?\s+(?:and|or|and/or)$", re.IGNORECASE)
_LONGEST = 22
_TWO = 2
_UNFINISHED = re.compile(r"\W*(?:[\w-]+\s+(?:or|and)\s+)?(?:active|recent|current|ongoing|acute|chronic|severe|known|suspected|high|low)\s*", re.IGNORECASE)
"""Adjectives whose noun is still to come: a bracket behind them gives no examples of a state."""
_PREVENTION = re.compile(r"(?:prevent(?:ion)?|prophylaxis)\s+(?:(?:of|against)\s+)?", re.IGNORECASE)
_POTENTIAL = re.compile(r"\bPotential for\b")  # opens what a table says may happen, not who may not be treated
_NO_DRUG = re.compile(r"\b(?:malabsorption|deficiency|intolerance|poisoning)\W*$", re.IGNORECASE)  # a state named by a substance
_NEXT_NUMBER = re.compile(
    r"(?<=[a-z)])(?<!type)(?<!class)(?<!grade)(?<!stage)(?<!factor)(?<!phase)(?<!than)(?<!of)[\s\x01]+\d{1,2}$", re.IGNORECASE
)  # of the item that follows
_FURTHER = re.compile(
    r"\s*,?\s+(?:(?:or|and)\s+)?(?:(?P<skip>any situations? (?:where|in which) [\w-]+ (?:is|are) contraindicated,? including\s+)|(?P<what>(?:in\s+)?patients\s+(?:with|who)\s|(?:have|has|had)\s+(?!been\b|shown\b|experienced\b|a\s+hypersens)|an?\s+history\s+of\s|when\s+[\w-]+\s+is\s+undesirable\b))",
    re.IGNORECASE,
)  # ends a list of allergens


class StateReader:
    """Reads phrases of one section. Places are offsets in its folded text."""

    def __init__(self, text: str, things: Sequence[Thing], own: Sequence[Target], product: str, lexicon: Lexicon, *, causes: bool = True) -> None:
        """`own` are the label's ingredients: what "hypersensitivity to the drug" means. Without `causes` a state with a cause is kept in its words."""
        self._text = text
        self._things = things
        self.lexicon = lexicon
        self._causes = causes
        self._allergens = AllergenReader(text, things, own, product, lexicon)

    def read(self, start: int, end: int) -> Iterator[State]:
        """The objects of a phrase; nothing for words that name no state."""
        phrase = self._text[start:end]
        cut = _TRAILING.search(phrase) or _PRODUCT_TAIL.search(phrase)
        if cut is not None:
            if cut.end() < len(phrase):
                yield from self.read(start + cut.end(), end)
            end = start + cut.start()
            phrase = self._text[start:end]
        if not re.search(r"[A-Za-z一-鿿]{3}", phrase) or _POTENTIAL.search(phrase):
            return
        co_use = _NEXT_CO_USE.search(phrase)
        if co_use is not None:
            yield from self.read(start, start + co_use.start())
            return
        reaction = find_reaction(phrase)
        if reaction is not None and (further := _FURTHER.search(phrase, reaction.end())) is not None:
            yield from self.read(start, start + further.start())
            yield from self.read(start + (further.end("skip") if further["skip"] else further.start("what")), end)
            return
        if reaction is not None:
            yield from self._before(phrase[: reaction.start()], start, end, reaction)
            yield from self._allergens.read(start + reaction.start(), end)
            return
        if _CO_USE.match(phrase) or (
            _TAKING.search(phrase)
            and not re.search(r"related to|associated with|history|after|following", phrase)
            and any(t.kind is Kind.PARTNER for t in self._within(start, end))
        ):
            return
        yield from self._states(start, end)

    def treated(self, start: int, end: int) -> Iterator[State]:
        """The states of a phrase that names what is not to be treated: a reaction in it is no allergy to the product."""
        yield from self._states(start, end)

    def prevented(self, start: int, end: int) -> Iterator[State]:
        """What the product is not to prevent, each as its prevention: a patient who has the state is not meant."""
        aim = _PREVENTION.match(self._text, start, end)
        for state in self._states(aim.end() if aim is not None else start, end):
            yield replace(state, target=uncoded(EntityType.CONDITION, f"prevention of {state.target.words}"))

    def _before(self, lead: str, start: int, end: int, reaction: re.Match[str]) -> Iterator[State]:
        """States printed before the word hypersensitivity in one list ("anuria, hypersensitivity to ...").

        Not so before "asthma, urticaria, or allergic reactions after taking aspirin": there the asthma is the reaction.
        """
        cut = max((m.end() for m in re.finditer(r",\s|;\s|\s(?:and|or)\s", lead)), default=0)
        if cut and reaction[0].lower().startswith(("hyper", "sensitiv", "intoleran")) and re.search(r"[a-z]{4}", _LEAD.sub("", lead[:cut], count=1)):
            listed = re.sub(r"[\s,;]*\b(?:and|or)?\s*$", "", lead[:cut])
            shared = (
                _BECAUSE_OF.search(self._text, start + reaction.end(), start + reaction.end() + 30)
                if "," not in lead[len(listed) :] and ";" not in lead[len(listed) :]
                else None
            )
            limits: tuple[Restriction, ...] = ()
            if shared is not None:
                until = end if (stop := re.search(r"[.;,]", self._text[shared.start() : end])) is None else shared.start() + stop.start()
                limits = (Restriction(Opaque(" ".join(self._text[shared.start() : until].split())), shared.start(), until),)
            for state in self._states(start, start + len(listed)):
                yield replace(state, limits=(*state.limits, *limits))

    def _states(self, start: int, end: int) -> Iterator[State]:
        if (among := marked_among(self._text, start, end, self.lexicon)) is not None:
            for state in self._states(among.marked_from, end):
                yield replace(state, limits=(among.whom, *state.limits))
            return
        limits: list[Restriction] = []
        phrase = in_all_times(self._text[start:end])
        since = last_time(self._text, start, end)
        if since is not None:
            limits.append(since)
            start, phrase = since.end, phrase[since.end - start :]
        phrase = (told := without_clauses(phrase, start)).phrase
        exception = find_exception(self._text, start, end, self._things)
        if exception is not None and not self._known(phrase.strip()) and not self._text[start : exception.start].lower().rstrip().endswith("with or"):
            limits += () if left_to_prescriber(exception) else (exception,)
            phrase = phrase[: exception.start - start] + " " * (exception.end - exception.start) + phrase[exception.end - start :]
        examples = _EXAMPLES.search(phrase)
        if examples is not None and _UNFINISHED.fullmatch(phrase[: examples.start()]):
            phrase = phrase[: examples.start()] + " " * len(examples[0]) + phrase[examples.end() :]
            examples = _EXAMPLES.search(phrase)
        if examples is not None and _THAT_IS.match(examples[0]) is not None:
            examples = None  # says what the words before it mean
        head = phrase[: examples.start()] if examples is not None else phrase
        lead = _LEAD.match(head)
        skipped = lead.end() if lead is not None and lead.end() < len(head) else 0
        if lead is not None and skipped and lead[0].lower().rstrip().endswith("such"):
            return  # "such infections" are those that the sentence named before
        both = _BOTH.search(head, skipped)
        if both is not None and " or " in head[skipped : both.start()].lower() and not re.search(r"[,;]", head[skipped : both.start()]):
            limits.append(Restriction(self._beside(both["also"]), start + both.start("also"), start + both.end("also")))
            head, examples = head[: both.start()], None
        joint = _TOGETHER.match(head, skipped)
        if joint is not None and (joint["both"] or _DOCUMENTED.search(joint["also"])):
            limits.append(Restriction(self._beside(joint["also"]), start + joint.start("also"), start + joint.end("also")))
            head, skipped = head[: joint.end("first")], joint.start("first")
        tail = phrase[examples.end() :] if examples is not None else ""
        aged = ages_before(head[skipped:], start + skipped)
        conjuncts = [c for one in split_conjuncts(head[skipped:].rstrip(" ,;."), self._known) for c in split_run(one, self._known)]
        then = None
        for index, conjunct in enumerate(conjuncts):
            named = _LEAD.sub("", conjunct.words, count=1)
            then = shared_past(then, head[skipped + conjuncts[index - 1].end : skipped + conjunct.start], conjunct.words) or time_of(named)
            place = (start + skipped + conjunct.start, start + skipped + conjunct.end)
            following = start + skipped + conjuncts[index + 1].start if index + 1 < len(conjuncts) else end
            if _ANAPHOR.search(conjunct.words) is None and not self._is_drug(*place):
                also = aged if index and not find_bounds(conjunct.words) else ()
                own = (one for one in limits if one is since or (one.start > place[0] and not self._is_bracket(one, following, among=len(conjuncts))))
                yield from self._state(conjunct, start + skipped, (*own, *also, *told.of(place[0], min(following, start + len(head)))), past=then)
        if examples is not None and _REACTION.search(head) is None:
            stated = past = None if _ANOTHER.search(head) else time_of(_LEAD.sub("", head, count=1))
            at, until = start + examples.start("members"), 0
            for conjunct in split_conjuncts(examples["members"].rstrip(" ,;.)"), self._known):
                past = shared_past(past, examples["members"][until : conjunct.start], conjunct.words) or time_of(conjunct.words) or stated
                until = conjunct.end
                yield from self._state(conjunct, at, (*limits, *told.of(at + conjunct.start, at + conjunct.end)), member=True, past=past)
        if re.search(r"^\s*,?\s*(?:or|and)\s+\w{4}", tail):
            yield from self._states(end - len(tail), end)

    def _is_bracket(self, limit: Restriction, following: int, *, among: int) -> bool:
        """True for a bracket behind a later member of a list: it is of that member alone, of both of two only as an exception."""
        words = self._text[limit.start : limit.end].lstrip().lower()
        return limit.start > following and words.startswith("(") and (among > _TWO or words.startswith("(if"))

    def _beside(self, words: str) -> Guard:
        """What must hold beside a state: "atrial fibrillation or flutter and an accessory tract" is about patients with both."""
        words = words.strip(" .,;")
        found = self.lexicon.lookup(_JOINS.sub("", words), STATE_TYPES)
        return HasCondition(first_of(found), words) if found and first_of(found).type == EntityType.CONDITION else Opaque(words)

    def _state(
        self, conjunct: Conjunct, offset: int, limits: tuple[Restriction, ...], *, member: bool = False, past: ConditionState | None = None
    ) -> Iterator[State]:
        start, end = offset + conjunct.start, offset + conjunct.end
        words = whole_group(_OPEN_END.sub("", " ".join(_LEAD.sub("", conjunct.words, count=1).split()).strip(" ,;.:-\x01")))
        if self._text.startswith(".", end) and (numbered := _NEXT_NUMBER.search(words)) is not None:
            words = words[: numbered.start()].strip()
        history = HISTORY.match(words)
        planned = PLANNED.match(words)
        if len(words.split()) > _LONGEST or (is_scrap(words) and not self._known(words)):
            return
        limits += tuple(r for r in stated_limits(self._text, start, end, self._known) if not any(r.start < one.end and one.start < r.end for one in limits))
        bare = _BRACKET.sub("", words).strip(" ,;.:-")
        core = (history.re.sub("", bare, count=1) if history else bare).strip()
        target, narrowed = concept_of(bare, core, self._text[start:end], self.lexicon)
        parted = head_and_tail(core) if self._causes and target.entity is not None and not any(t.own for t in self._within(start, end)) else None
        if parted is not None:
            head, inside = concept_of(parted[0], parted[0], self._text[start:end], self.lexicon)
            if head.entity is None and head.id.type in _PARTED:
                target, narrowed = Target(head.id, bare), inside
                limits += () if find_bounds(parted[1]) else (Restriction(self._beside(parted[1]), start, end),)
        if target.entity is not None and (is_fragment(words) or self.lexicon.lookup(words, PARTNER_TYPES)):
            return
        time = time_of(words) or (past if member or target.entity is None else None)
        if time is not None and target.id.type in STATE_TYPES:
            then: Guard = HasCondition(target.id, words, time)
            limits += (Restriction(AnyOf((then, HasCondition(target.id, words, ConditionState.PLANNED))) if planned else then, start, end),)
            if isinstance(narrowed, Category):
                limits += (Restriction(Opaque(core), start, end),)
        elif narrowed is not None:
            limits += (Restriction(narrowed, start, end),)
        yield State(target, start, end, tuple(in_time(r, target) for r in limits), member)

    def _is_drug(self, start: int, end: int) -> bool:
        """True where a drug is most of a conjunct: what is not taken together is no state of the patient."""
        if _NO_DRUG.search(self._text, start, end) is not None:
            return False
        size = sum(t.end - t.start for t in self._within(start, end) if t.kind is Kind.PARTNER and t.type != EntityType.LIFESTYLE)
        return size * 2 > len(_LEAD.sub("", self._text[start:end].strip(), count=1))

    def _known(self, words: str) -> bool:
        return bool(self.lexicon.lookup(_LEAD.sub("", words, count=1).strip(" ,.;"), STATE_TYPES))

    def _within(self, start: int, end: int) -> list[Thing]:
        return [t for t in self._things if start <= t.start and t.end <= end]
