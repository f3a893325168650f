"""Signs of an indications section: sentences that open a list and what kind, items that are no sentences, headings that name no use."""

from __future__ import annotations

import re

_OPENS = re.compile(r"(?::|\bfollowing(?:\s+\w+){0,2}|\b(?:in|with|for|of|to|the|are))\s*(?::|[-–—•])?\s*\d{0,2}\s*[.)]?\s*$", re.IGNORECASE)
_ORGANISMS = re.compile(
    r"(?:organisms?|bacteria|pathogens?|strains?|isolates?|species|fungi|viruses|parasites)(?:\(s\))?\W*$|\b(?:by|to|of)\s+(?:any of\s+)?the\s+(?:following|designated|listed)\s+(?:[\w-]+\s+){0,4}(?:organisms?|bacteria|pathogens?|strains?|isolates?)",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|should|must|may|can|could|will|would|do|does|did|occurs?|occurred|appears?|seems?|usually|consists?|requires?|suggests?|show(?:s|ed)?|heal|include[sd]?|impl(?:y|ies)|refers|remains?|provides?|begins?|continues?|consist(?:s|ed)|respond(?:s|ed)?|died|experienced|resulted|leads?)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\b(?:who|whose|which|that|whom|unless|except|if|when|where|because)\b[^;.]*", re.IGNORECASE)
_CLAUSE = re.compile(r"\W*(?:if|when|since|because|although|while|once|however)\b", re.IGNORECASE)
_CRITERIA = re.compile(
    r"(?:\beither|\bdefined\s+by|\bby|\bcriteria|\bwho(?:\s+have|\s+are)?|\bwhen|\bif|\bfactors?|\bone\s+of\s+the\s+following(?:\s+\w+)?)\W*$", re.IGNORECASE
)
_NO_HEADING = re.compile(
    r"limitation|usage|important|general|information|consideration|note|description|selection|recommend|clinical|use\b|patients?\s*:?$|adults?\s*:?$|monitoring|population",
    re.IGNORECASE,
)
_AIM = re.compile(r"\W*(?:for|in|to|as|when|alone)\b", re.IGNORECASE)
_FOUND = re.compile(r"\bdiagnos|\bdifferentiat|\bsuspected\b|\bbecause\b|\bfollowing\s+(?:[\w-]+\s+){0,4}infections\b", re.IGNORECASE)


def opens_list(words: str) -> bool:
    """True for the words behind a cue that end where a list begins."""
    return _OPENS.search(words) is not None


def lists_others(words: str) -> bool:
    """True for words that lead a list of organisms or criteria, not of uses."""
    return _ORGANISMS.search(words) is not None or lists_criteria(words)


def lists_criteria(words: str) -> bool:
    """True for words that lead a list of criteria for the use above."""
    return _CRITERIA.search(words) is not None


def begins_clause(words: str) -> bool:
    """True for a sentence that begins with a subordinate clause."""
    return _CLAUSE.match(words) is not None


def finite_verb(words: str) -> int | None:
    """Where the words have a finite verb outside brackets and relative clauses; None for a phrase."""
    found = _FINITE.search(_RELATIVE.sub(" ", words))
    return None if found is None else found.start()


def blank_relatives(words: str) -> str:
    """The words with brackets and relative clauses blanked, lengths kept."""
    return _RELATIVE.sub(lambda m: " " * len(m[0]), words)


def names_no_use(heading: str) -> bool:
    """True for a heading that says what its text is, not what the product is for."""
    return _NO_HEADING.search(heading) is not None


def begins_aim(words: str) -> bool:
    """True for words that say what for, or in whom, and not that something is found or excluded."""
    return _AIM.match(words) is not None and _FOUND.search(words) is None
