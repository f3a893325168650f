"""Enzyme and transporter roles in Chinese prose: "强效CYP3A4抑制剂", "CYP3A4和P-gp的抑制剂", "中效或强效CYP3A4诱导剂"."""

from __future__ import annotations

import re

from ontology.text.roles import Role, RoleMention

_ENZYME = r"(?:(?:细胞色素P450\s*)?(?:CYP\s?)?\d[A-Z]\d{1,2}|CYP\s?\d[A-Z]\d{0,2}|P-?\s?(?:gp|糖蛋白)|BCRP|乳腺癌耐药蛋白|OATP\s?\d[A-Z]\d|OATPs?|OAT\d|OCT\d|MATE\d|UGT\s?\d[A-Z]\d{1,2})"
_STRENGTH = r"(?:强力|强效|强|中等强度|中度|中等|中效|弱效|弱)(?:的)?"
_JOIN = r"(?:和/或|和|或|及|、|/|与)"
_ROLES = re.compile(
    rf"(?P<before>{_STRENGTH}(?:{_JOIN}{_STRENGTH})*)?(?P<enzymes>{_ENZYME}(?:{_JOIN}{_ENZYME})*)\s*(?:酶|转运体|转运蛋白|同工酶)?(?:的)?(?P<after>{_STRENGTH}(?:{_JOIN}{_STRENGTH})*)?(?P<kinds>(?:抑制|诱导)(?:剂|药物?)|底物)",
    re.IGNORECASE,
)
_GRADES = {"强": "strong", "中": "moderate", "弱": "weak"}
_KINDS = {"抑": "inhibitor", "诱": "inducer", "底": "substrate"}


def find_chinese_roles(text: str, start: int, end: int) -> list[RoleMention]:
    """The phrases of roles within `[start, end)` of folded text, with every enzyme in every strength named."""
    out: list[RoleMention] = []
    for m in _ROLES.finditer(text, start, end):
        grades: list[str | None] = [_GRADES[g] for g in re.findall(r"[强中弱]", re.sub("强度", "", (m["before"] or "") + (m["after"] or "")))] or [None]
        enzymes = [_enzyme(e) for e in re.findall(_ENZYME, m["enzymes"], re.IGNORECASE)]
        roles = tuple(Role(enzyme, _KINDS[m["kinds"][0]], grade) for enzyme in enzymes for grade in dict.fromkeys(grades))
        out.append(RoleMention(m.start(), m.end(), roles))
    return out


def _enzyme(words: str) -> str:
    name = re.sub(r"细胞色素P450|\s", "", words)
    if re.match(r"P-?(?:gp|糖)", name, re.IGNORECASE):
        return "P-gp"
    if name == "乳腺癌耐药蛋白":
        return "BCRP"
    return "CYP" + name if name[0].isdigit() else name.upper().removesuffix("S") if name.lower().startswith("oatp") else name.upper()
