"""Words of a list of states that name none: what is left of a sentence cut at its commas, headings, advice to patients, groups of drugs.

A conjunct that is a scrap gives no object. Nothing here judges a state that the vocabulary knows.
"""

from __future__ import annotations

import re

_BEGINS = re.compile(
    r"(?:due (?:to\b)?|drugs? (?:where|that|which|for which|whose|thought)\b|clinical conditions$|whatever\b|.*\bis undesirable\b|well as|that|which|whom?|especially|particularly|pending|regardless|therefore|(?:\w+ )?(?:disease|disorder|condition|syndrome)s? (?:characteri[sz]ed|marked|defined|in which)|other (?:circumstances|reasons)|their|this|it|such|used|use|using|develop|receive|received|require|its|administration|comprising|sole|(?:some )?examples of|(?:little or )?no increased|institute|monitor|interrupt|discontinue|consider|initiate|determined|evidenced|characterized|suggested|manifested)\b"
    r"|.*\b(?:outweighs?|plasma concentrations increase)\b|(?:diseases?|disorders?|conditions?|drugs?|symptoms?|states?|toxicity is .*|at risk)$",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"(?:current(?:ly)?(?:\s+(?:have|diagnosis(?:\s+of)?))?|existence of|presence of|histor(?:y|ies)(?:\s+(?:of(?:\s+(?:and|possible|known|related conditions))?|,?\s*signs))?|etc|benign|malignant|rare|strong|persistent|congenital|above"
    r"|occurred|sex|stature|circumstances|furthermore|metabolism|ingredients?|inducers|inhibitors|they are|not otherwise explained|tablets|capsules|associated with \w+|drink|view of [\w ]+|part of [\w ]+)",
    re.IGNORECASE,
)
"""What a cut at a comma or a joining word leaves; never a state, however the sentence goes on."""
_ADVICE = re.compile(
    r"(?:(?:instruct|advise|warn|counsel|tell)\b|allow at least|at least \d+ (?:hours|days|weeks|months|years)\b|experience (?:these|this|any|dizziness)\b|titrating\b|starting with\b|stature\b|defined as\b"
    r"|studies in which|suggests? that|presented with|(?:specific populations|drug interactions|warnings and precautions|clinical pharmacology)\W*$|doses higher|liquid for\b|pharmacokinetic|additive effect|added on\b|persists\b|\d+ of\b|\d+(?:\.\d+)+\s+\w+$|alternative treatment$|particular caution\b"
    r"|may (?:prove|develop)\b|benefits of|reduce the dose|none with\b|unapproved\b|like those\b|notably\b|or\b|and\b|(?:expected|known|likely) to\b|cannot (?:tolerate|receive)\b)",
    re.IGNORECASE,
)
"""What the prescriber or the patient is to do, and what the label tells of its product."""
_DRUGS = re.compile(
    r"\b(?:inhibitors?|inducers?|substrates?)\b(?!\W+(?:deficien|hypersens|alone))|\b(?:-containing products|metaboli[sz]ed)\b|^(?:taking|taken|receiving|(?:recently )?received|coadministered|recent use of)\b|^(?:[\w-]+ ){1,3}(?:tablets|capsules)$|^(?:drugs|compounds|agents)\b|\bcompounds$"
    r"|\bwithin \d+ (?:days|weeks) (?:after|following|of) (?:discontinuing|stopping|discontinuation)\b",
    re.IGNORECASE,
)
_OF_PATIENT = re.compile(
    r"\b(?:histor(?:y|ies)|angioedema|thrombocytopenia|toxicity|reactions?|hypersensitiv\w+|pregnan\w+|injury|hepatitis|deficien\w+|antibod\w+|bleeding)\b",
    re.IGNORECASE,
)
"""Makes words on a drug those on a patient who had it."""
_TELLS = re.compile(
    r"\b(?:was|were)\s+(?:associated|reported|given|observed)\b|\bresult(?:ed|ing) in\b|\b(?:exhibited|shortened|demonstrate)\b|\bcannot be excluded\b|\b(?:is|are) (?:partly )?(?:metaboli[sz]ed|inhibitors)\b|\bshould be used\b|\bhas been\b(?! (?:diagnosed|treated))",
    re.IGNORECASE,
)
"""A clause that tells of the product, not of patients."""
_FRAGMENT = re.compile(r"[\w-]+ed|proven|latent|manifest|severe|acute|chronic|recent|active|mild|moderate|significant|AST|ALT|ULN", re.IGNORECASE)
_NOTHING = frozenset({"none", "none known", "not applicable"})


def is_scrap(words: str) -> bool:
    """True for words that name no state of a patient, whatever stands around them."""
    if not words or words.lower() in _NOTHING or re.search(r"[A-Za-z一-鿿]{3}", words) is None or _BEGINS.match(words):
        return True
    if _ALONE.fullmatch(words.strip(" .,;:[]()")) or _ADVICE.match(words) or _TELLS.search(words):
        return True
    return _DRUGS.search(words) is not None and _OF_PATIENT.search(words) is None


def is_fragment(words: str) -> bool:
    """True for one word of a state ("undiagnosed", "severe"): nothing where the vocabulary does not know it."""
    return _FRAGMENT.fullmatch(words) is not None
