"""Flattened lists of uses: cut where the name of one state ends and that of the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.indications.names import Known, clean_name, ends_as_state

_WORD = re.compile(r"\S+")
_PATIENTS = re.compile(r"(?<=[\w)\]\x01])\s+(?=in\s+(?:[\w-]+\s+){0,2}patients\s+(?:undergoing|who|with)\b)")
_FIRST_PATIENTS = re.compile(r"\W*in\s+(?:[\w-]+\s+){0,2}patients\s+(?:undergoing|who|with)\b")
_LETTERS = re.compile(r"[;,]\s+(?:and\s+|or\s+)?[b-h]\)\s+")
_NOT_NEXT = re.compile(
    r"(?:[^A-Za-z\"]|(?:of|and|or|and/or|in|with|without|due|associated|from|caused|secondary|that|which|who|whose|whom|to|on|at|for|by|as|during|following|after|before|when|where|if|including|such|accompan\w+|occurring|relat\w+|result\w+|is|are|was|were|has|have|while|using|taking|receiving|requiring|undergoing|causing|having|experiencing)\b)",
    re.IGNORECASE,
)
_LAST_PHRASE = re.compile(
    r"^(?:.*\s)?(?:of|and|or|and/or|in|with|without|to|by|from|on|at|for|as|during|following|after|when|where|if)\s+(?:the\s+|an?\s+)*",
    re.IGNORECASE | re.DOTALL,
)
"""Everything up to the last joining word."""
_SHORTEST = 3
_SHORT_FORM_END = re.compile(r"\([A-Za-z]{0,2}[A-Z]{2,}s?\)$")


def split_run(text: str, start: int, end: int, known: Known, *, consumer: bool) -> Iterator[tuple[int, int]]:
    """The items of a stretch without marks between them, the whole of any other stretch. `known` says whether words are a name.

    A label for the consumer runs on in small letters ("headache the common cold toothache"); elsewhere the next name begins with a capital behind a
    known name, or stands behind a short form in brackets.
    """
    at = start
    for cut in sorted({*_patients(text, start, end), *_lettered(text, start, end), *_names(text, start, end, known, consumer=consumer)}):
        yield at, cut
        at = cut
    yield at, end


def _patients(text: str, start: int, end: int) -> Iterator[int]:
    """Where a list of patients goes on with the next ones ("in patients undergoing A in patients undergoing B")."""
    if _FIRST_PATIENTS.match(text, start, end) is not None:
        yield from (m.end() for m in _PATIENTS.finditer(text, start + 2, end))


def _lettered(text: str, start: int, end: int) -> Iterator[int]:
    """Where "b)", "c)" ... begin."""
    yield from (m.end() for m in _LETTERS.finditer(text, start, end))


def _names(text: str, start: int, end: int, known: Known, *, consumer: bool) -> Iterator[int]:
    """Where the name of a state ends and another one begins without a mark between them."""
    at = start
    words = list(_WORD.finditer(text, start, end))
    for i, (word, following) in enumerate(pairwise(words), start=1):
        if word.start() < at or word[0][-1] in ",;:" or len(following[0]) < _SHORTEST or _NOT_NEXT.match(following[0]) is not None:
            continue
        left, rest = text[at : word.end()], text[following.start() : end]
        name = _LAST_PHRASE.sub("", f"{left} ", count=1)
        if left.count("(") > left.count(")") or not ends_as_state(name) or not _begins_name(rest, consumer=consumer):
            continue
        short = _SHORT_FORM_END.search(word[0]) is not None
        if (
            consumer
            or (short and following[0][:1].islower())
            or (following[0][:1].isupper() and len(words) - i > 1 and (known(clean_name(name)) or _in_sentence_case(words[i + 1][0])))
        ):
            yield following.start()
            at = following.start()


def _in_sentence_case(second: str) -> bool:
    """True for the second word of an item that begins with a capital and goes on in small letters ("Optic neuritis", not "Associated with")."""
    return second[:1].islower() and len(second) >= _SHORTEST and _NOT_NEXT.match(second) is None


def _begins_name(rest: str, *, consumer: bool) -> bool:
    """True for words that begin with another name: not with the noun that the words before it still lack ("pain | syndrome")."""
    first = rest.split()[0].strip(".,;:")
    if first.lower() in indication_book().heads and not consumer:
        return False
    return ends_as_state(rest) or any(ends_as_state(" ".join(rest.split()[:n])) for n in (1, 2, 3, 4))
