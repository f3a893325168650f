"""What a model says beside code: an echo adds nothing, and a claim of a model overrules none of code's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.extraction import Extraction, Extractor
from kb_builder.ingest.markdown import read_markdown
from kb_builder.propose.protocol import Dropped, Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, Provenance
from ontology.model.identifiers import mint
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
TEXT = "Avoid ibuprofen. Ibuprofen with warfarin is contraindicated."


@dataclass(frozen=True)
class Says:
    """Proposes one statement about ibuprofen, as code or as a model."""

    action: Action
    quote: str
    model: str | None = None
    name: str = "says"
    version: str = "1"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal | Dropped]:
        section = document.section("drug_interactions")
        assert section is not None
        start = section.text.index(self.quote)
        span = document.span("drug_interactions", start, start + len(self.quote))
        provenance = Provenance(self.name, "1", self.model, "1" if self.model else None)
        yield Proposal(Claim("interacts_with", subject.id, IBUPROFEN, Advice((Step(self.action),)), (span,), provenance, words="ibuprofen"))
        yield Dropped("nothing further")


def extract(few_terms: Terminology, monograph: str, *proposers: Says) -> Extraction:
    return Extractor(few_terms, proposers).extract(read_markdown(monograph.replace("Avoid ibuprofen.", TEXT))[0])


def ours(extraction: Extraction) -> list[tuple[str | None, int, str | None, bool]]:
    return [
        (g.claim.provenance.model, len(g.claim.evidence), g.conflict, g.stance is not None) for g in extraction.gated if g.claim.predicate == "interacts_with"
    ]


def test_a_models_echo_of_codes_claim_is_counted_as_repeated(few_terms: Terminology, monograph: str) -> None:
    code = Says(Action.AVOID, "Avoid ibuprofen.")
    echo = Says(Action.AVOID, "Avoid ibuprofen", "tiny")
    extraction = extract(few_terms, monograph, code, echo)
    assert ours(extraction) == [(None, 1, None, True)]
    assert extraction.repeated == 1
    assert extraction.dropped == {"says, nothing further": 2}


def test_a_models_stricter_claim_neither_overrules_nor_is_compared(few_terms: Terminology, monograph: str) -> None:
    code = Says(Action.AVOID, "Avoid ibuprofen.")
    stricter = Says(Action.CONTRAINDICATED, "Ibuprofen with warfarin is contraindicated.", "tiny")
    extraction = extract(few_terms, monograph, code, stricter)
    assert sorted(ours(extraction), key=str) == [("tiny", 1, None, False), (None, 1, None, True)]
