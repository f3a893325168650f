"""Dose rules and limits: how much of its product a label says to give, to whom, for what, and what not to exceed."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose import chinese
from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.settle import settle_doses
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading import read_section, sections_of
from kb_builder.propose.things import thing_finder
from ontology.model.claims import Provenance
from ontology.text.document import Document

OWN_SECTION = "dosage_and_administration"
INDICATIONS = "indications_and_usage"


class DosageProposer:
    """Proposes `has_dose_rule` and `has_limit` claims."""

    name = "dosage"
    version = f"1.{dosage_words().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The doses and limits that the document states of its subject."""
        provenance = Provenance(self.name, self.version)
        for draft in settle_doses(self._own_section(document, subject, lexicon)):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal

    def _own_section(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Draft]:
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        indications = document.section(INDICATIONS)
        uses = indications.text.lower() if indications is not None else ""
        for _, section in sections_of(document, (OWN_SECTION,)):
            if chinese.is_chinese(section.text):
                continue
            reading = read_section(section, finder)
            yield from ProseReader(reading, lexicon, uses).drafts(scopes_of(reading, lexicon, uses))
