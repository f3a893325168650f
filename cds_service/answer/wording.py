"""What a card says: summaries in plain text, details in Markdown. Every string that comes from data is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from cds_service.answer.markdown import clip, escape, plain, summary
from cds_service.answer.policy import Policy
from cds_service.audit.outcomes import Category, EvidenceRef, Finding, Gap, NotEvaluated, NotEvaluatedReason
from ontology.model.advice import Action

_VERBS: dict[Action, str] = {
    Action.CONTRAINDICATED: "contraindicated",
    Action.STOP: "stop",
    Action.AVOID: "avoid",
    Action.NOT_RECOMMENDED: "not recommended",
    Action.ADJUST_DOSE: "adjust dose",
    Action.SEPARATE: "separate in time",
    Action.MONITOR: "monitor",
    Action.CAUTION: "use with caution",
    Action.NOT_STUDIED: "not studied",
    Action.NO_RECOMMENDATION: "no recommendation",
    Action.NO_ADJUSTMENT: "no adjustment",
}
_SENTENCES: dict[Action, str] = {
    Action.CONTRAINDICATED: "The label says that this must not be done.",
    Action.STOP: "The label says to stop.",
    Action.AVOID: "The label says to avoid this.",
    Action.NOT_RECOMMENDED: "The label does not recommend this.",
    Action.ADJUST_DOSE: "The label says to change the dose.",
    Action.SEPARATE: "The label says to give the two apart in time.",
    Action.MONITOR: "The label asks to monitor.",
    Action.CAUTION: "The label asks for caution.",
    Action.NOT_STUDIED: "The label says that this was not studied.",
    Action.NO_RECOMMENDATION: "The label makes no recommendation.",
    Action.NO_ADJUSTMENT: "The label asks for no change.",
}
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
    "drug-identity": "which drug is meant",
    "genotype": "genotype",
}
_REASONS = {
    NotEvaluatedReason.DRUG_IDENTITY: "drug not identified",
    NotEvaluatedReason.NO_KNOWLEDGE: "no label",
    NotEvaluatedReason.CONFLICT: "labels conflict",
    NotEvaluatedReason.UNAVAILABLE: "not available",
    NotEvaluatedReason.TIMEOUT: "out of time",
    NotEvaluatedReason.OUT_OF_SCOPE: "out of scope",
}


def drug_name(f: Finding) -> str:
    """The drug's name on cards."""
    return f.drug.shown or f.drug.name


def other_name(f: Finding) -> str:
    """The other side's name on cards, empty where there is none."""
    return (f.other.shown or f.other.name) if f.other else ""


SHORT_QUOTE = 48
"""Characters below which a quote is shown together with its heading or row."""


def headline(f: Finding) -> str:
    """The summary of a problem's card: names the drug, the other side and what the label asks for."""
    drug, other = plain(drug_name(f)), plain(other_name(f))
    if f.category is Category.INTERACTION:
        return summary(f"{_named(drug)} with {other}: {_VERBS[f.action]}{_tail(f)}")
    if f.category is Category.ALLERGY:
        return summary(f"{_named(drug)}: allergy to {clip(other, 60)} on record")
    if f.category is Category.DUPLICATE:
        both = f" in {clip(other, 50)} as well" if other and other != drug else " ordered twice"
        return summary(f"Duplicate ingredient: {f.other.label if f.other and f.other.label else drug}{both}")
    return summary(f"{_named(drug)}: {_VERBS[f.action]} in {clip(other, 80)}")


def detail(findings: Iterable[Finding], policy: Policy) -> str:
    """The detail of a problem's card: what the label asks for, why it concerns this patient, the quoted sentences, what to confirm."""
    blocks: list[str] = []
    quoted: set[tuple[str, str, int]] = set()
    left = policy.evidence_a_card
    for f in findings:
        lines = [f"**{escape(drug_name(f))}{_against(f)}.** {_asked(f)}{_change(f)}"]
        if f.effect:
            lines.append(f"Effect named by the label: {escape(f.effect)}.")
        fresh = [e for e in f.evidence if (e.span.document, e.span.section, e.span.start) not in quoted][:left]
        quoted.update((e.span.document, e.span.section, e.span.start) for e in fresh)
        left -= len(fresh)
        lines.extend(_quote(e, policy) for e in fresh)
        lines.extend(f"Note: {escape(q)}." for q in f.qualifiers)
        blocks.append("\n\n".join(lines) if fresh or not blocks else " ".join(lines[:1]))
    return "\n\n".join(blocks)


def calm_line(f: Finding, policy: Policy) -> str:
    """One finding of level info as a list item."""
    first = f.evidence[0]
    notes = "".join(f" {escape(q[0].upper() + q[1:])}." for q in f.qualifiers)
    text = f"**{escape(drug_name(f))}{_against(f)}**: {_VERBS[f.action]}.{_change(f)}{notes} {quoted(first, policy.quote_characters // 2)}"
    return f"- {text} ({_cited(first)})"


def gap_summary(gaps: Iterable[Gap]) -> str:
    """The summary of the gap card: which drugs wait for which data."""
    listed = list(gaps)
    drugs = ", ".join(dict.fromkeys(plain(g.drug.shown or g.drug.name) for g in listed))
    needs = ", ".join(dict.fromkeys(need_words(n) for g in listed for n in g.needs))
    return summary(f"Missing for {clip(drugs, 60)}: {needs}")


def gap_detail(gaps: Iterable[Gap]) -> str:
    """The detail of the gap card: for every question what would decide it."""
    merged: dict[str, list[str]] = {}
    for g in gaps:
        needs = ", ".join(escape(need_words(n)) for n in g.needs)
        merged.setdefault(needs, []).append(escape(g.question.rstrip(".")) + ".")
    return "\n".join(f"- **{needs}**: {' '.join(dict.fromkeys(lines))}" for needs, lines in merged.items())


def unchecked_summary(items: Iterable[NotEvaluated]) -> str:
    """The summary of the not-checked card."""
    listed = list(items)
    drugs = list(dict.fromkeys(plain(n.drug.shown or n.drug.name) for n in listed))
    return summary(f"Not fully checked: {', '.join(drugs)}")


def unchecked_detail(items: Iterable[NotEvaluated]) -> str:
    """The detail of the not-checked card: what was not checked and why."""
    return "\n".join(f"- **{_REASONS[n.reason]}**: {escape(n.message.rstrip('.'))}." for n in items)


def need_words(need: str) -> str:
    """A need in words."""
    return _NEEDS.get(need) or need.removeprefix("lab:").replace("-", " ")


def source_label(evidence: Iterable[EvidenceRef]) -> str:
    """The source that a card names: the first document with a title, with its date."""
    first = next((e for e in evidence if e.title), None)
    if first is None or first.title is None:
        return "PharmGraph knowledge base"
    day = first.effective.isoformat() if first.effective else "label date unknown"
    return clip(plain(f"{first.title} (label, {day})"), 160)


def _named(drug: str) -> str:
    return drug[:1].upper() + drug[1:]


def _tail(f: Finding) -> str:
    return f" ({clip(plain(f.effect), 50)})" if f.effect else ""


def _against(f: Finding) -> str:
    if f.other is None:
        return ""
    joint = {Category.INTERACTION: " with ", Category.ALLERGY: ", allergy to ", Category.DUPLICATE: " and ", Category.CONTRAINDICATION: " in "}
    label = f" ({escape(f.other.label)})" if f.other.label and plain(f.other.label).casefold() != plain(f.other.name).casefold() else ""
    return f"{joint.get(f.category, ': ')}{escape(other_name(f))}{label}"


def _asked(f: Finding) -> str:
    """What is asked for, in a sentence: the label's instruction, or what the two orders or the record make of it."""
    if f.category is Category.DUPLICATE:
        return "Both orders contain the same ingredient."
    if f.category is Category.ALLERGY:
        if f.action is not Action.CONTRAINDICATED:
            return "The record lists an allergy that may extend to it."
        return (
            "The record lists an allergy to a group that it belongs to or that its label names."
            if f.other and f.other.label
            else "The record lists an allergy to it."
        )
    return _SENTENCES[f.action]


def _change(f: Finding) -> str:
    return f" Change named by the label: {escape(f.parameter)}." if f.parameter else ""


def _quote(e: EvidenceRef, policy: Policy) -> str:
    differ = " *Labels differ on this.*" if e.conflicted else ""
    return f"> {quoted(e, policy.quote_characters)}\n> ({_cited(e)}){differ}"


def quoted(e: EvidenceRef, limit: int) -> str:
    """The statement in quotation marks; one that is too short to speak for itself, as a cell of a table, with what it stands under."""
    quote = plain(e.span.quote)
    under = [plain(c) for c in e.context if plain(c) and plain(c) not in quote] if len(quote) < SHORT_QUOTE else []
    return " … ".join(f"“{escape(clip(text, limit))}”" for text in (*under[:2], quote))


def _cited(e: EvidenceRef) -> str:
    title = escape(clip(plain(e.title or e.span.document), 80))
    day = e.effective.isoformat() if e.effective else "label date unknown"
    read = "" if e.read_by_person else ", not yet read by a person"
    return f"{title}, {day}, section {escape(e.span.section)}{read}"
