"""Dose rules and limits: how much of its product a label says to give, to whom, for what, and what not to exceed."""

from __future__ import annotations

from collections.abc import Iterator

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.dosage.abbreviations import explained
from kb_builder.propose.dosage.all_ages import for_all_ages
from kb_builder.propose.dosage.chinese_before import dose_words
from kb_builder.propose.dosage.chinese_doses import chinese_dose_drafts, chinese_doses_of_people
from kb_builder.propose.dosage.decidable import decidable
from kb_builder.propose.dosage.elsewhere import OTHER_SECTIONS, elsewhere_drafts, may_order
from kb_builder.propose.dosage.prose import ProseReader
from kb_builder.propose.dosage.scope import scopes_of
from kb_builder.propose.dosage.settle import add_from_elsewhere, is_of_one_component, is_once_daily, is_run_on, settle_doses, spelled_out, timed
from kb_builder.propose.dosage.standing import EVERYONE
from kb_builder.propose.dosage.table_words import table_words
from kb_builder.propose.dosage.tables import table_drafts
from kb_builder.propose.dosage.use_words import Uses
from kb_builder.propose.dosage.uses import set_apart, with_other_names
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from ontology.model.claims import Provenance
from ontology.model.entities import EntityType
from ontology.text.document import Document

OWN_SECTION = "dosage_and_administration"
INDICATIONS = "indications_and_usage"
OF_PEOPLE = frozenset({"pediatric_use", "geriatric_use", "pregnancy"})
"""Sections of a Chinese insert that give doses for the people they speak of."""


class DosageProposer:
    """Proposes `has_dose_rule` and `has_limit` claims."""

    name = "dosage"
    version = f"1.{dosage_words().version}.{dose_words().version}.{table_words().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The doses and limits that the document states of its subject."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        indications = document.section(INDICATIONS)
        uses = indications.text.lower() if indications is not None else ""
        for_what = read_section(indications, finder) if indications is not None else None
        names = explained(" ".join(s.text for key in (INDICATIONS, OWN_SECTION) if (s := document.section(key)) is not None))
        own: list[Draft] = []
        others: list[Draft] = []
        inserted: list[Draft] = []
        once_daily = False
        for key, section in sections_of(document, (OWN_SECTION, *OTHER_SECTIONS)):
            if key in OF_PEOPLE and chinese.is_chinese(section.text):
                inserted += chinese_doses_of_people(read_section(section, finder), lexicon, EVERYONE)
                continue
            if key != OWN_SECTION and not may_order(section.text):
                continue
            if chinese.is_chinese(section.text):
                inserted += chinese_dose_drafts(read_section(section, finder), lexicon, EVERYONE) if key == OWN_SECTION else ()
                continue
            reading = read_section(section, finder)
            named_uses = with_other_names(uses, for_what, reading)
            scopes = scopes_of(reading, lexicon, named_uses, names)
            reader = ProseReader(reading, lexicon, named_uses)
            if key == OWN_SECTION:
                once_daily = once_daily or is_once_daily(reading.blank, scopes)
                tables = (d for d in table_drafts(reading, scopes, lexicon, named_uses) if scopes.echo is None or d.statement[0] < scopes.echo)
                own += [*reader.drafts(scopes), *tables]
            else:
                others += elsewhere_drafts(reader, reading.blank, scopes)
        provenance = Provenance(self.name, self.version)
        mixed = len(subject.ingredients) > 1 and any(i.id.type != EntityType.HERB for i in subject.ingredients)
        named = Uses.of(uses, names)
        told = (timed(spelled_out(decidable(d, named, lexicon), names, lexicon), once_daily) for d in own if d.payload is None or not is_run_on(d))
        more = (spelled_out(decidable(d, named, lexicon), names, lexicon) for d in others)
        kept = set_apart(add_from_elsewhere(settle_doses(set_apart(told, uses)), more), uses)
        for draft in (*map(for_all_ages, kept), *inserted):
            proposal = propose_draft(draft, document, subject, provenance) if not (mixed and is_of_one_component(draft)) else None
            if proposal is not None:
                yield proposal
