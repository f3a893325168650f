"""Uses that lead a list of contraindications: "For patients treated for hypertension: ...", "contraindicated for the treatment of hypertension in patients with: ...".

What stands in such a list holds for that use alone, whichever proposer reads it; the use itself is no state that forbids the product.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.lexicon import STATE_TYPES, Lexicon
from ontology.model.entities import EntityType
from ontology.model.guards import HasCondition, Opaque

_SECTION = "contraindications"
_LEAD = re.compile(
    r"\bcontraindicated\s+(?:for|in)\s+(?:the\s+)?(?:use\s+in\s+(?:the\s+)?)?(?P<told>treatment\s+of\s+[^.;:•()]{3,80}?)\s+in\s+patients\s+(?:with|who(?:\s+(?:have|are|had))?)\s*:"
    r"|\bFor\s+(?:the\s+)?(?P<headed>(?:[Tt]reatment\s+of|[Pp]atients\s+(?:[Bb]eing\s+)?[Tt]reated\s+(?:for|with))\s+[^.;:•()]{3,80}?)\s*:"
)
_OTHER = re.compile(r"\b(?:For|In)\s+[Aa]ll\s+[Pp]atients\b|\bcontraindicated\b")
_OF = re.compile(r"^(?:treatment\s+of|patients\s+(?:being\s+)?treated\s+(?:for|with))\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UseList:
    """A list `[start, end)` that holds for the use at `[lead_start, lead_end)`; the whole lead begins at `opens`."""

    opens: int
    start: int
    end: int
    lead_start: int
    lead_end: int


@lru_cache(maxsize=8)
def use_lists(blank: str) -> tuple[UseList, ...]:
    """The lists of a contraindications section that a use leads; each ends where another lead or another sentence of prohibition begins."""
    leads = list(_LEAD.finditer(blank))
    ends = sorted([*(m.start() for m in leads), *(m.start() for m in _OTHER.finditer(blank))]) if leads else []
    out: list[UseList] = []
    for m in leads:
        after = bisect_left(ends, m.end())
        out.append(UseList(m.start(), m.end(), ends[after] if after < len(ends) else len(blank), *m.span(m.lastgroup or "told")))
    return tuple(out)


def opens_use_list(blank: str, start: int, end: int) -> bool:
    """True for a phrase that is the lead of such a list, or lies in it."""
    return any(u.opens < end and start < u.start for u in use_lists(blank))


def within_use(draft: Draft, lexicon: Lexicon) -> Draft:
    """The draft for the use that leads its list, as the condition of the patient where the vocabulary has it; else as it is."""
    if draft.reading.key != _SECTION:
        return draft
    blank = draft.reading.blank
    use = next((u for u in use_lists(blank) if u.start <= draft.statement[0] < u.end or u.start <= draft.place[0] < u.end), None)
    if use is None:
        return draft
    words = " ".join(blank[use.lead_start : use.lead_end].split())
    named = _OF.sub("", words)
    found = next((f for f in lexicon.lookup(named, STATE_TYPES) if f.type == EntityType.CONDITION), None)
    guard = HasCondition(found, named) if found is not None else Opaque(words)
    return draft.with_limits(Restriction(guard, use.lead_start, use.lead_end))
