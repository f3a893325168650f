"""Which dose phrases of a sentence are instructions on the label's own drug: no narrative, no partner's dose, no strength or example."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from kb_builder.propose.dosage.ceilings import measure_of, with_ceiling
from kb_builder.propose.dosage.compositions import told_once
from kb_builder.propose.dosage.owners import is_partners
from kb_builder.propose.dosage.raised import raised
from kb_builder.propose.dosage.references import names_a_place, without_examples
from kb_builder.propose.dosage.timing import shared_timing
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.dosing import AmountBasis, FractionOf
from ontology.text.doses import DosePhrase, read_doses

NO_DOSES = frozenset({"technique", "missed", "conversion", "stopping", "premedication"})
"""Matters of a heading whose sentences hold no dose rule."""

Place = tuple[int, int]

_CLAUSE = re.compile(
    r"[;\x01]|,\s*(?:although|but|however|whereas|though|since|because|as (?:the|it|this|there|these|such|higher))\b|\bbecause\b", re.IGNORECASE
)
_RULES = re.compile(
    r"\W*(?:(?:in|for)\s[^,.;]{3,80},\s*)?(?:the\s+)?(?:usual|recommended|total|maximum|initial|starting)\b(?:\s+[\w-]+){0,5}?\s+dos(?:e|age)s?\b[^.;]{0,80}\b(?:is|are|should\s+(?:be|not\s+exceed))\b",
    re.IGNORECASE,
)
"""A sentence that rules a dose by its own words, though a heading on technique was the last one on any matter."""
_INITIATED = re.compile(_RULES.pattern + r"|\W*[^.;]{0,120}\b(?:should|must)\s+be\s+(?:initiated|started|begun)\s+(?:at|with)\s+\d", re.IGNORECASE)
_MISSED = re.compile(r"\b(?:miss|interrupt|vomit|skip|forg|delay|late|resum|re-?start|re-?initiat|next dose|stopped|without)\w*", re.IGNORECASE)
_GROUND = re.compile(r",?\s*(?:as|because|since|although|though)\b", re.IGNORECASE)
_CAPTION = re.compile(r"\bTable\s+\d{1,2}\s*[.:]", re.IGNORECASE)
_MORE_UNIT = re.compile(r"\s*(?:[a-z]+\s*)?(?:/|per)\s*(?:kg|m2|kilogram|square|lb|pound)|\s*(?:base|salt)\b(?! on)|\s*based?\s*/", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?!\s*-?\s*(?:years?|yrs?|months?|weeks?|days?|hours?|kg\b|mL/min|times)|[\d.,]*\d)")
_AMOUNTS = re.compile(r"\d\s*(?:mg|mcg|g|units?|mL)\b")
_VERB = re.compile(
    r"\b(?:is|are|should|may|must|can|give|take|administer|start|initiate|increase|reduce|decrease|begin|continue|titrate|exceed|use|apply|instill|resume|restart)\b",
    re.IGNORECASE,
)
_BAND = r"(?:\d[\d.]*\s*(?:kg|years?|months?)?\s*(?:to|-)\s*(?:less than\s+)?|[<>≥≤]\s*)?\d[\d.]*\s*(?:kg|years?|months?|mL/min)\b(?:\s+(?:or|and)\s+(?:greater|more|older|above|over|less))?"
_CELL = r"\d[\d.,]*\s*(?:mg|mcg|g|units?|mL)\b(?:\s?/\s?(?:day|dose|kg))*(?:\s+(?:orally|once|twice|daily|a day|per day|three times))*"
_BANDS = re.compile(rf"{_BAND}\s+{_CELL}(?:\s+\d{{1,2}})?\s+{_BAND}\s+{_CELL}", re.IGNORECASE)
"""Bands with their amounts side by side and no word between: rows of a table that has lost its cells, where no order is sure."""
_TABLE_AMOUNTS = 6
_MOST_AMOUNTS = 40  # no sentence tells so many doses
_CEILINGS = re.compile(
    r"(?:\W*[^.;,]{1,60},\s*)?\W*(?:the maxim(?:um|al) (?:recommended )?(?:total |daily )*dos(?:e|age)\b[^.;]*?\bis\b"
    r"|do not exceed an? (?:total |maximum |daily )*dos(?:e|age) of [^.;\d]{3,80}? of\b)",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\bfor a total (?:\w+ ){0,3}(?:of\s+)?$|\btotal(?:ing|s|ling)\s+$", re.IGNORECASE)
_BRACKET = re.compile(r"\([^(),;]*\)")
_ANY_AMOUNT = re.compile(r"[\d½¼¾⅓]|\b(?:half|halv\w+|double|doubled|doubling|triple|tripled|one|two|three|four|third|quarter|fourth)\b", re.IGNORECASE)
_OF_A_RATE = re.compile(
    r"\b(?:at a rate of|remaining)\b[^.;]{0,40}\d[\d.]*\s*%|\bof the total (?:dose|infusion|volume) (?:given |infused |administered )?(?:in|over)\b",
    re.IGNORECASE,
)
_OF_THE_BODY = re.compile(r"\b(?:renal clearance|clearance of|exposures?|excretion|AUC|Cmax)\b(?:(?!\bdos)[^.;(]){0,60}$", re.IGNORECASE)
_OF_THE_DOSE = re.compile(
    r"\b(?:(?:usual|recommended|normal|standard|full|starting|initial|maintenance|loading|adult|daily|single)\s+)+dos(?:e|age)\b", re.IGNORECASE
)
_SHARE = re.compile(r"\d[\d.,]*\s*%|\b(?:one-|two-|three-)?(?:half|halved|third|fourth|quarter|thirds|fourths|quarters|double|twice|doubled)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\s*(?:\w+\s+){0,2}?(?:dose|dosage|regimen)?\s*(?:can|may|could|should|is|has|was)\b(?:\s+\w+){0,4}?\s+(?:increas|decreas|reduc|tolerat|well|followed|rais|lower|chang)",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"\b(?:dos(?:e|es|ages?)|amounts?)\s+(?:of\s+)?(?:that are\s+)?(?:greater|higher|larger|more|less|lower|above|over|exceeding|in excess|below|>|≥|<)\b[^.;]{0,12}$",
    re.IGNORECASE,
)
_BELONGS = re.compile(
    r"\b(?:receiving|taking|tolerat\w+|maintained on|stabilized on|already on|been on|treated with|treatment with|therapy with|(?:benefit|relief|response|control|documented|achieved|observed) (?:with|to|on|from)|following|those on|patients on|patient on|who (?:are|were) (?:on|taking)|(?<!range )(?<!ranges )(?<!ranging )(?<!varies )(?<!vary )(?<!have ranged )(?<!require )(?<!need )from|other than|instead of|with (?:the|a))"
    r"\s+(?:(?:a|an|the|dose|doses|of|daily|total|dosage|regimen|at|initial|starting|least|recommended|maximum)\s+){0,6}$",
    re.IGNORECASE,
)
"""Words before a dose that make it one the patient already has, or the lower end of a change."""


_BY_AT_LEAST = re.compile(r"\bby (?:at least|up to|approximately|about) $", re.IGNORECASE)
"""Before a share: how much a dose is changed at the least."""
_COLON = re.compile(r"[A-Za-z)]\s*:\s*(?:(?:one|two|three|four|half|\d+|½)\s+)?$", re.IGNORECASE)
_PIECE = re.compile(r"\s*-?\s*(?:[a-z-]+\s+){0,2}(?:tablets?|capsules?|caplets?|lozenges?|suppositor(?:y|ies)|packets?|patch(?:es)?)\b", re.IGNORECASE)
_THAT_IS_THE_MOST = re.compile(
    r"\b(?:this|that|these|those)\s+(?:[\w-]+\s+){0,2}(?:dos(?:es?|ages?)|amounts?|limits?)\s+(?:should|must|is|are)\s+not\s+(?:to\s+)?be\s+exceeded",
    re.IGNORECASE,
)
"""A ceiling that points back at the amount before it."""
_BEGUN = re.compile(
    r"\b(?:initiat\w*|start\w*|begin\w*|commenc\w*|continu\w*|resum\w*)\s+(?:[\w-]+\s+){0,2}(?:therapy|treatment) with\s+(?:[\w-]+\s+){0,3}$"
    r"|(?<!patients )\b(?:starting|beginning|started|begun|initiated|given to (?:therapy|treatment))\s+with\s+(?:(?:an?|the|dose|doses|of|daily|initial|single|oral)\s+){0,5}$",
    re.IGNORECASE,
)
"""And those that begin a treatment with the dose."""
_PARTNER_GONE = re.compile(
    r"\W*(?:after|upon|once|when|if)\s+(?:the\s+)?(?P<stopped>(?:discontinu\w+|stopp\w+|cessation|withdrawal|completion)(?:\s+of)?)[^,;.]*"
    r"|\W*(?:after|once|when|if)\s+[^,;.]{3,90}?\s(?:is|are|was|were|has been|have been)\s+(?:discontinued|stopped|withdrawn)\b",
    re.IGNORECASE,
)
_BEGUN_AT = re.compile(
    r"\b(?:initiat\w*|start\w*|begin\w*|commenc\w*|continu\w*|resum\w*|restart\w*)\s+(?:[\w-]+\s+){0,2}(?:therapy|treatment) at $", re.IGNORECASE
)


def instructions(blank: str, start: int, end: int, things: Sequence[Thing], topic: str | None) -> list[DosePhrase]:
    """The dose phrases of a sentence that tell how much of the label's own drug to give or not to exceed."""
    if _is_after_a_partner(blank, start, end, things):
        return []
    if (topic in NO_DOSES and not _rules(blank, start, end, topic)) or _ANY_AMOUNT.search(blank, start, end) is None or blank[start:end].rstrip().endswith("?"):
        return []
    if dosage_words().how_given.search(blank, start, end) is not None:
        return []
    asides = [place for place in _clauses(blank, start, end) if dosage_words().aside(dosage_words().explains.sub(" ", blank[slice(*place)])) is not None]
    caption = _CAPTION.search(blank, start, end)
    stop = end if caption is None else caption.start()
    blank = without_examples(blank, start, end)
    if _is_flattened_table(blank, start, stop):
        return []
    if _THAT_IS_THE_MOST.search(blank, start, end) is not None:
        asides = []
    cued = dosage_words().cue.search(blank, start, end) is not None
    found = [p for p in read_doses(blank, start, stop) if (p.amounts or p.bound is not None) and not any(s <= p.start < e for s, e in asides)]
    found = [raised(blank, start, _core(blank, p)) for p in shared_timing(blank, told_once(blank, found), stop)]
    if _CEILINGS.match(blank, start, end):
        found = [p if p.bound is not None or not p.amounts else replace(p, bound=measure_of(p)) for p in found]
    out: list[DosePhrase] = []
    other = False
    for i, phrase in enumerate(found):
        floor = found[i - 1].end if i else start
        other = is_partners(blank, phrase, start, things) or (other and not any(t.own and floor <= t.start < phrase.start for t in things))
        if (
            not other
            and (cued or _is_whole(phrase) or _is_told(blank, phrase, start, end))
            and not _is_reference(blank, phrase, start, things)
            and not names_a_place(blank, start, phrase)
        ):
            out.append(phrase)
    return out


def _rules(blank: str, start: int, end: int, topic: str | None) -> bool:
    """True for a sentence that rules a dose by itself under a heading on technique or missed doses, and speaks of neither."""
    if topic == "technique":
        return _RULES.match(blank, start, end) is not None
    return topic == "missed" and _INITIATED.match(blank, start, end) is not None and _MISSED.search(blank, start, end) is None


def _is_after_a_partner(blank: str, start: int, end: int, things: Sequence[Thing]) -> bool:
    """True for what is to be done when another drug has been stopped: the usual dose again, which no patient beside that drug is meant to get."""
    gone = _PARTNER_GONE.match(blank, start, end)
    return gone is not None and any(t.kind is Kind.PARTNER and not t.own and max(start, gone.end("stopped")) <= t.start < gone.end() for t in things)


def _core(blank: str, phrase: DosePhrase) -> DosePhrase:
    """The phrase from its amount on: what stands before it ("the maximum dose in adults is ...") is the sentence's."""
    if phrase.amounts and all(a.basis is AmountBasis.FRACTION for a in phrase.amounts):
        share = _SHARE.search(blank, phrase.start, phrase.end)
        return phrase if share is None else replace(phrase, start=share.start())
    told = {n for a in phrase.amounts for n in (a.low, a.high, *a.choices) if n is not None and a.basis is not AmountBasis.FRACTION}
    at = next((m.start() for m in _NUMBER.finditer(blank, phrase.start, phrase.end) if Decimal(m[0].replace(",", "")) in told), None)
    return with_ceiling(blank, phrase, phrase.start if at is None else at)


def reasons(blank: str, start: int, end: int) -> list[Place]:
    """The clauses of a sentence that give the ground of an instruction before them: conditions there are none of its conditions."""
    found = [place for place in _clauses(blank, start, end) if place[0] > start and _GROUND.match(blank, *place)]
    return [place for place in found if dosage_words().aside(blank[slice(*place)]) is not None]


def _clauses(blank: str, start: int, end: int) -> list[Place]:
    """The parts of a sentence that may each be an instruction or an aside by itself."""
    cuts = [m.start() for m in _CLAUSE.finditer(blank, start, end)]
    return [(s, e) for s, e in pairwise([start, *cuts, end]) if s < e]


def _is_flattened_table(blank: str, start: int, end: int) -> bool:
    """True for a run of amounts with hardly a verb: a table that has lost its cells."""
    if _BANDS.search(blank, start, end) is not None:
        return True
    words = _BRACKET.sub(" ", blank[start:end])
    amounts = sum(1 for _ in _AMOUNTS.finditer(words))
    return amounts > _MOST_AMOUNTS or (amounts >= _TABLE_AMOUNTS and sum(1 for _ in _VERB.finditer(words)) * 4 < amounts)


def _is_whole(phrase: DosePhrase) -> bool:
    """True for an amount that stands for itself: with how often, or by body weight or surface."""
    return phrase.frequency is not None or any(a.basis in (AmountBasis.PER_KG, AmountBasis.PER_M2) for a in phrase.amounts)


def _is_told(blank: str, phrase: DosePhrase, start: int, end: int) -> bool:
    """True for an amount that is all that is said of those before the colon: "Children 6 to 14 years of age: one 5-mg tablet"."""
    if _COLON.search(blank[max(0, start - 3) : phrase.start]) is None:
        return False
    return _PIECE.match(blank, phrase.end) is not None or (phrase.start == start and not blank[phrase.end : end].strip(" .;"))


def _is_reference(blank: str, phrase: DosePhrase, start: int, things: Sequence[Thing]) -> bool:
    """True for a dose that only names a place on a scale: "if the 50 mg dose is tolerated", "patients receiving 20 mg", "doses above 40 mg"."""
    if phrase.bound is not None:
        return False
    share = all(a.basis is AmountBasis.FRACTION for a in phrase.amounts)
    of_body = _OF_THE_BODY.search(blank, start, phrase.start) and not _OF_THE_DOSE.search(blank, phrase.start, phrase.end)
    if share and (_OF_A_RATE.search(blank, max(start, phrase.start - 60), phrase.end + 60) or of_body):
        return True
    if phrase.increment is False and share and all(a.fraction_of is FractionOf.USUAL for a in phrase.amounts):
        return re.search(r"\bincreas\w+\b[^;.]{0,60}$", blank[max(start, phrase.start - 80) : phrase.start], re.IGNORECASE) is not None
    head = blank[start : phrase.start]
    if re.match(r"\s*(?:/day\s+|daily\s+)?(?:additional|increments?)\b", blank[phrase.end : phrase.end + 24]):
        return True
    if (
        not (share and _BY_AT_LEAST.search(head))
        and re.search(r"[A-Za-z]-$|\bat least $|\b(?:treatment|therapy|while|neutropenia|thrombocytopenia|toxicity|reactions?) at $", head)
        and _BEGUN_AT.search(head) is None
    ):
        return True
    for own in (t for t in things if t.own and t.end <= phrase.start):
        head = head[: own.start - start] + " " * (own.end - own.start) + head[own.end - start :]
    spaced = re.sub(r"\s+", " ", head)
    if _ABOVE.search(head) or (_BELONGS.search(spaced) and _BEGUN.search(spaced) is None):
        return True
    if _TOTAL.search(head) or (re.search(r"\bfor (?:the|a) (?:\w+ )?$", head) and re.match(r"\s*(?:\w+ )?dose\b", blank[phrase.end : phrase.end + 24])):
        return True
    if re.search(r"\b(?:beyond|than) (?:that|those) (?:of|with|seen with) (?:(?:the|a|an) )?$", spaced, re.IGNORECASE):
        return True
    if re.search(r"\b(?:above|below|beyond|exceeding|than)\s+(?:the|a|an)\s+(?:\w+\s+){0,3}$", head, re.IGNORECASE):
        return True
    if re.search(r"\b(?:not|never|n't)\s*$", head) or (_MORE_UNIT.match(blank, phrase.end) and all(a.basis is AmountBasis.FLAT for a in phrase.amounts)):
        return True
    if re.search(r"(?:^|\b)(?:the|this|that|an?)\s*$", head, re.IGNORECASE) and _SUBJECT.match(blank, phrase.end):
        return True
    if re.match(r"\s*(?:daily\s+)?dose\s+(?:who|that|which)\b", blank[phrase.end : phrase.end + 24]):
        return True
    return re.search(r"\b(?:at|on|to) (?:a|the) $", head) is not None and "tolerat" in blank[phrase.end : phrase.end + 40]
