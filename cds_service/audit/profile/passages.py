"""The sentences of clinical notes, and what each affirms, denies or leaves open about the patient.

A word counts when its sentence is about the patient: what is said of relatives is no fact, plans and hypotheticals are none, and what the words
deny is the opposite. The trigger lists stand in the data file, after NegEx (Chapman 2001) and ConText (Harkema 2009).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from cds_service.audit.clinical import setting, words
from cds_service.intake.prescription import Prescription, Source

_SENTENCE = re.compile(r"(?:[^.;!?\n。；！？]|(?<=\d)\.(?=\d)|(?<=\b[Ss]t)\.(?= [A-Z]))+")
_TURN = re.compile(r"[:：]|\bbut\b|\bhowever\b|\balthough\b|\bexcept\b|\bnow\b")
_COMMA = re.compile(r"[,，]")
_OR = re.compile(r"\b(?:or|nor)\b|或")
_YEAR = re.compile(r"(?<![\d-])(?:19|20)\d{2}(?!\d)")
_BEFORE, _AFTER, _SCOPE = 45, 40, 160
_KINDS = (("others", "others"), ("open", "hypothetical"), ("child", "children"))
"""The kinds of sentences that are not about the patient now, by the list of words that makes one; the first wins."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence: `text` as written, `folded` in lower case. `kind` is `patient`, `others` (relatives), `child` or `open` (plans, hypotheticals)."""

    text: str
    folded: str
    source: Source
    kind: str
    dated_past: bool

    def affirms(self, start: int, end: int) -> bool:
        """True when nothing in the clause before `[start, end)`, or right behind it, denies it.

        A denial reaches over the commas of a list that "or" ends: "no ulcer, stroke or glaucoma" denies all three.
        """
        said = _TURN.split(self.folded[max(0, start - _SCOPE) : start])[-1]
        listed = _OR.search(said) is not None or _OR.search(_TURN.split(self.folded[end:])[0]) is not None
        before = said if listed else _COMMA.split(said)[-1]
        return not _any(before, "negations_before") and not _any(self.folded[end : end + _AFTER], "negations_after")

    def is_past(self, start: int, end: int) -> bool:
        """True when the words around `[start, end)`, or a year in the sentence, place it in the past."""
        return (
            self.dated_past
            or _any(self.folded[max(0, start - _BEFORE) : start], "past_before")
            or _any(self.folded[end : end + _AFTER], "past_after")
        )  # fmt: skip

    def find(self, wanted: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Where one of the words (lower case; the start of a word) stands."""
        for m in _starts(wanted).finditer(self.folded):
            yield m.start(), m.end()


def passages_of(prescription: Prescription) -> tuple[Passage, ...]:
    """The sentences of the notes that are not older than the data file's limit, newest note first."""
    oldest = prescription.reference_time.date() - timedelta(days=setting("notes", "stale_days"))
    notes = prescription.patient.notes[: setting("notes", "most_notes")]
    recent = [(text, source) for text, source in notes if source.date is None or source.date >= oldest]
    ordered = sorted(recent, key=lambda n: n[1].date.toordinal() if n[1].date else 0, reverse=True)
    longest = setting("notes", "longest_characters")
    return tuple(p for text, source in ordered for p in cut(text[:longest], source))


def cut(text: str, source: Source) -> Iterator[Passage]:
    """The sentences of a text that say anything."""
    for m in _SENTENCE.finditer(text):
        said = m[0].strip()
        if not said:
            continue
        folded = said.casefold()
        kind = next((name for name, key in _KINDS if _any(folded, key)), "patient")
        past = source.date is not None and any(int(year) < source.date.year for year in _YEAR.findall(said))
        yield Passage(said, folded, source, kind, past)


def stated(
    passages: Iterable[Passage], wanted: tuple[str, ...], denied: tuple[str, ...] = (), *, past: bool = False, kinds: tuple[str, ...] = ("patient",)
) -> tuple[bool, Source] | None:
    """What the first sentence that speaks of one of the words says: True for affirmed, False for denied, with its source.

    `denied` are words that say the opposite by themselves. A mention in the past counts only with `past`, sentences only of the `kinds`; None when
    nothing is said.
    """
    for passage in passages:
        if passage.kind not in kinds:
            continue
        if denied and next(passage.find(denied), None) is not None:
            return False, passage.source
        for start, end in passage.find(wanted):
            if not passage.affirms(start, end):
                return False, passage.source
            if past or not passage.is_past(start, end):
                return True, passage.source
    return None


@cache
def _starts(wanted: tuple[str, ...]) -> re.Pattern[str]:
    """The words as the start of a word; Chinese ones anywhere."""
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}" if w.isascii() else re.escape(w) for w in sorted(wanted, key=len, reverse=True)) or r"(?!)")


@cache
def _whole(key: str) -> re.Pattern[str]:
    """The words of a trigger list as whole words; Chinese ones anywhere."""
    rows = sorted(words("notes", key), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else re.escape(w) for w in rows) or r"(?!)")


def _any(text: str, key: str) -> bool:
    return _whole(key).search(text) is not None
