"""Dose forms read from a label's own words, where its metadata has none (openFDA's has none).

A form counts only where the label names the product with it: right after the drug's name, as in "warfarin sodium tablets", or at the head
of the section on dose forms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from kb_builder.ingest.fields import table_rows
from ontology.text.document import Document, ProductInfo

FormOf = Callable[[str], str | None]

NAMED_IN = ("indications_and_usage", "package_label_principal_display_panel", "description", "dosage_and_administration", "contraindications")
LISTED_IN = "dosage_forms_and_strengths"
READ = 4_000
"""Code points of a section that are read; a label names its product early."""
LONGEST = 4
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


@cache
def _nouns() -> frozenset[str]:
    return frozenset(row["noun"] for row in table_rows("form_nouns.tsv"))


def read_form(document: Document, product: ProductInfo, form_of: FormOf) -> str | None:
    """The one dose form the label gives its product, or None when it gives none or several."""
    found = Counter(_named_forms(document, product, form_of)) or Counter(_listed_forms(document, form_of))
    if len(found) == 1:
        return next(iter(found))
    best = found.most_common(2)
    return best[0][0] if best and best[0][1] >= 3 * best[1][1] else None


def _named_forms(document: Document, product: ProductInfo, form_of: FormOf) -> Iterator[str]:
    names = {_WORD.findall(name)[0] for name in (product.generic_name, *product.brand_names) if _WORD.findall(name)}
    if not names:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(re.escape(name) for name in sorted(names))})\b", re.IGNORECASE)
    for key in NAMED_IN:
        section = document.section(key)
        text = section.text[:READ] if section else ""
        for match in pattern.finditer(text):
            form = _form_at(text, match.end(), form_of, skip=LONGEST)
            if form:
                yield form


def _listed_forms(document: Document, form_of: FormOf) -> Iterator[str]:
    section = document.section(LISTED_IN)
    if section is None:
        return
    head = re.sub(r"^\s*\d*\s*dosage forms?\s+(?:and|&)\s+strengths?", "", section.text[:READ], flags=re.IGNORECASE)
    form = _form_at(head, 0, form_of, skip=2)
    if form:
        yield form


def _form_at(text: str, start: int, form_of: FormOf, skip: int) -> str | None:
    """The form whose words begin at most `skip` words after a place, within the sentence; the longest one there."""
    sentence = re.split(r"[.;:()\[\]•]", text[start : start + 120], maxsplit=1)[0]
    words = _WORD.findall(sentence)
    for first in range(min(skip + 1, len(words))):
        for length in range(LONGEST, 0, -1):
            phrase = words[first : first + length]
            if len(phrase) < length or phrase[-1].lower() not in _nouns():
                continue
            form = form_of(" ".join(phrase))
            if form:
                return form
    return None


def with_forms(document: Document, form_of: FormOf) -> Document:
    """The document with the form of every product that has none filled in where its text gives one."""
    if all(product.form for product in document.products):
        return document
    products = tuple(p if p.form else replace(p, form=read_form(document, p, form_of)) for p in document.products)
    return document if products == document.products else replace(document, products=products)
