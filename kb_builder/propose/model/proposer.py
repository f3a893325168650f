"""The proposer that replays recorded replies of a language model. It asks nothing itself; the same replies gives the same claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.propose.model.drafting import Drafter
from kb_builder.propose.model.exchange import Answer, Request, Unanswered, hold
from kb_builder.propose.model.methods import METHODS
from kb_builder.propose.model.prompts import prompt_version
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.propose.protocol import Dropped, Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import thing_finder
from ontology.model.claims import Provenance
from ontology.text.document import Document

UNANSWERED = "request without a recorded reply"


@dataclass(frozen=True, slots=True)
class ModelProposer:
    """Proposes what a model said, with the reasons for what was dropped. Holds plain values alone, so that worker processes can have it."""

    settings: ModelSettings
    replies: ReplyFolder

    @property
    def name(self) -> str:
        """`model`, and the way of asking where it is another than two passes."""
        return "model" if self.settings.method == "two-pass" else f"model-{self.settings.method}"

    @property
    def version(self) -> str:
        """The code's version, and the prompts'."""
        return f"1.{prompt_version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal | Dropped]:
        """The claims that the recorded replies make of a document's subject."""
        provenance = Provenance(self.name, self.version, self.settings.model, prompt_version())
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafter = Drafter(document, subject, lexicon, finder, provenance)
        dropped: Counter[str] = Counter()
        for conversation in METHODS[self.settings.method](document, subject.name, self.settings):
            found = hold(conversation, self._answer)
            dropped.update(found.dropped)
            for relation in found.relations:
                yield from drafter.proposals(relation)
        for reason, count in sorted(dropped.items()):
            yield from (Dropped(reason) for _ in range(count))

    def _answer(self, request: Request) -> Answer:
        reply = self.replies.find(request.key(self.settings.model, prompt_version()))
        return reply if reply is not None else Unanswered(UNANSWERED)
