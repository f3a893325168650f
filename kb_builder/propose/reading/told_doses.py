"""Doses of which a sentence only tells: what an effect hangs on, what a study changed, what people take against advice. None is to be changed."""

from __future__ import annotations

import re

_BESIDE = 24
_HANGS_ON = re.compile(
    r"\bincreased? with (?:\w+ly )?(?:high|higher|large|larger|lower|increasing) dos|\b(?:increase|decrease|reduction) after (?:an? )?(?:single )?(?:low|high|large|small) dos|\bdose-(?:dependent|related)|\bdepending (?:up)?on (?:the )?(?:[\w-]+ ){0,3}dos"
    r"|\bdos(?:e|es|age)s? (?:of )?(?:[\w-]+ )?(?:may|might|can|could) have\b|\bif an? higher than the recommended|\bstud(?:y|ies) of an? (?:lower|higher)"
    r"|\b(?:was|were) (?:\w+ )?(?:lower|higher|greater|less|similar) (?:after|with|following|than|by|when|in)\b"
)
"""Speaks of a dose as what an effect, a risk or a study hangs on."""
_ASKS = re.compile(r"\b(?:should|must|may|might|can|could|needs?|required?|recommend\w*|consider|advis\w+|necessary|warranted)\b")
_RESULTED = re.compile(r"[^.;:]{0,140}?\b(?P<verb>resulted in|led to|produced|yielded|was followed by|were followed by)\b")
"""A change of dose whose outcome is told was made in a study."""
_HAD = re.compile(r"\b(?:had|whose) (?:their |the |a )?(?:[\w-]+ )?$")
_EXCEEDED = re.compile(r"\b(?:dos\w+|amounts?|quantities) (?:greater|higher|larger|more|above|in excess of|exceeding)(?: than)? (?:the )?$")
"""More than what a label allows, which people take; what forbids it is a wording of its own."""
_CHANGE_MADE = re.compile(
    r"(?:dos(?:e|age|ing) |daily |total |initial |starting )*(?:reduc(?:tions?|ed|ing)|decreas(?:ed|ing|es?(?= in\b| correlat))|increas(?:ed|ing|es?(?= in\b| correlat))|lower(?:ed|ing)?|higher"
    r"|adjust(?:ments?|ed|ing)|chang(?:es?(?= in\b)|ing)|titration)\b"
    r"(?P<between>(?:(?!\b(?:where|which|that|if|when|until|since|because|as|who|whom|whose|so)\b)[^.;:,()]){0,120}?)\s"
    r"(?:(?:may|might|can|could|will|would) (?:\w+ly )?(?:be associated with|result in|lead to|cause|precipitate|worsen|expose)|(?:is|are|was|were|(?:has|have) been) (?:\w+ly )?associated with"
    r"|(?:has|have) been (?:noted|observed|reported|described)|correlates? with|can ?not be recommended)\b"
)
"""A change named as a thing, and what comes of it or was seen of it ("stepwise increase in the dose of X may be associated with hypotension")."""
_DEMANDS = re.compile(r"\b(?:should|must|needs?|needed|required?|recommend\w*|consider|advis\w+|necessary|warranted)\b")


def is_told_of(lower: str, start: int, end: int) -> bool:
    """True when the dose at `[start, end)` of a sentence in lower case is told of and not asked for."""
    if _HANGS_ON.search(lower, max(0, start - _BESIDE), end + _BESIDE) is not None:
        return True
    before = lower[max(0, start - 40) : start]
    if _HAD.search(before) is not None or _EXCEEDED.search(before) is not None:
        return True
    made = _CHANGE_MADE.match(lower, start)
    if made is not None and _DEMANDS.search(made["between"]) is None:
        return True
    outcome = _RESULTED.match(lower, start)
    return outcome is not None and outcome.start("verb") >= end and _ASKS.search(lower, start, outcome.end()) is None
