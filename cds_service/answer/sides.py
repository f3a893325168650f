"""How cards name the two sides of a finding: the drug, and the partner, value, condition or allergen it meets."""

from __future__ import annotations

from cds_service.answer.markdown import clip, escape, plain
from cds_service.audit.outcomes import Category, Finding

_JOINTS: dict[Category, str] = {
    Category.INTERACTION: " with ",
    Category.ALLERGY: ", allergy to ",
    Category.DUPLICATE: " and ",
    Category.CONTRAINDICATION: " in ",
    Category.SPECIAL_POPULATION: " in ",
    Category.INDICATION: " for ",
    Category.DOSAGE: ", ",
}
_UNIT_WORDS = (("mm[Hg]", "mmHg"), ("{1.73_m2}", "1.73 m2"), ("10*3/uL", "x10^3/uL"), ("10*9/L", "x10^9/L"), ("[IU]", "IU"), ("{INR}", ""))

NAME_LIMIT = 80
"""Characters of a name on a card; what an order calls a drug may be of any length."""


def drug_name(f: Finding) -> str:
    """The drug's name on cards."""
    return clip(plain(f.drug.shown or f.drug.name), NAME_LIMIT)


def other_name(f: Finding) -> str:
    """The other side's name on cards, empty where there is none."""
    return clip(_readable(plain(f.other.shown or f.other.name)), NAME_LIMIT) if f.other else ""


def _readable(text: str) -> str:
    """Units as a person writes them."""
    for code, words in _UNIT_WORDS:
        text = text.replace(code, words)
    return text


def measured(f: Finding) -> bool:
    """True where the other side is a value of the patient, not a state."""
    if f.other is None or not any(c.isdigit() for c in other_name(f)):
        return False
    return f.other.type in ("lab", "population") or any(s.kind == "observations" for s in f.data)


def joint(f: Finding) -> str:
    """The word between a drug and what it meets: a patient has a value, is at an age and in a state."""
    if f.category in (Category.CONTRAINDICATION, Category.SPECIAL_POPULATION) and measured(f):
        return " at " if other_name(f).startswith("age ") else " with "
    return _JOINTS.get(f.category, ": ")


def meant(f: Finding) -> str:
    """The label's word for a value, behind the value."""
    label = plain(f.other.label) if f.other is not None and f.other.label else ""
    return f" ({clip(label, 40)})" if measured(f) and label and not any(c.isdigit() for c in label) and not says(other_name(f), label) else ""


def heads(f: Finding) -> bool:
    """True where the heading names whom the label means, and the patient's own value stands below it."""
    label = plain(f.other.label) if f.other is not None and f.other.label else ""
    stated = f.category in (Category.CONTRAINDICATION, Category.SPECIAL_POPULATION) or (
        f.category is Category.DOSAGE and f.other is not None and f.other.type != "drug"
    )
    return stated and bool(label)


def against(f: Finding, *, whole: bool = False) -> str:
    """What the drug meets: the partner, or whom the label means; `whole` puts the patient's own value or condition before the label's word for it."""
    if f.other is None:
        return ""
    name, label = other_name(f), plain(f.other.label or "")
    if heads(f) and not whole:
        between = " for " if f.category is Category.DOSAGE else " in " if not measured(f) or not label[:1].isdigit() else " with "
        return f"{between}{escape(label)}"
    beside = f" ({escape(label)})" if label and not says(name, label) else ""
    return f"{joint(f)}{'with ' if f.category is Category.DOSAGE and f.other.type == 'drug' else ''}{escape(name)}{beside}"


def says(name: str, label: str) -> bool:
    """True when a name holds the label's word."""
    return label.casefold() in plain(name).casefold()


def pair(f: Finding) -> str:
    """The drug and what it meets, for the summary of the calm card: "amiodarone with warfarin", "amiodarone (age 71 years)"."""
    if f.other is None:
        return drug_name(f)
    between = _JOINTS.get(f.category, " with ") if f.category in (Category.INTERACTION, Category.DUPLICATE, Category.INDICATION) else ""
    return f"{drug_name(f)}{between}{other_name(f)}" if between else f"{drug_name(f)} ({other_name(f)})"


def named(drug: str) -> str:
    """A name as the beginning of a sentence."""
    return drug[:1].upper() + drug[1:]
