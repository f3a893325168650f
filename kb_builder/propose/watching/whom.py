"""Whom a request to measure or watch concerns, as guards; and whether it is about another drug, which makes it an interaction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kb_builder.propose.conditions.reader import read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing
from kb_builder.propose.watching.book import watching_book
from kb_builder.propose.watching.bounds import EVEN, SUCH_AS, UNTIL
from kb_builder.propose.watching.requests import Request
from kb_builder.propose.watching.times import Time, masked
from ontology.model.facts import Whose
from ontology.model.guards import Exposure, Opaque, leaves

_NO_LIMIT = re.compile(
    r"(?i)(?:^|.*\b)(?:clinically indicated|indicated|appropriate|needed|necessary|possible|all (?:patients|individuals)|treated patients|each patient|the patient|your patient|feasible|available|required|any indication)\W*$"
)
_A_WORD = re.compile(r"[^\W\d_]{2}")
_OF_ALL = re.compile(
    r"(?i)\b(?:beginning|starting|initiating|receiving|taking|undergoing|treated|treatment|therapy|with|the|who|are|on|being|tablets?|capsules?|injection|(?:extended|delayed|immediate|sustained)-release|oral|intravenous|received|of|in|for|infusions?|containing|regimens?|based|products?|any|an?|indication|all|patients?)\b"
)
_RISK = re.compile(
    r"(?i)\b(?:risk(?: factors?)?|susceptib\w+|predispos\w+)\s+(?:for|of|to)\s+[^,.;:()\x01]{3,80}?(?=\s(?:should|must|may|are|is|during|before|prior)\b|[,.;:()\x01]|$)"
)
_PATIENTS_WITH = re.compile(r"\W*(?:\w+ ){0,2}patients (?:with|in|who|undergoing)\b")
_AT = re.compile(
    r"(?i)\b(?:in|for)\s+(?P<whom>(?:all\s+|any\s+|those\s+)?(?:patients|individuals|women|children|females|those)\s+(?:at|from|in|on)\s[^.;,()\x01]{4,120}(?!\w))"
)
_OTHERS = re.compile(
    r"\bother\s+(?:[\w-]+\s+){0,2}?(?:drugs?|medications?|medicines|medicinal products|agents)\b|\b(?:they|one of them|either(?: of them)?|both) (?:is|are) (?:started|stopped|added|withdrawn|given|taken|used|begun)\b"
)
_MIXED = re.compile(r"\binteraction|\bconcomitant|\bconcurrent|\bco-?\s?administ|\bin combination with (?!ø)")
_HEADED = frozenset({"dosage_and_administration", "use_in_specific_populations"})
"""Sections whose headings name the patients of what stands below; elsewhere flattened text runs on under another one's heading."""

_MANNER = re.compile(r"(?i)\b(?:closely|carefully|appropriately|regularly|frequently|clinically monitored|on an ongoing basis)\b")


def names_partner(reading: Reading, statement: Statement, lower: str, request: Request, before: str) -> bool:
    """True where another drug than the label's is what the request is about, in the sentence or in the one before."""
    places = [(t.start, t.end) for t in request.things]
    others = [t for t in statement.things if t.kind is Kind.PARTNER and not t.own and not any(s < t.end and t.start < e for s, e in places)]
    others = [t for t in others if not _in_bracket(reading.blank, statement.start, t)]
    end = max(e for _, e in places)
    if _MIXED.search(lower, 0, request.start) or _OTHERS.search(lower, *request.reaches):
        return True
    together = watching_book().together
    for thing in others:
        if thing.start < end or together.search(lower, max(0, end - statement.start), thing.start - statement.start):
            return True
    if reading.key == "drug_interactions":
        return bool(others) or together.search(lower) is not None or together.search(before) is not None
    return together.search(before) is not None and re.search(r"\b(?:concomit|concurr|co-?\s?admin|combin)", before) is not None and "ø" not in lower


def heading_limits(reading: Reading, block: Block, lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The patients that the heading above names ("Renal Impairment", "Pediatric Patients Aged 1 to 5 Years")."""
    if block.heading is None or reading.key not in _HEADED:
        return ()
    start, end = block.heading
    words = reading.blank[start:end].lower()
    if watching_book().population.search(words) is None or watching_book().not_population.search(words) is not None:
        return ()
    things = [t for t in reading.things_in(start, end) if t.kind is not Kind.PARTNER]
    found = read_label_conditions(reading.blank, start, end, things, lexicon)
    if _PATIENTS_WITH.match(words):
        return tuple(r for r in found if not any(isinstance(leaf, Exposure) for leaf in leaves(r.guard)))
    return tuple(r for r in found if not any(isinstance(leaf, Opaque | Exposure) for leaf in leaves(r.guard)))


def _in_bracket(text: str, start: int, thing: Thing) -> bool:
    stretch = text[start : thing.start]
    return stretch.count("(") > stretch.count(")")


def _asked_for(printed: str, start: int, request: Request) -> Iterator[tuple[int, int]]:
    """The places of what is watched for, with the words that lead to it and the examples behind it."""
    low = min(t.start for t in request.things) - start
    high = max(t.end for t in request.things) - start
    lead = printed.lower().rfind(" for ", 0, low)
    yield (lead if lead >= 0 and re.search(rf"\b{watching_book().people.pattern}\b", printed[lead:low].lower()) is None else low), high
    examples = SUCH_AS.match(printed, high)
    if examples is not None:
        yield high, examples.end()
    yield from (m.span() for pattern in (EVEN, UNTIL) for m in pattern.finditer(printed, high))


def patients_of(text: str, windows: Sequence[tuple[int, int]], things: Sequence[Thing], own: Mapping[str, Thing], lexicon: Lexicon) -> list[Restriction] | None:
    """The conditions on the patient in the windows of a text; None where one of them is another drug.

    `own` are the sentence's names of the product: that it is taken is no condition.
    """
    ids = {i for t in own.values() for i in t.ids}
    out: list[Restriction] = []
    for found in (r for low, high in windows for r in _at_risk(text, low, high, read_conditions(text, low, high, things, lexicon))):
        exposures = [leaf for leaf in leaves(found.guard) if isinstance(leaf, Exposure)]
        if any(e.whose is not Whose.SUBJECT and e.target not in ids for e in exposures):
            return None
        if exposures and len(exposures) == len(list(leaves(found.guard))):
            continue
        words = " ".join(text[found.start : found.end].split())
        for name in own:
            words = words.replace(name, "")
        if isinstance(found.guard, Opaque) and (_NO_LIMIT.fullmatch(found.guard.text) or _A_WORD.search(_OF_ALL.sub("", words)) is None):
            continue
        out.append(found)
    return out


def _at_risk(text: str, low: int, high: int, found: Sequence[Restriction]) -> Iterator[Restriction]:
    """The conditions, with a disease that patients are only at risk of as words: "risk factors for pancreatitis" is not pancreatitis."""
    risks = [m.span() for m in _RISK.finditer(text, low, high)]
    for start, end in risks:
        inside = [r for r in found if r.start < end and start < r.end]
        if inside:
            first, last = min(start, *(r.start for r in inside)), max(r.end for r in inside)
            yield Restriction(Opaque(" ".join(text[first:last].split())), first, last)
    yield from (r for r in found if not any(r.start < e and s < r.end for s, e in risks))


def whom(reading: Reading, statement: Statement, request: Request, times: Sequence[Time], lexicon: Lexicon) -> tuple[Restriction, ...] | None:
    """The conditions on the patient that the request's clause states; None where one of them is another drug, which makes it an interaction."""
    start = statement.start
    printed = reading.blank[start : statement.end]
    hidden = [*((t.start, t.end) for t in times), (request.start, request.end), *_asked_for(printed, start, request)]
    text = masked(masked(printed, hidden, ";"), (m.span() for m in _MANNER.finditer(printed)), " ")
    things = [
        replace(t, start=t.start - start, end=t.end - start) for t in statement.things if not any(s < t.end - start and t.start - start < e for s, e in hidden)
    ]
    windows = dict.fromkeys(w for w in (request.opening, request.reaches) if w[0] < w[1])
    if request.reaches[0] <= request.opening[0]:
        windows = dict.fromkeys((request.reaches,))
    own = {printed[t.start - start : t.end - start]: t for t in statement.things if t.own}
    read = patients_of(text, list(windows), things, own, lexicon)
    if read is None:
        return None
    out = [replace(found, start=found.start + start, end=found.end + start) for found in read]
    for m in (m for low, high in windows for m in _AT.finditer(text, low, high)):
        start_, end_ = m.start("whom") + start, m.end("whom") + start
        if not any(r.start < end_ and start_ < r.end for r in out) and _OF_ALL.sub("", m["whom"]).strip():
            out.append(Restriction(Opaque(" ".join(m["whom"].split())), start_, end_))
    return tuple(out)
