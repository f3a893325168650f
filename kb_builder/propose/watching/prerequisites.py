"""Prerequisites: what must be done or known before the first dose, with its time in the label's words."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.watching.proposals import VERSION, watching_proposals
from ontology.model.claims import Provenance
from ontology.text.document import Document


class PrerequisiteProposer:
    """Proposes `has_prerequisite` claims."""

    name = "prerequisites"
    version = VERSION

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document asks for before its subject is given."""
        yield from watching_proposals(document, subject, lexicon, "has_prerequisite", lambda ask: ask.before, Provenance(self.name, self.version))
