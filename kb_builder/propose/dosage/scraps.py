"""Words of a sentence that look like conditions and say nothing of the patient, and open words with the examples that explain them.

What is dropped is data (`dosage.toml`): orders behind a semicolon, what a doctor's order overrules, ends of phrases that a reader has cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Opaque, leaves

_EXAMPLES = re.compile(r"\(\s*(?:e\.\s?g\.,?|such as|for example,?|for instance,?)\s*(?P<members>[^()]*)\)", re.IGNORECASE)
_AS_LONG = re.compile(r"\b(?:while|as long as)\s+$", re.IGNORECASE)
_NEAR = 60  # code points between open words and their bracket
_AND_SO_ON = frozenset(["etc", "and others", "and so on", "others", "among others"])
_OR_IF = re.compile(r",?\s*\bor\s+(?:if|when|once)\s*$", re.IGNORECASE)
_WAITED_FOR = re.compile(r"\W*(?:once|when|after|if|until)\s+(?P<what>[^,;.]{6,90})$", re.IGNORECASE)
_DENIED = re.compile(r"(?:(?:do|does|did|have|has|had|are|is)\s+)?(?:not|no|without|never)\b", re.IGNORECASE)
_VERB_ALONE = re.compile(
    r"(?:achiev|attain|reach|hav|show|develop|experienc|requir|need|receiv|obtain|maintain|undergo)(?:e|es|s|ed|d|ing)?|has|had", re.IGNORECASE
)
"""A part of a choice that is no more than its verb: "achieve CR or CRi" says nothing by "achieve"."""
_DEGREE = r"(?:mild|moderate|severe|or|to|and|hepatic|liver|cirrhosis|impairment|insufficiency|dysfunction|HI|-|\s)"
_DEGREES = re.compile(f"{_DEGREE}+", re.IGNORECASE)
_TO_CLASS = re.compile(rf"{_DEGREE}*\(\s*", re.IGNORECASE)
"""What stands between words of a degree and the bracket that tells its class."""


def settled(blank: str, start: int, own: Sequence[Restriction]) -> list[Restriction]:
    """The restrictions of the sentence from `start` that restrict, with the examples of open words as alternatives to them."""
    kept = [r for r in own if not (_is_scrap(blank, r) or _is_after_a_response(blank, start, r) or _is_restated(blank, r, own))]
    return [_in_words(blank, r) for r in _with_examples(blank, start, kept)]


def _in_words(blank: str, restriction: Restriction) -> Restriction:
    """The restriction; "do not achieve A or B", of which no axis holds a part, in the words that it stands on: apart, each would lose its denial or verb."""
    guard = restriction.guard
    words = " ".join(blank[restriction.start : restriction.end].split())
    if not isinstance(guard, AnyOf) or not all(isinstance(leaf, Opaque) for leaf in leaves(guard)):
        return restriction
    whole = _DENIED.match(words) is not None or any(isinstance(leaf, Opaque) and _VERB_ALONE.fullmatch(leaf.text) for leaf in leaves(guard))
    return replace(restriction, guard=Opaque(words)) if whole else restriction


def _is_scrap(blank: str, restriction: Restriction) -> bool:
    guard = restriction.guard
    if not isinstance(guard, Opaque):
        return False
    joined = _AS_LONG.search(blank, max(0, restriction.start - 14), restriction.start)
    words = " ".join(((joined[0] if joined is not None else "") + guard.text).split()).strip(" ,.;:")
    return dosage_words().scrap.fullmatch(words) is not None


def _is_after_a_response(blank: str, start: int, restriction: Restriction) -> bool:
    """True for the second of two occasions of which the first is a response that is waited for ("once control is achieved, or if effects become marked")."""
    if not isinstance(restriction.guard, Opaque):
        return False
    either = _OR_IF.search(blank, start, restriction.start)
    before = _WAITED_FOR.match(blank[start : either.start()]) if either is not None else None
    return before is not None and dosage_words().response.fullmatch(before["what"].strip()) is not None


def _is_restated(blank: str, restriction: Restriction, own: Sequence[Restriction]) -> bool:
    """True for degrees in words whose class stands in the bracket behind them ("mild to moderate cirrhosis (Child-Pugh A and B)")."""
    guard = restriction.guard
    if not isinstance(guard, Opaque) or _DEGREES.fullmatch(guard.text) is None:
        return False
    return any(
        isinstance(leaf, Category) and leaf.axis is Axis.CHILD_PUGH and _TO_CLASS.fullmatch(blank, restriction.end, r.start) is not None
        for r in own
        if restriction.end <= r.start <= restriction.end + _NEAR
        for leaf in leaves(r.guard)
    )


def _with_examples(blank: str, start: int, own: Sequence[Restriction]) -> list[Restriction]:
    out = list(own)
    if not out:
        return out
    for m in _EXAMPLES.finditer(blank, start, max(r.end for r in out) + _NEAR):
        inside = [r for r in out if m.start() < r.start and r.end <= m.end()]
        opened = next((r for r in out if isinstance(r.guard, Opaque) and r.end <= m.start() <= r.end + _NEAR and "." not in blank[r.end : m.start()]), None)
        if opened is None or not inside:
            continue
        told = [r for r in inside if not (isinstance(r.guard, Opaque) and r.guard.text.lower().strip(" .,") in _AND_SO_ON)]
        parts = tuple(dict.fromkeys(q for r in [opened, *told] for q in (r.guard.parts if isinstance(r.guard, AnyOf) else (r.guard,))))
        entities = tuple(dict.fromkeys(e for r in [opened, *told] for e in r.entities))
        united = opened if len(parts) == 1 else Restriction(AnyOf(parts), opened.start, m.end(), entities)
        out = [united if r is opened else r for r in out if r not in inside]
    return out
