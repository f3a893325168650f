"""Circumstances that raise the risk of an arrhythmia, in which a label tells to avoid its product: each item of their list is such a state.

"X should also be avoided in patients with a history of cardiac arrhythmias and in other circumstances that may increase the risk of torsade de
pointes, including bradycardia; hypokalemia or hypomagnesemia; and congenital prolongation of the QT interval." The sentence names the drugs that
prolong the QT interval too: those are no partners here, but what raises the risk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.contraindications.advised import state_draft
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType

_LIST = re.compile(
    r"\bavoid(?:ed)?\b(?P<before>[^.]{0,160}?)\b(?:circumstances|conditions|situations)\s+that\s+(?:may|might|could|can)\s+increase\s+the\s+risk\b"
    r"[^.]{0,240}?\b(?:torsades?|QTc?|sudden\s+death|arrhythmias?)\b[^.]{0,160}?\bincluding:?\s+(?P<list>[^.\[]{4,400})",
    re.IGNORECASE,
)
_PATIENTS = re.compile(r"\bpatients\s+with\s+(?P<who>[^.;]{3,100}?)\s*,?\s*\b(?:as\s+well\s+as|and|or)\s+(?:in\s+)?(?:any\s+)?(?:other\s+)?$", re.IGNORECASE)
_PIECE = re.compile(r"\s*(?:[;,]|\b(?:and|or)\b|\(\d\)|\b\d\))\s*", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:concomitant|concurrent|use|drugs?|medications?)\b", re.IGNORECASE)
_EXAMPLES = re.compile(r"\bsuch\s+as\b|\(", re.IGNORECASE)


def risky_circumstances(reading: Reading, states: StateReader, block: Block, statement: Statement) -> Iterator[Draft]:
    """The states of such a list, and the patients named before it, in a sentence about the product itself."""
    blank = reading.blank
    if blank.find("ncrease the risk", statement.start, statement.end) < 0:
        return
    m = _LIST.search(blank, statement.start, statement.end)
    if m is None or not any(t.own for t in statement.things if t.start < m.start("list")):
        return
    places = list(_pieces(blank, *m.span("list")))
    patients = _PATIENTS.search(blank, *m.span("before"))
    if patients is not None:
        places.insert(0, patients.span("who"))
    for start, end in places:
        for state in states.read(start, end):
            if EntityType(state.target.id.type) in (EntityType.CONDITION, EntityType.SYMPTOM) and state.target.entity is None:
                yield state_draft(reading, block, statement, state, Action.AVOID, Strength.SHOULD)


def _pieces(blank: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The items of the list; what is taken beside the product is none."""
    at = start
    for cut in (*((m.start(), m.end()) for m in _PIECE.finditer(blank, start, end)), (end, end)):
        examples = _EXAMPLES.search(blank, at, cut[0])
        until = cut[0] if examples is None else examples.start()
        if len(blank[at:until].strip()) > 3 and _TOGETHER.search(blank, at, until) is None:
            yield at, until
        at = cut[1]
