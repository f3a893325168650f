"""Indications: what a label says its product is for, and what it says it is not for (limitations of use).

The indications section is read sentence by sentence: those with a word of indication, the items of the lists that they open, phrases of purpose, and
the uses of a label for the consumer. What only explains (benefits, trials, advice on culture and resistance) gives none.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.chinese.indications import ChineseIndications
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.section import IndicationReader
from kb_builder.propose.indications.settle import settle_uses
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from ontology.model.claims import Provenance
from ontology.text.document import Document

SECTION = "indications_and_usage"


class IndicationProposer:
    """Proposes `indicated_for` claims."""

    name = "indications"
    version = f"1.{indication_book().version}.{chinese.version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document says its subject is for, and is not for."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[Draft] = []
        for _, section in sections_of(document, (SECTION,)):
            if chinese.is_chinese(section.text):
                drafts += ChineseIndications(read_section(section, finder), lexicon).drafts()
                continue
            drafts += IndicationReader(read_section(section, finder), lexicon).drafts()
        provenance = Provenance(self.name, self.version)
        for draft in settle_uses(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal
