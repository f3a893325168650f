"""Codes as look-up keys: code systems by name or URL, NDCs in all their spellings."""

from __future__ import annotations

import re
import unicodedata

from ontology.model.identifiers import URL_OF_SYSTEM, Code

_SYSTEM_OF_URL = {url: system for system, url in URL_OF_SYSTEM.items()}
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_NDC_MARK = re.compile(r"^ndc[:#\s]*", re.IGNORECASE)


def short_system(system: str) -> str:
    """The project's name of a code system given by name or URL; unknown systems come back as they are."""
    return _SYSTEM_OF_URL.get(system, system)


def ndc_products(value: str) -> tuple[str, ...]:
    """The nine-digit labeler and product keys an NDC may stand for: one for hyphenated or 11 digits, three for bare ten digits."""
    parts = _NDC_MARK.sub("", _DASHES.sub("-", unicodedata.normalize("NFKC", value).strip())).split("-")
    if len(parts) in (2, 3) and all(p.isdigit() for p in parts) and len(parts[0]) <= 5 and len(parts[1]) <= 4:
        return (parts[0].zfill(5) + parts[1].zfill(4),)
    digits = parts[0] if len(parts) == 1 and parts[0].isdigit() else ""
    if len(digits) == 11:
        return (digits[:9],)
    if len(digits) == 10:
        return tuple(sorted({digits[:4].zfill(5) + digits[4:8], digits[:5] + digits[5:8].zfill(4), digits[:5] + digits[5:9]}))
    return (digits,) if len(digits) == 9 else ()


def code_keys(code: Code) -> tuple[str, ...]:
    """The keys a product code is stored and looked up under; a bare ten-digit NDC has three."""
    system = short_system(code.system)
    values = ndc_products(code.value) if system == "ndc" else (code.value.strip(),)
    return tuple(f"{system}:{value}" for value in values)
