"""Genotypes, metaboliser types and enzyme deficiencies as labels word them ("CYP2C19 poor metabolizers", "HLA-B*58:01 positive", "partial DPD deficiency").

The gene is the guard's detail, the label's words its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Category, Guard, Not
from ontology.text.sought import sought

_GENE = r"(?:CYP\s?2C19|CYP\s?2D6|CYP\s?2C9|CYP\s?3A5|CYP\s?2B6|CYP\s?4F2|VKORC1|UGT\s?1A1|TPMT|NUDT15|DPYD|DPD|G6PD|NAT2|IFNL3|SLCO1B1|HLA-[A-Z]+\d?\*?(?:\d{2}:?\d{2})?|BCHE|RYR1|CACNA1S|POLG|OTC|CYB5R|F5|CFTR)"
_CUE = re.compile(r"[A-Z]{2}|[Aa][Cc][Ee][Tt][Yy][Ll]|[Mm][Ee][Tt][Aa][Bb][Oo]|[Dd][Ee][Ff][Ii][Cc]|[Gg][Ll][Uu][Cc]|[Dd][Ii][Hh][Yy]|[Tt][Hh][Ii][Oo]")
"""What every wording of a genotype holds one of: a gene's letters, or the beginning of a word for the type or enzyme."""

_TYPE = r"(?:(?:known|homozygous|heterozygous|compound|certain|intermediate|poor|ultra-?\s?rapid|rapid|normal|extensive|slow|complete|partial|total|severe|confirmed)\s*(?:,|\bor\b|/|\band\b)?\s*){1,6}"
_KINDS = r"(?:intermediate|poor|ultra-?\s?rapid|rapid|normal|extensive|slow)(?:\s*\([A-Z]{2}s?\))?"
_METABOLISER = sought(
    rf"\b(?:(?P<first>{_GENE}(?:\s*(?:and/or|or|and|/)\s*{_GENE}){{0,3}})\s+)?(?P<type>{_KINDS}(?:\s*(?:,\s*(?:or\s+)?|\bor\s+|/|\band\s+){_KINDS}){{0,5}})\s*(?P<middle>{_GENE})?\s*"
    rf"(?:metaboli[sz]ers?|acetylators?)(?:\s*\((?:PMs?|IMs?|EMs?|UMs?|NMs?)\))?(?:\s+of\s+(?P<of>{_GENE}|substrates? of {_GENE})(?:\s+substrates?\b)?)?",
    re.IGNORECASE,
)
_SHORT = sought(r"\b(?P<gene>CYP\s?2C19|CYP\s?2D6|CYP\s?2C9)\s+(?P<types>(?:EM|IM|PM|UM)s?(?:\s*(?:,|\band\b|\bor\b|/)+\s*(?:EM|IM|PM|UM)s?){0,3})\b")
_LONG = {"EM": "extensive metabolizer", "IM": "intermediate metabolizer", "PM": "poor metabolizer", "UM": "ultrarapid metabolizer"}
_DEFICIENCY = sought(
    rf"\b(?P<type>{_TYPE}\s*)?(?P<gene>{_GENE}|glucose[- ]6[- ]phosphate dehydrogenase(?:\s*[(\[]G-?6-?PD[)\]])?|dihydropyrimidine dehydrogenase(?:\s*\(DPD\))?|thiopurine (?:S-)?methyl\s?transferase(?:\s*\(TPMT\))?)"
    r"(?:\s*(?:and/or|or|and|/)\s*(?P<other>NUDT15|TPMT))?\s+(?P<what>deficien(?:cy|t)|activity|variants?|mutations?)\b|\bdeficien(?:cy|t)\s+(?:in|of)\s+(?:the\s+enzyme\s+)?(?P<late>glucose[- ]6[- ]phosphate dehydrogenase|G6PD|DPD|TPMT|NUDT15)\b",
    re.IGNORECASE,
)
_ALLELE = sought(
    r"\b(?P<hla>HLA-[A-Z]+\d?\*\s?\d{2}:?\d{2})(?:[\s-]*(?P<sign>positive|negative|carriers?|allele|genotype))?|(?P<gene>CYP2C9|CYP2C19|CYP2D6|CYP3A5|UGT1A1|VKORC1|TPMT|NUDT15|DPYD|SLCO1B1)(?:\s+|(?=\*\d+\s?/))(?P<alleles>\*\d+[A-Z]?(?:\s?/\s?\*\d+[A-Z]?)?(?:(?:\s*(?:,|\bor\b|\band\b))+\s*\*\d+[A-Z]?(?:\s?/\s?\*\d+[A-Z]?)?)*|[ACGT]{2}\b|-?\d{3,4}[ACGT]>?[ACGT]?\b)(?:\s+(?:genotype|allele|variant|haplotype|homozygotes?|carriers?))?",
)
_KNOWN = sought(rf"\b(?P<genes>{_GENE}(?:\s*(?:and/or|or|and)\s*{_GENE})*)\s+genotypes?\s+(?:is|are)\s+(?P<known>not known|unknown|known)\b", re.IGNORECASE)
_HOMOZYGOUS = sought(
    r"\b(?:(?:compound|simultaneous)\s+(?:or\s+(?:compound|simultaneous)\s+)?)?(?:homozygous|heterozygous)\s+(?:for\s+(?:the\s+)?)?(?P<gene>UGT1A1|CYP2C9|CYP2C19|CYP2D6|TPMT|NUDT15|DPYD)\s*(?P<allele>\*\d+(?:(?:\s+(?:or|and)\s+|/)\*\d+)?)(?:\s+alleles?\b)?(?:\s*\(\*[^()]*\))?",
    re.IGNORECASE,
)
_NAMES = {"glucose": "G6PD", "dihydro": "DPD", "thiopur": "TPMT"}
_NORMAL = re.compile(r"\b(?:no|not|without|normal|negative)\b[^.;,]{0,24}$", re.IGNORECASE)


def find_genotypes(text: str, start: int, end: int) -> Iterator[Restriction]:
    """The genotypes in `[start, end)` of folded text, none overlapping an earlier one."""
    if _CUE.search(text, start, end) is None:
        return
    taken: list[tuple[int, int]] = []
    for pattern, guard_of in (
        (_KNOWN, _of_known),
        (_HOMOZYGOUS, _of_homozygous),
        (_ALLELE, _of_allele),
        (_METABOLISER, _of_metaboliser),
        (_SHORT, _of_short),
        (_DEFICIENCY, _of_deficiency),
    ):
        for m in pattern.finditer(text, start, end):
            if any(s < m.end() and m.start() < e for s, e in taken):
                continue
            guard = guard_of(m)
            if guard is not None:
                taken.append(m.span())
                yield Restriction(guard, m.start(), m.end())


def _of_known(m: re.Match[str]) -> Guard:
    genes = " and ".join(dict.fromkeys(re.findall(_GENE, m["genes"], re.IGNORECASE)))
    return Category(Axis.GENOTYPE, ("known" if m["known"].lower() == "known" else "not known",), genes)


def _of_homozygous(m: re.Match[str]) -> Guard:
    return Category(Axis.GENOTYPE, (_words(m[0].split(m["gene"])[0] + m["allele"]).replace(" for the ", " ").replace(" for ", " "),), m["gene"].upper())


def _of_allele(m: re.Match[str]) -> Guard:
    if m["hla"]:
        positive: Guard = Category(Axis.GENOTYPE, ("positive",), re.sub(r"\s", "", m["hla"]))
        return Not(positive) if (m["sign"] or "").lower() == "negative" else positive
    found = re.findall(r"\*\d+[A-Z]?(?:\s?/\s?\*\d+[A-Z]?)?|[ACGT]{2}\b|-?\d{3,4}[ACGT]>?[ACGT]?", m["alleles"])
    return Category(Axis.GENOTYPE, tuple(dict.fromkeys(re.sub(r"\s", "", f) for f in found)), m["gene"].upper())


def _of_metaboliser(m: re.Match[str]) -> Guard:
    noun = "acetylator" if "acetyl" in m[0].lower() else "metabolizer"
    types = [re.sub(r"[\s-]", "", t.lower()) for t in re.findall(r"intermediate|poor|ultra-?\s?rapid|rapid|normal|extensive|slow", m["type"], re.IGNORECASE)]
    values = tuple(dict.fromkeys(f"{t} {noun}" for t in types))
    genes = list(
        dict.fromkeys(re.sub(r"\s", "", g).upper() for g in re.findall(_GENE, f"{m['first'] or ''} {m['middle'] or ''} {m['of'] or ''}", re.IGNORECASE))
    )
    parts: tuple[Guard, ...] = tuple(Category(Axis.GENOTYPE, values, gene) for gene in genes) or (Category(Axis.GENOTYPE, values),)
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _of_short(m: re.Match[str]) -> Guard:
    values = tuple(dict.fromkeys(_LONG[t] for t in re.findall(r"EM|IM|PM|UM", m["types"])))
    return Category(Axis.GENOTYPE, values, re.sub(r"\s", "", m["gene"]))


def _of_deficiency(m: re.Match[str]) -> Guard | None:
    gene = _gene(m["late"] or m["gene"])
    if m["late"]:
        return Category(Axis.GENOTYPE, ("deficiency",), gene)
    what = m["what"].lower()
    kind = _words(m["type"] or "")
    if what == "activity" and not re.search(r"complete|partial|low|reduced", kind):
        return None
    noun = "deficiency" if what.startswith("deficien") else what
    parts: tuple[Guard, ...] = tuple(
        Category(Axis.GENOTYPE, (_words(f"{kind} {noun}"),), g) for g in dict.fromkeys((gene, *((m["other"].upper(),) if m["other"] else ())))
    )
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _gene(words: str) -> str:
    return next((name for word, name in _NAMES.items() if words.lower().startswith(word)), re.sub(r"\s", "", words).upper())


def _words(text: str) -> str:
    return " ".join(text.lower().split())
