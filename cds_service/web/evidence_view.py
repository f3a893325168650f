"""What an evidence page says about one card: its problems, each with quotes, path and data used, and the steps that led there.

The page names drugs and the label's words. Of the patient it shows kinds of data and dates only, never a value or a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cds_service.audit.outcomes import Category, Certainty, Clear, Counterpart, Finding, Gap, NotEvaluated, PathStep, Result, TraceStep
from cds_service.intake.prescription import KINDS, Prescription, Source
from cds_service.web.picture import Picture, draw, relation_words
from cds_service.web.ports import Replay
from cds_service.web.quotes import MarkedSection, Quote, QuoteReader
from cds_service.web.wording import Need, need_for, words_for

FINDINGS = "org.pharmgraph.findings"
RECORD = "patient's record"
RECORD_VALUES = ("recorded reaction",)
"""How qualifiers begin that repeat a value of the record; they stay on the card."""
RECORD_WORDS = re.compile("the record says “[^”]*”,? which")


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of the argument in words."""

    start: str
    relation: str
    end: str
    claim: str | None


@dataclass(frozen=True, slots=True)
class DataRow:
    """A kind of patient data: what was retrieved of it, and the dates of what this problem rests on."""

    kind: str
    state: str | None
    dates: tuple[str, ...]
    used: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding, gap or check that did not run."""

    kind: str
    sentence: str
    category: str
    indicator: str
    indicator_words: str
    notes: tuple[str, ...]
    needs: tuple[Need, ...]
    quotes: tuple[Quote, ...]
    sections: tuple[MarkedSection, ...]
    picture: Picture | None
    hops: tuple[Hop, ...]
    data: tuple[DataRow, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the chain of verification."""

    stage: str
    what: str


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """Everything the template shows."""

    indicator: str
    indicator_words: str
    problems: tuple[Problem, ...]
    steps: tuple[Step, ...]
    other_steps: tuple[Step, ...]
    retrieval: tuple[DataRow, ...]
    first_anchor: str | None


def view_card(replay: Replay, card_uuid: str) -> EvidencePage | None:
    """The page of the card, or None when the audit gave no such card."""
    card = next((c for c in replay.cards if c.get("uuid") == card_uuid), None)
    if card is None:
        return None
    reader = QuoteReader(replay.knowledge)
    taken: set[int] = set()
    entries = card.get("extension", {}).get(FINDINGS, [])
    pairs = [(entry, matches(entry, replay.result.results, taken)) for entry in entries]
    problems = tuple(_problem(entry, results, replay, reader) for entry, results in pairs)
    near, far = _steps(replay.result.steps, pairs)
    anchor = next((q.anchor for p in problems for q in p.quotes), None)
    indicator = str(card.get("indicator", "info"))
    return EvidencePage(indicator, words_for("indicator", indicator), problems, near, far, _retrieval(replay.prescription), anchor)


def matches(entry: Mapping[str, Any], results: Sequence[Result], taken: set[int]) -> list[Result]:
    """The results an entry of the answer was made of; each result is given out once (`taken` holds the indices already given)."""
    drug = entry.get("drug") or {}
    orders = set(drug.get("orders", ()))
    rules = set(entry.get("rules", ()))
    other = (entry.get("with") or {}).get("name")
    found: list[Result] = []
    for index, result in enumerate(results):
        if index in taken or isinstance(result, Clear) or KIND_OF[type(result)] != entry.get("kind") or result.drug.name != drug.get("name"):
            continue
        if not orders.issuperset(result.drug.orders) or result.category.value != entry.get("category"):
            continue
        if isinstance(result, Finding) and not (rules.issuperset(result.rules) or (result.other and result.other.name == other)):
            continue
        taken.add(index)
        found.append(result)
    return found


KIND_OF: dict[type, str] = {Finding: "finding", Gap: "gap", NotEvaluated: "not-evaluated"}


def _problem(entry: Mapping[str, Any], results: Sequence[Result], replay: Replay, reader: QuoteReader) -> Problem:
    findings = [r for r in results if isinstance(r, Finding)]
    gaps = [r for r in results if isinstance(r, Gap)]
    evidence = [ref for f in findings for ref in f.evidence] + [ref for g in gaps for ref in g.evidence]
    quotes, sections = reader.read(evidence)
    steps = list(dict.fromkeys(step for f in findings for step in _without_record(f.path)))
    indicator = str(entry.get("indicator") or "info")
    category = str(entry.get("category", ""))
    return Problem(
        kind=str(entry.get("kind")),
        sentence=_sentence(entry, findings, gaps),
        category=words_for("category", category),
        indicator=indicator,
        indicator_words=words_for("indicator", indicator),
        notes=tuple(dict.fromkeys(_notes(results))),
        needs=tuple(need_for(code) for code in entry.get("needs", ())),
        quotes=quotes,
        sections=sections,
        picture=draw(steps),
        hops=tuple(Hop(s.start, relation_words(s.relation), s.end, s.claim) for s in steps),
        data=_used([source for f in findings for source in f.data], replay.prescription),
    )


def _sentence(entry: Mapping[str, Any], findings: Sequence[Finding], gaps: Sequence[Gap]) -> str:
    drug = str((entry.get("drug") or {}).get("name") or "the order")
    if findings:
        strictest = findings[0]
        return _capital(f"{drug}{_beside(strictest)}: {words_for('action', strictest.action.value)}.")
    if gaps:
        return _capital(" ".join(dict.fromkeys(_closed(RECORD_WORDS.sub("the record's entry", g.question)) for g in gaps)))
    reason = str(entry.get("reason") or "")
    return _capital(f"{drug}: {words_for('reason', reason) if reason else 'the check did not run.'}")


def _beside(finding: Finding) -> str:
    other = finding.other
    if finding.category is Category.DUPLICATE:
        return f" twice: also in {other.name}" if other and other.name != finding.drug.name else " in more than one order"
    if other is None:
        return ""
    if finding.category is Category.ALLERGY:
        return f" and an allergy to {_label_words(other)}"
    return f" with {other.name}" if other.type in ("drug", "class", "food") else f" in {_label_words(other)}"


def _label_words(other: Counterpart) -> str:
    """The label's words for what the record says; the record's own words stay out of the page."""
    return other.label or {"condition": "a recorded condition", "allergen": "a recorded allergen"}.get(other.type, other.type)


def _notes(results: Iterable[Result]) -> Iterable[str]:
    for result in results:
        if isinstance(result, Finding):
            if result.effect:
                yield f"What the label says may happen: {result.effect}"
            if result.parameter:
                yield f"What the label asks for: {result.parameter}"
            yield words_for("certainty", (result.certainty or Certainty.CODED).value)
            yield from (_closed(_capital(q)) for q in result.qualifiers if not q.startswith(RECORD_VALUES))
            if result.cap:
                yield f"Shown as {result.cap} at most."
        elif isinstance(result, NotEvaluated):
            yield result.message


def _used(sources: Sequence[Source], prescription: Prescription) -> tuple[DataRow, ...]:
    kinds = list(dict.fromkeys(s.kind for s in sources))
    return tuple(_row(kind, [s for s in sources if s.kind == kind], prescription, used=True) for kind in kinds)


def _retrieval(prescription: Prescription) -> tuple[DataRow, ...]:
    return tuple(_row(kind, (), prescription, used=False) for kind in KINDS)


def _row(kind: str, sources: Sequence[Source], prescription: Prescription, *, used: bool) -> DataRow:
    state = prescription.retrieval.get(kind)
    days = sorted({s.date.isoformat() for s in sources if s.date is not None}, reverse=True)
    if any(s.date is None for s in sources):
        days.append("undated")
    return DataRow(words_for("kind", kind), words_for("retrieval", state.value) if state else None, tuple(days), used)


def _steps(steps: Sequence[TraceStep], pairs: Sequence[tuple[Mapping[str, Any], Sequence[Result]]]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The steps that touch the card's orders, claims or documents, and the rest."""
    touched: set[str] = set()
    for entry, results in pairs:
        touched.update((entry.get("drug") or {}).get("orders", ()), entry.get("rules", ()))
        touched.update(order for r in results if isinstance(r, Finding) for order in r.orders)
        touched.update(e["document"] for e in entry.get("evidence", ()) if "document" in e)
    near = [s for s in steps if touched.intersection(s.refs)]
    far = [s for s in steps if not touched.intersection(s.refs)]
    return tuple(map(_step, near)), tuple(map(_step, far))


def _without_record(path: Sequence[PathStep]) -> list[PathStep]:
    """The path with what the patient's record says taken out: that it matches is shown, its words are not."""
    shown: list[PathStep] = []
    for step in path:
        place = shown[-1].end if shown else "the label's words"
        shown.append(PathStep(step.start, "matches", place) if step.start == RECORD else step)
    return shown


def _step(step: TraceStep) -> Step:
    return Step(words_for("stage", step.stage), step.what)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _closed(text: str) -> str:
    return text if text.endswith((".", "?", "!", "。")) else f"{text}."
