"""Prerequisites: what must be done or known before the first dose, with its time in the label's words."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.chinese.watching import version as chinese_version
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from kb_builder.propose.watching.book import watching_book
from kb_builder.propose.watching.drafts import SECTIONS, asks_of, draft_of, settled
from kb_builder.propose.watching.measured_things import measured_book
from ontology.model.claims import Provenance
from ontology.model.entities import EntityType
from ontology.text.document import Document

_RANGE = frozenset({EntityType.LAB_TEST, EntityType.PROCEDURE, EntityType.CONDITION})


class PrerequisiteProposer:
    """Proposes `has_prerequisite` claims."""

    name = "prerequisites"
    version = f"1.{watching_book().version}.{measured_book().version}.{chinese_version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document asks for before its subject is given."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[Draft] = []
        for _, section in sections_of(document, SECTIONS):
            reading = read_section(section, finder)
            asks = asks_of(section, reading, finder, lexicon)
            drafts += [draft_of(reading, "has_prerequisite", ask) for ask in asks if ask.before and ask.thing.target.id.type in _RANGE]
        provenance = Provenance(self.name, self.version)
        for draft in settled(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal
