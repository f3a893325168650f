"""Monitoring: what is to be measured or watched while the drug is given, with its times in the label's words.

What is watched because of another drug is an interaction, and what is measured before the first dose a prerequisite.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.watching.proposals import VERSION, watching_proposals
from ontology.model.claims import Provenance
from ontology.text.document import Document


class MonitoringProposer:
    """Proposes `requires_monitoring` claims."""

    name = "monitoring"
    version = VERSION

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document asks to watch while its subject is given."""
        yield from watching_proposals(document, subject, lexicon, "requires_monitoring", lambda ask: ask.during, Provenance(self.name, self.version))
