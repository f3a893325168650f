"""What a card says: summaries in plain text, details in Markdown. Every string that comes from data is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cds_service.answer.citations import Citer, SectionTitle, of_table
from cds_service.answer.markdown import clip, escape, plain, summary
from cds_service.answer.policy import Policy
from cds_service.audit.outcomes import Category, EvidenceRef, Finding, Gap, NotEvaluated, NotEvaluatedReason
from ontology.model.advice import Action
from ontology.model.facts import UnknownReason

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
    NotEvaluatedReason.NO_KNOWLEDGE: "no label",
    NotEvaluatedReason.CONFLICT: "labels conflict",
    NotEvaluatedReason.UNAVAILABLE: "not available",
    NotEvaluatedReason.TIMEOUT: "out of time",
    NotEvaluatedReason.OUT_OF_SCOPE: "out of scope",
}


NAME_LIMIT = 80
"""Characters of a name on a card; what an order calls a drug may be of any length."""


def drug_name(f: Finding) -> str:
    """The drug's name on cards."""
    return clip(plain(f.drug.shown or f.drug.name), NAME_LIMIT)


def other_name(f: Finding) -> str:
    """The other side's name on cards, empty where there is none."""
    return clip(plain(f.other.shown or f.other.name), NAME_LIMIT) if f.other else ""


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
    if f.category is Category.DOSAGE and f.ordered and f.allowed:
        return summary(f"{_named(drug)}: {f.ordered} ordered, the label says {f.allowed}{f' ({clip(other, 60)})' if other else ''}")
    if f.category is Category.INDICATION:
        return summary(f"{_named(drug)}: {'not for' if f.action is Action.NOT_RECOMMENDED else 'no labelled use in'} {clip(other, 80)}")
    return summary(f"{_named(drug)}: {_VERBS[f.action]} in {clip(other, 80)}")


def detail(findings: Iterable[Finding], policy: Policy, section_title: SectionTitle) -> str:
    """The detail of a problem's card: what the label asks for, why it concerns this patient, the quoted sentences, what to confirm."""
    shown = _quotes_once(findings, policy.evidence_a_card)
    quotes = [e for _, fresh in shown for e in fresh]
    citer = Citer.of(quotes, policy.quote_characters, section_title)
    blocks: list[str] = []
    for f, fresh in shown:
        lines = [f"**{escape(_named(drug_name(f)))}{_against(f)}.** {_asked(f)}{_change(f)}"]
        if f.effect:
            lines.append(f"Effect named by the label: {escape(f.effect)}.")
        lines.extend(citer.block(e) for e in fresh)
        lines.extend(f"Note: {escape(q)}." for q in f.qualifiers)
        blocks.append("\n\n".join(lines) if fresh or not blocks else " ".join(lines[:1]))
    practice = dict.fromkeys(f"**{escape(p.sentence)}**" for f, _ in shown for p in f.practice)
    return "\n\n".join(b for b in (*blocks, *practice, citer.footnote()) if b)


def _quotes_once(findings: Iterable[Finding], most: int) -> list[tuple[Finding, list[EvidenceRef]]]:
    """The findings with the evidence each brings that none before it brought, at most so many in all."""
    shown: list[tuple[Finding, list[EvidenceRef]]] = []
    seen: set[tuple[str, str, int]] = set()
    for f in findings:
        fresh = [e for e in f.evidence if (e.span.document, e.span.section, e.span.start) not in seen][: most - sum(len(q) for _, q in shown)]
        seen.update((e.span.document, e.span.section, e.span.start) for e in fresh)
        shown.append((f, fresh))
    return shown


def calm_lines(findings: Sequence[Finding], policy: Policy, section_title: SectionTitle) -> list[str]:
    """Findings of level info as list items, and what is said of all their quotes."""
    firsts = [f.evidence[0] for f in findings]
    citer = Citer.of(firsts, policy.quote_characters * 3 // 4, section_title)
    lines = [_calm_line(f, citer) for f in findings]
    return [*lines, *([f"\n{note}"] if (note := citer.footnote()) else [])]


def _calm_line(f: Finding, citer: Citer) -> str:
    notes = "".join(f" {escape(q[0].upper() + q[1:])}." for q in f.qualifiers)
    said = _asked(f) if f.category in (Category.DOSAGE, Category.INDICATION) else f"{_VERBS[f.action]}."
    return f"- **{escape(_named(drug_name(f)))}{_against(f)}**: {said}{_change(f)}{notes} {citer.inline(f.evidence[0])}{_practice(f)}"


def _practice(f: Finding) -> str:
    """What the site's practice rules say, after the label's sentence."""
    return "".join(f" **{escape(p.sentence)}**" for p in f.practice)


def gap_summary(gaps: Iterable[Gap]) -> str:
    """The summary of the gap card: which drugs wait for which data."""
    listed = list(gaps)
    drugs = ", ".join(dict.fromkeys(plain(g.drug.shown or g.drug.name) for g in listed))
    needs = ", ".join(dict.fromkeys(need_words(n) for g in listed for n in g.needs))
    return summary(f"Missing for {clip(drugs, 60)}: {needs}")


def gap_detail(gaps: Iterable[Gap]) -> str:
    """The detail of the gap card: for every question what would decide it."""
    merged: dict[str, list[Gap]] = {}
    for g in gaps:
        merged.setdefault(", ".join(escape(need_words(n)) for n in g.needs), []).append(g)
    lines = []
    for needs, group in merged.items():
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
    """The detail of the not-checked card: what was not checked and why."""
    return "\n".join(f"- **{_REASONS[n.reason]}**: {escape(_named(n.message.rstrip('.')))}." for n in items)


def need_words(need: str) -> str:
    """A need in words."""
    return _NEEDS.get(need) or need.removeprefix("lab:").replace("-", " ")


def source_label(evidence: Iterable[EvidenceRef]) -> str:
    """The source that a card names: the first document with a title, with its date."""
    first = next((e for e in evidence if e.title), None)
    if first is None or first.title is None:
        return "PharmGraph knowledge base"
    if of_table(first.span):
        return clip(plain(f"{first.title} (edition {first.span.version})"), 160)
    day = first.effective.isoformat() if first.effective else "label date unknown"
    return clip(plain(f"{first.title} (label, {day})"), 160)


def _named(drug: str) -> str:
    return drug[:1].upper() + drug[1:]


def _tail(f: Finding) -> str:
    return f" ({clip(plain(f.effect), 50)})" if f.effect else ""


def _against(f: Finding) -> str:
    if f.other is None:
        return ""
    joint = {
        Category.INTERACTION: " with ",
        Category.ALLERGY: ", allergy to ",
        Category.DUPLICATE: " and ",
        Category.CONTRAINDICATION: " in ",
        Category.SPECIAL_POPULATION: " in ",
        Category.INDICATION: " for ",
        Category.DOSAGE: ", patient: ",
    }
    label = f" ({escape(f.other.label)})" if f.other.label and plain(f.other.label).casefold() != plain(f.other.name).casefold() else ""
    return f"{joint.get(f.category, ': ')}{escape(other_name(f))}{label}"


def _asked(f: Finding) -> str:
    """What is asked for, in a sentence: the label's instruction, or what the two orders or the record make of it."""
    if f.category is Category.DOSAGE and f.ordered and f.allowed:
        return f"Ordered: {escape(f.ordered)}. The label: {escape(f.allowed)}."
    if f.category is Category.INDICATION:
        return "The label says that the drug is not for this." if f.action is Action.NOT_RECOMMENDED else "The label does not list this use."
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
    said = _SENTENCES[f.action]
    return said.replace("The label", "The cited table", 1) if f.evidence and all(of_table(e.span) for e in f.evidence) else said


def _change(f: Finding) -> str:
    return f" Change named by the label: {escape(f.parameter)}." if f.parameter else ""
