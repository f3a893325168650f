"""Which conditions of a sentence hold for which of its doses, by where they stand.

"25 mg once daily in patients with A and 12.5 mg in patients with B" has one condition a dose; "for patients with A, 25 mg, then 50 mg" one for both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.text.doses import DosePhrase

_OPENS = re.compile(
    r"(?:[;:.(]|,?\s*\b(?:and|or|but|while|whereas|although|however|though)\b(?:\s+(?:in|for|if|when|with|those))?|,\s*(?:in|for|if|when)\b)\s*(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_NEW_CLAUSE = re.compile(r";|\.(?!\d)|,?\s*\b(?:and|but|while|whereas|or|although|however|though)\s+(?:in|for|if|when|those|patients)\b", re.IGNORECASE)
_LONGEST_ASIDE = 120  # code points
_FOR_WHOM = re.compile(r"\(\s*(?:for|in)\s", re.IGNORECASE)
_APART = re.compile(r",\s*(?:and|or)\b[^,;]*$|\(\s*(?:or\s+)?[^()]*$|;[^;]*$", re.IGNORECASE)


def spread(blank: str, phrases: Sequence[DosePhrase], found: Sequence[Restriction]) -> list[tuple[Restriction, ...]]:
    """For each phrase the restrictions that hold for it."""
    held: list[list[Restriction]] = [[] for _ in phrases]
    if not phrases:
        return []
    closed = 0  # phrases before this one have had their condition behind them
    shut = 0  # and those in brackets
    for restriction in sorted(found, key=lambda r: r.start):
        inside = next((i for i, p in enumerate(phrases) if p.start <= restriction.start < p.end), None)
        behind = [i for i, p in enumerate(phrases) if p.start >= restriction.end]
        before = [i for i, p in enumerate(phrases) if p.end <= restriction.start]
        bracket = _bracket(blank, phrases, restriction)
        led = [i for i in bracket if phrases[i].start < restriction.start]
        if led:
            targets = _group(blank, phrases, led, max(closed, shut), restriction.start)
            shut = led[-1] + 1
        elif bracket:
            targets = [i for i in bracket if i >= shut]
        elif inside is not None:
            targets = [inside]
        elif behind and before and _right_behind(blank, phrases[before[-1]], restriction):
            targets = before[-1:]
            closed = before[-1] + 1
        elif not before or (behind and _precedes(blank, phrases[before[-1]], restriction, phrases[behind[0]])):
            targets = _until_next(blank, phrases, found, restriction, behind)
        else:
            alone = _alone_in_bracket(blank, restriction)
            targets = before[-1:] if alone else _group(blank, phrases, before, closed, restriction.start)
            closed = closed if alone else before[-1] + 1
        for i in targets:
            held[i].append(restriction)
    return [tuple(h) for h in held]


def _bracket(blank: str, phrases: Sequence[DosePhrase], restriction: Restriction) -> list[int]:
    """The phrases that stand in the same bracket as the restriction; none where the restriction is in none or alone in it."""
    opened = blank.rfind("(", max(0, restriction.start - 300), restriction.start)
    if opened < 0 or blank.find(")", opened, restriction.start) >= 0:
        return []
    closing = blank.find(")", restriction.end)
    return [i for i, p in enumerate(phrases) if opened < p.start and (closing < 0 or p.start < closing)]


def _right_behind(blank: str, before: DosePhrase, restriction: Restriction) -> bool:
    """True for a condition in a bracket that stands right behind a dose and closes behind the condition: "5 mg (weight below 50 kg), 7.5 mg (...)"."""
    opened = blank.rfind("(", before.end, restriction.start)
    closing = blank.find(")", restriction.end)
    return (
        opened >= 0
        and not blank[before.end : opened].strip()
        and blank.find(")", opened, restriction.start) < 0
        and 0 <= closing - restriction.end < _LONGEST_ASIDE
    )


def _alone_in_bracket(blank: str, restriction: Restriction) -> bool:
    """True for a condition in brackets behind a dose ("20 mg (for children) in patients with A"): what stands behind still closes those before."""
    opened = blank.rfind("(", max(0, restriction.start - _LONGEST_ASIDE), restriction.start)
    return opened >= 0 and blank.find(")", opened, restriction.start) < 0 and _FOR_WHOM.match(blank, opened) is not None


def _precedes(blank: str, before: DosePhrase, restriction: Restriction, behind: DosePhrase) -> bool:
    """True for a condition that opens the clause of the dose behind it: "..., and in patients with B, 5 mg"."""
    if ";" in blank[before.end : restriction.start] and ";" not in blank[restriction.end : behind.start]:
        return True
    return _OPENS.search(blank[before.end : restriction.start]) is not None and re.search(r"[;.]|\band\b", blank[restriction.end : behind.start]) is None


def _until_next(blank: str, phrases: Sequence[DosePhrase], found: Sequence[Restriction], restriction: Restriction, behind: Sequence[int]) -> list[int]:
    """The phrases behind a leading condition, up to the one whose clause opens with a condition of its own."""
    out: list[int] = []
    for i in behind:
        floor = phrases[i - 1].end if i else restriction.end
        own = [r for r in found if r is not restriction and floor <= r.start and r.end <= phrases[i].start and r.start > restriction.end]
        if out and own and _NEW_CLAUSE.search(blank, floor, own[0].start + 12):
            break
        out.append(i)
    return out


def _group(blank: str, phrases: Sequence[DosePhrase], before: Sequence[int], closed: int, at: int) -> list[int]:
    """The phrases that a condition at `at` behind them closes: the last one, and those before it that are not set apart."""
    out = [before[-1]]
    for i in reversed(before[:-1]):
        gap = blank[phrases[i].end : phrases[i + 1].start]
        ended_bracket = "(" in gap and ")" in blank[phrases[i + 1].end : at]
        if i < closed or (_APART.search(gap) and not ended_bracket and phrases[i + 1].bound is None):
            break
        out.append(i)
    return out
