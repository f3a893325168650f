"""Renal and hepatic function, dialysis, pregnancy and lactation as words say them ("mild or moderate renal impairment (CLcr 30-89 mL/min)").

Where a bracket defines the word by a number, the number is the condition; a number without an upper end only narrows the word. Child-Pugh classes stand beside the grade that they define.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, Interval, Opaque
from ontology.text.bounds import Bound
from ontology.text.sought import sought

_CUE = sought("renal|kidney|hepatic|liver|esrd|eskd|anephric|pugh|class|dialy|filtration|capd|crrt|cvv|veno|pregnan|trimester|breast|lactat|nursing")
"""What every wording read here holds one of; a look for them costs less than the patterns."""

_GRADE = r"(?:less severe|mild(?:ly)?|moderate(?:ly)?|severe(?:ly)?|significant(?:ly)?|marked(?:ly)?|substantial(?:ly)?|advanced|clinically significant)"
_JOIN = r"(?:\s*(?:,|/|-|\bto\b|\bor\b|\band\b|\band/or\b)\s*)+(?:in\s+)?"
_GRADES = rf"(?:any\s+degree\s+of\s+)?{_GRADE}(?:{_JOIN}{_GRADE}){{0,5}}"
_ORGAN = r"(?:renal(?:ly)?|kidney|hepatic(?:ally)?|liver)"
_ORGANS = rf"{_ORGAN}(?:\s*(?:impairment|insufficiency|dysfunction|disease|function)?\s*(?:,|/|\bor\b|\band\b|\band/or\b)\s*(?:{_GRADES}\s+)?{_ORGAN}){{0,4}}"
_WORDED = sought(
    rf"\b(?:(?P<normal>normal|adequate|unimpaired)\s+)?(?:(?P<grades>{_GRADES})\s+(?:chronic\s+)?)?(?:(?P<poor>impaired|impairment of|reduced|decreased|compromised|diminished|poor|abnormal|altered|declining)\s+)?"
    rf"(?P<organs>{_ORGANS})\s+(?P<noun>(?:function(?:al)?\s+)?(?:impairment|insufficiency|dysfunction|deficiency)s?|impaired|compromised|failure|disease|function)\b(?P<late>\s+(?:is\s+)?(?:impaired|reduced|decreased|compromised)\b)?",
    re.IGNORECASE,
)
_SHARED_GRADE = re.compile(
    rf"\b(?P<grade>{_GRADE})\s+(?:heart|cardiac|cardiovascular|lung|pulmonary|respiratory|thyroid|vascular)(?:\s*,\s*(?:heart|cardiac|cardiovascular|lung|pulmonary|respiratory|thyroid|vascular))*\s*(?:,|/|\bor\b|\band\b|\band/or\b)+\s*$",
    re.IGNORECASE,
)
"""A degree before another organ of the same phrase ("severe heart or kidney disease")."""

_END_STAGE = sought(
    r"\bend[- ]stage\s+(?:renal|kidney)\s+(?:disease|failure|impairment)(?:\s*[(\[](?:ESRD|ESKD)[)\]])?|\bES[RK]D\b|\bfunctionally anephric\b|\banephric\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\b(?:both|combined|concurrent|concomitant|coexisting|simultaneous)\s+(?:severe\s+|moderate\s+|mild\s+)?$", re.IGNORECASE)
_SHORT_END_STAGE = re.compile(r"\s*[(\[](?:ESRD|ESKD)[)\]]", re.IGNORECASE)
_NAMED_DISEASE = re.compile(
    r"\b(?:acute|active|alcoholic|cholestatic|chronic|fatty|decompensated|compensated|polycystic|diabetic|progressive|underlying|pre-?existing|inflammatory|veno-?occlusive|autoimmune|unstable|vascular|fulminant|history of|metabolic|end[- ]stage)\s+(?:or\s+\w+\s+)?$",
    re.IGNORECASE,
)
_CHILD_PUGH = sought(
    r"\b(?:child[\s-]*(?:turcotte[\s-]*)?pugh(?:\s*\(?CTP\)?)?|C-P(?=\s+(?:class\s+)?[ABC]\b))(?:\s*[,=:-]?\s*(?:class(?:es|ification)?|grades?|category|categories|scores?|stage|cirrhosis))*(?:\s*\(C-P\))?\s*[:=(\[-]?\s*"
    r"(?P<first>[ABC])\b(?P<rest>(?:\s*(?:(?:,|/|-|\bto\b|\bor\b|\band\b)\s*)+(?:(?:child[\s-]*pugh)?[\s-]*class\s*)?[ABC]\b)*)|\bclass(?:es)?\s+(?P<only>[ABC](?:\s*(?:,|/|-|\bto\b|\bor\b|\band\b)+\s*[ABC])*)\s+(?:cirrhosis|hepatic|liver)",
    re.IGNORECASE,
)
_DIALYSIS = sought(
    r"\b(?P<not>(?:(?:is|are|who are)\s+)?(?:not\s+(?:yet\s+|currently\s+)?(?:on|requiring|undergoing|receiving|maintained on|treated with|dependent on)|without|no|non-?)\s*)?(?:(?:chronic|maintenance|intermittent|long-term|regular)\s+)*"
    r"(?P<kind>ha?emo-?dialy[sz](?:is|ed)|peritoneal dialysis|CAPD|CRRT|CVVHD?F?|continuous (?:renal replacement|veno-?venous)[\w -]{0,24}|h(?:a)?emofiltration|h(?:a)?emodiafiltration|dialysis|dialy[sz]ed)\b(?:\s*\((?:HD|IHD|PD|CAPD|CRRT)\))?",
    re.IGNORECASE,
)
_ABOUT_DIALYSIS = re.compile(
    r"\b(?:after|following|before|prior to|during|between|by|via|removed|each|every|end of|completion of|per|supplement\w*|post-?|(?:hours?|dose|session|day)s?\s+(?:of|after|before))\s+(?:(?:each|the|a|every|completion of)\s+)*$",
    re.IGNORECASE,
)
_SESSION = re.compile(r"\s*(?:sessions?|days?|treatments?|procedures?|membranes?|fluids?|solutions?|clearance|patients? removal)\b", re.IGNORECASE)
_PREGNANT = sought(
    r"\b(?:(?P<trimesters>(?:(?:first|second|third|last|early|late|1st|2nd|3rd)(?:\s*(?:,|\bor\b|\band\b)+\s*)?)+)\s+trimesters?(?:\s+(?:of\s+)?pregnancy)?|(?P<not>(?:who\s+)?(?:are\s+|is\s+)?not\s+|non-?)?pregnan(?:t|cy)\b(?:\s+(?:women|females|patients))?)",
    re.IGNORECASE,
)
_LACTATING = sought(r"\b(?P<not>not\s+|non-?)?(?:breast-?\s?feeding|lactat(?:ing|ion)|nursing)\b(?:\s+(?:women|mothers|females|patients))?", re.IGNORECASE)
_TRIMESTERS = {"first": "first-trimester", "1st": "first-trimester", "early": "first-trimester", "second": "second-trimester", "2nd": "second-trimester"}
_RENAL_AXES = frozenset({Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR})
_OWN_GRADES = {
    Axis.RENAL: re.compile(rf"\b(?P<grades>{_GRADES})\s+(?:renal(?:ly)?|kidney)\b", re.IGNORECASE),
    Axis.HEPATIC: re.compile(rf"\b(?P<grades>{_GRADES})\s+(?:hepatic(?:ally)?|liver)\b", re.IGNORECASE),
}
"""The degrees of an organ that is named behind another one ("severe renal or moderate hepatic impairment")."""

_SHARED = 80  # characters before an organ in which a degree stands that it shares with others
_GRADED = ("mild", "moderate", "severe")
_BRACKET = re.compile(r"[(\[][^()\[\]]*(?:[(\[][^()\[\]]*[)\]][^()\[\]]*)*[)\]]")


def find_organ_function(text: str, start: int, end: int, bounds: Sequence[Bound]) -> Iterator[Restriction]:
    """The conditions on organs, dialysis, pregnancy and lactation in `[start, end)`; `bounds` are those of the same stretch, with offsets in `text`."""
    if _CUE.search(text[start:end].lower()) is None:
        return
    plain = _without_brackets(text, start, end)
    taken: list[tuple[int, int]] = []
    for m in _END_STAGE.finditer(plain):
        short = _SHORT_END_STAGE.match(text, start + m.end(), end)
        taken.append((start + m.start(), short.end() if short else start + m.end()))
        yield Restriction(Category(Axis.RENAL, ("esrd",)), *taken[-1])
    for m in _WORDED.finditer(plain):
        at, until = start + m.start(), start + m.end()
        if any(s < until and at < e for s, e in taken) or _is_named_disease(plain, m):
            continue
        if m["noun"].lower() == "function" and not (m["poor"] or m["normal"] or m["late"]):
            continue
        until = _with_brackets(text, until, end)
        guard = _worded(m, text[at:until], [b for b in bounds if at <= b.start and b.end <= until], both=_BOTH.search(plain[: m.start()]) is not None)
        taken.append((at, until))
        yield Restriction(guard, at, until)
    for m in _END_STAGE.finditer(text, start, end):
        if not any(s <= m.start() < e for s, e in taken):
            yield Restriction(Category(Axis.RENAL, ("esrd",)), m.start(), m.end())
    for m in _CHILD_PUGH.finditer(text, start, end):
        if not any(s <= m.start() < e for s, e in taken):
            yield Restriction(Category(Axis.CHILD_PUGH, _classes(m)), m.start(), m.end())
    yield from _dialysis(text, start, end)
    yield from _childbearing(text, start, end)


def _is_named_disease(plain: str, m: re.Match[str]) -> bool:
    return m["noun"].lower() in ("failure", "disease") and not m["grades"] and _NAMED_DISEASE.search(plain[max(0, m.start() - 40) : m.start()]) is not None


def _without_brackets(text: str, start: int, end: int) -> str:
    """The stretch with what stands in brackets blanked, so that "moderate (CrCl 30 to 59) or severe renal impairment" is one phrase."""
    return _BRACKET.sub(lambda m: " " * len(m[0]), text[start:end])


def _with_brackets(text: str, until: int, end: int) -> int:
    """Where the bracket ends that follows right behind, or `until`."""
    behind = re.compile(r"\s*").match(text, until, end)
    at = behind.end() if behind else until
    bracket = _BRACKET.match(text, at, end)
    return bracket.end() if bracket is not None else until


def _worded(m: re.Match[str], words: str, bounds: Sequence[Bound], *, both: bool) -> Guard:
    """The guard of one phrase: its numbers where it prints them, else its grades. Two organs are alternatives ("hepatic and renal impairment") unless
    the words ask for `both`.
    """
    organs = list(
        dict.fromkeys(Axis.RENAL if o[0].lower().startswith(("renal", "kidney")) else Axis.HEPATIC for o in re.finditer(_ORGAN, m["organs"], re.IGNORECASE))
    )
    if m["normal"]:
        return _any([Category(a, ("none",)) for a in organs], every=True)
    parts = [_of_organ(axis, m, words, bounds) for axis in organs]
    return _any(parts, every=both)


def _of_organ(axis: Axis, m: re.Match[str], words: str, bounds: Sequence[Bound]) -> Guard:
    numbers: list[Guard] = [b.interval for b in bounds if b.interval.axis in _RENAL_AXES] if axis is Axis.RENAL else []
    if numbers:
        graded, _ = _grades(m["grades"] or "")
        open_above = all(isinstance(n, Interval) and n.axis is not Axis.SCR and n.high is None for n in numbers)
        defined = _any(_together(numbers), every=False)
        return AllOf((Category(axis, graded), defined)) if graded and open_above else defined
    shared = _SHARED_GRADE.search(m.string[max(0, m.start() - _SHARED) : m.start()]) if not m["grades"] else None
    own = _OWN_GRADES[axis].search(m["organs"])
    grades, vague = _grades(own["grades"] if own is not None else shared["grade"] if shared is not None else m["grades"] or "")
    values = grades or _GRADED
    tail = ("esrd",) if axis is Axis.RENAL and (not grades or "severe" in grades) else ()
    if axis is Axis.HEPATIC and (classes := [c for found in _CHILD_PUGH.finditer(words) for c in _classes(found)]):
        return _by_class(grades, tuple(dict.fromkeys(classes)))
    scores: list[Guard] = [b.interval for b in bounds if b.interval.axis is Axis.CHILD_PUGH] if axis is Axis.HEPATIC else []
    guard: Guard = Category(axis, (*values, *tail))
    if scores:
        return AllOf((guard, _any(scores, every=False)))
    return AllOf((guard, Opaque(" ".join(m[0].split())))) if vague else guard


def _by_class(grades: tuple[str, ...], classes: tuple[str, ...]) -> Guard:
    """Each grade with its Child-Pugh class where they are printed in step, else all of both."""
    if not grades:
        return Category(Axis.CHILD_PUGH, classes)
    if len(grades) == len(classes):
        return _any([AllOf((Category(Axis.HEPATIC, (g,)), Category(Axis.CHILD_PUGH, (c,)))) for g, c in zip(grades, sorted(classes), strict=True)], every=False)
    return AllOf((Category(Axis.HEPATIC, grades), Category(Axis.CHILD_PUGH, classes)))


def _together(numbers: list[Guard]) -> list[Guard]:
    """The numbers of a phrase that bound one value from both sides as one guard ("> 30 and ≤ 60")."""
    return list(dict.fromkeys(numbers))


def _grades(words: str) -> tuple[tuple[str, ...], bool]:
    """The grades that the words name, in order of the scale, and whether one of the words is on no scale."""
    named = [g for g in _GRADED if re.search(rf"(?<!less )\b{g}", words, re.IGNORECASE)]
    if len(named) == 2 and named[0] == "mild" and named[1] == "severe" and re.search(r"\bto\b|-", words):
        named = list(_GRADED)
    return tuple(named), not named and bool(words.strip()) and "any degree" not in words.lower()


def _classes(m: re.Match[str]) -> tuple[str, ...]:
    letters = re.findall(r"\b[ABC]\b", (m["only"] or f"{m['first']}{m['rest']}").upper())
    spread = re.search(r"-|\bto\b", re.sub(r"child-pugh", "", m["only"] or m["rest"] or "", flags=re.IGNORECASE), re.IGNORECASE) is not None
    if spread and len(letters) > 1:
        return tuple("ABC"["ABC".index(min(letters)) : "ABC".index(max(letters)) + 1])
    return tuple(sorted(set(letters)))


def _dialysis(text: str, start: int, end: int) -> Iterator[Restriction]:
    for m in _DIALYSIS.finditer(text, start, end):
        if not m["not"] and (_ABOUT_DIALYSIS.search(text[max(start, m.start() - 40) : m.start()]) or _SESSION.match(text, m.end())):
            continue
        kind = m["kind"].lower()
        value = (
            "hemodialysis"
            if "emodia" in kind or "emo-dia" in kind
            else "peritoneal"
            if kind.startswith(("periton", "capd"))
            else "yes"
            if kind.startswith("dialy")
            else "crrt"
        )
        if value == "hemodialysis" and "filtration" in kind:
            value = "crrt"
        yield Restriction(Category(Axis.DIALYSIS, ("no",) if m["not"] else (value,)), m.start(), m.end())


def _childbearing(text: str, start: int, end: int) -> Iterator[Restriction]:
    for m in _PREGNANT.finditer(text, start, end):
        if re.match(r"\s+(?:tests?|testing|status|registry|category|outcomes?|exposure|rates?|prevention)\b", text[m.end() :]):
            continue
        if m["trimesters"]:
            named = re.findall(r"first|second|third|last|early|late|1st|2nd|3rd", m["trimesters"].lower())
            yield Restriction(Category(Axis.PREGNANCY, tuple(dict.fromkeys(_TRIMESTERS.get(n, "third-trimester") for n in named))), m.start(), m.end())
        else:
            yield Restriction(Category(Axis.PREGNANCY, ("no" if m["not"] else "yes",)), m.start(), m.end())
    for m in _LACTATING.finditer(text, start, end):
        if not re.match(r"\s+(?:home|homes|care|staff|infants?|facilit\w+)\b", text[m.end() :]):
            yield Restriction(Category(Axis.LACTATION, ("no" if m["not"] else "yes",)), m.start(), m.end())


def _any(parts: Sequence[Guard], *, every: bool) -> Guard:
    unique = tuple(dict.fromkeys(parts))
    if len(unique) == 1:
        return unique[0]
    if not every and all(isinstance(p, Category) and p.axis is Axis.RENAL for p in unique):
        return Category(Axis.RENAL, tuple(dict.fromkeys(v for p in unique if isinstance(p, Category) for v in p.values)))
    return AllOf(unique) if every else AnyOf(unique)
