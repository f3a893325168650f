"""Residue as lines for people and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from kb_builder.learn.residue import LEFT, USED, LeftOver, Residue
from kb_builder.learn.residue_book import residue_book

_EXAMPLE = 240


def residue_lines(residue: Residue, *, top: int) -> Iterator[str]:
    """The shares, by section and cue, the reasons, the wordings of most labels with an example each, and the sample."""
    skipped = f"; {residue.skipped:,} labels in other languages were not looked at" if residue.skipped else ""
    yield f"{residue.labels:,} labels, {residue.read:,} sentences read, {residue.informative:,} of them informative{skipped}"
    yield f"  used       {_share(residue.verdicts[USED], residue.informative)}"
    yield f"  dismissed  {_share(residue.dismissed, residue.informative)}"
    for reason in residue_book().reasons:
        if residue.verdicts[reason.id]:
            yield f"    {reason.id:20} {residue.verdicts[reason.id]:8,}  {reason.why}"
    yield f"  left       {_share(residue.verdicts[LEFT], residue.informative)}"
    yield f"{'section':46} {'informative':>11} {'used':>8} {'dismissed':>9} {'left':>8}"
    yield from (_row(name, residue.sections[name]) for name in sorted(residue.sections, key=lambda n: -residue.sections[n].total()))
    yield f"{'cue':46} {'informative':>11} {'used':>8} {'dismissed':>9} {'left':>8}   used by a claim of its kind"
    for cue in residue_book().cues:
        if cue.kind in residue.kinds:
            yield f"{_row(cue.kind, residue.kinds[cue.kind])}   {residue.answered[cue.kind]:,}"
    yield "wordings left, by labels:"
    for wording in residue.ranked(top):
        yield f"  {wording.labels:5} labels {wording.sentences:6} sentences  {wording.kind}: {wording.shape}"
        yield from (f"      {_place(example)}  {_cut(example.text)}" for example in wording.examples[:1])
    if residue.sample:
        yield "a sample of what is left:"
        yield from (f"  [{', '.join(one.kinds)}] {_place(one)}  {one.text}" for one in residue.sample)


def residue_data(residue: Residue, *, top: int) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "labels": residue.labels,
        "other_languages": residue.skipped,
        "sentences": residue.read,
        "informative": residue.informative,
        "used": residue.verdicts[USED],
        "dismissed": {reason.id: residue.verdicts[reason.id] for reason in residue_book().reasons if residue.verdicts[reason.id]},
        "left": residue.verdicts[LEFT],
        "sections": {name: _counts(verdicts) for name, verdicts in residue.sections.items()},
        "cues": {kind: {**_counts(verdicts), "answered": residue.answered[kind]} for kind, verdicts in residue.kinds.items()},
        "wordings": [
            {"shape": w.shape, "cue": w.kind, "labels": w.labels, "sentences": w.sentences, "examples": [_left_data(e) for e in w.examples]}
            for w in residue.ranked(top)
        ],
        "sample": [_left_data(one) for one in residue.sample],
    }


def _row(name: str, verdicts: Counter[str]) -> str:
    counts = _counts(verdicts)
    return f"{name:46} {counts['informative']:11,} {counts['used']:8,} {counts['dismissed']:9,} {counts['left']:8,}"


def _counts(verdicts: Counter[str]) -> dict[str, int]:
    total, used, left = verdicts.total(), verdicts[USED], verdicts[LEFT]
    return {"informative": total, "used": used, "dismissed": total - used - left, "left": left}


def _share(count: int, total: int) -> str:
    return f"{count:8,}  {count / total if total else 0:6.1%}"


def _place(left: LeftOver) -> str:
    return f"{left.drug}, {left.document[:8]} {left.section}[{left.start}:{left.end}]"


def _cut(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[: _EXAMPLE - 1]}…"


def _left_data(left: LeftOver) -> dict[str, Any]:
    return {name: getattr(left, name) for name in LeftOver.__slots__}
