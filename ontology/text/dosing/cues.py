"""Words around an amount that say what it is: a ceiling, a phase, a step, or no dose at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ontology.model.dosing import Measure, PhaseKind
from ontology.text.dosing.chinese import find_han_ceilings
from ontology.text.dosing.words import PHASES, ROUTES, alternatives, squeezed
from ontology.text.sought import sought

_DOSE = r"(?:dos(?:es?|ages?|ing)|amounts?)"
_NOT_EXCEED = r"(?:(?:do|does|should|must|may|can|shall|will|is|are)?\s*not\s+(?:to\s+)?(?:be\s+)?exceed(?:ed|ing)?|cannot\s+exceed|without\s+exceeding|(?:should\s+)?never\s+exceed|avoid\s+exceeding|(?:do|should|must|may|can)\s*not\s+(?:be\s+)?(?:take|taken|use|used|given|give|administer|administered|apply|inject|receive)\s+(?:\w+\s+){0,3}?more\s+than)"
_CEILING = sought(
    rf"\b(?:{_NOT_EXCEED}|(?:no|not)\s+(?:more|greater|higher)\s+than|up\s+to(?:\s+(?:a|the)\s+(?:total|maximum|max\.?|highest)(?:\s+(?:recommended\s+)?(?:total\s+)?(?:single\s+)?(?:daily|weekly)?\s*{_DOSE})?(?:\s+of)?)?"
    rf"|(?:be\s+)?limit(?:ed)?(?!\s+(?:\w+\s+)?(?:data|experience|information|evidence|number|stud(?:y|ies)))\s+(?:[^.;:()]{{0,60}}?\s)?to(?:\s+a\s+maximum\s+of)?|(?:the\s+)?(?:maximum|maximal|(?<!C )max\b\.?|highest|largest)(?!\s+(?:recommended\s+human|benefit|effect|response|efficacy|plasma|serum|concentration|level|therapeutic)s?)(?=\s*(?:[:=(]|of\b|\d|\w+\s+{_DOSE}|(?:[\w-]+\s+){{0,5}}(?:{_DOSE}|total|rate|strength|daily\s+volume)\b|[\w-]+\s+\d))"
    rf"|upper\s+limit(?:\s+of)?|(?:a\s+)?ceiling\s+(?:{_DOSE}\s+)?of|{_DOSE}\s+ceiling)",
    re.IGNORECASE,
)
_SAID_OF = re.compile(r"(?:,|\()\s*(?:which|this)\s+is\s+(?:also\s+)?(?:the\s+)?(?:usual\s+|recommended\s+|highest\s+)*$", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:followed by|then)\b", re.IGNORECASE)
"""What stands between a ceiling on time and the dose that follows ("up to 8 cycles followed by 900 mg")."""
_LINK = re.compile(r"\b(?:is|are|was|were|be|of|at|to|exceed)\b|[:=]", re.IGNORECASE)
_PLAIN = re.compile(
    r"\s*(?:(?:recommended|total|daily|single|weekly|dose|doses|dosage|dosing|rate|amount|adult|pediatric|infusion|cumulative|initial|starting|individual|oral|per|day|effective|tolerated|suggested|allowable|permitted|once|at|any|one|time|treatment)\b[\s-]*){0,7}[(:=,-]*\s*",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?:(?<!and )(?<!kg or )(?<!years or )(?<!age or )\b(?:above|over|greater\s+than|higher\s+than|more\s+than|larger\s+than|exceeding|exceeds?|in\s+excess\s+of|(?<!and )beyond)|>|≥|\bat\s+least)\s*(?:a\s+total\s+(?:daily\s+)?dose\s+of\s+)?$",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\b(?:excretion|output|intake|levels?|concentrations?)\b[^.;,]{0,40}$", re.IGNORECASE)
"""What a body gives or holds: an amount above it is no dose."""
_UNDER = re.compile(r"(?:\b(?:below|under|less\s+than|lower\s+than|fewer\s+than|smaller\s+than)|<|≤)\s*$", re.IGNORECASE)
_BEYOND = re.compile(r"\s*(?:\)\s*)?(?:\(or equivalent\)\s*)?(?:/?day\s+|daily\s+)?(?:or|and)\s+(?:more|greater|higher|above|less|lower|over)\b", re.IGNORECASE)
_VERDICT = re.compile(
    r"\b(?:not\s+(?:been\s+)?(?:\w+\s+)?(?:studied|tested|recommended|established|evaluated|advised|shown|demonstrated|used|exceeded|given|administered|indicated|approved|warranted)|(?:no|without)\s+(?:evidence|additional|further|greater|added|significant|clear)|seldom|rarely|rare|avoid(?:ed)?|should\s+not|unlikely|contraindicated|is\s+not|are\s+not|does\s+not|do\s+not|not\s+(?:usually\s+|generally\s+)?necessary|not\s+more\s+effective|little\s+(?:\w+\s+)?(?:gain|benefit))\b",
    re.IGNORECASE,
)
_NOT_EXCEEDED = re.compile(
    r"\b(?:should|must|may)\s+not\s+be\s+exceeded\b|\b(?:is|are|should\s+be|must\s+be)\s+(?:restricted\s+to|reserved\s+for|limited\s+to)\b", re.IGNORECASE
)
_FILLER = r"(?:(?:a|an|the|total|stable|current|prior|previous|daily|once-daily|oral|dose|doses|dosage|dosages|of|at|least|more|less|than|up|to|high|low|starting|recommended|reduced)\s+)"
_NOUN = r"(?!(?:should|must|may|can|take|give|reduce|administer|increase|decrease|is|are|dose|dosage|start|initiate|limit|do|avoid|and|or|to|in|at|by|with)\b)[\w-]+"
_HISTORY = re.compile(
    rf"\b(?:who|if|patients?|those|adults|children|individuals|subjects|when|while|been)\b[^,.;:()|]{{0,70}}\b(?:(?:taking|receiving|received|(?<=who )(?:(?:already|currently)\s+)?(?:take|receive)|tolerat\w+|respond\w*\s+(?:\w+\s+)?to|taken|maintained\s+on|stabilized\s+on|controlled\s+(?:on|with)|treated\s+with|requiring|required|(?<=who )require|(?<=that )require|(?:had\s+)?(?:a\s+)?dose\s+reductions?\s+to|had\s+(?:a\s+)?reductions?\s+to)\s+{_FILLER}{{0,5}}(?:{_NOUN}\s+(?:of\s+)?){{0,3}}{_FILLER}{{0,3}}|\bstable\s+on\s+(?:[\w-]+\s+){{0,3}}|(?<!started )(?<!initiated )(?<!begun )(?<!placed )(?<!start )(?<!respond )(?<!satisfactorily )\bon\s+{_FILLER}{{0,6}}|starting\s+doses?\s+of\s+(?:[^.;:()|]{{0,30}}\bor\s+)?)$"
    rf"|\b(?:unable|inability|failure|fails?|failed)\s+to\s+(?:[\w-]+\s+){{1,6}}$|\b(?:weeks?|days?|months?)\s+(?:at|on)\s+(?:a\s+dose\s+of\s+)?$|\b(?:occurr|recur)\w*\s+(?:at|on|with)\s+(?:a\s+dose\s+of\s+)?$"
    rf"|\b(?:switch\w*|convert\w*|conversion|transition\w*|transfer\w*|chang\w+)\s+(?:[\w-]+\s+){{0,4}}?from\s+(?:(?!\bto\b)[^.;:|]){{0,60}}$|\b(?:previously|currently|already)\s+(?:taken|taking|receiving|on|received|treated\s+with)\s+(?:[\w-]+\s+){{0,4}}$",
    re.IGNORECASE,
)
_PRIOR = re.compile(r"\b(?:prior|previous|current|existing|last)\s+(?:[\w-]+\s+){0,2}(?:dose|dosage)\s+(?:was|is|of|were)\s*$", re.IGNORECASE)
_IF_BEFORE = re.compile(r"\bif\b[^.;,]*$", re.IGNORECASE)
_FAILS = re.compile(r"\s*(?:(?:once|twice)\s+)?(?:daily\s+)?(?:dose\s+)?(?:does|do|is|are|has|have|fails?|was|were|proves?|cannot)\b", re.IGNORECASE)
_GIVEN_DOSE = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:dose|dosage)\s+(?:can|may|should|could)\s+be\s+(?:increas|titrat|rais|doubl|reduc|decreas|lower)", re.IGNORECASE
)
_CONTENT = re.compile(
    r"\b(?:contain(?:s|ing|ed)?|available\s+(?:as|in)|supplied\s+(?:as|in)|strengths?(?:\s+(?:of|are|is))?:?|equivalent\s+(?:to|of)|provid(?:es?|ing)|delivers?|delivering|(?:for|per)\s+(?:each|every)|nearest|multiples?\s+of|comparable\s+to|expressed\s+as|(?:equals?|=)|for\s+a\s+total\s+of|(?:mg|mcg|g|units|tablets?|capsules?)\b[^.;]{0,30}\btotal(?:ing|ling|s)|bottles?\s+of|package[sd]?\s+of|boxes\s+of|pack\s+of)\s+(?:a\s+total\s+of\s+|approximately\s+|about\s+|a\s+|an\s+|either\s+|the\s+)?(?:\w+\s+)?$|\beach\s+$|=\s*$|\bstrength\s*\(\s*$|\(total(?:\s+of)?\s+$|\b(?:(?:median|mean)\b[^.;]{0,120}\b(?:was|were|is)|average\b[^.;]{0,120}\b(?:was|were))\s+(?:approximately\s+|about\s+)?$|\bresponded\s+to\s+(?:an?\s+)?(?:mean|average|median)\s+(?:daily\s+)?dos(?:e|age)s?\s+of\s+$|\b(?:mean|average|median)\b[^.;()]{0,60}\(\s*(?:dose\s+)?range(?:\s+of|:)?\s+$|\b(?:as\s+effective\s+as|comparable\s+(?:to|with)|similar\s+to|dose[\s-]+intensity(?:\s+of)?)\s+$",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\s*(?:(?:once|twice|three\s+times)\s+)?(?:daily\s+|a\s+day\s+)?(?:is|are|was|were)\s+(?:as\s+effective|comparable|equivalent|similar|no\s+(?:more|less)\s+effective)\b",
    re.IGNORECASE,
)
_DILUENT_BEFORE = re.compile(
    r"\b(?:dilut\w*|reconstitut\w*|dissolv\w*|add(?:ed|ing)?|mix(?:ed|ing)?|withdraw\w*|flush\w*|prim(?:e|ed|ing)|syring\w*|vial\w*|bag\w*|dispers\w*|suspend\w*|remove\w*|drink\w*|(?<!daily )volume\w*|prepar\w*|discard\w*|glass\w*)\b[^.;]{0,90}$",
    re.IGNORECASE,
)
_DILUENT_AFTER = re.compile(
    r"\s*(?:\([^)]{0,20}\)\s*)?(?:of\s+)?(?:a\s+|the\s+)?(?:sterile|water|0\.\d+\s?%|\d+\s?%|dextrose|sodium\s+chloride|saline|normal\s+saline|D5W|diluent|lactated|ringer|juice|apple|liquid|fluid|formula|infusion\s+bag|bag|bacteriostatic|isotonic|solution\s+for|container|syringe)",
    re.IGNORECASE,
)
_WEIGHED = re.compile(r"\b(?:weigh\w*|weight)\b[^.;()]{0,30}$", re.IGNORECASE)
_STEP_BEFORE = re.compile(
    r"\b(?:by|by\s+adding|adding|add|increments?\s+(?:of|to)|steps\s+of|in\s+increments\s+of|decrements?\s+of|adjustments?\s+of|(?<=be )(?:increased|decreased|reduced|raised|lowered)(?!\s+up\s+to)|(?<=is )(?:increased|decreased|reduced)(?!\s+up\s+to))\s+(?:no\s+(?:more|greater)\s+than\s+|up\s+to\s+|approximately\s+|about\s+|at\s+most\s+|an?\s+additional\s+|not\s+more\s+than\s+)?(?:\d[\d.,]*\s*(?:mg|mcg|g|units?|mL)(?:/\w+)*\s*(?:\([^()]{0,30}\)\s*)?(?:or|to)\s+)?$",
    re.IGNORECASE,
)
_STEP_AFTER = re.compile(
    r"\s*\)?\s*(?:/day\s+|daily\s+|per\s+day\s+)?(?:increments?|decrements?|steps|(?:dose\s+)?(?:increase|decrease|reduction)s?)\b", re.IGNORECASE
)
_MORE = re.compile(r"\b(?:additional|further|another)\s+$", re.IGNORECASE)
_ADDED = re.compile(r"\s*(?:[\w-]+\s+){0,3}(?:may|can|should|is)\s+(?:to\s+)?be\s+added\b", re.IGNORECASE)
_CHANGE_BEFORE = re.compile(r"\b(?:increas|decreas|reduc|titrat|adjust|rais|lower|taper|chang|escalat|advanc|wean)\w*\b[^.;:]{0,110}$", re.IGNORECASE)
_DOWN = re.compile(r"\b(?:decreas|reduc|lower|taper|wean|decrement)\w*\b", re.IGNORECASE)
_PHASE = re.compile(rf"\b{alternatives(PHASES)}\b", re.IGNORECASE)
_TURN = re.compile(r"[;(]|\b(?:followed|then|thereafter|until)\b", re.IGNORECASE)
_PHASE_BEHIND = re.compile(
    rf"\s*(?:(?:as\s+)?an?\s+)?(?:(?:oral|intravenous|IV|single|once|daily)\s+)*(?P<word>loading|bolus|priming|initial|starting|maintenance)\s+(?:{_DOSE}|infusion|injection)\b|\s*(?P<adverb>initially)\b|\s*(?:as\s+a\s+|IV\s+|intravenous\s+)?(?P<bolus>bolus)\b",
    re.IGNORECASE,
)
_TO = re.compile(r"\b(?:to|at)\s+(?:a\s+|an\s+|the\s+)?(?:(?:maximum|target|total|daily|recommended|dose|dosage|of|maintenance|full)\s+)*$", re.IGNORECASE)
_ROUTE = sought(rf"(?<!\w){alternatives(ROUTES)}(?!\w)", re.IGNORECASE)
_ADJECTIVE = re.compile(r"[a-z-]+(?:al|ic|ous|ar|ular|led)", re.IGNORECASE)
_CASED = frozenset({"im", "po", "iv", "sc", "sq"})


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Words that make the next amount a ceiling, at `[start, end)`; `far` where the amount may stand behind a linking verb."""

    start: int
    end: int
    far: bool


def find_ceilings(text: str, start: int, end: int) -> list[Ceiling]:
    """The ceiling words in `[start, end)`, in order."""
    found = [
        Ceiling(m.start(), m.end(), m[0].lower().removeprefix("the ").startswith(("max", "highest", "largest"))) for m in _CEILING.finditer(text, start, end)
    ]
    return sorted([*found, *(Ceiling(a, b, False) for a, b in find_han_ceilings(text, start, end))], key=lambda c: c.start)


def binds(ceiling: Ceiling, text: str, at: int) -> bool:
    """True when the amount that starts at `at` is what the ceiling's words bound."""
    between = text[ceiling.end : at]
    if ";" in between or "|" in between or "\u2029" in between or is_said_of(ceiling, text):
        return False
    if not ceiling.far:
        return len(between) <= 45 and _NEXT.search(between) is None
    if _PLAIN.fullmatch(between) is not None:
        return True
    return len(between) <= 320 and _LINK.search(between[-60:]) is not None


def is_said_of(ceiling: Ceiling, text: str) -> bool:
    """True where the words speak of the amount before them ("40 mg once daily, which is the maximum")."""
    return _SAID_OF.search(text, max(0, ceiling.start - 50), ceiling.start) is not None


def is_over(text: str, start: int, at: int, behind: int, end: int) -> bool | None:
    """Whether an amount behind "more than" is a ceiling, by what is said of doses beyond it; None where it is not behind such words."""
    if _OVER.search(text, max(start, at - 45), at) is None:
        return None
    if "reduction" in text[max(start, at - 60) : at] or _MEASURED.search(text, max(start, at - 60), at):
        return False
    return _VERDICT.search(text, behind, min(end, behind + 120)) is not None or _VERDICT.search(text, max(start, at - 60), at) is not None


def is_exceeded_behind(text: str, behind: int, end: int) -> bool:
    """True when the words behind an amount say that it is not to be exceeded, or is for some patients only."""
    if ";" in text[behind : min(end, behind + 60)]:
        return False
    return _NOT_EXCEEDED.search(text, behind, min(end, behind + 60)) is not None


def is_under(text: str, start: int, at: int) -> bool:
    """True behind "less than"."""
    return _UNDER.search(text, max(start, at - 20), at) is not None


def is_threshold(text: str, at: int, end: int) -> bool:
    """True before "or more", "and above"."""
    return _BEYOND.match(text, at, end) is not None


def is_history(text: str, start: int, at: int, behind: int, end: int) -> bool:
    """True for the dose that patients already have, which is a condition and not an instruction."""
    if text[max(start, at - 4) : at].lower().endswith("the ") and _GIVEN_DOSE.match(text, behind, end) is not None:
        return True
    if _IF_BEFORE.search(text, max(start, at - 70), at) is not None and _FAILS.match(text, behind, end) is not None:
        return True
    return _HISTORY.search(text, max(start, at - 170), at) is not None or _PRIOR.search(text, max(start, at - 60), at) is not None


def is_content(text: str, start: int, at: int, behind: int, end: int) -> bool:
    """True for what a product contains or an amount equals."""
    if _COMPARED.match(text, behind, end) is not None:
        return True
    return _CONTENT.search(text, max(start, at - 140), at) is not None


def is_diluent(text: str, start: int, at: int, behind: int, end: int) -> bool:
    """True for a volume that something is dissolved in or taken with."""
    return _DILUENT_AFTER.match(text, behind, end) is not None or _DILUENT_BEFORE.search(text, max(start, at - 110), at) is not None


def is_weighed(text: str, start: int, at: int) -> bool:
    """True behind words of weight."""
    return _WEIGHED.search(text, max(start, at - 50), at) is not None


def step_sign(text: str, start: int, at: int, behind: int, end: int) -> int:
    """1 for a step upwards, -1 for one downwards, 0 for an amount that is no step."""
    if _ADDED.match(text, behind, end) is not None and _MORE.search(text, max(start, at - 20), at) is not None:
        return 1
    before = _STEP_BEFORE.search(text, max(start, at - 80), at)
    after = _STEP_AFTER.match(text, behind, end)
    if before is None and after is None:
        return 0
    change = _CHANGE_BEFORE.search(text, max(start, at - 150), at)
    if after is None and change is None and before is not None and before[0].lower().startswith("by"):
        return 0
    down = _DOWN.search(after[0]) is not None if after is not None and change is None else change is not None and _DOWN.match(change[0]) is not None
    return -1 if down or (before is not None and "decrement" in before[0].lower()) else 1


def phase_of(text: str, start: int, at: int, behind: int, end: int) -> PhaseKind | None:
    """The phase that the words right before or behind an amount name; None where they name none."""
    after = _PHASE_BEHIND.match(text, behind, end)
    if after is not None:
        word = (after["word"] or after["bolus"] or "initial").lower()
        return PhaseKind(PHASES.get("loading" if word == "priming" else word, "starting"))
    before = _TURN.split(text[max(start, at - 110) : at])[-1]
    found = [(m.end(), PhaseKind(PHASES[squeezed(m[0].replace("-", " "))])) for m in _PHASE.finditer(before)]
    if not found:
        return None
    moved = next((k for _, k in reversed(found) if k in (PhaseKind.TITRATION, PhaseKind.ADJUSTED, PhaseKind.TAPER)), None)
    if moved is not None and _TO.search(before):
        return moved
    still = [k for _, k in found if k not in (PhaseKind.TITRATION, PhaseKind.ADJUSTED)]
    named = [k for k in still if k is not PhaseKind.USUAL]
    return named[-1] if named else still[-1] if still else moved


def route_of(text: str, start: int, end: int, *, adverbs: bool = False) -> str | None:
    """The one route that the words in `[start, end)` name; None where they name none or several. With `adverbs` adjectives do not count."""
    named = {
        ROUTES[squeezed(m[0].replace("-", " "))] if squeezed(m[0].replace("-", " ")) in ROUTES else ROUTES.get(squeezed(m[0]), "")
        for m in _ROUTE.finditer(text, start, end)
        if (m[0].lower() not in _CASED or m[0].isupper() or m[0] == "po") and not (adverbs and _ADJECTIVE.fullmatch(m[0]))
    } - {""}
    return named.pop() if len(named) == 1 else None


_DAILY = re.compile(
    r"\b(?:daily|per\s+day|a\s+day|/day|(?:in|per)\s+(?:any\s+)?(?:a\s+)?24[\s-]*h(?:ou)?rs?(?:[\s-]+period)?|24-hour\s+period|each\s+day|every\s+day)\b|一日|每日|每天|日(?:剂量|用量)|24小时",
    re.IGNORECASE,
)
_MEASURES = (
    (re.compile(r"\blifetime\b|\bcumulative\b|终生", re.IGNORECASE), Measure.LIFETIME),
    (re.compile(r"\b(?:per|a|any|one|each|every)\s+week\b|/week|\bweekly\b|每周|一周", re.IGNORECASE), Measure.WEEK),
    (
        re.compile(
            r"\b(?:per|each|during\s+a)\s+(?:course|cycle|treatment\s+course)\b|\bfull\s+course\b|\bover\s+the\s+course\b|\bthroughout\s+(?:the\s+)?(?:course|treatment)",
            re.IGNORECASE,
        ),
        Measure.COURSE,
    ),
    (
        re.compile(
            r"\bsingle[\s-]+dose\b|\bper\s+(?:dose|injection|infusion|administration|attack)\b|\bin\s+a\s+single\b|/dose|单次|每次|一次(?!性)", re.IGNORECASE
        ),
        Measure.SINGLE,
    ),
)


def measure_of(words: str) -> Measure | None:
    """The measure that the words around a ceiling name; None where they name none."""
    found = next((measure for pattern, measure in _MEASURES if pattern.search(words)), None)
    if found is Measure.LIFETIME and _DAILY.search(words):
        return Measure.DAY
    return found or (Measure.DAY if _DAILY.search(words) else None)
