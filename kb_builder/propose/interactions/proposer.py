"""Drug interactions: what the label says of taking its product together with another drug, class, food or herb.

Read in the interactions section, and in warnings, precautions, boxed warning, contraindications and dosing where a sentence names a partner
and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.interactions import bystanders
from kb_builder.propose.interactions.companions import treatments
from kb_builder.propose.interactions.intervals import intervals
from kb_builder.propose.interactions.pairs import PairReader
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.frames import frame_book
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from kb_builder.propose.reading.wording import wording
from kb_builder.propose.settle import settle_pairs
from kb_builder.propose.use_lists import within_use
from ontology.model.claims import Provenance
from ontology.text.document import Document

OWN_SECTIONS = ("drug_interactions", "drug_and_or_laboratory_test_interactions")
OTHER_SECTIONS = ("contraindications", "boxed_warning", "warnings_and_cautions", "warnings", "precautions", "general_precautions", "dosage_and_administration")


class InteractionProposer:
    """Proposes `interacts_with` claims."""

    name = "interactions"
    version = f"4.{frame_book().version}.{wording().version}.{chinese.version()}.{bystanders.version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The interactions that the document states of its subject."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[Draft] = []
        readings = [(key, section, read_section(section, finder)) for key, section in sections_of(document, (*OWN_SECTIONS, *OTHER_SECTIONS))]
        with_own = treatments((reading.blank, reading.things) for key, _, reading in readings if key in OWN_SECTIONS)
        for key, section, reading in readings:
            if chinese.is_chinese(section.text):
                drafts += chinese.interactions(reading, lexicon) if key in OWN_SECTIONS else chinese.interactions_elsewhere(reading, lexicon)
            else:
                drafts += PairReader(reading, lexicon, own=key in OWN_SECTIONS, with_own=with_own).drafts()
                drafts += intervals(reading) if key != "dosage_and_administration" else ()
        provenance = Provenance(self.name, self.version)
        for draft in settle_pairs(within_use(draft, lexicon) for draft in drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal
