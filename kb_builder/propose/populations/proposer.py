"""Advice for special populations: pregnancy, breastfeeding, children, the elderly, organ impairment, reproduction, genotype.

The object of a claim is the population; its guard narrows it further ("severe", "below 6 years"). Sections and passages about one population
are read whole; elsewhere only sentences count that name its people and tell what to do. Doses are the dosing proposers'; what stands here
says that a dose changes, stays, or is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.chinese.populations import ChineseAdvice, chinese_advice
from kb_builder.propose.chinese.populations import version as chinese_version
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.populations.book import Grade, population_book
from kb_builder.propose.populations.passages import sentences_of
from kb_builder.propose.populations.reader import PopulationReader, population
from kb_builder.propose.populations.settle import PopulationDraft, settle_populations
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import Reading, read_section, sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, thing_finder
from kb_builder.propose.use_lists import within_use
from ontology.model.advice import Step
from ontology.model.claims import Provenance
from ontology.text.document import Document

SECTIONS = (
    "boxed_warning",
    "contraindications",
    "use_in_specific_populations",
    "pregnancy",
    "teratogenic_effects",
    "nonteratogenic_effects",
    "labor_and_delivery",
    "lactation",
    "nursing_mothers",
    "pediatric_use",
    "geriatric_use",
    "dosage_and_administration",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "pharmacogenomics",
    "drug_interactions",
)
_RUNS_ON = frozenset({"drug_interactions"})
"""Sections of older labels that run on into the passages on populations; only what stands under their headings is read."""

_HAN = re.compile(r"[一-鿿]")
_REPEATED = frozenset({"pregnancy", "nursing_mothers", "pediatric_use", "geriatric_use", "labor_and_delivery", "lactation"})
"""Sections that openFDA gives again beside the section on populations that holds them."""

_OPENING = 160  # characters of a section by which it is found again


class PopulationProposer:
    """Proposes `population_advice` claims."""

    name = "populations"
    version = f"1.{population_book().version}.{chinese_version()}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document advises on its subject for each population."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[PopulationDraft] = []
        populations = document.section("use_in_specific_populations")
        whole = " ".join(populations.text.split()) if populations is not None else ""
        for _, section in sections_of(document, SECTIONS):
            if section.key in _REPEATED and _opens(section.text) in whole:
                continue
            reading = read_section(section, finder)
            if _HAN.search(section.text) and chinese.is_chinese(section.text):
                drafts += [_of_chinese(reading, advice) for advice in chinese_advice(reading)]
                continue
            reader = PopulationReader(reading, lexicon)
            for sentence in sentences_of(reading):
                if sentence.own or section.key not in _RUNS_ON:
                    drafts += reader.read(sentence)
        provenance = Provenance(self.name, self.version)
        for draft in settle_populations([replace(d, draft=within_use(d.draft, lexicon)) for d in drafts]):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


def _opens(text: str) -> str:
    """The first words of a section, on one line."""
    return " ".join(text[:_OPENING].split())


def _of_chinese(reading: Reading, advice: ChineseAdvice) -> PopulationDraft:
    words = reading.blank[advice.place[0] : advice.place[1]]
    target = Target(population(advice.axis), words)
    draft = Draft(reading, "population_advice", target, advice.place, advice.sentence, (Step(advice.action),), limits=advice.limits, strength=advice.strength)
    return PopulationDraft(advice.axis, advice.action, Grade.INSTRUCTION, draft)
