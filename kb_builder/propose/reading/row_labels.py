"""Labels inside the rows of interaction tables ("Clinical Impact:", "Examples:"), in cells and where a table was flattened into running text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.reading.things import Thing
from ontology.text.sought import sought

CELL_LABEL = re.compile(
    r"(?:clinical (?:impact|effects?|implications?|significance|rationale|recommendations?|comments?|management)|(?:prevention (?:or|and|and/or) )?(?:prevention|management|intervention|mitigation|recommendation|examples?|mechanism|effect|potential impact|impact|comments?)"
    r"(?: \(?s\)?| and effect\(?s?\)?| \(below\))?)\s*:?\s*$",
    re.IGNORECASE,
)
INLINE_LABEL = sought(
    r"\b(?:Clinical Impact|Clinical Effects?|Clinical Implications?|Prevention or [Mm]anagement|Prevention and [Mm]anagement|Intervention|Management|Examples|Mechanism and Effects?)\b\s*:?\s+(?=[A-Z•])|\bExamples?\b\s*:\s+(?=[a-z])"
)
_EXAMPLES_LABEL = re.compile(r"\bExamples?\b\s*:?\s+$")
_LABEL_LENGTH = 16
_TITLE = re.compile(r"(?<=[a-z)\]])(?<!\band)(?<!\bor)(?<!\be\.g)\.?\s+(?=[A-Z][\w/-]+(?:\s|$))")


def label_inside(blank: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the title of a cell ends and the words behind its label begin ("Quinolones Management: Avoid ..."), or None."""
    label = INLINE_LABEL.search(blank, start, end)
    if label is None or not blank[start : label.start()].strip() or label.end() >= end:
        return None
    return label.start(), label.end()


def is_examples(blank: str, start: int) -> bool:
    """True for words behind the label "Examples:" of a flattened table."""
    return _EXAMPLES_LABEL.search(blank, max(0, start - _LABEL_LENGTH), start) is not None


def title_behind_examples(blank: str, start: int, end: int, named: Sequence[Thing]) -> int:
    """Where the title of the next row begins behind a list of examples in lower case ("phenytoin, rifampin Muscle Relaxants"); `start` for none."""
    if not is_examples(blank, start):
        return start
    cuts = (m.end() for m in _TITLE.finditer(blank, start, end))
    return next((c for c in cuts if not any(t.start < c < t.end for t in named) and any(c <= t.start for t in named)), start)
