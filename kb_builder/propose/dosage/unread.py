"""The safety net under the readers of conditions: clauses that say for whom, beside what or when, and that none of them read, stay in their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.runs import Place
from kb_builder.propose.dosage.words import dosage_words
from ontology.model.guards import Opaque

_TAIL = r"(?:[^,;:.()\x01]|(?<=\d)[.,](?=\d)|\([^()]{0,60}\)){0,160}"
_CLAUSES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:in|for|among)\s+(?:[\w/-]+\s+){{0,4}}?(?:patients|adults|children|infants|neonates|newborns|adolescents|women|men|females|males|individuals|persons|those|elderly|people)\b{_TAIL}",
        rf"\bpatients\s+(?:with|who|whose|taking|receiving|on|under|over|aged|weighing|undergoing|not)\b{_TAIL}",
        r"(?<=[;.])\s*(?:and\s+)?(?:if\s+)?(?:on|receiving|taking)\s+[\d.]+\s*(?:mg|mcg|g|units?)\b[^,;.]{0,24}(?=,)",
        r"\b(?:withh(?:old|eld)|interrupt(?:ed)?|h(?:old|eld)|delay(?:ed)?|suspend(?:ed)?)\b[^.;:]{0,40}?\buntil\b[^.;:]{3,160}?(?=,?\s+(?:and\s+)?(?:then|resum\w+|restart\w*|reduc\w+)\b)",
        rf"\b(?:when|if|unless|except|provided|only (?=in|for|if|when|after)),?\s+{_TAIL}",
        rf"\b(?:concomitant\w*|concurrent\w*|in combination|co-?administ\w*|together)\s+(?:\w+\s+){{0,3}}?with\s+{_TAIL}",
        r"\bwithout\s+(?:(?:concomitant|concurrent|any)\s+)?(?:radiation|radiotherapy|irradiation|chemotherapy|dialysis|transfusions?)(?:\s+therapy)?\b",
        rf"\b(?:with|during|for|of)\s+(?:concomitant|concurrent)\s+{_TAIL}",
        rf"\b(?:for|after|upon|at)\s+(?:the\s+)?(?:first|second|third|fourth|any|grade|persistent|recurr\w+|intolerable)\s+(?:appearance|occurrence|episode|recurrence|grade|toxicit\w+|adverse|\d(?![\d-]*\s*-?\s*hour)){_TAIL}",
        r"\b(?:in|during|within|for|until|after|from)\s+(?:the\s+)?(?:first|second|third|\d+)\s+(?:\w+\s+)?(?:days?|weeks?|months?|years?)\s+of\s+(?:life|age)\b",
        r"\b(?:from then\s+|up\s+)?(?:to|until|till)\s+the\s+age\s+of\s+[\d\w]+(?:\s+(?:days?|weeks?|months?|years?))?",
        r"\b(?:from|between|below|above|under|over|at|less than|greater than)\s+[\d.]+(?:\s*(?:to|and|-)\s*[\d.]+)?\s*mL/min\b(?:/1\.73\s*m\s?2)?",
        rf"\b(?:in|with)\s+(?:the (?:presence|event|setting|case) of|mild|moderate|severe|impaired|reduced|renal|hepatic|pregnan\w+)\b{_TAIL}",
        rf"\bwithin\s+(?:\w+\s+){{1,3}}(?:of|after|before)\s+(?:the last dose|last dose|stopping|discontinu\w+|starting|initiating|taking|receiving|having taken)\b{_TAIL}",
        rf"\b(?:after|following|upon)\s+(?:a\s+|an\s+|the\s+)?(?:failure|failing|inadequate response|insufficient response|intolerance)\b{_TAIL}",
    )
)
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "in",
        "for",
        "to",
        "of",
        "on",
        "with",
        "who",
        "whose",
        "are",
        "is",
        "be",
        "or",
        "and",
        "most",
        "some",
        "many",
        "all",
        "any",
        "these",
        "those",
        "such",
        "other",
        "patients",
        "patient",
        "individuals",
        "persons",
        "people",
        "when",
        "if",
        "only",
        "each",
        "every",
        "as",
        "it",
        "used",
        "given",
        "taken",
        "administered",
        "treated",
        "treatment",
        "therapy",
        "receiving",
        "taking",
        "dose",
        "doses",
        "dosage",
        "daily",
        "once",
        "twice",
        "mg",
        "not",
        "more",
        "than",
        "at",
        "recommended",
    ]
)
_END = re.compile(
    r"\s+(?:the (?:recommended|usual|maximum|initial|starting|dose|dosage|total|daily)|(?:is|are|should|may|must|can|will|reduce|start|initiate|administer|begin|give|do not|limit|increase|decrease)\b).*$",
    re.IGNORECASE | re.DOTALL,
)


_WINDOW = re.compile(r"within\s+(?:\w+\s+){1,3}(?:of|after)\s+(?:the last|last|stopping|discontinu)", re.IGNORECASE)
"""The time since another drug was stopped, whatever words follow."""
_HAD = re.compile(r"\b(?:on|receiving|taking|tolerat\w+)\s+(?:\w+\s+){0,3}?\d[\d.,]*\s*(?:mg|mcg|g|units?)\b", re.IGNORECASE)
"""The dose that patients have, whatever words follow."""
_LAST_VERB = re.compile(r"\s+(?:is|are|should be|may be)\s*$", re.IGNORECASE)
_VERBAL = re.compile(r"(?:when|if|unless|provided)\b", re.IGNORECASE)
"""Openings of a clause whose verb is its own and not the sentence's."""


def unread_clauses(blank: str, start: int, end: int, read: Sequence[Place], doses: Sequence[Place]) -> Iterator[Restriction]:
    """The restricting clauses of a sentence that touch none of the places read, each once, as opaque words; a clause ends where its dose begins."""
    taken = list(read)
    for pattern in _CLAUSES:
        for m in pattern.finditer(blank, start, end):
            until = min([m.end(), *(s for s, _ in doses if m.start() < s < m.end())])
            clause = blank[m.start() : until]
            words = (_LAST_VERB.sub("", clause) if _VERBAL.match(clause) else _END.sub("", clause)).rstrip(" ,;:-")
            until = m.start() + len(words)
            if until <= m.start() or any(s < until and m.start() < e for s, e in taken) or any(s <= m.start() < e for s, e in doses):
                continue
            if _says(words) or _HAD.search(words) or _WINDOW.match(words):
                taken.append((m.start(), until))
                yield Restriction(Opaque(" ".join(words.split())), m.start(), until)


def _says(words: str) -> bool:
    told = [w for w in re.findall(r"[a-z][\w-]+", words.lower()) if w not in _EMPTY]
    return bool(told) and dosage_words().topic(words) in (None, "adverse")
