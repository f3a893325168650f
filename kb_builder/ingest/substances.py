"""Substances named in one string, where the metadata lists none."""

from __future__ import annotations

import re

MAX_SUBSTANCES = 40
"""More in one product is a broken join, not a drug; multivitamin labels list up to about thirty."""

_SEPARATOR = re.compile(r"\s*(?:,|;|/|\+|、|，|\band\b|\bwith\b)\s*", re.IGNORECASE)


def split_names(generic_name: str) -> tuple[str, ...]:
    """The names in a generic name such as "A, B AND C", in the order printed, each once."""
    parts = (part.strip(" .") for part in _SEPARATOR.split(generic_name))
    return tuple(dict.fromkeys(part for part in parts if part))[:MAX_SUBSTANCES]
