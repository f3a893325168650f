"""Whose dose an amount is: the label's own drug's, or that of another one named beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.guards import Exposure, Opaque
from ontology.text.doses import DosePhrase, read_doses

_DOSE_OF_ANOTHER = re.compile(r"\b[Dd]os(?:e|age) of (?P<drug>[A-Z][A-Za-z-]+(?: (?:HCl|[A-Z][a-z]+))*) (?:should|is|may|must)\b[^.;,]*$")
_NUMBER_END = re.compile(r"[\d.,]+[ -]?(?:mg|mcg|g|units?)\b")
_OF_ANOTHER = re.compile(r"\s*(?:(?:oral\s+)?(?:tablets?|capsules?)\s+)of\s+(?P<drug>[A-Z]{4,}|[A-Z][a-z]{4,})\b")
_AMOUNT_OF = re.compile(r"[\d.,½]+(?:\s*(?:to|-|or)\s*[\d.,]+)?\s*[A-Za-z%]+\s+(?:of\s+|oral\s+)*")
_FIRST_DOSE_OF = re.compile(r"(?<!any )(?<!on a )(?<!with a )\b(?:dos(?:e|es|age)|dosages) of\s+(?:the\s+|oral\s+|concomitant\s+)*$", re.IGNORECASE)
_GIVEN_FIRST = re.compile(
    r"\W*(?:then\s+)?(?:administer|start|give|begin|initiate|infuse|continue|add|resume)\s+(?:the\s+|oral\s+|intravenous\s+)*", re.IGNORECASE
)
"""Before a drug that a sentence orders to give: what follows is its dose."""
_DRUGS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.BRAND, EntityType.DRUG_CLASS, EntityType.HERB})
_LEADS_TO_AMOUNT = re.compile(
    r"[\s,(\[/+-]*(?:(?:hydrochloride|hcl|succinate|tartrate|maleate|fumarate|mesylate|acetate|besylate|citrate|bromide|chloride|potassium|may|can|therapy|treatment|sodium|calcium|acid|phosphate|sulfate|tablets?|capsules?|injection|oral(?:ly)?|intravenous(?:ly)?|iv|infusion|given|administered|infused|taken|at|a|an|the|total|daily|dose|doses|dosage|of|in|once|twice|initial|plus|single"
    r"|day|days|\d+|as|by|mouth|maintenance|low|high|fixed|for|to|is|are|was|should|be|followed|every|weekly|with|per|mg|or|and|each|maximum|minimum|more|than|less|at\sleast|above|exceeding|up|>|<|≥|≤)[\s,(\[/)-]*){0,12}$",
    re.IGNORECASE,
)
_DOSE_OF = re.compile(r"\b(?:dos(?:e|es|age)|amount)s?\s+of\s+(?:the\s+)?$", re.IGNORECASE)
_ASIDE_PARTNER = re.compile(r"[^.;,]{0,30},\s*(?:is|should be|may be|are)\s+", re.IGNORECASE)
"""Behind a partner between commas: the dose is that of the product before it ("the dose of X, together with Y, is 5 mg")."""
_IS = re.compile(
    r"\s*(?:\([^()]{0,90}\))?\s*,?\s*(?:therapy\s+|concomitantly\s+|concurrently\s+)?(?:is|are|should\s+be|may\s+be|should\s+not\s+exceed)\s", re.IGNORECASE
)
_DOSE_BESIDE = re.compile(
    r"\b(?:dos(?:e|age)|dosages|doses)\b[^.;]{0,90}\b(?:(?:patients?|adults|children|those|individuals|women|men)\b[^.;]{0,40}\b(?:receiving|taking|on|treated\s+with|using)|(?:when|if)\s+(?:\w+\s+)?(?:co-?administered|given|taken|used|administered|combined)\s+(?:\w+\s+)?with|in\s+(?:combination|conjunction)\s+with|together\s+with)\s+(?:an?\s+|the\s+|other\s+|concomitant\s+)?$",
    re.IGNORECASE,
)
"""Before a drug that patients have: the dose that the sentence began with is the product's ("the dose in patients on X is 5 mg")."""
_CASE = re.compile(r"(?:^|[;:.]|\band|\bbut)\s*with(?:out)?\s+$", re.IGNORECASE)
"""Before a partner: with it the amount is another ("without it, 5 mg; with it, 10 mg")."""
_OF_PARTNER = re.compile(
    r"\s*(?:\([^()]{0,40}\)\s*)?(?:/day\s+|daily\s+|per day\s+)?(?:of\s+)?(?:oral\s+|intravenous\s+|concomitant\s+|aqueous\s+|benzathine\s+)*$", re.IGNORECASE
)


def partner_beside(others: Sequence[Thing], words: str, place: tuple[int, int]) -> Restriction:
    """The one drug of `others` as what the patient takes; the heading's words where it names several."""
    targets = others[0].targets if len(others) == 1 else ()
    if len(targets) != 1:
        return Restriction(Opaque(words), *place)
    return Restriction(Exposure(targets[0].id), *place, () if targets[0].entity is None else (targets[0].entity,))


def tells_of_another(blank: str, start: int, end: int, things: Sequence[Thing]) -> bool:
    """True for a sentence whose every dose is another drug's."""
    if not any(t.kind is Kind.PARTNER and t.type in _DRUGS for t in things):
        return False
    doses = [p for p in read_doses(blank, start, end) if p.amounts]
    return bool(doses) and all(is_partners(blank, p, start, things) for p in doses)


def is_partners(blank: str, phrase: DosePhrase, start: int, things: Sequence[Thing]) -> bool:
    """True where the amount is another drug's: "with docetaxel 75 mg/m2", "300 mg of aspirin", "the dose of digoxin is 0.125 mg"."""
    printed = _NUMBER_END.match(blank, phrase.start)
    product = _OF_ANOTHER.match(blank, printed.end() if printed is not None else phrase.end)
    if product is not None and not any(t.own and t.start < product.end("drug") and product.start("drug") < t.end for t in things):
        return True
    named = _DOSE_OF_ANOTHER.search(blank, start, phrase.start)
    if named is not None and not any(t.own and t.start < named.end("drug") and named.start("drug") < t.end for t in things):
        return True
    owners = [
        t for t in things if t.type in _DRUGS and (t.own or t.kind is Kind.PARTNER) and t.end <= phrase.start and _FIRST_DOSE_OF.search(blank, start, t.start)
    ]
    if owners and not owners[0].own and not any(t.own for t in owners[1:]):
        return True
    first = next((t for t in things if t.type in _DRUGS and start <= t.start), None)
    if first is not None and first.kind is Kind.PARTNER and not first.own and _GIVEN_FIRST.fullmatch(blank, start, first.start):
        return not any(t.own and first.end <= t.start < phrase.end for t in things)
    inside = next((t for t in things if t.type in _DRUGS and phrase.start <= t.start < phrase.end), None)
    if inside is not None and not inside.own and _AMOUNT_OF.fullmatch(blank, phrase.start, inside.start):
        return True
    drugs = [t for t in things if t.type in _DRUGS and (t.own or t.kind is Kind.PARTNER)]
    before = [t for t in drugs if start <= t.start and t.end <= phrase.start + 1]
    after = next((t for t in drugs if phrase.end <= t.start <= phrase.end + 40), None)
    if after is not None and not after.own and _OF_PARTNER.fullmatch(blank, phrase.end, after.start):
        return True
    if after is not None and after.own and re.fullmatch(r"\s*(?:of\s+)?", blank[phrase.end : after.start]):
        return False
    if not before or before[-1].own:
        return False
    if _ASIDE_PARTNER.fullmatch(blank[before[-1].end : phrase.start]) and any(t.own and _DOSE_OF.search(blank, start, t.start) for t in before):
        return False
    gap = blank[before[-1].end : phrase.start]
    if _IS.match(gap) and _DOSE_BESIDE.search(blank, start, before[-1].start) and not any(_DOSE_OF.search(blank, start, t.start) for t in before if not t.own):
        return False
    if gap.strip() == "," and _CASE.search(blank, max(start, before[-1].start - 24), before[-1].start):
        return False
    if re.match(r"\s+(?:daily |total |maintenance )?(?:dos(?:e|es|age)|therapy)\s+(?:should|may|must|is|by|to|of|can)\b", gap, re.IGNORECASE) and len(gap) < 60:
        return True
    own_dose = re.search(
        r",\s*(?:the|a|an|start|initiate|reduce|use|administer|give|do not|should)\b|\bdose (?:should|is|may)\b", gap
    ) is not None and not _DOSE_OF.search(blank, start, before[-1].start)
    return not own_dose and len(gap) < 120 and _LEADS_TO_AMOUNT.fullmatch(gap) is not None
