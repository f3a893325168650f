"""The sentences behind a finding, each with its label, the section it stands in, and who approved it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cds_service.audit.outcomes import EvidenceRef
from cds_service.web.marked_text import Piece, cut, language_of, stands
from cds_service.web.ports import EvidenceBase
from cds_service.web.wording import words_for
from ontology.model.claims import Approval, Claim, ClaimStatus
from ontology.model.spans import Span, SpanRole
from ontology.store.records import DocumentRecord, SectionRecord
from ontology.text.document import page_at

CLAIM_ID = re.compile(r"\bc[0-9a-f]{20}\b")
SAME_LABEL = "same label"
UNKNOWN_DATE = "label date unknown"
FROM_METADATA = "Read from the label's metadata as the publisher gives them."


@dataclass(frozen=True, slots=True)
class Part:
    """Another place the claim rests on, outside the statement itself: a lead sentence, a table's heading."""

    role: str
    words: str
    language: str


@dataclass(frozen=True, slots=True)
class Quote:
    """One statement: its words, where they stand, and how the claim came to be released; `claim` is empty for a line of a label's metadata.

    `faults` say what does not hold any more.
    """

    claim: str
    words: str
    language: str
    title: str
    title_language: str
    document: str
    version: str
    section: str
    loinc: str | None
    url: str | None
    approval: str
    proposed: str
    conflict: str | None
    anchor: str
    parts: tuple[Part, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A section in pieces, with the document it belongs to and how many tables of it are not shown."""

    title: str
    document: str
    document_language: str
    language: str
    pieces: tuple[Piece, ...]
    tables: int


class QuoteReader:
    """Reads quotes and their sections for one page; anchors are `quote`, `quote-2` ... in the order of reading."""

    def __init__(self, knowledge: EvidenceBase) -> None:
        self._knowledge = knowledge
        self._anchors = 0

    def read(self, evidence: Sequence[EvidenceRef]) -> tuple[tuple[Quote, ...], tuple[MarkedSection, ...]]:
        """The quotes, and each section they stand in once, in order of first mention. A claim that labels differ on brings the others."""
        refs = [*evidence, *self._opponents(evidence)]
        quotes: list[Quote] = []
        marks: dict[tuple[str, str, str], list[tuple[Span, str | None]]] = {}
        for ref in {(r.claim, r.span): r for r in refs}.values():
            self._anchors += 1
            anchor = "quote" if self._anchors == 1 else f"quote-{self._anchors}"
            claim = self._knowledge.claim(ref.claim)
            quotes.append(self._quote(ref, claim, anchor))
            place = marks.setdefault((ref.span.document, ref.span.version, ref.span.section), [])
            place.append((ref.span, anchor))
            place += [(s, None) for s in _others(claim, ref.span)]
        return tuple(quotes), tuple(self._sections(marks))

    def _quote(self, ref: EvidenceRef, claim: Claim | None, anchor: str) -> Quote:
        span = ref.span
        document = self._knowledge.document(span.document, span.version)
        section = self._knowledge.section(span.document, span.version, span.section)
        faults = []
        if claim is None and ref.claim:
            faults.append("This release does not hold the claim any more.")
        if section is None:
            faults.append("This release does not hold the section the sentence was quoted from.")
        elif not stands(section.text, span):
            faults.append("The section does not hold these words at their place: do not rely on the quote.")
        title = document.title if document else ref.title or span.document
        return Quote(
            claim=ref.claim,
            words=span.quote,
            language=language_of(span.quote, _language(document)),
            title=title,
            title_language=language_of(title, _language(document)),
            document=span.document,
            version=version_words(span.version, document),
            section=_section_title(span, section) + _page_words(span, section),
            loinc=section.loinc if section else None,
            url=_web_address(ref.url or (document.url if document else None)),
            approval=approval_words(claim.approval if claim else None) if ref.claim else FROM_METADATA,
            proposed=_proposed(claim),
            conflict=_conflict(claim, ref),
            anchor=anchor,
            parts=tuple(Part(words_for("role", s.role.value), s.quote, language_of(s.quote, _language(document))) for s in _outside(claim, span)),
            faults=tuple(faults),
        )

    def _sections(self, marks: dict[tuple[str, str, str], list[tuple[Span, str | None]]]) -> Iterator[MarkedSection]:
        for (set_id, version, key), places in marks.items():
            section = self._knowledge.section(set_id, version, key)
            if section is None:
                continue
            document = self._knowledge.document(set_id, version)
            spans, anchors = [s for s, _ in places], [a for _, a in places]
            pieces = cut(section.text, spans, anchors)
            name, language = document.title if document else set_id, _language(document)
            yield MarkedSection(
                title=_section_title(spans[0], section),
                document=name,
                document_language=language_of(name, language),
                language=language_of(section.text, language),
                pieces=pieces,
                tables=0 if "<table" in section.text else len(section.tables),
            )

    def _opponents(self, evidence: Sequence[EvidenceRef]) -> Iterator[EvidenceRef]:
        """The claims that a conflicted claim's reason names, when the finding does not cite them itself."""
        cited = {ref.claim for ref in evidence}
        for ref in evidence:
            claim = self._knowledge.claim(ref.claim)
            if claim is None or claim.status is not ClaimStatus.CONFLICTED:
                continue
            for other_id in CLAIM_ID.findall(claim.reason or ""):
                other = self._knowledge.claim(other_id) if other_id not in cited else None
                if other is not None:
                    cited.add(other_id)
                    yield EvidenceRef(other.id, other.statement)


def approval_words(approval: Approval | None) -> str:
    """Who approved a claim and how, in a sentence."""
    if approval is None:
        return "No approval is recorded."
    rule = approval.by.startswith("policy:")
    who = f"Approved by rule {approval.by}" if rule else f"Approved by {approval.by} ({approval.method})"
    read = "read by a person" if approval.read_by_person else "not yet read by a person"
    return f"{who}; {read}."


def _others(claim: Claim | None, statement: Span) -> Iterable[Span]:
    if claim is None:
        return ()
    return (s for s in claim.evidence if s.section == statement.section and s.version == statement.version and s.role is not SpanRole.STATEMENT)


def _outside(claim: Claim | None, statement: Span) -> Iterable[Span]:
    """The claim's other spans that the statement does not hold, in printed order, each wording once."""
    outside = [s for s in _others(claim, statement) if s.start < statement.start or s.end > statement.end]
    return {s.quote: s for s in sorted(outside, key=lambda s: s.start)}.values()


def _proposed(claim: Claim | None) -> str:
    if claim is None:
        return "unknown"
    model = f", model {claim.provenance.model}" if claim.provenance.model else ""
    return f"{claim.provenance.extractor} {claim.provenance.version}{model}"


def _conflict(claim: Claim | None, ref: EvidenceRef) -> str | None:
    """What stands against the statement, in a sentence; None when nothing does."""
    if not ref.conflicted and (claim is None or claim.status is not ClaimStatus.CONFLICTED):
        return None
    reason = CLAIM_ID.sub("another claim", claim.reason or "").strip(" .") if claim is not None else ""
    if SAME_LABEL in reason:
        return f"{reason[:1].upper()}{reason[1:]}."
    return f"Labels differ: {reason}." if reason else "Labels differ."


def version_words(version: str, document: DocumentRecord | None) -> str:
    """A label's version and date in words; a label without a version is never given a date."""
    if version.startswith("unversioned:"):
        return f"Unversioned, {UNKNOWN_DATE}"
    if document is None or document.effective is None:
        return f"Version {version}, {UNKNOWN_DATE}"
    return f"Version {version}, label date {document.effective.isoformat()}"


def _section_title(span: Span, section: SectionRecord | None) -> str:
    if section is not None and section.title:
        return section.title
    return span.section.replace("_", " ").capitalize()


def _page_words(span: Span, section: SectionRecord | None) -> str:
    """The page in words behind the section's title; empty for a document without pages."""
    page = page_at(section.pages, span.start) if section is not None else None
    return "" if page is None else f", page {page}"


def _language(document: DocumentRecord | None) -> str:
    return document.language if document is not None and document.language else "en"


def _web_address(url: str | None) -> str | None:
    """The address when it is one a browser may follow; a label's metadata may hold anything."""
    return url if url is not None and re.match(r"https?://", url, re.IGNORECASE) else None
