"""Contraindications: in which patients the label forbids its product or advises against it.

The contraindications section is read whole: lead sentence and list, fragments and full sentences. Elsewhere only sentences count that forbid,
advise against or ask for caution and name the patients. What may not be taken together is the interaction proposer's.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.contraindications import limitations, value_bans
from kb_builder.propose.contraindications.advised import OWN_SECTION
from kb_builder.propose.contraindications.section import ContraindicationReader
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.frames import frame_book
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, thing_finder
from kb_builder.propose.reading.wording import wording
from kb_builder.propose.settle import settle_states
from kb_builder.propose.use_lists import within_use
from ontology.model.claims import Provenance
from ontology.text.document import Document

OTHER_SECTIONS = (
    "boxed_warning",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "use_in_specific_populations",
    "geriatric_use",
    "pediatric_use",
)


class ContraindicationProposer:
    """Proposes `contraindicated_in` claims."""

    name = "contraindications"
    version = f"3.{frame_book().version}.{wording().version}.{chinese.version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The patients in whom the document forbids its subject or advises against it."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        own = tuple(Target(i.id, i.name) for i in subject.ingredients) or (Target(subject.id, subject.name),)
        product = next((n for p in document.products for n in p.brand_names), subject.name)
        drafts: list[Draft] = []
        for key, section in sections_of(document, (OWN_SECTION, *OTHER_SECTIONS)):
            reading = read_section(section, finder)
            if chinese.is_chinese(section.text):
                drafts += chinese.contraindications(reading, own, lexicon, own_section=key == OWN_SECTION)
                continue
            states = StateReader(reading.blank, reading.things, own, product, lexicon)
            reader = ContraindicationReader(reading, states, lexicon)
            drafts += reader.own_section() if key == OWN_SECTION else reader.other_section()
        for _, section in sections_of(document, (limitations.SECTION,)):
            if not chinese.is_chinese(section.text) and limitations.may_limit(section.text):
                drafts += limitations.limited_values(read_section(section, finder), lexicon)
        for _, section in sections_of(document, value_bans.SECTIONS):
            if not chinese.is_chinese(section.text):
                drafts += value_bans.value_bans(read_section(section, finder))
        provenance = Provenance(self.name, self.version)
        for draft in settle_states(within_use(draft, lexicon) for draft in drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal
