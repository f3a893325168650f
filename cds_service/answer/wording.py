"""What a card says: summaries in plain text, details in Markdown. Every string that comes from data is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cds_service.answer.citations import Citer, SectionTitle, of_table
from cds_service.answer.markdown import clip, escape, plain, summary
from cds_service.answer.policy import Policy
from cds_service.answer.sides import NAME_LIMIT, against, drug_name, heads, joint, meant, named, other_name
from cds_service.answer.to_do import to_do
from cds_service.audit.outcomes import Category, EvidenceRef, Finding, RiskType
from cds_service.state.protocol import Acknowledgement
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
    Action.CONTRAINDICATED: "The label contraindicates this.",
    Action.STOP: "The label says to stop.",
    Action.AVOID: "The label says to avoid this.",
    Action.NOT_RECOMMENDED: "The label does not recommend this.",
    Action.ADJUST_DOSE: "The label asks for another dose.",
    Action.SEPARATE: "The label says to give the two apart in time.",
    Action.MONITOR: "The label asks to monitor.",
    Action.CAUTION: "The label asks for caution.",
    Action.NOT_STUDIED: "The label says that this was not studied.",
    Action.NO_RECOMMENDATION: "The label makes no recommendation.",
    Action.NO_ADJUSTMENT: "The label asks for no change.",
}
_CUT_PARAMETER = 118
"""Characters from which the label's words for a change may have been cut."""
_UNNAMED = re.compile(r"\b(?:(?:the|a|an) )?this drug\b", re.IGNORECASE)
"""What stands in those words for the name of the label's own drug."""


def headline(f: Finding) -> str:
    """The summary of a problem's card: names the drug, the other side and what the label asks for."""
    drug, other = plain(drug_name(f)), plain(other_name(f))
    if f.category is Category.INTERACTION:
        return summary(f"{named(drug)} with {other}: {_VERBS[f.action]}{_tail(f)}")
    if f.category is Category.ALLERGY:
        return summary(f"{named(drug)}: allergy to {clip(other, 60)} on record")
    if f.category is Category.DUPLICATE:
        both = f" in {clip(other, 50)} as well" if other and other != drug else " ordered twice"
        if f.risk is RiskType.DUPLICATE_CLASS and f.other:
            return summary(f"Same class twice: {drug} and {clip(other, 60)} are both {f.other.label}")
        return summary(f"Duplicate ingredient: {f.other.label if f.other and f.other.label else drug}{both}")
    if f.category is Category.DOSAGE and f.ordered and f.allowed:
        return summary(f"{named(drug)}: {f.ordered} ordered, the label says {f.allowed}{f' ({_because(f)})' if other else ''}")
    if f.category is Category.INDICATION:
        return summary(f"{named(drug)}: {'the label says not for' if f.action is Action.NOT_RECOMMENDED else 'no labelled use in'} {clip(other, 80)}")
    return summary(f"{named(drug)}: {_VERBS[f.action]}{joint(f)}{clip(other, 80)}{meant(f)}")


def _because(f: Finding) -> str:
    """Why a dose rule is for this patient: the partner, or the patient's values."""
    other = clip(plain(other_name(f)), 60)
    return f"with {other}" if f.other is not None and f.other.type == "drug" else other


def detail(findings: Iterable[Finding], policy: Policy, section_title: SectionTitle) -> str:
    """The detail of a problem's card: what is wrong, the patient's values, the quoted sentences, what to confirm, what to do. Nothing is said twice."""
    listed = list(findings)
    shown = _quotes_once(listed, policy.evidence_a_card)
    quotes = [e for _, fresh in shown for e in fresh]
    citer = Citer.of(quotes, policy.quote_characters, section_title)
    said: set[str] = set()
    blocks: list[str] = []
    for f, fresh in shown:
        change = _change(f, fresh)
        if not fresh and blocks and not _adds(f, listed[0], change):
            continue
        lines = [f"**{escape(named(drug_name(f)))}{against(f)}.** {_asked(f)}{change}"]
        lines.extend(_new(said, _patients(f)))
        lines.extend(_new(said, f"Effect named by the label: {_ended(f.effect)}" if f.effect else ""))
        lines.extend(citer.block(e) for e in fresh)
        for q in f.qualifiers:
            lines.extend(_new(said, f"Note: {_ended(q)}"))
        blocks.append("\n\n".join(lines) if fresh or not blocks else lines[0])
    practice = dict.fromkeys(f"**{escape(p.sentence)}**" for f, _ in shown for p in f.practice)
    return "\n\n".join(b for b in (*blocks, *practice, to_do(listed[0]), citer.footnote()) if b)


def _adds(f: Finding, lead: Finding, change: str) -> bool:
    """True for a finding without a quote of its own that says more than the one that leads its card: another matter, or how the dose is changed."""
    if lead.action is Action.CONTRAINDICATED and f.category is lead.category and f.category is Category.INTERACTION:
        return False
    names = {plain(drug_name(f)), plain(other_name(f))} == {plain(drug_name(lead)), plain(other_name(lead))}
    return bool(change) or not names


def _new(said: set[str], words: str) -> list[str]:
    """The words, where they say something that was not said."""
    if not words or words in said:
        return []
    said.add(words)
    return [words]


def _ended(text: str) -> str:
    """A text as the end of a sentence."""
    return escape(plain(text).rstrip(" .;,")) + "."


def _patients(f: Finding) -> str:
    """The patient's own values and entries that decide, each with its day where the record gives one."""
    if f.patient:
        return f"Patient: {_ended(f.patient)}"
    if f.other is None or f.category in (Category.INTERACTION, Category.DUPLICATE) or f.other.type == "drug":
        return ""
    days = sorted({s.date for s in f.data if s.date is not None and s.kind not in ("medications", "patient")})
    span = "" if not days else f" ({days[0].isoformat()})" if len(days) == 1 else f" ({days[0].isoformat()} to {days[-1].isoformat()})"
    name = f"allergy to {other_name(f)}" if f.category is Category.ALLERGY else other_name(f)
    return f"Patient: {escape(name)}{span}." if span or heads(f) else ""


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
    """Findings of level info as list items, and what is said of all their quotes. A quote or note that stands in a line above is not repeated."""
    firsts = [f.evidence[0] for f in findings]
    citer = Citer.of(firsts, policy.quote_characters * 3 // 4, section_title)
    said: set[str] = set()
    lines = [_calm_line(f, citer, said) for f in findings]
    return [*lines, *([f"\n{note}"] if (note := citer.footnote()) else [])]


def _calm_line(f: Finding, citer: Citer, said: set[str]) -> str:
    quote = citer.inline(f.evidence[0])
    again = not _new(said, quote)
    notes = "".join(f" {n}" for q in f.qualifiers for n in _new(said, _ended(q[:1].upper() + q[1:])))
    asked = _asked(f) if f.category in (Category.DOSAGE, Category.INDICATION) else f"{_VERBS[f.action]}."
    change = "" if again else _change(f, f.evidence[:1])
    return f"- **{escape(named(drug_name(f)))}{against(f, whole=True)}**: {asked}{change}{notes}{' Same sentence as above.' if again else f' {quote}'}{_practice(f)}"


def acknowledged_line(f: Finding, by: Acknowledgement) -> str:
    """A problem that was acknowledged, as a list item: what, when, why, and until when it is not shown as a card of its own."""
    said = _asked(f) if f.category in (Category.DOSAGE, Category.INDICATION) else f"{_VERBS[f.action]}."
    why = escape(clip(plain(by.reason), NAME_LIMIT))
    return f"- **{escape(named(drug_name(f)))}{against(f, whole=True)}**: {said} Acknowledged {by.given.date()} ({why}), until {by.expires.date()}."


def _practice(f: Finding) -> str:
    """What the site's practice rules say, after the label's sentence."""
    return "".join(f" **{escape(p.sentence)}**" for p in f.practice)


def source_label(evidence: Iterable[EvidenceRef]) -> str:
    """The source that a card names: the first document with a title, with its date."""
    first = next((e for e in evidence if e.title), None)
    if first is None or first.title is None:
        return "PharmGraph knowledge base"
    if of_table(first.span):
        return clip(plain(f"{first.title} (edition {first.span.version})"), 160)
    day = first.effective.isoformat() if first.effective else "label date unknown"
    return clip(plain(f"{first.title} (label, {day})"), 160)


def _tail(f: Finding) -> str:
    return f" ({clip(plain(f.effect), 50)})" if f.effect else ""


def _asked(f: Finding) -> str:
    """What is asked for, in a sentence: the label's instruction, or what the two orders or the record make of it."""
    if f.category is Category.DOSAGE and f.ordered and f.allowed:
        return f"Ordered: {escape(f.ordered)}. The label: {escape(f.allowed)}."
    if f.category is Category.INDICATION:
        return "The label says that the drug is not for this." if f.action is Action.NOT_RECOMMENDED else "The label does not list this use."
    if f.category is Category.DUPLICATE:
        return "Both orders belong to the same class." if f.risk is RiskType.DUPLICATE_CLASS else "Both orders contain the same ingredient."
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


def _change(f: Finding, quotes: Sequence[EvidenceRef]) -> str:
    """The label's words for the change of dose or interval, where no quote shown holds them already; the drug stands by its name."""
    words = plain(f.parameter or "").rstrip(" .;,")
    if not words or any(_holds(e.span.quote, words) for e in quotes):
        return ""
    cut = len(words) >= _CUT_PARAMETER
    named_so = _UNNAMED.sub(lambda _: plain(drug_name(f)), words.rsplit(" ", 1)[0] if cut else words)
    return f" Change named by the label: {escape(named_so)}{'…' if cut else '.'}"


def _holds(quote: str, words: str) -> bool:
    """True when the quote has the words, any name of a product in the places that stand for the drug."""
    parts, said = [_letters(part) for part in _UNNAMED.split(words)], _letters(quote)
    at = 0
    for part in parts:
        found = said.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _letters(text: str) -> str:
    """A text without what printing changes."""
    return "".join(c for c in text.casefold() if c.isalnum())
