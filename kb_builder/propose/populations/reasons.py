"""What a clause says beside its patients: why it says so, what is watched for, what is seen of them, with whom they are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.book import population_book
from kb_builder.propose.populations.clauses import THESE
from ontology.model.guards import Opaque
from ontology.text.context import is_animal

_REASON = re.compile(
    r"\W*(?:because|since|given|due to|based on|in view of|as an? (?=[^,;]{0,60}\b(?:drug|agent|medicine|medication)\b))\b[^;]*?(?<!\d),\s(?!(?:and|or)\b)"
)
_REASON_BEHIND = re.compile(r",?\s(?:reflecting|because|due to the|owing to)\s")
_ANIMALS_BEHIND = re.compile(
    r",?\s\(?(?:based (?:up)?on|because of|due to|in view of)\s[^.;]*?\b(?:animals?|rats?|mice|rabbits?|dogs?|monkeys?)\b(?:[^.;]|\.(?=\d))*[.;]?\W*$"
)
_ASIDE_BEHIND = re.compile(
    r",\sincluding (?:patients|those|individuals)\s|,?\s(?:compared (?:to|with)|based on (?:similar|population|pharmacokinetic|limited|data)|for (?:signs|symptoms|evidence|increased|adverse)|(?:are|is|were|may be) (?:more|less) (?:likely|prone|susceptible|sensitive) to|(?:are|is|may be) at (?:an? )?(?:greater|higher|increased) risk (?:of|for)|in any situation)\s"
)
"""What advice rests on, and what is watched for: no condition where nobody is named behind it."""

_WATCHED_FOR = re.compile(
    r"\b(?:monitor|observe|watch)(?:ed|ing)?\b.{0,120}?\s(?P<what>for)\s(?!(?:the )?(?:patients|women|those|adults|children|infants|at least)\b|\d)|\b(?:advise|inform|counsel|tell)\b.{0,120}?\s(?P<risk>of the (?:potential |possible |increased )?risks?)\b|\breserved?\b.{0,100}?\s(?P<use>for)\s"
)
"""What patients are watched for or told of, an outcome and no condition of theirs; what the use is reserved for, which the advice spares."""

_INCLUDED = re.compile(r",?\s(?:including|whether or not on)\s")
_GOES_ON = re.compile(r"[,;]|\b(?:in|at|if|when|while|unless|during|for|after|before)\s")
"""What stands behind the people whom "including" names, so that the clause does not end with them."""

_WHO = 40  # characters behind "including" in which those whom it names are told
_TELLS = re.compile(r"(?<!who )(?<!that )(?<!which )\b(?:have|has|had|is|are|was|were|may|can|could|might|shows?|showed|experienced?|develop(?:ed)?)\b")
"""Where a sentence begins to tell what is seen of those whom it names."""

_ESPECIALLY = re.compile(r"\b(?:all|every|each) (?:\w+ )?(?:patients?|children|women)(?P<who>,? (?:especially|particularly|and especially|including) )")
"""Those whom advice for everybody only names first."""

_RISK_BEHIND = re.compile(
    r",?\s(?:because|since|owing to|due to (?:the |its |an? )?(?:risk|potential|possib\w+|increased?|higher|serious|limited|lack)|as it has)\b"
)
_ORGAN = re.compile(r"\bpatients? with\b")


def without_reason(place: tuple[int, int], words: str) -> tuple[int, int]:
    """The clause without why it says so, before or behind; the reason stays where it alone says who the patients are."""
    before = _REASON.match(words)
    alone = before is not None and _ORGAN.search(before[0]) is not None and _ORGAN.search(words, before.end()) is None
    start = before.end() if before is not None and THESE.search(words, before.end()) is None and not alone else 0
    behind = _REASON_BEHIND.search(words, start + 1)
    end = behind.start() if behind is not None and THESE.search(words, behind.start()) is None else len(words)
    aside = _ASIDE_BEHIND.search(words, start + 1, end)
    if aside is not None and not any(people.search(words, aside.start(), end) for people in population_book().people.values()):
        end = aside.start()
    named = _INCLUDED.search(words, start, end)
    if named is not None and _same_people(words, start, named, end):
        end = named.start()
    everyone = _ESPECIALLY.search(words, start, end)
    if everyone is not None:
        end = everyone.start("who")
    outcome = _WATCHED_FOR.search(words, start, end)
    if outcome is not None and (outcome["risk"] or not any(people.search(words, outcome.end(), end) for people in population_book().people.values())):
        end = outcome.start(outcome.lastgroup or 0)
    return place[0] + start, place[0] + end


def without_animals(words: str) -> str:
    """The words of a clause without what was seen in animals, before or behind, where advice only rests on that."""
    reason = _REASON.match(words)
    told = words[reason.end() :] if reason is not None and is_animal(reason[0]) else words
    behind = _ANIMALS_BEHIND.search(told)
    return told if behind is None else told[: behind.start()]


def _same_people(words: str, start: int, included: re.Match[str], end: int) -> bool:
    """True where the clause ends with the people whom "including" names, all of a population that stands before it too."""
    if _GOES_ON.search(words, included.end(), end) is not None:
        return False
    people = population_book().people
    behind = {axis for axis, sought in people.items() if sought.search(words, included.end(), min(end, included.end() + _WHO))}
    before = {axis for axis, sought in people.items() if sought.search(words, start, included.start())}
    return bool(behind) and behind <= before


def without_told(limits: Sequence[Restriction], words: str, start: int) -> tuple[Restriction, ...]:
    """The restrictions of a sentence that begins at `start` without what it only tells of its people ("patients with X have increased exposure")."""
    verb = _TELLS.search(words)
    return tuple(r for r in limits if verb is None or r.start < start + verb.start() or not isinstance(r.guard, Opaque))


def without_risk(place: tuple[int, int], words: str) -> tuple[int, int]:
    """An item of a list without the risk for which it stands there."""
    m = _RISK_BEHIND.search(words)
    return place if m is None else (place[0], place[0] + m.start())
