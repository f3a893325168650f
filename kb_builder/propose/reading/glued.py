"""Names to which flattened text has glued the footnote they call ("NifedipineAdministered as a single dose")."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GLUED = re.compile(r"(?<![A-Za-z-])[A-Z][a-z]{4,}(?=(?:[A-Z][a-z]{3,}|A)\s[\w(])")


def glued_names(blank: str) -> Iterator[tuple[int, int]]:
    """The places of words that a capital follows without a space; what they name is the caller's to look up."""
    return (m.span() for m in _GLUED.finditer(blank))


def glued_end(blank: str, start: int, end: int) -> int:
    """Where the name in `[start, end)` ends to which a footnote is glued; `end` for none."""
    m = _GLUED.search(blank, start, end)
    return m.end() if m is not None else end
