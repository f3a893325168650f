"""What the gap card and the not-checked card say: the missing datum, what hangs on it, and why it is not known."""

from __future__ import annotations

from collections.abc import Iterable

from cds_service.answer.markdown import clip, escape, plain, summary
from cds_service.audit.outcomes import Gap, NotEvaluated, NotEvaluatedReason
from ontology.model.facts import UnknownReason

_NEEDS = {
    "age": "date of birth",
    "sex": "sex",
    "weight": "body weight",
    "height": "height",
    "renal-function": "renal function (creatinine or eGFR)",
    "hepatic-function": "hepatic function",
    "pregnancy-status": "pregnancy status",
    "lactation-status": "breastfeeding status",
    "indication": "reason for the order",
    "dose": "dose",
    "frequency": "frequency",
    "route": "route",
    "allergies": "allergy list",
    "conditions": "problem list",
    "medications": "medication list",
    "observations": "laboratory values and vital signs",
    "notes": "clinical notes",
    "drug-identity": "which product and strength is meant",
    "genotype": "genotype",
}
_LABS = {
    "inr": "INR",
    "alt": "ALT",
    "ast": "AST",
    "tsh": "TSH",
    "ck": "CK",
    "qt": "QT interval",
    "qtc": "QTc interval",
    "hba1c": "HbA1c",
    "lvef": "left ventricular ejection fraction",
}
_UNKNOWN = {
    UnknownReason.NOT_RETRIEVED: "not sent",
    UnknownReason.INCOMPLETE: "sent incomplete",
    UnknownReason.NOT_RECORDED: "not recorded",
    UnknownReason.IMPLAUSIBLE: "recorded value not plausible",
    UnknownReason.UNSTABLE: "changing too fast",
    UnknownReason.STALE: "recorded too long ago",
    UnknownReason.TOO_BROAD: "recorded less specifically",
}
_REASONS = {
    NotEvaluatedReason.DRUG_IDENTITY: "drug not identified",
    NotEvaluatedReason.NO_KNOWLEDGE: "not covered",
    NotEvaluatedReason.CONFLICT: "labels conflict",
    NotEvaluatedReason.UNAVAILABLE: "not available",
    NotEvaluatedReason.TIMEOUT: "out of time",
    NotEvaluatedReason.OUT_OF_SCOPE: "out of scope",
}


def gap_summary(gaps: Iterable[Gap]) -> str:
    """The summary of the gap card: which drugs wait for which data."""
    listed = list(gaps)
    drugs = ", ".join(dict.fromkeys(plain(g.drug.shown or g.drug.name) for g in listed))
    needs = ", ".join(dict.fromkeys(need_words(n) for g in listed for n in g.needs))
    return summary(f"Missing for {clip(drugs, 60)}: {needs}")


def gap_detail(gaps: Iterable[Gap]) -> str:
    """The detail of the gap card: one line a datum, with all that hangs on it; what hangs on several data comes last."""
    merged: dict[str, list[Gap]] = {}
    for g in gaps:
        merged.setdefault(", ".join(escape(need_words(n)) for n in g.needs), []).append(g)
    lines = []
    for needs, group in sorted(merged.items(), key=lambda item: len(item[1][0].needs)):
        why = ", ".join(dict.fromkeys(_UNKNOWN[r] for g in group for r in g.reasons if r in _UNKNOWN))
        asked = " ".join(dict.fromkeys(escape(_named(g.question).rstrip(".")) + "." for g in group))
        known = "".join(dict.fromkeys(f" On record: {escape(said)}." for g in group for said in g.known))
        lines.append(f"- **{needs}**{f' ({why})' if why else ''}: {asked}{known}")
    return "\n".join(lines)


def unchecked_summary(items: Iterable[NotEvaluated]) -> str:
    """The summary of the not-checked card."""
    listed = list(items)
    drugs = list(dict.fromkeys(plain(n.drug.shown or n.drug.name) for n in listed))
    return summary(f"Not fully checked: {', '.join(drugs)}")


def unchecked_detail(items: Iterable[NotEvaluated]) -> str:
    """The detail of the not-checked card: what was not checked and why; drugs of which the same is to be said stand in one line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for n in items:
        name, rest = _split(n)
        drugs = groups.setdefault((_REASONS[n.reason], rest), [])
        if name and name not in drugs:
            drugs.append(name)
    return "\n".join(f"- **{reason}**: {escape(_named(f'{_listed(drugs)}: {said}' if drugs else said))}." for (reason, said), drugs in groups.items())


def _split(n: NotEvaluated) -> tuple[str, str]:
    """The drug's name at the head of a message, and what is said of it."""
    name, found, rest = n.message.rstrip(".").partition(": ")
    known = {plain(n.drug.name).casefold(), plain(n.drug.shown or "").casefold()}
    return (plain(n.drug.name), rest) if found and plain(name).casefold() in known else ("", n.message.rstrip("."))


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def need_words(need: str) -> str:
    """A need in words."""
    lab = need.removeprefix("lab:")
    return _NEEDS.get(need) or _LABS.get(lab) or lab.replace("-", " ")


def _named(text: str) -> str:
    return text[:1].upper() + text[1:]
