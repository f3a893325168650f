"""Compositional classes: enzyme and transporter roles as labels write them.

"strong or moderate CYP3A inhibitors", "inhibitors of CYP3A4 and P-gp", "CYP2C9, 1A2, and/or 3A4 inhibitors or inducers", "drugs that
inhibit CYP2D6", "drugs metabolized by CYP2C8" each name several roles: every strength, enzyme and kind is spelled out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ontology.text.enzymes import MEMBER, canonical_enzyme, family_of
from ontology.text.sought import Stretches


@dataclass(frozen=True, slots=True)
class Role:
    """One role: enzyme (`CYP3A4`, `P-gp`), kind (`inhibitor`, `inducer`, `substrate`) and strength where the label gives one."""

    enzyme: str
    kind: str
    strength: str | None = None

    @property
    def name(self) -> str:
        """The role in words, singular ("strong CYP3A4 inhibitor")."""
        return f"{self.strength + ' ' if self.strength else ''}{self.enzyme} {self.kind}"


@dataclass(frozen=True, slots=True)
class RoleMention:
    """A phrase that names roles at `[start, end)`. `joint` is True where one drug must have all of them ("combined P-gp and CYP3A inhibitors")."""

    start: int
    end: int
    roles: tuple[Role, ...]
    joint: bool = False


_BARE = MEMBER
_ENZYME = (
    rf"(?:(?:hepatic\s+)?(?:cytochrome\s+P-?450|CYP\s?450|P450)\s+\(?(?:CYP)?\s?{_BARE}\)?(?:\s*\(CYP\s?{_BARE}\))?|CYP[\s-]?{_BARE}|P-?glycoprotein(?:\s*\((?:P-?gp|Pgp)\))?|P-?gp|MDR1|BCRP"
    r"|OATP\s?\d[A-Z]\d?(?:/\d?[A-Z]?\d)*|OATPs?|OAT\d(?:/\d)*|OCT\d(?:/\d)*|MATEs?\b(?!-?\d)|MATE-?\d(?:-?K)?(?:/\d(?:-?K)?)?|UGT\s?\d[A-Z]\d{1,2}(?:/\d?[A-Z]?\d{1,2})*|UGTs?|UDP-?glucuronosyltransferases?|BSEP|MRP\d|aldehyde oxidase)"
)
_WITH_ENZYMES = Stretches(re.compile(_ENZYME, re.IGNORECASE), ".;:[]\x01")
_STRENGTH = r"(?:very\s+)?(?:strong|potent|powerful|moderate|weak|mild|sensitive|narrow therapeutic (?:index|range)|clinical|selective|known)"
_JOIN = r"(?:\s*,\s*(?:(?:and|or|and/or)\s+)?|\s*/\s*|\s+(?:and/or|and|or|&|as well as)\s+)"
_KIND = r"(?:inhibitors?|inducers?|substrates?|inhibition|induction)"
_STRENGTHS = rf"{_STRENGTH}(?:{_JOIN}{_STRENGTH}){{0,6}}(?:-to-{_STRENGTH}|\s+to\s+{_STRENGTH})?"
_ITEM = rf"(?:(?:{_STRENGTHS}\s+)?(?:dual\s+|combined\s+)?{_ENZYME}(?:\s+(?:iso)?enzymes?)?)"
_MORE = rf"(?:(?:{_STRENGTHS}\s+)?(?:{_ENZYME}|{_BARE}(?![a-z])))"
_NOUN = re.compile(
    rf"\b(?P<joint>(?:combined|dual|both|concomitant)\s+)?(?P<items>{_ITEM}(?:{_JOIN}{_MORE}){{0,11}})(?:[\s-]+(?:iso)?(?:enzymes?|zymes?|transporters?|efflux transporter|mediated|system))*"
    rf"[\s-]+(?P<kinds>{_KIND}(?:{_JOIN}(?:{_STRENGTH}\s+)?{_KIND})*)",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"\b(?P<strength>{_STRENGTHS}\s+)?(?P<kinds>(?:inhibitors?|inducers?|substrates?)(?:{_JOIN}(?:inhibitors?|inducers?|substrates?))*)\s+(?:of|for)\s+(?:the\s+)?(?:both\s+)?(?:enzymes?\s+|transporters?\s+|activity of\s+)?"
    rf"(?P<items>{_ITEM}(?:{_JOIN}(?:of\s+)?{_MORE}){{0,11}})",
    re.IGNORECASE,
)
_DRUGS = r"(?:drugs?|agents?|medications?|medicines?|medicinal products?|products?|compounds?|co-?medications|therapies|substances?)"
_THAT = re.compile(
    rf"\b{_DRUGS}\s+(?:that\s+|which\s+)?(?:are\s+)?(?:known to\s+|may\s+|can\s+|could\s+)?(?P<adverb>strongly\s+|potently\s+|moderately\s+|weakly\s+)?(?P<verb>(?:inhibit|inhibiting|induce|inducing)(?:(?:\s+(?:and/or|and|or)\s+|/)(?:inhibit|inhibiting|induce|inducing))?)\s+(?:the\s+)?(?:activity of\s+|enzymes?\s+|metabolism (?:via|by)\s+)?"
    rf"(?P<items>{_ITEM}(?:{_JOIN}{_MORE}){{0,11}})",
    re.IGNORECASE,
)
_CLEARED = re.compile(
    rf"\b{_DRUGS}\s+(?:with\s+an?\s+narrow\s+therapeutic\s+(?:range|index)\s+)?(?:that\s+|which\s+)?(?:are\s+)?(?:known to be\s+)?(?:\w+ly\s+)?(?:metaboli[sz]ed|cleared|eliminated|transported)\s+(?:\w+ly\s+)?(?:by|via|through)\s+(?:the\s+)?(?:enzymes?\s+)?(?P<items>{_ITEM}(?:{_JOIN}{_MORE}){{0,11}})",
    re.IGNORECASE,
)
_MECHANISM = re.compile(r"(?:inhibition|induction)", re.IGNORECASE)
_OPENED = re.compile(r"(?:^|[\s)])\([^()]*$")
_NEAR = 80
"""Code points before a mechanism in which its bracket opens: "(CYP3A4 inhibition)" behind a name says why, and names no drugs."""
_TWO_FAMILIES = re.compile(r"CYP\w+\s*/\s*P-?g|P-?gp\s*/\s*CYP", re.IGNORECASE)
_PART = re.compile(rf"(?P<strengths>{_STRENGTHS}\s+)?(?P<enzyme>{_ENZYME}|{_BARE}(?![a-z]))", re.IGNORECASE)
_WORD_OF_STRENGTH = {"potent": "strong", "powerful": "strong", "mild": "weak", "narrow therapeutic range": "narrow therapeutic index"}
_IGNORED_STRENGTH = frozenset({"clinical", "selective", "known"})
_KINDS = {"inhibit": "inhibitor", "induc": "inducer", "substra": "substrate"}


def find_roles(text: str) -> list[RoleMention]:
    """The role phrases of folded text from left to right, none overlapping another (the longer phrase wins)."""
    found: list[RoleMention] = []
    for start, end in _WITH_ENZYMES.of(text):
        found += _roles_in(text, start, end)
    found.sort(key=lambda r: (r.start, -r.end))
    out: list[RoleMention] = []
    for role in found:
        if role.roles and (not out or role.start >= out[-1].end):
            out.append(role)
    return out


def _roles_in(text: str, start: int, end: int) -> list[RoleMention]:
    """All readings of one stretch."""
    found: list[RoleMention] = []
    for m in _OF.finditer(text, start, end):
        found.append(RoleMention(m.start(), m.end(), _spell(m["items"], _kinds(m["kinds"]), _strengths(m["strength"] or ""))))
    for m in _NOUN.finditer(text, start, end):
        if _MECHANISM.fullmatch(m["kinds"]) and _OPENED.search(text[max(0, m.start() - _NEAR) : m.start()]):
            continue
        joint = bool(m["joint"]) or re.search(r"\b(?:dual|combined)\b", m["items"], re.IGNORECASE) is not None
        found.append(RoleMention(m.start(), m.end(), _spell(m["items"], _kinds(m["kinds"]), ()), joint or _TWO_FAMILIES.search(m["items"]) is not None))
    for m in _THAT.finditer(text, start, end):
        strength = {"strongly": "strong", "potently": "strong", "moderately": "moderate", "weakly": "weak"}.get((m["adverb"] or "").strip().lower())
        found.append(RoleMention(m.start(), m.end(), _spell(m["items"], _kinds(m["verb"]), (strength,) if strength else ())))
    for m in _CLEARED.finditer(text, start, end):
        found.append(RoleMention(m.start(), m.end(), _spell(m["items"], ("substrate",), ())))
    return found


def _spell(items: str, kinds: tuple[str, ...], outer: tuple[str, ...]) -> tuple[Role, ...]:
    """Every strength x enzyme x kind of a phrase; a strength holds for the enzymes behind it until the next one."""
    roles: list[Role] = []
    current: tuple[str, ...] = outer
    family = ""
    for m in _PART.finditer(items):
        own = _strengths(m["strengths"] or "")
        if own or m["strengths"]:
            current = own or outer
        for enzyme in _enzymes(m["enzyme"], family):
            family = family_of(enzyme)
            for kind in kinds:
                roles += [Role(enzyme, kind, s) for s in current or (None,)]
    return tuple(dict.fromkeys(roles))


def _enzymes(text: str, family: str) -> list[str]:
    out: list[str] = []
    for m in re.finditer(rf"{_ENZYME}|{_BARE}(?![a-z])", text, re.IGNORECASE):
        out += canonical_enzyme(m[0], family)
    return list(dict.fromkeys(out))


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for m in re.finditer(r"inhibit|induc|substra", text.lower()) for kind in (_KINDS[m[0]],)))


def _strengths(text: str) -> tuple[str, ...]:
    words = [m[0].lower().removeprefix("very ") for m in re.finditer(_STRENGTH, text, re.IGNORECASE)]
    return tuple(dict.fromkeys(_WORD_OF_STRENGTH.get(w, w) for w in words if w not in _IGNORED_STRENGTH))
