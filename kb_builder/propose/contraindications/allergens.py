"""What a label says patients are hypersensitive to: the product, its parts, other drugs and classes.

"Hypersensitivity to X, other Ys or any component" gives X, the class Y, the component and the product itself, which the component is part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.found import State
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType

_HYPERSENSITIVE = re.compile(
    r"\b(?:hyper-?sensitiv\w*|allerg(?:y|ies|ic)\b|sensitivity|(?:anaphyla\w+|anaphylactoid)(?:\s+(?:shock|reactions?|response))?|idiosyncra\w+|intoleran\w+|cross-?sensitiv\w+|(?:severe|serious|infusion|life-threatening|allergic|adverse|toxic)\s+(?:\w+\s+)?reactions?)",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:to|with|from|after|following|against|of)\s+(?:(?:either|any|the|a|an|another|use of|taking|receiving|administration of|treatment with|exposure to|ingestion of|any of|other|previous|prior)\s+)*",
    re.IGNORECASE,
)
_REACTION_TO = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:to|with|from|after|following)\b", re.IGNORECASE)
_COMPONENT = re.compile(
    r"^(?:(?:any|other|one|all|of|the|its|their|this|inactive|active|to|various|these|or)\s+)*(?:components?|ingredients?|excipients?|constituents?|additives?|formulation|metabolites?|substances?)\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"^(?:this|the|it|its|any|study|active|same|above|other)?\s*(?:drugs?|products?|medications?|medicines?|agents?|preparation|it|compound|active (?:substance|ingredient)|tablets?|capsules?|formulation|these drugs|this)\s*$",
    re.IGNORECASE,
)
_ALLERGEN_STOP = re.compile(
    r"\s*(?:\(|\[|;|\.|,?\s+(?:including|such as|manifested|resulting|with symptoms|reactions? (?:have|has|may)|that|which|who|because|due to|should|used in|contained in|in the (?:product|formulation)|e\.g\.)\b)",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(r"\b(?:such as|including|e\.g\.,?)\s+(?P<members>[^()]+)", re.IGNORECASE)
_PART = re.compile(r"(?:(?!\s*,\s*(?:or|and)?\s|\s+(?:or|and|and/or)\s|,).)+")
_AGAIN = re.compile(r".*\b(?:reactions?|hypersensitivity|allergy|sensitivity)\s+to\s+", re.IGNORECASE)
_DETERMINERS = re.compile(r"(?:(?:or|and|to|any|another|other|of|the|a|an|its|either|known|hypersensitivity|allergy|agents?|with)\s+)+", re.IGNORECASE)
_COMPONENT_LEAD = re.compile(r"^(?:any|other|one|all|of|the|its|their|to|various|these|or|and|\s)+\b", re.IGNORECASE)
_SENTENCE = re.compile(r"\b(?:therefore|thus|hence|should|may|have|is|are|when|if|patients|been|this|reported)\b")
_GROUP_OF = re.compile(r"\b(?:group|class|family)\s+of\s+$", re.IGNORECASE)
"""Behind it stands what a group belongs to, not what patients are allergic to ("the cephalosporin group of antibiotics")."""
_OTHER_ALLERGY = re.compile(r"allergic (?:rhinitis|bronch|asthma)")
_ALLERGENS = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ALLERGEN)
_CODED = frozenset(_ALLERGENS)
_LONGEST_NAME = 6


def find_reaction(phrase: str) -> re.Match[str] | None:
    """The words of hypersensitivity in a phrase; None where the reaction is itself the state ("lactose intolerance", "allergic rhinitis")."""
    reaction = _HYPERSENSITIVE.search(phrase)
    if reaction is None:
        return None
    word = reaction[0].lower()
    if word.startswith("intoleran"):
        return reaction if " to " in phrase[reaction.end() :] else None
    if "reaction" in word and not any(cause in word for cause in ("allerg", "anaphyl", "hypersens")):
        return reaction if _REACTION_TO.match(phrase, reaction.end()) is not None else None
    return None if word.startswith("allergic") and _OTHER_ALLERGY.search(phrase.lower()) else reaction


class AllergenReader:
    """Reads what stands behind "hypersensitivity". Places are offsets in the folded text of one section."""

    def __init__(self, text: str, things: Sequence[Thing], own: Sequence[Target], product: str, lexicon: Lexicon) -> None:
        """`own` are the label's ingredients: what "hypersensitivity to the drug" means."""
        self._text = text
        self._things = things
        self._lexicon = lexicon
        self._own = own
        self._product = product

    def read(self, start: int, end: int) -> Iterator[State]:
        """The allergens of a phrase that begins with the reaction; the product itself where it names none."""
        phrase = self._text[start:end]
        to = _TO.search(phrase)
        named_first = self._named_before(start) if to is None else None
        if named_first is not None:
            yield State(named_first.targets[0], named_first.start, named_first.end)
            return
        if to is None:
            yield from self._self(start, end)
            return
        at = start + to.end()
        stop = _ALLERGEN_STOP.search(self._text[at:end])
        until = at + stop.start() if stop is not None else end
        named = False
        for part in _PART.finditer(self._text[at:until]):
            words = part[0].strip(" ,;.")
            again = _AGAIN.match(words)
            words = words[again.end() :] if again else words
            lead = _DETERMINERS.match(words)
            place = (at + part.start() + len(part[0]) - len(part[0].lstrip(" ,;")), at + part.end())
            for state in self._allergen(words[lead.end() :] if lead else words, words, place):
                named = True
                yield state
        if not named:
            yield from self._self(start, end)
        tail = self._text[until:end]
        members = _EXAMPLES.search(tail)
        if members is not None and stop is not None:
            for thing in self._within(until + members.start("members"), until + members.end("members")):
                if thing.kind in (Kind.PARTNER, Kind.ALLERGEN) and not thing.own and thing.type in _ALLERGENS:
                    yield State(thing.targets[0], thing.start, thing.end, member=True)

    def _named_before(self, start: int) -> Thing | None:
        """What stands right before the reaction and causes it ("aspirin sensitivity", "penicillin-allergic")."""
        known = (t for t in self._things if t.kind is Kind.STATE and t.start < start < t.end)
        cause = (t for t in self._things if not t.own and t.kind in (Kind.PARTNER, Kind.ALLERGEN) and 0 < start - t.end <= 1)
        return next(known, None) or next(cause, None)

    def _allergen(self, words: str, printed: str, place: tuple[int, int]) -> Iterator[State]:
        if words.lower() in ("", "and", "or") or not re.search(r"[A-Za-z一-鿿]{2}", words):
            return
        if not _PRODUCT.match(words) and (_COMPONENT.match(printed) or _COMPONENT.match(words)):
            named = _COMPONENT_LEAD.sub("", printed)
            yield State(uncoded(EntityType.ALLERGEN, named or f"component of {self._product}"), *place)
            yield from self._self(*place)
            return
        inside = [t for t in self._within(*place) if t.kind in (Kind.PARTNER, Kind.ALLERGEN) and _GROUP_OF.search(self._text, place[0], t.start) is None]
        if _PRODUCT.match(words) or any(t.own for t in inside):
            yield from self._self(*place)
            yield from (State(t.targets[0], t.start, t.end) for t in inside if t.own and t.type == EntityType.DRUG_CLASS)
            return
        known = [t for t in inside if t.type != EntityType.ENZYME_ROLE]
        if known:
            for thing in known:
                yield State(thing.targets[0], thing.start, thing.end)
            return
        state = self._lexicon.lookup(words, STATE_TYPES)
        if state:
            yield State(Target(state[0], words), *place)
        elif len(words.split()) <= _LONGEST_NAME and _SENTENCE.search(words) is None:
            coded = sorted(self._lexicon.lookup(words, _CODED), key=lambda found: (found.type == EntityType.INGREDIENT) is words.endswith("s"))
            yield State(Target(coded[0], words) if coded else uncoded(EntityType.ALLERGEN, words), *place)

    def _self(self, start: int, end: int) -> Iterator[State]:
        for target in self._own:
            yield State(target, start, end)

    def _within(self, start: int, end: int) -> list[Thing]:
        return [t for t in self._things if start <= t.start and t.end <= end]
