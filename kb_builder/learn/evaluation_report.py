"""An evaluation as lines for people and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from kb_builder.learn.evaluation import Error, Evaluation
from kb_builder.learn.flat import KINDS, fact_data, fact_line
from kb_builder.learn.tally import Macro, Tally, macro
from kb_builder.learn.taxonomy import EXPLANATIONS, ErrorClass
from ontology.model.predicates import PREDICATES

_WORST = 3
_CONFUSIONS = 20
_HEAD = f"{'':20} {'required':>8} {'found':>6} {'said':>6} {'right':>6} {'precision':>10} {'recall':>7} {'F1':>7}"


def evaluation_lines(evaluation: Evaluation, *, errors: bool = False, confusions: bool = False) -> Iterator[str]:
    """The figures; with `errors` every missed and false fact beside its text, with `confusions` what is taken for what."""
    if errors:
        for error in evaluation.errors:
            yield from _error_lines(error)
    if evaluation.absent:
        yield f"not in the release, so all their facts are missed: {', '.join(evaluation.absent)}"
    yield _HEAD
    yield from (_row(kind, evaluation.kinds[kind]) for kind in KINDS if kind in evaluation.kinds)
    yield from (_row(name, evaluation.predicates[name]) for name in PREDICATES if name in evaluation.predicates)
    yield _row("all", evaluation.total)
    spread = _macro(evaluation)
    worst = sorted(evaluation.labels.items(), key=lambda item: (item[1].f1, item[0]))[:_WORST]
    yield f"macro F1 over {len(evaluation.labels)} labels {spread.mean:.4f}, 95 % interval {spread.low:.3f} to {spread.high:.3f}; lowest: " + ", ".join(
        f"{evaluation.drugs[set_id]} {tally.f1:.2f}" for set_id, tally in worst
    )
    yield f"must not be missed (contraindicated, avoid, maxima): {evaluation.grave.found} of {evaluation.grave.required} found"
    harms = ", ".join(f"{harm.value} {count}" for harm, count in sorted(evaluation.harms.items()))
    yield f"harmful claims: {harms or 'none'}"
    yield f"quotes that do not stand: {evaluation.adrift}; further claims for a fact already found: {evaluation.repeated}"
    yield from _class_lines(evaluation)
    if confusions:
        yield "taken for one another (gold, said):"
        yield from (f"  {count:5}  {gold:40} {said}" for (gold, said), count in evaluation.confusions.most_common(_CONFUSIONS))


def evaluation_data(evaluation: Evaluation, *, errors: bool = False, confusions: bool = False) -> dict[str, Any]:
    """The same as plain data."""
    spread = _macro(evaluation)
    data: dict[str, Any] = {
        "absent": evaluation.absent,
        "all": _tally_data(evaluation.total),
        "kinds": {kind: _tally_data(tally) for kind, tally in evaluation.kinds.items()},
        "predicates": {name: _tally_data(tally) for name, tally in evaluation.predicates.items()},
        "labels": {set_id: {"drug": evaluation.drugs[set_id], **_tally_data(tally)} for set_id, tally in evaluation.labels.items()},
        "macro": {"f1": spread.mean, "low": spread.low, "high": spread.high},
        "must_not_be_missed": {"required": evaluation.grave.required, "found": evaluation.grave.found},
        "harmful": {harm.value: count for harm, count in evaluation.harms.items()},
        "adrift": evaluation.adrift,
        "repeated": evaluation.repeated,
        "errors": {"missed": _by_class(evaluation, missed=True), "false": _by_class(evaluation, missed=False)},
    }
    if errors:
        data["each"] = [_error_data(error) for error in evaluation.errors]
    if confusions:
        data["confusions"] = [{"gold": gold, "said": said, "count": count} for (gold, said), count in evaluation.confusions.most_common()]
    return data


def _macro(evaluation: Evaluation) -> Macro:
    return macro([tally.f1 for tally in evaluation.labels.values()])


def _row(name: str, tally: Tally) -> str:
    figures = f"{tally.precision:10.4f} {tally.recall:7.4f} {tally.f1:7.4f}"
    return f"{name:20} {tally.required:8} {tally.found:6} {tally.said:6} {tally.right:6} {figures}"


def _class_lines(evaluation: Evaluation) -> Iterator[str]:
    missed, false = _by_class(evaluation, missed=True), _by_class(evaluation, missed=False)
    yield f"{'errors':20} {'missed':>8} {'false':>6}"
    for error in ErrorClass:
        if missed.get(error.value) or false.get(error.value):
            yield f"{error.value:20} {missed.get(error.value, 0):8} {false.get(error.value, 0):6}  {EXPLANATIONS[error]}"


def _by_class(evaluation: Evaluation, *, missed: bool) -> dict[str, int]:
    return dict(Counter(error.error.value for error in evaluation.errors if error.missed is missed))


def _error_lines(error: Error) -> Iterator[str]:
    harm = f", harmful: {error.harm.value}" if error.harm is not None else ""
    differs = f" (differs: {', '.join(error.differences)})" if error.differences else ""
    yield f"{'missed' if error.missed else 'false'}  {error.error.value}{harm}{differs}"
    fact = error.gold or (error.said.fact if error.said is not None else None)
    if fact is not None:
        yield f"  label     {fact.doc}, {fact.drug}, {fact.section}"
    if error.gold is not None:
        yield f"  gold      {fact_line(error.gold)}"
        yield f"  quote     {_line(error.gold.quote)}{'' if error.gold_place is not None else '   [not found in the text]'}"
    if error.said is not None:
        yield f"  said      {fact_line(error.said.fact)}"
        yield f"  quote     {_line(error.said.fact.quote)}"
        yield f"  claim     {error.said.claim}, {error.said.predicate}, found by {error.said.extractor}"
    if error.sentence:
        yield f"  sentence  {error.sentence}"
    yield ""


def _error_data(error: Error) -> dict[str, Any]:
    said = error.said
    return {
        "missed": error.missed,
        "class": error.error.value,
        "differences": list(error.differences),
        "harm": error.harm.value if error.harm is not None else None,
        "gold": fact_data(error.gold) if error.gold is not None else None,
        "said": None if said is None else {**fact_data(said.fact), "claim": said.claim, "predicate": said.predicate, "extractor": said.extractor},
        "sentence": error.sentence,
    }


def _tally_data(tally: Tally) -> dict[str, Any]:
    return {
        "required": tally.required,
        "found": tally.found,
        "said": tally.said,
        "right": tally.right,
        "precision": tally.precision,
        "recall": tally.recall,
        "f1": tally.f1,
    }


def _line(text: str) -> str:
    return " ".join(text.split())
