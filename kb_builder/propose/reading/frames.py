"""Action frames found in a sentence: what the label asks for, whose order changes, how strongly. The frames are data (`actions.toml`)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from ontology.model.advice import ACTION_RANK, Action
from ontology.model.claims import Strength
from ontology.model.facts import Whose
from ontology.text.context import is_negated
from ontology.text.sought import Sought, SoughtAmong, sought


@dataclass(frozen=True, slots=True)
class Frame:
    """One row of the data: a wording and what it asks for. `leads` wins an overlap whatever it asks for."""

    id: str
    action: Action
    pattern: re.Pattern[str]
    side: str
    whose: str
    strength: Strength
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A frame at `[start, end)` of the text. `negated` is True where a word before it denies it."""

    frame: Frame
    start: int
    end: int
    negated: bool


@dataclass(frozen=True, slots=True)
class FrameBook:
    """All frames, and the wordings that deny, tell of an effect, or leave an exception to the prescriber."""

    version: str
    frames: tuple[Frame, ...]
    among: SoughtAmong
    denials: Sought
    no_adjustment: Sought
    effects: Sought
    unavoidable: Sought
    judgement: Sought
    hypothetical: Sought
    perhaps: Sought
    mixing: Sought
    mixable: Sought


_OF_THESE = re.compile(
    r"\b(?:these|such|those|the other|the concomitant|the co-?administered|the affected|the interacting|concomitant|co-?administered|concomitantly administered) (?:[\w/-]+ ){0,3}?(?:drugs?|agents?|medications?|medicines?|substrates?|products?|compounds?)\b(?! (?:is|are)\b)"
    r"|\b(?:of|for) (?:the|other) (?:drugs|agents|medications) (?:in table|listed|above|metaboli[sz]ed|eliminated|transported)\b"
)
"""What says that the dose of what is taken beside the product changes."""
_OF_EITHER = re.compile(r"\beither (?:the )?[\w -]{2,60} or (?:the )?other\b|\b(?:one or both|both) (?:drugs|agents|medications)\b")
"""What leaves open which of the two doses changes."""
_AMOUNT = re.compile(r"\d ?(?:mg|mcg|g|ml|units?)\b")
"""A dose in numbers that names no drug is the label's own."""
_IN_WAY = re.compile(r"(?:inhibit|induc)[a-z]*$")
_BESIDE = re.compile(r"\b(?:with|when|while|if|in patients|taking|receiving)\b")
"""Stands between a change of dose and a drug that is only taken at the same time."""
_ITS_DOSE = re.compile(r"\s*(?:at an? |in an? )?(?:(?:single|daily|total|maximum|starting|initial|maintenance) )*dos(?:e|es|age|ages|ing)\b")
"""Behind a drug: the dose is of that drug ("the X daily dose should not exceed ...")."""
_BEHIND = 60
NEAR = 30  # characters behind a frame in which "of digoxin" still names whose dose it is


@cache
def frame_book() -> FrameBook:
    """The frames that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.reading").joinpath("actions.toml").read_text(encoding="utf-8"))
    frames = tuple(
        Frame(row["id"], Action(row["action"]), re.compile(row["pattern"]), row["side"], row["whose"], Strength(row["strength"]), leads=row.get("leads", False))
        for row in data["frame"]
    )
    denials = {row["id"]: row["pattern"] for row in data["denial"]}
    return FrameBook(
        version=data["version"],
        frames=frames,
        among=SoughtAmong([f.pattern for f in frames]),
        denials=sought("|".join(denials.values())),
        no_adjustment=sought(denials["no-adjustment"]),
        effects=sought("|".join(row["pattern"] for row in data["effect"])),
        unavoidable=sought(data["unavoidable"]["pattern"]),
        judgement=sought(data["judgement"]["pattern"]),
        hypothetical=sought(data["hypothetical"]["pattern"]),
        perhaps=sought(data["perhaps"]["pattern"]),
        mixing=sought(data["mixing"]["pattern"]),
        mixable=sought(data["mixable"]["pattern"]),
    )


def find_frames(lower: str) -> list[Found]:
    """The frames of one sentence in lower case, left to right, none inside a denial or another frame; the stricter wins an overlap."""
    return list(_frames(lower))


@lru_cache(maxsize=2048)
def _frames(lower: str) -> tuple[Found, ...]:
    """The frames of a sentence; the last ones are kept, because several proposers read the same section."""
    book = frame_book()
    closed = [m.span() for pattern in (book.denials, book.unavoidable, book.judgement, book.hypothetical) for m in pattern.finditer(lower)]
    found = [
        Found(frame, m.start(), m.end(), is_negated(lower, m.start()))
        for frame in (book.frames[place] for place in book.among.due(lower))
        for m in frame.pattern.finditer(lower)
        if not any(s < m.end() and m.start() < e for s, e in closed)
    ]
    found.sort(key=lambda f: (not f.frame.leads, ACTION_RANK.index(f.frame.action), f.start))
    out: list[Found] = []
    for one in found:
        if not any(one.start < o.end and o.start < one.end for o in out):
            out.append(one)
    return tuple(sorted(out, key=lambda f: f.start))


def forbidden() -> Found:
    """What an item of a contraindications section asks for although it has no verb ("Concomitant use of pimozide")."""
    return Found(next(f for f in frame_book().frames if f.id == "contraindicated"), 0, 0, negated=False)


def dose_owner(found: Found, lower: str, own: list[tuple[int, int]], partners: list[tuple[int, int]]) -> Whose:
    """Whose dose the words of the sentence `lower` around a frame name: the thing nearest to it, the product's own where none is near."""
    if found.frame.whose != "dose":
        return Whose(found.frame.whose)
    if _OF_EITHER.search(lower, found.start, found.end + 2 * _BEHIND) is not None:
        return Whose.EITHER
    if _OF_THESE.search(lower, found.start, found.end + _BEHIND) is not None:
        return Whose.PARTNER
    centre = (found.start + found.end) // 2
    near = [(min(abs(s - centre), abs(e - centre)), Whose.SUBJECT) for s, e in own] + [
        (min(abs(s - centre), abs(e - centre)), Whose.PARTNER) for s, e in partners
    ]
    placed = [*((o, Whose.SUBJECT) for o in own), *((p, Whose.PARTNER) for p in partners)]
    inside = [(s, who) for (s, e), who in placed if found.start <= s and e <= found.end + NEAR and _BESIDE.search(lower, found.end, s) is None]
    if inside:
        return min(inside, key=lambda i: i[0])[1]
    if any(found.start - _BEHIND <= s and (m := _ITS_DOSE.match(lower, e)) is not None and m.end() <= found.end + NEAR for s, e in partners):
        return Whose.PARTNER
    if _AMOUNT.search(lower, found.start, found.end + NEAR) is not None or all(_IN_WAY.search(lower, s, e) for s, e in partners):
        return Whose.SUBJECT
    return min(near, key=lambda n: n[0])[1] if near else Whose.SUBJECT
