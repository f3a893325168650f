"""Where a sentence that forbids or advises against a product says in whom: "in patients with ...", "for the treatment of ..."."""

from __future__ import annotations

import re

from kb_builder.propose.reading.blocks import Statement
from kb_builder.propose.reading.frames import Found
from kb_builder.propose.reading.things import Kind
from ontology.model.advice import Action

_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_PEOPLE = re.compile(
    r"\b(?:in|to|for|among|by)\s+(?:the\s+)?(?P<who>(?:any\s+|following\s+|those\s+|all\s+|certain\s+|adult\s+|pediatric\s+|unsupervised\s+|elderly\s+)*(?:patients?|individuals|persons|people|women|men|females|males|children|infants|neonates|subjects|anyone|those))\b(?:,\s+in general,|\s*:\s*patients)?(?P<rest>\s+(?:with|who|whose|having|allergic|hypersensitive|sensitive|known|suffering|under|less|younger|aged|undergoing|in whom|requiring|at risk|experiencing)\b.*)?$"
    r"|\bin the (?:setting|presence|treatment|management) of\b(?P<setting>.*)$|\bas initial therapy in patients with\b(?P<initial>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PATIENTS_FIRST = re.compile(
    r"^(?:\W*(?:generally|in general)\W*)?(?P<who>(?:in\s+)?(?:patients?|individuals|persons|women|those)\s+(?:with|who|having)\b(?P<body>.*?))\s*,?\s*(?:should|must)\b",
    re.IGNORECASE | re.DOTALL,
)
_PATIENTS_NEXT = re.compile(
    r"(?:\band|;)\s+(?P<who>(?:patients?|individuals|persons)\s+(?:with|who\s+have|having)\s+(?P<body>(?:[^.;,()]|(?<=\d)\.(?=\d)){3,80}?))\s+(?:should|must)\s+(?:not|never)\b",
    re.IGNORECASE,
)
"""The patients of a second clause ("... should be normalized, and patients with X should not receive ...")."""
_KIND_FIRST = re.compile(
    r"\W*(?P<who>(?!(?:these|those|such|all|some|most|many|the|other|adult|pediatric|elderly|geriatric|pregnant|treated)\b)[\w-]{6,}\s+(?:patients|neonates|infants))\s+(?:should|must)\s+(?:not|never)\b",
    re.IGNORECASE,
)
"""People told by one word before them ("Hyperbilirubinemic neonates should not ...")."""
_TREATMENT_OF = re.compile(
    r"\b(?:for|in|to)\s+(?:the\s+)?(?:(?:emergency|acute|routine|initial)\s+)?(?:treat(?:ment)?|manage(?:ment)?|revers(?:e|al)|relie(?:f|ve)|production)(?:\s+of)?\s+(?P<what>[^.;]+)"
    r"|\b(?:for|in|to)\s+(?:the\s+)?(?P<aim>(?:prevent(?:ion)?|prophylaxis)\s[^.;]+|emergenc(?:y\s+situations?|ies)\b)",
    re.IGNORECASE | re.DOTALL,
)
_NO_USE_OF_IT = re.compile(r"^\s+(?:driving|operating|activities|exposure|exercis\w+|breast-?feeding|extravasation)\b|\buse\s+other\s+than\b", re.IGNORECASE)
"""What patients are to avoid where it is not the product, and uses that are none of those named."""
_PURPOSE = re.compile(r"\b(?:intended|indicated|used|prescribed|taken|given|approved)\s*$", re.IGNORECASE)
_DRUGS = re.compile(r"\b(?:drugs|medicines|medications|agents|products)\b", re.IGNORECASE)
_UNTIL_OVER = re.compile(
    r"\s*until\s+(?:after\s+)?(?:an?\s+|the\s+|any\s+)?(?P<state>[^.,;]{3,80}?)\s+(?:has|have|is|are)\s+(?:been\s+)?(?:completely\s+)?(?:subsided|resolved|abated|healed|corrected|cleared)\b",
    re.IGNORECASE,
)
"""A state that must be over before the product is begun."""
_PATIENT_STATE = re.compile(
    r"\b(?:in|to|for)\s+(?P<state>(?:pregnant|nursing|breast-?\s?feeding|lactating|premature|preterm)\s+(?:women|patients|mothers|females|infants|neonates))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[;\x01]|,?\s+\b(?:unless|because|since|due to|as (?:it|this|these|they)|nor|and (?:should|may|is|are|can|consider|monitor|discontinue|instruct|advise|counsel|warn)|but|however|until|should be|which|if)\b",
    re.IGNORECASE,
)


def find_people_in(words: str) -> re.Match[str] | None:
    """The patients that words name: group `who` where they begin, `rest`, `setting` or `initial` what they have."""
    return _PEOPLE.search(words)


def find_patients(blank: str, statement: Statement, frame: Found) -> tuple[int, int] | None:
    """Where a sentence says in whom: behind the frame, at its start, or as the disease that is not to be treated."""
    behind = blank[statement.start + frame.end : statement.end]
    before_start = _UNTIL_OVER.match(behind)
    if before_start is not None:
        return statement.start + frame.end + before_start.start("state"), statement.start + frame.end + before_start.end("state")
    if _NO_USE_OF_IT.search(behind) is not None:
        return None
    stop = _CLAUSE_END.search(behind)
    if stop is not None:
        behind = behind[: stop.start()]
    offset = statement.start + frame.end
    named = _PATIENT_STATE.search(behind)
    if named is not None:
        return offset + named.start("state"), offset + named.end("state")
    people = find_people_in(behind)
    if people is not None:
        group = next((g for g in ("rest", "setting", "initial") if people[g]), None)
        if group is not None:
            return offset + people.start(group), offset + people.end(group)
        return None
    first = _PATIENTS_FIRST.match(blank[statement.start : statement.start + frame.end])
    if first is not None:
        return statement.start + first.start("body"), statement.start + first.end("body")
    second = _PATIENTS_NEXT.search(blank, statement.start, statement.start + frame.end)
    if second is not None and second.end() > statement.start + frame.start and frame.frame.action in _STOP:
        return second.span("body")
    told = _KIND_FIRST.match(blank[statement.start : statement.start + frame.end])
    if told is not None and frame.frame.action in _STOP:
        return statement.start + told.start("who"), statement.start + told.end("who")
    what = _TREATMENT_OF.search(behind)
    if what is not None and frame.frame.action in _STOP and not _is_of_another(statement, offset, offset + what.start(), behind[: what.start()]):
        group = "what" if what["what"] else "aim"
        return offset + what.start(group), offset + what.end(group)
    return None


def _is_of_another(statement: Statement, start: int, end: int, words: str) -> bool:
    """True where the treatment is what another drug is for ("within 14 days of stopping an MAOI intended to treat psychiatric disorders")."""
    named = any(t.kind is Kind.PARTNER and not t.own and start <= t.start < end for t in statement.things)
    return _PURPOSE.search(words) is not None and (named or _DRUGS.search(words) is not None)
