"""Products as a label's head names them: the Highlights' product line, the first line of a print, the title over an older label.

A name counts only in a shape that names a product with its dose form; a brand without its generic name says nothing of composition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.ingest.fields import table_rows
from kb_builder.ingest.label_identity_products import form_in
from kb_builder.ingest.outline import HIGHLIGHTS, PREAMBLE, Outline
from kb_builder.ingest.substances import split_names
from ontology.text.document import ProductInfo, SubstanceInfo

READ = 4_000
"""Code points of a label's head that are read for names."""
_MARKS = re.compile(r"[®™©]|\((?:R|TM)\)")
_ROUTED = r"(?:,\s*(?:USP,?\s*)?for (?P<route>[a-z ,-]{2,60}?) use(?![a-z])"
_WITH_BRAND = re.compile(
    r"(?P<brand>[A-Z][A-Za-z0-9'/-]*(?: [A-Z0-9][A-Za-z0-9'/-]*){0,4})\s*\((?P<generic>[a-z][a-z0-9 ,;/-]{2,200}?)(?:,\s*(?:USP|USAN))?\)[ ,]*"
    rf"(?P<form>[a-z][a-z -]{{2,80}}?){_ROUTED}|(?=\s*(?:$|\n|[A-Z,])))"
)
_GENERIC = re.compile(rf"^(?P<generic>[A-Z][A-Z0-9 ,/-]{{2,120}}?)\s+(?P<form>(?:for )?[a-z][a-z -]{{2,80}}?){_ROUTED}|\s*,?\s*(?:USP)?\s*$)", re.MULTILINE)
_PRINT = re.compile(r"^(?P<brand>[A-Z0-9][^\n]{1,80}?)\s*[-–]\s+(?P<described>[a-z][^\n]{3,240})$", re.MULTILINE)
_TITLE = re.compile(r"^(?P<described>[A-Z][A-Za-z0-9 ,/'-]{3,100}?)(?:,?\s*(?:USP|U\.S\.P\.))?(?:,?\s*[\d.,/ ]+ ?(?:mg|mcg|g|mL|%)[^\n]{0,60})?$", re.MULTILINE)
_ACTIVE = re.compile(r"(?P<name>[A-Z][A-Za-z ,'-]{2,60}?)\s*,?\s+(?P<amount>\d[\d.,]*\s*(?:mg|mcg|g|mL|%|units?))(?![A-Za-z])")
_OF_FORMS = frozenset(
    {"and", "or", "for", "oral", "film", "coated", "extended", "delayed", "release", "chewable", "usp", "topical", "ophthalmic", "nasal", "vaginal", "solution"}
)
_SMALL_WORDS = frozenset({"and", "with", "in", "for", "of"})


def named_products(outline: Outline) -> tuple[ProductInfo, ...]:
    """The products that the head of a label names, in the order printed; empty where none is named with its form."""
    sections = {p.section.key: p.section.text for p in outline.placed}
    preamble = _plain(sections.get(PREAMBLE, "")[-READ:])
    highlights = _plain(sections.get(HIGHLIGHTS, "")[:READ])
    active = _plain(sections.get("active_ingredient", "")[:READ])
    for products in (_lines(highlights), _printed(preamble), _lines(preamble), _titles(preamble), _over_the_counter(active)):
        found = tuple({(p.generic_name.casefold(), p.form, p.brand_names): p for p in products}.values())
        if found:
            return found
    return ()


def _plain(text: str) -> str:
    """The head's lines without marks of headings, emphasis and trade."""
    lines = (_MARKS.sub("", line).strip("#*_ \t") for line in text.splitlines())
    return "\n".join(" ".join(line.split()) for line in lines)


def _lines(text: str) -> Iterator[ProductInfo]:
    branded = [m for m in _WITH_BRAND.finditer(text) if m["form"] and form_in(f"x {m['form']}")]
    for m in branded:
        yield _made(m["generic"], m["brand"], m["form"], m["route"])
    for m in () if branded else _GENERIC.finditer(text):
        if form_in(f"x {m['form']}"):
            yield _made(m["generic"], None, m["form"], m["route"])


def _printed(text: str) -> Iterator[ProductInfo]:
    for m in _PRINT.finditer(text):
        described = form_in(m["described"])
        if described:
            yield _made(described[0], m["brand"], described[1], None)


def _titles(text: str) -> Iterator[ProductInfo]:
    for m in _TITLE.finditer(text):
        described = form_in(m["described"])
        words = described[0].split() if described else []
        if described and 0 < len(words) <= 8 and _is_form(described[1]) and all(w[:1].isupper() or w in _SMALL_WORDS for w in words) and not words[0].isdigit():
            yield _made(described[0], None, described[1], None)


def _over_the_counter(text: str) -> Iterator[ProductInfo]:
    """The product of a Drug Facts label by its active ingredients, each on a line with its amount; nothing when one line is something else."""
    lines = [line for line in text.splitlines() if line and not line.startswith(("*", "("))]
    found = [_ACTIVE.match(line) for line in lines]
    if found and all(found):
        substances = tuple(SubstanceInfo(m["name"].strip(), None, None, m["amount"]) for m in found if m)
        yield ProductInfo(" / ".join(s.name for s in substances), substances)


def _is_form(words: str) -> bool:
    """True when nothing but a dose form is said."""
    nouns = {row["noun"] for row in table_rows("form_nouns.tsv")}
    return all(word in nouns or word in _OF_FORMS for word in re.findall(r"[a-z]+", words.lower()))


def _made(generic: str, brand: str | None, form: str, route: str | None) -> ProductInfo:
    name = " ".join(generic.split())
    sold = " ".join(brand.split()) if brand else None
    return ProductInfo(
        generic_name=name,
        substances=tuple(SubstanceInfo(part) for part in split_names(name)),
        brand_names=(sold,) if sold and sold.casefold() != name.casefold() else (),
        routes=tuple(r.strip() for r in re.split(r",|\bor\b|\band\b", route) if r.strip()) if route else (),
        form=form.strip(" ,"),
    )
