"""Drug groups that no vocabulary lists, told by their form: "nephrotoxic drugs", "drugs that prolong the QT interval", "Class IA ... antiarrhythmics".

Gives places and names; what entity a name is belongs to the caller.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from kb_builder.propose.reading.wording import wording
from ontology.model.identifiers import normal_words
from ontology.text.sought import Stretches

_OTHER_KIND = re.compile(
    r"(?:(?P<first>mixed\s+agonist[/-]\s?antagonist)\s+(?:and|or|and/or)\s+)?(?P<second>(?:mixed\s+)?agonist[/-]\s?antagonist|partial\s+agonist)\s+$",
    re.IGNORECASE,
)
KIND_LENGTH = 60
"""Kinds of a class whose name stands before it and that a full agonist's label sets against its own ("partial agonist opioid analgesics")."""
_FIRST_OF_TWO = re.compile(r"(?<![\w-])(?P<adjective>[a-z-]{4,})\s+(?:and/or|and|or)\s+$", re.IGNORECASE)
_ADJECTIVE = 40
"""So far before a group stands the adjective that shares its noun."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The name of one group, or of several that share their noun ("neurotoxic and/or nephrotoxic drugs"), at `[start, end)`."""

    start: int
    end: int
    names: tuple[str, ...]


class Stretch(Protocol):
    """What stands at `[start, end)`."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102


class Taken:
    """Stretches of a text that are spoken for, none overlapping. Asks in logarithmic time, because a section may name a thousand things."""

    def __init__(self, things: Sequence[Stretch] = ()) -> None:
        """Takes the stretches of `things`, which are in order and apart; nothing else yet."""
        self._starts = [t.start for t in things]
        self._ends = [t.end for t in things]

    def add(self, start: int, end: int) -> None:
        """Takes a stretch that nothing covers."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def take_over(self, start: int, end: int) -> None:
        """Takes a stretch in place of those that lie within it."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]

    def covers(self, start: int, end: int) -> bool:
        """True when a stretch shares a character with `[start, end)`."""
        at = bisect_left(self._starts, end)
        return at > 0 and self._ends[at - 1] > start

    def holds(self, start: int, end: int) -> bool:
        """True when a stretch holds `[start, end)` and more."""
        at = bisect_left(self._starts, start + 1) - 1
        return at >= 0 and self._ends[at] >= end and self._ends[at] - self._starts[at] > end - start

    def within(self, start: int, end: int) -> bool:
        """True when a whole stretch lies within `[start, end)`."""
        at = bisect_left(self._starts, start)
        return at < len(self._starts) and self._ends[at] <= end

    def ends_at(self, position: int) -> bool:
        """True when a stretch ends at the position."""
        at = bisect_left(self._starts, position)
        return at > 0 and self._ends[at - 1] == position


_WORDS = wording()
_DRUGS = r"(?:drugs?|agents?|medications?|medicines?|medicinal products?|products?|substances?|compounds?)"
_CLASS_PHRASE = re.compile(
    rf"\b(?P<modifiers>(?:[A-Za-z][\w/'-]{{0,60}}\s+(?:and/or\s+|and\s+|or\s+)?){{1,4}})(?:drugs?(?!-|\s+(?:{_WORDS.pattern('class_heads_not_before')})\b)|(?:{_WORDS.pattern('class_heads')})s?)\b",
    re.IGNORECASE,
)
_CLASS_STRETCHES = Stretches(_CLASS_PHRASE, ".,;:()[]\x01")
_RELATIVE = re.compile(
    rf"\b{_DRUGS}\s+(?:\([^)]{{3,40}}\)\s*)?(?P<relative>(?:that|which|known to|likely to|with|associated with|dependent (?:up)?on|causing|affecting|containing|increasing|metaboli[sz]ed by|eliminated by|excreted by|whose)\s+[^.,;:()\x01]{{4,90}})",
    re.IGNORECASE,
)
_OWN_VERB = re.compile(r"(?:that|which)\s+(?:may|can|could|will|are|have)\s", re.IGNORECASE)
_RELATIVE_STOP = re.compile(
    r"\s+(?:should|must|would|may|can|could|will|is|are|was|were|has|have|be|results?|leads?|and|includes?|including|such as|like|concomitant|coadministration|when|many|some|several|these|this|while|during|unless|because|since|if|concomitantly|concurrently|together|in patients|requires?|whenever|prior|before"
    r"|at the same time|at least|use|to avoid)\b|\s+(?:with|to|by|in)\s+(?:the\s+)?(?:use|concomitant)\b",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(
    r"\s(?=(?:Patients|Examples?|The|These|This|When|If|Because|Concomitant\w*|Concurrent\w*|Co-?administ\w*|Avoid|Monitor|Use|Some|Certain|Drugs|Agents|Medications|Medicines|Products)\s)"
)
"""Where a heading that ends in a clause runs into the sentence below it."""
_NOT_THESE = re.compile(r"(?:with (?:no|minimal|low|little|less)|(?:that|which) (?:do|does|are|is|have|has) not)\b|.*\bmay require\b", re.IGNORECASE)
_NO_OBJECT = re.compile(r"(?:that|which)\s+(?:(?:may|can|could|might|will|would)\s+)?[\w-]+$|whose(?:\s+[\w-]+){1,2}$", re.IGNORECASE)
"""A clause cut short before what its verb acts on ("drugs that could exacerbate [these effects]"): no group."""
_PRONOUN = re.compile(
    r"^(?:that|which|with)\s+(?:(?:have|has|share|cause|produce)\s+(?:this|these|such|the same|similar)|similar|this|these|those|it|(?:the|an?)(?! (?:narrow\b|(?:well-)?known (?:potential|risk|ability|tendency)|(?:potential|risk|ability|tendency) (?:to|for|of))))\b"
    r"|(?:that|which) are (?:specific |known )?(?:substrates|inhibitors|inducers)$|(?:that|which) (?:may|might|could) have (?:been|had)\b",
    re.IGNORECASE,
)
_CAUSES = re.compile(
    r"known to\b|likely to\b|associated with\b|causing\b|increasing\b|(?:that|which)\b(?!.*\b(?:treat|used|indicated|approved|intended|prescribed)\b)",
    re.IGNORECASE,
)
_HARM = r"(?:[\w-]+(?:toxicity|emia|penia|tension|cardia|suppression))"
_HARMFUL = re.compile(rf"(?P<head>[^.;]*?\b(?:associated with|caus(?:e|ing))\s+)(?P<harm>{_HARM})(?!\w)", re.IGNORECASE)
_MORE_HARM = re.compile(rf"(?:\s*,\s*(?:(?:and/or|and|or)\s+)?|\s+(?:and/or|and|or)\s+)(?P<harm>{_HARM})\b", re.IGNORECASE)
_DANGLING = re.compile(
    r"\b(?:of|the|by|to|with|in|and|or|for|from|shown|been|known|not|should|must|causes?|clinically important drug interactions)$", re.IGNORECASE
)
_STRENGTH_ALONE = re.compile(
    r"(?:(?:strong|moderate|weak|potent)\s+(?:(?:or|and)\s+)?)+(?:inhibitors?|inducers?|substrates?)|(?:(?:reversible|irreversible|competitive|non-?selective|selective)[\s,]+)+inhibitors?|therapeutic agents?|receptor (?:ant)?agonists?",
    re.IGNORECASE,
)
_COORDINATED = re.compile(
    r"^(?:potentially\s+)?(?P<first>[\w-]+(?:ic|al|ive|ory|ant))\s+(?:and/or|and|or)\s+(?:potentially\s+)?(?P<second>[\w-]+(?:ic|al|ive|ory|ant))\s+(?P<head>\w+)$",
    re.IGNORECASE,
)
_NUMBER = r"(?:IA|IC|IB|Ia|Ic|Ib|III|I|1A|1C|1B|3|1)(?![\w-])"
NUMBERED = re.compile(rf"\b(?:[Cc]lass|[Tt]ype)\s+{_NUMBER}(?:(?:\s*,\s*|\s*/\s*|\s+(?:and/or|and|or)\s+)(?:[Cc]lass\s+)?{_NUMBER})?\s+$")
"""The numbers before a class of antiarrhythmics."""
_ORDINAL = re.compile(
    rf"\b(?:Class|Type|class|type)\s+(?P<class>{_NUMBER})\b(?=(?:[^.;]|\.g|\.,|\. ?,){{0,90}}?anti-?arr?hythmic)(?:\s+anti-?arr?hythmic\s+(?:agents?|drugs?|medications?))?"
)
_NO_CLASS_NAME = re.compile(rf"\b(?:{_WORDS.pattern('no_class_name')})\b")
_AS_EFFECT = re.compile(r"(?<!s)\s+(?:effects?|activity|actions?|properties|uptake)\b", re.IGNORECASE)
_SHORTEST_RELATIVE = 3


def relative_phrases(blank: str, taken: Taken, named: Taken) -> Iterator[Phrase]:
    """Groups described by a clause ("drugs that increase bleeding risk"); none that holds a stretch already taken.

    `named` are the stretches taken but for patients' states: what a clause says that the drugs cause ("known to cause neutropenia") is no state.
    """
    free = 0
    at = 0
    while (m := _RELATIVE.search(blank, at)) is not None:
        others = named if _CAUSES.match(m["relative"]) else taken
        own_verb = _OWN_VERB.match(m["relative"])
        stop = _first(
            _RELATIVE_STOP.search(blank, m.start("relative") + (own_verb.end() if own_verb else 5), m.end()),
            _NEXT_SENTENCE.search(blank, m.start("relative"), m.end()),
        )
        end = stop.start() if stop is not None else m.end()
        words = blank[m.start() : end].strip()
        at = end = m.start() + len(words)
        if (
            m.start() < free
            or others.ends_at(m.start() - 1)
            or others.within(m.start(), end)
            or others.covers(m.start(), end)
            or _NOT_THESE.match(m["relative"])
            or _PRONOUN.match(m["relative"])
        ):
            continue
        clause = words[m.start("relative") - m.start() :]
        if _DANGLING.search(words) is None and _NO_OBJECT.match(clause) is None and len(words.split()) >= _SHORTEST_RELATIVE:
            names, free = _shared(blank, m.start(), end)
            yield Phrase(m.start(), free, tuple(_WORDS.canonical_name(name) for name in names))


def _first(*found: re.Match[str] | None) -> re.Match[str] | None:
    return min((m for m in found if m is not None), key=lambda m: m.start(), default=None)


def _shared(blank: str, start: int, end: int) -> tuple[list[str], int]:
    """The groups that a clause and the list behind it name ("associated with nephrotoxicity, ototoxicity and ..."), and where the list ends."""
    head = _HARMFUL.match(blank, start, end)
    if head is None:
        return [blank[start:end]], end
    harms, at = [head["harm"]], head.end()
    while (more := _MORE_HARM.match(blank, at)) is not None:
        harms.append(more["harm"])
        at = more.end()
    return ([f"{head['head']}{harm}" for harm in harms], at) if at >= end else ([blank[start:end]], end)


def class_phrases(blank: str, taken: Taken) -> Iterator[Phrase]:
    """Groups named by adjectives and a noun, and numbered classes of antiarrhythmics."""
    for m in (m for stretch in _CLASS_STRETCHES.of(blank) for m in _CLASS_PHRASE.finditer(blank, *stretch)):
        words = _naming(list(re.finditer(r"[\w/'-]+", m["modifiers"])))
        if not words:
            continue
        start = m.start("modifiers") + words[0].start()
        phrase = blank[start : m.end()]
        if (
            not taken.covers(start, m.end())
            and _STRENGTH_ALONE.fullmatch(phrase) is None
            and _AS_EFFECT.match(blank, m.end()) is None
            and _NO_CLASS_NAME.search(normal_words(" ".join(w[0] for w in words))) is None
        ):
            yield Phrase(start, m.end(), tuple(_WORDS.canonical_name(name) for name in _members(phrase)))
    for m in _ORDINAL.finditer(blank) if "hythmic" in blank else ():
        if not taken.covers(m.start(), m.end()):
            yield Phrase(m.start(), m.end(), numbered_classes(m["class"]))


def numbered_classes(words: str) -> tuple[str, ...]:
    """The classes of antiarrhythmics whose numbers the words hold."""
    numbers = [m[0] for m in re.finditer(rf"\b{_NUMBER}", words)]
    return tuple(f"class {n if n == '1' else n.upper().replace('1', 'I').replace('3', 'III')} antiarrhythmics" for n in numbers)


def _naming(words: list[re.Match[str]]) -> list[re.Match[str]]:
    """The modifiers that say which drugs: those behind the last empty word or verb form."""
    acting = tuple(_WORDS["acting"])
    last = max(
        (
            i
            for i, w in enumerate(words)
            if (w[0].lower() in _WORDS["no_modifier"] and not _is_of_index(words, i)) or (w[0].endswith(("ing", "ed")) and not w[0].lower().endswith(acting))
        ),
        default=-1,
    )
    return words[last + 1 :]


def _is_of_index(words: list[re.Match[str]], place: int) -> bool:
    """True for "therapeutic" in "narrow therapeutic index"."""
    return words[place][0].lower() == "therapeutic" and place > 0 and words[place - 1][0].lower() == "narrow"


def _members(phrase: str) -> tuple[str, ...]:
    m = _COORDINATED.match(phrase)
    return (f"{m['first']} {m['head']}", f"{m['second']} {m['head']}") if m is not None else (phrase,)


def of_other_kind(text: str, start: int) -> re.Match[str] | None:
    """The kinds of a class, named `first` and `second`, that stand right before its name at `start`; None for other words."""
    return _OTHER_KIND.search(text[max(0, start - KIND_LENGTH) : start])


def first_of_two(text: str, start: int) -> re.Match[str] | None:
    """The `adjective` joined by "or" or "and" to the group at `start`, whose noun it may share; None for other words."""
    return _FIRST_OF_TWO.search(text[max(0, start - _ADJECTIVE) : start])
