"""Genotypes, metaboliser status and ancestry, from results, problems and notes.

A gene nobody tested is unknown. A result found only in a note is marked as approximated. Alleles give the metaboliser status by their function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from cds_service.audit.clinical import table
from cds_service.audit.profile.demographics import Demographics
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.passages import cut
from cds_service.intake.prescription import Source
from ontology.model.facts import Known, Unknown, UnknownReason

_NEED = frozenset({"genotype"})
_DIPLOTYPE = re.compile(r"(\*\d+[a-c]?|c\.\d+[a-z0-9+>-]+|hapb3)(?:\s*/\s*(\*\d+[a-c]?|c\.\d+[a-z0-9+>-]+|hapb3))?")
_LETTERS = re.compile(r"(?<![a-z])([ag])\s?/?\s?([ag])(?![a-z])")
_CONDITIONAL = re.compile(r"\b(?:if|unless|in case|when|whether)\b")
_BEFORE = 45
_TWO = 2


@dataclass(frozen=True)
class Genome:
    """What the record says of a patient's genes and ancestry."""

    who: Demographics
    measurements: Measurements

    def genotype(self, detail: str | None) -> Known | Unknown:
        """The patient's word for a gene that a label names: a metaboliser status, `positive`, `negative`, `deficiency` or a pair of alleles."""
        keys = _keys(detail or "")
        if len(keys) > 1:
            facts = [self._found.get(k) for k in keys]
            return Known("not known") if any(f is None for f in facts) else Unknown(UnknownReason.TOO_BROAD, _NEED)
        return self._found.get(keys[0]) or Unknown(UnknownReason.NOT_RECORDED, _NEED) if keys else Unknown(UnknownReason.NOT_RECORDED, _NEED)

    def tested(self, detail: str | None) -> bool:
        """True when the record holds a result for the gene."""
        return any(k in self._found for k in _keys(detail or ""))

    @cached_property
    def _found(self) -> dict[str, Known | Unknown]:
        """The newest result of each gene."""
        found: dict[str, Known | Unknown] = {}
        for key, said, source in self._results():
            if key not in found and (fact := _read(_gene(key), said, source)) is not None:
                found[key] = fact
        for c in self.who.conditions("active", "historical"):
            for gene in table("genotype")["gene"]:
                coded = any(k.value in gene.get("icd10cm", ()) or k.value in gene.get("snomed", ()) for k in c.codes)
                if coded and gene["key"] not in found:
                    found[gene["key"]] = Known("deficiency", c.source.date, c.source.reference)
        return found

    def _results(self) -> Iterator[tuple[str, str, Source]]:
        """Every text about a gene: its key, what is said of it, where."""
        for m in self.measurements.rows:
            if m.word:
                said = f"{m.text}: {m.word}".casefold()
                yield from ((key, part, m.source) for key, part in _genes_in(said))
        for c in self.who.conditions("active", "historical"):
            for p in cut(c.text, c.source):
                yield from ((key, part, c.source) for key, part in _genes_in(p.folded))
        for p in self.who.passages:
            if p.kind not in ("others", "child") and _CONDITIONAL.search(p.folded) is None:
                yield from ((key, part, p.source) for key, part in _genes_in(p.folded))

    @cached_property
    def ancestry(self) -> Known | Unknown:
        """The group of ancestry that the record states."""
        patient = self.who.prescription.patient
        source = Source(patient.reference, None, "patient")
        facts = [f for row in patient.ancestry if (f := _ancestry_of(row.casefold(), source, code=row)) is not None]
        recorded = next((f for f in facts if isinstance(f, Known)), facts[0] if facts else None)
        if isinstance(recorded, Known):
            return recorded
        rows = table("genotype")["ancestry_words"]
        for p in self.who.passages:
            about = any(w in p.folded for w in rows["about"]) or any(w in p.folded for w in rows["alone"])
            if about and not any(re.search(rf"\b{w}\b", p.folded) for w in rows["others"]) and (fact := _ancestry_of(p.folded, p.source)) is not None:
                return fact
        return recorded or Unknown(UnknownReason.NOT_RECORDED, _NEED)


def _ancestry_of(folded: str, source: Source, *, code: str = "") -> Known | Unknown | None:
    for row in table("genotype")["ancestry"]:
        if code in row["codes"] or any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", folded) if w.isascii() else w in folded for w in row["words"]):
            if "among" in row:
                return Unknown(UnknownReason.TOO_BROAD, _NEED, among=frozenset(row["among"]), reference=source.reference)
            return Known(row["is"], source.date, source.reference, also=tuple(row["also"]))
    return None


def _genes_in(folded: str) -> Iterator[tuple[str, str]]:
    """Each gene that a sentence names with the words about it: those behind it, else those before it.

    "A and B negative" says negative of both: words up to the next gene count where they say anything, else the rest of the sentence.
    """
    mentions = list(_names().finditer(folded))
    for i, m in enumerate(mentions):
        until = mentions[i + 1].start() if i + 1 < len(mentions) else len(folded)
        near, rest, before = folded[m.end() : until], folded[m.end() :], folded[max(0, m.start() - _BEFORE) : m.start()]
        said = next((part for part in (near, before if i == 0 else "", rest) if _speaks(part)), None)
        if said is not None:
            yield _by_name()[m[0]], said


def _speaks(part: str) -> bool:
    return _word_of(part) is not None or _DIPLOTYPE.search(part) is not None or _LETTERS.search(part) is not None


def _word_of(said: str) -> str | None:
    return next((row["is"] for row in table("genotype")["result"] if any(w in said for w in row["words"])), None)


def _read(gene: dict[str, Any], said: str, source: Source) -> Known | Unknown | None:
    """What the words say of the gene; None where they leave it open."""
    word, kind = _word_of(said), gene["kind"]
    if word == "open":
        return None
    noted = source.kind == "notes"
    if kind == "letters":
        found = _LETTERS.search(said)
        return Known("".join(sorted(found[0].replace("/", "").replace(" ", ""))).upper(), source.date, source.reference, noted) if found else None
    alleles = _DIPLOTYPE.search(said) if kind == "enzyme" else None
    if alleles is not None and alleles[2]:
        return _of_alleles(gene, (alleles[1], alleles[2]), word, source, noted=noted)
    if word is None:
        return None
    if kind == "enzyme" and word in ("positive", "deficiency", "severe deficiency"):
        # A variant or a deficiency of an unknown degree.
        return Unknown(UnknownReason.TOO_BROAD, _NEED, among=frozenset({"intermediate metabolizer", "poor metabolizer"}), reference=source.reference)
    if kind == "enzyme" and word == "negative":
        word = "extensive metabolizer"
    if kind == "deficiency" and word == "positive":
        word = "deficiency"
    return Known(word, source.date, source.reference, noted, _also(kind, word))


def _of_alleles(gene: dict[str, Any], alleles: tuple[str, str], word: str | None, source: Source, *, noted: bool) -> Known:
    """A pair of alleles with the metaboliser status that their functions give."""
    pair = "/".join(sorted(alleles))
    lost = sum(a in gene["none"] for a in alleles)
    reduced = sum(a in gene.get("decreased", ()) for a in alleles)
    raised = sum(a in gene.get("increased", ()) for a in alleles)
    status = word if word is not None and word.endswith("metabolizer") else None
    if status is None:
        if lost == _TWO or (lost and reduced):
            status = "poor metabolizer"
        elif lost or reduced:
            status = "intermediate metabolizer"
        else:
            status = {0: "extensive metabolizer", 1: "rapid metabolizer"}.get(raised, "ultrarapid metabolizer")
    same = alleles[0] == alleles[1]
    variants = sorted({a for a in alleles if a not in gene["normal"]})
    named = [f"homozygous {a}" if same else f"heterozygous {a}" for a in variants] + variants
    if same and variants:
        named += ["homozygous *28 or *6", f"homozygous {pair}"]
    elif len(variants) == _TWO:
        named += [f"compound heterozygous {b} and {a}" for a, b in (variants, variants[::-1])] + [f"compound heterozygous {a}" for a in variants]
    return Known(pair, source.date, source.reference, noted, (status, *_also(gene["kind"], status), *named))


def _also(kind: str, word: str) -> tuple[str, ...]:
    return next((tuple(r["also"]) for r in table("genotype")["holds"] if r["kind"] == kind and r["is"] == word), ())


@cache
def _keys(detail: str) -> tuple[str, ...]:
    """The genes that a label's words name."""
    return tuple(dict.fromkeys(_by_name()[m[0]] for m in _names().finditer(detail.casefold())))


@cache
def _by_name() -> dict[str, str]:
    return {name: row["key"] for row in table("genotype")["gene"] for name in row["names"]}


@cache
def _names() -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(n)}" for n in sorted(_by_name(), key=len, reverse=True)))


@cache
def _gene(key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in table("genotype")["gene"] if r["key"] == key)
    return found
