"""Words of a clause on a population that are no condition: those of the advice itself, of its people, of studies; and those that are one all the same."""

from __future__ import annotations

import re

from kb_builder.propose.populations.book import population_book
from ontology.model.guards import Guard, Opaque

_IMPLIED_WORDS = re.compile(
    r"(?:\b(?:in|for|to|of|the|an?|and|or|with|who|are|is|all|any|these|such|young|younger|older|their|other|male|female|p(?:a)?ediatric|geriatric|elderly|children|child|infants?|neonates?|newborns?|adolescents?|adults?|pregnant|nursing|breast-?fe(?:eding|d)|lactating|mothers?|women|woman|females?|males?|men|patients?|individuals|subjects|age|ages|aged|group|population|reproductive|child-?bearing|potential|partners?|renal(?:ly)?|hepatic(?:ally)?|kidney|liver|impair\w+|reduced|decreased|function|insufficiency|failure|degrees?|having|have|known|chronic|pre-?existing|presence)\b|[,()\s/])+",
    re.IGNORECASE,
)
_ADVICE_WORDS = re.compile(
    r"\b(?:been|were|was|observ\w*|monitor\w*|advise\w*|consider\w*|maintain|achieve|ensure|results?|resulting|reported|recommended|alternatives?|last|final|after|prior to|before|effective|effects?|requir\w+|unknown|apprised|told|becomes?|known to|dos(?:e|es|ing|age)|adjust\w*|established|studied|safety|clinical|need|information|data|limited|closely|caution\w*|careful\w*|initiat\w*|start\w*|first|(?:the|potential|increased|possible|of) risks?|differences?|benefits?|because|therefore|thus|treating|likely|care|greater|including|determine|whether|respond|compared|numbers?|concomitant diseases?|use of|between|conducted|individuali[sz]e|evaluated in|included subjects|not approved|not indicated|pharmacokinetic|commensurate|physical condition|reserved?|comorbidit\w*|vs)\b|^(?:up|without|lowest|lower|not|received|across|over|normal|particularly|whenever|(?:extended|immediate|delayed|sustained)-release|undergoing|included|disease|diseases|drug|therapy)$",
    re.IGNORECASE,
)
_STUDY = re.compile(r"^(?:Stud(?:y|ies)\s.*|[A-Z][A-Z0-9-]{4,})$")
"""The name of a study, in which a finding was made."""

_RESTRICTS = re.compile(
    r"^(?:unless|except\w*|in whom|for whom|other than|with(?:out)?(?=\s+\w)|at (?!(?:\w+ )?(?:doses?|dosages?) (?:lower|less) than (?:those|that)\b)(?:\w+ ){0,3}?(?:doses?|dosages?))\b",
    re.IGNORECASE,
)

_MEASURED = re.compile(
    r"\b(?:above|below|over|exceed\w*|greater than|less than|higher than|lower than)\s+(?:the\s+)?(?:\d|upper|ULN)|\bpercentile\b|[<>\u2264\u2265]\s*\d|\brisk factors? (?:that|which|for)\b|\b(?:problems|disorders?|abnormalities|conditions|illness(?:es)?) (?:that|which) (?:may|might|could|can|would|predispose|increase)\b",
    re.IGNORECASE,
)
"""A value of the patient, or what puts the patient at risk, whatever other words stand beside it."""

_SPARES = re.compile(r"unless\b|except", re.IGNORECASE)
_OF_BIRTH = re.compile(r"(?:premature|pre-?term|full-?\s?term|term|newborn|low[- ]birth[- ]?weight)s?", re.IGNORECASE)


def restricts(words: str) -> bool:
    """True for words that restrict whatever they hold: an exception, a value of the patient."""
    return _RESTRICTS.search(words) is not None or _MEASURED.search(words) is not None


def is_scrap(words: str) -> bool:
    """True for words that only say who the population is, or that are of the advice and no condition."""
    return (
        _IMPLIED_WORDS.fullmatch(words) is not None
        or _ADVICE_WORDS.search(words) is not None
        or _STUDY.match(words) is not None
        or population_book().scrap.fullmatch(words.strip().lower()) is not None
    )


def is_exception(guard: Guard) -> bool:
    """True for those whom one sentence spares; the next one may mean them again."""
    return isinstance(guard, Opaque) and _SPARES.match(guard.text) is not None


def is_of_birth(words: str) -> bool:
    """True for words that only newborns bear."""
    return _OF_BIRTH.fullmatch(words.strip()) is not None
