"""Whether a class that the product belongs to stands for the product, told by the words before it."""

from __future__ import annotations

import re
from functools import cached_property

from kb_builder.propose.reading.wording import wording

_OTHER = re.compile(r"\b(?:other|another|additional)\s+(?:[\w/-]+\s+){0,4}$", re.IGNORECASE)
_AND_OTHER = r"(?:\band|\bor|,|\blike|\bas with)\s+(?:all\s+)?other\s+(?:[\w-]+\s+){0,2}$"
_TOGETHER = re.compile(
    r"\b(?:concomitant\w*|concurrent\w*|combin\w+|co-?\s?administ\w*|use of|with|patients on)\b[^.;]*$",
    re.IGNORECASE,
)
_CO_USED = re.compile(
    r"\b(?:concomitantly|concurrently)\s+(?:used|administered|given|taken|prescribed|with)\s+$|\b(?:together|in combination)\s+with\s+$|\bco-?administered\s+$"
    r"|\b(?:combined|dual) use of\s+$|\b(?:use|using|taking|combination) (?:of )?(?:two|multiple|more than one)\s+$",
    re.IGNORECASE,
)
"""What says that the product and another of its class are both taken ("avoid combined use of RAS inhibitors")."""
_BEFORE = 300
_SENTENCE = re.compile(r"[.;]")


class OwnNames:
    """The names of the product as an alternation, empty where it has none."""

    def __init__(self, names: str) -> None:
        """`names` are escaped and joined by "|"."""
        self._names = names

    @cached_property
    def _like_own(self) -> re.Pattern[str]:
        """What stands before a class of drugs to which the product is likened."""
        return re.compile(rf"(?:{self._names})[\w\s,-]{{0,30}}{_AND_OTHER}", re.IGNORECASE)

    @cached_property
    def _with_own(self) -> re.Pattern[str]:
        """What stands before a class of drugs that is taken with the product."""
        return re.compile(
            rf"(?<!\w)(?:{self._names})(?!\w)(?:[\w\s,-]{{0,30}}\bwith(?:\s[^.;]{{0,260}}(?:,|\b(?:and|or|like)))?|\s+(?:and|plus))\s+$",
            re.IGNORECASE,
        )

    def mean_own(self, blank: str, start: int, end: int) -> bool:
        """True when a class that the product belongs to, at `[start, end)`, stands for it: not as "other NSAIDs", but as "like other NSAIDs"."""
        words = blank[start:end].lower()
        if any(hazard in words for hazard in wording()["hazards"]):
            return False
        before = blank[max(0, start - _BEFORE) : start]
        if _CO_USED.search(before) or (self._names and self._with_own.search(before)):
            return False
        if _OTHER.search(before) is None:
            return True
        return bool(self._names) and self._like_own.search(before) is not None and _TOGETHER.search(_SENTENCE.split(before)[-1]) is None
