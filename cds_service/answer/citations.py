"""Quotes on cards: the sentence, the label and section it stands in, and whether a person has read the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cds_service.answer.markdown import clip, escape, plain
from cds_service.audit.outcomes import EvidenceRef
from ontology.model.spans import Span

SHORT_QUOTE = 48
"""Characters below which a quote is shown together with its heading or row."""

UNREAD = "not yet read by a person"
_TITLE_LIMIT = 80

TABLES = "terms."
"""How the documents of hand-kept tables are called: they have an edition and no label date."""

SectionTitle = Callable[[Span], str | None]
"""The printed title of the section that a span stands in, or None where it is not known."""


@dataclass(frozen=True, slots=True)
class Citer:
    """Writes the quotes of one card. Where nobody has read any of them that is said once, under the last; else at each unread one."""

    limit: int
    section_title: SectionTitle
    all_unread: bool

    @classmethod
    def of(cls, shown: Iterable[EvidenceRef], limit: int, section_title: SectionTitle) -> Citer:
        """The citer of a card that shows these."""
        listed = list(shown)
        return cls(limit, section_title, bool(listed) and not any(e.read_by_person for e in listed))

    def block(self, e: EvidenceRef) -> str:
        """A quote as a paragraph of its own."""
        differ = " *Labels differ on this.*" if e.conflicted else ""
        return f"> {self._quoted(e)}\n> ({self._place(e)}){differ}"

    def inline(self, e: EvidenceRef) -> str:
        """A quote within a line."""
        return f"{self._quoted(e)} ({self._place(e)})"

    def footnote(self) -> str:
        """What is said of all quotes of the card, empty when there is nothing to say."""
        if not self.all_unread:
            return ""
        return f"*{UNREAD.capitalize()}.*"

    def _quoted(self, e: EvidenceRef) -> str:
        """The statement in quotation marks; one that is too short to speak for itself, as a cell of a table, with what it stands under."""
        quote = plain(e.span.quote)
        under = [plain(c) for c in e.context if plain(c) and plain(c) not in quote] if len(quote) < SHORT_QUOTE else []
        return " … ".join(f"“{escape(clip(text, self.limit))}”" for text in (*under[:2], quote))

    def _place(self, e: EvidenceRef) -> str:
        title = escape(clip(plain(e.title or e.span.document), _TITLE_LIMIT))
        section = self.section_title(e.span) or readable_key(e.span.section)
        read = "" if e.read_by_person or self.all_unread else f", {UNREAD}"
        if of_table(e.span):
            return f"{title}, edition {escape(plain(e.span.version))}{read}"
        day = e.effective.isoformat() if e.effective else "label date unknown"
        return f"{title}, {day}, {escape(clip(plain(section), _TITLE_LIMIT))}{read}"


def of_table(span: Span) -> bool:
    """True for what a hand-kept table states, not a label."""
    return span.document.startswith(TABLES)


def readable_key(key: str) -> str:
    """A section's key as words, for a section whose title is not known."""
    words = key.rsplit(".", 1)[-1].replace("_", " ").strip()
    return words[:1].upper() + words[1:]
