"""What both proposers of watching share: the requests of a document as proposals of one predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kb_builder.propose.chinese.watching import version as chinese_version
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.found import Ask
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from kb_builder.propose.watching.book import watching_book
from kb_builder.propose.watching.drafts import SECTIONS, asks_of, draft_of, settled
from kb_builder.propose.watching.first_values import first_value_drafts
from kb_builder.propose.watching.measured_things import measured_book
from kb_builder.propose.watching.switching import switching_drafts
from ontology.model.claims import Provenance
from ontology.model.predicates import PREDICATES
from ontology.text.document import Document

VERSION = f"1.{watching_book().version}.{measured_book().version}.{chinese_version()}"


def watching_proposals(
    document: Document, subject: Subject, lexicon: Lexicon, predicate: str, wanted: Callable[[Ask], bool], provenance: Provenance
) -> Iterator[Proposal]:
    """The requests of a document that are `wanted` and lead to what the registry lets the predicate lead to."""
    finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
    objects = PREDICATES[predicate].range
    drafts: list[Draft] = []
    for _, section in sections_of(document, SECTIONS):
        reading = read_section(section, finder)
        asks = asks_of(section, reading, finder, lexicon)
        drafts += [draft_of(reading, predicate, ask) for ask in asks if wanted(ask) and ask.thing.target.id.type in objects]
        if predicate == "has_prerequisite":
            drafts += (*switching_drafts(reading, lexicon), *first_value_drafts(reading, lexicon))
    for draft in settled(drafts):
        proposal = propose_draft(draft, document, subject, provenance)
        if proposal is not None:
            yield proposal
