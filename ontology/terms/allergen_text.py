"""The parts of an allergy's words that may name what the patient is allergic to.

A whole name counts, without the words around it, without a bracket, before the reaction it is told with, or as an item of a list. A text
that denies the allergy has none.
"""

from __future__ import annotations

import re

_BRACKET = re.compile(r"[(\[（][^)\]）]*[)\]）]")
_LIST = re.compile(r"[,;/、，；]|\band\b", re.IGNORECASE)
_AROUND = re.compile(
    r"\b(?:allerg(?:y|ies|ic)|hypersensitivit(?:y|ies)|intolerance|reaction|to|drug class)\b|^对|(?:类药物?)?(?:严重)?过敏(?:史|反应|者)?", re.IGNORECASE
)
_REACTION = re.compile(r"\s[-–—]+\s|\s*[:：]\s*")
_DENIAL = r"no|not|none|neg|negative|denie[sd]|denied|refuted|ruled out|resolved|outgrown|tolerate[sd]?|ok|no reaction|not allergic"
_DENIED = re.compile(
    rf"^(?:(?:no|not|denies|denied|without|never|negative for)\b|无|否认|没有)|[(\[（]\s*(?:-|－|{_DENIAL}|阴性|已?排除|否认)\s*[)\]）]"
    rf"|(?:\s[-–—]+|[:：])\s*(?:{_DENIAL})\s*$|阴性\s*$",
    re.IGNORECASE,
)


def allergen_parts(text: str) -> tuple[str, ...]:
    """The text itself, then its parts, each once; none where the text denies."""
    if _DENIED.search(text.strip()):
        return ()
    bare = _BRACKET.sub(" ", text).strip()
    told = _REACTION.split(bare) if _REACTION.search(bare) else ()
    items = [_AROUND.sub(" ", part).strip() for part in _LIST.split(bare)]
    return tuple(dict.fromkeys(p for p in (text, bare, _AROUND.sub(" ", bare).strip(), *(_AROUND.sub(" ", t).strip() for t in told), *items) if p))
