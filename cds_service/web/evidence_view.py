"""What an evidence page says about one card: its problems, each with quotes, path and data used, and the steps that led there.

The page names drugs and the label's words. Of the patient it shows kinds of data and dates only, never a value or a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cds_service.answer.severity import Indicator
from cds_service.answer.wire_findings import finding_object, gap_object, unchecked_object
from cds_service.audit.outcomes import Category, Clear, Counterpart, Finding, Gap, NotEvaluated, PathStep, Result, TraceStep
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
    pictures: tuple[Picture, ...]
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
    pairs = [(entry, result_of(entry, replay.result.results)) for entry in card.get("extension", {}).get(FINDINGS, [])]
    problems = tuple(_problem(entry, result, replay, reader) for entry, result in pairs)
    near, far = _steps(replay.result.steps, pairs)
    anchor = next((q.anchor for p in problems for q in p.quotes), None)
    indicator = str(card.get("indicator", "info"))
    return EvidencePage(indicator, words_for("indicator", indicator), problems, near, far, _retrieval(replay.prescription), anchor)


def result_of(entry: Mapping[str, Any], results: Sequence[Result]) -> Finding | Gap | NotEvaluated | None:
    """The result that an entry of the answer stands for: the one that is written the same way, whatever the indicator it is shown at."""
    said = _without_indicator(entry)
    return next((r for r in results if not isinstance(r, Clear) and _without_indicator(_written(r)) == said), None)


def _written(result: Finding | Gap | NotEvaluated) -> Mapping[str, Any]:
    if isinstance(result, Finding):
        return finding_object(result, Indicator.INFO)
    return gap_object(result) if isinstance(result, Gap) else unchecked_object(result)


def _without_indicator(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "indicator"}


def _problem(entry: Mapping[str, Any], result: Finding | Gap | NotEvaluated | None, replay: Replay, reader: QuoteReader) -> Problem:
    quotes, sections = reader.read(result.evidence if isinstance(result, Finding | Gap) else ())
    steps = _without_record(result.path) if isinstance(result, Finding) else []
    indicator = str(entry.get("indicator") or "info")
    return Problem(
        kind=str(entry.get("kind")),
        sentence=_sentence(entry, result),
        category=words_for("category", str(entry.get("category", ""))),
        indicator=indicator,
        indicator_words=words_for("indicator", indicator),
        notes=tuple(dict.fromkeys(_notes(result))),
        needs=tuple(need_for(code) for code in entry.get("needs", ())),
        quotes=quotes,
        sections=sections,
        pictures=draw(steps),
        hops=tuple(Hop(s.start, relation_words(s.relation), s.end, s.claim) for s in steps),
        data=_used(result.data, replay.prescription) if isinstance(result, Finding) else (),
    )


def _sentence(entry: Mapping[str, Any], result: Finding | Gap | NotEvaluated | None) -> str:
    drug = str((entry.get("drug") or {}).get("name") or "the order")
    if isinstance(result, Finding):
        return _capital(f"{drug}{_beside(result)}: {words_for('action', result.action.value)}.")
    if isinstance(result, Gap):
        return _closed(_capital(RECORD_WORDS.sub("the record's entry", result.question)))
    if isinstance(result, NotEvaluated):
        return _capital(f"{drug}: {words_for('reason', result.reason.value)}")
    return _capital(f"{drug}: the data named below are missing.")


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


def _notes(result: Finding | Gap | NotEvaluated | None) -> Iterable[str]:
    if isinstance(result, NotEvaluated):
        yield _closed(result.message)
    if not isinstance(result, Finding):
        return
    if result.effect:
        yield _closed(f"What the label says may happen: {result.effect}")
    if result.parameter:
        yield _closed(f"What the label asks for: {result.parameter}")
    yield words_for("certainty", result.certainty.value)
    yield from (_closed(_capital(q)) for q in result.qualifiers if not q.startswith(RECORD_VALUES))
    yield from (p.sentence for p in result.practice)
    if result.cap:
        yield f"Shown as {words_for('indicator', result.cap).lower()} at most."


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


def _steps(steps: Sequence[TraceStep], pairs: Sequence[tuple[Mapping[str, Any], Result | None]]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The steps that touch the card's orders, claims or documents, and the rest."""
    touched: set[str] = set()
    for entry, result in pairs:
        touched.update((entry.get("drug") or {}).get("orders", ()), entry.get("rules", ()))
        touched.update(result.orders if isinstance(result, Finding) else ())
        touched.update(e["document"] for e in entry.get("evidence", ()))
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
