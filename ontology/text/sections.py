"""The parts of one section: its printed title, numbered subsections, and the Highlights that repeat the full text.

An openFDA field is one flattened string: "7 DRUG INTERACTIONS <Highlights> 7.1 Aspirin ... 7.2 Warfarin ...". Highlights items end with a
bare section number in brackets; they stand before the first subsection, or behind the text where there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ontology.text.context import REFERENCE, is_short_reference
from ontology.text.sentences import Unit


class Zone(StrEnum):
    """Whether a part is the full text or the Highlights that repeat it."""

    FULL = "full"
    HIGHLIGHTS = "highlights"


@dataclass(frozen=True, slots=True)
class Part:
    """A numbered subsection, or what stands before the first; `start` lies behind the printed number."""

    start: int
    end: int
    number: str | None
    zone: Zone


_TITLE = re.compile(
    r"\s*(?:\d{1,2}(?:\.\d{1,2})?\.?\s+)?(?:BOXED WARNING|WARNINGS? AND PRECAUTIONS?|DRUG INTERACTIONS?|CONTRAINDICATIONS?|WARNINGS?|PRECAUTIONS?|USE IN SPECIFIC POPULATIONS|DOSAGE AND ADMINISTRATION"
    r"|INDICATIONS? (?:AND|&) USAGE|PREGNANCY|GERIATRIC USE|PEDIATRIC USE|GENERAL(?: PRECAUTIONS)?|Drug Interactions?|Contraindications?|Warnings?|Precautions?|General Information|(?<!\A\d\.\d\s)General)\b\s*(?:[:.]\s*|-\s+)?"
)
_WARNING_BANNER = re.compile(r"\s*WARNING\s*:\s*[A-Z0-9 ,;:/()&'-]{10,400}?(?=\s(?:See full|[A-Z][a-z]|•|\d+\.))")
_SUBHEAD = re.compile(
    r"(?<![\w.,(/+-])(?P<major>\d{1,2})\.(?P<gap>(?<=[.)\]]\s\d\.) (?=\d))?(?P<minor>\d{1,2})(?:\.\d{1,2})?\.?(?:\s+(?=[A-Z\"(]|\d{1,2}-[A-Z])|(?=[A-Z][a-z]))"
)
_LINE_ENDS = ("\n", "\u2029")
_MARKDOWN_HEAD = re.compile(r"(?m)(?:^|(?<=[\n\u2029]))#{1,6}(?!#)\s*(?!(?:Table|Figure)\b|[表图])(?:(?P<major>\d{1,2})\.(?P<minor>\d{1,2})\s+)?(?=\S)")


def body_start(text: str) -> int:
    """The offset behind a section's printed title ("7 DRUG INTERACTIONS", "PRECAUTIONS Drug Interactions:")."""
    at = 0
    for _ in range(3):
        m = _TITLE.match(text, at)
        if m is None or m.end() == at:
            break
        at = m.end()
    banner = _WARNING_BANNER.match(text, at)
    return banner.end() if banner is not None else at


@lru_cache(maxsize=32)
def split_parts(text: str, blanked: str) -> tuple[Part, ...]:
    """The parts of a section in order. `blanked` is `text` without its cross-references. The last few are kept, because every proposer asks for them."""
    start = body_start(text)
    heads = [(m.start(), m.end(), f"{m['major']}.{m['minor']}" if m["minor"] else "") for m in _MARKDOWN_HEAD.finditer(text, start)] or _numbered_heads(
        blanked, start
    )
    if not heads:
        return (Part(start, len(text), None, Zone.FULL),)
    out: list[Part] = []
    if heads[0][0] > start and blanked[start : heads[0][0]].strip(" \n\u2029" + REFERENCE):
        repeats = any(is_short_reference(text, i) for i in _brackets(text, start, heads[0][0]))
        out.append(Part(start, heads[0][0], None, Zone.HIGHLIGHTS if repeats else Zone.FULL))
    ends = [h[0] for h in heads[1:]] + [len(text)]
    out += [Part(h[1], end, h[2] or None, Zone.FULL) for h, end in zip(heads, ends, strict=True)]
    return tuple(out)


def is_highlight(text: str, part: Part, unit: Unit) -> bool:
    """True when the unit belongs to the Highlights: by its part, or because a bare section number closes it."""
    if part.zone is Zone.HIGHLIGHTS:
        return True
    at = unit.end
    while at < len(text) and text[at] in " .\n":
        at += 1
    return is_short_reference(text, at)


def _numbered_heads(blanked: str, start: int) -> list[tuple[int, int, str]]:
    """Heads `N.1`, `N.2` ... of one N in rising order, from anew where a line begins with a number told before; numbers of tables and other sections are none."""
    found = [(m.start(), m.end(), int(m["major"]), int(m["minor"])) for m in _SUBHEAD.finditer(blanked, start)]
    first = next((f for f in found if f[3] == 1), None)
    if first is None:
        return []
    out: list[tuple[int, int, str]] = []
    expected = 1
    for at, end, major, minor in found:
        again = minor < expected and blanked[at - 1 : at] in _LINE_ENDS  # an openFDA field repeats its subsections as strings of their own
        if major == first[2] and (expected <= minor <= expected + 1 or again) and at >= first[0]:
            out.append((at, end, f"{major}.{minor}"))
            expected = minor + 1
    return out


def _brackets(text: str, start: int, end: int) -> list[int]:
    return [i for i in range(start, end) if text[i] == "("]
