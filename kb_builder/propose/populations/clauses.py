"""The clauses of a sentence, the populations that each speaks of, and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kb_builder.propose.populations.book import Grade, Wording, population_book
from kb_builder.propose.populations.passages import BOTH_ORGANS, Sentence
from kb_builder.propose.populations.patients import OF_OTHERS
from kb_builder.propose.reading.told_doses import is_told_of
from ontology.model.advice import ACTION_RANK, Action

AXES = ("pregnancy", "lactation", "reproductive", "pediatric", "geriatric", "renal", "hepatic", "genotype")
"""The populations in the order in which a sentence's claims are yielded."""

THESE = re.compile(r"\b(?:these|such|this) (?:patients|individuals|population|group)\b")
"""Words that mean the patients of the sentence before."""

_AT_RISK = re.compile(r"\b(?:those|(?:the )?patients) (?:who are )?at (?:higher |greater |increased |high |special )?risk\b")
_WHO_IS_AT_RISK = re.compile(r"^\W*(?:those|patients) (?:who are )?at (?:[\w-]+ )?risk (?:of [\w -]{3,40} |for [\w -]{3,40} )?(?:include|are)\b")

_FAMILY = frozenset({"pregnancy", "lactation", "reproductive"})
_ORGANS = ("renal", "hepatic")
_NEAR = 2  # sentences behind a heading within another section that still speak of its population
_FAR = 200  # characters between people and advice in one clause of another section
_PILL = re.compile(r"\b(?:use of )?(?:(?:combined|combination|oral|hormonal) )+contraceptives?\b(?: \(cocs?\))?")
"""A medicine and no matter of whom it keeps from pregnancy."""

_LISTED = re.compile(r"\b(?:those (?:with|who|receiving|taking)\b[^.:;]*){2}")
"""Groups of patients one behind the other, of whom the last is asked for the same as the first."""

_CLAUSE = re.compile(
    r";\s|[,.]?\s+(?:but|however|whereas|while)\s|,\s+(?:and\s+)?(?=(?:no|avoid|monitor|reduce|do not|use caution|exercise caution|caution (?:should|is|must))\s)|\s+and\s+(?=(?:should|must|(?:is|are)\s+(?:not|contra))\w*\s?)"
    r"|(?P<degree>,?\s+and\s+(?=(?:avoid|reduce|decrease|monitor|adjust|consider|do not use|discontinue)\b[^.;]{0,60}?\b(?:in|for)\s+(?:[a-z]+\s+){0,2}?(?:with\s+)?(?:mild|moderate|severe|end-stage)\b))"
)
_DEGREE = re.compile(r"\b(?:mild|moderate|severe|end-stage)\b")
_TAKING = re.compile(r"\b(?:patients|adults|individuals|those|subjects)\s+(?:who are\s+)?(?:\w+ly\s+)?(?:taking|receiving|treated with)\b")
_NEGATED = re.compile(r"\b(?:no|not|cannot|without|never|neither|nor)\s+(?:\w+\s+){0,2}$|\bnot known (?:whether|if)\s+(?:[^\s.;]+\s+){1,6}$")
_REASONED = re.compile(r"\b(?:because|since|as it|due to|unless|except|(?:in|for) whom)\b")
_FORBIDDING = frozenset({"contraindicated", "avoid", "not-recommended", "stop"})
_REASONS = frozenset({"fetal-risk", "benefit-outweighs", "exposed-risk"})
"""Wordings that are the reason or the exception of a prohibition where they stand behind it, and no advice of their own."""

CONCEDED = re.compile(r"^\W*(?:while|although|though|even though)\b[^,]{0,200},\s")
"""What a sentence concedes before it says what it says."""

_LIMIT = re.compile(
    r"\b(?:doses?|dosages?) (?:greater|higher|larger|more|above|over|exceeding|in excess|of (?:more|greater))\b[^.;,]{0,40}\d[^.;,]{0,30}$|\b[\w-]+[ -](?:day|dose) (?:course|regimen)(?: of (?:therapy|treatment))? $"
)
"""Amounts or courses that are not to be used: the product itself is, in less."""

_DENIALS = frozenset({"no-adjustment", "no-recommendation"})
_DENIABLE = frozenset({"contraindicated", "avoid", "adjust-dose", "monitor", "caution", "stop"})


def pointing_back(lower: str, before: str) -> str:
    """The sentence with "patients at risk" made "these patients" where the one before says who they are; as long as it was."""
    if _WHO_IS_AT_RISK.search(before) is None:
        return lower
    return _AT_RISK.sub(lambda m: "these patients".ljust(len(m[0])), lower)


def behind_risk(lower: str) -> int:
    """Where a sentence begins to say who those at risk are, its start for any other."""
    m = _WHO_IS_AT_RISK.search(lower)
    return m.end() if m is not None else 0


def at_risk(words: str, text: str, place: tuple[int, int]) -> int:
    """Where the text of a clause says "patients at risk" and `words` "these patients" in their stead; its end for none."""
    m = THESE.search(words)
    return place[1] if m is None or text.startswith(m[0], place[0] + m.start()) or _AT_RISK.match(text, place[0] + m.start()) is None else place[0] + m.start()


def is_far(clause: str, axis: str, m: re.Match[str]) -> bool:
    """True where the clause names the population only far from what it asks for, as flattened tables do."""
    places = [p.span() for p in population_book().people[axis].finditer(clause)]
    if not places or min(max(s - m.end(), m.start() - e) for s, e in places) <= _FAR:
        return False
    return not any(s >= m.end() and _LISTED.search(clause, m.end(), s) for s, _ in places)


def is_near(sentence: Sentence) -> bool:
    """True for the first sentences of a passage within another section, which speak of its population without naming it."""
    return _is_carried(sentence) and sentence.rank < _NEAR


def _is_carried(sentence: Sentence) -> bool:
    return sentence.axis in AXES and sentence.axis != "pediatric"


def split_clauses(lower: str) -> list[tuple[int, int]]:
    """The clauses of a sentence; one that asks for nothing goes with the one behind it."""
    cuts = [m.start() for m in _CLAUSE.finditer(lower) if m["degree"] is None or _DEGREE.search(lower, 0, m.start())]
    out: list[tuple[int, int]] = []
    start = 0
    for cut in [*cuts, len(lower)]:
        if cut < len(lower) and not _asks(lower[start:cut]):
            continue
        out.append((start, cut))
        start = cut
    if len(out) > 1 and not _asks(lower[slice(*out[-1])]):
        out[-2:] = [(out[-2][0], out[-1][1])]
    return out


def axes_of(sentence: Sentence, clause: str, *, states: bool = False) -> tuple[str, ...]:
    """The populations that a clause speaks of. `states`: the section lists states of patients ("renal failure"), with or without their bearers."""
    book = population_book()
    clause = _PILL.sub(lambda m: " " * len(m[0]), clause) if "contraceptives" in clause else clause
    if not sentence.own:
        named = tuple(axis for axis in AXES if _names(clause, axis, states=states))
        near = (is_near(sentence) and _TAKING.search(clause) is None and OF_OTHERS.search(clause) is None) or (
            _is_carried(sentence) and THESE.search(clause) is not None
        )
        return named or ((sentence.axis,) if near and sentence.axis is not None else ())
    if sentence.axis == BOTH_ORGANS:
        named = tuple(axis for axis in _ORGANS if book.people[axis].search(clause))
        return named or _ORGANS
    if sentence.axis in _FAMILY:
        named = tuple(axis for axis in AXES if axis in _FAMILY and book.people[axis].search(clause))
        milk = "lactation" in named and sentence.axis == "pregnancy" and "pregnancy" not in named
        return tuple(axis for axis in AXES if (axis == sentence.axis and not milk) or axis in named)
    if sentence.axis is not None:
        return (sentence.axis,)
    return tuple(axis for axis in AXES if _names(clause, axis, states=states))


def _names(clause: str, axis: str, *, states: bool) -> bool:
    """True where a clause of any section names patients of the population; an infant at the breast or exposed before birth is its mother's matter."""
    book = population_book()
    if (book.people[axis] if states else book.patients.get(axis, book.people[axis])).search(clause) is None:
        return False
    return axis not in ("pediatric", "genotype") or book.mother.search(clause) is None


def find_asked(clause: str, axis: str, *, general: bool) -> Iterator[tuple[Wording, re.Match[str]]]:
    """The wordings of a clause for a population, none inside a stricter one's place."""
    found = [(w, m) for w, m in _wordings_in(clause) if w.speaks_of(axis) and not (general and w.grade is not Grade.INSTRUCTION)]
    conceded = CONCEDED.match(clause)
    if conceded is not None and any(m.start() >= conceded.end() for _, m in found):
        found = [(w, m) for w, m in found if m.start() >= conceded.end()]
    none = [m.span() for w, m in found if w.id in _DENIALS]
    found.sort(key=lambda f: (ACTION_RANK.index(f[0].action), f[1].start()))
    taken: list[tuple[int, int]] = []
    seen: set[str] = set()
    for wording, m in found:
        denied = wording.id not in _DENIALS and any(s < m.end() and m.start() < e for s, e in none)
        if (
            denied
            or wording.id in seen
            or any(s < m.end() and m.start() < e for s, e in taken)
            or (wording.action.value in _DENIABLE and _NEGATED.search(clause[: m.start()]))
            or (wording.action is Action.ADJUST_DOSE and is_told_of(clause, m.start(), m.end()))
        ):
            continue
        if wording.id in _REASONS and any(
            w.action.value in _FORBIDDING and _REASONED.search(clause, o.end(), m.end()) for w, o in found if o.end() <= m.start()
        ):
            continue
        taken.append(m.span())
        seen.add(wording.id)
        limit = wording.action.value in _FORBIDDING and _LIMIT.search(clause[: m.start()]) is not None
        yield population_book().other_dose if limit else wording, m


def _asks(clause: str) -> bool:
    """True where a clause holds a wording of advice."""
    book = population_book()
    return any(book.wordings[i].pattern.compiled.search(clause) is not None for i in book.asked.due(clause))


@lru_cache(maxsize=8)
def _wordings_in(clause: str) -> tuple[tuple[Wording, re.Match[str]], ...]:
    """The wordings of a clause in the order of the data; a clause is asked for several populations in turn."""
    book = population_book()
    return tuple((wording, m) for wording in (book.wordings[i] for i in book.asked.due(clause)) for m in wording.pattern.compiled.finditer(clause))
