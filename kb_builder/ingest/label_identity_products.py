"""Products as the tables at the end of a DailyMed print state them: names, codes, routes, active substances with UNII and strength."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.ingest.fields import table_rows
from kb_builder.ingest.outline import Outline
from kb_builder.ingest.substances import MAX_SUBSTANCES
from ontology.model.identifiers import Code
from ontology.text.document import ProductInfo, SubstanceInfo

PRODUCT_DATA = "spl_product_data_elements"
BEFORE = 600
"""Code points before the first product's table in which its names stand."""
_ACTIVE = re.compile(r"active ingredient\s*/\s*active moiety", re.IGNORECASE)
_INACTIVE = re.compile(r"inactive ingredients?\b", re.IGNORECASE)
_SUBSTANCE = re.compile(r"(?P<name>[A-Z0-9][^|\n]{1,120}?)\s*\(\s*UNII\s*:\s*(?P<unii>[A-Z0-9][A-Z0-9 ]{8,12})\)(?P<rest>[^\n]*)")
_ITEM_CODE = re.compile(r"item code\s*\(source\)[\s|:#]*NDC\s*:?\s*(\d{4,5}-\d{3,4})(?![\d-])", re.IGNORECASE)
_ROUTE = re.compile(r"(?i:route of administration)[\s|:#]*([A-Z][A-Z ,/()-]*[A-Z)])")
_TYPE = re.compile(r"product type[\s|:#]*(HUMAN [A-Z ]+?(?:DRUG|BIOLOGIC|VACCINE|THERAPY)(?: LABEL)?)\b", re.IGNORECASE)
_LABELER = re.compile(r"^[#*| \t]*labeler\b[\s:|\-–]*([^\n(|]{3,100}?)\s*(?:\(\d+\))?[ \t|]*$", re.IGNORECASE | re.MULTILINE)
_STRENGTH = re.compile(r"(\d[\d.,]*\s*\[?[A-Za-zµμ%][A-Za-z'_.]*\]?(?:\s+in\s+[\d.]*\s*[A-Za-z]+)?)\s*\|?\s*$")
_HEADING = re.compile(r"[\s#*|-]*(?:product (?:information|characteristics))?[\s#*|-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Block:
    """One product's part of the tables: what stands before its active substances, and the table of these."""

    before: str
    active: str


def tabled_products(text: str, outline: Outline) -> tuple[ProductInfo, ...]:
    """The products of the tables, those of one composition, form and route as one with all their codes; empty without tables."""
    placed = next((p for p in outline.placed if p.section.key == PRODUCT_DATA), None)
    if placed is None:
        return ()
    merged: dict[tuple[object, ...], ProductInfo] = {}
    for block in _blocks(text[max(placed.start - BEFORE, 0) : placed.end]):
        product = _product(block)
        if product is None:
            continue
        key = (product.generic_name.casefold(), frozenset((s.name, s.unii) for s in product.substances), product.form, product.routes)
        merged[key] = _joined(merged[key], product) if key in merged else product
    return tuple(merged.values())


def product_type_of(text: str) -> str | None:
    """`HUMAN PRESCRIPTION DRUG` and its like."""
    found = _TYPE.search(text)
    return " ".join(found[1].upper().split()) if found else None


def labeler_of(text: str) -> str | None:
    """Who publishes the label."""
    found = _LABELER.search(text)
    return found[1].strip() if found else None


def form_in(description: str) -> tuple[str, str] | None:
    """The name and the dose form of "warfarin sodium tablet, film coated", or None where no form is named."""
    nouns = "|".join(sorted((row["noun"] for row in table_rows("form_nouns.tsv")), key=len, reverse=True))
    found = re.search(rf"\b(?:{nouns}|kit)\b", description, re.IGNORECASE)
    if found is None or not description[: found.start()].strip():
        return None
    return description[: found.start()].strip(" ,"), description[found.start() :].strip(" .")


def _blocks(text: str) -> Iterator[_Block]:
    heads = list(_ACTIVE.finditer(text))
    at = 0
    for n, head in enumerate(heads):
        end = heads[n + 1].start() if n + 1 < len(heads) else len(text)
        stop = _INACTIVE.search(text, head.end(), end)
        yield _Block(text[at : head.start()], text[head.end() : stop.start() if stop else end])
        at = stop.end() if stop else head.end()


def _product(block: _Block) -> ProductInfo | None:
    substances = tuple(_substances(block.active))
    if not substances or len(substances) > MAX_SUBSTANCES:
        return None
    code = next(iter(_ITEM_CODE.findall(block.before)[-1:]), None)
    route = next(iter(_ROUTE.findall(block.before)[-1:]), None)
    brand, generic, form = _names(block.before)
    generic = generic or " / ".join(s.name for s in substances)
    return ProductInfo(
        generic_name=generic,
        substances=substances,
        brand_names=(brand,) if brand and brand.casefold() != generic.casefold() else (),
        codes=(Code("ndc", code),) if code else (),
        routes=tuple(r.strip() for r in re.split(r",|;", route) if r.strip()) if route else (),
        form=form,
    )


def _substances(table: str) -> Iterator[SubstanceInfo]:
    seen: set[str] = set()
    for match in _SUBSTANCE.finditer(table):
        name = match["name"].strip(" |*")
        unii = match["unii"].replace(" ", "")
        strength = _STRENGTH.search(match["rest"])
        if name not in seen:
            seen.add(name)
            yield SubstanceInfo(name, unii if len(unii) == 10 else None, None, strength[1].strip() if strength else None)


def _names(before: str) -> tuple[str | None, str | None, str | None]:
    """Brand, generic name and form from the two lines over a product's table: "COUMADIN", "warfarin sodium tablet"."""
    cut = next(iter([m.start() for m in re.finditer(r"product type", before, re.IGNORECASE)][-1:]), len(before))
    lines = [line.strip("# *\t") for line in before[:cut].splitlines() if not _HEADING.fullmatch(line)]
    if not lines:
        return None, None, None
    described = form_in(lines[-1]) if lines[-1][:1].islower() else None
    if described is None:
        return None, None, None
    name = lines[-2] if len(lines) > 1 and re.fullmatch(r"[A-Z0-9][^|:;]{1,80}", lines[-2]) else None
    return name, described[0], described[1]


def _joined(first: ProductInfo, other: ProductInfo) -> ProductInfo:
    """Two products of one composition as one: all codes and brands, strengths only where they agree."""
    strengths = {s.name: s.strength for s in other.substances}
    return ProductInfo(
        generic_name=first.generic_name,
        substances=tuple(s if strengths.get(s.name) == s.strength else SubstanceInfo(s.name, s.unii, s.rxcui) for s in first.substances),
        brand_names=tuple(dict.fromkeys((*first.brand_names, *other.brand_names))),
        codes=tuple(dict.fromkeys((*first.codes, *other.codes))),
        routes=first.routes,
        form=first.form,
    )
