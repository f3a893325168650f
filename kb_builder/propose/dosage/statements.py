"""Which dose phrases of a sentence are instructions on the label's own drug: no narrative, no partner's dose, no strength or example."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.things import Kind, Thing
from ontology.model.dosing import AmountBasis
from ontology.model.entities import EntityType
from ontology.text.doses import DosePhrase, read_doses

NO_DOSES = frozenset({"technique", "missed", "conversion", "stopping", "premedication"})
"""Matters of a heading whose sentences hold no dose rule."""

_DRUGS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.BRAND, EntityType.DRUG_CLASS, EntityType.HERB})
_LEADS_TO_AMOUNT = re.compile(
    r"[\s,(\[/+-]*(?:(?:hydrochloride|hcl|sodium|calcium|acid|phosphate|sulfate|tablets?|capsules?|injection|oral(?:ly)?|intravenous(?:ly)?|iv|infusion|given|administered|infused|taken|at|a|an|the|total|daily|dose|doses|dosage|of|in|once|twice|initial|plus|single"
    r"|day|days|\d+|as|by|mouth|maintenance|low|high|fixed|for|to|is|are|was|should|be|followed|every|weekly|with|per|mg|or|and|each|maximum|minimum|more|than|less|at\sleast|above|exceeding|up|>|<|≥|≤)[\s,(\[/)-]*){0,12}$",
    re.IGNORECASE,
)
_DOSE_OF = re.compile(r"\b(?:dos(?:e|es|age)|amount)s?\s+of\s+(?:the\s+)?$", re.IGNORECASE)
_OF_PARTNER = re.compile(r"\s*(?:\([^()]{0,40}\)\s*)?(?:/day\s+|daily\s+|per day\s+)?(?:of\s+)?(?:oral\s+|intravenous\s+|concomitant\s+)?$", re.IGNORECASE)
_ABOVE = re.compile(
    r"\b(?:dos(?:e|es|ages?)|amounts?)\s+(?:of\s+)?(?:that are\s+)?(?:greater|higher|larger|more|less|lower|above|over|exceeding|in excess|below|>|≥|<|as (?:high|low) as|up to)\b[^.;]{0,12}$",
    re.IGNORECASE,
)
_BELONGS = re.compile(
    r"\b(?:(?:on|at|than|from|tolerat\w+|receiving|taking|for (?:a|the)|when|with) (?:an? |the )?(?:\w+ ){0,2}(?:total |daily |maximum |starting |initial )?(?:dos(?:e|es|age) of )?)$",
    re.IGNORECASE,
)


def instructions(blank: str, start: int, end: int, things: Sequence[Thing], topic: str | None) -> list[DosePhrase]:
    """The dose phrases of a sentence that tell how much of the label's own drug to give or not to exceed."""
    words = dosage_words()
    sentence = blank[start:end]
    if topic in NO_DOSES or words.aside(sentence) is not None or sentence.rstrip().endswith("?"):
        return []
    found = [p for p in read_doses(blank, start, end) if p.amounts or p.bound is not None]
    cued = words.cue.search(sentence) is not None
    return [p for p in found if (cued or _is_whole(p)) and not is_partners(blank, p, start, things) and not _is_reference(blank, p, start)]


def _is_whole(phrase: DosePhrase) -> bool:
    """True for an amount that stands for itself: with how often, or by body weight or surface."""
    return phrase.frequency is not None or any(a.basis in (AmountBasis.PER_KG, AmountBasis.PER_M2) for a in phrase.amounts)


def is_partners(blank: str, phrase: DosePhrase, start: int, things: Sequence[Thing]) -> bool:
    """True where the amount is another drug's: "with docetaxel 75 mg/m2", "300 mg of aspirin", "the dose of digoxin is 0.125 mg"."""
    drugs = [t for t in things if t.type in _DRUGS and (t.own or t.kind is Kind.PARTNER)]
    before = [t for t in drugs if start <= t.start and t.end <= phrase.start + 1]
    after = next((t for t in drugs if phrase.end <= t.start <= phrase.end + 40), None)
    if after is not None and not after.own and _OF_PARTNER.fullmatch(blank, phrase.end, after.start) and "of" in blank[phrase.end : after.start]:
        return True
    if after is not None and after.own and re.fullmatch(r"\s*(?:of\s+)?", blank[phrase.end : after.start]):
        return False
    if not before or before[-1].own:
        return False
    gap = blank[before[-1].end : phrase.start]
    own_dose = re.search(
        r",\s*(?:the|a|an|start|initiate|reduce|use|administer|give|do not|should)\b|\bdose (?:should|is|may)\b", gap
    ) is not None and not _DOSE_OF.search(blank, start, before[-1].start)
    return not own_dose and len(gap) < 120 and _LEADS_TO_AMOUNT.fullmatch(gap) is not None


def _is_reference(blank: str, phrase: DosePhrase, start: int) -> bool:
    """True for a dose that only names a place on a scale: "if the 50 mg dose is tolerated", "patients receiving 20 mg", "doses above 40 mg"."""
    if phrase.bound is not None:
        return False
    head = blank[start : phrase.start]
    if _ABOVE.search(head):
        return True
    return (
        re.search(r"\b(?:at|on|to) (?:a|the) $", head) is not None
        and re.match(r"\s*(?:dose|level|daily dose)\b", blank[phrase.end : phrase.end + 12]) is not None
        and "tolerat" in blank[phrase.end : phrase.end + 40]
    )
