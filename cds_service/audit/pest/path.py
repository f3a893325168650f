"""The path of the selection in words, for the trace and the evidence page: which rules were weighed, what each allows, and which one binds."""

from __future__ import annotations

from collections.abc import Iterator

from cds_service.audit.outcomes import TraceStep
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.compare import Comparison, Fit
from cds_service.audit.pest.dosing import Dosing
from cds_service.audit.pest.spoken import allowed_words, condition_words, ordered_words
from cds_service.audit.roster import Medication
from ontology.model.guards import Truth

MOST_RULES = 20
"""Rules that the path lists; a label with more has its binding one among the first."""

_FITS = {Fit.FITS: "fits", Fit.OVER: "above", Fit.UNDER: "below", Fit.TOO_OFTEN: "too often", Fit.OPEN: "open", Fit.NONE: "not comparable"}


def selection_steps(medication: Medication, dosing: Dosing) -> Iterator[TraceStep]:
    """The steps of judging one order's dose."""
    told = {"stated": "by the order's reason", "listed": "by the problem list"}.get(dosing.uses.how, "nothing tells for what")
    use = "several uses stay possible" if dosing.uses.open_ else told
    yield TraceStep(
        "select",
        f"{medication.called}: {_ordered(dosing)}; {use}; {len(dosing.rules)} dose rules and {len(dosing.limits)} limits may hold",
        (medication.reference,),
    )
    verdict = dosing.verdict()
    weighed = sorted(((a, dosing.question.compare(a)) for a in dosing.rules), key=lambda row: (row[0] is not verdict.lead, row[0].rule.key))
    for a, c in weighed[:MOST_RULES]:
        yield TraceStep("select", _weighed(a, c), (a.statement.claims[0].id,))
    for e in dosing.excesses():
        yield TraceStep("select", f"above a limit by a factor of {e.ratio:.2f}{_when(e.applied)}: {_truth(e.applied)}", (e.applied.statement.claims[0].id,))
    family = f" for its {verdict.family.name}" if verdict.family else ""
    lead = (verdict.lead.statement.claims[0].id,) if verdict.lead else ()
    yield TraceStep("select", f"{medication.called}: {_FITS[verdict.fit]}{family}{' (drug being started)' if dosing.starting else ''}", lead)


def _ordered(dosing: Dosing) -> str:
    said = [ordered_words(dosing.ordered, dimension, "day") for dimension in dosing.ordered.given]
    missing = f"; not said: {', '.join(sorted(dosing.ordered.missing))}" if dosing.ordered.missing else ""
    return f"ordered {' = '.join(said) if said else 'no amount'}{missing}"


def _weighed(a: Applied, c: Comparison) -> str:
    allows = f" allows {allowed_words(c.band, c.per)}" if c.band is not None else ""
    return f"{a.rule.object_name}{_when(a)}{allows}: {_truth(a)}, {_FITS[c.fit]}"


def _when(a: Applied) -> str:
    words = condition_words(a.rule)
    return f" where {words}" if words else ""


def _truth(a: Applied) -> str:
    if a.outcome.truth is Truth.TRUE:
        return "holds" if a.use is Truth.TRUE else "holds if it is for this use"
    return f"unknown: {', '.join(sorted(a.needs))}" if a.needs else "for a person to judge"
