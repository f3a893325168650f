"""What a printed number of a patient measures: the axis, the unit of the table, and the analyte of a laboratory value.

The unit says it, or the name before the number, or the header of the number's column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ontology.model.facts import Axis
from ontology.model.identifiers import normal_words
from ontology.model.quantities import Unit
from ontology.terms.labs import shipped_labs
from ontology.text.sought import sought

_TIME_CODES = {"y": "a", "m": "mo", "w": "wk", "d": "d"}
_DEFAULT_UNITS: dict[Axis, str] = {
    Axis.CRCL: "mL/min",
    Axis.CRCL_INDEXED: "mL/min/{1.73_m2}",
    Axis.EGFR: "mL/min/{1.73_m2}",
    Axis.SCR: "mg/dL",
    Axis.WEIGHT: "kg",
    Axis.BSA: "m2",
    Axis.CHILD_PUGH: "1",
}
"""The unit of a bare number under a header of that axis: the one that United States labels print."""
_TIMES = (Axis.AGE, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE)
_FILLERS = re.compile(
    r"(?:\s|\([^()]{0,60}\)|\[[^\][]{0,60}\]|\((?:\s*(?:i\.\s?e\.|that is)\s*,?)?|,|:|=|-|\b(?:levels?|concentrations?|counts?|values?|measurements?|results?|scores?|is|are|was|were|of|at|between|from|with|an?|the|falls?|drops?|rises?|remains?|persistent(?:ly)?|estimated|approximately)\b)*$",
    re.IGNORECASE,
)
_UNIT_OF_NAME = re.compile(r"\(\s*(?P<unit>[^()]{1,24}?)\s*\)[\s:,=]{0,4}$")
"""The unit that stands with the name, as in the header of a column ("Platelet Count (x 10^9/L): less than 40")."""
_PEOPLE_BEFORE = re.compile(
    r"\b(?:child(?:ren)?|p(?:a)?ediatrics?(?: patients?| population| age group)?|infants?|neonates?|newborns?|adolescents?|teenagers|adults?|elderly|geriatric patients?|patients?|individuals|persons|people|boys|girls|women|men|females|males|those|young people)"
    r"(?:\s*(?:\(|,|\[|:|-|who are|whose|age[ds]?|from|between|the|of|is|are|and|years|patients?|with an|in the|group))*\s*$",
    re.IGNORECASE,
)
_AGE_BEFORE = re.compile(r"\b(?:aged?|ages(?: of)?|age (?:is|was|of|group|range)|years of age)\s*(?:\(|:|of|from|between|is|the|,)*\s*$", re.IGNORECASE)
_BIRTH_AGE = re.compile(
    r"gestational age(?:\s*\((?:GA|EGA)\))?(?:\s*(?:of|at birth|is|was|:|from|between|,))*\s*$|\bborn (?:at|before|after)\s*$|\bGA\s*(?:of|is)?\s*$",
    re.IGNORECASE,
)
_DAYS_OF_LIFE = re.compile(r"post-?natal age(?:\s*\(PNA\))?(?:\s*(?:of|is|:|from|between|,))*\s*$|\bPNA\s*(?:of|is)?\s*$", re.IGNORECASE)
_OTHER_AGE = re.compile(r"(?:post-?menstrual|post-?conceptional|corrected|bone)\s+age\b[^.;]{0,20}$|\bPMA\b[^.;]{0,6}$", re.IGNORECASE)
_KIDNEY = sought(
    r"(?P<egfr>\be?GFR\b|glomerular filtration)|(?P<crcl>creatinine clearance|\bCr ?Cl\b|\be?CL ?[Cc][Rr]\b|\bC[Cc]r\b|\bCLer\b|\bclearance\b|renal|kidney)",
    re.IGNORECASE,
)
_WEIGH = re.compile(r"\bweigh(?:t|ing|s)?\b", re.IGNORECASE)
_NAMED_WEIGHT = re.compile(r"\b(?P<which>ideal|adjusted|lean)\s+(?:body\s+)?(?:weight|mass)[^.;]{0,20}$", re.IGNORECASE)
_SURFACE = re.compile(r"body surface area|\bBSA\b", re.IGNORECASE)
_BODY_MASS = re.compile(r"body mass index|\bBMI\b", re.IGNORECASE)
_CHILD_PUGH = re.compile(r"\bchild[\s-]*(?:turcotte[\s-]*)?pugh(?:\s*\(?CTP\)?)?(?:\s+(?:total\s+)?(?:score|points?))?$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:de|in)creases?\b[^.;]{0,60}$|\b(?:change|reduction|drop|fall|rise|decline|elevation) (?:in|from|of|by)\b[^.;,]{0,60}$", re.IGNORECASE
)
_PRESSURE_BEHIND = re.compile(r"[\s-]*mm ?Hg\s*,?\s*(?P<which>systolic|diastolic)\b", re.IGNORECASE)
_VITAL = re.compile(r"(?:pressure|systolic|diastolic|SBP|DBP|heart rate|pulse(?: rate)?|QT\s?c?[FB]?|interval)\s*$", re.IGNORECASE)
_UNSAID = frozenset({"mm[Hg]", "/min", "ms"})
_LONGEST_NAME = 5
_SHORTEST_NAME = 3
_LEADING = re.compile(r"^(?:serum|plasma|blood|baseline|fasting|absolute|total serum)\s+", re.IGNORECASE)
_NO_LAB = frozenset({"egfr", "gfr", "blood", "lipids"})


@dataclass(frozen=True, slots=True)
class Measured:
    """The axis, its unit and, of a laboratory value, the analyte's name."""

    axis: Axis
    unit: str
    detail: str | None = None


def measured_as(text: str, start: int, unit: re.Match[str] | None, age: str | None, hint: Axis | None) -> Measured | None:
    """What a number means whose comparison begins at `start` of folded text; `age` is the word behind it ("of age", "of life"), None where none is."""
    before = text[max(0, start - 110) : start]
    kind = unit.lastgroup if unit is not None else None
    if unit is None or kind is None:
        return _bare(before, hint)
    printed = unit[kind]
    if kind == "time":
        return _time(before, printed, age, hint)
    if kind == "clear":
        return _clearance(before, printed, hint)
    if kind == "weight":
        return _weight(before, printed, hint)
    if kind == "area":
        return Measured(Axis.BSA, "m2") if hint is Axis.BSA or _SURFACE.search(before) else None
    if kind == "bmi":
        return Measured(Axis.BMI, "kg/m2") if _BODY_MASS.search(before) else None
    return _analyte(before, "{ULN}" if kind == "uln" else _lab_unit(printed), hint)


def pressure_behind(text: str, start: int, unit: re.Match[str] | None) -> Measured | None:
    """A blood pressure whose name stands behind its unit ("less than 90 mm Hg systolic"), unless it is by how much one changed."""
    named = _PRESSURE_BEHIND.match(text, unit.start()) if unit is not None else None
    if named is None or _CHANGE.search(text[max(0, start - 110) : start]):
        return None
    return Measured(Axis.LAB, "mm[Hg]", f"{named['which'].lower()} blood pressure")


def _time(before: str, printed: str, age: str | None, hint: Axis | None) -> Measured | None:
    code = _TIME_CODES.get(printed[0].lower())
    word = (age or "").replace("-", "")
    if code is None or "menstrual" in word or "corrected" in word or _OTHER_AGE.search(before):
        return None
    if "gestation" in word or _BIRTH_AGE.search(before):
        return Measured(Axis.GESTATIONAL_AGE, code, "birth" if _BIRTH_AGE.search(before) or "age" in word else None)
    if word in ("of life", "postnatal age") or _DAYS_OF_LIFE.search(before):
        return Measured(Axis.POSTNATAL_AGE, code)
    if age is not None or _AGE_BEFORE.search(before) or _PEOPLE_BEFORE.search(before):
        return Measured(Axis.AGE, code)
    return Measured(hint, code) if hint in _TIMES and hint is not None else None


def _clearance(before: str, printed: str, hint: Axis | None) -> Measured | None:
    indexed = "1.73" in printed
    named = list(_KIDNEY.finditer(before))
    if not named and hint not in (Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR):
        return None
    if named[-1].lastgroup == "egfr" if named else hint is Axis.EGFR:
        return Measured(Axis.EGFR, "mL/min/{1.73_m2}")
    indexed = indexed or (not named and hint is Axis.CRCL_INDEXED)
    return Measured(Axis.CRCL_INDEXED, "mL/min/{1.73_m2}") if indexed else Measured(Axis.CRCL, "mL/min")


def _weight(before: str, printed: str, hint: Axis | None) -> Measured | None:
    unit = Unit.find(printed.lower())
    if unit is None or (unit.code == "g" and hint is not Axis.WEIGHT and _WEIGH.search(before[-40:]) is None):
        return None
    named = _NAMED_WEIGHT.search(before)
    axis = {"ideal": Axis.WEIGHT_IDEAL, "adjusted": Axis.WEIGHT_ADJUSTED, "lean": Axis.WEIGHT_LEAN}[named["which"].lower()] if named else Axis.WEIGHT
    return Measured(axis, unit.code)


def _bare(before: str, hint: Axis | None) -> Measured | None:
    """A number without a unit: the name right before it says what it is, else the header."""
    named = before[: m.start()] if (m := _FILLERS.search(before)) is not None else before
    if _CHILD_PUGH.search(named):
        return Measured(Axis.CHILD_PUGH, "1")
    last = list(_KIDNEY.finditer(named[-40:]))
    if last and last[-1].end() == len(named[-40:]) and last[-1][0].lower() not in ("renal", "kidney", "clearance"):
        return Measured(Axis.EGFR, "mL/min/{1.73_m2}") if last[-1].lastgroup == "egfr" else Measured(Axis.CRCL, "mL/min")
    if re.search(r"\bINR$", named):
        return Measured(Axis.LAB, "{INR}", "inr")
    stated = _UNIT_OF_NAME.search(before)
    if stated is not None and (unit := _lab_unit(stated["unit"])) is not None and (lab := _analyte(before[: stated.start()], unit, None)) is not None:
        return lab
    if hint is not None:
        return Measured(hint, _DEFAULT_UNITS[hint]) if hint in _DEFAULT_UNITS else None
    return _vital_sign(named)


def _vital_sign(named: str) -> Measured | None:
    """A pressure, a rate or an interval of the heart, whose one usual unit labels leave out ("systolic blood pressure < 100")."""
    if _VITAL.search(named) is None or _CHANGE.search(named):
        return None
    words = re.findall(r"[\w+/-]+", named[-70:])
    for size in range(min(_LONGEST_NAME, len(words)), 0, -1):
        unit = _usual_units().get(normal_words(" ".join(words[-size:])))
        if unit is not None:
            return Measured(Axis.LAB, unit, normal_words(" ".join(words[-size:])))
    return None


def _analyte(before: str, unit: str | None, hint: Axis | None) -> Measured | None:
    if unit is None or _CHANGE.search(before):
        return None
    named = before[: m.start()] if (m := _FILLERS.search(before)) is not None else before
    words = re.findall(r"[\w+/-]+", named[-70:])
    for size in range(min(_LONGEST_NAME, len(words)), 0, -1):
        name = " ".join(words[-size:])
        name = f"{name}s" if name.lower().endswith("transaminase") and normal_words(f"{name}s") in _analytes() else name
        if (len(name) >= _SHORTEST_NAME or name.isupper()) and _LEADING.sub("", normal_words(name)) in _analytes():
            return _laboratory(_with_other(words[:-size], _LEADING.sub("", normal_words(name))), unit)
    return Measured(Axis.SCR, unit) if hint is Axis.SCR else None


def _with_other(before: list[str], name: str) -> str:
    """The name with the one that shares its value ("AST or ALT > 3 x ULN"): the patient's record answers for one analyte alone."""
    if len(before) > 1 and before[-1].lower() in ("or", "and", "and/or") and normal_words(before[-2]) in _analytes():
        return f"{normal_words(before[-2])} {before[-1].lower()} {name}"
    return name


def _laboratory(name: str, unit: str) -> Measured:
    if name in ("creatinine", "scr") and unit != "{ULN}":
        return Measured(Axis.SCR, unit)
    return Measured(Axis.LAB, unit, name)


@cache
def _usual_units() -> dict[str, str]:
    """The unit of every name of a test that is reported in one of the units that go without saying."""
    return {name: lab.units[0] for lab in shipped_labs() for name in lab.names if lab.units and lab.units[0] in _UNSAID and len(name) >= _SHORTEST_NAME}


@cache
def _analytes() -> frozenset[str]:
    return frozenset(_LEADING.sub("", name) for lab in shipped_labs() for name in lab.names) - _NO_LAB


def _lab_unit(printed: str) -> str | None:
    """The unit of the table for a printed one; None where it has none."""
    word = re.sub(r"\s+", "", printed).replace("µ", "u").replace("mcmol", "umol").replace("mcg", "ug")
    word = re.sub(r"^per(?:liter)?|perliter$", lambda m: "/L" if m[0].endswith("liter") else "/", word)
    if word in ("mg%", "mg/100mL"):
        return "mg/dL"
    if re.fullmatch(r"(?:cells)?(?:/|per)(?:mm3|mm³|cubicmillimeter|mcL|uL|microliter)", word, re.IGNORECASE):
        return "/uL"
    power = re.fullmatch(r"[x×]10\^?(?P<n>[93])/(?:L|uL|mcL|mm3)", word, re.IGNORECASE)
    if power is not None:
        return "10*9/L" if power["n"] == "9" else "10*3/uL"
    if re.fullmatch(r"ms(?:ec(?:onds)?)?|milliseconds", word, re.IGNORECASE):
        return "ms"
    if re.fullmatch(r"beats?(?:/|per)min(?:ute)?|bpm", word, re.IGNORECASE):
        return "/min"
    unit = Unit.find(word) or Unit.find(word.lower())
    return unit.code if unit is not None else None
